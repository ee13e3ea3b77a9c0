"""Playing: the same dice for all, independence of workers, times, and failures."""

import subprocess
import sys
from dataclasses import replace

import pytest

import souk
from souk.bots import registry
from souk.bots.bot import Bot, Choice
from souk.games import names as game_names
from souk.lab.play_game import Fixture, play_fixture
from souk.lab.table_spec import table_spec
from souk.lab.tournament import Tournament, play_tournament
from souk.lab.tournament.html import page
from souk.lab.tournament.schedule import fixtures
from souk.lab.tournament.standings import standings
from souk.lab.workers import Processes
from tests.lab.support.nine_games import PAIR, table_for, untimed


@pytest.mark.parametrize("game", game_names())
def test_the_same_dice_in_every_rotation(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The n-th event uses the same random number, so equal events have equal outcomes."""

    class First(Bot):
        def think(self, view: souk.Position, seat: int) -> Choice:
            moves = view.moves(seat) if game != "bazaar" else ["roll", *view.moves(seat)]
            return Choice(next(move for move in moves if view.is_legal(seat, move)), [])

    monkeypatch.setattr(registry, "make_bot", lambda *_, **__: First())
    table = table_spec(souk.game(game).start(3), ["a", "b"], seed=5)
    records = [play_fixture(table, fixture)[1] for fixture in fixtures(table, range(1))]
    # all bots are equal, so whole games are too
    assert len({tuple(record.events) for record in records}) == 1
    assert len({tuple(record.names) for record in records}) == 3
    _, other = play_fixture(table, Fixture(3, 1, (0, 1, 0)))
    assert other.events != records[0].events


def test_the_same_whatever_the_number_of_processes(played: Tournament) -> None:
    with Processes(2) as workers:
        again = play_tournament("basari-cards", PAIR, players=3, games=8, seed=5, processes=workers)
        assert untimed(again.games) == untimed(played.games)
        # the same workers
        other = play_tournament("basari-cards", PAIR, players=3, games=3, seed=6, processes=workers)
    assert untimed(other.games) != untimed(played.games)[:3]


def test_bots_that_search_are_reproducible() -> None:
    table = table_for("suleika", ["search:playouts=4", "search:playouts=8"], players=2)
    game = next(fixtures(table, range(1)))
    one, other = (play_fixture(table, game) for _ in range(2))
    assert one[1].events == other[1].events


def test_report_and_times(played: Tournament) -> None:
    text: list[int] = []
    more = Tournament(played.table).play(
        range(1, 2), 1, lambda tournament, game: text.append(len(tournament))
    )
    assert text == [1, 2, 3]
    assert untimed(more.games) == untimed(played.games)[3:6]
    for game in more.games:
        assert all(
            0 < longest <= seconds
            for longest, seconds in zip(game.longest, game.seconds, strict=True)
        )
        assert game.chances > 0


def test_a_failing_worker_is_told_of() -> None:
    broken = replace(table_for(), bots=("random", "random:sorcery"))
    with (
        Processes(2) as workers,
        pytest.raises(RuntimeError, match=r"game \d could not be played(.|\n)*sorcery"),
    ):
        Tournament(broken).play(range(1), workers)


def test_moves_made_in_place_of_a_failing_bot_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    class Failing(Bot):
        def __init__(self, name: str) -> None:
            self.name = name

        def think(self, view: souk.Position, seat: int) -> Choice:
            return Choice(
                view.moves(seat)[0], [], fallback="it crashed" if self.name != "random" else ""
            )

    monkeypatch.setattr(registry, "make_bot", lambda name, **_: Failing(name))
    result = play_tournament("suleika", PAIR, players=2, games=1, processes=1)
    firm, weak = sorted(standings(result.results, result.table.bots), key=lambda row: row.entrant)
    assert firm.fallbacks == 0
    assert weak.fallbacks == weak.moves > 0
    assert "random:seed=1 failed at" in page(result)


def test_ratings_are_not_loaded_before_they_are_needed() -> None:
    code = (
        "import sys, souk, souk.lab.tournament.tournament; "
        "assert not {'openskill', 'rich', 'typer', 'numba'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
