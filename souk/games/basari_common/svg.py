"""SVG parts shared by both Basari games: majority carpets, action cards, the haggle, and
holdings.
"""

from collections.abc import Sequence
from typing import Any

import msgspec

from souk import drawing
from souk.core.messages import Seat
from souk.core.seat_view import SeatView
from souk.drawing.svg_document import Sheet
from souk.drawing.table_svg import Spot, TableSheet, fitted, say
from souk.games.basari_common.board_info import HagglingBox, HagglingScene, Payout
from souk.games.basari_common.notation import Haggle, HagglingPosition

COUNTER = 188  # height of the haggle panel
_NOBODY = Payout([], 0)


HagglingSheet = TableSheet[SeatView[HagglingPosition, HagglingBox, HagglingScene]]


class CarpetSize(msgspec.Struct):
    width: float
    middle: float  # of the plate under the points
    plates: list[float]  # plate widths by number of digits


CARPET = drawing.measures("carpet", CarpetSize)


def one_by_one(box: HagglingBox, counts: Sequence[int]) -> list[str]:
    """The gems one by one, as colours."""
    return [colour for colour, n in zip(box.colours, counts, strict=True) for _ in range(n)]


def gems(
    sheet: Sheet,
    box: HagglingBox,
    counts: Sequence[int],
    x: float,
    y: float,
    size: float,
    wide: float,
) -> None:
    """Gems in a row, overlapping if there is little room."""
    stones = one_by_one(box, counts)
    step = min(size + 3, (wide - size) / max(1, len(stones) - 1))
    for k, colour in enumerate(stones):
        sheet.picture(f"gem-{colour}", x + k * step, y, size)


# ---------------------------------------------------------------- majorities


def majorities(sheet: HagglingSheet, spot: Spot) -> None:
    """Four carpets: points for the majority of a colour, who would get them now, and the supply."""
    x, y, width = spot
    with sheet.piece():
        for k in range(4):
            majority(sheet, k, (x + k * width / 4 + 3, y, width / 4 - 6))


def majority(sheet: HagglingSheet, k: int, spot: Spot) -> None:
    """The carpet of a colour."""
    (left, y, wide), box = spot, sheet.view.box
    with sheet.group(
        transform=f"translate({left:g} {y:g}) scale({wide / CARPET.width:.4g})",
        data_carpet=box.colours[k],
    ):
        carpet(sheet, box.colours[k], box.majority[k])
    _paid(sheet, _most(sheet, k), left + wide / 2, y + wide / 2 + 5)
    stock = say("basari-common.supply", n=sheet.view.position.supply[k])
    sheet.text(left + wide / 2, y + wide / 2 + 54, stock, 17, "text-2", text_anchor="middle")


def carpet(sheet: Sheet, colour: str, worth: int) -> None:
    plate = CARPET.plates[len(str(worth)) - 1]
    sheet.ground("carpet", colour=colour, worth=worth, plate=plate, left=CARPET.middle - plate / 2)


def _most(sheet: HagglingSheet, colour: int) -> Payout:
    """Who would be paid for a colour now; nobody once the game is over."""
    most = sheet.view.scene.most
    return most[colour] if most else _NOBODY


def _paid(sheet: Sheet, most: Payout, x: float, y: float) -> None:
    """Who would be paid, and how much."""
    step = 20 if len(most.seats) < 3 else 13
    start = x - (step * len(most.seats) + 40) / 2
    for k, seat in enumerate(most.seats):
        sheet.picture(f"figure-{seat}", start + k * step, y, 32)
    if most.points:
        sheet.text(
            start + step * len(most.seats) + 6, y + 25, f"+{most.points}", 22, font_weight="bold"
        )
    else:
        sheet.text(x, y + 25, "–", 22, "text-2", text_anchor="middle")


# ---------------------------------------------------------------- choices


def action_card(sheet: HagglingSheet, x: float, y: float, width: float, seat: int) -> None:
    """A seat's choice: none yet, face down, or the action if visible.

    The action being settled is framed; a settled one is faint.
    """
    height, position = width * 1.4, sheet.view.position
    choice = position.choices[seat]
    if choice is None and position.ready[seat]:
        sheet.cropped("card-back", x, y, width, height)
    elif choice is None:
        sheet.rect(
            x,
            y,
            width,
            height,
            7,
            fill="none",
            stroke="line",
            stroke_width=1.5,
            stroke_dasharray="6 5",
        )
    else:
        done = position.pending and choice not in position.pending
        with sheet.group(data_choice=choice, opacity=0.5 if done else None):
            _action(sheet, x, y, width, choice, current=choice in position.pending[:1])


def _action(
    sheet: HagglingSheet, x: float, y: float, width: float, choice: str, current: bool
) -> None:
    height = width * 1.4
    paper = sheet.gradient(
        "paper", (0, "card-light", 1), (1, "card-dark", 1), x1=0.25, y1=0, x2=0.75, y2=1
    )
    frame: dict[str, Any] = {"stroke_width": 5} if current else {"stroke_width": 2}
    sheet.rect(x, y, width, height, 7, fill=paper, stroke="brass", **frame)
    sheet.picture(f"action-{choice.lower()}", x + width * 0.07, y + height * 0.08, width * 0.86)
    name = say(f"{sheet.view.game.name}.action.{choice}")
    sheet.figure(
        x + width / 2, y + height * 0.91, name, width * 0.165, "card-ink", text_anchor="middle"
    )


# ---------------------------------------------------------------- the haggle


def counter(sheet: HagglingSheet, haggle: Haggle, action: str, spot: Spot) -> None:
    """The haggle: the action, its value to each side, and the current offer."""
    x, y, width = spot
    sheet.rect(x, y, width, COUNTER, 14, fill="panel", stroke="brass", stroke_width=2.5)
    shine = sheet.gradient(
        "counter", (0, "market-lit", 0.1), (0.4, "market-lit", 0), x1=0, y1=0, x2=0, y2=1
    )
    sheet.rect(x, y, width, COUNTER, 14, fill=shine)
    sheet.figure(x + 16, y + 30, say("basari-common.counter"), 22, "lamp")
    sheet.text(
        x + 16, y + 54, fitted(say("basari-common.for", what=action), width - 30, 19), 19, "text-2"
    )
    for k, seat in enumerate(haggle.seats):
        left = x + 16 + k * (width - 20) / 2
        sheet.picture(f"figure-{seat}", left, y + 63, 34)
        _stake(sheet, k, left, y, width)
    sheet.add(
        "path", d=f"M{x + 10} {y + 105}H{x + width - 10}", stroke="line", stroke_dasharray="5 5"
    )
    short = [fitted(name, width - 130, 20) for name in sheet.names]
    sheet.text(x + 16, y + 130, fitted(_last_word(haggle, short), width - 30, 20), 20)
    if haggle.offer:
        with sheet.group(data_offer=""):
            gems(sheet, sheet.view.box, haggle.offer, x + 16, y + 140, 36, width - 32)


def _stake(sheet: HagglingSheet, k: int, left: float, y: float, width: float) -> None:
    """What the action would bring one of the two, if known."""
    stakes = sheet.view.scene.stakes
    if not stakes:
        return
    worth = stakes[k]
    if isinstance(worth, list):
        gems(sheet, sheet.view.box, worth, left + 29, y + 71, 21, width / 2 - 50)
    else:
        sheet.text(left + 32, y + 89, f"+{worth}", 22, font_weight="bold")


def _last_word(haggle: Haggle, names: Sequence[str]) -> str:
    if haggle.offerer is not None:
        return say("basari-common.offers", names, who=Seat(haggle.offerer))
    if haggle.turn is None:
        return say("basari-common.who_opens")
    return say("basari-common.to_open", names, who=Seat(haggle.turn))


# ---------------------------------------------------------------- the players


def purse(sheet: HagglingSheet, seat: int, spot: Spot, way: tuple[str, int, int]) -> None:
    """Points, what a scoring would bring now, progress, and gems with majorities marked."""
    (x, y, width), (icon, now, whole), view = spot, way, sheet.view
    sheet.picture("star", x, y, 32)
    sheet.figure(x + 38, y + 26, view.position.points[seat], 28)
    if view.scene.scoring:
        sheet.text(x + 88, y + 25, f"+{view.scene.scoring[seat]}", 19, "text-2")
    if icon:
        sheet.picture(icon, x + 132, y + 3, 28)
    start = x + (164 if icon else 138)
    sheet.bar(start, y + 14, x + width - 60 - start, now / whole, f"seat-{seat}")
    sheet.text(
        x + width,
        y + 24,
        f"{now}/{whole}",
        18,
        "heading" if now >= whole else "text-2",
        text_anchor="end",
    )
    for k, colour in enumerate(view.box.colours):
        left, n = x + k * width / 4, view.position.gems[seat][k]
        if seat in _most(sheet, k).seats:
            sheet.rect(left - 5, y + 42, width / 4 - 3, 38, 8, fill="brass", fill_opacity=0.3)
        sheet.counted(f"gem-{colour}", left, y + 47, n, 28)
