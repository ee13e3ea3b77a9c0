"""Suleika in a terminal: the market with rugs and Omar, with purses and rugs beside it."""

from collections.abc import Sequence

from rich.console import Group, RenderableType
from rich.style import Style
from rich.table import Table
from rich.text import Text

from souk.core.messages import Message, Words
from souk.core.seat_view import SeatView
from souk.drawing.palette import (
    BLUE,
    BRASS,
    GREEN,
    INK,
    INLAY,
    LAMP,
    NIGHT,
    RED,
    RUGS,
    THREADS,
    TILES,
    YELLOW,
)
from souk.drawing.terminal import SideBySide, player, prompt_line, to_move
from souk.games.suleika.board_info import SuleikaBox, SuleikaScene
from souk.games.suleika.notation import COLOURS, DIRECTIONS, INITIALS, SuleikaPosition

_RUGS = tuple(zip(RUGS, THREADS, "◇✦≈♣", strict=True))
_NAMES = (RED, YELLOW, BLUE, GREEN)
_OMAR = "▲▶▼◀"
_WIDTH = 5
# Columns: of the market, of the text beside it, and for a player's name there.
_MARKET, _TOLD, _NAME = 47, 51, 12

SuleikaView = SeatView[SuleikaPosition, SuleikaBox, SuleikaScene]


def picture(view: SuleikaView, names: Sequence[str], language: str) -> RenderableType:
    words = Words(language, names)
    beside = Group(_purses(view, names, words), Text(), *_asked(view, names, words))
    return SideBySide((_market(view.position), _MARKET), (beside, _TOLD))


# ---------------------------------------------------------------- the market


def _market(position: SuleikaPosition) -> RenderableType:
    lines = []
    for row, halves in zip("7654321", position.board, strict=True):
        for line in range(2):
            label = f" {row} " if line == 0 else "   "
            cells = [_cell(position, column, row, halves, line) for column in range(len(halves))]
            lines.append(Text(label, Style(color=BRASS, bgcolor=NIGHT)) + Text("").join(cells))
    letters = "".join(letter.center(_WIDTH + 1) for letter in "abcdefg")
    return Group(*lines, Text("   " + letters, Style(color=BRASS, bgcolor=NIGHT)))


def _cell(position: SuleikaPosition, column: int, row: str, halves: list[str], line: int) -> Text:
    """One of a field's two lines: the weave above, the rug's number below.

    A rug that lies across bridges the gap to the next field.
    """
    half = halves[column]
    if half:
        ground, thread, weave = _RUGS[INITIALS.index(half[0])]
        text = weave * 3 if line == 0 else half[1:]
    else:
        ground, thread, weave, text = (
            TILES[(column + int(row) + 1) % 2],
            INLAY,
            " ",
            "·" if line == 0 else "",
        )
    cell = Text(text.center(_WIDTH), Style(color=thread, bgcolor=ground))
    if position.omar.at == "abcdefg"[column] + row:
        text = _OMAR[DIRECTIONS.index(position.omar.facing)] if line == 0 else "Omar"
        cell = Text(text.center(_WIDTH), Style(color=LAMP, bgcolor=INK, bold=True))
    joined = bool(half) and halves[column + 1 : column + 2] == [half]
    return cell + Text(
        weave if joined else " ", Style(color=thread, bgcolor=ground if joined else NIGHT)
    )


# ---------------------------------------------------------------- beside the market


def _purses(view: SuleikaView, names: Sequence[str], words: Words) -> RenderableType:
    table = Table(box=None, header_style=f"bold {BRASS}", pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("")
    table.add_column("", width=_NAME, no_wrap=True, overflow="ellipsis")
    for heading in ("piastres", "halves", "rugs", "score"):
        table.add_column(words(f"suleika.terminal.{heading}"), justify="right")
    for seat, own in enumerate(view.box.colours):
        swatch = Text(" ").join(_swatch(initial) for initial in own)
        purse = view.position.money[seat], view.scene.halves[seat], view.scene.rugs[seat]
        score = Text(str(view.scores[seat]), "bold")
        table.add_row(swatch, player(seat, names, to_move(view)), *map(str, purse), score)
    return table


def _swatch(initial: str) -> Text:
    ground, thread, weave = _RUGS[INITIALS.index(initial)]
    return Text(weave * 2, Style(color=thread, bgcolor=ground))


def _asked(view: SuleikaView, names: Sequence[str], words: Words) -> list[Text]:
    """The prompt; with two players also the rug to lay."""
    phase, turn, initial = view.position.phase, view.position.turn, view.position.rug
    if turn is None:
        return [prompt_line(words("told.core.over"))]
    lines = [
        prompt_line(words(f"suleika.terminal.{phase}", who=names[turn]), names[turn], wrap=True)
    ]
    if initial is not None:
        colour = INITIALS.index(initial)
        rug = Message(f"suleika.word.rug.{COLOURS[colour]}")
        lines.append(Text(words("suleika.terminal.to_lay", rug=rug), Style(color=_NAMES[colour])))
    return lines
