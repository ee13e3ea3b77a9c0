"""Counting what happens in games: means and shares, each with a 95 % interval.

What happens within one game hangs together; games do not. Every interval is therefore taken over games: the sum of a figure in a
game is one observation. Only running sums are kept, so a million games take no more room than one, and tallies of different
processes are added up.
"""

from collections.abc import Iterable, Mapping
from typing import Any

from souk.core.reporting import YES, Notes, Reading
from souk.lab.statistics import Figure, mean_figure, share_figure, spread_of_sums

# Sums over games, where s is a game's sum and c its number of cases: s, s², s·c; and of the cases: games, c, c².
_Sums = list[float]


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
        return mean_figure(spread_of_sums(*self._means[name]))

    def means(self, prefix: str) -> dict[str, Figure]:
        """The means of all names that begin so, by the rest of the name."""
        found = {name.removeprefix(prefix): self.mean(name) for name in self._means if name.startswith(prefix)}
        return {name: figure for name, figure in found.items() if figure is not None}

    def shares(self, name: str) -> dict[str, Figure]:
        """How often each kind was noted under a name, as shares; empty where nothing was."""
        kinds, of = self._shares.get(name, ({}, [0.0] * 3))
        return {kind: share_figure(spread_of_sums(sums, of)) for kind, sums in kinds.items()}

    def share(self, name: str, kind: object) -> Figure | None:
        """How often a kind was noted under a name, perhaps never; None where nothing at all was noted there."""
        if name not in self._shares:
            return None
        by_kind, of = self._shares[name]
        return share_figure(spread_of_sums(by_kind.get(str(kind), [0.0] * 3), of))

    def chance(self, name: str) -> Figure | None:
        """How often it came to what was noted under a name."""
        return self.share(name, YES)

    def read(self, reading: Reading) -> Figure | None:
        """A figure of what was noted."""
        match reading.how:
            case "mean":
                return self.mean(reading.name)
            case "part":
                found = self.mean(reading.name)
                return found and found.within(0.0, 1.0)
            case "seen":
                return self.shares(reading.name).get(reading.kind)
            case "share":
                return self.share(reading.name, reading.kind)
        raise ValueError(f"how: there is no reading {reading.how!r}")

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
