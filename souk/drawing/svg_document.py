"""Builds a self-contained SVG file from shapes, pictures and background templates.

Pictures of `souk.drawing` become symbols, included once each. Shapes use presentation attributes
only, which every SVG renderer understands. Colours are palette names.
"""

import hashlib
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from html import escape
from typing import Any
from xml.etree import ElementTree

from souk import drawing
from souk.drawing.palette import BY_NIGHT

WIDTH = 700  # default width of a drawing in pixels
SANS = "system-ui,'DejaVu Sans','Liberation Sans','Noto Sans',Arial,sans-serif"
SERIF = "Georgia,'DejaVu Serif','Liberation Serif','Noto Serif',serif"
FONTS = {"serif": SERIF, "sans": SANS}

# precedes every id until the drawing is finished; cannot occur in a player's name
MARK = "\ue000"
_NAMESPACE = "http://www.w3.org/2000/svg"
_PAINT = ("fill", "stroke", "stop-color")


# ---------------------------------------------------------------- elements


def tag(element: str, content: str = "", /, **attributes: Any) -> str:
    """An SVG element. `_` in attribute names becomes `-`; attributes that are None are omitted."""
    present = {
        name.replace("_", "-"): value for name, value in attributes.items() if value is not None
    }
    start = element + "".join(f" {_attribute(name, value)}" for name, value in present.items())
    return f"<{start}>{content}</{element}>" if content else f"<{start}/>"


def _attribute(name: str, value: Any) -> str:
    if name in _PAINT:
        return _painted(name, value)
    return f'{name}="{_written(value)}"'


def _written(value: Any) -> str:
    return (
        escape(value, quote=False).replace('"', "&quot;")
        if isinstance(value, str)
        else f"{round(value, 2):g}"
    )


def _painted(name: str, paint: str) -> str:
    """A colour attribute. Opacity is an attribute apart, which every renderer supports."""
    if paint == "none" or paint.startswith(("#", "url(")):
        return f'{name}="{paint}"'
    if paint not in BY_NIGHT:
        raise ValueError(f"there is no colour {paint!r} in the palette")
    colour = BY_NIGHT[paint]
    opacity = (
        f' {name.removesuffix("-color")}-opacity="{int(colour[7:], 16) / 255:.3g}"'
        if len(colour) > 7
        else ""
    )
    return f'{name}="{colour[:7]}"{opacity}'


def named(drawing: str, prefix: str) -> str:
    """The drawing with a prefix on its ids."""
    return drawing.replace(MARK, prefix)


# ---------------------------------------------------------------- pictures and grounds


def _inside(text: str) -> tuple[str, tuple[float, float]]:
    """Content of an SVG file on one line, ids marked, with its width and height."""
    _, _, width, height = map(float, ElementTree.fromstring(text).attrib["viewBox"].split())
    inner = "".join(
        line.strip() for line in text[text.index(">") + 1 : text.rindex("</svg>")].splitlines()
    )
    marked = re.sub(r'(id="|href="#|url\(#)(?:art-)?', rf"\1{MARK}", inner)
    return marked, (width, height)


@cache
def _picture(name: str) -> tuple[str, float, float]:
    """A picture as a symbol, with its width and height."""
    inner, (width, height) = _inside(drawing.svg(name))
    return tag("symbol", inner, id=MARK + name, viewBox=f"0 0 {width:g} {height:g}"), width, height


@cache
def _ground(name: str) -> tuple[str, str]:
    """Definitions and shapes of a background template, in night colours."""
    inner, _ = _inside(drawing.ground(name))
    inner = re.sub(
        r'font-family="var\(--(\w+)\)"', lambda match: f'font-family="{FONTS[match[1]]}"', inner
    )
    definitions, _, shapes = inner.rpartition("</defs>")
    return definitions.removeprefix("<defs>"), shapes


def _filled(shapes: str, holes: dict[str, Any]) -> str:
    """Shapes with placeholders filled and colours resolved.

    Placeholders are `{way}`, or `{width-4}` to subtract from a number.
    """

    def fill(match: re.Match[str]) -> str:
        value = holes[match[1]]
        return value if isinstance(value, str) else f"{round(value - float(match[2] or 0), 2):g}"

    whole = re.sub(r"{(\w+)(?:-([\d.]+))?}", fill, shapes)
    return re.sub(
        r'([\w-]+)="var\(--([\w-]+)\)"', lambda match: _painted(match[1], match[2]), whole
    )


# ---------------------------------------------------------------- the sheet


class Sheet:
    """An SVG drawing under construction, `width` × `height` units large."""

    def __init__(self, width: float, height: float) -> None:
        self.width, self.height = width, height
        self.title = self.about = ""
        # Referenced by name: pictures, backgrounds, gradients.
        self.symbols: dict[str, str] = {}
        # Groups that often stay the same from one position to the next.
        self.pieces: list[str] = []
        self._shapes: list[str] = []

    def add(self, element: str, content: str = "", /, **attributes: Any) -> None:
        self._shapes.append(tag(element, content, **attributes))

    def rect(
        self, x: float, y: float, width: float, height: float, rx: float = 0, **look: Any
    ) -> None:
        self.add("rect", x=x, y=y, width=width, height=height, rx=rx or None, **look)

    def text(
        self, x: float, y: float, text: object, size: float = 22, fill: str = "text", **look: Any
    ) -> None:
        """Text with its baseline at y."""
        self.add("text", escape(str(text)), x=x, y=y, font_size=size, fill=fill, **look)

    def figure(
        self, x: float, y: float, text: object, size: float, fill: str = "text", **look: Any
    ) -> None:
        """Text in the typeface of headings and figures."""
        self.text(x, y, text, size, fill, font_family=SERIF, font_weight="bold", **look)

    def picture(self, name: str, x: float, y: float, height: float, **look: Any) -> None:
        """A picture of `souk.drawing` with its top left corner at a point."""
        _, wide, high = _picture(name)
        self._shapes.append(self.use(name, x, y, height * wide / high, height, **look))

    def use(self, name: str, x: float, y: float, width: float, height: float, **look: Any) -> str:
        """Reference to a picture, for a placeholder of a template; the picture is included once."""
        self.symbols[name] = _picture(name)[0]
        return tag("use", href=f"#{MARK}{name}", x=x, y=y, width=width, height=height, **look)

    def cropped(self, name: str, x: float, y: float, width: float, height: float) -> None:
        """As much of a picture, from its top left corner, as fits a box."""
        _, wide, high = _picture(name)
        scale = min(wide / width, high / height)
        inside = f"0 0 {width * scale:g} {height * scale:g}"
        with self.group("svg", x=x, y=y, width=width, height=height, viewBox=inside):
            self.picture(name, 0, 0, high)

    def ground(self, name: str, **holes: Any) -> None:
        """A background template, placeholders filled."""
        self._shapes.append(self.filled(name, **holes))

    def filled(self, name: str, **holes: Any) -> str:
        """A filled template as text, for a placeholder of another template."""
        definitions, shapes = _ground(name)
        whole = _filled(definitions + MARK + shapes, holes)
        for picture in re.findall(f'href="#{MARK}([\\w-]+)"', whole):
            if picture in drawing.names():
                self.symbols[picture] = _picture(picture)[0]
        self.symbols[f"ground {name}"], _, drawn = whole.partition(f"{MARK}<")
        return "<" + drawn

    def place(self, name: str, other: "Sheet", x: float = 0, y: float = 0) -> None:
        """Another sheet at a point, included once if several positions share it."""
        self.symbols |= other.symbols
        self.symbols[name] = tag("symbol", other.body, id=MARK + name, overflow="visible")
        self.add("use", href=f"#{MARK}{name}", x=x or None, y=y or None)

    def gradient(self, name: str, *stops: tuple[float, str, float], **where: Any) -> str:
        """Add a gradient of (offset, colour, opacity), radial if given `cx`; return its `fill`."""
        colours = [
            tag(
                "stop", offset=at, stop_color=colour, stop_opacity=None if opacity == 1 else opacity
            )
            for at, colour, opacity in stops
        ]
        kind = "radialGradient" if "cx" in where else "linearGradient"
        self.symbols[name] = tag(kind, "".join(colours), id=MARK + name, **where)
        return f"url(#{MARK}{name})"

    @contextmanager
    def group(self, element: str = "g", **attributes: Any) -> Iterator[None]:
        """Wrap what is drawn inside in one element."""
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
        """The shapes, ids still marked."""
        return "".join(self._shapes)

    def svg(self, width: float = WIDTH) -> str:
        """The drawing as an SVG file; ids begin with a digest so that several fit on one page."""
        whole = self.framed(width, tag("defs", "".join(self.symbols.values())) + self.body)
        return named(whole, f"souk-{hashlib.sha256(whole.encode()).hexdigest()[:8]}-")

    def framed(self, width: float, content: str) -> str:
        """The SVG element with title, description and background, ids still marked."""
        words = tag("title", escape(self.title)) + tag("desc", escape(self.about))
        night = tag("rect", width=self.width, height=self.height, rx=22, fill="night")
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
