"""Suleika: what an event did, told where the rules do it."""

from collections.abc import Iterable
from typing import Any, Literal

from souk.core.facts import Fact, SeatFact
from souk.core.furniture import Sources
from souk.core.position import Position
from souk.games.suleika import rules
from souk.games.suleika.notation import DIRECTIONS, INITIALS, TURNS, Direction, Initial, field_name
from souk.games.suleika.ways import walk, way_text
from souk.kernel.bits import bit, count
from souk.kernel.interpreting import quick
from souk.kernel.watching import Witnessing

_price, _colour_at = quick(rules.price), quick(rules.colour_at)


class RugCameUp(SeatFact, frozen=True):
    """S4: two players: the rug that is to be laid this turn, by its colour's initial."""

    rug: Initial


class OmarTurned(SeatFact, frozen=True):
    """S10: a seat set Omar's direction."""

    way: Literal["back", "left", "right", "straight"]
    faces: Direction


class OmarWalked(SeatFact, frozen=True):
    """S11: Omar walked what the die showed, from `start` along `way` (see ways.py) to `at`, and found bare ground there, or somebody's rug."""

    die: int
    start: str
    faces: Direction  # as he set out
    way: str
    at: str
    ground: Literal["bare", "own", "other"]


class Paid(SeatFact, frozen=True):
    """S13: a seat paid the owner of the area that Omar stopped on, as far as its purse went."""

    to: int
    owed: int
    paid: int
    area: list[str]  # its fields


class Laid(SeatFact, frozen=True):
    """S18: a rug came to lie on two fields, the one beside Omar first."""

    colour: Initial
    fields: tuple[str, str]
    hides: list[int]  # whose halves it covers, one by one
    area: int  # how large the area is that it is part of now


class Counted(Fact, frozen=True):
    """S31: at the end: what everybody's points are made of."""

    money: list[int]
    halves: list[int]


KINDS = (RugCameUp, OmarTurned, OmarWalked, Paid, Laid, Counted)


# ---------------------------------------------------------------- when they are told


def _resolving(s: Any, outcome: int) -> Witnessing:
    if s.phase == rules.CARD:
        yield RugCameUp(s.turn, INITIALS[outcome])  # type: ignore[arg-type]
    yield


def _playing(s: Any, seat: int, move: int) -> Witnessing:
    turning = s.phase == rules.TURN
    yield
    if turning:
        yield OmarTurned(seat, TURNS[move], DIRECTIONS[s.facing])  # type: ignore[arg-type]


def _walking(s: Any, steps: int) -> Witnessing:
    start, facing = s.omar, s.facing
    yield
    colour = _colour_at(s, s.omar)
    ground = "bare" if colour < 0 else "own" if rules.owner(s, colour) == s.turn else "other"
    way = way_text(facing, walk(start, facing, steps))
    yield OmarWalked(s.turn, steps, field_name(start), DIRECTIONS[facing], way, field_name(s.omar), ground)  # type: ignore[arg-type]


def _paying(s: Any) -> Witnessing:
    seat, purse, owed = s.turn, s.money[s.turn], _price(s, s.turn, s.omar)
    yield
    if owed:
        colour = _colour_at(s, s.omar)
        area = rules.connected(s.cover[colour], s.omar)
        fields = [field_name(field) for field in range(rules.SIDE**2) if area & bit(field)]
        yield Paid(seat, rules.owner(s, colour), owed, purse - s.money[seat], fields)


def _laying(s: Any, near: int, far: int) -> Witnessing:
    seat, colour = s.turn, s.up if s.players == 2 else s.turn
    under = [_colour_at(s, field) for field in (near, far)]
    hides = [rules.owner(s, each) for each in under if each >= 0]
    yield
    area = count(rules.connected(s.cover[colour], near))
    yield Laid(seat, INITIALS[colour], (field_name(near), field_name(far)), hides, area)  # type: ignore[arg-type]


def _after_laying(s: Any) -> Witnessing:
    yield
    if s.phase == rules.OVER:
        yield Counted(list(s.money[: s.players]), [rules.halves(s, seat) for seat in range(s.players)])


WITNESSES = {
    rules.resolve: _resolving,
    rules.play: _playing,
    rules.walk: _walking,
    rules.pay_owner: _paying,
    rules.lay: _laying,
    rules.after_laying: _after_laying,
}


# ---------------------------------------------------------------- where points came from


def sources(start: Position, facts: Iterable[Fact]) -> Sources:
    """S31: the purse at the start, what others paid, what was paid to them, and halves."""
    points = [{"purse": money, "taken": 0, "paid": 0, "halves": 0} for money in start.state.money[: start.players]]
    for fact in facts:
        match fact:
            case Paid(seat, to, _, paid):
                points[seat]["paid"] -= paid
                points[to]["taken"] += paid
            case Counted(_, halves):
                for own, n in zip(points, halves, strict=True):
                    own["halves"] = n
    return points
