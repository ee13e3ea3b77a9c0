"""Aggregate counts of many random games; memory does not grow with their number.

All counts are integers. So a summary is exact, identical on a core, a GPU and a Ray cluster, and
summaries can be added.
"""

import math
import operator
from dataclasses import dataclass, fields, replace
from functools import reduce
from typing import Any

import numpy as np

from souk.kernel.batch_play import Results
from souk.lab.simulate.job import Chunk, OnProgress, SimulationJob, check_simulation, run_job
from souk.lab.simulate.simulate import play_chunk
from souk.lab.statistics import Figure, Spread, independent_share, mean_figure

Counts = np.ndarray[Any, np.dtype[np.int64]]

# scores counted individually; lower and higher ones share the first and last bin
SCORES = range(-64, 512)
# game lengths counted individually; longer games share the last bin
LENGTHS = range(2048)
# games per chunk: a second or two
_CHUNK = {"cpu": 1 << 17, "cuda": 1 << 25, "python": 1 << 8}


@dataclass(frozen=True, eq=False, repr=False)
class Summary:
    """Aggregate counts of many games."""

    game: str
    players: int
    games: int
    # playing time without compiling
    seconds: float
    # Games by bit set of winners: index 0b101 counts games shared by seats 0 and 2.
    winners: Counts
    # Games by seat and score bin: below SCORES, each score, above.
    scores: Counts
    # Games by number of events: each of LENGTHS, and longer.
    lengths: Counts
    # by seat
    score_sums: Counts
    score_squares: Counts
    # moves and chance outcomes of all games
    events: int
    event_squares: int
    shortest: int
    longest: int

    @property
    def wins(self) -> Counts:
        """Games won by each seat, alone or shared."""
        return self._by_seat(np.ones(len(self.winners), bool))

    @property
    def solo_wins(self) -> Counts:
        """Games won by each seat alone."""
        return self._by_seat(_sizes(len(self.winners)) == 1)

    @property
    def shared(self) -> int:
        """Games won by several seats together."""
        return int(self.winners[_sizes(len(self.winners)) > 1].sum())

    def _by_seat(self, counted: Any) -> Counts:
        sets = np.arange(len(self.winners))
        counts = [
            self.winners[(sets >> seat & 1 == 1) & counted].sum() for seat in range(self.players)
        ]
        return np.array(counts, np.int64)

    def score(self, seat: int) -> tuple[float, float]:
        """A seat's mean score and its standard deviation."""
        return _mean_and_spread(
            self.games, int(self.score_sums[seat]), int(self.score_squares[seat])
        )

    @property
    def length(self) -> tuple[float, float]:
        """The mean number of events and its standard deviation."""
        return _mean_and_spread(self.games, self.events, self.event_squares)

    # ------------------------------------------------------------ with intervals

    def win_share(self, seat: int) -> Figure:
        """The share of games a seat won, alone or shared."""
        return independent_share(int(self.wins[seat]) / self.games, self.games)

    def mean_score(self, seat: int) -> Figure:
        return self._mean(self.score(seat))

    @property
    def mean_length(self) -> Figure:
        return self._mean(self.length)

    def _mean(self, mean_and_deviation: tuple[float, float]) -> Figure:
        mean, deviation = mean_and_deviation
        return mean_figure(Spread(mean, deviation / math.sqrt(self.games), self.games, self.games))

    def __add__(self, other: "Summary") -> "Summary":
        """The summary of both; they must be of different games of one table."""
        if (self.game, self.players) != (other.game, other.players):
            raise ValueError(
                f"{self.game} for {self.players} and {other.game} for {other.players} do not add up"
            )
        not_summed = "game", "players", "shortest", "longest"
        summed = [field.name for field in fields(self) if field.name not in not_summed]
        return replace(
            self,
            **{name: getattr(self, name) + getattr(other, name) for name in summed},
            shortest=min(self.shortest, other.shortest),
            longest=max(self.longest, other.longest),
        )


def _sizes(sets: int) -> np.ndarray[Any, np.dtype[np.uint8]]:
    """The number of seats in each bit set."""
    return np.bitwise_count(np.arange(sets, dtype=np.uint64))


def _mean_and_spread(n: int, total: int, squares: int) -> tuple[float, float]:
    """Mean and standard deviation from integer sums; floats would lose digits of large squares."""
    return total / n, math.sqrt((n * squares - total * total) / (n * (n - 1))) if n > 1 else 0.0


def summarize(game: str, players: int, results: Results) -> Summary:
    """Summarise games given as arrays."""
    scores, lengths = results.scores.astype(np.int64), results.lengths.astype(np.int64)
    bins = np.clip(scores - SCORES.start, -1, len(SCORES)) + 1
    return Summary(
        game,
        players,
        len(lengths),
        0.0,
        np.bincount(results.winners, minlength=1 << players),
        np.stack(
            [np.bincount(bins[:, seat], minlength=len(SCORES) + 2) for seat in range(players)]
        ),
        np.bincount(np.minimum(lengths, len(LENGTHS)), minlength=len(LENGTHS) + 1),
        scores.sum(axis=0),
        (scores * scores).sum(axis=0),
        int(lengths.sum()),
        int((lengths * lengths).sum()),
        int(lengths.min()),
        int(lengths.max()),
    )


def census(
    game: str,
    players: int | None = None,
    games: int = 100_000,
    seed: int = 0,
    threads: int | None = None,
    **options: Any,
) -> Summary:
    """Play the games of `souk.simulate` with the same arguments and summarise them."""
    report = options.pop("report", lambda _: None)
    return run_census(check_simulation(game, players, games, seed, threads, **options), report)


def run_census(job: SimulationJob, report: OnProgress = lambda _: None) -> Summary:
    """Play the games of a job and summarise them."""
    results = run_job(job, _count_chunk, _CHUNK[job.target], report)
    return reduce(
        operator.add, (replace(summary, seconds=seconds) for _, summary, seconds in results)
    )


def _count_chunk(chunk: Chunk, report: OnProgress = lambda _: None) -> tuple[Summary, float]:
    """The summary of a chunk and its playing time."""
    if chunk.target == "cuda":
        from souk.lab.simulate.summary_cuda import count_games

        summary = count_games(chunk.start, chunk.games, chunk.table.seed, chunk.first)
        report(chunk.games)
        return summary, summary.seconds
    results, seconds = play_chunk(chunk, report)
    return summarize(chunk.table.game, chunk.table.players, results), seconds
