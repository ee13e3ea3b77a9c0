"""Bazaar as SVG: stalls with wares, rate cards, bank, points and each player's chips."""

from collections.abc import Sequence
from functools import cache
from textwrap import wrap

import msgspec

from souk.core.seat_view import SeatView
from souk.drawing.drawing import SheetDrawing
from souk.drawing.svg_document import Sheet
from souk.drawing.table_svg import EDGE, TOP, Spot, TableSheet, say
from souk.games.bazaar.board_info import BazaarBox, BazaarScene, Prospect
from souk.games.bazaar.box import COLOURS, EQUATIONS
from souk.games.bazaar.notation import BazaarPosition, StallNow

BazaarSheet = TableSheet[SeatView[BazaarPosition, BazaarBox, BazaarScene]]

SIZE, HEIGHT = 820, 800
PANEL_HEIGHT = 125
CHIPS = ("white", "blue", "green", "red", "yellow")

_STALL, _ROOF = 252, 53  # height of a stall, and of its roof
_RATES, _RATE = 280, 58  # top of the rate cards; distance between equations
_FOOT = _RATES + 5 * _RATE + 62  # top of bank and points


def draw(sheet: BazaarSheet) -> None:
    view = sheet.view
    with sheet.group(transform=f"translate({EDGE} {TOP})", data_board="bazaar"):
        for k, stall in enumerate(view.position.stalls):
            _stall(sheet, k, stall)
        for k in range(2):
            _rate_card(sheet, k)
        with sheet.piece():
            _bank(sheet, view.position.bank)
        with sheet.piece():
            if view.players > 1:
                _values(sheet, view.box.values)
            else:
                _goal(sheet)
    for seat in range(view.players):
        with sheet.piece():
            _purse(sheet, seat, sheet.panel(seat, PANEL_HEIGHT))


def _chips(sheet: Sheet, bag: str, x: float, y: float, size: float) -> None:
    """A bag of letters as a centred row of chips."""
    start = x - (len(bag) * (size + 3) - 3) / 2
    for k, letter in enumerate(bag):
        sheet.picture(f"chip-{CHIPS[COLOURS.index(letter)]}", start + k * (size + 3), y, size)


# ---------------------------------------------------------------- stalls


@cache
def _roof(k: int) -> Sheet:
    """A stall's roof, striped in its own way, and its two poles."""
    roof = Sheet(196, _STALL)
    roof.add("path", d="M5 8V246M191 8V246", stroke="pole", stroke_width=5)
    with roof.group("svg", width=196, height=_ROOF, viewBox="0 0 280 76"):
        roof.ground(f"awning-{k}")
    return roof


def _stall(sheet: BazaarSheet, k: int, stall: StallNow) -> None:
    """A stall with its top ware, prospects, and number of cards below."""
    scene = sheet.view.scene
    with sheet.piece(transform=f"translate({k * 208} 8)", data_stall=k + 1):
        for under in range(max(0, stall.left - 1), 0, -1):
            sheet.rect(
                14 + 2 * under, 40 + 2 * under, 164, 160, 10, fill="ware-under", stroke="brass"
            )
        if stall.top:
            _ware(sheet, stall.top, scene.stalls[k] if scene.stalls else Prospect())
            _lacking(sheet, [lack[k] for lack in scene.lack])
        elif stall.left:
            sheet.cropped("card-back", 14, 40, 164, 160)
        else:
            _sold_out(sheet)
        sheet.place(f"stall-{k}", _roof(k))
        sheet.add("circle", cx=98, cy=9, r=15, fill="panel", stroke="brass", stroke_width=1.5)
        sheet.figure(98, 16, k + 1, 19, "heading", text_anchor="middle")
        left = say("bazaar.cards_left", n=stall.left) if stall.left else "–"
        sheet.text(98, 238, left, 18, "text-2", text_anchor="middle")


def _sold_out(sheet: BazaarSheet) -> None:
    sheet.rect(
        14, 40, 164, 160, 10, fill="panel", stroke="brass", stroke_width=2, stroke_dasharray="7 5"
    )
    sheet.picture("star", 72, 70, 48)
    sold = say("bazaar.bought" if sheet.view.players == 1 else "bazaar.sold_out")
    sheet.text(96, 150, sold, 21, text_anchor="middle")


def _ware(sheet: Sheet, ware: str, prospect: Prospect) -> None:
    paper = sheet.gradient("ware", (0, "ware-top", 1), (0.3, "cream", 1), x1=0, y1=0, x2=0, y2=1)
    payable = prospect.points is not None
    frame = (
        {"stroke": "accent", "stroke_width": 4}
        if payable
        else {"stroke": "brass", "stroke_width": 2}
    )
    sheet.rect(14, 40, 164, 160, 10, fill=paper, **frame)
    _chips(sheet, ware, 96, 62, 29)
    if payable:
        sheet.figure(22, 118, say("bazaar.points", n=prospect.points), 19, "ware-points")
    for k in range(prospect.stars or 0):
        sheet.picture("star", 142 - 30 * k, 94, 32)


def _lacking(sheet: Sheet, lack: list[int | None]) -> None:
    """Chips each seat still needs for a ware; a tick if none."""
    sheet.place("lacking", _buyers(len(lack)))
    with sheet.group(font_size=17, fill="ink"):
        for seat, n in enumerate(lack):
            x, y = _buyer(seat)
            sheet.add(
                "text",
                "✓" if n == 0 else str(n),
                x=x + 21,
                y=y + 20,
                font_weight="bold" if n == 0 else None,
            )


@cache
def _buyers(players: int) -> Sheet:
    """Each seat's figure on a ware."""
    figures = Sheet(196, _STALL)
    figures.add("path", d="M24 134H168", stroke="brass", stroke_dasharray="4 4")
    for seat in range(players):
        figures.picture(f"figure-{seat}", *_buyer(seat), 26)
    return figures


def _buyer(seat: int) -> tuple[float, float]:
    return 26 + 50 * (seat % 3), 139 + 30 * (seat // 3)


# ---------------------------------------------------------------- rates, bank, values


def _rate_card(sheet: BazaarSheet, k: int) -> None:
    """Five equations; sides the seat considered could give are lit."""
    view = sheet.view
    with sheet.group(transform=f"translate({k * 414} {_RATES})"):
        if k >= len(view.position.rates):
            sheet.rect(
                0, 0, 406, 5 * _RATE + 46, 14, fill="panel", stroke="line", stroke_dasharray="7 5"
            )
            sheet.text(203, 170, say("bazaar.rate_to_come"), 20, "text-2", text_anchor="middle")
            return
        number = view.position.rates[k]
        sheet.place(f"rate-{number}", _equations(number, tuple(view.box.rates[number - 1])))
        if view.position.phase == "act":
            _lit_sides(sheet, view.scene.trades >> 2 * EQUATIONS * k)


def _lit_sides(sheet: Sheet, trades: int) -> None:
    """Light the sides of a card that could be given, from its trades as a bit set."""
    for trade in range(2 * EQUATIONS):
        left, width = (186, 208) if trade % 2 else (12, 150)
        if trades >> trade & 1:
            y = 40 + trade // 2 * _RATE
            sheet.rect(
                left, y, width, _RATE - 8, 12, fill="none", stroke="accent", stroke_width=2.5
            )


@cache
def _equations(number: int, sides: tuple[tuple[str, str], ...]) -> Sheet:
    card = Sheet(406, 5 * _RATE + 46)
    card.rect(0, 0, 406, 5 * _RATE + 46, 14, fill="panel", stroke="line")
    card.figure(203, 28, say("bazaar.rate_card", n=number), 20, "text-2", text_anchor="middle")
    for i, (left, right) in enumerate(sides):
        y = 40 + i * _RATE
        card.rect(12, y, 382, _RATE - 8, 12, fill="ground", stroke="line")
        _chips(card, left, 87, y + 8, 34)
        card.figure(174, y + 33, "=", 24, "brass", text_anchor="middle")
        _chips(card, right, 290, y + 8, 34)
    return card


def _bank(sheet: Sheet, bank: Sequence[int]) -> None:
    """The bank's chips."""
    sheet.rect(0, _FOOT, 406, HEIGHT - _FOOT, 14, fill="panel", stroke="line")
    sheet.figure(20, _FOOT + 36, say("bazaar.bank"), 21, "text-2")
    for k, colour in enumerate(CHIPS):
        sheet.picture(
            f"chip-{colour}", 26 + 77 * k, _FOOT + 52, 44, opacity=None if bank[k] else 0.35
        )
        sheet.text(48 + 77 * k, _FOOT + 126, bank[k], 22, text_anchor="middle", font_weight="bold")


def _values(sheet: Sheet, values: Sequence[Sequence[int]]) -> None:
    """Points for a ware, by stars and chips left over."""
    sheet.rect(414, _FOOT, 406, HEIGHT - _FOOT, 14, fill="panel", stroke="line")
    sheet.text(617, _FOOT + 24, say("bazaar.left_over"), 17, "text-2", text_anchor="middle")
    columns = [560 + 66 * k for k in range(4)]
    for x, over in zip(columns, ("0", "1", "2", "3+"), strict=True):
        sheet.text(x, _FOOT + 50, over, 18, "text-2", text_anchor="middle")
    for stars, row in enumerate(values):
        y = _FOOT + 82 + 33 * stars
        for k in range(stars):
            sheet.picture("star", 440 + 28 * k, y - 20, 26)
        for x, points in zip(columns, row, strict=True):
            sheet.text(x, y, points, 21, text_anchor="middle", font_weight="bold")


def _goal(sheet: Sheet) -> None:
    """The goal of solitaire."""
    sheet.figure(240, 60, say("bazaar.puzzle"), 28, "heading")
    for k, line in enumerate(wrap(say("bazaar.alone_goal"), 42)):
        sheet.text(240, 100 + 32 * k, line, 22)


# ---------------------------------------------------------------- the players


def _purse(sheet: BazaarSheet, seat: int, spot: Spot) -> None:
    """Points and wares (solitaire: actions), number of chips, and the chips."""
    (x, y, width), position, limit = spot, sheet.view.position, sheet.view.box.limit
    chips = position.chips[seat]
    if position.actions is msgspec.UNSET:
        sheet.figure(x, y + 18, say("bazaar.points", n=position.points[seat]), 22, "heading")
        sheet.picture("card-back", x + 138, y - 2, 26)
        sheet.text(x + 164, y + 18, position.bought[seat], 19, "text-2")
    else:
        sheet.figure(x, y + 18, say("bazaar.actions_n", n=position.actions), 22, "heading")
    full = sum(chips) >= limit
    sheet.text(
        x + width,
        y + 18,
        f"{sum(chips)}/{limit}",
        19,
        "bad" if full else "text-2",
        text_anchor="end",
    )
    for k, colour in enumerate(CHIPS):
        sheet.counted(f"chip-{colour}", x + k * width / 5, y + 30, chips[k], 26)


DRAWING = SheetDrawing(draw, (SIZE, HEIGHT))
