"""Bazaar's facts: what each event did.

Bags are letters such as "WWR"; stalls are numbered from 1 as in moves.
"""

from collections import Counter
from collections.abc import Iterable
from typing import Any, Literal

from souk.core.facts import Fact, SeatFact
from souk.core.game_modules import Sources
from souk.core.position import Position
from souk.games.bazaar import rules
from souk.games.bazaar.box import COLOURS, bag_text
from souk.games.bazaar.notation import FACES, Face, swaps, ware_text
from souk.kernel.tracing import Trace


class RateDrawn(Fact, frozen=True):
    """Z3: a rate card was put in play."""

    card: int


class WareTurnedUp(Fact, frozen=True):
    """Z5: a ware was turned up in a stall."""

    stall: int
    ware: str


class BeginnerDrawn(SeatFact, frozen=True):
    """Z6: the starting seat was drawn."""


class Rolled(SeatFact, frozen=True):
    """Z10: a seat chose to roll."""


class DieThrown(SeatFact, frozen=True):
    """Z10: the face of the die."""

    face: Face


class ChipFact(SeatFact, frozen=True):
    """A chip a seat got, lost, or could not get."""

    chip: str


class ChipTaken(ChipFact, frozen=True):
    """Z10: a chip came from the bank, by the die's colour or by choice."""

    by: Literal["die", "choice"]


class BankOut(ChipFact, frozen=True):
    """Z13: the bank has no chip of the colour rolled."""


class Traded(SeatFact, frozen=True):
    """Z11: chips were exchanged at one of the rates."""

    gives: str
    gets: str


class Sold(SeatFact, frozen=True):
    """Z12, Z20, Z21: a ware was bought.

    Its points by chips left over, plus those for its own star and for an empty stall.
    """

    stall: int
    ware: str
    rest: int  # chips left over
    points: int
    plain: int
    star: int
    empty_stall: int
    actions: int  # solitaire: rolls and trades so far


class BoughtNothing(SeatFact, frozen=True):
    """Z12: a seat that could have bought kept its chips."""


class ChipReturned(ChipFact, frozen=True):
    """Z15: a seat's eleventh chip went back to the bank, picked by the neighbour (in
    solitaire by the player).
    """

    by: int


class BazaarClosed(Fact, frozen=True):
    """Z30, Z32: the end: two stalls are empty, or too many turns without a sale.

    Solitaire: the ware is bought, or there were too many actions.
    """

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


# ---------------------------------------------------------------- tracers


def _resolving(s: Any, outcome: int) -> Trace:
    if s.phase == rules.DIE:
        yield DieThrown(s.turn, FACES[outcome])  # type: ignore[arg-type]
    elif s.phase == rules.RATES:
        yield RateDrawn(outcome)
    elif s.phase == rules.FIRST:
        yield BeginnerDrawn(outcome)
    yield


def _turning_up(s: Any, ware: int) -> Trace:
    yield WareTurnedUp(rules.unfilled_stall(s) + 1, ware_text(s, ware))
    yield


def _playing(s: Any, seat: int, move: int) -> Trace:
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


def _taking(s: Any, colour: int) -> Trace:
    bank = s.bank
    yield
    if s.bank == bank:
        yield BankOut(s.turn, COLOURS[colour])
    else:
        yield ChipTaken(s.turn, COLOURS[colour], "choice" if s.phase == rules.CHOICE else "die")


def _selling(s: Any, seat: int, stall: int, rest: int) -> Trace:
    ware, points = ware_text(s, s.top[stall]), s.points[seat]
    plain, starred = rules.points_for(0, rest), rules.points_for(rules.starred(s, stall), rest)
    yield
    gained = s.points[seat] - points
    if s.players == 1:
        plain = starred = 0
    yield Sold(
        seat, stall + 1, ware, rest, gained, plain, starred - plain, gained - starred, s.actions
    )


def _ending_quietly(s: Any) -> Trace:
    yield
    if s.phase == rules.OVER:
        yield BazaarClosed("quiet" if s.players > 1 else "actions")


def _after_purchase(s: Any) -> Trace:
    yield
    if s.phase == rules.OVER:
        yield BazaarClosed("stalls" if s.players > 1 else "ware")


TRACERS = {
    rules.resolve: _resolving,
    rules.turn_up: _turning_up,
    rules.play: _playing,
    rules.take_chip: _taking,
    rules.hand_over: _selling,
    rules.end_quiet_turn: _ending_quietly,
    rules.after_purchase: _after_purchase,
}


# ---------------------------------------------------------------- sources of points

SOURCES = ("left_0", "left_1", "left_2", "left_3", "star", "empty_stall", "rolls", "trades")


def sources(start: Position, facts: Iterable[Fact]) -> Sources:
    """By seat: points for chips left over, for stars, and for an empty stall; solitaire:
    rolls and trades.
    """
    by_seat: list[Counter[str]] = [Counter() for _ in range(start.players)]
    for fact in facts:
        match fact:
            case Sold() if start.players > 1:
                parts = {
                    f"left_{min(fact.rest, 3)}": fact.plain,
                    "star": fact.star,
                    "empty_stall": fact.empty_stall,
                }
                by_seat[fact.seat].update(parts)
            case Rolled(seat) if start.players == 1:
                by_seat[seat]["rolls"] += 1
            case Traded(seat) if start.players == 1:
                by_seat[seat]["trades"] += 1
    present = [name for name in SOURCES if any(counter[name] for counter in by_seat)]
    return [{name: counter[name] for name in present} for counter in by_seat]
