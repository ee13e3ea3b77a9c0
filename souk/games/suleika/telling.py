"""Suleika told: what happened, what is due, and why something is refused."""

from typing import Any

from souk.core.facts import Fact
from souk.core.furniture import PlainTelling
from souk.core.message import Message, Seat
from souk.games.suleika import rules
from souk.games.suleika.facts import Laid, OmarTurned, OmarWalked, Paid, RugCameUp
from souk.games.suleika.notation import COLOURS, INITIALS, field_name, next_to

_TURNS = {
    "back": "suleika.told.turns_back",
    "left": "suleika.told.turns_left",
    "right": "suleika.told.turns_right",
    "straight": "suleika.told.goes_straight",
}


def told(fact: Fact) -> list[Message]:
    match fact:
        case OmarTurned(seat, way):
            return [Message(_TURNS[way], who=Seat(seat))]
        case RugCameUp(seat, rug):
            return [Message("suleika.told.comes_up", who=Seat(seat), rug=_rug(rug))]
        case OmarWalked():
            return [_walk(fact)]
        case Paid():
            return [_payment(fact)]
        case Laid(seat, _, [one, other]):
            return [Message("suleika.told.lays", who=Seat(seat), one=one, other=other)]
    return PlainTelling().told(fact)


def _rug(initial: str) -> Message:
    return Message(f"suleika.word.rug.{COLOURS[INITIALS.index(initial)]}")


def _walk(fact: OmarWalked) -> Message:
    if fact.ground == "own":
        return Message("suleika.told.walks_home", n=fact.die, field=fact.at, who=Seat(fact.seat))
    return Message("suleika.told.walks", n=fact.die, field=fact.at)


def _payment(fact: Paid) -> Message:
    """S16: whoever has less than is owed pays what there is."""
    who, owner, area = Seat(fact.seat), Seat(fact.to), len(fact.area)
    if fact.paid == fact.owed:
        return Message("suleika.told.pays", who=who, owner=owner, n=fact.paid, area=area)
    if fact.paid:
        return Message("suleika.told.pays_the_last", who=who, owner=owner, n=fact.paid, area=area)
    return Message("suleika.told.cannot_pay", who=who, owner=owner, area=area)


def due(s: Any) -> Message:
    if s.phase == rules.DIE:
        return Message("suleika.reason.the_die")
    return Message("suleika.reason.the_top_rug", who=Seat(s.turn))


def refusal(s: Any, seat: int, move: int) -> tuple[Message, str | None]:
    if s.phase == rules.TURN:
        if move == rules.BACK:
            return Message("suleika.reason.never_back"), "S10"
        return Message("suleika.reason.direction_first"), "S10"
    if move <= rules.STRAIGHT:
        return Message("suleika.reason.lay_now"), "S20"
    near, far = rules.near_half(move), rules.far_half(move)
    if s.omar in (near, far):
        return Message("suleika.reason.under_omar"), "S17"
    if not next_to(near, s.omar):
        return Message("suleika.reason.half_next_to_omar", field=field_name(s.omar)), "S17"
    return Message("suleika.reason.hides_both_halves"), "S19"
