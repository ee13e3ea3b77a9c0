"""Basari's log lines, prompts and refusals."""

from collections.abc import Sequence
from typing import Any

from souk.core.facts import Fact
from souk.core.messages import Message, Seat
from souk.games.basari import rules
from souk.games.basari.facts import DiscPlaced, FigureWalked, LapScored, OpenerFound, ScoringBegan
from souk.games.basari.notation import ACTIONS
from souk.games.basari_common import messages as haggle_messages
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.facts import HaggleCalled
from souk.games.basari_common.messages import action_name, choices_of, wanted

_LOST = {
    "dice": "basari.told.lost_dice",
    "points": "basari.told.lost_points",
    "gems": "basari.told.lost_gems",
}

CLAUSES = {"own": "B21", "raise": "B23", "accept": "B22", "pass": "B22"}


def describe(fact: Fact) -> list[Message]:
    match fact:
        case DiscPlaced(seat, arch):
            return [Message("basari.told.starts", who=Seat(seat), arch=arch).at(f"arch {arch}")]
        case FigureWalked(seat, die, path):
            return [
                Message("basari.told.rolls", who=Seat(seat), n=die, arch=path[-1]).at(
                    f"arch {path[-1]}"
                )
            ]
        case HaggleCalled(action, [one, other], opener):
            both, what = [Seat(one), Seat(other)], wanted("basari", action)
            if opener is None:
                return [
                    Message("basari.told.level", both=both, what=what).at(*choices_of(one, other))
                ]
            return [
                Message("basari.told.haggle", both=both, who=both[0], what=what).at(
                    *choices_of(one, other)
                )
            ]
        case OpenerFound(seat):
            return [Message("basari.told.opens", who=Seat(seat)).at(f"seat {seat}")]
        case ScoringBegan(number):
            return [Message("basari.told.scoring", n=number, last=rules.SCORINGS)]
        case LapScored(seat, points):
            return [Message("basari.told.lap", who=Seat(seat), n=points).at(f"seat {seat}")]
    return haggle_messages.describe(fact, "basari", _LOST)


def prompt(s: Any, seat: int, moves: Sequence[int]) -> Message:
    otherwise = "basari.todo.start" if s.phase == rules.START else "basari.todo.choose"
    return haggle_messages.prompt(s.phase == rules.HAGGLE, moves, otherwise)


def due(s: Any) -> Message:
    if s.phase == rules.OPENER:
        return Message("basari.reason.the_roll_for_opening")
    return Message("reason.core.the_die_of", who=Seat(s.turn))


def refusal(s: Any, seat: int, move: int) -> tuple[Message, str | None]:
    if s.phase == rules.START:
        if rules.ARCH <= move < haggling.ACCEPT:
            return Message("basari.reason.arch_taken", arch=move - rules.ARCH), "B5"
        return Message("basari.reason.discs_first"), "B5"
    if s.phase == rules.CHOOSE:
        return Message("basari.reason.choose_now"), "B11"
    if move < haggling.ACCEPT:
        return Message(
            "basari-common.reason.haggle_now", action=action_name("basari", ACTIONS[s.action])
        ), "B15"
    return haggle_messages.haggle_refusal(s, seat, move, CLAUSES)
