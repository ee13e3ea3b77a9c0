"""A kind of play measured at a table: what came of the games, and what happened in them."""

from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib import import_module
from typing import Any

import numpy as np

from souk.lab.report.gathering import Hands, Table, batches, course, in_order
from souk.lab.report.outcome import Outcome, outcome
from souk.lab.report.tally import Notes, Tally
from souk.lab.simulate.simulate import simulate

Report = Callable[[int], None]


@dataclass(frozen=True)
class Measured:
    """A kind of play at a table. Of random play there are many more results than games that were looked at."""

    table: Table
    looked_at: int  # games
    outcome: Outcome
    tally: Tally

    def to_json(self) -> dict[str, Any]:
        plain: dict[str, Any] = {
            "table": asdict(self.table),
            "looked_at": self.looked_at,
            "outcome": self.outcome.to_json(),
            "tally": self.tally.to_json(),
        }
        return plain

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Measured":
        return cls(
            Table(**data["table"]),
            data["looked_at"],
            Outcome.from_json(data["outcome"]),
            Tally.from_json(data["tally"]),
        )


def room(game: str) -> Any:
    """The module of this package that knows what to look at in a game."""
    return import_module(f"souk.lab.report.{game.replace('-', '_')}")


def measure(
    table: Table, games: int, simulated: int = 0, processes: Hands | int | None = None, report: Report = lambda _: None
) -> Measured:
    """Play games and look at each. For random play the results are those of `simulated` games, if that is more. `report` is told
    how many more games have been looked at."""
    tally, ends = Tally(), []
    for part, results in in_order(_look, _tasks(table, games), processes):
        tally.merge(part)
        ends += results
        report(len(results))
    return Measured(table, games, _results(table, ends, simulated), tally)


def _tasks(table: Table, games: int) -> Iterator[tuple[Table, range]]:
    return ((table, numbers) for numbers in batches(table, games))


_End = tuple[list[int], list[bool], int]  # scores, who won, how many events


def _look(table: Table, numbers: range) -> tuple[Tally, list[_End]]:
    """Play some games and look at them: what a process does."""
    look, tally, ends = room(table.game).look, Tally(), []
    for number in numbers:
        events, notes = course(table, number), Notes()
        look(events, notes)
        tally.add(notes)
        end = events[-1].after
        won = end.winners
        ends.append((end.scores, [seat in won for seat in range(table.players)], len(events)))
    return tally, ends


def _results(table: Table, ends: list[_End], simulated: int) -> Outcome:
    if not table.thinking and simulated > len(ends):
        found = simulate(table.game, table.players, simulated, table.seed, **table.options)
        return outcome(found.scores, found.winners, found.lengths)
    scores, winners, lengths = zip(*ends, strict=True)
    return outcome(np.array(scores), np.array(winners), np.array(lengths))
