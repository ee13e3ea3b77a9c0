"""Standings of a tournament: shares of wins with intervals, ratings, head to head.

The games of a deal share their dice, so every interval is computed over deals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from souk.core.skill_rating import Rating
from souk.kernel.state import Array
from souk.lab.statistics import Figure, mean_over, share_over
from souk.lab.tournament.ratings import Ratings
from souk.lab.tournament.results import GameResults


@dataclass(frozen=True)
class Standing:
    """The result of one entrant."""

    entrant: int
    name: str
    # games it played in
    games: int
    wins: float
    # share of these games
    share: Figure
    # expected share if all were equally strong
    even: float
    # score per seat
    score: Figure
    rating: Rating
    # mean
    move_seconds: float
    # seconds of its longest move
    longest: float
    moves: int
    # moves made by a fallback bot
    fallbacks: int


def standings(
    results: GameResults, names: Sequence[str], ratings: Ratings | None = None
) -> list[Standing]:
    """All entrants, by share of wins relative to an even share, then in order of entry."""
    rated = ratings or Ratings(len(names)).follow(results)
    rows = [
        _placing(results, entrant, name, rated.now[entrant]) for entrant, name in enumerate(names)
    ]
    return sorted(rows, key=lambda row: -row.share.value / row.even if row.games else math.inf)


def _placing(results: GameResults, entrant: int, name: str, rating: Rating) -> Standing:
    held = results.seats_of(entrant)
    seats = held.sum(axis=1)
    wins, even = (results.wins * held).sum(axis=1), seats / max(1, held.shape[1])
    by_deal, sat = results.by_deal, seats > 0
    games, moves = int(sat.sum()), int(results.moves[held].sum())
    return Standing(
        entrant,
        name,
        games,
        float(wins.sum()),
        share_over(by_deal(wins), by_deal(even), by_deal(sat)),
        float(even.sum()) / games if games else math.nan,
        mean_over(by_deal((results.scores * held).sum(axis=1)), by_deal(seats)),
        rating,
        float(results.seconds[held].sum()) / moves if moves else 0.0,
        float(results.longest[held].max(initial=0.0)),
        moves,
        int(results.fallbacks[held].sum()),
    )


@dataclass(frozen=True)
class HeadToHead:
    """Two entrants in the games both played in."""

    one: int
    other: int
    games: int
    # share of games in which `one` ranked ahead of `other`; ties count half
    ahead: Figure


def head_to_head(results: GameResults, entrants: int) -> dict[tuple[int, int], HeadToHead]:
    """Head-to-head results of each ordered pair that met."""
    ranks = results.ranks
    ahead = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    by_pair = {}
    for one in range(entrants):
        for other in range(entrants):
            mine, theirs = results.seats_of(one) * 1.0, results.seats_of(other) * 1.0
            pairs = mine.sum(axis=1) * theirs.sum(axis=1)
            met = pairs > 0
            if one == other or not met.any():
                continue
            share = np.einsum("gi,gij,gj->g", mine, ahead, theirs) / np.maximum(pairs, 1)
            by_deal = results.by_deal
            figure = share_over(by_deal(share), by_deal(met * 0.5), by_deal(met))
            by_pair[one, other] = HeadToHead(one, other, int(met.sum()), figure)
    return by_pair


def share_by_seat(results: GameResults, entrants: int) -> tuple[Array, Array]:
    """For each entrant and seat, wins (as fractions) and games."""
    wins, games = np.zeros((2, entrants, results.seats.shape[1]))
    for entrant in range(entrants):
        held = results.seats_of(entrant)
        wins[entrant], games[entrant] = (results.wins * held).sum(axis=0), held.sum(axis=0)
    return wins, games


def against_even(row: Standing) -> str:
    """A symbol for a share significantly above or below an even one, or neither."""
    return "▲" if row.share.low > row.even else "▼" if row.share.high < row.even else "·"
