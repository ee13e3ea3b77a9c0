"""A report's plots, with a row for each kind of play."""

import math
from collections.abc import Mapping, Sequence
from html import escape
from typing import NamedTuple

import numpy as np

from souk.core.report_spec import FieldMap
from souk.drawing import plots
from souk.kernel.state import Array
from souk.lab.statistics import Figure

_BINS = 40


class Row(NamedTuple):
    """A kind of play in a plot: its chip number, its name, and the caption at the right."""

    number: int
    name: str
    caption: str


def _whisker(figure: Figure, x: float, up: plots.Scale, ink: str) -> str:
    """The interval of a column; empty if unbounded."""
    if not math.isfinite(figure.half):
        return ""
    low, high = up(figure.low), up(figure.high)
    return plots.line(x, low, x, high, f"stem {ink}") + "".join(
        plots.line(x - 3, y, x + 3, y, f"cap {ink}") for y in (low, high)
    )


# ---------------------------------------------------------------- columns and hills


def column_plot(
    title: str,
    rows: Sequence[tuple[Row, Mapping[str, Figure]]],
    kinds: Sequence[str],
    *,
    share: bool = True,
    even: float | None = None,
) -> str:
    """For each kind of play, a column with interval per label."""
    figures = [figure for _, by_kind in rows for figure in by_kind.values()]
    tops = [figure.high if math.isfinite(figure.high) else figure.value for figure in figures]
    lows = [figure.low if math.isfinite(figure.low) else figure.value for figure in figures]
    highest, lowest = max([*tops, even or 0.0, 1e-9]), min([*lows, 0.0])
    step, tall = (plots.RIGHT - plots.LEFT + 8) / len(kinds), 100
    parts = []
    for i, (row, by_kind) in enumerate(rows):
        y, ink = tall * i + 18, plots.colour(row.number)
        up = plots.scale(lowest, highest, y + 76, y + 26)
        parts.append(plots.row_title(row.number, y, row.name, row.caption))
        for k, kind in enumerate(kinds):
            if (figure := by_kind.get(kind)) is not None:
                parts.append(_column(figure, plots.LEFT - 4 + k * step, step, up, ink, share))
        parts.append(plots.line(plots.LEFT - 4, up(0), plots.RIGHT + 4, up(0), "ground"))
        if even is not None:
            parts.append(plots.line(plots.LEFT - 4, up(even), plots.RIGHT + 4, up(even), "even"))
    bottom = tall * len(rows) + 8
    letters = max(3, int(step / 5.6))
    for k, kind in enumerate(kinds):
        x = plots.LEFT - 4 + (k + 0.5) * step - 3
        parts.append(plots.text(x, bottom, plots.short(kind, letters), "tick", "middle"))
    return plots.svg(bottom + 8, title, parts)


def _column(figure: Figure, x: float, step: float, up: plots.Scale, ink: str, share: bool) -> str:
    middle = x + step / 2 - 3
    top, foot = sorted((up(figure.value), up(0)))
    high = min(top, up(figure.high) if math.isfinite(figure.high) else top)
    number = f"{100 * figure.value:.{0 if step < 36 else 1}f}" if share else f"{figure.value:.1f}"
    return (
        plots.bar(x, top, step - 6, foot - top, f"column {ink}", ' rx="2"')
        + _whisker(figure, middle, up, ink)
        + plots.text(middle, high - 4, number, "small" if step > 26 else "small narrow", "middle")
    )


def hill_plot(title: str, rows: Sequence[tuple[Row, Mapping[int, float]]], per: int = 1) -> str:
    """For each kind of play, a histogram; `per` is the number of values per unit shown."""
    low, high = _bulk(rows)
    wide = max(1, math.ceil((high - low + 1) / _BINS))
    edges = np.arange(low, high + wide + 1, wide)
    ends = float(edges[0]), float(edges[-1])
    at, bottom = plots.scale(*ends), 10 + 66 * len(rows)
    parts = [plots.axis(plots.ticks(*ends), at, 10, bottom, lambda tick: f"{tick / per:g}")]
    binned = [_binned(counts, edges) for _, counts in rows]
    for i, ((row, _), shares) in enumerate(zip(rows, binned, strict=True)):
        y = 66 * i + 24
        tallest = max(float(shares.max()), 1e-9)
        parts += [
            plots.row_title(row.number, y, row.name, row.caption),
            plots.hill(shares, edges, at, y + 46, 34 / tallest, plots.colour(row.number)),
        ]
    return plots.svg(bottom + 22, title, parts)


def _bulk(rows: Sequence[tuple[Row, Mapping[int, float]]]) -> tuple[int, int]:
    """The range of all but one in a thousand values, so that outliers do not squeeze the rest."""
    ends = []
    for _, counts in rows:
        values = np.array(sorted(counts))
        shares = np.cumsum([counts[value] for value in values.tolist()])
        inside = np.searchsorted(shares / shares[-1], (0.0005, 0.9995))
        ends.append([int(values[min(i, len(values) - 1)]) for i in inside])
    return min(low for low, _ in ends), max(high for _, high in ends)


def _binned(counts: Mapping[int, float], edges: Array) -> Array:
    totals = np.histogram(list(counts), edges, weights=list(counts.values()))[0]
    shares: Array = totals / max(1e-9, sum(counts.values()))
    return shares


def grid_plot(title: str, values: Mapping[tuple[int, int], float]) -> str:
    """A value for each pair of numbers, shown as brightness."""
    last = max(max(pair) for pair in values)
    low, high = min(values.values()), max(values.values())
    left, step = 26.0, (plots.RIGHT - 26.0) / (last - 1)
    parts = []
    for (one, other), value in values.items():
        x, y = left + step * (other - 2), 18 + step * (one - 1)
        light = (value - low) / ((high - low) or 1.0)
        parts.append(_lamp(x, y, step, light, f"{value:.1f}"))
    for k in range(1, last):
        parts.append(plots.text(left + step * (k - 0.5), 12, str(k + 1), "tick", "middle"))
        parts.append(plots.text(left - 8, 18 + step * (k - 0.5) + 4, str(k), "tick", "end"))
    return plots.svg(18 + step * (last - 1) + 6, title, parts)


# ---------------------------------------------------------------- boards


def map_plot(title: str, shares: Mapping[str, Figure], field_map: FieldMap) -> str:
    """A board with a number on every field, shaded by value."""
    plan = field_map.plan
    highest = max((figure.value for figure in shares.values()), default=1.0)
    is_full = len(shares) == len(plan.fields)
    lowest = min((figure.value for figure in shares.values()), default=0.0) if is_full else 0.0
    inner = plan.size - 2 * plan.frame
    parts = [plots.bar(plan.frame, plan.frame, inner, inner, "plan", ' rx="18"')]
    parts += [f'<path d="{way}" class="way"/>' for way in plan.ways]
    for field in plan.fields:
        figure = shares.get(field)
        light = (figure.value - lowest) / ((highest - lowest) or 1.0) if figure else 0.0
        parts.append(_field(field, figure, light, field_map))
    parts += [plots.text(x, y, sign, "tick", anchor) for x, y, sign, anchor in plan.signs]
    inside = "".join(parts)
    frame = f"-12 0 {plan.size + 14:.0f} {plan.size + 12:.0f}"
    return f'<svg viewBox="{frame}" class="board" role="img" aria-label="{title}">{inside}</svg>'


def _field(field: str, figure: Figure | None, light: float, field_map: FieldMap) -> str:
    (x, y), side = field_map.plan.fields[field], field_map.plan.tile
    value = figure.value if figure else 0.0
    tooltip = f"{field}: {100 * value:.2f} %"
    if figure:
        tooltip += f" ({100 * figure.low:.2f} to {100 * figure.high:.2f})"
        tooltip += f", {figure.cases:,} {field_map.cases}"
    return (
        f"<g><title>{escape(tooltip)}</title>{_lamp(x, y, side, light, f'{100 * value:.1f}')}</g>"
    )


def _lamp(x: float, y: float, side: float, light: float, number: str) -> str:
    """A square with a number, of a given brightness."""
    ground = plots.bar(x + 1, y + 1, side - 2, side - 2, "tile", ' rx="4"')
    opacity = f' rx="4" fill-opacity="{light:.2f}"'
    lamp = plots.bar(x + 1, y + 1, side - 2, side - 2, "lamplight", opacity)
    ink = "lit" if light > 0.55 else "dim"
    return ground + lamp + plots.text(x + side / 2, y + side / 2 + 4, number, ink, "middle")
