"""The table in a terminal: what a seat sees, drawn by the game's `terminal.py`, or told field by field where it has none.

Below is what all pictures share: the night they are painted on, the heading, what is asked for, and the players' names.
"""

from collections.abc import Collection, Sequence
from io import StringIO
from typing import Any

import msgspec
from rich.console import Console, ConsoleOptions, Group, RenderableType, RenderResult
from rich.constrain import Constrain
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from souk.core.message import Words
from souk.core.view import SeatView
from souk.games.art.palette import BRASS, LAMP, NIGHT, SAND, SEATS

COLUMNS = 100  # of a terminal that every picture fits in
WIDTH = COLUMNS - 1  # of a whole picture
PAINT = f"{SAND} on {NIGHT}"  # grounds are always painted, since a terminal's own may be light or dark

View = SeatView[Any, Any, Any]


def picture(view: View, names: Sequence[str], language: str = "en") -> RenderableType:
    """What a seat sees, as something that rich can print."""
    if view.game.terminal is None:
        return _fields(view, language)
    found: RenderableType = view.game.terminal.picture(view, names, language)
    return found


def as_text(view: View, names: Sequence[str], language: str = "en") -> str:
    """The picture as text, with the signs by which a terminal knows its colours."""
    lines = StringIO()
    console = Console(file=lines, width=COLUMNS, force_terminal=True, color_system="truecolor", legacy_windows=False)
    console.print(picture(view, names, language))
    return lines.getvalue()


def _fields(view: View, language: str) -> RenderableType:
    """The options and the position, each by the name that the game's texts have for it."""
    words, table = Words(language), Table(box=None, show_header=False, padding=(0, 2))
    for kind, values in (("option", view.options), ("field", msgspec.to_builtins(view.position))):
        for name, value in values.items():
            keys = f"{view.game.name}.{kind}.{name}", f"any.name.{name}"
            known = next((words(key) for key in keys if key in words), name)
            table.add_row(Text(known, BRASS), Text(str(value)))
    return table


# ---------------------------------------------------------------- what all pictures share


def to_move(view: View) -> tuple[int, ...]:
    """The seats that are to move, or whose die or card is due."""
    turn = view.position.turn
    return view.actors or (() if turn is None else (turn,))


def player(seat: int, names: Sequence[str], lit: Collection[int], figure: Text | None = None) -> Text:
    """A player's name, after their figure where they have one; in lamplight where `lit`, the seats to move, has them."""
    theirs = seat in lit
    title = Text("▸ " if theirs else "  ", f"bold {LAMP}" if theirs else SEATS[seat])
    if figure is not None:
        title.append_text(figure).append(" ")
    return title.append(names[seat])


def heading(title: str, *lines: RenderableType) -> RenderableType:
    """What is going on: a brass rule with a title, and what is to be done now."""
    return Group(Rule(Text(title, f"bold {BRASS}"), style=BRASS, align="left"), *lines)


def asked(sentence: str, who: str = "", wrap: bool = False) -> Text:
    """What is to be done now, with the name of the one who is to do it in lamplight; on one line, unless it may wrap."""
    text = Text(f"▸ {sentence}" if who else sentence, f"not bold {SAND}", no_wrap=not wrap, overflow="ellipsis")
    if who:
        begin = max(0, text.plain.find(who))
        text.stylize(f"bold {LAMP}", 0, 2)
        text.stylize(f"bold {LAMP}", begin, begin + len(who))
    return text


class SideBySide:
    """Parts of given widths next to each other, with a gap between, in as many rows as a terminal needs."""

    def __init__(self, *parts: tuple[RenderableType, int]) -> None:
        self._parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        row: list[tuple[RenderableType, int]] = []
        for part, width in self._parts:
            if row and sum(each + 1 for _, each in row) + width > options.max_width:
                yield _row(row)
                row = []
            row.append((part, width))
        yield _row(row)


def _row(parts: Sequence[tuple[RenderableType, int]]) -> Table:
    """One row of parts. (Widths that are known need no measuring.)"""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for _, width in parts:
        grid.add_column(width=width)
    grid.add_row(*(part for part, _ in parts))
    return grid


def night(*parts: RenderableType) -> RenderableType:
    """A whole picture, painted on the night."""
    return Constrain(Padding(Group(*parts), 0, style=PAINT), WIDTH)
