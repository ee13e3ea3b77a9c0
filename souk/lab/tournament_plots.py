"""A tournament's plots: SVG drawn here, for a page that brings the colours (tournament_page.css) and the marks (`marks`).

All are 360 wide, so that their texts can be read on a phone. Every entrant has a chip with a mark of its own: colour is never
the only sign.
"""

import math
from collections.abc import Callable, Sequence
from html import escape
from itertools import pairwise

import numpy as np

from souk.lab.standings import Array, Meeting, Rating, Results, Standing, duration, percent

_WIDTH, _LEFT, _RIGHT = 360, 14, 346
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


def chip(entrant: int, x: float = 0, y: float = 0) -> str:
    """An entrant's chip. Six colours and seven marks make 42 that differ."""
    inside = f'<circle r="8"/><use href="#mark{entrant % len(_MARKS)}"/>'
    return f'<g class="chip {colour(entrant)}" transform="translate({x:.1f} {y:.1f})">{inside}</g>'


def colour(entrant: int) -> str:
    return f"c{entrant % _COLOURS}"


# ---------------------------------------------------------------- what plots are made of


def _text(x: float, y: float, content: str, css: str = "", anchor: str = "start") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" class="{css}" text-anchor="{anchor}">{escape(content)}</text>'


def _line(x: float, y: float, to_x: float, to_y: float, css: str) -> str:
    return f'<path d="M{x:.1f} {y:.1f}L{to_x:.1f} {to_y:.1f}" class="{css}"/>'


def _bar(x: float, y: float, width: float, height: float, css: str, more: str = "") -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" width="{max(0.0, width):.1f}" height="{max(0.0, height):.1f}"'
    return f'<rect {place} class="{css}"{more}/>'


def _svg(height: float, title: str, parts: Sequence[str]) -> str:
    name = f'role="img" aria-label="{escape(title)}"'
    return f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" {name}>{"".join(parts)}</svg>'


def _short(name: str, letters: int) -> str:
    return name if len(name) <= letters else name[: letters - 1] + "…"


def _row_title(row: Standing, y: float, figure: str) -> str:
    """The line above an entrant's row: chip, name, and the figure that the row shows."""
    room = int(37 - 0.9 * len(figure))  # letters; figures are set a little narrower than names
    return (
        chip(row.entrant, _LEFT, y - 4)
        + _text(28, y, _short(row.name, room), "name")
        + _text(_RIGHT, y, figure, "figure", "end")
    )


def _ticks(low: float, high: float, most: int = 5) -> list[float]:
    """Round numbers from low to high."""
    rough = (high - low) / most or 1.0
    size = 10.0 ** math.floor(math.log10(rough))
    step = next(size * factor for factor in (1, 2, 5, 10) if size * factor >= rough * 0.999)
    return [step * k for k in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def _scale(low: float, high: float, start: float = _LEFT, end: float = _RIGHT) -> Scale:
    return lambda value: start + (value - low) / ((high - low) or 1.0) * (end - start)


def _axis(ticks: Sequence[float], at: Scale, top: float, bottom: float, label: Callable[[float], str]) -> str:
    """Upright lines with their numbers below."""
    lines = (_line(at(tick), top, at(tick), bottom, "grid") for tick in ticks)
    return "".join(lines) + "".join(_text(at(tick), bottom + 14, label(tick), "tick", "middle") for tick in ticks)


# ---------------------------------------------------------------- the plots


def share_plot(rows: Sequence[Standing]) -> str:
    """Shares of wins with their intervals, beside the even share."""
    rows = [row for row in rows if row.games]
    top = min(1.0, 1.04 * max(max(row.share.high, row.even) for row in rows))
    at, bottom = _scale(0, top), 14 + 46 * len(rows)
    parts = [_axis(_ticks(0, top), at, 10, bottom, lambda tick: f"{100 * tick:.0f} %")]
    for i, row in enumerate(rows):
        y = 46 * i + 26
        share, middle = row.share, y + 15
        parts += [
            _row_title(row, y, percent(share.value)),
            _bar(
                at(share.low), middle - 3, at(share.high) - at(share.low), 6, f"band {colour(row.entrant)}", ' rx="3"'
            ),
            _line(at(share.low), middle - 6, at(share.low), middle + 6, f"cap {colour(row.entrant)}"),
            _line(at(share.high), middle - 6, at(share.high), middle + 6, f"cap {colour(row.entrant)}"),
            _line(at(row.even), middle - 10, at(row.even), middle + 12, "even"),
            chip(row.entrant, at(share.value), middle),
        ]
    return _svg(bottom + 22, "Share of wins of each entrant with its 95 % interval", parts)


def rating_plot(rows: Sequence[Standing], history: Sequence[Sequence[Rating]]) -> str:
    """Each entrant's rating from game to game."""
    height, left, right = 268.0, 30.0, 234.0
    shown = np.unique(np.linspace(0, len(history) - 1, min(len(history), 150)).astype(int)).tolist()
    mus = [[history[game][row.entrant].mu for game in shown] for row in rows]
    low, high = min(map(min, mus)) - 1, max(map(max, mus)) + 1
    across, up = _scale(0, max(1, len(history) - 1), left, right), _scale(low, high, height - 26, 8)
    parts = [
        _line(left, up(tick), right, up(tick), "grid") + _text(left - 6, up(tick) + 4, f"{tick:g}", "tick", "end")
        for tick in _ticks(low, high)
    ]
    parts += [
        _text(across(tick), height - 8, f"{tick:,.0f}", "tick", "middle")
        for tick in _ticks(0, len(history) - 1, 4)
        if tick == int(tick)
    ]
    labels = _spread([up(values[-1]) for values in mus], 20, 14, height - 30)
    for row, values, label in zip(rows, mus, labels, strict=True):
        path = "L".join(f"{across(game):.1f} {up(mu):.1f}" for game, mu in zip(shown, values, strict=True))
        ink = colour(row.entrant)
        parts += [
            f'<path d="M{path}" class="curve {ink} dash{row.entrant % 4}"/>',
            _line(right, up(values[-1]), right + 14, label, f"leader {ink}"),
            chip(row.entrant, right + 22, label),
            _text(right + 34, label + 4, _short(row.name, 14), "small"),
        ]
    return _svg(height, "Rating of each entrant after each game", parts)


def _spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Places near the wanted ones, but at least a gap apart as far as there is room."""
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed: list[float] = []
    for k, i in enumerate(order):
        floor = placed[-1] + gap if placed else low
        placed.append(min(max(wanted[i], floor), high - gap * (len(order) - 1 - k)))
    found = dict(zip(order, placed, strict=True))
    return [found[i] for i in range(len(wanted))]


def score_plot(rows: Sequence[Standing], results: Results) -> str:
    """How each entrant's scores are spread: a hill for each, with its median."""
    rows = [row for row in rows if row.games]
    low, high = int(results.scores.min()), int(results.scores.max())
    width = max(1, math.ceil((high - low + 1) / 40))
    edges = np.arange(low, high + width + 1, width)
    at, bottom = _scale(float(edges[0]), float(edges[-1])), 10 + 62 * len(rows)
    parts = [_axis(_ticks(float(edges[0]), float(edges[-1])), at, 10, bottom, lambda tick: f"{tick:g}")]
    hills = [np.histogram(results.scores[results.held_by(row.entrant)], edges)[0] / max(1, row.games) for row in rows]
    highest = max(float(hill.max()) for hill in hills)
    for i, (row, hill) in enumerate(zip(rows, hills, strict=True)):
        y, foot = 62 * i + 24, 62 * i + 66
        median = float(np.median(results.scores[results.held_by(row.entrant)]))
        parts += [
            _row_title(row, y, f"mean {row.score.value:.1f}"),
            _hill(hill, edges, at, foot, 30 / highest, colour(row.entrant)),
            _line(at(median + 0.5), foot - 30, at(median + 0.5), foot, f"cap {colour(row.entrant)}"),
        ]
    return _svg(bottom + 22, "Distribution of scores of each entrant", parts)


def _hill(hill: Array, edges: Array, at: Scale, foot: float, scale: float, ink: str) -> str:
    steps = (
        f"L{at(float(begin)):.1f} {foot - share * scale:.1f}H{at(float(end)):.1f}"
        for share, (begin, end) in zip(hill.tolist(), pairwise(edges), strict=True)
    )
    return f'<path d="M{at(float(edges[0])):.1f} {foot}{"".join(steps)}V{foot}Z" class="hill {ink}"/>'


def time_plot(rows: Sequence[Standing]) -> str:
    """Mean and longest time for a move, each step of the scale ten times the one before."""
    rows = [row for row in rows if row.moves]
    means, most = (
        [math.log10(max(row.move_seconds, 1e-6)) for row in rows],
        [math.log10(max(row.longest, 1e-6)) for row in rows],
    )
    low, high = math.floor(min(means)), max(math.ceil(max(most)), math.floor(min(means)) + 1)
    at, bottom = _scale(low, high, _LEFT + 8, _RIGHT - 12), 14 + 46 * len(rows)
    parts = [_axis([float(k) for k in range(low, high + 1)], at, 10, bottom, lambda tick: duration(10**tick))]
    for i, (row, mean, longest) in enumerate(zip(rows, means, most, strict=True)):
        y = 46 * i + 26
        figure = f"{duration(row.move_seconds)}, longest {duration(row.longest)}"
        parts += [
            _row_title(row, y, figure),
            _line(at(mean), y + 15, at(longest), y + 15, f"stem {colour(row.entrant)}"),
            _line(at(longest), y + 9, at(longest), y + 21, f"cap {colour(row.entrant)}"),
            chip(row.entrant, at(mean), y + 15),
        ]
    return _svg(bottom + 22, "Time for a move of each entrant, mean and longest", parts)


def seat_plot(rows: Sequence[Standing], wins: Array, games: Array) -> str:
    """Which part of its games each entrant won in each seat; below, how the seats did whoever sat there."""
    players = games.shape[1]
    shares = np.divide(wins, games, out=np.zeros_like(wins), where=games > 0)
    everybody = wins.sum(axis=0) / np.maximum(games.sum(axis=0), 1)
    highest, step = max(1e-9, float(shares.max()), float(everybody.max())), (_RIGHT - _LEFT + 8) / players
    parts = []
    for i, row in enumerate([*rows, None]):
        y = 74 * i + 18
        heading = _row_title(row, y, "") if row else _text(28, y, "everybody", "name")
        values = shares[row.entrant] if row else everybody
        counts = games[row.entrant] if row else games.sum(axis=0)
        parts.append(heading)
        for seat in range(players):
            x, tall = _LEFT - 4 + seat * step, 30 * float(values[seat]) / highest
            figure = f"{100 * values[seat]:.0f} %" if counts[seat] else "–"
            parts.append(
                _bar(x, y + 54 - tall, step - 6, tall, f"column {colour(row.entrant) if row else 'all'}", ' rx="2"')
            )
            parts.append(_text(x + step / 2 - 3, y + 50 - tall, figure, "small", "middle"))
        parts.append(_line(_LEFT - 4, y + 54, _RIGHT + 4, y + 54, "ground"))
    bottom = 74 * len(rows) + 88
    parts += [
        _text(_LEFT - 4 + (seat + 0.5) * step - 3, bottom, f"seat {seat}", "tick", "middle") for seat in range(players)
    ]
    return _svg(bottom + 8, "Share of wins by seat", parts)


def meeting_plot(rows: Sequence[Standing], met: dict[tuple[int, int], Meeting]) -> str:
    """Head to head: how often the one at the left finished ahead of the one above. Pointing at a number tells more."""
    left, top = 128.0, 30.0
    wide = min(52.0, (_WIDTH - left - 4) / len(rows))
    tall = min(wide, 40.0)
    parts = []
    for i, one in enumerate(rows):
        y = top + i * tall
        parts += [chip(one.entrant, left + (i + 0.5) * wide, 14), chip(one.entrant, 12, y + tall / 2)]
        parts.append(_text(26, y + tall / 2 + 4, _short(one.name, 15), "small"))
        for j, other in enumerate(rows):
            meeting = met.get((one.entrant, other.entrant))
            told = f"{one.name} ahead of {other.name}"
            cell = _cell(meeting, told, wide, tall) if meeting else _text(wide / 2, tall / 2 + 4, "·", "tick", "middle")
            parts.append(f'<g transform="translate({left + j * wide:.1f} {y:.1f})">{cell}</g>')
    return _svg(top + tall * len(rows) + 6, "Head to head, in percent", parts)


def _cell(meeting: Meeting, told: str, wide: float, tall: float) -> str:
    """A number on brass or blue: the more, the further from even."""
    share, low, high = meeting.ahead
    side, strength = "ahead" if share >= 0.5 else "behind", 0.08 + abs(share - 0.5)
    ground = _bar(1, 1, wide - 2, tall - 2, side, f' rx="3" fill-opacity="{strength:.2f}"')
    number = _text(wide / 2, tall / 2 + 4.5, f"{100 * share:.0f}", "cell" if wide > 32 else "cell narrow", "middle")
    more = f"{told}: {percent(share)} ({percent(low)} to {percent(high)}), {meeting.games:,} games"
    return f"<title>{escape(more)}</title>{ground}{number}"
