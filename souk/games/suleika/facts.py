"""Suleika's facts: what each event did."""

from collections.abc import Iterable
from typing import Any, Literal

from souk.core.facts import Fact, SeatFact
from souk.core.game_modules import Sources
from souk.core.position import Position
from souk.games.suleika import rules
from souk.games.suleika.notation import DIRECTIONS, INITIALS, TURNS, Direction, Initial, field_name
from souk.games.suleika.paths import walk, way_text
from souk.kernel.bitset import bit, count
from souk.kernel.interpreter import fast_rule
from souk.kernel.tracing import Trace

Ground = Literal["bare", "own", "other"]

_price, _colour_at = fast_rule(rules.price), fast_rule(rules.colour_at)


class RugCameUp(SeatFact, frozen=True):
    """S4: two players: the rug to be laid this turn, by its colour's initial."""

    rug: Initial


class OmarTurned(SeatFact, frozen=True):
    """S10: a seat set Omar's direction."""

    way: Literal["back", "left", "right", "straight"]
    faces: Direction


class OmarWalked(SeatFact, frozen=True):
    """S11: Omar walked what the die showed, from `start` along `way` (see paths.py) to `at`."""

    die: int
    start: str
    faces: Direction  # when he set out
    way: str
    at: str
    ground: Ground


class Paid(SeatFact, frozen=True):
    """S13, S16: a seat paid the owner of the area Omar stopped on, as far as its purse went."""

    to: int
    owed: int
    paid: int
    area: list[str]  # its fields


class Laid(SeatFact, frozen=True):
    """S18: a rug was laid on two fields, the one next to Omar first."""

    colour: Initial
    fields: tuple[str, str]
    hides: list[int]  # owners of the halves it covers
    area: int  # size of the area it joins


class Counted(Fact, frozen=True):
    """S31: what everybody's points are made of at the end."""

    money: list[int]
    halves: list[int]


KINDS = (RugCameUp, OmarTurned, OmarWalked, Paid, Laid, Counted)


# ---------------------------------------------------------------- witnesses


def _resolving(s: Any, outcome: int) -> Trace:
    if s.phase == rules.CARD:
        yield RugCameUp(s.turn, INITIALS[outcome])  # type: ignore[arg-type]
    yield


def _playing(s: Any, seat: int, move: int) -> Trace:
    turning = s.phase == rules.TURN
    yield
    if turning:
        yield OmarTurned(seat, TURNS[move], DIRECTIONS[s.facing])  # type: ignore[arg-type]


def _walking(s: Any, steps: int) -> Trace:
    start, facing = s.omar, s.facing
    yield
    colour = _colour_at(s, s.omar)
    ground = "bare" if colour < 0 else "own" if rules.owner(s, colour) == s.turn else "other"
    way = way_text(facing, walk(start, facing, steps))
    yield OmarWalked(
        s.turn,
        steps,
        field_name(start),
        DIRECTIONS[facing],  # type: ignore[arg-type]
        way,
        field_name(s.omar),
        ground,  # type: ignore[arg-type]
    )


def _paying(s: Any) -> Trace:
    seat, purse, owed = s.turn, s.money[s.turn], _price(s, s.turn, s.omar)
    yield
    if owed:
        colour = _colour_at(s, s.omar)
        area = rules.connected(s.cover[colour], s.omar)
        fields = [field_name(field) for field in range(rules.SIDE**2) if area & bit(field)]
        yield Paid(seat, rules.owner(s, colour), owed, purse - s.money[seat], fields)


def _laying(s: Any, near: int, far: int) -> Trace:
    seat, colour = s.turn, s.up if s.players == 2 else s.turn
    under = [_colour_at(s, field) for field in (near, far)]
    hides = [rules.owner(s, covered) for covered in under if covered >= 0]
    yield
    area = count(rules.connected(s.cover[colour], near))
    yield Laid(seat, INITIALS[colour], (field_name(near), field_name(far)), hides, area)  # type: ignore[arg-type]


def _after_laying(s: Any) -> Trace:
    yield
    if s.phase == rules.OVER:
        yield Counted(
            list(s.money[: s.players]), [rules.halves(s, seat) for seat in range(s.players)]
        )


TRACERS = {
    rules.resolve: _resolving,
    rules.play: _playing,
    rules.walk: _walking,
    rules.pay_owner: _paying,
    rules.lay: _laying,
    rules.after_laying: _after_laying,
}


# ---------------------------------------------------------------- sources of points


def sources(start: Position, facts: Iterable[Fact]) -> Sources:
    """S31: starting purse, tolls paid, tolls taken and halves."""
    points = [
        {"purse": money, "taken": 0, "paid": 0, "halves": 0}
        for money in start.state.money[: start.players]
    ]
    for fact in facts:
        match fact:
            case Paid(seat, to, _, paid):
                points[seat]["paid"] -= paid
                points[to]["taken"] += paid
            case Counted(_, halves):
                for own, n in zip(points, halves, strict=True):
                    own["halves"] = n
    return points
