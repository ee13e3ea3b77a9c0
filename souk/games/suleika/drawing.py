"""Suleika drawn: the market with its rugs, Omar as he faces, and what everybody has."""

from collections.abc import Sequence
from functools import cache
from typing import Any, NamedTuple

import msgspec

from souk.games.art.drawing import SheetDrawing
from souk.games.art.palette import FAINT, INK, TEXT
from souk.games.art.sheet import EDGE, SERIF, SIDE, TOP, Sheet, View, gradient, panel, say, table
from souk.games.suleika.notation import COLOURS, DIRECTIONS, INITIALS
from souk.games.suleika.scene import BALCONIES

FIELD, RIM = 100, 40  # a field, and the rim around all of them, where the balconies are
SIZE = 7 * FIELD + 2 * RIM
PANEL = 150  # how high a player's is

_BULGE = 44  # how far the control points of a balcony stand off the market
# The balcony of g7; that of a1 is it turned round.
_CORNER = (690, 40, 690, 14, 704, 8, 726, 8, 756, 8, 772, 24, 772, 54, 772, 76, 766, 90, 740, 90)  # fmt: skip
_TOWARDS = dict(zip(DIRECTIONS, ((0, -1), (1, 0), (0, 1), (-1, 0)), strict=True))
_LENGTH, _BREADTH = 196, 98  # of a rug
_NAMES = dict(zip(INITIALS, COLOURS, strict=True))

Point = tuple[float, float]


def sheet(view: View, names: Sequence[str]) -> Sheet:
    box, facts, scene = (msgspec.to_builtins(part) for part in (view.box, view.position, view.scene))
    drawn = table(view, names, (SIZE, SIZE))
    drawn.ground("market", market(), EDGE, TOP)
    with drawn.group(transform=f"translate({EDGE} {TOP})"):
        rugs = rugs_on(facts["board"])
        for rug in rugs:
            _rug(drawn, rug, rug is rugs[-1])
        _omar(drawn, facts["omar"])
    for each in range(view.players):
        with drawn.piece():
            _purse(drawn, view, facts, scene, box, each, panel(drawn, view, each, names, PANEL))
    if not view.over:
        _tray(drawn, facts, box["colours"])
    return drawn


# ---------------------------------------------------------------- the market


def middle(field: str) -> Point:
    """The middle of a field."""
    return RIM + FIELD * ("abcdefg".index(field[0]) + 0.5), RIM + FIELD * (7.5 - int(field[1]))


def _off(field: str, heading: str, distance: float) -> Point:
    (x, y), (across, down) = middle(field), _TOWARDS[heading]
    return x + across * distance, y + down * distance


@cache
def market() -> Sheet:
    """What never changes: a brass-framed bed, sand tiles, balconies, two lanterns."""
    ground = Sheet(SIZE, SIZE)
    bed = gradient(ground, "bed", (0, "#43376b", 1), (1, "#251d45", 1), x1=0, y1=0, x2=0.4, y2=1)
    brass = [(0, "#f3cf7d", 1.0), (0.45, "#dcae52", 1.0), (0.7, "#f3cf7d", 1.0), (1, "#8a5f20", 1.0)]
    frame = gradient(ground, "brass", *brass, x1=0, y1=0, x2=1, y2=1)
    ground.rect(1.5, 1.5, SIZE - 3, SIZE - 3, 34, fill=bed, stroke=frame, stroke_width=3)
    ground.rect(7, 7, SIZE - 14, SIZE - 14, 29, fill="none", stroke="#d9a441", stroke_opacity=0.28)
    for sides in BALCONIES:
        _balcony(ground, *sides.split())
    light = gradient(ground, "tile", (0, "#dfcd9f", 1), (1, "#cbb684", 1), x1=0, y1=0, x2=0.6, y2=1)
    dark = gradient(ground, "tile-dark", (0, "#cfba88", 1), (1, "#b8a26f", 1), x1=0, y1=0, x2=0.6, y2=1)
    for column in range(7):
        for row in range(7):
            _tile(ground, "abcdefg"[column] + str(row + 1), dark if (row + column) % 2 else light)
    lamp = [(0, "#ffe9b0", 0.34), (0.5, "#ffe9b0", 0.05), (1, INK, 0.34)]
    ground.rect(RIM, RIM, 700, 700, 8, fill=gradient(ground, "lamp", *lamp, cx=0.3, cy=0.22, r=0.95))
    ground.art("lantern", 8, 3, 34)
    ground.art("lantern", SIZE - 34, SIZE - 37, 34)
    return ground


def _tile(ground: Sheet, field: str, fill: str) -> None:
    x, y = middle(field)
    ground.rect(x - 48.5, y - 48.5, 97, 97, 7, fill=fill, stroke="#3c2814", stroke_opacity=0.45)
    inlay = f"M{x} {y - 21}l21 21l-21 21l-21 -21zM{x} {y - 11}l11 11l-11 11l-11 -11z"
    ground.add("path", d=inlay, fill="none", stroke="#6e5023", stroke_opacity=0.34, stroke_width=1.6)
    lit = f"M{x - 45} {y + 44}V{y - 45}H{x + 44}"
    ground.add("path", d=lit, fill="none", stroke="#fff3d6", stroke_opacity=0.42, stroke_width=1.6)
    look: dict[str, Any] = {"fill": "#46300f", "font_weight": "bold", "font_family": SERIF}
    if field[1] == "1":
        ground.text(x + 41, y + 41, field[0], 17, text_anchor="end", **look)
    if field[0] == "a":
        ground.text(x - 41, y - 29, field[1], 17, **look)


def _balcony(ground: Sheet, one: str, other: str) -> None:
    """The brass that leads from one side of a field to another."""
    begin, end = (_off(side[:2], side[2], FIELD / 2) for side in (one, other))
    if one[:2] == other[:2]:
        points = [*_CORNER] if one[0] == "g" else [SIZE - n for n in _CORNER]
        line = f"M{points[0]} {points[1]}C" + " ".join(map(str, points[2:]))
    else:
        (x, y), (i, j) = begin, end
        across, down = (_BULGE * n for n in _TOWARDS[one[2]])
        line = f"M{x:g} {y:g}C{x + across:g} {y + down:g} {i + across:g} {j + down:g} {i:g} {j:g}"
    rail: dict[str, Any] = {"d": line, "fill": "none", "stroke_linecap": "round"}
    ground.add("path", **rail, stroke="#14080a", stroke_opacity=0.42, stroke_width=9, transform="translate(2 4)")
    ground.add("path", **rail, stroke="#8a5f20", stroke_width=9)
    ground.add("path", **rail, stroke="#dcae52", stroke_width=6.4)
    ground.add("path", **rail, stroke="#ffe9b0", stroke_width=1.6, transform="translate(-0.8 -1.6)")


# ---------------------------------------------------------------- what lies and stands there


class Rug(NamedTuple):
    """A rug that shows: on one field or both, and where its other half lies or lay."""

    number: int
    colour: str
    fields: list[str]
    towards: str


def rugs_on(board: list[list[str]]) -> list[Rug]:
    """The rugs that show, in the order they were laid."""
    shown: dict[str, list[str]] = {}
    at = {"abcdefg"[column] + str(7 - row): half for row, line in enumerate(board) for column, half in enumerate(line)}
    for field, half in at.items():
        if half:
            shown.setdefault(half, []).append(field)
    rugs = [
        Rug(int(half[1:]), _NAMES[half[0]], fields, _other_half(at, half, fields)) for half, fields in shown.items()
    ]
    return sorted(rugs)


def _other_half(at: dict[str, str], half: str, fields: list[str]) -> str:
    """Where a rug runs to: its other field, or a neighbour that was laid later and may hide it."""

    def next_to(heading: str) -> str:
        x, y = _off(fields[0], heading, FIELD)
        return next((field for field in at if middle(field) == (x, y)), "")

    if len(fields) > 1:
        return next(heading for heading in DIRECTIONS if next_to(heading) == fields[1])
    later = [heading for heading in DIRECTIONS if int(at.get(next_to(heading), "")[1:] or 0) > int(half[1:])]
    return later[0] if later else DIRECTIONS[0]


def _rug(drawn: Sheet, rug: Rug, newest: bool) -> None:
    """A whole rug, or the half of it that shows; the one laid last has a bright hem."""
    x, y = _off(rug.fields[0], rug.towards, FIELD / 2)
    part = 1 if len(rug.fields) > 1 else 0.52  # a little runs on under the rug that covers the rest
    turn = 90 * DIRECTIONS.index(rug.towards) - 90
    with drawn.piece(transform=f"translate({x:g} {y:g}) rotate({turn})", data_rug=rug.number):
        left, top = -_LENGTH / 2, -_BREADTH / 2
        drawn.rect(left + 7, top + 5, _LENGTH * part - 12, _BREADTH - 6, 4, fill="#14080a", fill_opacity=0.42)
        box: dict[str, Any] = {"x": left, "y": top, "width": _LENGTH * part, "height": _BREADTH}
        with drawn.group("svg", viewBox=f"0 0 {128 * part:g} 64", preserveAspectRatio="none", **box):
            drawn.art(f"rug-{rug.colour}", 0, 0, 64)
        if newest and part == 1:
            hem: dict[str, Any] = {"fill": "none", "stroke": "#fff3d6", "stroke_width": 3, "stroke_opacity": 0.9}
            drawn.rect(left + 9, top + 3, _LENGTH - 18, _BREADTH - 6, 3, **hem)


def _omar(drawn: Sheet, omar: dict[str, str]) -> None:
    x, y = middle(omar["at"])
    with drawn.group(transform=f"translate({x:g} {y:g})", data_omar=omar["at"]):
        drawn.add("ellipse", cx=3, cy=6, rx=36, ry=34, fill="#14080a", fill_opacity=0.42)
        drawn.add("circle", r=39, fill="#ffd98c", fill_opacity=0.12)
        with drawn.group(transform=f"rotate({90 * DIRECTIONS.index(omar['facing'])})"):
            drawn.art("omar", -39, -39, 78)


# ---------------------------------------------------------------- the players


def _purse(
    drawn: Sheet,
    view: View,
    facts: dict[str, Any],
    scene: dict[str, Any],
    box: dict[str, Any],
    seat: int,
    room: tuple[float, float, float],
) -> None:
    """Piastres, halves that show, rugs left; at the end the points they make."""
    x, y, width = room
    halves, colours = scene["halves"][seat], box["colours"][seat]
    left = facts["left"][seat]
    drawn.art("coin", x, y, 34)
    drawn.text(x + 42, y + 27, facts["money"][seat], 30, TEXT, font_family=SERIF, font_weight="bold")
    with drawn.group("svg", viewBox="0 0 64 64", x=x + 128, y=y + 2, width=32, height=32):
        drawn.art(f"rug-{_NAMES[colours[0]]}", 0, 0, 64)
    drawn.text(x + 166, y + 26, halves, 24, TEXT, font_weight="bold")
    if view.over:
        drawn.text(x + width, y + 27, f"= {view.scores[seat]}", 26, TEXT, font_weight="bold", text_anchor="end")
    for k, initial in enumerate(colours):
        n = left[k] if isinstance(left, list) else left
        drawn.art(f"rug-{_NAMES[initial]}", x + 128 * k, y + 48, 30, opacity=None if n else 0.35)
        drawn.text(x + 128 * k + 68, y + 71, f"×{n}", 22, FAINT)


def _tray(drawn: Sheet, facts: dict[str, Any], colours: list[str]) -> None:
    """The rug that will be laid next, face down until it has come up; and where Omar stands."""
    x, y = drawn.width - EDGE - SIDE, TOP + SIZE - 136
    own = colours[facts["turn"]]
    if initial := facts["rug"] or (own if len(own) == 1 else ""):
        drawn.art(f"rug-{_NAMES[initial]}", x + SIDE / 2 - 88, y, 88)
    else:
        drawn.rect(x + SIDE / 2 - 82, y + 4, 164, 80, 4, fill="#6e5023", stroke="#f1e3c2", stroke_dasharray="6 4")
    omar = facts["omar"]
    where = say("suleika.omar_here", heading=say(f"suleika.heading.{omar['facing']}"))
    drawn.text(x + SIDE / 2, y + 122, f"{omar['at']}: {where}", 22, FAINT, text_anchor="middle")


DRAWING = SheetDrawing(sheet)
