"""Basari: reasons for a choice or an offer."""

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.games.basari import rules
from souk.games.basari.board_info import PROSPECTS
from souk.games.basari_common import explanations as haggling

_ROLLS = range(1, rules.FACES + 1)


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
