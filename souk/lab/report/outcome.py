"""Results of games of any kind: wins by seat, scores, margins, length, first-seat advantage."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from souk.core.report_spec import Statistic
from souk.kernel.state import Array
from souk.lab.statistics import Figure, independent_share, mean_over


@dataclass(frozen=True)
class Outcome:
    """The results of many games. Shared wins count in fractions, so that seats' shares sum to 1."""

    games: int
    players: int
    # share of wins by seat
    wins: list[Figure]
    # mean score by seat
    points: list[Figure]
    # the first seat's share of wins minus an even share
    first_share: Figure
    # the first seat's score minus the mean of the others'
    first_points: Figure
    # moves and chance outcomes
    length: Figure
    # number of games by length
    lengths: dict[int, int]
    # number of final scores by value, all seats
    scores: dict[int, int]
    # best score minus second best
    margin: Figure
    # share of games with a tie for the best score
    level: Figure
    # share of games won by several seats
    shared: Figure
    # share of games won by anybody
    won: Figure

    @property
    def even(self) -> float:
        return 1 / self.players

    def read(self, statistic: Statistic) -> Figure:
        """A figure by name, and by seat if it has one."""
        value = getattr(self, statistic.name)
        figure: Figure = value[int(statistic.kind)] if statistic.kind else value
        return figure

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> "Outcome":
        """Rebuild the result of `to_json`, from Python objects or parsed JSON."""
        fields = dict(data)
        for name in ("wins", "points"):
            fields[name] = [Figure(*figure) for figure in data[name]]
        for name in ("first_share", "first_points", "length", "margin", "level", "shared", "won"):
            fields[name] = Figure(*data[name])
        for name in ("lengths", "scores"):
            fields[name] = {int(value): times for value, times in data[name].items()}
        return cls(**fields)


def outcome(scores: Array, winners: Array, lengths: Array) -> Outcome:
    """The results of games; `scores` and `winners` have a row per game and a column per seat."""
    games, players = scores.shape
    fractions = winners / np.maximum(winners.sum(axis=1, keepdims=True), 1)
    wins = [_share(fractions[:, seat]) for seat in range(players)]
    even, first = 1 / players, wins[0]
    others = scores[:, 1:].mean(axis=1) if players > 1 else np.zeros(games)
    best = np.sort(scores, axis=1)
    margins: Array = best[:, -1] - best[:, -2] if players > 1 else np.ones(games)
    return Outcome(
        games=games,
        players=players,
        wins=wins,
        points=[_mean(scores[:, seat]) for seat in range(players)],
        first_share=first.minus(even),
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
    distinct, counts = np.unique(values, return_counts=True)
    return dict(zip(distinct.tolist(), counts.tolist(), strict=True))
