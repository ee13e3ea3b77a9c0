"""SVG building blocks for plots.

The page supplies colours (`html_page.css`) and marks (`marks`). Plots are 360 wide so that text
stays readable on a phone. Each item compared has a chip with its own mark: colour is never the only
cue.
"""

import math
from collections.abc import Callable, Iterable, Sequence
from html import escape
from itertools import pairwise

from souk.kernel.state import Array

WIDTH, LEFT, RIGHT = 360, 14, 346
_COLOURS = 6
# Marks, centred on a chip of radius 8.
_MARKS = (
    '<circle r="3"/>',
    '<path d="M0 -4L4 0L0 4L-4 0Z"/>',
    '<path d="M-4.5 1.2Q-2.2 -4 0 0T4.5 -1.2"/>',
    '<path d="M0 -3.8L3.8 3H-3.8Z"/>',
    '<path d="M0 -4.4V4.4M-4.4 0H4.4M-3 -3L3 3M-3 3L3 -3"/>',
    '<path d="M-3 -3H3V3H-3Z"/>',
    '<path d="M-3.4 -3.4L3.4 3.4M-3.4 3.4L3.4 -3.4"/>',
)
Scale = Callable[[float], float]


def marks() -> str:
    """Definitions of all marks, placed once per page."""
    symbols = (f'<g id="mark{i}">{mark}</g>' for i, mark in enumerate(_MARKS))
    hidden = 'width="0" height="0" aria-hidden="true" class="hidden"'
    return f"<svg {hidden}><defs>{''.join(symbols)}</defs></svg>"


def chip(number: int, x: float = 0, y: float = 0) -> str:
    """Chip of one item compared; six colours and seven marks give 42 distinct chips."""
    inside = f'<circle r="8"/><use href="#mark{number % len(_MARKS)}"/>'
    return f'<g class="chip {colour(number)}" transform="translate({x:.1f} {y:.1f})">{inside}</g>'


def colour(number: int) -> str:
    return f"c{number % _COLOURS}"


def text(x: float, y: float, content: str, css: str = "", anchor: str = "start") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}"'
    return f'<text {place} class="{css}" text-anchor="{anchor}">{escape(content)}</text>'


def row_title(number: int, y: float, name: str, figure: str) -> str:
    """Heading of a plot row: chip, name and the figure shown."""
    # figures are set slightly narrower than names
    letters = int(37 - 0.9 * len(figure))
    return (
        chip(number, LEFT, y - 4)
        + text(28, y, short(name, letters), "name")
        + text(RIGHT, y, figure, "figure", "end")
    )


def line(x: float, y: float, to_x: float, to_y: float, css: str) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" class="{css}"/>'


def bar(x: float, y: float, width: float, height: float, css: str, more: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{max(0.0, height):.1f}"'
    return f'<rect {place} class="{css}"{more}/>'


def svg(height: float, title: str, parts: Sequence[str]) -> str:
    name = f'role="img" aria-label="{escape(title)}"'
    return f'<svg viewBox="0 0 {WIDTH} {height:.0f}" {name}>{"".join(parts)}</svg>'


def short(name: str, letters: int) -> str:
    return name if len(name) <= letters else name[: letters - 1] + "…"


def ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from low to high."""
    rough = (high - low) / most or 1.0
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * 0.999)
    return [
        step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)
    ]


def scale(low: float, high: float, start: float = LEFT, end: float = RIGHT) -> Scale:
    return lambda value: start + (value - low) / ((high - low) or 1.0) * (end - start)


def axis(
    ticks: Sequence[float], at: Scale, top: float, bottom: float, label: Callable[[float], str]
) -> str:
    """Vertical grid lines with labels below."""
    lines = (line(at(tick), top, at(tick), bottom, "grid") for tick in ticks)
    return "".join(lines) + labels(ticks, at, bottom + 14, label)


def labels(ticks: Sequence[float], at: Scale, y: float, label: Callable[[float], str]) -> str:
    """A row of labels, each centred on its tick."""
    return "".join(text(at(tick), y, label(tick), "tick", "middle") for tick in ticks)


def levels(
    ticks: Sequence[float], up: Scale, left: float, right: float, label: Callable[[float], str]
) -> str:
    """Horizontal grid lines with labels at their left."""
    return "".join(
        line(left, up(tick), right, up(tick), "grid")
        + text(left - 6, up(tick) + 4, label(tick), "tick", "end")
        for tick in ticks
    )


def curve(points: Iterable[tuple[float, float]], css: str) -> str:
    path = "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path d="M{path}" class="curve {css}"/>'


def hill(shares: Array, edges: Array, at: Scale, foot: float, tall: float, ink: str) -> str:
    """A histogram; a bin's share of 1 would be `tall` high."""
    steps = (
        f"L{at(float(begin)):.1f} {foot - share * tall:.1f}H{at(float(end)):.1f}"
        for share, (begin, end) in zip(shares.tolist(), pairwise(edges), strict=True)
    )
    return (
        f'<path d="M{at(float(edges[0])):.1f} {foot}{"".join(steps)}V{foot}Z" class="hill {ink}"/>'
    )
