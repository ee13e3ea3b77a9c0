"""Basari drawn: the arches round the market, discs and figures on the lane, and in the square what is chosen and haggled for."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import msgspec

from souk.games.art.drawing import SheetDrawing
from souk.games.art.palette import BRASS, FAINT, HEADING, LAMP, PANEL
from souk.games.art.sheet import EDGE, SERIF, TOP, Sheet, View, fitted, gradient, panel, say, table
from souk.games.haggling import drawing as haggling_drawing

CELL, LANE, ACROSS = 100, 58, 8  # an arch; the lane before it; how many stand in a row
SIZE, INSET = CELL * ACROSS, CELL + LANE
PANEL_HEIGHT = 192

_WALL = "M8 97V46C8 27 38 24 50 4C62 24 92 27 92 46V97z"
_INNER = "M14 97V48C14 33 40 29 50 14C60 29 86 33 86 48V97"
_SPOTS = {  # where the gems of an arch lie, by how many they are
    1: [(50, 70)],
    2: [(37, 68), (63, 68)],
    3: [(34, 59), (66, 59), (50, 80)],
    4: [(36, 58), (64, 58), (36, 81), (64, 81)],
}

Point = tuple[float, float]


def sheet(view: View, names: Sequence[str]) -> Sheet:
    me = view.seat
    box, facts, scene = (msgspec.to_builtins(part) for part in (view.box, view.position, view.scene))
    drawn = table(view, names, (SIZE, SIZE))
    drawn.ground("market", market(tuple((arch["points"], *arch["gems"]) for arch in box["arches"])), EDGE, TOP)
    with drawn.group(transform=f"translate({EDGE} {TOP})"):
        _lit_arch(drawn, box, facts["figures"], me)
        _pieces(drawn, facts, me)
        square = (INSET + 8, INSET + 14, SIZE - 2 * INSET - 16)
        haggling_drawing.majorities(drawn, box, scene, facts["supply"], square)
        _square(drawn, box, facts, scene, names, me)
        _choices(drawn, facts, names)
    for each in range(view.players):
        way = ("", facts["walked"][each], box["lap"])
        with drawn.piece():
            room = panel(drawn, view, each, names, PANEL_HEIGHT)
            haggling_drawing.purse(drawn, box, facts, scene, each, room, way)
    return drawn


# ---------------------------------------------------------------- the market


def _cell(arch: int) -> tuple[int, int]:
    """Column and row of an arch, clockwise from the upper left corner."""
    side, k = divmod(arch, ACROSS - 1)
    last = ACROSS - 1
    return ((k, 0), (last, k), (last - k, last), (0, last - k))[side]


def lane_at(arch: int) -> Point:
    """The place on the lane before an arch; at a corner one stands nearer."""
    steps = [1 if at == 0 else -1 if at == ACROSS - 1 else 0 for at in _cell(arch)]
    far = CELL / 2 + LANE * (0.22 if all(steps) else 0.5)
    column, row = _cell(arch)
    return (column + 0.5) * CELL + steps[0] * far, (row + 0.5) * CELL + steps[1] * far


@cache
def market(arches: tuple[tuple[int, ...], ...]) -> Sheet:
    """What never changes: the arches, the paved lane, the square, four lanterns."""
    ground = Sheet(SIZE, SIZE)
    ground.rect(2, 2, SIZE - 4, SIZE - 4, 22, fill=PANEL, stroke=BRASS, stroke_width=2.5)
    ground.rect(CELL, CELL, SIZE - 2 * CELL, SIZE - 2 * CELL, 26, fill="#cdb98c", fill_opacity=0.92)
    _paving(ground)
    near = gradient(ground, "square", (0, "#2b2455", 1), (1, PANEL, 1), cx=0.5, cy=0.5, r=0.7)
    ground.rect(INSET, INSET, SIZE - 2 * INSET, SIZE - 2 * INSET, 16, fill=near, stroke=BRASS, stroke_width=2)
    for arch, (number, *gems) in enumerate(arches):
        column, row = _cell(arch)
        with ground.group(transform=f"translate({column * CELL} {row * CELL})"):
            _arch(ground, number, gems)
    for x in (INSET - 4, SIZE - INSET + 4):
        for y in (INSET - 4, SIZE - INSET + 4):
            ground.art("lantern", x - 17, y - 24, 45)
    return ground


def _paving(ground: Sheet) -> None:
    """The joints between the stones of the lane, which the square lies upon."""
    near, far = CELL + 14, SIZE - CELL - 6
    rows = range(near, far, 15)
    joints = "".join(f"M{CELL + 2} {y}H{SIZE - CELL - 2}" for y in rows)
    for k, y in enumerate(rows):
        joints += "".join(f"M{x} {y}v15" for x in range(CELL + (11 if k % 2 else 34), SIZE - CELL, 46) if y + 15 < far)
    ground.add("path", d=joints, fill="none", stroke="#8d7747", stroke_opacity=0.4, stroke_width=1.3)


def _arch(drawn: Sheet, number: int, gems: Sequence[int], lit: bool = False) -> None:
    """An arch, 100 × 100: its number above, its gems below."""
    drawn.add("path", d=_WALL, fill="#5b4993" if lit else "#372e60")
    line: dict[str, Any] = {"fill": "none", "stroke": LAMP if lit else BRASS, "stroke_linejoin": "round"}
    drawn.add("path", d=_WALL, stroke_width=4 if lit else 2.4, **line)
    drawn.add("path", d=_INNER, stroke_width=1.2, stroke_opacity=0.35, **line)
    drawn.add("path", d="M3 97.5H97", stroke_width=4, stroke_linecap="round", **line)
    number_look: dict[str, Any] = {"font_family": SERIF, "font_weight": "bold", "text_anchor": "middle"}
    drawn.text(50, 43, number, 34, LAMP, **number_look)
    stones = [colour for colour, n in zip(("red", "yellow", "green", "blue"), gems, strict=True) for _ in range(n)]
    for (x, y), colour in zip(_SPOTS.get(len(stones), _SPOTS[4]), stones, strict=False):
        drawn.art(f"gem-{colour}", x - 12.5, y - 12.5, 25)


def _lit_arch(drawn: Sheet, box: dict[str, Any], figures: Sequence[int | None], me: int) -> None:
    """The arch where the seat stands whose view this is."""
    arch = figures[me] if me >= 0 else None
    if arch is not None:
        column, row = _cell(arch)
        with drawn.group(transform=f"translate({column * CELL} {row * CELL})"):
            _arch(drawn, box["arches"][arch]["points"], box["arches"][arch]["gems"], lit=True)


def _pieces(drawn: Sheet, facts: dict[str, Any], me: int) -> None:
    """Start discs, then figures, those in front last."""
    for seat, (x, y) in _placed(facts["discs"]):
        drawn.art(f"disc-{seat}", x - 19, y - 9, 38)
    for seat, (x, y) in sorted(_placed(facts["figures"]), key=lambda each: each[1][1]):
        if seat == me:
            drawn.add("ellipse", cx=x, cy=y + 14, rx=19, ry=7, fill="none", stroke="#1b1836", stroke_width=2.4)
        with drawn.group(data_figure=seat):
            drawn.art(f"figure-{seat}", x - 20, y - 36, 53)


def _placed(arches: Sequence[int | None]) -> list[tuple[int, Point]]:
    """Seats and where their pieces stand: those at one arch side by side."""
    found = []
    for seat, arch in enumerate(arches):
        if arch is not None:
            there = [other for other, each in enumerate(arches) if each == arch]
            (x, y), k = lane_at(arch), there.index(seat)
            step = min(24, 60 / len(there))
            found.append((seat, (x + (k - (len(there) - 1) / 2) * step, y + (5 if k % 2 else 0))))
    return found


# ---------------------------------------------------------------- the square


def _square(
    drawn: Sheet,
    box: dict[str, Any],
    facts: dict[str, Any],
    scene: dict[str, Any],
    names: Sequence[str],
    me: int,
) -> None:
    """The counter while two haggle, else the arch where I stand; and how many scorings there were."""
    middle, top = SIZE / 2, INSET + 146
    if facts["haggle"]:
        action = say(f"basari.action.{facts['haggle']['action']}")
        haggling_drawing.counter(drawn, box, facts, scene, names, action, (middle - 165, top, 330))
        return
    arch = facts["figures"][me] if me >= 0 else None
    if arch is not None:
        with drawn.group(transform=f"translate({middle - 80} {top - 8}) scale(1.55)"):
            _arch(drawn, box["arches"][arch]["points"], box["arches"][arch]["gems"], lit=True)
    scoring = say("basari.scoring_of", n=min(facts["scorings"] + 1, box["scorings"]), last=box["scorings"])
    where = top + 94 if arch is None else top + 180
    drawn.text(middle, where, scoring, 22, HEADING if arch is None else FAINT, text_anchor="middle")


def _choices(drawn: Sheet, facts: dict[str, Any], names: Sequence[str]) -> None:
    """Everybody's choice on the table."""
    each = (SIZE - 2 * INSET - 10) / 4
    start = SIZE / 2 - each * len(names) / 2
    for seat, name in enumerate(names):
        middle, top = start + (seat + 0.5) * each, SIZE - INSET - 142
        haggling_drawing.action_card(drawn, middle - 38, top, 76, facts, seat, "basari")
        drawn.art(f"figure-{seat}", middle - each / 2 + 8, top + 109, 26)
        drawn.text(middle - each / 2 + 32, top + 128, fitted(name, each - 34, 17), 17, FAINT)


DRAWING = SheetDrawing(sheet)
