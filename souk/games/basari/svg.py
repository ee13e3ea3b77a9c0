"""Basari as SVG: the house with figures in its windows, choices and haggles in its court."""

from functools import cache
from typing import Any

from souk.core.seat_view import SeatView
from souk.drawing.drawing import SheetDrawing
from souk.drawing.svg_document import MARK, Sheet, tag
from souk.drawing.table_svg import EDGE, TOP, Spot, TableSheet, say
from souk.games.basari.board_info import ArchSign, BasariBox
from souk.games.basari.house import MEASURES, House
from souk.games.basari.notation import BasariPosition
from souk.games.basari.walls import walls
from souk.games.basari_common import svg as haggling
from souk.games.basari_common.board_info import HagglingScene
from souk.games.basari_common.notation import GEM_NAMES

BasariView = SeatView[BasariPosition, BasariBox, HagglingScene]
BasariSheet = TableSheet[BasariView]

# the dark edge of a number in an arch
NUMBER_EDGE: dict[str, Any] = {
    "stroke": "ink",
    "stroke_width": 2.4,
    "stroke_opacity": 0.7,
    "stroke_linejoin": "round",
    "paint_order": "stroke",
}


HOUSE = House(MEASURES.wide, (960, 780))  # the printed one
PANEL_HEIGHT = 184


def draw(sheet: BasariSheet) -> None:
    view = sheet.view
    sheet.place("house", _empty(HOUSE), EDGE, TOP)
    with sheet.group(transform=f"translate({EDGE} {TOP})", data_board="basari"):
        _bays(sheet, view, HOUSE)
        _pieces(sheet, view, HOUSE)
        _carpets(sheet)
        _cloth(sheet)
    for seat in range(view.players):
        with sheet.piece():
            haggling.purse(
                sheet,
                seat,
                sheet.panel(seat, PANEL_HEIGHT),
                ("", view.position.walked[seat], view.box.lap),
            )


def board(view: BasariView, house: House) -> Sheet:
    """A house with everybody in it, its court empty."""
    sheet = Sheet(house.width, house.height)
    sheet.place("house", _empty(house))
    with sheet.group(data_board="basari"):
        _bays(sheet, view, house)
        _pieces(sheet, view, house)
    return sheet


# ---------------------------------------------------------------- the house


@cache
def _empty(house: House) -> Sheet:
    """The fixed background."""
    ground = Sheet(house.width, house.height)
    ground.ground("house", content=walls(house))
    return ground


def _bays(sheet: Sheet, view: BasariView, house: House) -> None:
    position = view.position
    mine = position.figures[view.seat] if view.seat >= 0 else None
    haggling_seats = position.haggle.seats if position.haggle else []
    theirs = {position.figures[seat] for seat in haggling_seats if seat != view.seat}
    for arch, sign in enumerate(view.box.arches):
        looks = [
            "window" if arch in position.figures else "" if arch in position.discs else "lattice",
            "mine" if arch == mine else "theirs" if arch in theirs else "",
        ]
        with sheet.piece():
            _bay(sheet, house, arch, sign, [look for look in looks if look])


def _bay(sheet: Sheet, house: House, arch: int, sign: ArchSign, looks: list[str]) -> None:
    """What is in a bay: its window, the light of its arch, number and gems."""
    bay = house.bays[arch]
    with sheet.group(transform=f"translate({bay.x:.6g} {bay.y:.6g})", data_arch=arch):
        for look in looks:
            href = f"#{MARK}{house.style.bay}-{look}"
            sheet.add("use", href=href, width=bay.width, height=bay.height)
        x, y, size = house.number_in(bay)
        edge = {} if "mine" in looks else NUMBER_EDGE
        fill = "card-ink" if "mine" in looks else "house-number"
        sheet.figure(x, y, sign.points, size, fill, text_anchor="middle", **edge)
        stones = [colour for colour, n in zip(GEM_NAMES, sign.gems, strict=True) for _ in range(n)]
        size, spots = house.gems_in(bay, len(stones))
        for (left, top), colour in zip(spots, stones, strict=True):
            sheet.picture(f"gem-{colour}", left, top, size)


def _pieces(sheet: Sheet, view: BasariView, house: House) -> None:
    """Figures, the nearest last, then start discs."""
    position = view.position
    for seat, x, y, size in house.figures(position.figures):
        shade = tag("ellipse", rx=33, ry=8, fill="#000", fill_opacity=0.5)
        body = sheet.use(f"figure-{seat}", -37.5, -97, 75, 100)
        _standing(sheet, shade + body, x, y, size, data_figure=seat)
    for seat, x, y, size in house.discs(position.discs, position.figures):
        disc = sheet.use(f"disc-{seat}", -50, -102, 100, 100)
        _standing(sheet, disc, x, y, size, data_disc=seat)


def _standing(sheet: Sheet, content: str, x: float, y: float, size: float, **data: int) -> None:
    place = f"translate({x:g} {y:g}) scale({size / 100:g})"
    sheet.add("g", content, transform=place, **data)


# ---------------------------------------------------------------- the court


def _carpets(sheet: BasariSheet) -> None:
    """The value carpets on both sides of the court."""
    x, y, width, height = HOUSE.court
    wide = width * 0.21
    for k in range(4):
        left = x + 6 if k < 2 else x + width - wide - 6
        haggling.majority(sheet, k, (left, y + height * (0.27 + 0.33 * (k % 2)), wide))


def _cloth(sheet: BasariSheet) -> None:
    """The cloth in the middle, with everybody's choice above the haggle; and the number of the
    scoring.
    """
    x, y, width, height = HOUSE.court
    middle, top, wide, high = x + width / 2, y + height * 0.24, width * 0.54, height * 0.72
    href = f"#{MARK}house-carpet"
    sheet.add("use", href=href, x=middle - wide / 2, y=top, width=wide, height=high)
    position, box = sheet.view.position, sheet.view.box
    if position.haggle:
        action = say(f"basari.action.{position.haggle.action}")
        spot = (middle - wide * 0.42, top + (high - haggling.COUNTER) / 2, wide * 0.84)
        haggling.counter(sheet, position.haggle, action, spot)
        _choices(sheet, (middle, top - high * 0.1, wide * 0.5))
    else:
        _choices(sheet, (middle, top + high / 2, wide * 0.76))
    scoring = say(
        "basari.scoring_of", n=min(position.scorings + 1, box.scorings), last=box.scorings
    )
    sheet.text(x + 4, y + height - 14, scoring, 18, "court-text")


def _choices(sheet: BasariSheet, spot: Spot) -> None:
    """Everybody's choice, in a row round a point."""
    middle, y, width = spot
    step, card = width / 4, width / 4 - 12
    start = middle - step * len(sheet.names) / 2
    for seat in range(len(sheet.names)):
        left = start + seat * step
        haggling.action_card(sheet, left + 6, y - card * 0.95, card, seat)
        sheet.picture(f"figure-{seat}", left + step / 2 - 13, y + card * 0.5, 34)


DRAWING = SheetDrawing(draw, (HOUSE.width, HOUSE.height))
