"""Counting what happens in games: means and shares, each with a 95 % interval.

What happens within one game hangs together; games do not. Every interval is therefore taken over games: the sum of a figure in a
game is one observation. Only running sums are kept, so a million games take no more room than one, and tallies of different
processes are added up.
"""

import math
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from souk.lab.simulate.summary import share_interval
from souk.lab.tournament.standings import t_quantile

_YES, _NO = "yes", "no"


class Figure(NamedTuple):
    """A mean or a share with its 95 % interval, which is endless where one game alone cannot tell; of how many cases, in how many
    games in which there was one."""

    value: float
    low: float
    high: float
    cases: int
    games: int

    @property
    def half(self) -> float:
        """Half the interval's width."""
        return (self.high - self.low) / 2


class Notes:
    """What one game was like: `mean` notes a number, `share` of what kind something was, `chance` whether it came to something."""

    def __init__(self) -> None:
        self.means: dict[str, tuple[float, int]] = {}  # by name: the sum, and of how many
        self.shares: dict[str, dict[str, int]] = {}  # by name: how often each kind

    def mean(self, name: str, value: float, of: int = 1) -> None:
        """A number; or, with `of`, the sum of so many."""
        total, cases = self.means.get(name, (0.0, 0))
        self.means[name] = total + value, cases + of

    def share(self, name: str, kind: object) -> None:
        kinds = self.shares.setdefault(name, {})
        kinds[str(kind)] = kinds.get(str(kind), 0) + 1

    def chance(self, name: str, happened: object) -> None:
        self.share(name, _YES if happened else _NO)


# Sums over games, where s is a game's sum and c its number of cases: s, s², s·c; and of the cases: games, c, c².
_Sums = list[float]


def _spread(sums: _Sums, cases: _Sums) -> tuple[float, float]:
    """The mean of a figure and its standard error, which is endless where one game alone cannot tell."""
    s, ss, sc = sums
    games, c, cc = cases
    mean = s / c
    if games < 2:
        return mean, math.inf
    strays = max(0.0, ss - 2 * mean * sc + mean * mean * cc)
    return mean, math.sqrt(games / (games - 1) * strays) / c


class Tally:
    """The notes of many games, added up."""

    def __init__(self) -> None:
        self._means: dict[str, tuple[_Sums, _Sums]] = {}
        self._shares: dict[str, tuple[dict[str, _Sums], _Sums]] = {}

    def add(self, notes: Notes) -> None:
        """Take in a game."""
        for name, (total, cases) in notes.means.items():
            sums, of = self._means.setdefault(name, ([0.0] * 3, [0.0] * 3))
            _add(sums, (total, total * total, total * cases))
            _add(of, (1, cases, cases * cases))
        for name, kinds in notes.shares.items():
            by_kind, of = self._shares.setdefault(name, ({}, [0.0] * 3))
            cases = sum(kinds.values())
            _add(of, (1, cases, cases * cases))
            for kind, times in kinds.items():
                _add(by_kind.setdefault(kind, [0.0] * 3), (times, times * times, times * cases))

    def merge(self, other: "Tally") -> None:
        """Take in another tally's games."""
        for name, (sums, of) in other._means.items():
            here = self._means.setdefault(name, ([0.0] * 3, [0.0] * 3))
            _add(here[0], sums)
            _add(here[1], of)
        for name, (kinds, of) in other._shares.items():
            by_kind, cases = self._shares.setdefault(name, ({}, [0.0] * 3))
            _add(cases, of)
            for kind, sums in kinds.items():
                _add(by_kind.setdefault(kind, [0.0] * 3), sums)

    # ------------------------------------------------------------ figures

    def mean(self, name: str) -> Figure | None:
        """The mean of what was noted under a name; None where nothing was."""
        if name not in self._means:
            return None
        sums, of = self._means[name]
        mean, error = _spread(sums, of)
        half = math.inf if math.isinf(error) else t_quantile(int(of[0]) - 1) * error
        return Figure(mean, mean - half, mean + half, int(of[1]), int(of[0]))

    def means(self, prefix: str) -> dict[str, Figure]:
        """The means of all names that begin so, by the rest of the name."""
        found = {name.removeprefix(prefix): self.mean(name) for name in self._means if name.startswith(prefix)}
        return {name: figure for name, figure in found.items() if figure is not None}

    def shares(self, name: str) -> dict[str, Figure]:
        """How often each kind was noted under a name, as shares; empty where nothing was."""
        kinds, of = self._shares.get(name, ({}, [0.0] * 3))
        return {kind: _share(sums, of) for kind, sums in kinds.items()}

    def share(self, name: str, kind: object) -> Figure | None:
        """How often a kind was noted under a name, perhaps never; None where nothing at all was noted there."""
        if name not in self._shares:
            return None
        by_kind, of = self._shares[name]
        return _share(by_kind.get(str(kind), [0.0] * 3), of)

    def chance(self, name: str) -> Figure | None:
        """How often it came to what was noted under a name."""
        return self.share(name, _YES)

    def names(self) -> list[str]:
        """All names under which something was noted."""
        return sorted({*self._means, *self._shares})

    # ------------------------------------------------------------ as JSON

    def to_json(self) -> dict[str, Any]:
        return {
            "means": {name: [sums, of] for name, (sums, of) in self._means.items()},
            "shares": {name: [kinds, of] for name, (kinds, of) in self._shares.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Tally":
        tally = cls()
        tally._means = {name: (sums, of) for name, (sums, of) in data["means"].items()}
        tally._shares = {name: (kinds, of) for name, (kinds, of) in data["shares"].items()}
        return tally


def _add(sums: _Sums, more: Iterable[float]) -> None:
    for i, value in enumerate(more):
        sums[i] += value


def _share(sums: _Sums, of: _Sums) -> Figure:
    """Wilson's interval, for as many independent cases as would spread like the games do: it never leaves 0 to 1, and something that
    never happened does not become impossible by that."""
    share, error = _spread(sums, of)
    games, cases = int(of[0]), int(of[1])
    if math.isinf(error):
        return Figure(share, 0.0, 1.0, cases, games)
    spread = share * (1 - share)
    alike = spread / error**2 if error > 0 and spread > 0 else float(games)
    return Figure(share, *share_interval(share, max(1, round(alike))), cases, games)
