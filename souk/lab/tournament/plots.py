"""The plots of a tournament page."""

import math
from collections.abc import Sequence
from html import escape

import numpy as np

from souk.core.skill_rating import Rating
from souk.drawing import plots
from souk.kernel.state import Array
from souk.lab.formatting import duration, percent
from souk.lab.tournament.results import GameResults
from souk.lab.tournament.standings import HeadToHead, Standing


def share_plot(rows: Sequence[Standing]) -> str:
    """Shares of wins with intervals, and the even share."""
    rows = [row for row in rows if row.games]
    top = min(1.0, 1.04 * max(max(row.share.high, row.even) for row in rows))
    at, bottom = plots.scale(0, top), 14 + 46 * len(rows)
    parts = [plots.axis(plots.ticks(0, top), at, 10, bottom, lambda tick: f"{100 * tick:.0f} %")]
    for i, row in enumerate(rows):
        y, ink = 46 * i + 26, plots.colour(row.entrant)
        share, middle = row.share, y + 15
        low, high = at(share.low), at(share.high)
        parts += [
            plots.row_title(row.entrant, y, row.name, percent(share.value)),
            plots.bar(low, middle - 3, high - low, 6, f"band {ink}", ' rx="3"'),
            *(plots.line(x, middle - 6, x, middle + 6, f"cap {ink}") for x in (low, high)),
            plots.line(at(row.even), middle - 10, at(row.even), middle + 12, "even"),
            plots.chip(row.entrant, at(share.value), middle),
        ]
    return plots.svg(bottom + 22, "Share of wins of each entrant with its 95 % interval", parts)


def rating_plot(rows: Sequence[Standing], history: Sequence[Sequence[Rating]]) -> str:
    """Each entrant's rating from game to game."""
    height, left, right = 268.0, 30.0, 234.0
    shown = np.unique(np.linspace(0, len(history) - 1, min(len(history), 150)).astype(int)).tolist()
    mus = [[history[game][row.entrant].mu for game in shown] for row in rows]
    low, high = min(map(min, mus)) - 1, max(map(max, mus)) + 1
    across = plots.scale(0, max(1, len(history) - 1), left, right)
    up = plots.scale(low, high, height - 26, 8)
    whole = [tick for tick in plots.ticks(0, len(history) - 1, 4) if tick == int(tick)]
    parts = [
        plots.levels(plots.ticks(low, high), up, left, right, "{:g}".format),
        plots.labels(whole, across, height - 8, "{:,.0f}".format),
    ]
    labels = _spread([up(values[-1]) for values in mus], 20, 14, height - 30)
    for row, values, label in zip(rows, mus, labels, strict=True):
        points = ((across(game), up(mu)) for game, mu in zip(shown, values, strict=True))
        ink = plots.colour(row.entrant)
        parts += [
            plots.curve(points, f"{ink} dash{row.entrant % 4}"),
            plots.line(right, up(values[-1]), right + 14, label, f"leader {ink}"),
            plots.chip(row.entrant, right + 22, label),
            plots.text(right + 34, label + 4, plots.short(row.name, 14), "small"),
        ]
    return plots.svg(height, "Rating of each entrant after each game", parts)


def _spread(wanted: Sequence[float], gap: float, low: float, high: float) -> list[float]:
    """Positions near the wanted ones, at least a gap apart if there is room."""
    gap = min(gap, (high - low) / max(1, len(wanted) - 1))
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed: list[float] = []
    for k, i in enumerate(order):
        floor = placed[-1] + gap if placed else low
        placed.append(min(max(wanted[i], floor), high - gap * (len(order) - 1 - k)))
    position_of = dict(zip(order, placed, strict=True))
    return [position_of[i] for i in range(len(wanted))]


def score_plot(rows: Sequence[Standing], results: GameResults) -> str:
    """The distribution of each entrant's scores, with its median."""
    rows = [row for row in rows if row.games]
    low, high = int(results.scores.min()), int(results.scores.max())
    width = max(1, math.ceil((high - low + 1) / 40))
    edges = np.arange(low, high + width + 1, width)
    ends = float(edges[0]), float(edges[-1])
    at, bottom = plots.scale(*ends), 10 + 62 * len(rows)
    parts = [plots.axis(plots.ticks(*ends), at, 10, bottom, "{:g}".format)]
    spread = [
        np.histogram(results.scores[results.seats_of(row.entrant)], edges)[0] / max(1, row.games)
        for row in rows
    ]
    highest = max(float(shares.max()) for shares in spread)
    for i, (row, shares) in enumerate(zip(rows, spread, strict=True)):
        y, foot = 62 * i + 24, 62 * i + 66
        ink = plots.colour(row.entrant)
        median = at(float(np.median(results.scores[results.seats_of(row.entrant)])) + 0.5)
        parts += [
            plots.row_title(row.entrant, y, row.name, f"mean {row.score.value:.1f}"),
            plots.hill(shares, edges, at, foot, 30 / highest, ink),
            plots.line(median, foot - 30, median, foot, f"cap {ink}"),
        ]
    return plots.svg(bottom + 22, "Distribution of scores of each entrant", parts)


def time_plot(rows: Sequence[Standing]) -> str:
    """Mean and longest time per move, on a logarithmic scale."""
    rows = [row for row in rows if row.moves]
    means = [math.log10(max(row.move_seconds, 1e-6)) for row in rows]
    most = [math.log10(max(row.longest, 1e-6)) for row in rows]
    low, high = math.floor(min(means)), max(math.ceil(max(most)), math.floor(min(means)) + 1)
    at, bottom = plots.scale(low, high, plots.LEFT + 8, plots.RIGHT - 12), 14 + 46 * len(rows)
    powers = [float(k) for k in range(low, high + 1)]
    parts = [plots.axis(powers, at, 10, bottom, lambda power: duration(10**power))]
    for i, (row, mean, longest) in enumerate(zip(rows, means, most, strict=True)):
        y, ink = 46 * i + 26, plots.colour(row.entrant)
        figure = f"{duration(row.move_seconds)}, longest {duration(row.longest)}"
        parts += [
            plots.row_title(row.entrant, y, row.name, figure),
            plots.line(at(mean), y + 15, at(longest), y + 15, f"stem {ink}"),
            plots.line(at(longest), y + 9, at(longest), y + 21, f"cap {ink}"),
            plots.chip(row.entrant, at(mean), y + 15),
        ]
    return plots.svg(bottom + 22, "Time per move of each entrant, mean and longest", parts)


def seat_plot(rows: Sequence[Standing], wins: Array, games: Array) -> str:
    """Each entrant's share of wins in each seat, and below it the average of the seats."""
    players = games.shape[1]
    shares = np.divide(wins, games, out=np.zeros_like(wins), where=games > 0)
    everybody = wins.sum(axis=0) / np.maximum(games.sum(axis=0), 1)
    highest = max(1e-9, float(shares.max()), float(everybody.max()))
    step = (plots.RIGHT - plots.LEFT + 8) / players
    parts = []
    for i, row in enumerate(rows):
        y, ink = 74 * i + 18, plots.colour(row.entrant)
        parts.append(plots.row_title(row.entrant, y, row.name, ""))
        parts += _seat_columns(shares[row.entrant], games[row.entrant], y, step, highest, ink)
    y = 74 * len(rows) + 18
    parts.append(plots.text(28, y, "everybody", "name"))
    parts += _seat_columns(everybody, games.sum(axis=0), y, step, highest, "all")
    bottom = 74 * len(rows) + 88
    middle = plots.scale(0, 1, plots.LEFT - 7 + 0.5 * step, plots.LEFT - 7 + 1.5 * step)
    parts.append(plots.labels(range(players), middle, bottom, "seat {:.0f}".format))
    return plots.svg(bottom + 8, "Share of wins by seat", parts)


def _seat_columns(
    shares: Array, games: Array, y: float, step: float, highest: float, ink: str
) -> list[str]:
    """A column per seat above a base line."""
    parts = []
    for seat, share in enumerate(shares.tolist()):
        x, tall = plots.LEFT - 4 + seat * step, 30 * share / highest
        figure = f"{100 * share:.0f} %" if games[seat] else "–"
        parts += [
            plots.bar(x, y + 54 - tall, step - 6, tall, f"column {ink}", ' rx="2"'),
            plots.text(x + step / 2 - 3, y + 50 - tall, figure, "small", "middle"),
        ]
    return [*parts, plots.line(plots.LEFT - 4, y + 54, plots.RIGHT + 4, y + 54, "ground")]


def meeting_plot(rows: Sequence[Standing], results: dict[tuple[int, int], HeadToHead]) -> str:
    """Head to head: how often the row's entrant finished ahead of the column's, with tooltips."""
    left, top = 128.0, 30.0
    wide = min(52.0, (plots.WIDTH - left - 4) / len(rows))
    tall = min(wide, 40.0)
    parts = []
    for i, one in enumerate(rows):
        y = top + i * tall
        parts += [
            plots.chip(one.entrant, left + (i + 0.5) * wide, 14),
            plots.chip(one.entrant, 12, y + tall / 2),
        ]
        parts.append(plots.text(26, y + tall / 2 + 4, plots.short(one.name, 15), "small"))
        for j, other in enumerate(rows):
            meeting = results.get((one.entrant, other.entrant))
            label = f"{one.name} ahead of {other.name}"
            cell = (
                _cell(meeting, label, wide, tall)
                if meeting
                else plots.text(wide / 2, tall / 2 + 4, "·", "tick", "middle")
            )
            parts.append(f'<g transform="translate({left + j * wide:.1f} {y:.1f})">{cell}</g>')
    return plots.svg(top + tall * len(rows) + 6, "Head to head, in percent", parts)


def _cell(meeting: HeadToHead, label: str, wide: float, tall: float) -> str:
    """A number, coloured more strongly the further from even it is."""
    share, low, high, *_ = meeting.ahead
    side, strength = "ahead" if share >= 0.5 else "behind", 0.08 + abs(share - 0.5)
    ground = plots.bar(1, 1, wide - 2, tall - 2, side, f' rx="3" fill-opacity="{strength:.2f}"')
    css = "cell" if wide > 32 else "cell narrow"
    number = plots.text(wide / 2, tall / 2 + 4.5, f"{100 * share:.0f}", css, "middle")
    tooltip = (
        f"{label}: {percent(share)} ({percent(low)} to {percent(high)}), {meeting.games:,} games"
    )
    return f"<title>{escape(tooltip)}</title>{ground}{number}"
