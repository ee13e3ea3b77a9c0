"""What plots are made of: SVG drawn here, for a page that brings the colours (page.css) and the marks (`marks`).

All plots are 360 wide, so that their texts can be read on a phone. Everybody who is compared has a chip with a mark of its own:
colour is never the only sign.
"""

import math
from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise

from souk.kernel.state import Array

WIDTH, LEFT, RIGHT = 360, 14, 346
_COLOURS = 6
# What is drawn on a chip of radius 8, about its middle.
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
    """The marks of all chips, to be put on the page once."""
    symbols = (f'<g id="mark{i}">{mark}</g>' for i, mark in enumerate(_MARKS))
    return f'<svg width="0" height="0" aria-hidden="true" class="hidden"><defs>{"".join(symbols)}</defs></svg>'


def chip(number: int, x: float = 0, y: float = 0) -> str:
    """The chip of one of those compared. Six colours and seven marks make 42 that differ."""
    inside = f'<circle r="8"/><use href="#mark{number % len(_MARKS)}"/>'
    return f'<g class="chip {colour(number)}" transform="translate({x:.1f} {y:.1f})">{inside}</g>'


def colour(number: int) -> str:
    return f"c{number % _COLOURS}"


def text(x: float, y: float, content: str, css: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{css}" text-anchor="{anchor}">{escape(content)}</text>'


def row_title(number: int, y: float, name: str, figure: str) -> str:
    """The line above a row of a plot: the chip and name of whoever it is about, and the figure that the row shows."""
    letters = int(37 - 0.9 * len(figure))  # figures are set a little narrower than names
    return (
        chip(number, LEFT, y - 4) + text(28, y, short(name, letters), "name") + text(RIGHT, y, figure, "figure", "end")
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
    return [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def scale(low: float, high: float, start: float = LEFT, end: float = RIGHT) -> Scale:
    return lambda value: start + (value - low) / ((high - low) or 1.0) * (end - start)


def axis(ticks: Sequence[float], at: Scale, top: float, bottom: float, label: Callable[[float], str]) -> str:
    """Upright lines with their numbers below."""
    lines = (line(at(tick), top, at(tick), bottom, "grid") for tick in ticks)
    return "".join(lines) + "".join(text(at(tick), bottom + 14, label(tick), "tick", "middle") for tick in ticks)


def hill(shares: Array, edges: Array, at: Scale, foot: float, tall: float, ink: str) -> str:
    """A distribution: `shares` of what lies between one edge and the next, a share of 1 being `tall` high."""
    steps = (
        f"L{at(float(begin)):.1f} {foot - share * tall:.1f}H{at(float(end)):.1f}"
        for share, (begin, end) in zip(shares.tolist(), pairwise(edges), strict=True)
    )
    return f'<path d="M{at(float(edges[0])):.1f} {foot}{"".join(steps)}V{foot}Z" class="hill {ink}"/>'
