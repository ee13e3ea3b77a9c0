"""Bazaar: what speaks for a roll, a trade or a purchase, counted over every face of the die."""

from typing import NamedTuple

from souk.core.facts import Fact
from souk.core.message import Message, Seat
from souk.core.position import Position
from souk.games.bazaar import rules
from souk.games.bazaar.facts import Sold
from souk.games.bazaar.scene import lacks, worth


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    then, facts = pos.copy(), list[Fact]()
    holder = int(pos.state.turn)
    then.play(seat, move, facts.append)
    sold = [fact for fact in facts if isinstance(fact, Sold)]
    if sold or pos.state.phase == rules.BUY:
        return _of_a_purchase(sold, holder, then)
    return _of_chips(then, holder)


def _of_a_purchase(sold: list[Sold], holder: int, then: Position) -> list[Message]:
    """Z20: the points, and what is left for the next ware."""
    points = Message("bazaar.speaks.points", who=Seat(holder), n=sum(fact.points for fact in sold))
    left = Message("bazaar.speaks.held", who=Seat(holder), n=int(rules.held(then.state, holder)))
    return [left] if then.players == 1 else [points, left]


# ---------------------------------------------------------------- chips that are still to pay for something


class ChipsThen(NamedTuple):
    """How a seat may stand after a roll or a trade."""

    chance: float
    pays: bool  # it can pay for a ware
    missing: int  # chips for the nearest one
    points: int  # of the best one that it can pay for
    held: int


def _of_chips(then: Position, holder: int) -> list[Message]:
    found = list(_prospects(then, holder))
    pays = sum(each.chance for each in found if each.pays)
    missing = sum(each.chance * each.missing for each in found)
    said = [Message("bazaar.speaks.pays", who=Seat(holder), n=round(pays, 3))] if pays else []
    if pays and then.players > 1:
        points = sum(each.chance * each.points for each in found) / pays
        said.append(Message("bazaar.speaks.worth", who=Seat(holder), n=round(points, 1)))
    said += [Message("bazaar.speaks.missing", who=Seat(holder), n=round(missing, 1))] if missing else []
    held = sum(each.chance * each.held for each in found)
    return [*said, Message("bazaar.speaks.held", who=Seat(holder), n=round(held, 1))]


def _prospects(pos: Position, seat: int, chance: float = 1.0) -> list[ChipsThen]:
    """By all that the die may show; of Choice the chip that brings the nearest ware, or the dearest that can be paid for."""
    if pos.state.phase == rules.DIE:
        found = []
        for outcome, share in pos.chances().items():
            then = pos.copy()
            then.resolve(outcome)
            found += _prospects(then, seat, chance * share)
        return found
    if pos.state.phase == rules.CHOICE:
        taken = []
        for move in pos.moves(seat):
            then = pos.copy()
            then.play(seat, move)
            taken += _prospects(then, seat, chance)
        return [min(taken, key=lambda each: (not each.pays, each.missing, -each.points))]
    return [_stands(pos, seat, chance)]


def _stands(pos: Position, seat: int, chance: float) -> ChipsThen:
    s = pos.state
    missing = min((n for n in lacks(s)[seat] if n is not None), default=0)
    hand = s.chips[seat]
    payable = [stall for stall in range(rules.stalls(s)) if rules.payable(s, hand, stall)]
    points = max((worth(s, stall, hand) for stall in payable), default=0)
    return ChipsThen(chance, bool(payable), missing, points, int(rules.held(s, seat)))
