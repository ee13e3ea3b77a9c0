"""What all drawings share: a sheet that gathers shapes and pictures, what happens now as its heading, and a panel for each player.

A drawing is the browser's table as one SVG file that needs nothing else: the pictures of `souk.games.art` and the ground of a game are
symbols in it, each there once. Shapes have presentation attributes only, so whatever knows SVG draws them alike.

A game's `drawing.py` has a `DRAWING`, made of a function that draws what a seat sees: `sheet(view, names)`.
"""

import hashlib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from html import escape
from itertools import accumulate
from typing import Any
from xml.etree import ElementTree

from souk.core.message import Message, Seat, texts
from souk.core.view import SeatView
from souk.games import art
from souk.games.art.palette import FAINT, HEADING, LAMP, LINE, NIGHT, PANEL, PANEL_LIT, SEATS, TEXT

WIDTH = 700  # of a drawing, in pixels, unless told otherwise

SANS = "system-ui,'DejaVu Sans','Liberation Sans','Noto Sans',Arial,sans-serif"
SERIF = "Georgia,'DejaVu Serif','Liberation Serif','Noto Serif',serif"

EDGE, TOP, SIDE = 16, 72, 316  # around everything; above the board, for the heading; how wide the players' panels are
View = SeatView[Any, Any, Any]

MARK = "\ue000"  # stands before every id until the drawing is done; no name of a player can hold it
_NAMESPACE = "http://www.w3.org/2000/svg"


# ---------------------------------------------------------------- shapes


def tag(element: str, content: str = "", /, **attributes: Any) -> str:
    """An element. In the names of attributes `_` stands for `-`; those that are None are left out."""
    given = {name.replace("_", "-"): value for name, value in attributes.items() if value is not None}
    start = element + "".join(f' {name}="{_written(value)}"' for name, value in given.items())
    return f"<{start}>{content}</{element}>" if content else f"<{start}/>"


def _written(value: Any) -> str:
    return escape(value, quote=False).replace('"', "&quot;") if isinstance(value, str) else f"{round(value, 2):g}"


class Sheet:
    """A drawing under way, `width` × `height` units large."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.title = self.about = ""
        self.symbols: dict[str, str] = {}  # what shapes refer to by its name: pictures, grounds, gradients
        self.pieces: list[str] = []  # groups that often stay as they are for a while
        self._shapes: list[str] = []

    def add(self, element: str, content: str = "", /, **attributes: Any) -> None:
        self._shapes.append(tag(element, content, **attributes))

    def rect(self, x: float, y: float, width: float, height: float, rx: float = 0, **look: Any) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, rx=rx or None, **look)

    def text(self, x: float, y: float, text: object, size: float = 22, fill: str = TEXT, **look: Any) -> None:
        """A text whose line stands at y."""
        self.add("text", escape(str(text)), x=x, y=y, font_size=size, fill=fill, **look)

    def art(self, name: str, x: float, y: float, height: float, **look: Any) -> None:
        """A picture of `souk.games.art` with its upper left corner at a point."""
        symbol, wide, high = _picture(name)
        self.symbols[name] = symbol
        self.add("use", href=f"#{MARK}{name}", x=x, y=y, width=height * wide / high, height=height, **look)

    def ground(self, name: str, ground: "Sheet", x: float = 0, y: float = 0) -> None:
        """Another sheet at a point. One that is the same in every position is drawn once for all of them."""
        self.symbols |= ground.symbols
        self.symbols[name] = tag("symbol", ground.body, id=MARK + name, overflow="visible")
        self.add("use", href=f"#{MARK}{name}", x=x or None, y=y or None)

    @contextmanager
    def group(self, element: str = "g", **attributes: Any) -> Iterator[None]:
        """What is drawn inside goes into one element."""
        outside, self._shapes = self._shapes, []
        yield
        outside.append(tag(element, self.body, **attributes))
        self._shapes = outside

    @contextmanager
    def piece(self, **attributes: Any) -> Iterator[None]:
        """A group that often looks the same from one position to the next."""
        with self.group(**attributes):
            yield
        self.pieces.append(self._shapes[-1])

    @property
    def body(self) -> str:
        """The shapes, with ids that are still marked."""
        return "".join(self._shapes)

    def svg(self, width: float = WIDTH) -> str:
        """The drawing as an SVG file. Its ids begin with a digest of it, so several can stand in one page."""
        whole = self.framed(width, tag("defs", "".join(self.symbols.values())) + self.body)
        return named(whole, f"souk-{hashlib.sha256(whole.encode()).hexdigest()[:8]}-")

    def framed(self, width: float, content: str) -> str:
        """The SVG element with its words and the night around a content, with ids that are still marked."""
        words = tag("title", escape(self.title)) + tag("desc", escape(self.about))
        night = tag("rect", width=self.width, height=self.height, rx=22, fill=NIGHT)
        height = self.height * width / self.width
        return tag(
            "svg",
            words + night + content,
            xmlns=_NAMESPACE,
            viewBox=f"0 0 {self.width:g} {self.height:g}",
            width=width,
            height=height,
            role="img",
            font_family=SANS,
        )


def named(drawing: str, prefix: str) -> str:
    """A drawing whose ids begin with a prefix."""
    return drawing.replace(MARK, prefix)


def gradient(sheet: Sheet, name: str, *stops: tuple[float, str, float], **where: Any) -> str:
    """A gradient of a sheet, from stops (where, colour, opacity); a radial one has `cx`. What it is called by `fill`."""
    colours = [
        tag("stop", offset=at, stop_color=colour, stop_opacity=None if opacity == 1 else opacity)
        for at, colour, opacity in stops
    ]
    kind = "radialGradient" if "cx" in where else "linearGradient"
    sheet.symbols[name] = tag(kind, "".join(colours), id=MARK + name, **where)
    return f"url(#{MARK}{name})"


@cache
def _picture(name: str) -> tuple[str, float, float]:
    """A picture as a symbol whose ids are marked, and its width and height."""
    text = art.svg(name)
    _, _, width, height = map(float, ElementTree.fromstring(text).attrib["viewBox"].split())
    inner = text[text.index(">") + 1 : text.rindex("</svg>")]
    inner = "".join(line.strip() for line in inner.splitlines()).replace('id="', f'id="{MARK}')
    inner = inner.replace("url(#", f"url(#{MARK}")
    return tag("symbol", inner, id=MARK + name, viewBox=f"0 0 {width:g} {height:g}"), width, height


# ---------------------------------------------------------------- what is said


def say(key: str, names: Sequence[str] = (), /, **values: Any) -> str:
    """A text of the house in English."""
    return Message(key, **values).text(names or None)


def player_names(view: View, names: Sequence[str]) -> list[str]:
    """The players' names, or which seats they are."""
    return list(names) or [f"{say('word.seat').capitalize()} {seat}" for seat in range(view.players)]


def happening(view: View, names: Sequence[str]) -> str:
    """What is to be done now and by whom, what is due, or who has won."""
    if view.over:
        winners = [Seat(seat) for seat in view.winners]
        key = "result.share" if len(winners) > 1 else "result.wins"
        return say(key, names, names=winners) if winners else say("told.core.over").rstrip(".")
    if view.due:
        return f"{say('ui.rolling')} {view.due.text(names)}"
    who = say("ui.turn_of", names, names=[Seat(seat) for seat in view.actors])
    todo = f"{view.game.name}.todo.{view.position.phase}"
    return f"{who}: {say(todo).rstrip('.')}" if todo in texts("en") else who


def fitted(text: str, room: float, size: float, bold: bool = False) -> str:
    """As much of a text as fits, by the width that letters have in a wide font."""
    each = size * (0.68 if bold else 0.56)
    ends = list(accumulate(each * (1.5 if letter in "mwMW" else 1) for letter in text))
    if not ends or ends[-1] <= room:
        return text
    return text[: max(1, sum(end <= room - each for end in ends))].rstrip() + "…"


# ---------------------------------------------------------------- the table


def table(view: View, names: Sequence[str], board: tuple[float, float]) -> Sheet:
    """A sheet with room for a board of this size and the players beside it, and its heading."""
    width = EDGE + board[0] + EDGE + SIDE + EDGE
    sheet = Sheet(width, TOP + board[1] + EDGE)
    sheet.title, now = view.game.title, happening(view, names)
    scores = ", ".join(f"{name} {score}" for name, score in zip(names, view.scores, strict=True))
    sheet.about = f"{now}. {scores}."
    sheet.art("souk", EDGE, 14, 46)
    sheet.text(EDGE + 58, 47, view.game.title, 30, HEADING, font_family=SERIF, font_weight="bold")
    where = EDGE + 58 + 18.5 * len(view.game.title) + 24
    room = width - where - EDGE
    size = next((size for size in (24, 21, 18) if fitted(now, room, size) == now), 18)
    sheet.text(where, 46, fitted(now, room, size), size, LAMP)
    return sheet


def panel(sheet: Sheet, view: View, seat: int, names: Sequence[str], height: float) -> tuple[float, float, float]:
    """A player's panel with figure and name: where there is room in it for more, and how wide that is."""
    x, y = sheet.width - EDGE - SIDE, TOP + seat * (height + 10)
    lit = seat in view.actors or (view.due is not None and view.position.turn == seat)
    if lit:
        sheet.rect(x, y, SIDE, height, 14, fill=PANEL_LIT, stroke=LAMP, stroke_width=2)
        sheet.add("circle", cx=x + SIDE - 26, cy=y + 30, r=8, fill=LAMP)
    else:
        sheet.rect(x, y, SIDE, height, 14, fill=PANEL, stroke=LINE)
    sheet.rect(x, y + 16, 5, height - 32, 2, fill=SEATS[seat])
    sheet.art(f"figure-{seat}", x + 16, y + 8, 46)
    name = names[seat] + (f" ({say('seat.you')})" if seat == view.seat else "")
    short = fitted(name, SIDE - 62 - 52, 23, bold=True)
    sheet.text(x + 62, y + 38, short, 23, HEADING if lit else TEXT, font_weight="bold")
    if seat in view.winners:
        sheet.art("star", x + SIDE - 48, y + 10, 38)
    return x + 18, y + 60 + max(0, height - 150) / 3, SIDE - 34


def counted(sheet: Sheet, name: str, x: float, y: float, n: int, size: float) -> None:
    """A square picture with a number behind it; faint where there are none."""
    sheet.art(name, x, y, size, opacity=None if n else 0.35)
    look = {"fill": TEXT, "font_weight": "bold"} if n else {"fill": FAINT}
    sheet.text(x + size + 6, y + size / 2 + 8, n, 22, **look)


def bar(sheet: Sheet, x: float, y: float, width: float, share: float, colour: str) -> None:
    """How far something has come."""
    sheet.rect(x, y, width, 8, 4, fill=FAINT, fill_opacity=0.25)
    if share > 0:
        sheet.rect(x, y, width * min(1, share), 8, 4, fill=colour)
