"""The table in a terminal: drawn by the game's `terminal.py`, or listed field by field without one.

Also the parts all games share: background, headings, prompts and player names.
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

from souk.core.messages import Words
from souk.core.seat_view import SeatView
from souk.drawing.palette import BRASS, LAMP, NIGHT, SAND, SEATS

COLUMNS = 100  # every picture fits a terminal this wide
WIDTH = COLUMNS - 1  # of a whole picture
# Backgrounds are always painted: a terminal's own may be light or dark.
PAINT = f"{SAND} on {NIGHT}"

View = SeatView[Any, Any, Any]


def picture(view: View, names: Sequence[str], language: str = "en") -> RenderableType:
    """The view of a seat as a rich renderable."""
    if view.game.terminal is None:
        return _fields(view, language)
    rendered: RenderableType = view.game.terminal.picture(view, names, language)
    return rendered


def as_text(view: View, names: Sequence[str], language: str = "en") -> str:
    """The picture as text with ANSI colour codes."""
    output = StringIO()
    console = Console(
        file=output,
        width=COLUMNS,
        force_terminal=True,
        color_system="truecolor",
        legacy_windows=False,
    )
    console.print(picture(view, names, language))
    return output.getvalue()


def _fields(view: View, language: str) -> RenderableType:
    """Options and position as a table, each labelled by the game's texts."""
    words, table = Words(language), Table(box=None, show_header=False, padding=(0, 2))
    for kind, values in (("option", view.options), ("field", msgspec.to_builtins(view.position))):
        for name, value in values.items():
            keys = f"{view.game.name}.{kind}.{name}", f"any.name.{name}"
            label = next((words(key) for key in keys if key in words), name)
            table.add_row(Text(label, BRASS), Text(str(value)))
    return table


# ---------------------------------------------------------------- shared by all pictures


def to_move(view: View) -> tuple[int, ...]:
    """Seats to move, or whose die or card is due."""
    turn = view.position.turn
    return view.actors or (() if turn is None else (turn,))


def player(
    seat: int, names: Sequence[str], lit: Collection[int], figure: Text | None = None
) -> Text:
    """A player's name after their figure, if any; highlighted if the seat is in `lit`."""
    is_lit = seat in lit
    title = Text("▸ " if is_lit else "  ", f"bold {LAMP}" if is_lit else SEATS[seat])
    if figure is not None:
        title.append_text(figure).append(" ")
    return title.append(names[seat])


def heading(title: str, *lines: RenderableType) -> RenderableType:
    """A brass rule with a title, followed by lines."""
    return Group(Rule(Text(title, f"bold {BRASS}"), style=BRASS, align="left"), *lines)


def prompt_line(sentence: str, who: str = "", wrap: bool = False) -> Text:
    """A prompt with the name of the player to act highlighted; on one line unless it may wrap."""
    text = Text(
        f"▸ {sentence}" if who else sentence,
        f"not bold {SAND}",
        no_wrap=not wrap,
        overflow="ellipsis",
    )
    if who:
        begin = max(0, text.plain.find(who))
        text.stylize(f"bold {LAMP}", 0, 2)
        text.stylize(f"bold {LAMP}", begin, begin + len(who))
    return text


class SideBySide:
    """Places parts of given widths next to each other, in as many rows as the terminal needs."""

    def __init__(self, *parts: tuple[RenderableType, int]) -> None:
        self._parts = parts

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        row: list[tuple[RenderableType, int]] = []
        for part, width in self._parts:
            if row and sum(width + 1 for _, width in row) + width > options.max_width:
                yield _row(row)
                row = []
            row.append((part, width))
        yield _row(row)


def _row(parts: Sequence[tuple[RenderableType, int]]) -> Table:
    """One row of parts. Fixed column widths save measuring."""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for _, width in parts:
        grid.add_column(width=width)
    grid.add_row(*(part for part, _ in parts))
    return grid


def night(*parts: RenderableType) -> RenderableType:
    """A whole picture on the night background."""
    return Constrain(Padding(Group(*parts), 0, style=PAINT), WIDTH)
