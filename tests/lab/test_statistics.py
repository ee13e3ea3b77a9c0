"""Intervals of shares and means, and quantiles, against known values."""

import math
from collections.abc import Iterable

import numpy as np
import pytest

from souk.lab.statistics import (
    Figure,
    independent_share,
    mean_figure,
    mean_over,
    share_figure,
    share_over,
    spread_of_sums,
    spread_over,
    t_quantile,
    wilson,
)


@pytest.mark.parametrize(
    ("freedom", "known"), [(1, 12.706), (2, 4.303), (3, 3.182), (4, 2.776), (9, 2.262), (30, 2.042)]
)
def test_t_quantiles(freedom: int, known: float) -> None:
    assert t_quantile(freedom) == pytest.approx(known, rel=0.003)


@pytest.mark.parametrize(
    ("won", "of", "low", "high"),
    [(0, 10, 0.0, 0.2775), (5, 10, 0.2366, 0.7634), (90, 100, 0.8256, 0.9448)],
)
def test_wilsons_interval(won: int, of: int, low: float, high: float) -> None:
    assert wilson(won / of, of) == pytest.approx((low, high), abs=1e-4)
    assert independent_share(won / of, of) == pytest.approx((won / of, low, high, of, of), abs=1e-4)


def test_running_sums_tell_what_all_clusters_do() -> None:
    rng = np.random.default_rng(3)
    counts = rng.integers(0, 5, 50).astype(float)
    sums = counts * rng.normal(2, 1, 50)
    some = counts > 0
    running = (
        [sums.sum(), (sums**2).sum(), (sums * counts).sum()],
        [some.sum(), counts.sum(), (counts**2).sum()],
    )
    assert spread_of_sums(*running) == pytest.approx(spread_over(sums, counts))
    assert mean_figure(spread_of_sums(*running)) == pytest.approx(mean_over(sums, counts))


def test_clusters_of_one_case_are_independent_cases() -> None:
    """Up to the wider quantile of few clusters."""
    won = np.repeat([1.0, 0.0], [300, 700])
    clustered = share_figure(spread_over(won, np.ones(1000)))
    assert clustered == pytest.approx(independent_share(0.3, 1000), rel=0.002)


def test_what_hangs_together_tells_less() -> None:
    """A hundred games in tens that end alike count for about ten."""
    tens = share_figure(spread_over(np.repeat([10.0, 0.0], 5), np.full(10, 10.0)))
    single = share_figure(spread_over(np.repeat([1.0, 0.0], 50), np.ones(100)))
    assert tens.value == single.value == 0.5
    assert tens.half > 2.5 * single.half
    assert (tens.cases, tens.clusters) == (100, 10)


def test_nothing_and_a_single_cluster() -> None:
    nothing = mean_over(np.zeros(0), np.zeros(0))
    assert math.isnan(nothing.value)
    assert nothing[1:] == (-math.inf, math.inf, 0, 0)
    assert mean_over(np.array([6.0]), np.array([3.0])) == (2.0, -math.inf, math.inf, 3, 1)
    assert share_over(np.array([2.0]), np.array([1.0]), np.array([4.0])) == (0.5, 0.0, 1.0, 4, 1)


def test_figures_moved_and_cut() -> None:
    figure = Figure(0.3, -0.1, 0.7, 9, 3)
    assert figure.half == pytest.approx(0.4)
    assert figure.minus(0.25)[:3] == pytest.approx((0.05, -0.35, 0.45))
    assert figure.within(0.0, 1.0) == (0.3, 0.0, 0.7, 9, 3)


def coverage(truth: float, figures: Iterable[Figure]) -> float:
    """The share of intervals that contain the true value."""
    found = [figure.low <= truth <= figure.high for figure in figures]
    return sum(found) / len(found)


def test_mean_intervals_cover_with_few_deals() -> None:
    rng = np.random.default_rng(1)
    intervals = (mean_over(rng.normal(2, 1, 5), np.ones(5)) for _ in range(2000))
    assert 0.935 <= coverage(2.0, intervals) <= 0.965


def test_intervals_at_the_edges() -> None:
    every = share_over(np.full(20, 4.0), np.full(20, 1.0), np.full(20, 4.0))
    assert every.value == every.high == 1
    assert 0.7 < every.low < 0.9
    single = share_over(np.array([1.0]), np.array([1.0]), np.array([4.0]))
    assert single[:3] == (0.25, 0, 1)
    assert mean_over(np.array([8.0]), np.array([4.0]))[:3] == (2, -np.inf, np.inf)
    assert np.isnan(share_over(np.zeros(3), np.zeros(3), np.zeros(3)).value)


def test_turns_with_the_second_seat_do_not_widen_the_interval() -> None:
    """One seat, then two, then one: the variance from line-ups alone does not count."""
    wins, games = np.tile([1.0, 2.0], 20), np.full(40, 3.0)
    steady = share_over(wins + np.tile([0.1, -0.1, -0.1, 0.1], 10), np.tile([1.0, 2.0], 20), games)
    assert steady.value == pytest.approx(0.5)
    assert steady.half < 0.02
