"""Plots of docs/research/strength.md and docs/research/nets.md.

Each is as wide as a phone and follows the reader's light or dark scheme. Numbers of players differ
in the mark's shape, not only in its colour.
"""

import math
from html import escape
from pathlib import Path

import souk
from bench.strength.ladder import Rung, ladders
from bench.strength.thinking_time import USUAL
from bench.support.provenance import read_figures
from bench.tables.markdown import Row, Rows
from bench.tables.strength import playouts_of
from souk.drawing import palette
from souk.drawing.plots import Scale, axis, curve, line, scale, text, ticks

WIDTH, LEFT, RIGHT = 400, 172, 380
COLOURS = ("panel", "line", "text", "text-2", "heading", "grid", "accent-text", "seat-2", "seat-0")
SHAPES = """
text{font:13px system-ui,-apple-system,"Segoe UI","Noto Sans",sans-serif;fill:var(--text)}
.title{font:700 17px Georgia,"Noto Serif","DejaVu Serif",serif;fill:var(--heading)}
.tick{fill:var(--text-2);font-size:12px}
.ground{fill:var(--panel);stroke:var(--line)}
.grid{stroke:var(--grid)}
.even{stroke:var(--accent-text);stroke-width:2;stroke-dasharray:3 3}
.c0{--c:var(--seat-2)}.c1{--c:var(--seat-0)}
.cap{stroke:var(--c);stroke-width:2.5;stroke-linecap:round}
.mark{fill:var(--c);stroke:var(--panel);stroke-width:1}
.curve{stroke:var(--c);stroke-width:1.5;stroke-opacity:.6;fill:none}
"""
MARKS = '<circle r="5"/>', '<path d="M0 -6.5L6.5 0L0 6.5L-6.5 0Z"/>'
FEWEST, MOST = 2_000, 250_000  # playouts, the ends of the axis


def picture(height: float, title: str, parts: list[str]) -> str:
    """A complete SVG file."""
    size = f'viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}"'
    inner = f'width="{WIDTH - 1}" height="{height - 1:.0f}"'
    style = f"<style>{palette.style(COLOURS)}{SHAPES}</style>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img">'
    head += f"<title>{escape(title)}</title>{style}"
    head += f'<rect x=".5" y=".5" {inner} rx="12" class="ground"/>'
    return head + "\n".join(parts) + "</svg>\n"


def mark(number: int, x: float, y: float) -> str:
    return f'<g class="mark c{number}" transform="translate({x:.1f} {y:.1f})">{MARKS[number]}</g>'


def plot(
    title: str, about: str, steps: list[float], parts: list[str], up: Scale, even: float = 0.0
) -> str:
    """A plot of win shares: a title, a grid line per step (dashed at `even`), then `parts`."""
    lines = [text(16, 28, title, "title")]
    for share in steps:
        lines.append(level_line(share, up, "even" if share == even else "grid"))
        lines.append(text(46, up(share) + 4, f"{share:.0%}", "tick", "end"))
    return picture(242, f"{title}: {about}", lines + parts)


def level_line(share: float, up: Scale, kind: str) -> str:
    return line(52, up(share), WIDTH - 16, up(share), kind)


def title_of(row: Row) -> str:
    return f"{souk.game(row['game']).title}, {row['players']} players"


def ladder(game: str, docs: Path) -> str:
    """All bots, strongest first, with a mark and an interval per number of players."""
    by_players = ladders(docs / "strength")[game]
    bots = sorted({bot for rungs in by_players.values() for bot in rungs})
    every = [rung for rungs in by_players.values() for rung in rungs.values()]
    ends = [end for rung in every for end in (rung.low, rung.high)]
    steps = ticks(min(ends), max(ends), 7)
    at = scale(min(*ends, steps[0]), max(*ends, steps[-1]), LEFT, RIGHT)
    top, bottom = 58, 66 + 34 * len(bots)
    title = souk.game(game).title
    parts = [text(16, 28, title, "title")]
    parts.append(axis(steps, at, top, bottom, lambda tick: f"{tick:g}"))
    parts += _legend(list(by_players))
    for k, bot in enumerate(bots):
        y = bottom - 20 - 34 * k
        parts.append(text(16, y + 4, str(bot)))
        for number, rungs in enumerate(by_players.values()):
            if bot in rungs:
                offset = 12 * number - 6 * (len(by_players) - 1)
                parts.append(_whisker(number, rungs[bot], at, y + offset))
    return picture(bottom + 26, f"{title}: how much stronger than the apprentice", parts)


def _legend(players: list[int]) -> list[str]:
    return [
        mark(number, x, 45) + text(x + 11, 49, f"{count} players", "tick")
        for number, count in enumerate(players)
        for x in [24 + 100 * number]
    ]


def _whisker(number: int, rung: Rung, at: Scale, y: float) -> str:
    bar = line(at(rung.low), y, at(rung.high), y, f"cap c{number}")
    return bar + mark(number, at(rung.height), y)


def matches_by_playouts(docs: Path) -> dict[str, Rows]:
    """Matches of searches with fewer and more playouts than usual, by game."""
    rows = read_figures(docs / "strength" / "thinking-time.json")[1]["rows"]
    games: dict[str, Rows] = {}
    for row in sorted(rows, key=lambda row: (row["game"], playouts_of(row))):
        games.setdefault(row["game"], []).append(row)
    return games


def thinking_time(rows: Rows) -> str:
    """Win share by the logarithm of the playouts, against the usual number."""
    x = scale(math.log10(FEWEST), math.log10(MOST), 60, WIDTH - 44)
    low = min(0.5, *(row["without_luck"][1] for row in rows))
    high = max(0.5, *(row["without_luck"][2] for row in rows))
    steps = [step / 10 for step in range(math.floor(10 * low), math.ceil(10 * high) + 1)]
    up = scale(steps[0], steps[-1], 206, 60)
    shares = {playouts_of(row): row["without_luck"][0] for row in rows} | {USUAL: 0.5}
    points = [(x(math.log10(n)), up(shares[n])) for n in sorted(shares)]
    parts = [curve(points, "c0")]
    parts += [text(x(math.log10(n)), 228, f"{n:,}", "tick", "middle") for n in shares]
    for row in rows:
        share, low, high = row["without_luck"]
        at = x(math.log10(playouts_of(row)))
        parts += [line(at, up(low), at, up(high), "cap c0"), mark(0, at, up(share))]
        parts.append(text(at + 8, up(share) + 18, f"{share:.0%}"))
    about = f"share of wins with so many playouts a move against {USUAL:,}"
    return plot(title_of(rows[0]), about, steps, parts, up, even=0.5)


def trainings(docs: Path) -> dict[str, Rows]:
    """Rounds by game, the shipped net last."""
    games: dict[str, Rows] = {}
    for row in read_figures(docs / "figures" / "training-curve.json")[1]["rows"]:
        games.setdefault(row["game"], []).append(row)
    return games


def training_curve(rows: Rows) -> str:
    """Win share against no net by seconds of training; the dashed line is the shipped net."""
    rounds, shipped = [row for row in rows if row["round"]], rows[-1]["no_net"][0]
    highest = max(row["no_net"][2] for row in rows)
    steps = [step / 10 for step in range(5, int(10 * highest) + 2)]
    up = scale(0.5, steps[-1], 206, 60)
    x = scale(0.0, 1.15 * rounds[-1]["seconds"], 60, WIDTH - 24)
    parts = [level_line(shipped, up, "even")]
    parts.append(text(WIDTH - 16, 50, f"dashed: shipped, {shipped:.0%}", "tick", "end"))
    parts.append(text(x(0), 228, "0 s", "tick", "middle"))
    points = [(0.0, 0.5), *((row["seconds"], row["no_net"][0]) for row in rounds)]
    parts.append(curve([(x(seconds), up(share)) for seconds, share in points], "c0"))
    for row in rounds:
        share, low, high = row["no_net"]
        at = x(row["seconds"])
        parts += [line(at, up(low), at, up(high), "cap c0"), mark(0, at, up(share))]
        parts.append(text(at, up(high) - 6, f"{share:.0%}", "", "middle"))
        parts.append(text(at, 228, f"{row['seconds']:.0f} s", "tick", "middle"))
    return plot(title_of(rows[0]), "strength by seconds of training", steps, parts, up)


def pictures(docs: Path) -> dict[str, str]:
    """Plots by file name."""
    plots = {f"ladder-{game}.svg": ladder(game, docs) for game in ladders(docs / "strength")}
    for game, rows in matches_by_playouts(docs).items():
        plots[f"playouts-{game}.svg"] = thinking_time(rows)
    for game, rows in trainings(docs).items():
        plots[f"curve-{game}.svg"] = training_curve(rows)
    return plots
