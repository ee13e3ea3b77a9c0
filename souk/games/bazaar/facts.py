"""Bazaar: what an event did, told where the rules do it.

Bags are letters such as "WWR", stalls are numbered from 1 as in moves.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from souk.core.facts import Fact, SeatFact
from souk.core.furniture import Sources
from souk.core.position import Position
from souk.games.bazaar import rules
from souk.games.bazaar.box import COLOURS, bag_text
from souk.games.bazaar.notation import FACES, Face, swaps, ware_text
from souk.kernel.watching import Witnessing


class RateDrawn(Fact, frozen=True):
    """Z3: a rate card is in play."""

    card: int


class WareTurnedUp(Fact, frozen=True):
    """Z5: a ware came to light in a stall."""

    stall: int
    ware: str


class BeginnerDrawn(SeatFact, frozen=True):
    """Z6: it was drawn by lot who begins."""


class Rolled(SeatFact, frozen=True):
    """Z10: a seat chose to roll."""


class DieThrown(SeatFact, frozen=True):
    """Z10: what the die showed."""

    face: Face


class ChipFact(SeatFact, frozen=True):
    """Something about a chip that a seat got, lost, or could not get."""

    chip: str


class ChipTaken(ChipFact, frozen=True):
    """Z10: a chip came from the bank, because the die showed its colour or because it was chosen."""

    by: Literal["die", "choice"]


class BankOut(ChipFact, frozen=True):
    """Z13: the die showed a colour of which the bank has no chip."""


class Traded(SeatFact, frozen=True):
    """Z11: chips were exchanged at one of the rates."""

    gives: str
    gets: str


class Sold(SeatFact, frozen=True):
    """Z12, Z20, Z21: a ware was bought. Its points: by the chips left over, what its own star adds, what an empty stall adds."""

    stall: int
    ware: str
    rest: int  # chips left over
    points: int
    plain: int
    star: int
    empty_stall: int
    actions: int  # alone: rolls and trades so far


class BoughtNothing(SeatFact, frozen=True):
    """Z12: a seat that could have bought kept its chips."""


class ChipReturned(ChipFact, frozen=True):
    """Z15: the eleventh chip of a seat went back to the bank, picked by a neighbour (alone by oneself)."""

    by: int


class BazaarClosed(Fact, frozen=True):
    """Z30, Z32: the end: two stalls are empty, or nobody has bought for too long; alone: the ware is bought, or there were too many actions."""

    why: Literal["stalls", "quiet", "ware", "actions"]


KINDS = (
    RateDrawn,
    WareTurnedUp,
    BeginnerDrawn,
    Rolled,
    DieThrown,
    ChipTaken,
    BankOut,
    Traded,
    Sold,
    BoughtNothing,
    ChipReturned,
    BazaarClosed,
)


# ---------------------------------------------------------------- when they are told


def _resolving(s: Any, outcome: int) -> Witnessing:
    if s.phase == rules.DIE:
        yield DieThrown(s.turn, FACES[outcome])  # type: ignore[arg-type]
    elif s.phase == rules.RATES:
        yield RateDrawn(outcome)
    elif s.phase == rules.FIRST:
        yield BeginnerDrawn(outcome)
    yield


def _turning_up(s: Any, ware: int) -> Witnessing:
    yield WareTurnedUp(rules.unfilled_stall(s) + 1, ware_text(s, ware))
    yield


def _playing(s: Any, seat: int, move: int) -> Witnessing:
    if move == rules.ROLL:
        yield Rolled(seat)
    elif move < rules.TAKE:
        gives, gets, _ = swaps(s)[move - rules.TRADE]
        yield Traded(seat, bag_text(gives), bag_text(gets))
    elif move == rules.DONE:
        yield BoughtNothing(seat)
    elif move >= rules.GIVE_BACK:
        yield ChipReturned(s.turn, COLOURS[move - rules.GIVE_BACK], seat)
    yield


def _taking(s: Any, colour: int) -> Witnessing:
    bank = s.bank
    yield
    if s.bank == bank:
        yield BankOut(s.turn, COLOURS[colour])
    else:
        yield ChipTaken(s.turn, COLOURS[colour], "choice" if s.phase == rules.CHOICE else "die")


def _selling(s: Any, seat: int, stall: int, rest: int) -> Witnessing:
    ware, points = ware_text(s, s.top[stall]), s.points[seat]
    plain, starred = rules.points_for(0, rest), rules.points_for(rules.starred(s, stall), rest)
    yield
    gained = s.points[seat] - points
    if s.players == 1:
        plain = starred = 0
    yield Sold(seat, stall + 1, ware, rest, gained, plain, starred - plain, gained - starred, s.actions)


def _ending_quietly(s: Any) -> Witnessing:
    yield
    if s.phase == rules.OVER:
        yield BazaarClosed("quiet" if s.players > 1 else "actions")


def _after_purchase(s: Any) -> Witnessing:
    yield
    if s.phase == rules.OVER:
        yield BazaarClosed("stalls" if s.players > 1 else "ware")


WITNESSES = {
    rules.resolve: _resolving,
    rules.turn_up: _turning_up,
    rules.play: _playing,
    rules.take_chip: _taking,
    rules.hand_over: _selling,
    rules.end_quiet_turn: _ending_quietly,
    rules.after_purchase: _after_purchase,
}


# ---------------------------------------------------------------- where points came from

SOURCES = ("left_0", "left_1", "left_2", "left_3", "star", "empty_stall", "rolls", "trades")


def sources(start: Position, facts: Iterable[Fact]) -> Sources:
    """By seat: the points of wares by the chips left over, what stars added to them, and what an empty stall added. Alone: rolls and
    trades, which are the score there."""
    found: list[Counter[str]] = [Counter() for _ in range(start.players)]
    for fact in facts:
        match fact:
            case Sold() if start.players > 1:
                parts = {f"left_{min(fact.rest, 3)}": fact.plain, "star": fact.star, "empty_stall": fact.empty_stall}
                found[fact.seat].update(parts)
            case Rolled(seat) if start.players == 1:
                found[seat]["rolls"] += 1
            case Traded(seat) if start.players == 1:
                found[seat]["trades"] += 1
    known = [name for name in SOURCES if any(counter[name] for counter in found)]
    return [{name: counter[name] for name in known} for counter in found]
