"""Basari, the card game, drawn: the pile and the carpets, everybody's card and choice, the counter, and what everybody holds."""

from collections.abc import Sequence
from typing import Any

import msgspec

from souk.games.art.drawing import SheetDrawing
from souk.games.art.palette import BRASS, FAINT, LAMP, LINE, PANEL, PANEL_LIT, TEXT
from souk.games.art.sheet import EDGE, SERIF, TOP, Sheet, View, fitted, gradient, panel, say, table
from souk.games.haggling import drawing as haggling_drawing
from souk.games.haggling.drawing import CARD_INK

SIZE = 800
PANEL_HEIGHT = 152
_STALLS, _COLUMNS, _GAP = 216, 3, 14  # where the stalls begin; how many stand side by side
_WIDE, _HIGH = (SIZE - 32 - 2 * _GAP) / _COLUMNS, 272


def sheet(view: View, names: Sequence[str]) -> Sheet:
    me = view.seat
    box, facts, scene = (msgspec.to_builtins(part) for part in (view.box, view.position, view.scene))
    drawn = table(view, names, (SIZE, SIZE))
    with drawn.group(transform=f"translate({EDGE} {TOP})"):
        cloth = gradient(drawn, "cloth", (0, "#2b2455", 1), (1, PANEL, 1), cx=0.5, cy=0.3, r=0.8)
        drawn.rect(2, 2, SIZE - 4, SIZE - 4, 22, fill=cloth, stroke=BRASS, stroke_width=2.5)
        _pile(drawn, box, facts, scene)
        haggling_drawing.majorities(drawn, box, scene, facts["supply"], (164, 22, SIZE - 164 - 14))
        for each, name in enumerate(names):
            with drawn.piece(data_seat=each):
                _stall(drawn, box, facts, each, name, each == me)
        if facts["haggle"]:
            _counter(drawn, box, facts, scene, names)
    for each in range(view.players):
        way = ("worker", facts["workers"][each], box["workers"])
        with drawn.piece():
            room = panel(drawn, view, each, names, PANEL_HEIGHT)
            haggling_drawing.purse(drawn, box, facts, scene, each, room, way)
    return drawn


def _pile(drawn: Sheet, box: dict[str, Any], facts: dict[str, Any], scene: dict[str, Any]) -> None:
    """The cards still to come, and which deal it is."""
    for k in (2, 1, 0):
        with drawn.group("svg", x=44 + 3 * k, y=22 + 3 * k, width=80, height=112, viewBox="0 0 100 140"):
            drawn.art("card-back", 0, 0, 140)
    if "pile" in scene:
        drawn.text(86, 164, say("basari-cards.pile", n=sum(scene["pile"])), 19, TEXT, text_anchor="middle")
    deal = say("basari-cards.deal", n=min(facts["deals"] + 1, box["deals"]), last=box["deals"])
    drawn.text(86, 190, deal, 18, FAINT, text_anchor="middle")


def _place(k: int) -> tuple[float, float]:
    """The corner of the k-th place on the cloth."""
    row, column = divmod(k, _COLUMNS)
    return 16 + column * (_WIDE + _GAP), _STALLS + row * (_HIGH + _GAP)


def _stall(drawn: Sheet, box: dict[str, Any], facts: dict[str, Any], seat: int, name: str, mine: bool) -> None:
    """Somebody's place: the card dealt this round, and the choice beside it."""
    x, y = _place(seat)
    look: dict[str, Any] = {"stroke": LAMP, "stroke_width": 2} if mine else {"stroke": LINE, "stroke_width": 1}
    drawn.rect(x, y, _WIDE, _HIGH, 12, fill=PANEL_LIT if mine else PANEL, fill_opacity=0.85, **look)
    drawn.art(f"figure-{seat}", x + 12, y + 8, 34)
    drawn.text(x + 46, y + 33, fitted(name, _WIDE - 56, 20, bold=True), 20, TEXT, font_weight="bold")
    if facts["cards"][seat]:
        with drawn.group(transform=f"translate({x + 12:g} {y + 56:g}) scale(0.95)", data_card=facts["cards"][seat]):
            _card(drawn, box, facts["cards"][seat])
    else:
        drawn.rect(x + 12, y + 56, 138, 193, 12, fill="none", stroke=LINE, stroke_width=1.5, stroke_dasharray="6 5")
    haggling_drawing.action_card(drawn, x + 158, y + 140, 78, facts, seat, "basari-cards")
    if choice := facts["choices"][seat]:
        mark: dict[str, Any] = {"font_family": SERIF, "font_weight": "bold", "text_anchor": "middle"}
        drawn.text(x + 197, y + 126, choice, 30, LAMP, **mark)


def _card(drawn: Sheet, box: dict[str, Any], text: str) -> None:
    """A bazaar card, 145 × 203: workers above, points in the middle, gems below."""
    workers, points, letters = text.split("/")
    paper = gradient(drawn, "paper", (0, "#fffdf6", 1), (0.6, "#faf0d6", 1), (1, "#ead5a3", 1), cx=0.5, cy=0.48, r=0.75)
    drawn.rect(0, 0, 145, 203, 12, fill=paper, stroke=BRASS, stroke_width=2.5)
    for k in range(int(workers)):
        drawn.art("worker", 72.5 + (k - int(workers) / 2) * 32 - 2, 12, 36)
    drawn.art("star", 72.5 - 37, 62, 74, opacity=0.5)
    number: dict[str, Any] = {"font_family": SERIF, "font_weight": "bold", "text_anchor": "middle"}
    drawn.text(72.5, 115, points, 46, CARD_INK, **number)
    counts = [letters.count(colour[0].upper()) for colour in box["colours"]]
    haggling_drawing.gems(drawn, box, counts, 72.5 - (sum(counts) * 33 - 3) / 2, 155, 30, 145)


def _counter(
    drawn: Sheet, box: dict[str, Any], facts: dict[str, Any], scene: dict[str, Any], names: Sequence[str]
) -> None:
    """The counter stands where no seat has its place."""
    x, y = _place(len(names))
    action = facts["haggle"]["action"]
    what = f"{action} · {say(f'basari-cards.action.{action}')}"
    haggling_drawing.counter(drawn, box, facts, scene, names, what, (x, y + 40, min(SIZE - 16 - x, 400)))


DRAWING = SheetDrawing(sheet)
