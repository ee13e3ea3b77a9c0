"""Accumulates statistics of games: means and shares with 95 % intervals.

Events within a game depend on each other; games do not. Every interval is therefore computed over
games: the sum of a figure in a game is one observation. Only running sums are kept, so memory does
not grow with the number of games, and accumulators of several processes can be merged.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from souk.core.report_spec import YES, Notes, Statistic
from souk.lab.statistics import Figure, mean_figure, share_figure, spread_of_sums

# Sums over games, with s a game's sum and c its number of cases: s, s², s·c; and of the cases:
# number of games, c, c².
_Sums = list[float]


class Accumulator:
    """The summed notes of many games."""

    def __init__(self) -> None:
        self._means: dict[str, tuple[_Sums, _Sums]] = {}
        self._shares: dict[str, tuple[dict[str, _Sums], _Sums]] = {}

    def add(self, notes: Notes) -> None:
        """Add the notes of a game."""
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

    def merge(self, other: "Accumulator") -> None:
        """Add another accumulator's games."""
        for name, (sums, of) in other._means.items():
            mine = self._means.setdefault(name, ([0.0] * 3, [0.0] * 3))
            _add(mine[0], sums)
            _add(mine[1], of)
        for name, (kinds, of) in other._shares.items():
            by_kind, cases = self._shares.setdefault(name, ({}, [0.0] * 3))
            _add(cases, of)
            for kind, sums in kinds.items():
                _add(by_kind.setdefault(kind, [0.0] * 3), sums)

    # ------------------------------------------------------------ figures

    def mean(self, name: str) -> Figure | None:
        """The mean of the numbers noted under a name, or None if there are none."""
        if name not in self._means:
            return None
        return mean_figure(spread_of_sums(*self._means[name]))

    def means(self, prefix: str) -> dict[str, Figure]:
        """The means of all names with a prefix, by the rest of the name."""
        means = {
            name.removeprefix(prefix): self.mean(name)
            for name in self._means
            if name.startswith(prefix)
        }
        return {name: figure for name, figure in means.items() if figure is not None}

    def shares(self, name: str) -> dict[str, Figure]:
        """The share of each kind noted under a name; empty if there are none."""
        kinds, of = self._shares.get(name, ({}, [0.0] * 3))
        return {kind: share_figure(spread_of_sums(sums, of)) for kind, sums in kinds.items()}

    def share(self, name: str, kind: object) -> Figure | None:
        """The share of a kind under a name (0 if never noted), or None if the name is unknown."""
        if name not in self._shares:
            return None
        by_kind, of = self._shares[name]
        return share_figure(spread_of_sums(by_kind.get(str(kind), [0.0] * 3), of))

    def chance(self, name: str) -> Figure | None:
        """The share of cases in which what was noted under a name happened."""
        return self.share(name, YES)

    def read(self, statistic: Statistic) -> Figure | None:
        """Evaluate a statistic."""
        match statistic.how:
            case "mean":
                return self.mean(statistic.name)
            case "part":
                mean = self.mean(statistic.name)
                return mean and mean.within(0.0, 1.0)
            case "seen":
                return self.shares(statistic.name).get(statistic.kind)
            case "share":
                return self.share(statistic.name, statistic.kind)
        raise ValueError(f"how: there is no reading {statistic.how!r}")

    def names(self) -> list[str]:
        """All names in use."""
        return sorted({*self._means, *self._shares})

    # ------------------------------------------------------------ as JSON

    def to_json(self) -> dict[str, Any]:
        return {
            "means": {name: [sums, of] for name, (sums, of) in self._means.items()},
            "shares": {name: [kinds, of] for name, (kinds, of) in self._shares.items()},
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> "Accumulator":
        tally = cls()
        tally._means = {name: (sums, of) for name, (sums, of) in data["means"].items()}
        tally._shares = {name: (kinds, of) for name, (kinds, of) in data["shares"].items()}
        return tally


def _add(sums: _Sums, more: Iterable[float]) -> None:
    for i, value in enumerate(more):
        sums[i] += value
