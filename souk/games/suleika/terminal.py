"""Suleika drawn in a terminal: the market in woven colours, Omar on it, purses and rugs beside it."""

from typing import Any

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from souk.games.art.palette import (
    BLUE,
    BRASS,
    DUSK,
    GREEN,
    INK,
    INLAY,
    LAMP,
    NIGHT,
    RED,
    RUGS,
    SAND,
    SEATS,
    THREADS,
    TILES,
    YELLOW,
)
from souk.games.suleika import rules
from souk.games.suleika.notation import COLOURS

_RUGS = tuple(zip(RUGS, THREADS, "◇✦≈♣", strict=True))
_NAMES = (RED, YELLOW, BLUE, GREEN)
_OMAR = "▲▶▼◀"
_WIDTH = 5


def picture(s: Any, names: list[str], language: str) -> RenderableType:  # noqa: ARG001
    grid = Table.grid(padding=(0, 3))
    grid.add_row(_market(s), _purses(s, names))
    return grid


def _cell(s: Any, column: int, row: int, line: int) -> Text:
    """One of a field's two lines, the weave above and the rug's number below: the halves of one rug have the same. The gap
    to the next field is bridged by a rug that lies across it."""
    field = column * rules.SIDE + row
    colour = rules.colour_at(s, field)
    if colour < 0:
        ground, thread, weave, text = TILES[(column + row) % 2], INLAY, " ", "·" if line == 0 else ""
    else:
        ground, thread, weave = _RUGS[colour]
        text = weave * 3 if line == 0 else str(s.rug[field])
    cell = Text(text.center(_WIDTH), Style(color=thread, bgcolor=ground))
    if field == s.omar:
        text = _OMAR[s.facing] if line == 0 else "Omar"
        cell = Text(text.center(_WIDTH), Style(color=LAMP, bgcolor=INK, bold=True))
    joined = _same_rug(s, field, rules.beside(field, 3))
    return cell + Text(weave if joined else " ", Style(color=thread, bgcolor=ground if joined else NIGHT))


def _same_rug(s: Any, field: int, other: int) -> bool:
    return other >= 0 and s.rug[field] != 0 and s.rug[field] == s.rug[other]


def _market(s: Any) -> RenderableType:
    lines = []
    for row in reversed(range(rules.SIDE)):
        for line in range(2):
            label = f" {row + 1} " if line == 0 else "   "
            cells = [_cell(s, column, row, line) for column in range(rules.SIDE)]
            lines.append(Text(label, Style(color=BRASS, bgcolor=NIGHT)) + Text("").join(cells))
    letters = "".join(letter.center(_WIDTH + 1) for letter in "abcdefg")
    return Group(*lines, Text("   " + letters, Style(color=BRASS, bgcolor=NIGHT)))


def _purses(s: Any, names: list[str]) -> RenderableType:
    table = Table(box=None, header_style=f"bold {BRASS}", pad_edge=False)
    for heading in ("", "", "piastres", "halves", "rugs left", "score"):
        table.add_column(heading, justify="right" if heading else "left")
    scores = [0] * s.players
    rules.standing(s, scores)
    for seat, name in enumerate(names):
        own = [colour for colour in range(4) if rules.owner(s, colour) == seat]
        swatch = Text(" ").join(
            Text(_RUGS[colour][2] * 2, Style(color=_RUGS[colour][1], bgcolor=_RUGS[colour][0])) for colour in own
        )
        mark = "▸" if seat == s.turn else " "
        title = Text(f"{mark} {name}", f"bold {LAMP}" if seat == s.turn else SEATS[seat])
        left = str(rules.rugs_left(s, seat))
        table.add_row(
            swatch, title, str(s.money[seat]), str(rules.halves(s, seat)), left, Text(str(scores[seat]), "bold")
        )
    if s.up < 0:
        return table
    to_lay = Text(f"\n{COLOURS[s.up].capitalize()} rug to lay", Style(color=_NAMES[s.up]))
    return Group(table, to_lay, Text("", Style(bgcolor=DUSK, color=SAND)))
