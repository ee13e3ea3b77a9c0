"""SVG of Basari, the card game: pile, majorities, cards, choices, haggles and holdings."""

import msgspec

from souk import drawing
from souk.core.seat_view import SeatView
from souk.drawing.drawing import SheetDrawing
from souk.drawing.svg_document import Sheet
from souk.drawing.table_svg import EDGE, TOP, TableSheet, fitted, say
from souk.games.basari_cards.board_info import CardsBox, CardsScene
from souk.games.basari_cards.notation import CardsPosition
from souk.games.basari_common import svg as haggling

CardsSheet = TableSheet[SeatView[CardsPosition, CardsBox, CardsScene]]


class CardRow(msgspec.Struct):
    """A row of pictures: size, distance and height."""

    size: float
    step: float
    top: float


class CardMeasures(msgspec.Struct):
    width: float
    worker: CardRow
    gem: CardRow


CARD = drawing.measures("card", CardMeasures)
SIZE = 800
PANEL_HEIGHT = 152
_STALLS, _COLUMNS, _GAP = 216, 3, 14  # top of the stalls, stalls per row, gap
_WIDE, _HIGH = (SIZE - 32 - 2 * _GAP) / _COLUMNS, 272


def draw(sheet: CardsSheet) -> None:
    view = sheet.view
    with sheet.group(transform=f"translate({EDGE} {TOP})", data_board="basari-cards"):
        cloth = sheet.gradient("cloth", (0, "ground-2", 1), (1, "panel", 1), cx=0.5, cy=0.2, r=0.85)
        sheet.rect(2, 2, SIZE - 4, SIZE - 4, 22, fill=cloth, stroke="brass", stroke_width=2.5)
        _pile(sheet)
        haggling.majorities(sheet, (164, 22, SIZE - 164 - 14))
        for seat in range(view.players):
            with sheet.piece(data_seat=seat):
                _stall(sheet, seat)
        if view.position.haggle:
            action = view.position.haggle.action
            x, y = _place(view.players)  # a place no seat uses
            what = f"{action} · {say(f'basari-cards.action.{action}')}"
            haggling.counter(
                sheet, view.position.haggle, what, (x, y + 40, min(SIZE - 16 - x, 400))
            )
    for seat in range(view.players):
        with sheet.piece():
            way = ("worker", view.position.workers[seat], view.box.workers)
            haggling.purse(sheet, seat, sheet.panel(seat, PANEL_HEIGHT), way)


def _pile(sheet: CardsSheet) -> None:
    """The cards still to come, and the number of the deal."""
    position, box, scene = sheet.view.position, sheet.view.box, sheet.view.scene
    for k in (2, 1, 0):
        sheet.cropped("card-back", 44 + 3 * k, 22 + 3 * k, 80, 112)
    if scene.pile:
        sheet.text(86, 164, say("basari-cards.pile", n=sum(scene.pile)), 19, text_anchor="middle")
    deal = say("basari-cards.deal", n=min(position.deals + 1, box.deals), last=box.deals)
    sheet.text(86, 190, deal, 18, "text-2", text_anchor="middle")


def _place(k: int) -> tuple[float, float]:
    """Corner of the k-th place on the cloth."""
    row, column = divmod(k, _COLUMNS)
    return 16 + column * (_WIDE + _GAP), _STALLS + row * (_HIGH + _GAP)


def _stall(sheet: CardsSheet, seat: int) -> None:
    """A seat's card of this round, with its choice beside it."""
    (x, y), position, mine = _place(seat), sheet.view.position, seat == sheet.view.seat
    look = {"stroke": "lamp", "stroke_width": 2} if mine else {"stroke": "line", "stroke_width": 1}
    sheet.rect(
        x, y, _WIDE, _HIGH, 12, fill="panel-2" if mine else "panel", fill_opacity=0.85, **look
    )
    sheet.picture(f"figure-{seat}", x + 12, y + 8, 34)
    sheet.text(
        x + 46, y + 33, fitted(sheet.names[seat], _WIDE - 56, 20, bold=True), 20, font_weight="bold"
    )
    if dealt := position.cards[seat]:
        with sheet.group(
            transform=f"translate({x + 12:g} {y + 56:g}) scale({138 / CARD.width:g})",
            data_card=dealt,
        ):
            card(sheet, sheet.view.box, dealt)
    else:
        sheet.rect(
            x + 12,
            y + 56,
            138,
            193,
            12,
            fill="none",
            stroke="line",
            stroke_width=1.5,
            stroke_dasharray="6 5",
        )
    haggling.action_card(sheet, x + 158, y + 140, 78, seat)
    if choice := position.choices[seat]:
        sheet.figure(x + 197, y + 126, choice, 30, "lamp", text_anchor="middle")


def card(sheet: Sheet, box: CardsBox, text: str) -> None:
    """A bazaar card, 100 × 140: workers above, points in the middle, gems below."""
    workers, points, letters = text.split("/")
    stones = haggling.one_by_one(box, [letters.count(colour[0].upper()) for colour in box.colours])
    gems = _row(sheet, CARD.gem, [f"gem-{colour}" for colour in stones])
    sheet.ground(
        "card",
        workers=_row(sheet, CARD.worker, ["worker"] * int(workers)),
        points=points,
        gems=gems,
    )


def _row(sheet: Sheet, row: CardRow, names: list[str]) -> str:
    """A row of pictures, centred on a card."""
    start = (CARD.width - row.step * (len(names) - 1) - row.size) / 2
    return "".join(
        sheet.use(name, start + row.step * k, row.top, row.size, row.size)
        for k, name in enumerate(names)
    )


DRAWING = SheetDrawing(draw, (SIZE, SIZE))
