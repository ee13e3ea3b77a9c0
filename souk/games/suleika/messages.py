"""Suleika's log lines, prompts and refusals."""

from collections.abc import Sequence
from typing import Any

from souk.core.facts import Fact
from souk.core.game_modules import DefaultMessages
from souk.core.messages import Message, Seat
from souk.games.suleika import rules
from souk.games.suleika.facts import Laid, OmarTurned, OmarWalked, Paid, RugCameUp
from souk.games.suleika.notation import COLOURS, INITIALS, field_name, next_to


def describe(fact: Fact) -> list[Message]:
    match fact:
        case OmarTurned(seat, way, faces):
            key = "suleika.told.goes_straight" if way == "straight" else "suleika.told.turns"
            return [
                Message(key, who=Seat(seat), heading=Message(f"suleika.heading.{faces}")).at("omar")
            ]
        case RugCameUp(seat, rug):
            return [Message("suleika.told.comes_up", who=Seat(seat), rug=_rug(rug))]
        case OmarWalked():
            return [_walk(fact)]
        case Paid():
            return [_payment(fact)]
        case Laid(seat, _, [one, other]):
            return [
                Message("suleika.told.lays", who=Seat(seat), one=one, other=other).at(
                    *_fields(one, other)
                )
            ]
    return DefaultMessages().describe(fact)


def _rug(initial: str) -> Message:
    return Message(f"suleika.word.rug.{COLOURS[INITIALS.index(initial)]}")


def _fields(*fields: str) -> list[str]:
    return [f"field {field}" for field in fields]


def _walk(fact: OmarWalked) -> Message:
    if fact.ground == "own":
        return Message(
            "suleika.told.walks_home", n=fact.die, field=fact.at, who=Seat(fact.seat)
        ).at(*_fields(fact.at))
    return Message("suleika.told.walks", n=fact.die, field=fact.at).at(*_fields(fact.at))


def _payment(fact: Paid) -> Message:
    """S13, S16: the price is the size of the area; a player with less pays what there is."""
    who, owner, area, places = Seat(fact.seat), Seat(fact.to), len(fact.area), _fields(*fact.area)
    if fact.paid == fact.owed:
        return Message("suleika.told.pays", who=who, owner=owner, n=fact.paid, area=area).at(
            *places
        )
    if fact.paid:
        return Message(
            "suleika.told.pays_the_last", who=who, owner=owner, n=fact.paid, area=area
        ).at(*places)
    return Message("suleika.told.cannot_pay", who=who, owner=owner, area=area).at(*places)


def prompt(s: Any, seat: int, moves: Sequence[int]) -> Message:
    return Message("suleika.todo.turn" if s.phase == rules.TURN else "suleika.todo.rug")


def due(s: Any) -> Message:
    die = s.phase == rules.DIE
    return (
        Message("suleika.reason.the_die")
        if die
        else Message("suleika.reason.the_top_rug", who=Seat(s.turn))
    )


def refusal(s: Any, seat: int, move: int) -> tuple[Message, str | None]:
    if s.phase == rules.TURN:
        return Message(
            "suleika.reason.never_back" if move == rules.BACK else "suleika.reason.direction_first"
        ), "S10"
    if move <= rules.STRAIGHT:
        return Message("suleika.reason.lay_now"), "S20"
    near, far = rules.near_half(move), rules.far_half(move)
    if s.omar in (near, far):
        return Message("suleika.reason.under_omar"), "S17"
    if not next_to(near, s.omar):
        return Message("suleika.reason.half_next_to_omar", field=field_name(s.omar)), "S17"
    return Message("suleika.reason.hides_both_halves"), "S19"
