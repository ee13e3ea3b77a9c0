"""Bazaar's log lines, prompts and refusals."""

from collections.abc import Sequence
from typing import Any

from souk.core.facts import Fact
from souk.core.game_modules import DefaultMessages
from souk.core.messages import Message, Seat
from souk.games.bazaar import facts, rules
from souk.games.bazaar.box import COLOURS, counts_in, read_bag
from souk.games.bazaar.notation import COLOUR_NAMES, stalls_of
from souk.kernel.packed_counts import covers

_CLOSES = {
    "stalls": "bazaar.told.closes_stalls",
    "quiet": "bazaar.told.closes_quiet",
    "ware": "bazaar.told.closes_ware",
    "actions": "bazaar.told.closes_actions",
}


def describe(fact: Fact) -> list[Message]:
    match fact:
        case facts.RateDrawn(card):
            return [Message("bazaar.told.rate_card", n=card).at(f"rate {card}")]
        case facts.WareTurnedUp(stall, ware):
            return [
                Message("bazaar.told.comes_up", stall=stall, chips=chips_in(ware)).at(
                    f"stall {stall}"
                )
            ]
        case facts.BeginnerDrawn(seat):
            return [Message("bazaar.told.begins", who=Seat(seat))]
        case facts.Rolled(seat):
            return [Message("bazaar.told.rolls", who=Seat(seat))]
        case facts.DieThrown(seat, "choice"):
            return [Message("bazaar.told.rolls_choice", who=Seat(seat))]
        case facts.ChipTaken() | facts.BankOut() | facts.ChipReturned():
            return [_chip(fact).at(f"seat {fact.seat}")]
        case facts.Traded(seat, gives, gets):
            places = (f"trade {gives}>{gets}", f"seat {seat}")
            return [
                Message(
                    "bazaar.told.trades", who=Seat(seat), given=chips_in(gives), got=chips_in(gets)
                ).at(*places)
            ]
        case facts.Sold():
            return [_sale(fact).at(f"stall {fact.stall}", f"seat {fact.seat}")]
        case facts.BoughtNothing(seat):
            return [Message("bazaar.told.buys_nothing", who=Seat(seat))]
        case facts.BazaarClosed(why):
            return [Message(_CLOSES[why])]
    return DefaultMessages().describe(fact)


def _chip(fact: facts.ChipTaken | facts.BankOut | facts.ChipReturned) -> Message:
    who, colour = Seat(fact.seat), COLOURS.index(fact.chip)
    chip, face = one_chip(colour), Message(f"bazaar.word.face.{COLOUR_NAMES[colour]}")
    match fact:
        case facts.ChipTaken(_, _, "choice"):
            return Message("bazaar.told.takes", who=who, chip=chip)
        case facts.ChipTaken():
            return Message("bazaar.told.rolls_colour", who=who, face=face, chip=chip)
        case facts.BankOut():
            return Message("bazaar.told.bank_is_out", who=who, face=face, chip=chip)
    if fact.by == fact.seat:
        return Message("bazaar.told.returns", who=who, chip=chip)
    return Message("bazaar.told.returns_for", who=Seat(fact.by), chip=chip, holder=who)


def _sale(fact: facts.Sold) -> Message:
    """Z20: points depend on the chips left over. Z42: solitaire counts actions instead."""
    who, chips = Seat(fact.seat), chips_in(fact.ware)
    if not fact.points:
        return Message("bazaar.told.buys_alone", who=who, chips=chips, n=fact.actions)
    return Message(
        "bazaar.told.buys", who=who, stall=fact.stall, chips=chips, over=fact.rest, n=fact.points
    )


# ---------------------------------------------------------------- chips


def chips_in(letters: str) -> list[Message]:
    """A bag of letters in words: "3 white and 2 red"."""
    bag = read_bag(letters, 63)
    return chips(bag) if bag else []


def chips(bag: int) -> list[Message]:
    """A bag in words: "3 white and 2 red"."""
    return [
        Message(f"bazaar.word.chips.{name}", n=n)
        for n, name in zip(counts_in(bag), COLOUR_NAMES, strict=True)
        if n
    ]


def one_chip(colour: int) -> Message:
    return Message(f"bazaar.word.chip.{COLOUR_NAMES[colour]}")


# ---------------------------------------------------------------- prompts, due dice and refusals


def prompt(s: Any, seat: int, moves: Sequence[int]) -> Message:
    if s.phase == rules.ACT:
        return _asked_to_act(s, seat, moves)
    if s.phase == rules.BUY:
        if s.players == 1:
            return Message("bazaar.todo.buy_alone")
        return Message("bazaar.todo.buy" if rules.DONE in moves else "bazaar.todo.must_buy")
    return Message("bazaar.todo.choice" if s.phase == rules.CHOICE else "bazaar.todo.return")


def _asked_to_act(s: Any, seat: int, moves: Sequence[int]) -> Message:
    """Z10, Z11: a seat that can pay for no trade can only roll."""
    if any(rules.TRADE <= move < rules.TAKE for move in moves):
        return Message("bazaar.todo.act")
    return Message("bazaar.todo.roll" if rules.held(s, seat) else "bazaar.todo.roll_first")


def due(s: Any) -> Message:
    if s.phase == rules.DIE:
        return Message("reason.core.the_die_of", who=Seat(s.turn))
    if s.phase == rules.RATES:
        return Message("bazaar.reason.a_rate_card")
    if s.phase == rules.FIRST:
        return Message("bazaar.reason.the_roll_for_first")
    return Message("bazaar.reason.a_ware_for", stall=rules.unfilled_stall(s) + 1)


def refusal(s: Any, seat: int, move: int) -> tuple[Message, str | None]:
    surplus = "Z42" if s.players == 1 else "Z15"
    if s.phase == rules.RETURN:
        if move < rules.GIVE_BACK:
            return Message("bazaar.reason.surplus_first"), surplus
        return Message(
            "bazaar.reason.none_to_return", chip=one_chip(move - rules.GIVE_BACK)
        ), surplus
    if move >= rules.GIVE_BACK:
        return Message("bazaar.reason.no_surplus", n=rules.LIMIT + 1), surplus
    if rules.TAKE <= move < rules.BUY_ONE:
        if s.phase == rules.CHOICE:
            return Message("bazaar.reason.none_in_bank", chip=one_chip(move - rules.TAKE)), "Z13"
        return Message("bazaar.reason.only_after_choice"), "Z10"
    if s.phase == rules.ACT:
        return _refuse_action(s, seat, move)
    if move < rules.TAKE:
        return Message("bazaar.reason.acted_already"), "Z11"
    if s.phase == rules.CHOICE:
        return Message("bazaar.reason.take_first"), "Z10"
    if move == rules.DONE:
        return Message("bazaar.reason.must_buy", n=rules.held(s, seat)), "Z14"
    return _refuse_purchase(s, seat, move)


def _refuse_action(s: Any, seat: int, move: int) -> tuple[Message, str]:
    if move == rules.DONE:
        return Message("bazaar.reason.roll_or_trade"), "Z11"
    if move >= rules.BUY_ONE:
        return Message("bazaar.reason.before_buying"), "Z12"
    gives, gets = rules.side(s, move - rules.TRADE), rules.side(s, (move - rules.TRADE) ^ 1)
    if not covers(s.chips[seat], gives):
        return Message("bazaar.reason.needs_chips", chips=chips(gives)), "Z11"
    if not covers(s.bank, gets):
        return Message("bazaar.reason.bank_cannot_pay", chips=chips(gets)), "Z13"
    if s.players == 1:
        return Message("bazaar.reason.limit_alone", n=rules.LIMIT), "Z42"
    return Message("bazaar.reason.limit", n=rules.LIMIT), "Z14"


def _refuse_purchase(s: Any, seat: int, move: int) -> tuple[Message, str]:
    stalls = stalls_of(move)
    if len(stalls) == 2 and not s.double_purchase:
        return Message("bazaar.reason.one_at_a_time"), "Z40"
    if len(stalls) == 2 and stalls[0] == stalls[1]:
        return Message("bazaar.reason.two_stalls"), "Z40"
    for stall in stalls:
        if s.top[stall] == rules.NO_WARE:
            return Message("bazaar.reason.stall_empty", stall=stall + 1), "Z12"
        if not rules.payable(s, s.chips[seat], stall):
            return Message(
                "bazaar.reason.costs", stall=stall + 1, chips=chips(rules.price(s, stall))
            ), "Z12"
    return Message("bazaar.reason.cannot_pay_both"), "Z40"
