"""Means and shares with 95 % intervals.

Cases that depend on each other form a cluster: the games of a deal share their dice. Clusters are
independent, so every interval is computed over them: the sum of a figure over a cluster is one
observation.

Only NumPy is needed. SciPy would contribute one function, the t quantile, and would become a
dependency of playing tournaments.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from souk.kernel.state import Array

# two-sided 95 %
_Z = 1.959964
_P = 0.975
# Upper limit on effective independent cases: without variance it would be infinite.
_MAX_EFFECTIVE_CASES = 1e12


class Figure(NamedTuple):
    """A mean or share with its 95 % interval, number of cases and number of clusters.

    With a single cluster, the interval of a mean is unbounded.
    """

    value: float
    low: float
    high: float
    cases: int
    clusters: int

    @property
    def half(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2

    def minus(self, amount: float) -> "Figure":
        """Shift value and interval down by an amount."""
        return self._replace(
            value=self.value - amount, low=self.low - amount, high=self.high - amount
        )

    def within(self, low: float, high: float) -> "Figure":
        """Clip the interval to possible values."""
        return self._replace(low=max(low, self.low), high=min(high, self.high))


def t_quantile(freedom: int) -> float:
    """The two-sided 95 % quantile of Student's t with `freedom` degrees of freedom."""
    if freedom == 1:
        return math.tan(math.pi * (_P - 0.5))
    if freedom == 2:
        return (2 * _P - 1) / math.sqrt(2 * _P * (1 - _P))
    # Cornish–Fisher expansion about the normal quantile; exact to three digits from 3 degrees up.
    z, v = _Z, freedom
    return (
        z
        + (z**3 + z) / (4 * v)
        + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * v**2)
        + (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / (384 * v**3)
        + (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / (92160 * v**4)
    )


def wilson(share: float, cases: float, reach: float = _Z) -> tuple[float, float]:
    """The Wilson score interval of a share of independent cases.

    It stays within 0 to 1, and has a width even if something happened always or never.
    """
    shrinkage, variance = reach**2 / cases, share * (1 - share)
    center = (share + shrinkage / 2) / (1 + shrinkage)
    half = math.sqrt(variance * shrinkage + shrinkage * shrinkage / 4) / (1 + shrinkage)
    return max(0.0, center - half), min(1.0, center + half)


def independent_share(share: float, cases: int) -> Figure:
    """A share of independent cases.

    For means of fractions (shared wins), the interval is slightly wide.
    """
    return Figure(share, *wilson(share, cases), cases, cases)


# ---------------------------------------------------------------- over clusters


class Spread(NamedTuple):
    """A mean with its standard error (infinite with one cluster), cases and clusters."""

    mean: float
    error: float
    cases: int
    clusters: int


def spread_over(sums: Array, counts: Array) -> Spread:
    """The mean of a figure, from its sum and number of cases in each cluster."""
    clusters, cases = int(np.count_nonzero(counts)), float(counts.sum())
    if clusters == 0:
        return Spread(math.nan, math.inf, 0, 0)
    mean = float(sums.sum()) / cases
    deviations = sums - mean * counts
    return Spread(
        mean, _error(clusters, float((deviations**2).sum()), cases), round(cases), clusters
    )


def spread_of_sums(sums: Sequence[float], of: Sequence[float]) -> Spread:
    """The same from running sums over clusters, which can be merged and need constant memory.

    With s a cluster's sum and c its number of cases, `sums` are the sums of s, s² and s·c, and `of`
    the number of clusters and the sums of c and c².
    """
    (s, ss, sc), (clusters, c, cc) = sums, of
    mean = s / c
    squares = max(0.0, ss - 2 * mean * sc + mean * mean * cc)
    return Spread(mean, _error(int(clusters), squares, c), int(c), int(clusters))


def _error(clusters: int, squares: float, cases: float) -> float:
    """The standard error of a mean, given the sum of squared deviations of the clusters."""
    return math.sqrt(clusters / (clusters - 1) * squares) / cases if clusters > 1 else math.inf


def mean_figure(spread: Spread) -> Figure:
    mean, error, cases, clusters = spread
    if clusters < 2:
        return Figure(mean, -math.inf, math.inf, cases, clusters)
    half = t_quantile(clusters - 1) * error
    return Figure(mean, mean - half, mean + half, cases, clusters)


def share_figure(spread: Spread, expected: float = 0.0) -> Figure:
    """A share with a Wilson interval for the effective number of independent cases.

    `expected` is added to the spread's mean, for spreads of the excess over an expectation.
    """
    if spread.clusters == 0:
        return Figure(math.nan, 0.0, 1.0, 0, 0)
    share = min(1.0, max(0.0, spread.mean + expected))
    if spread.clusters == 1:
        return Figure(share, 0.0, 1.0, spread.cases, 1)
    variance = share * (1 - share)
    effective_cases = (
        min(variance / spread.error**2, _MAX_EFFECTIVE_CASES)
        if spread.error > 0 and variance > 0
        else spread.clusters
    )
    return Figure(
        share,
        *wilson(share, effective_cases, t_quantile(spread.clusters - 1)),
        spread.cases,
        spread.clusters,
    )


def mean_over(sums: Array, counts: Array) -> Figure:
    """The mean of a figure, from its sum and number of cases in each cluster."""
    return mean_figure(spread_over(sums, counts))


def share_over(wins: Array, even: Array, games: Array) -> Figure:
    """The share of games won, from wins, expected wins at even strength, and games in each cluster.

    Subtracting the expectation removes the variance between clusters that comes from line-ups alone
    (two seats in one deal, one in the next).
    """
    return share_figure(
        spread_over(wins - even, games), float(even.sum()) / max(1.0, float(games.sum()))
    )
