"""The sums of many random games, and not the games: a billion of them need no more room than a thousand.

All is counted in whole numbers. So a census is exact, the same on a core, a GPU and a Ray cluster, and two censuses can be added.
"""

import math
import operator
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any

import numpy as np

from souk.kernel.batches import Results
from souk.lab.simulate.order import Listener, Order, Part, carry_out, check_order
from souk.lab.simulate.simulate import play_part
from souk.lab.statistics import Figure, Spread, independent_share, mean_figure

Counts = np.ndarray[Any, np.dtype[np.int64]]

SCORES = range(-64, 512)  # scores with a count of their own; lower and higher ones share the first and the last
LENGTHS = range(2048)  # the same for lengths, of which only the longer ones share one
_PART = {"cpu": 1 << 17, "cuda": 1 << 25, "python": 1 << 8}  # games at a time: a second or two


@dataclass(frozen=True, eq=False, repr=False)
class Census:
    """What came of many games, counted."""

    game: str
    players: int
    games: int
    seconds: float  # playing only, without compiling
    winners: Counts  # games by the bit set of the seats that won: at 0b101 those that seats 0 and 2 shared
    scores: Counts  # games by seat and score: those below SCORES, those with each score, those above
    lengths: Counts  # games by number of events: one count for each of LENGTHS, and one for all longer games
    score_sums: Counts  # by seat
    score_squares: Counts
    events: int  # moves and chance outcomes of all games together
    event_squares: int
    shortest: int
    longest: int

    @property
    def wins(self) -> Counts:
        """Games each seat has won, alone or with others."""
        return self._by_seat(np.ones(len(self.winners), bool))

    @property
    def solo_wins(self) -> Counts:
        """Games each seat has won alone."""
        return self._by_seat(_sizes(len(self.winners)) == 1)

    @property
    def shared(self) -> int:
        """Games that several seats have won together."""
        return int(self.winners[_sizes(len(self.winners)) > 1].sum())

    def _by_seat(self, counted: Any) -> Counts:
        sets = np.arange(len(self.winners))
        found = [self.winners[(sets >> seat & 1 == 1) & counted].sum() for seat in range(self.players)]
        return np.array(found, np.int64)

    def score(self, seat: int) -> tuple[float, float]:
        """A seat's mean score and the standard deviation from game to game."""
        return _mean_and_spread(self.games, int(self.score_sums[seat]), int(self.score_squares[seat]))

    @property
    def length(self) -> tuple[float, float]:
        """The mean number of events and its standard deviation."""
        return _mean_and_spread(self.games, self.events, self.event_squares)

    # ------------------------------------------------------------ with intervals

    def win_share(self, seat: int) -> Figure:
        """How many of the games a seat has won, alone or with others."""
        return independent_share(int(self.wins[seat]) / self.games, self.games)

    def mean_score(self, seat: int) -> Figure:
        return self._mean(self.score(seat))

    @property
    def mean_length(self) -> Figure:
        return self._mean(self.length)

    def _mean(self, mean_and_deviation: tuple[float, float]) -> Figure:
        mean, deviation = mean_and_deviation
        return mean_figure(Spread(mean, deviation / math.sqrt(self.games), self.games, self.games))

    def __add__(self, other: "Census") -> "Census":
        """The census of both, one after the other; they must be of different games of one table."""
        if (self.game, self.players) != (other.game, other.players):
            raise ValueError(f"{self.game} for {self.players} and {other.game} for {other.players} do not add up")
        apart = "game", "players", "shortest", "longest"
        summed = [each.name for each in fields(self) if each.name not in apart]
        return replace(
            self,
            **{name: getattr(self, name) + getattr(other, name) for name in summed},
            shortest=min(self.shortest, other.shortest),
            longest=max(self.longest, other.longest),
        )


def _sizes(sets: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """How many seats each bit set holds."""
    return np.bitwise_count(np.arange(sets, dtype=np.uint64))


def _mean_and_spread(n: int, total: int, squares: int) -> tuple[float, float]:
    """From sums, in whole numbers as long as that can be: a billion squares would lose digits."""
    return total / n, math.sqrt((n * squares - total * total) / (n * (n - 1))) if n > 1 else 0.0


def census_of(game: str, players: int, results: Results) -> Census:
    """Count games that are there as arrays."""
    scores, lengths = results.scores.astype(np.int64), results.lengths.astype(np.int64)
    bins = np.clip(scores - SCORES.start, -1, len(SCORES)) + 1
    return Census(
        game,
        players,
        len(lengths),
        0.0,
        np.bincount(results.winners, minlength=1 << players),
        np.stack([np.bincount(bins[:, seat], minlength=len(SCORES) + 2) for seat in range(players)]),
        np.bincount(np.minimum(lengths, len(LENGTHS)), minlength=len(LENGTHS) + 1),
        scores.sum(axis=0),
        (scores * scores).sum(axis=0),
        int(lengths.sum()),
        int((lengths * lengths).sum()),
        int(lengths.min()),
        int(lengths.max()),
    )


def census(
    game: str, players: int | None = None, games: int = 100_000, seed: int = 0, threads: int | None = None, **more: Any
) -> Census:
    """Play the games that `souk.simulate` plays with the same arguments, and count what came of them."""
    report = more.pop("report", lambda _: None)
    return take_census(check_order(game, players, games, seed, threads, **more), report)


def take_census(order: Order, report: Listener = lambda _: None) -> Census:
    """Play the games of an order, and count what came of them."""
    every = carry_out(order, _count_part, _PART[order.target], report)
    return reduce(operator.add, (replace(found, seconds=seconds) for _, found, seconds in every))


def _count_part(part: Part, report: Listener = lambda _: None) -> tuple[Census, float]:
    """The census of some games, which are played at once, and the seconds they took."""
    if part.target == "cuda":
        from souk.lab.simulate.census_cuda import count_games

        found = count_games(part.start, part.games, part.table.seed, part.first)
        report(part.games)
        return found, found.seconds
    results, seconds = play_part(part, report)
    return census_of(part.table.game, part.table.players, results), seconds
