"""A kind of play measured at a table: what came of the games, and what happened in them."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from souk.core.reporting import Card, Notes, Reading
from souk.games import game as find_game
from souk.lab.report.gathering import GameRange, course, prepare, ranges
from souk.lab.report.outcome import Outcome, outcome
from souk.lab.report.tally import Tally
from souk.lab.simulate.simulate import simulate
from souk.lab.statistics import Figure
from souk.lab.table_spec import TableSpec, check_table
from souk.lab.workers import Workers, hired


@dataclass(frozen=True)
class Measured:
    """A kind of play at a table. Of random play there are many more results than games that were looked at."""

    table: TableSpec
    looked_at: int  # games
    outcome: Outcome
    tally: Tally

    def read(self, reading: Reading) -> Figure | None:
        """A figure; None where nothing is known of it."""
        return self.outcome.read(reading) if reading.how == "outcome" else self.tally.read(reading)

    def to_json(self) -> dict[str, Any]:
        names = "game", "players", "options", "bot", "seconds", "seed"
        return {
            "table": {name: getattr(self.table, name) for name in names},
            "looked_at": self.looked_at,
            "outcome": self.outcome.to_json(),
            "tally": self.tally.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Measured":
        return cls(
            check_table(**data["table"]),
            data["looked_at"],
            Outcome.from_json(data["outcome"]),
            Tally.from_json(data["tally"]),
        )


def measure(
    table: TableSpec,
    games: int,
    simulated: int = 0,
    processes: Workers | int | None = None,
    report: Callable[[int], None] = lambda _: None,
) -> Measured:
    """Play games and look at each. For random play the results are those of `simulated` games, if that is more. `processes` are open
    workers, or how many processes to start for this (None: one for each core). `report` is told how many more games have been looked at."""
    tally, ends = Tally(), []
    with hired(processes) as workers:
        for some, results in workers.in_order(_look, ranges(table, games), prepare=prepare):
            tally.merge(some)
            ends += results
            report(len(results))
    return Measured(table, games, _results(table, ends, simulated), tally)


def besides(table: TableSpec, workers: Workers) -> list[Card]:
    """What can be told of a table without playing."""
    found = find_game(table.game).report.besides(table.start())
    return list(found.cards(list(workers.in_order(found.work, found.parts)))) if found else []


_End = tuple[list[int], list[bool], int]  # scores, who won, how many events


def _look(some: GameRange) -> tuple[Tally, list[_End]]:
    """Play some games and look at them: what a worker does."""
    look, tally, ends = find_game(some.table.game).report.look, Tally(), []
    for number in some.numbers:
        game, notes = course(some.table, number), Notes()
        look(game, notes)
        tally.add(notes)
        end = game[-1].after
        won = end.winners
        ends.append((end.scores, [seat in won for seat in range(end.players)], len(game)))
    return tally, ends


def _results(table: TableSpec, ends: list[_End], simulated: int) -> Outcome:
    if table.at_random and simulated > len(ends):
        found = simulate(table.game, table.players, simulated, table.seed, **table.options)
        return outcome(found.scores, found.winners, found.lengths)
    scores, winners, lengths = zip(*ends, strict=True)
    return outcome(np.array(scores), np.array(winners), np.array(lengths))
