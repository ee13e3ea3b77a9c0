"""Log lines, prompts and refusals of Basari, the card game."""

from collections.abc import Sequence
from typing import Any

from souk.core.facts import Fact
from souk.core.messages import Message, Seat
from souk.games.basari_cards import rules
from souk.games.basari_cards.facts import (
    CameToNothing,
    CardTurnedUp,
    DealEnded,
    GemsReturned,
    WorkersScored,
)
from souk.games.basari_cards.notation import ACTIONS
from souk.games.basari_common import messages as haggle_messages
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.facts import HaggleEnded
from souk.games.basari_common.messages import action_name, gems_in_words, gems_listed
from souk.kernel.bitset import count

CLAUSES = {"own": "K21", "raise": "K22", "accept": "K22"}

_LOST = {
    "A": "basari-cards.told.lost_card",
    "B": "basari-cards.told.lost_points",
    "C": "basari-cards.told.lost_gems",
}
_WHY_NOTHING = {  # K17, K33: by action
    "A": "basari-cards.told.no_card_left",
    "B": "basari-cards.told.no_card",
    "C": "basari-cards.told.no_card",
    "D": "basari-cards.told.no_gem_left",
}


def describe(fact: Fact) -> list[Message]:
    match fact:
        case CardTurnedUp():
            return [_card(fact)]
        case CameToNothing(seat, action):
            return [
                Message(
                    _WHY_NOTHING[action], who=Seat(seat), action=action_name("basari-cards", action)
                )
            ]
        case GemsReturned(seat, gems):
            return [Message("basari-cards.told.returns", who=Seat(seat), gems=gems_in_words(gems))]
        case HaggleEnded(action, winner, loser, gems) if not any(gems):
            what = action_name("basari-cards", action)
            return [
                Message(
                    "basari-cards.told.nothing_to_offer",
                    who=Seat(loser),
                    other=Seat(winner),
                    action=what,
                )
            ]
        case DealEnded(number):
            return [Message("basari-cards.told.deal_over", n=number)]
        case WorkersScored(seat, points):
            return [
                Message("basari-cards.told.workers", who=Seat(seat), n=points).at(f"card {seat}")
            ]
    return haggle_messages.describe(fact, "basari-cards", _LOST)


def prompt(s: Any, seat: int, moves: Sequence[int]) -> Message:
    by_phase = {rules.CHOOSE: "basari-cards.todo.choose", rules.GIVE: "basari-cards.todo.give"}
    return haggle_messages.prompt(
        s.phase == rules.HAGGLE, moves, by_phase.get(s.phase, "basari-cards.todo.take")
    )


def _card(fact: CardTurnedUp) -> Message:
    card = Message(
        "basari-cards.told.card",
        workers=fact.workers,
        points=fact.points,
        gems=gems_listed(fact.gems),
    )
    key = "basari-cards.told.draws" if fact.drawn else "basari-cards.told.is_dealt"
    return Message(key, who=Seat(fact.seat), card=card).at(f"card {fact.seat}")


def due(s: Any) -> Message:
    return Message("basari-cards.reason.a_card_for", who=Seat(s.turn))


def refusal(s: Any, seat: int, move: int) -> tuple[Message, str | None]:
    if s.phase == rules.CHOOSE:
        if move == rules.D:
            return Message("basari-cards.reason.d_with_five"), "K3"
        return Message("basari-cards.reason.choose_now"), "K11"
    if s.phase == rules.HAGGLE:
        if move <= rules.D or move >= rules.TAKE_GEMS:
            return Message(
                "basari-common.reason.haggle_now",
                action=action_name("basari-cards", ACTIONS[s.action]),
            ), "K16"
        return haggle_messages.haggle_refusal(
            s, seat, move, CLAUSES | {"pass": "K22" if s.offer else "K21"}
        )
    return _give_refusal(move) if s.phase == rules.GIVE else _take_refusal(s, move)


def _give_refusal(move: int) -> tuple[Message, str]:
    if move < rules.GIVE_GEM:
        return Message("basari-cards.reason.return_first"), "K31"
    if haggling.size(move) != 1:
        return Message("basari-cards.reason.return_one"), "K31"
    return Message("basari-cards.reason.return_your_own"), "K31"


def _take_refusal(s: Any, move: int) -> tuple[Message, str]:
    alone = count(haggling.chose(s, rules.D)) == 1
    clause, wanted, due = "K31" if alone else "K32", haggling.size(move), rules.gems_to_take(s)
    if not rules.TAKE_GEMS <= move < rules.GIVE_GEM:
        return Message("basari-cards.reason.take_now"), clause
    if alone and due < wanted == 2:
        return Message("basari-cards.reason.one_gem_left"), "K33"
    if wanted != due:
        return Message("basari-cards.reason.take_exactly", n=due), clause
    return Message("basari-cards.reason.not_in_supply"), "K33"
