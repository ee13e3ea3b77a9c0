"""Suleika as SVG: the market with its rugs, Omar, and each player's holdings."""

from functools import cache
from typing import NamedTuple

import msgspec

from souk import drawing
from souk.core.seat_view import SeatView
from souk.drawing.drawing import SheetDrawing
from souk.drawing.svg_document import Sheet
from souk.drawing.table_svg import EDGE, SIDE, TOP, Spot, TableSheet, say
from souk.games.suleika.board_info import BALCONIES, SuleikaBox, SuleikaScene
from souk.games.suleika.facts import Laid
from souk.games.suleika.notation import COLOURS, DIRECTIONS, INITIALS, SuleikaPosition

SuleikaSheet = TableSheet[SeatView[SuleikaPosition, SuleikaBox, SuleikaScene]]
Point = tuple[float, float]

PANEL = 150  # height of a player's panel
_TOWARDS = {"n": (0, -1), "e": (1, 0), "s": (0, 1), "w": (-1, 0)}
_NAMES = dict(zip(INITIALS, COLOURS, strict=True))


class Measures(msgspec.Struct):
    """Measurements of the market: field size, rim, balconies, rugs and Omar."""

    field: int
    rim: int
    bulge: int  # distance of a balcony's control points from the market
    # Balcony of g7 from its northern side to its eastern; a1 has the same one rotated.
    corner: list[Point]
    rug: float  # length
    # Visible part of a half: a little continues under the covering rug.
    half: float
    omar: float  # height
    sole: float  # of his feet below the middle of his field
    light: float  # radius of his lamplight
    shadow: tuple[float, float, float, float]  # ellipse below him
    pointer: str  # at his feet, to the north


WIDE = 52 / 74  # Omar's picture beside its height
# by quarter turns from north
SIDES = ("omar-back", "omar-side", "omar", "omar-side")
MARKET = drawing.measures("market", Measures)
SIZE = 7 * MARKET.field + 2 * MARKET.rim


def draw(sheet: SuleikaSheet) -> None:
    view = sheet.view
    sheet.place("market", market(), EDGE, TOP)
    with sheet.group(transform=f"translate({EDGE} {TOP})", data_board="suleika"):
        rugs = rugs_on(sheet)
        for rug in rugs:
            _rug(sheet, rug, rug is rugs[-1])
        _omar(sheet)
    for seat in range(view.players):
        with sheet.piece():
            _purse(sheet, seat, sheet.panel(seat, PANEL))
    if not view.over:
        _tray(sheet)


# ---------------------------------------------------------------- the market


def middle(field: str) -> Point:
    column, row = "abcdefg".index(field[0]), int(field[1])
    return MARKET.rim + MARKET.field * (column + 0.5), MARKET.rim + MARKET.field * (7.5 - row)


def _off(field: str, heading: str, distance: float) -> Point:
    (x, y), (across, down) = middle(field), _TOWARDS[heading]
    return x + across * distance, y + down * distance


@cache
def market() -> Sheet:
    """The fixed background: brass frame, sand tiles, balconies and two lanterns."""
    ground = Sheet(SIZE, SIZE)
    brass = [ground.filled("balcony", way=balcony(*sides.split())) for sides in BALCONIES]
    ground.ground("market", balconies="".join(brass))
    return ground


def balcony(one: str, other: str) -> str:
    """Path from one field side to another."""
    (x, y), (i, j) = (_off(side[:2], side[2], MARKET.field / 2) for side in (one, other))
    if one[:2] == other[:2]:
        points = (
            MARKET.corner if one[0] == "g" else [(SIZE - x, SIZE - y) for x, y in MARKET.corner]
        )
    else:
        across, down = (MARKET.bulge * n for n in _TOWARDS[one[2]])
        points = [(x, y), (x + across, y + down), (i + across, j + down), (i, j)]
    first, *rest = (f"{x:g} {y:g}" for x, y in points)
    return f"M{first}C{' '.join(rest)}"


# ---------------------------------------------------------------- rugs and Omar


class Rug(NamedTuple):
    """A visible rug: on one field or both, and the direction of its other half."""

    number: int
    colour: str
    fields: list[str]
    towards: str  # a direction


def rugs_on(sheet: SuleikaSheet) -> list[Rug]:
    """The visible rugs, in the order they were laid."""
    shown: dict[str, list[str]] = {}
    for row, line in enumerate(sheet.view.position.board):
        for column, half in enumerate(line):
            if half:
                shown.setdefault(half, []).append("abcdefg"[column] + str(7 - row))
    partner = dict(
        pair for fact in sheet.past if isinstance(fact, Laid) for pair in _both_ways(fact.fields)
    )
    return sorted(
        Rug(int(half[1:]), _NAMES[half[0]], fields, _towards(sheet, fields, partner))
        for half, fields in shown.items()
    )


def _both_ways(fields: tuple[str, str]) -> list[tuple[str, str]]:
    return [fields, fields[::-1]]


def _towards(sheet: SuleikaSheet, fields: list[str], partner: dict[str, str]) -> str:
    """Direction from a rug's first field to its other half: visible, known from the log, or
    guessed.
    """
    other = fields[1] if len(fields) > 1 else partner.get(fields[0])
    if not other:
        return sheet.view.scene.covered[fields[0]]
    return next(
        heading for heading in _TOWARDS if _off(fields[0], heading, MARKET.field) == middle(other)
    )


def _rug(sheet: Sheet, rug: Rug, newest: bool) -> None:
    """A whole rug or its visible half; the newest has a bright hem."""
    x, y = _off(rug.fields[0], rug.towards, MARKET.field / 2)
    part = 1 if len(rug.fields) > 1 else MARKET.half
    turn = 90 * DIRECTIONS.index(rug.towards) - 90
    with sheet.piece(transform=f"translate({x:g} {y:g}) rotate({turn})", data_rug=rug.number):
        sheet.ground("rug", colour=rug.colour, width=MARKET.rug * part, shown=128 * part)
        if newest and part == 1:
            sheet.ground("hem")


def _omar(sheet: SuleikaSheet) -> None:
    omar, (cx, cy, rx, ry) = sheet.view.position.omar, MARKET.shadow
    x, y = middle(omar.at)
    turn = DIRECTIONS.index(omar.facing)
    look = {"stroke": "market-ink", "stroke_width": 2, "stroke_linejoin": "round"}
    with sheet.group(transform=f"translate({x:g} {y:g})", data_omar=omar.at):
        sheet.add("circle", r=MARKET.light, fill="market-lit-soft")
        with sheet.group(transform=f"rotate({90 * turn})", data_facing=omar.facing):
            sheet.add("path", d=MARKET.pointer, fill="market-brass-light", **look)
        sheet.add("ellipse", cx=cx, cy=cy, rx=rx, ry=ry, fill="market-shadow")
        with sheet.group(transform=f"scale({-1 if turn == 3 else 1} 1)"):
            height = MARKET.omar
            left, top = -height * WIDE / 2, MARKET.sole - height
            sheet.picture(SIDES[turn], left, top, height)


# ---------------------------------------------------------------- the players


def _purse(sheet: SuleikaSheet, seat: int, spot: Spot) -> None:
    """Piastres, visible halves, rugs left; at the end the points they make."""
    (x, y, width), view = spot, sheet.view
    colours, left = view.box.colours[seat], view.position.left[seat]
    sheet.picture("coin", x, y, 34)
    sheet.figure(x + 42, y + 27, view.position.money[seat], 30)
    sheet.cropped(f"rug-{_NAMES[colours[0]]}", x + 128, y + 2, 32, 32)
    sheet.text(x + 166, y + 26, view.scene.halves[seat], 24, font_weight="bold")
    if view.over:
        sheet.text(
            x + width, y + 27, f"= {view.scores[seat]}", 26, font_weight="bold", text_anchor="end"
        )
    for k, initial in enumerate(colours):
        n = left[k] if isinstance(left, list) else left
        sheet.picture(
            f"rug-{_NAMES[initial]}", x + 128 * k, y + 48, 30, opacity=None if n else 0.35
        )
        sheet.text(x + 128 * k + 68, y + 71, f"×{n}", 22, "text-2")


def _tray(sheet: SuleikaSheet) -> None:
    """The next rug to lay (face down until it comes up), and where Omar stands."""
    x, y, position = sheet.width - EDGE - SIDE, TOP + SIZE - 136, sheet.view.position
    own = sheet.view.box.colours[position.turn or 0]
    if initial := position.rug or (own if len(own) == 1 else ""):
        sheet.picture(f"rug-{_NAMES[initial]}", x + SIDE / 2 - 88, y, 88)
    else:
        sheet.rect(
            x + SIDE / 2 - 82, y + 4, 164, 80, 4, fill="panel-2", stroke="brass", stroke_width=1.5
        )
    omar = position.omar
    where = say("suleika.omar_here", heading=say(f"suleika.heading.{omar.facing}"))
    sheet.text(x + SIDE / 2, y + 122, f"{omar.at}: {where}", 22, "text-2", text_anchor="middle")


DRAWING = SheetDrawing(draw, (SIZE, SIZE))
