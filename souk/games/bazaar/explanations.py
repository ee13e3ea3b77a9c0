"""Bazaar: the figures of a roll, a trade or a purchase, and why one move is better than another."""

from typing import NamedTuple

from souk.core.facts import Fact
from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.bazaar import rules
from souk.games.bazaar.board_info import lacks, worth
from souk.games.bazaar.explanations_prospects import Pair
from souk.games.bazaar.explanations_purchases import of_purchases, of_the_end
from souk.games.bazaar.explanations_solo import compare_alone
from souk.games.bazaar.explanations_trades import of_a_return, of_the_way
from souk.games.bazaar.facts import Sold
from souk.games.bazaar.messages import chips
from souk.games.bazaar.notation import COLOUR_NAMES, stalls_of, swaps

POINT = 0.02  # win chance that a point is worth


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    then, facts = pos.copy(), list[Fact]()
    holder = int(pos.state.turn)
    then.play(seat, move, facts.append)
    sold = [fact for fact in facts if isinstance(fact, Sold)]
    if sold or pos.state.phase == rules.BUY:
        return _of_a_purchase(sold, holder, then)
    return _of_chips(then, holder)


def name_move(pos: Position, move: str) -> Message:
    """A move in a few words; about the stall of a purchase."""
    code = pos.game.notation.read_move(pos.state, move)
    if code == rules.ROLL:
        return Message("bazaar.name.roll")
    if code < rules.TAKE:
        swap = swaps(pos.state)[code - rules.TRADE]
        return Message("bazaar.name.trade", gives=chips(swap.gives), gets=chips(swap.gets))
    if code < rules.BUY_ONE:
        return Message("bazaar.name.take", chip=_chip(code - rules.TAKE))
    if code < rules.DONE:
        stalls = [stall + 1 for stall in stalls_of(code)]
        places = [f"stall {stall}" for stall in stalls]
        if len(stalls) == 1:
            return Message("bazaar.name.buy", stall=stalls[0]).at(*places)
        return Message("bazaar.name.buy_two", one=stalls[0], two=stalls[1]).at(*places)
    if code == rules.DONE:
        return Message("bazaar.name.done")
    return Message("bazaar.name.back", chip=_chip(code - rules.GIVE_BACK))


def _chip(colour: int) -> Message:
    return Message(f"bazaar.word.chip.{COLOUR_NAMES[colour]}")


def compare(
    pos: Position,
    seat: int,
    better: str,
    other: str,
) -> list[Reason]:
    """Everything true that speaks for one move against another; nobody chooses in secret.

    Apart from the end of the game only where the estimate of all hands agrees: so the first reason
    speaks for the worse move of a pair less than once in ten times, and in six to eight of ten for
    the better one.
    """
    s = pos.state
    if pos.players == 1:
        return compare_alone(pos, better, other)
    if s.phase == rules.RETURN:
        return list(
            of_a_return(pos, *(pos.game.notation.read_move(s, move) for move in (better, other)))
        )
    pair = Pair(pos, seat, better, other)
    more = [*of_purchases(pair), *of_the_way(pair)] if pair.is_clear else []
    return [*of_the_end(pair), *more]


def _of_a_purchase(sold: list[Sold], holder: int, then: Position) -> list[Message]:
    """Z20: the points, and the chips left for the next ware."""
    points = Message("bazaar.speaks.points", who=Seat(holder), n=sum(fact.points for fact in sold))
    left = Message("bazaar.speaks.held", who=Seat(holder), n=int(rules.held(then.state, holder)))
    return [left] if then.players == 1 else [points, left]


# ---------------------------------------------------------------- chips toward a purchase


class ChipsThen(NamedTuple):
    """A seat's possible holdings after a roll or trade."""

    chance: float
    pays: bool  # can pay for a ware
    missing: int  # chips for the nearest ware
    points: int  # of the best ware it can pay for
    held: int


def _of_chips(then: Position, holder: int) -> list[Message]:
    prospects = list(_prospects(then, holder))
    pays = sum(prospect.chance for prospect in prospects if prospect.pays)
    missing = sum(prospect.chance * prospect.missing for prospect in prospects)
    reasons = [Message("bazaar.speaks.pays", who=Seat(holder), n=round(pays, 3))] if pays else []
    if pays and then.players > 1:
        points = sum(prospect.chance * prospect.points for prospect in prospects) / pays
        reasons.append(Message("bazaar.speaks.worth", who=Seat(holder), n=round(points, 1)))
    reasons += (
        [Message("bazaar.speaks.missing", who=Seat(holder), n=round(missing, 1))] if missing else []
    )
    held = sum(prospect.chance * prospect.held for prospect in prospects)
    return [*reasons, Message("bazaar.speaks.held", who=Seat(holder), n=round(held, 1))]


def _prospects(pos: Position, seat: int, chance: float = 1.0) -> list[ChipsThen]:
    """Over all faces of the die.

    Choice takes the chip for the nearest ware, or the most points if one is payable.
    """
    if pos.state.phase == rules.DIE:
        prospects = []
        for outcome, share in pos.chances().items():
            then = pos.copy()
            then.resolve(outcome)
            prospects += _prospects(then, seat, chance * share)
        return prospects
    if pos.state.phase == rules.CHOICE:
        taken = []
        for move in pos.moves(seat):
            then = pos.copy()
            then.play(seat, move)
            taken += _prospects(then, seat, chance)
        return [
            min(taken, key=lambda prospect: (not prospect.pays, prospect.missing, -prospect.points))
        ]
    return [_stands(pos, seat, chance)]


def _stands(pos: Position, seat: int, chance: float) -> ChipsThen:
    s = pos.state
    missing = min((n for n in lacks(s)[seat] if n is not None), default=0)
    hand = s.chips[seat]
    payable = [stall for stall in range(rules.stalls(s)) if rules.payable(s, hand, stall)]
    points = max((worth(s, stall, hand) for stall in payable), default=0)
    return ChipsThen(chance, bool(payable), missing, points, int(rules.held(s, seat)))
