"""What all pictures in a terminal share: the night they are painted on, the heading, and the players' names."""

from typing import Any

from rich.console import Group, RenderableType
from rich.constrain import Constrain
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from souk.games.art.palette import BRASS, LAMP, NIGHT, SAND, SEATS

WIDTH = 99  # of a whole picture: it fits a terminal of 100 columns
PAINT = f"{SAND} on {NIGHT}"  # grounds are always painted, since a terminal's own may be light or dark


def to_move(s: Any, rules: Any) -> int:
    """The seats that are to move, or whose die or card is due, as a bit set."""
    actors: int = rules.actors(s)
    return actors or (1 << s.turn if s.turn >= 0 else 0)


def player(seat: int, names: list[str], lit: int, figure: Text | None = None) -> Text:
    """A player's name, after their figure where they have one; in lamplight where `lit`, the seats to move, has them."""
    theirs = lit >> seat & 1
    title = Text("▸ " if theirs else "  ", f"bold {LAMP}" if theirs else SEATS[seat])
    if figure is not None:
        title.append_text(figure).append(" ")
    return title.append(names[seat])


def heading(title: str, *lines: RenderableType) -> RenderableType:
    """What is going on: a brass rule with a title, and what is to be done now."""
    return Group(Rule(Text(title, f"bold {BRASS}"), style=BRASS, align="left"), *lines)


def asked(who: str, what: str) -> Text:
    """What somebody is to do now; without a name, what is to happen."""
    text = Text(f"▸ {who} " if who else "", f"bold {LAMP}", no_wrap=True, overflow="ellipsis")
    return text.append(what, f"not bold {SAND}")


def side_by_side(*parts: tuple[RenderableType, int]) -> RenderableType:
    """Parts of given widths next to each other, with a gap between. (Widths that are known need no measuring.)"""
    grid = Table.grid(padding=(0, 1, 0, 0))
    for _, width in parts:
        grid.add_column(width=width)
    grid.add_row(*(part for part, _ in parts))
    return grid


def night(*parts: RenderableType) -> RenderableType:
    """A whole picture, painted on the night."""
    return Constrain(Padding(Group(*parts), 0, style=PAINT), WIDTH)
