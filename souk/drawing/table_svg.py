"""A table as SVG: a heading with the current status, room for the board, and a panel per player."""

from collections.abc import Sequence
from itertools import accumulate
from typing import Any, Generic, TypeVar

from souk.core.facts import Fact
from souk.core.messages import Message, Seat, texts
from souk.core.seat_view import SeatView
from souk.drawing.svg_document import Sheet

# Margin; heading height above the board; width of the players' panels.
EDGE, TOP, SIDE = 16, 72, 316

View = TypeVar("View", bound=SeatView[Any, Any, Any], covariant=True)
Spot = tuple[float, float, float]  # position and available width


# ---------------------------------------------------------------- texts


def say(key: str, names: Sequence[str] = (), /, **values: Any) -> str:
    """An English interface text."""
    return Message(key, **values).text(names or None)


def player_names(view: SeatView[Any, Any, Any], names: Sequence[str]) -> list[str]:
    """The players' names, or seat numbers."""
    return list(names) or [
        f"{say('word.seat').capitalize()} {seat}" for seat in range(view.players)
    ]


def happening(view: SeatView[Any, Any, Any], names: Sequence[str]) -> str:
    """Status line: whose turn and what to do, what is being rolled, or who has won."""
    if view.over:
        winners = [Seat(seat) for seat in view.winners]
        key = "result.share" if len(winners) > 1 else "result.wins"
        return say(key, names, names=winners) if winners else say("told.core.over").rstrip(".")
    if view.due:
        return f"{say('ui.rolling')} {view.due.text(names)}"
    who = say("ui.turn_of", names, names=[Seat(seat) for seat in view.actors])
    todo = f"{view.game.name}.todo.{view.position.phase}"
    return f"{who}: {say(todo).rstrip('.')}" if todo in texts("en") else who


def fitted(text: str, width: float, size: float, bold: bool = False) -> str:
    """As much of a text as fits, estimated from letter widths of a wide font."""
    letter_width = size * (0.68 if bold else 0.56)
    ends = list(accumulate(letter_width * (1.5 if letter in "mwMW" else 1) for letter in text))
    if not ends or ends[-1] <= width:
        return text
    return text[: max(1, sum(end <= width - letter_width for end in ends))].rstrip() + "…"


# ---------------------------------------------------------------- the table


class TableSheet(Sheet, Generic[View]):
    """The view of a seat, with room for a board at (EDGE, TOP).

    `past`: events known to have happened before.
    """

    def __init__(
        self,
        view: View,
        names: Sequence[str],
        board: tuple[float, float],
        past: Sequence[Fact] = (),
    ) -> None:
        super().__init__(EDGE + board[0] + EDGE + SIDE + EDGE, TOP + board[1] + EDGE)
        self.view, self.names, self.past = view, player_names(view, names), past
        self.title, now = view.game.title, happening(view, self.names)
        scores = ", ".join(
            f"{name} {score}" for name, score in zip(self.names, view.scores, strict=True)
        )
        self.about = f"{now}. {scores}."
        self.picture("souk", EDGE, 14, 46)
        self.figure(EDGE + 58, 47, self.title, 30, "heading")
        where = EDGE + 58 + 18.5 * len(self.title) + 24
        left = self.width - where - EDGE
        size = next((size for size in (24, 21, 18) if fitted(now, left, size) == now), 18)
        self.text(where, 46, fitted(now, left, size), size, "lamp")

    def panel(self, seat: int, height: float) -> Spot:
        """Draw a player's panel with figure and name; return the room left in it."""
        view, x, y = self.view, self.width - EDGE - SIDE, TOP + seat * (height + 10)
        lit = seat in view.actors or (view.due is not None and view.position.turn == seat)
        if lit:
            self.rect(x, y, SIDE, height, 14, fill="panel-2", stroke="lamp", stroke_width=2)
            self.add("circle", cx=x + SIDE - 26, cy=y + 30, r=8, fill="lamp")
        else:
            self.rect(x, y, SIDE, height, 14, fill="panel", stroke="line")
        self.rect(x, y + 16, 5, height - 32, 2, fill=f"seat-{seat}")
        self.picture(f"figure-{seat}", x + 16, y + 8, 46)
        name = self.names[seat] + (f" ({say('seat.you')})" if seat == view.seat else "")
        short = fitted(name, SIDE - 62 - 52, 23, bold=True)
        self.text(x + 62, y + 38, short, 23, "heading" if lit else "text", font_weight="bold")
        if seat in view.winners:
            self.picture("star", x + SIDE - 48, y + 10, 38)
        return x + 18, y + 60 + max(0, height - 150) / 3, SIDE - 34

    def counted(self, name: str, x: float, y: float, n: int, size: float) -> None:
        """A square picture followed by a number, faint if 0."""
        self.picture(name, x, y, size, opacity=None if n else 0.35)
        look = {"fill": "text", "font_weight": "bold"} if n else {"fill": "text-2"}
        self.text(x + size + 6, y + size / 2 + 8, n, 22, **look)

    def bar(self, x: float, y: float, width: float, share: float, colour: str) -> None:
        """A progress bar."""
        self.rect(x, y, width, 8, 4, fill="text-2", fill_opacity=0.25)
        if share > 0:
            self.rect(x, y, width * min(1, share), 8, 4, fill=colour)
