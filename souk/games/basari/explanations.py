"""Basari: the figures of a choice or an offer, and why one is better than another."""

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.reasons import Reason
from souk.games.basari import rules
from souk.games.basari.board_info import PROSPECTS
from souk.games.basari.explanations_lap import BasariCourt, nouns, of_a_start, of_the_dice
from souk.games.basari.notation import ACTIONS
from souk.games.basari_common import explanations as haggling
from souk.games.basari_common import explanations_choices as choices
from souk.games.basari_common import explanations_haggle as haggles
from souk.games.basari_common.explanations_court import Likely

POINT = 0.02  # win chance that a point is worth
_ROLLS = range(1, rules.FACES + 1)
_LEAST = 0.15  # of reasons about what an action brings


def name_move(pos: Position, move: str) -> Message:
    """A choice, an offer or an arch in a few words."""
    code = pos.game.notation.read_move(pos.state, move)
    if pos.state.phase == rules.HAGGLE:
        return haggling.name_of_words(code)
    if pos.state.phase == rules.START:
        arch = code - rules.ARCH
        return Message("basari.name.arch", arch=arch).at(f"arch {arch}")
    return Message(f"basari.action.{ACTIONS[code]}")


def compare(
    pos: Position, seat: int, better: str, other: str, likely: Likely | None = None
) -> list[Reason]:
    """Everything that speaks for one move against another.

    Only where the estimate agrees: nearly every choice has something to be said for it. `likely` is
    how often rivals choose what at the same time; without it nothing is said of what they want.
    """
    s = pos.state
    one, two = (pos.game.notation.read_move(s, move) for move in (better, other))
    if s.phase == rules.START:
        return list(of_a_start(pos, seat, one, two))
    court = BasariCourt(pos)
    if s.phase == rules.HAGGLE:
        return haggles.compare(PROSPECTS, pos, court, seat, (better, other))
    wishes = choices.read_wishes(likely or {}, ACTIONS)
    choice = choices.compare(court, seat, one, two, wishes, nouns())
    if not choice.is_clear:
        return []
    more = max(choice.more, _LEAST)
    return [
        *choices.of_others(choice),
        *choices.of_points_and_gems(choice, more),
        *of_the_dice(pos, choice, court, more),
    ]


def reasons(pos: Position, seat: int, move: str) -> list[Message]:
    s = pos.state
    code = pos.game.notation.read_move(s, move)
    if s.phase == rules.HAGGLE:
        return haggling.of_words(PROSPECTS, pos, seat, code)
    if s.phase == rules.START:
        return []
    rolled = _of_a_roll(pos, seat) if code == rules.DICE else []
    return [*rolled, *haggling.of_an_action(PROSPECTS, pos, seat, code)]


def _of_a_roll(pos: Position, seat: int) -> list[Message]:
    """B12: mean points of another roll, and its chance of completing the lap that leads to
    a scoring.
    """
    average = sum(map(rules.points_of_roll, _ROLLS)) / len(_ROLLS)
    walked = int(pos.state.walked[seat])
    laps = sum(walked + roll >= rules.ARCHES for roll in _ROLLS) / len(_ROLLS)
    lap = [Message("basari.speaks.lap", who=Seat(seat), n=round(laps, 3))] if laps else []
    return [Message("basari-common.speaks.alone_points", who=Seat(seat), n=average), *lap]
