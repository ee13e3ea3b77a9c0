"""What both Basari games draw alike: the carpets of the majorities, action cards, the counter, and what everybody holds."""

from collections.abc import Sequence
from typing import Any

from souk.core.message import Seat
from souk.games.art.palette import BRASS, FAINT, HEADING, LAMP, LINE, PANEL, SEATS, TEXT
from souk.games.art.sheet import SERIF, Sheet, bar, counted, fitted, gradient, say

CARD, CARD_INK = "#f5e7c4", "#3a2408"
COUNTER = 188  # how high the counter is
_CHALK, _VEIL = "#fff3d6", "#14122b"

Facts = dict[str, Any]
_NOBODY: Facts = {"seats": [], "points": 0}
Room = tuple[float, float, float]  # where there is room, and how wide it is


def gems(sheet: Sheet, box: Facts, counts: Sequence[int], x: float, y: float, size: float, room: float) -> None:
    """Gems one by one, from a point on; they move together where the room is small."""
    stones = [colour for colour, n in zip(box["colours"], counts, strict=True) for _ in range(n)]
    step = min(size + 3, (room - size) / max(1, len(stones) - 1))
    for k, colour in enumerate(stones):
        sheet.art(f"gem-{colour}", x + k * step, y, size)


def majorities(sheet: Sheet, box: Facts, scene: Facts, supply: Sequence[int], room: Room) -> None:
    """The four carpets: what the most of a colour is worth, who would be paid for it now, and the supply."""
    x, y, width = room
    with sheet.piece():
        for k, colour in enumerate(box["colours"]):
            most = scene.get("most", [_NOBODY] * 4)[k]
            _carpet(sheet, colour, box["majority"][k], most, supply[k], (x + k * width / 4 + 3, y, width / 4 - 6))


def _carpet(sheet: Sheet, colour: str, worth: int, most: Facts, stock: int, room: Room) -> None:
    x, y, width = room
    high = width / 2
    sheet.art(f"rug-{colour}", x, y, high)
    sheet.add("circle", cx=x + width * 0.3, cy=y + high / 2, r=high * 0.36, fill=_VEIL, fill_opacity=0.72)
    sheet.art(f"gem-{colour}", x + width * 0.3 - high * 0.3, y + high * 0.2, high * 0.6)
    sheet.rect(x + width * 0.5, y + high * 0.18, width * 0.37, high * 0.64, 9, fill=_VEIL, fill_opacity=0.82)
    look: Facts = {"font_family": SERIF, "font_weight": "bold", "text_anchor": "middle"}
    sheet.text(x + width * 0.685, y + high * 0.5 + 10, worth, 28, _CHALK, **look)
    _paid(sheet, most, x + width / 2, y + high + 5)
    sheet.text(x + width / 2, y + high + 54, say("haggling.supply", n=stock), 17, FAINT, text_anchor="middle")


def _paid(sheet: Sheet, most: Facts, x: float, y: float) -> None:
    """Who would be paid, and how much."""
    seats, points = most["seats"], most["points"]
    step = 20 if len(seats) < 3 else 13
    start = x - (step * len(seats) + 40) / 2
    for k, seat in enumerate(seats):
        sheet.art(f"figure-{seat}", start + k * step, y, 32)
    text = f"+{points}" if points else "–"
    look: Facts = {"font_weight": "bold"} if points else {"text_anchor": "middle"}
    sheet.text(start + step * len(seats) + 6 if points else x, y + 25, text, 22, TEXT if points else FAINT, **look)


def action_card(sheet: Sheet, x: float, y: float, width: float, facts: Facts, seat: int, game: str) -> None:
    """A choice on the table: none yet, a card face down, or the action where this view has it. That which is settled now is
    framed, one of which nothing is to come any more is faint."""
    height = width * 1.4
    choice, ready = facts["choices"][seat], facts["ready"][seat]
    if choice is None and not ready:
        sheet.rect(x, y, width, height, 7, fill="none", stroke=LINE, stroke_width=1.5, stroke_dasharray="6 5")
        return
    if choice is None:
        with sheet.group("svg", x=x, y=y, width=width, height=height, viewBox="0 0 100 140"):
            sheet.art("card-back", 0, 0, 140)
        return
    current = choice in facts["pending"][:1]
    done = facts["pending"] and choice not in facts["pending"]
    with sheet.group(data_choice=choice, opacity=0.5 if done else None):
        look: Facts = {"stroke": LAMP, "stroke_width": 5} if current else {"stroke": BRASS, "stroke_width": 2}
        sheet.rect(x, y, width, height, 7, fill=CARD, **look)
        sheet.art(f"action-{choice.lower()}", x + width * 0.07, y + height * 0.08, width * 0.86)
        title: Facts = {"font_family": SERIF, "font_weight": "bold", "text_anchor": "middle"}
        name = say(f"{game}.action.{choice}")
        sheet.text(x + width / 2, y + height * 0.91, name, width * 0.165, CARD_INK, **title)


def counter(
    sheet: Sheet, box: Facts, facts: Facts, scene: Facts, names: Sequence[str], action: str, room: Room
) -> None:
    """Two haggle: for what, what it is worth to each, and the offer that lies there."""
    x, y, width = room
    haggle = facts["haggle"]
    wood = gradient(sheet, "counter", (0, "#4a3a4d", 1), (0.5, PANEL, 1), x1=0, y1=0, x2=0, y2=1)
    sheet.rect(x, y, width, COUNTER, 14, fill=wood, stroke=BRASS, stroke_width=2.5)
    sheet.text(x + 16, y + 30, say("haggling.counter"), 22, LAMP, font_family=SERIF, font_weight="bold")
    sheet.text(x + 16, y + 54, fitted(say("haggling.for", what=action), width - 30, 19), 19, FAINT)
    for k, seat in enumerate(haggle["seats"]):
        left = x + 16 + k * (width - 20) / 2
        sheet.art(f"figure-{seat}", left, y + 63, 34)
        worth = scene.get("stakes", (None, None))[k]
        if isinstance(worth, list):
            gems(sheet, box, worth, left + 29, y + 71, 21, width / 2 - 50)
        elif worth is not None:
            sheet.text(left + 32, y + 89, f"+{worth}", 22, TEXT, font_weight="bold")
    sheet.add("path", d=f"M{x + 10} {y + 105}H{x + width - 10}", stroke=LINE, stroke_dasharray="5 5")
    short = [fitted(name, width - 130, 20) for name in names]
    sheet.text(x + 16, y + 130, fitted(_last_word(haggle, short), width - 30, 20), 20, TEXT)
    if haggle["offer"]:
        with sheet.group(data_offer=""):
            gems(sheet, box, haggle["offer"], x + 16, y + 140, 36, width - 32)


def _last_word(haggle: Facts, names: Sequence[str]) -> str:
    if haggle["offerer"] is not None:
        return say("haggling.offers", names, who=Seat(haggle["offerer"]))
    if haggle["turn"] is None:
        return say("haggling.who_opens")
    return say("haggling.to_open", names, who=Seat(haggle["turn"]))


def purse(
    sheet: Sheet, box: Facts, facts: Facts, scene: Facts, seat: int, room: Room, way: tuple[str, int, int]
) -> None:
    """Points, what a scoring would bring now, how far on its way a seat is, and its gems with the majorities marked."""
    x, y, width = room
    icon, now, whole = way
    sheet.art("star", x, y, 32)
    sheet.text(x + 38, y + 26, facts["points"][seat], 28, TEXT, font_family=SERIF, font_weight="bold")
    if "scoring" in scene:
        sheet.text(x + 88, y + 25, f"+{scene['scoring'][seat]}", 19, FAINT)
    if icon:
        sheet.art(icon, x + 132, y + 3, 28)
    start = x + (164 if icon else 138)
    bar(sheet, start, y + 14, x + width - 60 - start, now / whole, SEATS[seat])
    sheet.text(x + width, y + 24, f"{now}/{whole}", 18, HEADING if now >= whole else FAINT, text_anchor="end")
    for k, colour in enumerate(box["colours"]):
        left, n = x + k * width / 4, facts["gems"][seat][k]
        if seat in scene.get("most", [_NOBODY] * 4)[k]["seats"]:
            sheet.rect(left - 5, y + 42, width / 4 - 3, 38, 8, fill=BRASS, fill_opacity=0.3)
        counted(sheet, f"gem-{colour}", left, y + 47, n, 28)
