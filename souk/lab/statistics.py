"""Figures with their 95 % intervals: means and shares.

Cases that hang together make a cluster: the games of a deal share their dice, and so do the events of one game. Clusters are
independent of each other, so an interval is taken over them: the sum of a figure over a cluster is one observation.

Nothing but the standard library and NumPy is needed. SciPy would bring one function that is missing there, the quantile of t, and
whoever plays a tournament would have to install it.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from souk.kernel.state import Array

_Z = 1.959964  # 95 %
_P = 0.975
_MOST_ALIKE = (
    1e12  # independent cases that a figure may count for: one that never strays would count for endlessly many
)


class Figure(NamedTuple):
    """A mean or a share with its 95 % interval, which is endless where one cluster alone cannot tell; of how many cases, in how many
    clusters."""

    value: float
    low: float
    high: float
    cases: int
    clusters: int

    @property
    def half(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2

    def less(self, amount: float) -> "Figure":
        """By how much it is more than an amount."""
        return self._replace(value=self.value - amount, low=self.low - amount, high=self.high - amount)

    def within(self, low: float, high: float) -> "Figure":
        """With an interval that does not leave what can be."""
        return self._replace(low=max(low, self.low), high=min(high, self.high))


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


def wilson(share: float, cases: float, reach: float = _Z) -> tuple[float, float]:
    """Wilson's interval of a share of independent cases. It never leaves 0 to 1, and what happened always, or never, does not become
    certain by that."""
    pull, spread = reach**2 / cases, share * (1 - share)
    middle = (share + pull / 2) / (1 + pull)
    half = math.sqrt(spread * pull + pull * pull / 4) / (1 + pull)
    return max(0.0, middle - half), min(1.0, middle + half)


def independent_share(share: float, cases: int) -> Figure:
    """A share of independent cases. Where it is a mean of parts, as with shared wins, the interval is a little wider than need be."""
    return Figure(share, *wilson(share, cases), cases, cases)


# ---------------------------------------------------------------- over clusters


class Spread(NamedTuple):
    """A mean with its standard error, which is endless where there is one cluster; of how many cases, in how many clusters."""

    mean: float
    error: float
    cases: int
    clusters: int


def spread_over(sums: Array, counts: Array) -> Spread:
    """The mean of a figure, given its sum and its number of cases in each cluster. Clusters without a case tell nothing."""
    clusters, cases = int(np.count_nonzero(counts)), float(counts.sum())
    if clusters == 0:
        return Spread(math.nan, math.inf, 0, 0)
    mean = float(sums.sum()) / cases
    strays = sums - mean * counts
    return Spread(mean, _error(clusters, float((strays**2).sum()), cases), round(cases), clusters)


def spread_of_sums(sums: Sequence[float], of: Sequence[float]) -> Spread:
    """The same from running sums over clusters, where s is a cluster's sum and c its number of cases. `sums`: of s, s² and s·c; `of`: the
    number of clusters, and the sums of c and c². A million clusters take no more room than one, and running sums can be added up."""
    (s, ss, sc), (clusters, c, cc) = sums, of
    mean = s / c
    strays = max(0.0, ss - 2 * mean * sc + mean * mean * cc)
    return Spread(mean, _error(int(clusters), strays, c), int(c), int(clusters))


def _error(clusters: int, strays: float, cases: float) -> float:
    """The standard error of a mean, given the sum of the squares by which clusters stray from it."""
    return math.sqrt(clusters / (clusters - 1) * strays) / cases if clusters > 1 else math.inf


def mean_figure(spread: Spread) -> Figure:
    mean, error, cases, clusters = spread
    if clusters < 2:
        return Figure(mean, -math.inf, math.inf, cases, clusters)
    half = t_quantile(clusters - 1) * error
    return Figure(mean, mean - half, mean + half, cases, clusters)


def share_figure(spread: Spread, expected: float = 0.0) -> Figure:
    """A share; where the spread is of what exceeds an expectation, that is added to it. The interval is Wilson's, for as many independent
    cases as would spread like the clusters do."""
    if spread.clusters == 0:
        return Figure(math.nan, 0.0, 1.0, 0, 0)
    share = min(1.0, max(0.0, spread.mean + expected))
    if spread.clusters == 1:
        return Figure(share, 0.0, 1.0, spread.cases, 1)
    variance = share * (1 - share)
    alike = min(variance / spread.error**2, _MOST_ALIKE) if spread.error > 0 and variance > 0 else spread.clusters
    return Figure(share, *wilson(share, alike, t_quantile(spread.clusters - 1)), spread.cases, spread.clusters)


def mean_over(sums: Array, counts: Array) -> Figure:
    """The mean of a figure, given its sum and its number of cases in each cluster."""
    return mean_figure(spread_over(sums, counts))


def share_over(wins: Array, even: Array, games: Array) -> Figure:
    """The share of games won, given in each cluster the wins, those expected at even strength, and the games. What clusters differ in by
    themselves (two seats in this deal, one in the next) is taken out before the spread is measured."""
    return share_figure(spread_over(wins - even, games), float(even.sum()) / max(1.0, float(games.sum())))
