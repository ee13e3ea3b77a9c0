"""What came of a tournament, in figures: shares of wins with intervals, ratings, head to head.

The games of one deal share their dice, so they are not independent of each other; deals are. Every interval here is therefore
taken over deals: the sum of a figure over a deal's games is one observation.
"""

import csv
import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]

_Z = 1.959964  # 95 %
_P = 0.975
_GAME_COLUMNS = [
    "game",
    "deal",
    "seat",
    "entrant",
    "score",
    "win",
    "rank",
    "moves",
    "seconds",
    "longest_move",
    "fallbacks",
]
_STANDING_COLUMNS = [
    "place",
    "entrant",
    "games",
    "wins",
    "share",
    "share_low",
    "share_high",
    "even_share",
    "score",
    "score_low",
    "score_high",
    "rating",
    "rating_sigma",
    "ms_per_move",
    "longest_ms",
    "moves",
    "fallbacks",
]


@dataclass(frozen=True)
class Results:
    """Games as arrays, in the order of their numbers: a row for each game, a column for each seat."""

    games: Array  # each game's number
    deals: Array  # each game's deal
    seats: Array  # which entrant sat there
    scores: Array
    won: Array  # whether the seat won, alone or with others
    moves: Array  # how many the seat made
    seconds: Array  # that the seat thought
    longest: Array  # seconds of the seat's longest move
    fallbacks: Array  # moves that another had to make for the entrant

    @cached_property
    def wins(self) -> Array:
        """The seat's part of the win: one, or less where it is shared."""
        parts: Array = self.won / np.maximum(self.won.sum(axis=1, keepdims=True), 1)
        return parts

    @cached_property
    def ranks(self) -> Array:
        """The seat's rank in its game, from 1: winners first, then by score; equals share the better rank."""
        mine, theirs = (self.won[:, :, None], self.scores[:, :, None]), (self.won[:, None, :], self.scores[:, None, :])
        beaten = (theirs[0] > mine[0]) | ((theirs[0] == mine[0]) & (theirs[1] > mine[1]))
        ranks: Array = 1 + beaten.sum(axis=2)
        return ranks

    def first(self, games: int) -> "Results":
        """Only so many games."""
        return Results(**{field.name: getattr(self, field.name)[:games] for field in fields(self)})

    def without_gaps(self) -> "Results":
        """The games up to the first that is missing: their order will not change any more."""
        return self.first(int((self.games == np.arange(len(self.games))).sum()))

    def held_by(self, entrant: int) -> Array:
        """Which seats an entrant sat in."""
        held: Array = self.seats == entrant
        return held

    def by_deal(self, values: Array) -> Array:
        """The sums, over each deal, of a figure that each game has."""
        _, deal = np.unique(self.deals, return_inverse=True)
        return np.bincount(deal, weights=values)


class Estimate(NamedTuple):
    """A figure with its 95 % interval, which is endless where one deal alone cannot tell."""

    value: float
    low: float
    high: float

    @property
    def half(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


# ---------------------------------------------------------------- intervals


def t_quantile(freedom: int) -> float:
    """How many standard errors a 95 % interval reaches to each side, with so many degrees of freedom."""
    if freedom == 1:
        return math.tan(math.pi * (_P - 0.5))
    if freedom == 2:
        return (2 * _P - 1) / math.sqrt(2 * _P * (1 - _P))
    # Cornish and Fisher's expansion about the normal quantile: right to three digits from 3 degrees on.
    z, v = _Z, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


def mean_by_deals(sums: Array, counts: Array) -> tuple[float, float, int]:
    """The mean of a figure, given its sum and its count in each deal; its standard error; and how many deals tell of it."""
    deals, total = int(np.count_nonzero(counts)), float(counts.sum())
    if deals == 0:
        return math.nan, math.inf, 0
    mean = float(sums.sum()) / total
    if deals == 1:
        return mean, math.inf, 1
    strays = sums - mean * counts
    return mean, math.sqrt(deals / (deals - 1) * float((strays**2).sum())) / total, deals


def mean_estimate(sums: Array, counts: Array) -> Estimate:
    """The mean of a figure with its interval, given its sum and its count in each deal."""
    mean, error, deals = mean_by_deals(sums, counts)
    if deals < 2:
        return Estimate(mean, -math.inf, math.inf)
    half = t_quantile(deals - 1) * error
    return Estimate(mean, mean - half, mean + half)


def share_estimate(wins: Array, even: Array, games: Array) -> Estimate:
    """The share of games won with its interval, given in each deal the wins, those expected at even strength, and the games.

    What line-ups differ in by themselves (two seats in this deal, one in the next) is taken out before the spread is measured.
    The interval is Wilson's, for as many independent games as would spread like that: it never leaves 0 to 1, and winning
    every game does not make it vanish.
    """
    excess, error, deals = mean_by_deals(wins - even, games)
    if deals == 0:
        return Estimate(math.nan, 0.0, 1.0)
    share = min(1.0, max(0.0, excess + float(even.sum()) / float(games.sum())))
    if deals == 1:
        return Estimate(share, 0.0, 1.0)
    spread = share * (1 - share)
    alike = min(spread / error**2, 1e12) if error > 0 and spread > 0 else float(deals)
    pull = t_quantile(deals - 1) ** 2 / alike
    middle = (share + pull / 2) / (1 + pull)
    half = math.sqrt(spread * pull + pull * pull / 4) / (1 + pull)
    return Estimate(share, max(0.0, middle - half), min(1.0, middle + half))


# ---------------------------------------------------------------- ratings


class Rating(NamedTuple):
    """A strength as openskill sees it, and how unsure it is: about 95 % within two `sigma`."""

    mu: float
    sigma: float


class Ratings:
    """Ratings of all entrants (openskill's Plackett-Luce model), game by game. The order of the games matters a little, so
    they are always taken in the order of their numbers."""

    def __init__(self, entrants: int) -> None:
        from openskill.models import PlackettLuce  # not before it is needed

        self._model = PlackettLuce()
        start = self._model.rating()
        self.now = [Rating(start.mu, start.sigma)] * entrants
        self.history = [self.now]  # at the start, then after each game

    def follow(self, results: Results) -> "Ratings":
        """Take in the games that have not been rated yet."""
        for seats, ranks in zip(
            results.seats[len(self.history) - 1 :], results.ranks[len(self.history) - 1 :], strict=True
        ):
            self._rate(seats.tolist(), ranks.tolist())
        return self

    def _rate(self, seats: Sequence[int], ranks: Sequence[int]) -> None:
        """One game. An entrant with several seats plays each of them with its rating, and takes the mean of what becomes of it."""
        teams = [[self._model.rating(mu=self.now[entrant].mu, sigma=self.now[entrant].sigma)] for entrant in seats]
        rated = self._model.rate(teams, ranks=list(map(float, ranks)))
        found: dict[int, list[Rating]] = {}
        for entrant, (team,) in zip(seats, rated, strict=True):
            found.setdefault(entrant, []).append(Rating(team.mu, team.sigma))
        self.now = list(self.now)
        for entrant, seen in found.items():
            self.now[entrant] = Rating(*(sum(values) / len(seen) for values in zip(*seen, strict=True)))
        self.history.append(self.now)


# ---------------------------------------------------------------- standings


@dataclass(frozen=True)
class Standing:
    """How one entrant did."""

    entrant: int
    name: str
    games: int  # in which it sat
    wins: float
    share: Estimate  # of the games in which it sat
    even: float  # what that share would be if all were equally strong
    score: Estimate  # of a seat
    rating: Rating
    move_seconds: float  # mean
    longest: float  # seconds of its longest move
    moves: int
    fallbacks: int  # moves another had to make for it


def standings(results: Results, names: Sequence[str], ratings: Ratings | None = None) -> list[Standing]:
    """All entrants, the best first: by how their share of wins compares with an even one, then in the order they entered."""
    rated = ratings or Ratings(len(names)).follow(results)
    rows = [_standing(results, entrant, name, rated.now[entrant]) for entrant, name in enumerate(names)]
    return sorted(rows, key=lambda row: -row.share.value / row.even if row.games else math.inf)


def _standing(results: Results, entrant: int, name: str, rating: Rating) -> Standing:
    held = results.held_by(entrant)
    seats = held.sum(axis=1)
    wins, even = (results.wins * held).sum(axis=1), seats / max(1, held.shape[1])
    by_deal, sat = results.by_deal, seats > 0
    games, moves = int(sat.sum()), int(results.moves[held].sum())
    return Standing(
        entrant,
        name,
        games,
        float(wins.sum()),
        share_estimate(by_deal(wins), by_deal(even), by_deal(sat)),
        float(even.sum()) / games if games else math.nan,
        mean_estimate(by_deal((results.scores * held).sum(axis=1)), by_deal(seats)),
        rating,
        float(results.seconds[held].sum()) / moves if moves else 0.0,
        float(results.longest[held].max(initial=0.0)),
        moves,
        int(results.fallbacks[held].sum()),
    )


@dataclass(frozen=True)
class Meeting:
    """Two entrants in the games in which both sat."""

    one: int
    other: int
    games: int
    ahead: Estimate  # how often `one` finished ahead of `other`; level counts half


def meetings(results: Results, entrants: int) -> dict[tuple[int, int], Meeting]:
    """Head to head, for each ordered pair that met."""
    ranks = results.ranks
    ahead = (ranks[:, :, None] < ranks[:, None, :]) + 0.5 * (ranks[:, :, None] == ranks[:, None, :])
    found = {}
    for one in range(entrants):
        for other in range(entrants):
            mine, theirs = results.held_by(one) * 1.0, results.held_by(other) * 1.0
            pairs = mine.sum(axis=1) * theirs.sum(axis=1)
            met = pairs > 0
            if one == other or not met.any():
                continue
            share = np.einsum("gi,gij,gj->g", mine, ahead, theirs) / np.maximum(pairs, 1)
            by_deal = results.by_deal
            estimate = share_estimate(by_deal(share), by_deal(met * 0.5), by_deal(met))
            found[one, other] = Meeting(one, other, int(met.sum()), estimate)
    return found


def share_by_seat(results: Results, entrants: int) -> tuple[Array, Array]:
    """For each entrant and seat, how many of the games it sat there in it won (in parts), and how many games those were."""
    wins, games = np.zeros((2, entrants, results.seats.shape[1]))
    for entrant in range(entrants):
        held = results.held_by(entrant)
        wins[entrant], games[entrant] = (results.wins * held).sum(axis=0), held.sum(axis=0)
    return wins, games


# ---------------------------------------------------------------- in words


def percent(share: float) -> str:
    return f"{100 * share:.1f} %"


def duration(seconds: float) -> str:
    """A time with two digits that matter."""
    value, unit = (
        (seconds, "s") if seconds >= 1 else (1000 * seconds, "ms") if seconds >= 0.001 else (1e6 * seconds, "µs")
    )
    return f"{value:.0f} {unit}" if value >= 9.95 else f"{value:.2g} {unit}"


def against_even(row: Standing) -> str:
    """A sign for how a share compares with an even one, as far as the interval can tell: above, below, or nobody knows."""
    return "▲" if row.share.low > row.even else "▼" if row.share.high < row.even else "·"


# ---------------------------------------------------------------- as files


def write_games(path: Path, results: Results, names: Sequence[str]) -> None:
    """A row for every game and seat."""
    columns = ("scores", "wins", "ranks", "moves", "seconds", "longest", "fallbacks")
    tables = [getattr(results, column).tolist() for column in columns]
    with path.open("w", newline="", encoding="utf-8") as file:
        rows = csv.writer(file)
        rows.writerow(_GAME_COLUMNS)
        for row, (game, deal) in enumerate(zip(results.games.tolist(), results.deals.tolist(), strict=True)):
            for seat, entrant in enumerate(results.seats[row].tolist()):
                rows.writerow([game, deal, seat, names[entrant], *(table[row][seat] for table in tables)])


def write_standings(path: Path, rows: Sequence[Standing]) -> None:
    """A row for every entrant, the best first."""
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.writer(file)
        table.writerow(_STANDING_COLUMNS)
        for place, row in enumerate(rows, 1):
            share, score = (["" if math.isinf(figure) else figure for figure in e] for e in (row.share, row.score))
            figures = [place, row.name, row.games, row.wins, *share, row.even, *score, *row.rating]
            table.writerow([*figures, 1000 * row.move_seconds, 1000 * row.longest, row.moves, row.fallbacks])
