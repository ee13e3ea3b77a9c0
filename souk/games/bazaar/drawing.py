"""Bazaar drawn: the stalls with their wares, the two rate cards, bank and values, and everybody's chips."""

from collections.abc import Sequence
from functools import cache
from textwrap import wrap
from typing import Any

import msgspec

from souk.games.art.drawing import SheetDrawing
from souk.games.art.palette import BAD, BRASS, CREAM, FAINT, HEADING, INK, LAMP, LINE, NIGHT, PANEL, TEXT
from souk.games.art.sheet import EDGE, SERIF, TOP, Sheet, View, counted, gradient, panel, say, table
from souk.games.bazaar.box import COLOURS, EQUATIONS

SIZE, HEIGHT = 820, 800
PANEL_HEIGHT = 125
CHIPS = ("white", "blue", "green", "red", "yellow")

_STALL = 252  # how high a stall is
_RATES, _RATE = 280, 58  # where the rate cards begin; from one equation to the next
_FOOT = _RATES + 5 * _RATE + 62  # where bank and values begin

Facts = dict[str, Any]


def sheet(view: View, names: Sequence[str]) -> Sheet:
    box, facts, scene = (msgspec.to_builtins(part) for part in (view.box, view.position, view.scene))
    drawn = table(view, names, (SIZE, HEIGHT))
    with drawn.group(transform=f"translate({EDGE} {TOP})"):
        for k, stall in enumerate(facts["stalls"]):
            _stall(drawn, k, stall, scene, view.players)
        for k in range(2):
            _rate_card(drawn, k, box, facts, scene)
        with drawn.piece():
            _bank(drawn, facts["bank"])
        with drawn.piece():
            if view.players > 1:
                _values(drawn, box["values"])
            else:
                _goal(drawn)
    for each in range(view.players):
        with drawn.piece():
            _purse(drawn, box, facts, each, panel(drawn, view, each, names, PANEL_HEIGHT))
    return drawn


def _chips(drawn: Sheet, bag: str, x: float, y: float, size: float) -> None:
    """A bag of letters as a row of chips around a middle."""
    start = x - (len(bag) * (size + 3) - 3) / 2
    for k, letter in enumerate(bag):
        drawn.art(f"chip-{CHIPS[COLOURS.index(letter)]}", start + k * (size + 3), y, size)


# ---------------------------------------------------------------- stalls


@cache
def _roof() -> Sheet:
    """The striped roof of a stall, its two poles and its shelf."""
    roof = Sheet(196, _STALL)
    roof.add("path", d="M3 8V246M193 8V246", stroke="#8a6b3a", stroke_width=4)
    for k in range(9):
        x = k * 196 / 9
        stripe = f"M{x:.2f} 0h21.8v19a10.9 9 0 0 1-21.8 0z"
        roof.add("path", d=stripe, fill="#f8eacc" if k % 2 else "#ad823d")
    roof.rect(0, 0, 196, 4, fill="#785b3a")
    roof.rect(0, 14, 196, 3, fill="#000", fill_opacity=0.1)
    return roof


def _stall(drawn: Sheet, k: int, stall: Facts, scene: Facts, players: int) -> None:
    """A stall with the ware on top, what it is worth to whom, and how many cards there are below."""
    with drawn.piece(transform=f"translate({k * 208} 8)", data_stall=k + 1):
        for under in range(max(0, stall["left"] - 1), 0, -1):
            drawn.rect(14 + 2 * under, 14 + 2 * under, 164, 186, 10, fill="#eed9ab", stroke=BRASS)
        if stall["top"]:
            _ware(drawn, stall["top"], scene.get("stalls", [{}] * 4)[k])
            _lacking(drawn, [lack[k] for lack in scene["lack"]])
        elif stall["left"]:
            with drawn.group("svg", x=14, y=14, width=164, height=186, viewBox="0 0 100 113"):
                drawn.art("card-back", 0, 0, 140)
        else:
            drawn.rect(14, 14, 164, 186, 10, fill=PANEL, stroke=BRASS, stroke_width=2, stroke_dasharray="7 5")
            drawn.art("star", 72, 70, 48)
            sold = say("bazaar.bought" if players == 1 else "bazaar.sold_out")
            drawn.text(96, 150, sold, 21, TEXT, text_anchor="middle")
        drawn.ground("stall", _roof())
        drawn.add("circle", cx=98, cy=9, r=15, fill=PANEL, stroke=BRASS, stroke_width=1.5)
        look: Facts = {"font_family": SERIF, "font_weight": "bold", "text_anchor": "middle"}
        drawn.text(98, 16, k + 1, 19, HEADING, **look)
        left = say("bazaar.cards_left", n=stall["left"]) if stall["left"] else "–"
        drawn.text(98, 238, left, 18, FAINT, text_anchor="middle")


def _ware(drawn: Sheet, ware: str, prospect: Facts) -> None:
    paper = gradient(drawn, "ware", (0, "#f0d9a4", 1), (0.3, CREAM, 1), x1=0, y1=0, x2=0, y2=1)
    payable = "points" in prospect
    drawn.rect(14, 14, 164, 186, 10, fill=paper, stroke=LAMP if payable else BRASS, stroke_width=4 if payable else 2)
    _chips(drawn, ware, 96, 48, 29)
    if payable:
        look: Facts = {"font_family": SERIF, "font_weight": "bold"}
        drawn.text(22, 118, say("bazaar.points", n=prospect["points"]), 19, "#5b4016", **look)
    for k in range(prospect.get("stars", 0)):
        drawn.art("star", 142 - 30 * k, 94, 32)


def _lacking(drawn: Sheet, lack: list[int | None]) -> None:
    """How many chips everybody still needs for a ware: a tick where none."""
    drawn.ground("lacking", _buyers(len(lack)))
    with drawn.group(font_size=17, fill=INK):
        for seat, n in enumerate(lack):
            x, y = _buyer(seat)
            drawn.add("text", "✓" if n == 0 else str(n), x=x + 21, y=y + 20, font_weight="bold" if n == 0 else None)


@cache
def _buyers(players: int) -> Sheet:
    """Everybody's figure on a ware."""
    figures = Sheet(196, _STALL)
    figures.add("path", d="M24 134H168", stroke=BRASS, stroke_dasharray="4 4")
    for seat in range(players):
        figures.art(f"figure-{seat}", *_buyer(seat), 26)
    return figures


def _buyer(seat: int) -> tuple[float, float]:
    return 26 + 50 * (seat % 3), 139 + 30 * (seat // 3)


# ---------------------------------------------------------------- rates, bank, values


def _rate_card(drawn: Sheet, k: int, box: Facts, facts: Facts, scene: Facts) -> None:
    """Five equations, and those sides lit that the seat looked at could give."""
    x = k * 414
    with drawn.group(transform=f"translate({x} {_RATES})"):
        if k >= len(facts["rates"]):
            drawn.rect(0, 0, 406, 5 * _RATE + 46, 14, fill=PANEL, stroke=LINE, stroke_dasharray="7 5")
            drawn.text(203, 170, say("bazaar.rate_to_come"), 20, FAINT, text_anchor="middle")
            return
        number = facts["rates"][k]
        drawn.ground(f"rate-{number}", _equations(number, tuple(map(tuple, box["rates"][number - 1]))))
        if facts["phase"] == "act":
            for i in range(EQUATIONS):
                bits = scene.get("trades", 0) >> 2 * (k * EQUATIONS + i)
                for side, (left, width) in enumerate(((12, 150), (186, 208))):
                    if bits >> side & 1:
                        drawn.rect(
                            left, 40 + i * _RATE, width, _RATE - 8, 12, fill="none", stroke=LAMP, stroke_width=2.5
                        )


@cache
def _equations(number: int, sides: tuple[tuple[str, str], ...]) -> Sheet:
    card = Sheet(406, 5 * _RATE + 46)
    card.rect(0, 0, 406, 5 * _RATE + 46, 14, fill=PANEL, stroke=LINE)
    title: Facts = {"font_family": SERIF, "font_weight": "bold", "text_anchor": "middle"}
    card.text(203, 28, say("bazaar.rate_card", n=number), 20, FAINT, **title)
    for i, (left, right) in enumerate(sides):
        y = 40 + i * _RATE
        card.rect(12, y, 382, _RATE - 8, 12, fill=NIGHT, stroke=LINE)
        _chips(card, left, 87, y + 8, 34)
        card.text(174, y + 33, "=", 24, BRASS, **title)
        _chips(card, right, 290, y + 8, 34)
    return card


def _bank(drawn: Sheet, bank: Sequence[int]) -> None:
    """What the bank has of each chip."""
    drawn.rect(0, _FOOT, 406, HEIGHT - _FOOT, 14, fill=PANEL, stroke=LINE)
    drawn.text(20, _FOOT + 36, say("bazaar.bank"), 21, FAINT, font_family=SERIF, font_weight="bold")
    for k, colour in enumerate(CHIPS):
        drawn.art(f"chip-{colour}", 26 + 77 * k, _FOOT + 52, 44, opacity=None if bank[k] else 0.35)
        drawn.text(48 + 77 * k, _FOOT + 126, bank[k], 22, TEXT, text_anchor="middle", font_weight="bold")


def _values(drawn: Sheet, values: Sequence[Sequence[int]]) -> None:
    """What a ware brings, by its stars and the chips left over."""
    drawn.rect(414, _FOOT, 406, HEIGHT - _FOOT, 14, fill=PANEL, stroke=LINE)
    drawn.text(617, _FOOT + 24, say("bazaar.left_over"), 17, FAINT, text_anchor="middle")
    columns = [560 + 66 * k for k in range(4)]
    for x, over in zip(columns, ("0", "1", "2", "3+"), strict=True):
        drawn.text(x, _FOOT + 50, over, 18, FAINT, text_anchor="middle")
    for stars, row in enumerate(values):
        y = _FOOT + 82 + 33 * stars
        for k in range(stars):
            drawn.art("star", 440 + 28 * k, y - 20, 26)
        for x, points in zip(columns, row, strict=True):
            drawn.text(x, y, points, 21, TEXT, text_anchor="middle", font_weight="bold")


def _goal(drawn: Sheet) -> None:
    """What one who plays alone is to do."""
    drawn.text(240, 60, say("bazaar.puzzle"), 28, HEADING, font_family=SERIF, font_weight="bold")
    for k, line in enumerate(wrap(say("bazaar.alone_goal"), 42)):
        drawn.text(240, 100 + 32 * k, line, 22, TEXT)


# ---------------------------------------------------------------- the players


def _purse(drawn: Sheet, box: Facts, facts: Facts, seat: int, room: tuple[float, float, float]) -> None:
    """Points and wares, or the actions of one who plays alone; how many chips they hold, and which."""
    x, y, width = room
    chips = facts["chips"][seat]
    text = (
        say("bazaar.actions_n", n=facts["actions"])
        if "actions" in facts
        else say("bazaar.points", n=facts["points"][seat])
    )
    drawn.text(x, y + 18, text, 22, HEADING, font_family=SERIF, font_weight="bold")
    if "actions" not in facts:
        drawn.art("card-back", x + 138, y - 2, 26)
        drawn.text(x + 164, y + 18, facts["bought"][seat], 19, FAINT)
    held, full = sum(chips), sum(chips) >= box["limit"]
    drawn.text(x + width, y + 18, f"{held}/{box['limit']}", 19, BAD if full else FAINT, text_anchor="end")
    for k, colour in enumerate(CHIPS):
        counted(drawn, f"chip-{colour}", x + k * width / 5, y + 30, chips[k], 26)


DRAWING = SheetDrawing(sheet)
