"""What came of a tournament, in figures: shares of wins with intervals, ratings, head to head.

The games of one deal share their dice, so they are not independent of each other; deals are. Every interval here is therefore
taken over deals.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from souk.core.skill import Rating
from souk.kernel.state import Array
from souk.lab.statistics import Figure, mean_over, share_over
from souk.lab.tournament.ledger import Ledger
from souk.lab.tournament.ratings import Ratings


@dataclass(frozen=True)
class Placing:
    """How one entrant did."""

    entrant: int
    name: str
    games: int  # in which it sat
    wins: float
    share: Figure  # of the games in which it sat
    even: float  # what that share would be if all were equally strong
    score: Figure  # of a seat
    rating: Rating
    move_seconds: float  # mean
    longest: float  # seconds of its longest move
    moves: int
    fallbacks: int  # moves another had to make for it


def standings(ledger: Ledger, names: Sequence[str], ratings: Ratings | None = None) -> list[Placing]:
    """All entrants, the best first: by how their share of wins compares with an even one, then in the order they entered."""
    rated = ratings or Ratings(len(names)).follow(ledger)
    rows = [_placing(ledger, entrant, name, rated.now[entrant]) for entrant, name in enumerate(names)]
    return sorted(rows, key=lambda row: -row.share.value / row.even if row.games else math.inf)


def _placing(ledger: Ledger, entrant: int, name: str, rating: Rating) -> Placing:
    held = ledger.held_by(entrant)
    seats = held.sum(axis=1)
    wins, even = (ledger.wins * held).sum(axis=1), seats / max(1, held.shape[1])
    by_deal, sat = ledger.by_deal, seats > 0
    games, moves = int(sat.sum()), int(ledger.moves[held].sum())
    return Placing(
        entrant,
        name,
        games,
        float(wins.sum()),
        share_over(by_deal(wins), by_deal(even), by_deal(sat)),
        float(even.sum()) / games if games else math.nan,
        mean_over(by_deal((ledger.scores * held).sum(axis=1)), by_deal(seats)),
        rating,
        float(ledger.seconds[held].sum()) / moves if moves else 0.0,
        float(ledger.longest[held].max(initial=0.0)),
        moves,
        int(ledger.fallbacks[held].sum()),
    )


@dataclass(frozen=True)
class Meeting:
    """Two entrants in the games in which both sat."""

    one: int
    other: int
    games: int
    ahead: Figure  # how often `one` finished ahead of `other`; level counts half


def meetings(ledger: Ledger, entrants: int) -> dict[tuple[int, int], Meeting]:
    """Head to head, for each ordered pair that met."""
    ranks = ledger.ranks
    ahead = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    found = {}
    for one in range(entrants):
        for other in range(entrants):
            mine, theirs = ledger.held_by(one) * 1.0, ledger.held_by(other) * 1.0
            pairs = mine.sum(axis=1) * theirs.sum(axis=1)
            met = pairs > 0
            if one == other or not met.any():
                continue
            share = np.einsum("gi,gij,gj->g", mine, ahead, theirs) / np.maximum(pairs, 1)
            by_deal = ledger.by_deal
            figure = share_over(by_deal(share), by_deal(met * 0.5), by_deal(met))
            found[one, other] = Meeting(one, other, int(met.sum()), figure)
    return found


def share_by_seat(ledger: Ledger, entrants: int) -> tuple[Array, Array]:
    """For each entrant and seat, how many of the games it sat there in it won (in parts), and how many games those were."""
    wins, games = np.zeros((2, entrants, ledger.seats.shape[1]))
    for entrant in range(entrants):
        held = ledger.held_by(entrant)
        wins[entrant], games[entrant] = (ledger.wins * held).sum(axis=0), held.sum(axis=0)
    return wins, games


def against_even(row: Placing) -> str:
    """A sign for how a share compares with an even one, as far as the interval can tell: above, below, or nobody knows."""
    return "▲" if row.share.low > row.even else "▼" if row.share.high < row.even else "·"
