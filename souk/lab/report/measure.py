"""Measures a kind of play at a table: results of games, and statistics of their events."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from souk.core.report_spec import Card, Notes, Statistic
from souk.games import game as find_game
from souk.lab.report.accumulator import Accumulator
from souk.lab.report.outcome import Outcome, outcome
from souk.lab.report.sampling import GameRange, course, prepare, ranges
from souk.lab.simulate.simulate import simulate
from souk.lab.statistics import Figure
from souk.lab.table_spec import TableSpec, check_table
from souk.lab.workers import Workers, open_workers


@dataclass(frozen=True)
class Measurement:
    """A kind of play at a table. Random play has far more results than games examined."""

    table: TableSpec
    # number of games examined move by move
    looked_at: int
    outcome: Outcome
    tally: Accumulator

    def read(self, statistic: Statistic) -> Figure | None:
        """Evaluate a statistic; None without data."""
        return (
            self.outcome.read(statistic)
            if statistic.how == "outcome"
            else self.tally.read(statistic)
        )

    def to_json(self) -> dict[str, Any]:
        names = "game", "players", "options", "bot", "seconds", "seed"
        return {
            "table": {name: getattr(self.table, name) for name in names},
            "looked_at": self.looked_at,
            "outcome": self.outcome.to_json(),
            "tally": self.tally.to_json(),
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Measurement":
        return cls(
            check_table(**data["table"]),
            data["looked_at"],
            Outcome.from_json(data["outcome"]),
            Accumulator.from_json(data["tally"]),
        )


def measure(
    table: TableSpec,
    games: int,
    simulated: int = 0,
    processes: Workers | int | None = None,
    report: Callable[[int], None] = lambda _: None,
) -> Measurement:
    """Play games and examine each.

    For random play the results are those of `simulated` games, if that is more. `processes` are
    open workers or a number of processes (None: one per core). `report` is called with the number
    of games examined since the last call.
    """
    total, ends = Accumulator(), []
    with open_workers(processes) as workers:
        for accumulator, results in workers.in_order(_look, ranges(table, games), prepare=prepare):
            total.merge(accumulator)
            ends += results
            report(len(results))
    return Measurement(table, games, _results(table, ends, simulated), total)


def extra_cards(table: TableSpec, workers: Workers) -> list[Card]:
    """Cards that need no playing."""
    extra = find_game(table.game).report.besides(table.start())
    return list(extra.cards(list(workers.in_order(extra.work, extra.parts)))) if extra else []


# scores, winners, number of events
_End = tuple[list[int], list[bool], int]


def _look(games: GameRange) -> tuple[Accumulator, list[_End]]:
    """Play and examine some games; runs in a worker."""
    look, accumulator, ends = find_game(games.table.game).report.look, Accumulator(), []
    for number in games.numbers:
        game, notes = course(games.table, number), Notes()
        look(game, notes)
        accumulator.add(notes)
        end = game[-1].after
        won = end.winners
        ends.append((end.scores, [seat in won for seat in range(end.players)], len(game)))
    return accumulator, ends


def _results(table: TableSpec, ends: list[_End], simulated: int) -> Outcome:
    if table.is_random and simulated > len(ends):
        simulation = simulate(table.game, table.players, simulated, table.seed, **table.options)
        return outcome(simulation.scores, simulation.winners, simulation.lengths)
    scores, winners, lengths = zip(*ends, strict=True)
    return outcome(np.array(scores), np.array(winners), np.array(lengths))
