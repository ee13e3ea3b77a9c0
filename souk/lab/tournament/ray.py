"""A tournament on the machines of a Ray cluster: the same games as here, each played wherever there is room for it."""

import traceback
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from souk.games import game as find_game
from souk.lab.on_ray import Cluster, Table, compiling_alone
from souk.lab.tournament.tournament import Fixture, Played, Settings, Workers, play_fixture, prepare_bots


@dataclass(frozen=True)
class _Task:
    """A game to be played, as a worker is handed it."""

    table: Table
    settings: Settings
    fixture: Fixture


def _play(task: _Task) -> tuple[Played, str] | str:
    """What a worker does: the game with its record, or else why it could not be played."""
    task.table.found_here()
    try:
        with compiling_alone():
            prepare_bots(task.settings)
        answer = play_fixture(task.settings, task.fixture)
    except Exception:
        return traceback.format_exc()
    assert answer is not None  # nobody said stop
    return answer[0], str(answer[1])


class RayWorkers(Workers):
    """The workers of a Ray cluster (see souk.lab.on_ray) in place of processes of this machine."""

    about = "Played by the workers of a Ray cluster, which take about ten seconds to start."

    def __init__(self, processes: int | None = None, address: str | None = None) -> None:
        super().__init__(processes)
        self.cluster = Cluster(address, processes)

    def play(self, settings: Settings, games: Iterable[Fixture]) -> Iterator[tuple[Played, str]]:
        table = Table.of(find_game(settings.game).start(settings.players, **settings.options))
        for task, answer in self.cluster.each(_play, (_Task(table, settings, fixture) for fixture in games)):
            yield self.checked(answer, task.fixture)

    def close(self) -> None:
        self.cluster.close()
