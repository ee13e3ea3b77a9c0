"""What came of games, whichever game it is: wins by seat, scores, margins, length, and what going first is worth."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from souk.core.reporting import Reading
from souk.kernel.state import Array
from souk.lab.statistics import Figure, independent_share, mean_over


@dataclass(frozen=True)
class Outcome:
    """The results of many games. A win that several share counts in parts, so that the shares of all seats add up to 1."""

    games: int
    players: int
    wins: list[Figure]  # by seat: the share of wins
    points: list[Figure]  # by seat: the mean score
    first_share: Figure  # the first seat's share of wins, less an even share
    first_points: Figure  # the first seat's score, less the mean of the others'
    length: Figure  # moves and chance outcomes
    lengths: dict[int, int]  # how many games were that long
    scores: dict[int, int]  # how often each score was reached, all seats together
    margin: Figure  # the best score less the second best
    level: Figure  # the share of games in which two or more had the best score
    shared: Figure  # the share of games won by several
    won: Figure  # the share of games won by anybody

    @property
    def even(self) -> float:
        return 1 / self.players

    def read(self, reading: Reading) -> Figure:
        """A figure by its name; of those by seat, that of the seat."""
        found = getattr(self, reading.name)
        figure: Figure = found[int(reading.kind)] if reading.kind else found
        return figure

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Outcome":
        """What `to_json` gave, also after it has been JSON: figures are lists there, and numbers as names texts."""
        fresh = dict(data)
        for name in ("wins", "points"):
            fresh[name] = [Figure(*figure) for figure in data[name]]
        for name in ("first_share", "first_points", "length", "margin", "level", "shared", "won"):
            fresh[name] = Figure(*data[name])
        for name in ("lengths", "scores"):
            fresh[name] = {int(value): times for value, times in data[name].items()}
        return cls(**fresh)


def outcome(scores: Array, winners: Array, lengths: Array) -> Outcome:
    """The figures of games: `scores` and `winners` have a row for each game and a column for each seat."""
    games, players = scores.shape
    parts = winners / np.maximum(winners.sum(axis=1, keepdims=True), 1)
    wins = [_share(parts[:, seat]) for seat in range(players)]
    even, first = 1 / players, wins[0]
    others = scores[:, 1:].mean(axis=1) if players > 1 else np.zeros(games)
    best = np.sort(scores, axis=1)
    margins: Array = best[:, -1] - best[:, -2] if players > 1 else np.ones(games)
    return Outcome(
        games=games,
        players=players,
        wins=wins,
        points=[_mean(scores[:, seat]) for seat in range(players)],
        first_share=first.less(even),
        first_points=_mean(scores[:, 0] - others),
        length=_mean(lengths),
        lengths=_counted(lengths),
        scores=_counted(scores),
        margin=_mean(margins),
        level=_share(np.isin(margins, 0)),
        shared=_share(winners.sum(axis=1) > 1),
        won=_share(winners.any(axis=1)),
    )


def _share(values: Any) -> Figure:
    return independent_share(float(values.mean()), len(values))


def _mean(values: Array) -> Figure:
    return mean_over(values, np.ones(len(values)))


def _counted(values: Array) -> dict[int, int]:
    found, times = np.unique(values, return_counts=True)
    return dict(zip(found.tolist(), times.tolist(), strict=True))
