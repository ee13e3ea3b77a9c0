"""Basari as SVG: the ring of arches, discs and figures on the lane, choices and haggles inside."""

from collections.abc import Sequence
from functools import cache

import msgspec

from souk import drawing
from souk.core.seat_view import SeatView
from souk.drawing.drawing import SheetDrawing
from souk.drawing.svg_document import Sheet
from souk.drawing.table_svg import EDGE, TOP, TableSheet, fitted, say
from souk.games.basari.board_info import ArchSign, BasariBox
from souk.games.basari.notation import BasariPosition
from souk.games.basari_common import svg as haggling
from souk.games.basari_common.board_info import HagglingScene
from souk.games.basari_common.notation import GEM_NAMES

BasariSheet = TableSheet[SeatView[BasariPosition, BasariBox, HagglingScene]]
Point = tuple[float, float]
Box = tuple[float, float, float, float]  # x and y, width and height


class RingMeasures(msgspec.Struct):
    """Measurements of the ring: side of an arch, the lane, and pieces relative to their place."""

    cell: int
    lane: int
    corner: float  # distance down the lane at a corner; elsewhere it is half
    wide: tuple[int, int]  # columns and rows
    # Pieces sharing a place: largest distance, available width, and offset of every other one.
    beside: tuple[float, float, float]
    disc: Box
    figure: Box
    mine: Box  # the ellipse under my figure
    # Position and size of an arch's number in its upper corner.
    tag: tuple[float, float, float]


class ArchLook(msgspec.Struct):
    wall: str
    frame: str
    line: float


class ArchMeasures(msgspec.Struct):
    plain: ArchLook
    lit: ArchLook
    gem: float
    spots: list[list[Point]]  # positions, by number of gems


RING = drawing.measures("ring", RingMeasures)
ARCH = drawing.measures("arch", ArchMeasures)
ACROSS = RING.wide[0]
SIZE, INSET = RING.cell * ACROSS, RING.cell + RING.lane
PANEL_HEIGHT = 192


def draw(sheet: BasariSheet) -> None:
    view = sheet.view
    arches = tuple((sign.points, *sign.gems) for sign in view.box.arches)
    sheet.place("market", market(arches), EDGE, TOP)
    with sheet.group(transform=f"translate({EDGE} {TOP})", data_board="basari"):
        mine = _my_arch(view)
        if mine is not None:
            _arch(sheet, mine, view.box.arches[mine], ARCH.lit)
        _pieces(sheet)
        haggling.majorities(sheet, (INSET + 8, INSET + 14, SIZE - 2 * INSET - 16))
        _square(sheet, mine)
        _choices(sheet)
    for seat in range(view.players):
        with sheet.piece():
            haggling.purse(
                sheet,
                seat,
                sheet.panel(seat, PANEL_HEIGHT),
                ("", view.position.walked[seat], view.box.lap),
            )


def _my_arch(view: SeatView[BasariPosition, BasariBox, HagglingScene]) -> int | None:
    """The arch of the viewing seat's figure."""
    return view.position.figures[view.seat] if view.seat >= 0 else None


# ---------------------------------------------------------------- the market


def _cell(arch: int) -> tuple[int, int]:
    """Column and row of an arch, clockwise from the top left corner."""
    last = ACROSS - 1
    side, k = divmod(arch, last)
    return ((k, 0), (last, k), (last - k, last), (0, last - k))[side]


def lane_at(arch: int) -> Point:
    """The place on the lane before an arch, nearer at a corner."""
    column, row = _cell(arch)
    across, down = (1 if at == 0 else -1 if at == ACROSS - 1 else 0 for at in (column, row))
    far = RING.cell / 2 + RING.lane * (RING.corner if across and down else 0.5)
    return (column + 0.5) * RING.cell + across * far, (row + 0.5) * RING.cell + down * far


@cache
def market(arches: tuple[tuple[int, ...], ...]) -> Sheet:
    """The fixed background: arches, lane, square and lanterns."""
    ground = Sheet(SIZE, SIZE)
    ground.ground("ring", width=SIZE, height=SIZE)
    for arch, (points, *gems) in enumerate(arches):
        _arch(ground, arch, ArchSign(points, gems), ARCH.plain)
    return ground


def _arch(sheet: Sheet, arch: int, sign: ArchSign, look: ArchLook) -> None:
    """An arch in its place."""
    column, row = _cell(arch)
    with sheet.group(
        transform=f"translate({column * RING.cell} {row * RING.cell})", data_arch=arch
    ):
        _arch_shown(sheet, sign, look)
        x, y, size = RING.tag
        sheet.text(x, y, arch, size, "text-2", text_anchor="middle", font_weight="bold")


def _arch_shown(sheet: Sheet, sign: ArchSign, look: ArchLook) -> None:
    """An arch, 100 × 100: number above, gems below."""
    stones = [colour for colour, n in zip(GEM_NAMES, sign.gems, strict=True) for _ in range(n)]
    half, size = ARCH.gem / 2, ARCH.gem
    gems = [
        sheet.use(f"gem-{colour}", x - half, y - half, size, size)
        for (x, y), colour in zip(ARCH.spots[len(stones)], stones, strict=True)
    ]
    sheet.ground("arch", number=sign.points, gems="".join(gems), **msgspec.structs.asdict(look))


def _pieces(sheet: BasariSheet) -> None:
    """Start discs, then figures, nearest last."""
    position, (left, top, wide, high) = sheet.view.position, RING.disc
    for seat, (x, y) in placed(position.discs):
        sheet.add("g", sheet.use(f"disc-{seat}", x + left, y + top, wide, high), data_disc=seat)
    (cx, cy, rx, ry), (left, top, wide, high) = RING.mine, RING.figure
    for seat, (x, y) in sorted(placed(position.figures), key=lambda piece: piece[1][1]):
        if seat == sheet.view.seat:
            sheet.add(
                "ellipse",
                cx=x + cx,
                cy=y + cy,
                rx=rx,
                ry=ry,
                fill="none",
                stroke="ink",
                stroke_width=2.4,
            )
        sheet.add("g", sheet.use(f"figure-{seat}", x + left, y + top, wide, high), data_figure=seat)


def placed(arches: Sequence[int | None]) -> list[tuple[int, Point]]:
    """Positions of the seats' pieces; those at one arch stand side by side."""
    positions = []
    for seat, arch in enumerate(arches):
        if arch is not None:
            together = [other for other, place in enumerate(arches) if place == arch]
            (x, y), k = lane_at(arch), together.index(seat)
            apart, width, down = RING.beside
            step = min(apart, width / len(together))
            positions.append(
                (seat, (x + (k - (len(together) - 1) / 2) * step, y + (down if k % 2 else 0)))
            )
    return positions


# ---------------------------------------------------------------- the square


def _square(sheet: BasariSheet, mine: int | None) -> None:
    """The haggle if there is one, else my arch; and the number of the scoring."""
    position, box, middle, top = sheet.view.position, sheet.view.box, SIZE / 2, INSET + 146
    if position.haggle:
        action = say(f"basari.action.{position.haggle.action}")
        haggling.counter(sheet, position.haggle, action, (middle - 165, top, 330))
        return
    if mine is not None:
        with sheet.group(transform=f"translate({middle - 80} {top - 8}) scale(1.55)"):
            _arch_shown(sheet, box.arches[mine], ARCH.lit)
    scoring = say(
        "basari.scoring_of", n=min(position.scorings + 1, box.scorings), last=box.scorings
    )
    where = top + 94 if mine is None else top + 180
    sheet.text(
        middle, where, scoring, 22, "heading" if mine is None else "text-2", text_anchor="middle"
    )


def _choices(sheet: BasariSheet) -> None:
    """Everybody's choice."""
    width = (SIZE - 2 * INSET - 10) / 4
    start = SIZE / 2 - width * len(sheet.names) / 2
    for seat, name in enumerate(sheet.names):
        middle, top = start + (seat + 0.5) * width, SIZE - INSET - 142
        haggling.action_card(sheet, middle - 38, top, 76, seat)
        sheet.picture(f"figure-{seat}", middle - width / 2 + 8, top + 109, 26)
        sheet.text(middle - width / 2 + 32, top + 128, fitted(name, width - 34, 17), 17, "text-2")


DRAWING = SheetDrawing(draw, (SIZE, SIZE))
