"""A report's plots, put together from `souk.lab.pages.plots`: a row for each kind of play, so that they can be compared."""

import math
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from souk.games.suleika.scene import BALCONIES
from souk.games.suleika.words import field_name
from souk.lab.pages.plots import (
    LEFT,
    RIGHT,
    Array,
    Scale,
    axis,
    bar,
    colour,
    hill,
    line,
    row_title,
    scale,
    short,
    svg,
    text,
    ticks,
)
from souk.lab.report.tally import Figure

_BINS = 40


class Row(NamedTuple):
    """A kind of play in a plot: the number of its chip, its name, and what is said at the right."""

    number: int
    name: str
    told: str


def _whisker(figure: Figure, x: float, up: Scale, ink: str) -> str:
    """The interval of a column; nothing where it would be endless."""
    if not math.isfinite(figure.half):
        return ""
    low, high = up(figure.low), up(figure.high)
    return line(x, low, x, high, f"stem {ink}") + "".join(line(x - 3, y, x + 3, y, f"cap {ink}") for y in (low, high))


# ---------------------------------------------------------------- columns and hills


def column_plot(
    title: str,
    rows: Sequence[tuple[Row, Mapping[str, Figure]]],
    kinds: Sequence[str],
    *,
    share: bool = True,
    even: float | None = None,
) -> str:
    """For each kind of play a column for each kind of thing, with its interval."""
    figures = [figure for _, by_kind in rows for figure in by_kind.values()]
    tops = [figure.high if math.isfinite(figure.high) else figure.value for figure in figures]
    lows = [figure.low if math.isfinite(figure.low) else figure.value for figure in figures]
    highest, lowest = max([*tops, even or 0.0, 1e-9]), min([*lows, 0.0])
    step, tall = (RIGHT - LEFT + 8) / len(kinds), 100
    parts = []
    for i, (row, by_kind) in enumerate(rows):
        y = tall * i + 18
        up = scale(lowest, highest, y + 76, y + 26)
        parts.append(row_title(row.number, y, row.name, row.told))
        for k, kind in enumerate(kinds):
            if (figure := by_kind.get(kind)) is not None:
                parts.append(_column(figure, LEFT - 4 + k * step, step, up, colour(row.number), share))
        parts.append(line(LEFT - 4, up(0), RIGHT + 4, up(0), "ground"))
        if even is not None:
            parts.append(line(LEFT - 4, up(even), RIGHT + 4, up(even), "even"))
    bottom = tall * len(rows) + 8
    letters = max(3, int(step / 5.6))
    for k, kind in enumerate(kinds):
        parts.append(text(LEFT - 4 + (k + 0.5) * step - 3, bottom, short(kind, letters), "tick", "middle"))
    return svg(bottom + 8, title, parts)


def _column(figure: Figure, x: float, step: float, up: Scale, ink: str, share: bool) -> str:
    middle = x + step / 2 - 3
    top, foot = sorted((up(figure.value), up(0)))
    high = min(top, up(figure.high) if math.isfinite(figure.high) else top)
    number = f"{100 * figure.value:.{0 if step < 36 else 1}f}" if share else f"{figure.value:.1f}"
    return (
        bar(x, top, step - 6, foot - top, f"column {ink}", ' rx="2"')
        + _whisker(figure, middle, up, ink)
        + text(middle, high - 4, number, "small" if step > 26 else "small narrow", "middle")
    )


def hill_plot(title: str, rows: Sequence[tuple[Row, Mapping[int, float]]], per: int = 1) -> str:
    """For each kind of play a hill: how often each value was reached. `per`: so many of the values make one of what is told."""
    low, high = _bulk(rows)
    wide = max(1, math.ceil((high - low + 1) / _BINS))
    edges = np.arange(low, high + wide + 1, wide)
    at, bottom = scale(float(edges[0]), float(edges[-1])), 10 + 66 * len(rows)
    parts = [axis(ticks(float(edges[0]), float(edges[-1])), at, 10, bottom, lambda tick: f"{tick / per:g}")]
    spread = [_binned(counts, edges) for _, counts in rows]
    for i, ((row, _), shares) in enumerate(zip(rows, spread, strict=True)):
        y = 66 * i + 24
        tallest = max(float(shares.max()), 1e-9)
        parts += [
            row_title(row.number, y, row.name, row.told),
            hill(shares, edges, at, y + 46, 34 / tallest, colour(row.number)),
        ]
    return svg(bottom + 22, title, parts)


def _bulk(rows: Sequence[tuple[Row, Mapping[int, float]]]) -> tuple[int, int]:
    """Between which values all but one in a thousand lie, so that a single odd game does not squeeze the rest."""
    ends = []
    for _, counts in rows:
        values = np.array(sorted(counts))
        shares = np.cumsum([counts[value] for value in values.tolist()])
        inside = np.searchsorted(shares / shares[-1], (0.0005, 0.9995))
        ends.append([int(values[min(i, len(values) - 1)]) for i in inside])
    return min(low for low, _ in ends), max(high for _, high in ends)


def _binned(counts: Mapping[int, float], edges: Array) -> Array:
    found = np.histogram(list(counts), edges, weights=list(counts.values()))[0]
    shares: Array = found / max(1e-9, sum(counts.values()))
    return shares


def grid_plot(title: str, values: Mapping[tuple[int, int], float]) -> str:
    """A value for each pair of numbers: the brighter, the higher."""
    last = max(max(pair) for pair in values)
    low, high = min(values.values()), max(values.values())
    left, step = 26.0, (RIGHT - 26.0) / (last - 1)
    parts = []
    for (one, other), value in values.items():
        x, y = left + step * (other - 2), 18 + step * (one - 1)
        light = (value - low) / ((high - low) or 1.0)
        lamp = f' rx="4" fill-opacity="{light:.2f}"'
        parts += [
            bar(x + 1, y + 1, step - 2, step - 2, "tile", ' rx="4"')
            + bar(x + 1, y + 1, step - 2, step - 2, "lamplight", lamp),
            text(x + step / 2, y + step / 2 + 4, f"{value:.1f}", "lit" if light > 0.55 else "dim", "middle"),
        ]
    for k in range(1, last):
        parts.append(text(left + step * (k - 0.5), 12, str(k + 1), "tick", "middle"))
        parts.append(text(left - 8, 18 + step * (k - 0.5) + 4, str(k), "tick", "end"))
    return svg(18 + step * (last - 1) + 6, title, parts)


# ---------------------------------------------------------------- Suleika's board

_TILE, _EDGE, _FRAME = 40.0, 36.0, 8.0  # of the board; its balconies lie between the fields and the frame
_OUT = {"n": (0.0, -1.0), "e": (1.0, 0.0), "s": (0.0, 1.0), "w": (-1.0, 0.0)}
_SIDE = 7


def _corner(field: str) -> tuple[float, float]:
    """The upper left corner of a field: column a is at the left, row 1 at the bottom."""
    return _EDGE + _TILE * ("abcdefg".index(field[0])), _EDGE + _TILE * (_SIDE - int(field[1]))


def board_plot(title: str, shares: Mapping[str, Figure]) -> str:
    """The market with a number on every field: the brighter the lamp, the higher."""
    size = 2 * _EDGE + _SIDE * _TILE
    highest = max((figure.value for figure in shares.values()), default=1.0)
    lowest = min((figure.value for figure in shares.values()), default=0.0) if len(shares) == _SIDE**2 else 0.0
    parts = [bar(_FRAME, _FRAME, size - 2 * _FRAME, size - 2 * _FRAME, "market", ' rx="18"')]
    parts += [f'<path d="{_balcony(balcony)}" class="balcony"/>' for balcony in BALCONIES]
    for number in range(_SIDE**2):
        field = field_name(number)
        figure = shares.get(field)
        light = (figure.value - lowest) / ((highest - lowest) or 1.0) if figure else 0.0
        parts.append(_tile(field, figure, light))
    for k in range(_SIDE):
        middle = _EDGE + (k + 0.5) * _TILE
        parts.append(text(middle, size + 6, "abcdefg"[k], "tick", "middle"))
        parts.append(text(0, middle + 4, str(_SIDE - k), "tick", "end"))
    inside = "".join(parts)
    frame = f"-12 0 {size + 14:.0f} {size + 12:.0f}"
    return f'<svg viewBox="{frame}" class="board" role="img" aria-label="{title}">{inside}</svg>'


def _tile(field: str, figure: Figure | None, light: float) -> str:
    x, y = _corner(field)
    value = figure.value if figure else 0.0
    more = f"{field}: {100 * value:.2f} %"
    if figure:
        more += f" ({100 * figure.low:.2f} to {100 * figure.high:.2f}), {figure.cases:,} stops"
    ink = "lit" if light > 0.55 else "dim"
    ground = bar(x + 1, y + 1, _TILE - 2, _TILE - 2, "tile", ' rx="4"')
    lamp = bar(x + 1, y + 1, _TILE - 2, _TILE - 2, "lamplight", f' rx="4" fill-opacity="{light:.2f}"')
    number = text(x + _TILE / 2, y + _TILE / 2 + 4, f"{100 * value:.1f}", ink, "middle")
    return f"<g><title>{more}</title>{ground}{lamp}{number}</g>"


def _balcony(sides: str) -> str:
    """A brass loop from one side of the market to another, such as "a7n b7n"."""
    (one, out_one), (other, out_other) = (_side(side) for side in sides.split())
    far = 26.0 if out_one == out_other else 40.0  # round a corner it has further to go
    first = one[0] + far * out_one[0], one[1] + far * out_one[1]
    second = other[0] + far * out_other[0], other[1] + far * out_other[1]
    points = (*first, *second, *other)
    return f"M{one[0]:.1f} {one[1]:.1f}C" + " ".join(f"{value:.1f}" for value in points)


def _side(side: str) -> tuple[tuple[float, float], tuple[float, float]]:
    """The middle of a field's side, and the direction out of the market there."""
    x, y = _corner(side)
    out = _OUT[side[2]]
    return (x + _TILE / 2 * (1 + out[0]), y + _TILE / 2 * (1 + out[1])), out
