"""The pictures of docs/strength.md and docs/minds.md, from what bench/strength.py measured: the ladder of each game, and what more playouts are worth.

Each is as wide as a phone, stands on a ground of its own, and is light or dark as the reader's screen is. Two numbers of players differ in the mark and not in
the colour alone.
"""

import math
from html import escape
from pathlib import Path
from typing import Any

from ladder import Rung, ladders
from patience import USUAL
from pedigree import read_figures

import souk
from souk.games.art import palette
from souk.games.art.plots import Scale, axis, line, scale, text, ticks

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
FEWEST, MOST = 2_000, 250_000  # the ends of the curve

Row = dict[str, Any]


def picture(height: float, title: str, parts: list[str]) -> str:
    """An SVG file of its own."""
    size = f'viewBox="0 0 {WIDTH} {height:.0f}" width="{WIDTH}" height="{height:.0f}"'
    ground = f'<rect x=".5" y=".5" width="{WIDTH - 1}" height="{height - 1:.0f}" rx="12" class="ground"/>'
    style = f"<style>{palette.style(COLOURS)}{SHAPES}</style>"
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} role="img"><title>{escape(title)}</title>{style}{ground}'
    return head + "\n".join(parts) + "</svg>\n"


def mark(number: int, x: float, y: float) -> str:
    return f'<g class="mark c{number}" transform="translate({x:.1f} {y:.1f})">{MARKS[number]}</g>'


# ---------------------------------------------------------------- the ladder


def ladder(game: str, docs: Path) -> str:
    """All bots of a game, the strongest on top, with a mark and an interval for each number of players."""
    by_players = ladders(docs / "strength")[game]
    bots = sorted({bot for found in by_players.values() for bot in found})
    ends = [end for found in by_players.values() for rung in found.values() for end in (rung.low, rung.high)]
    steps = ticks(min(ends), max(ends), 7)
    at = scale(min(*ends, steps[0]), max(*ends, steps[-1]), LEFT, RIGHT)
    top, bottom = 58, 66 + 34 * len(bots)
    parts = [text(16, 28, souk.game(game).title, "title"), axis(steps, at, top, bottom, lambda tick: f"{tick:g}")]
    parts += _legend(list(by_players))
    for k, bot in enumerate(bots):
        y = bottom - 20 - 34 * k
        parts.append(text(16, y + 4, str(bot)))
        for number, found in enumerate(by_players.values()):
            if bot in found:
                parts.append(_whisker(number, found[bot], at, y + 12 * number - 6 * (len(by_players) - 1)))
    return picture(bottom + 26, f"{souk.game(game).title}: how much stronger than the apprentice", parts)


def _legend(players: list[int]) -> list[str]:
    places = [(number, 24 + 100 * number) for number in range(len(players))]
    return [mark(number, x, 45) + text(x + 11, 49, f"{players[number]} players", "tick") for number, x in places]


def _whisker(number: int, rung: Rung, at: Scale, y: float) -> str:
    return line(at(rung.low), y, at(rung.high), y, f"cap c{number}") + mark(number, at(rung.height), y)


# ---------------------------------------------------------------- thinking time


def impatient(docs: Path) -> list[Row]:
    """The matches of searches by a mind with fewer and more playouts than usual."""
    rows = read_figures(docs / "strength" / "patience.json")[1]["rows"]
    return sorted(rows, key=lambda row: (row["game"], _playouts(row)))


def patience(game: str, docs: Path) -> str:
    """What share of the games is won with fewer or more playouts, against the usual ones."""
    rows = [row for row in impatient(docs) if row["game"] == game]
    at = scale(math.log10(FEWEST), math.log10(MOST), 60, WIDTH - 44)
    low, high = (pick(*(row["without_luck"][end] for row in rows), 0.5) for end, pick in ((1, min), (2, max)))
    steps = [step / 10 for step in range(math.floor(10 * low), math.ceil(10 * high) + 1)]
    up = scale(steps[0], steps[-1], 206, 60)
    title = f"{souk.game(game).title}, {rows[0]['players']} players"
    parts = [text(16, 28, title, "title")]
    for share in steps:
        even = share == 0.5
        parts.append(line(52, up(share), WIDTH - 16, up(share), "even" if even else "grid"))
        parts.append(text(46, up(share) + 4, f"{share:.0%}", "tick", "end"))
    told = f"{title}: share of wins with so many playouts a move against {USUAL:,}"
    return picture(242, told, parts + _curve(rows, at, up))


def _playouts(row: Row) -> int:
    return int(row["better"].partition("=")[2])


def _curve(rows: list[Row], at: Scale, up: Scale) -> list[str]:
    """Shares with their intervals by the logarithm of the playouts, through an even share at the usual ones."""
    places = {_playouts(row): row["without_luck"][0] for row in rows} | {USUAL: 0.5}
    path = "L".join(f"{at(math.log10(many)):.1f} {up(places[many]):.1f}" for many in sorted(places))
    parts = [f'<path d="M{path}" class="curve c0"/>']
    parts += [text(at(math.log10(many)), 228, f"{many:,}", "tick", "middle") for many in places]
    for row in rows:
        share, low, high = row["without_luck"]
        x, y = at(math.log10(_playouts(row))), up(share)
        parts += [line(x, up(low), x, up(high), "cap c0"), mark(0, x, y), text(x + 8, y + 18, f"{share:.0%}")]
    return parts


# ---------------------------------------------------------------- all of them


def pictures(docs: Path) -> dict[str, str]:
    """By the name of its file: whatever there are matches for."""
    steep = {f"ladder-{game}.svg": ladder(game, docs) for game in ladders(docs / "strength")}
    return steep | {f"patience-{game}.svg": patience(game, docs) for game in _thinking(docs)}


def _thinking(docs: Path) -> list[str]:
    return sorted({row["game"] for row in impatient(docs)})


def ladder_links(docs: Path) -> list[str]:
    return [_link("the ladder of all bots", "ladder", game) for game in ladders(docs / "strength")]


def patience_links(docs: Path) -> list[str]:
    return [_link("share of wins by playouts", "patience", game) for game in _thinking(docs)]


def _link(about: str, kind: str, game: str) -> str:
    return f"![{souk.game(game).title}: {about}](images/{kind}-{game}.svg)"
