"""Reasons for a choice or an offer in both Basari games: gains, majorities, points of a scoring.

All counted by the rules, on copies.
"""

from typing import Any

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.games.basari_common import rules as haggling
from souk.games.basari_common.board_info import Prospects, gains
from souk.games.basari_common.facts import GemsTaken, PointsScored
from souk.games.basari_common.messages import gems_in_words, in_words
from souk.games.basari_common.notation import Gems


def name_of_words(move: int) -> Message:
    """A move in a haggle in a few words."""
    if move == haggling.ACCEPT:
        return Message("basari-common.name.accept")
    if move == haggling.PASS:
        return Message("basari-common.name.pass")
    return Message("basari-common.name.offer", gems=in_words(move - haggling.OFFER))


def of_an_action(prospects: Prospects, pos: Position, seat: int, action: int) -> list[Message]:
    """What an action brings a seat that gets it unopposed; nothing yet if it waits for a
    die or a card.
    """
    then, facts = pos.game.try_rule(pos.state, prospects.rules.carry_out, action, seat)
    reasons = []
    for fact in facts:
        match fact:
            case PointsScored(_, n):
                reasons.append(Message("basari-common.speaks.alone_points", who=Seat(seat), n=n))
            case GemsTaken(_, gems):
                reasons.append(
                    Message("basari-common.speaks.alone_gems", who=Seat(seat), gems=_words(gems))
                )
    return [*reasons, *of_gems(prospects, pos, seat, then)]


def of_words(prospects: Prospects, pos: Position, seat: int, move: int) -> list[Message]:
    """B22, K22: the outcome of a haggle that ends with this move, an offer being accepted."""
    deal = prospects.deal(pos.game, pos.state, move, seat)
    key = "gives" if deal.winner == seat else "gets"
    transfer = Message(f"basari-common.speaks.{key}", who=Seat(seat), gems=_words(deal.gems))
    return [
        transfer,
        *_of_the_stake(prospects, pos, deal.winner),
        _of_a_scoring(prospects, pos, seat, deal.scoring),
    ]


def of_gems(prospects: Prospects, pos: Position, seat: int, then: Any) -> list[Message]:
    """What a transfer of gems means for a seat: its majorities, and points of a scoring."""
    scoring = gains(prospects.scoring, then)[seat]
    held, now = (_majorities(state, seat) for state in (then, pos.state))
    return [
        Message("basari-common.speaks.majorities", who=Seat(seat), n=held, now=now),
        _of_a_scoring(prospects, pos, seat, scoring),
    ]


def _of_the_stake(prospects: Prospects, pos: Position, winner: int) -> list[Message]:
    """What the action brings its winner, if known."""
    stakes = prospects.stakes(pos)
    if not stakes:
        return []
    stake = stakes[0 if winner == pos.state.opener else 1]
    worth = Message("basari-common.points", n=stake) if isinstance(stake, int) else _words(stake)
    return [Message("basari-common.speaks.stake", who=Seat(winner), what=worth)]


def _of_a_scoring(prospects: Prospects, pos: Position, seat: int, scoring: int | None) -> Message:
    now = gains(prospects.scoring, pos.state)[seat]
    return Message("basari-common.speaks.scoring", who=Seat(seat), n=scoring or 0, now=now)


def _majorities(s: Any, seat: int) -> int:
    """Number of colours in which a seat has the most, ties included."""
    return sum(haggling.majority(s, colour) >> seat & 1 for colour in range(haggling.COLOURS))


def _words(gems: Gems) -> Any:
    return gems_in_words(gems) or Message("basari-common.nothing")
