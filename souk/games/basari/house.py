"""Geometry of the house: 28 bays round a court, what is nearer larger, as in the browser's
`house.ts`.
"""

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import msgspec

from souk import drawing

Point = tuple[float, float]


class Plan(msgspec.Struct):
    """How many bays across and down, and how large the far row is beside the near one."""

    columns: int
    rows: int
    far: tuple[float, float]
    flattest: float  # height of a bay beside its width


class Style(msgspec.Struct):
    """A style of bays, in shares of their size: the window's height, and the arch below it."""

    bay: str
    window: float
    arch: tuple[float, float, float, float]
    figure: float
    disc: float
    small: float  # a disc beside a figure


class Measures(msgspec.Struct):
    wide: Plan
    tall: Plan
    roof: float
    base: float
    high: Style
    low: Style
    spots: list[list[Point]]  # of gems beside a number, by how many there are


MEASURES = drawing.measures("house", Measures)
FINGER = 44
STEEPEST = 1.45  # height of a bay beside its width
UPRIGHT = 0.92  # from here on the number stands above its gems
NARROW = 0.75  # width of a figure beside its height
SOLE = 0.045  # how far below the window's edge figures stand


class Bay(NamedTuple):
    x: float
    y: float
    width: float
    height: float


class Standing(NamedTuple):
    """A piece with its feet at a point; `size` is its height."""

    seat: int
    x: float
    y: float
    size: float


class House:
    """The largest house in a box."""

    def __init__(self, plan: Plan, room: Point) -> None:
        self.plan, self.columns, self.rows = plan, plan.columns, plan.rows
        edge = 0.1 if room[0] > 500 else 0.02
        wide = room[0] / (self.columns + edge)
        high = min(room[1] / self._depth(plan.far[1]), wide * STEEPEST)
        wide = min(wide, high / plan.flattest)
        far = [
            min(1, max(share, FINGER / near))
            for share, near in zip(plan.far, (wide, high), strict=True)
        ]
        high = min(high, room[1] / self._depth(far[1]))
        shares = [k / (self.rows - 1) for k in range(self.rows)]
        self.widths = [wide * (far[0] + (1 - far[0]) * share) for share in shares]
        self.heights = [high * (far[1] + (1 - far[1]) * share) for share in shares]
        roof = MEASURES.roof * self.heights[0]
        self.tops = [roof + sum(self.heights[:row]) for row in range(self.rows)]
        self.width, self.height = wide * (self.columns + edge), high * self._depth(far[1])
        self.style = MEASURES.high if high > UPRIGHT * wide else MEASURES.low

    def _depth(self, far: float) -> float:
        """Height of the house in heights of a near bay."""
        return self.rows * (1 + far) / 2 + MEASURES.roof * far + MEASURES.base

    @cached_property
    def bays(self) -> list[Bay]:
        """By number, clockwise from the far left corner."""
        return [
            Bay(
                self.width / 2 + (column - self.columns / 2) * self.widths[row],
                self.tops[row],
                self.widths[row],
                self.heights[row],
            )
            for column, row in self._cells()
        ]

    def _cells(self) -> list[tuple[int, int]]:
        across, down = self.columns - 1, self.rows - 1
        return [
            *((k, 0) for k in range(across)),
            *((across, k) for k in range(down)),
            *((across - k, down) for k in range(across)),
            *((0, down - k) for k in range(down)),
        ]

    @property
    def court(self) -> Bay:
        """The court: a box between the arcades, as wide as it is at its far end."""
        wide, last = self.widths[1] * (self.columns - 2), self.rows - 1
        return Bay((self.width - wide) / 2, self.tops[1], wide, self.tops[last] - self.tops[1])

    def half(self, y: float) -> float:
        """Half the width of a bay at a height on the ground."""
        row = max((k for k, top in enumerate(self.tops) if top <= y), default=0)
        here, after = self.widths[row], self.widths[min(row + 1, self.rows - 1)]
        return here + (after - here) * min(1, (y - self.tops[row]) / self.heights[row])

    # ------------------------------------------------------------ what is on a bay

    def number_in(self, bay: Bay) -> tuple[float, float, float]:
        """Middle, baseline and size of an arch's number, within its bay."""
        left, top, wide, high = self.style.arch
        if self.style is MEASURES.high:
            size = min(bay.height * 0.235, bay.width * 0.36)
            return bay.width / 2, bay.height * (top + high * 0.2) + size * 0.72, size
        size = min(bay.height * 0.39, bay.width * 0.36)
        return bay.width * (left + wide * 0.24), bay.height * 0.85, size

    def gems_in(self, bay: Bay, n: int) -> tuple[float, list[Point]]:
        """Size of an arch's gems, and their corners within its bay."""
        left, _, wide, high = self.style.arch
        if self.style is MEASURES.high:
            size = min(bay.height * 0.21, bay.width * 0.24)
            step = min(size * 1.04, (bay.width * (wide - 0.04) - size) / max(n - 1, 1))
            start = bay.width / 2 - (n - 1) / 2 * step - size / 2
            return size, [(start + k * step, bay.height - size * 1.16) for k in range(n)]
        size = min(bay.height * 0.275, bay.width * 0.25)
        x, y = bay.width * (left + wide * 0.68), bay.height * (1 - high * 0.45)
        spots = MEASURES.spots[n]
        return size, [
            (x + (dx * 0.98 - 0.5) * size, y + (dy * 0.95 - 0.5) * size) for dx, dy in spots
        ]

    def figures(self, places: Sequence[int | None]) -> list[Standing]:
        """Figures in their windows, side by side and never one on another; the farthest first."""
        standing = []
        for seat, arch in enumerate(places):
            if arch is None:
                continue
            bay, here = self.bays[arch], _sharing(places, arch)
            n = len(here)
            step = bay.width * (0.98 if n > 2 else 0.9) / n
            size = bay.height * self.style.figure
            if n > 1:
                size = min(size, step / NARROW * 1.1)
            apart = min(step, size * NARROW * 0.95)
            x = bay.x + bay.width / 2 + (here.index(seat) - (n - 1) / 2) * apart
            standing.append(Standing(seat, x, self._sole(bay), size))
        return sorted(standing, key=lambda each: each.y)

    def discs(self, places: Sequence[int | None], stands: Sequence[int | None]) -> list[Standing]:
        """Start discs: in the middle of an empty window, at the ends of its sill beside figures."""
        lying = []
        for seat, arch in enumerate(places):
            if arch is None:
                continue
            bay, here, taken = self.bays[arch], _sharing(places, arch), arch in stands
            size = bay.height * (self.style.small if taken else self.style.disc)
            k = here.index(seat)
            if taken:
                aside = bay.width * 0.48 - size * (0.5 + k // 2 * 0.9)
                x, down = bay.x + bay.width / 2 + (aside if k % 2 else -aside), size * 0.25
            else:
                x, down = bay.x + bay.width / 2 + (k - (len(here) - 1) / 2) * size * 0.9, 0
            lying.append(Standing(seat, x, self._sole(bay) + down, size))
        return lying

    def _sole(self, bay: Bay) -> float:
        return bay.y + bay.height * (self.style.window + SOLE)


def _sharing(places: Sequence[int | None], arch: int) -> list[int]:
    """Those who share a bay, by seat."""
    return [seat for seat, place in enumerate(places) if place == arch]
