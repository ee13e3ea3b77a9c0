"""Positions as arrays of pixels: the notebook drawings, rasterised."""

import io
from functools import cache
from xml.etree import ElementTree

import numpy as np
import numpy.typing as npt

from souk.core.json_fields import brief, is_whole
from souk.core.position import Position
from souk.core.seat_view import SeatView
from souk.drawing.palette import FAINT, NIGHT
from souk.drawing.svg_document import SANS
from souk.kernel.distribution import install_command

Pixels = npt.NDArray[np.uint8]

NARROWEST, WIDEST = 16, 4000
_SVG = "{http://www.w3.org/2000/svg}"

# Digits and a few symbols as strokes on a 4 × 6 grid, for machines without fonts.
_STROKES = {
    "0": "M0 0H4V6H0z",
    "1": "M1 1L2 0V6",
    "2": "M0 0H4V3H0V6H4",
    "3": "M0 0H4V6H0M1 3H4",
    "4": "M0 0V3H4M4 0V6",
    "5": "M4 0H0V3H4V6H0",
    "6": "M4 0H0V6H4V3H0",
    "7": "M0 0H4L1 6",
    "8": "M0 0H4V6H0zM0 3H4",
    "9": "M4 3H0V0H4V6H0",
    "+": "M0 3H4M2 1V5",
    "–": "M0 3H4",
    "=": "M0 2H4M0 4H4",
    "/": "M0 6L4 0",
    "×": "M0 1L4 5M0 5L4 1",
    "✓": "M0 4L2 6L4 0",
    " ": "",
}


def picture(pos: Position, seat: int | None = None, width: int = 700) -> Pixels:
    """Render a position as seen by a seat (None: a spectator).

    Returns an array (height, width, 3) of red, green and blue.
    """
    if not is_whole(width) or not NARROWEST <= width <= WIDEST:
        raise ValueError(
            f"width: must be a number of pixels from {NARROWEST} to {WIDEST}, not {brief(width)}"
        )
    drawing = pos.game.drawing
    if drawing is None:
        raise ValueError(f"{pos.game.title} has no drawing (a module drawing.py in its room)")
    svg = drawing.draw(SeatView.of(pos, -1 if seat is None else seat), width=width)
    return _rasterised(svg if _has_fonts() else _in_strokes(svg), width)


def _rasterised(svg: str, width: int) -> Pixels:
    """The pixels of a drawing on an opaque dark background."""
    try:
        from PIL import Image
        from resvg_py import svg_to_bytes
    except ModuleNotFoundError:
        raise ModuleNotFoundError(
            f"Pictures need resvg and Pillow: {install_command('lab')}"
        ) from None
    png = io.BytesIO(bytes(svg_to_bytes(svg_string=svg, width=width, background=NIGHT)))
    return np.array(Image.open(png).convert("RGB"))


# ---------------------------------------------------------------- without fonts


@cache
def _has_fonts() -> bool:
    """Whether rendered text leaves any pixels."""
    text = f'<text y="20" font-size="20" font-family="{SANS}" fill="#fff">8</text>'
    svg = f'<svg xmlns="{_SVG[1:-1]}" viewBox="0 0 20 20">{text}</svg>'
    return len(np.unique(_rasterised(svg, 20))) > 3


def _in_strokes(svg: str) -> str:
    """Replace numbers by strokes. Words are left out: the position contains what they say."""
    root = ElementTree.fromstring(svg)
    for parent in root.iter():
        for k, text in enumerate(parent):
            if text.tag == f"{_SVG}text" and set(text.text or "") <= set(_STROKES):
                parent[k] = _stroked(text)
    return ElementTree.tostring(root, encoding="unicode")


def _stroked(text: ElementTree.Element) -> ElementTree.Element:
    """A text element as a group of strokes of the same width."""
    content, size = text.text or "", float(text.get("font-size", "17"))
    unit = size / 9
    back = {"middle": 0.5, "end": 1.0}.get(text.get("text-anchor", ""), 0.0) * (
        6 * len(content) - 2
    )
    look = {"fill": "none", "stroke": text.get("fill", FAINT), "stroke-width": "1.1"}
    x, y = float(text.get("x", 0)), float(text.get("y", 0)) - 6 * unit
    lines = ElementTree.Element(
        f"{_SVG}g", look | {"transform": f"translate({x} {y}) scale({unit}) translate({-back})"}
    )
    for k, sign in enumerate(content):
        ElementTree.SubElement(
            lines, f"{_SVG}path", {"d": _STROKES[sign], "transform": f"translate({6 * k})"}
        )
    return lines
