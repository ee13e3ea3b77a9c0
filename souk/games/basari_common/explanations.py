"""What speaks for a choice or an offer in both Basari games: what it brings, who then holds the majorities, and what a scoring would bring.

All of it is counted by the rules, on copies.
"""

from typing import Any

from souk.core.message import Message, Seat
from souk.core.position import Position
from souk.games.haggling import rules as haggling
from souk.games.haggling.facts import GemsTaken, PointsScored
from souk.games.haggling.notation import Gems
from souk.games.haggling.scene import Prospects, gains
from souk.games.haggling.telling import gems_in_words


def of_an_action(prospects: Prospects, pos: Position, seat: int, action: int) -> list[Message]:
    """What an action brings a seat that nobody disputes it. (What waits for a die or a card brings nothing yet.)"""
    then, facts = pos.game.trial(pos.state, prospects.rules.carry_out, action, seat)
    found = []
    for fact in facts:
        match fact:
            case PointsScored(_, n):
                found.append(Message("haggling.speaks.alone_points", who=Seat(seat), n=n))
            case GemsTaken(_, gems):
                found.append(Message("haggling.speaks.alone_gems", who=Seat(seat), gems=_words(gems)))
    return [*found, *of_gems(prospects, pos, seat, then)]


def of_words(prospects: Prospects, pos: Position, seat: int, move: int) -> list[Message]:
    """B22, K22: what comes of a haggle that ends with these words, an offer by being accepted."""
    deal = prospects.deal(pos.game, pos.state, move, seat)
    key = "gives" if deal.winner == seat else "gets"
    said = Message(f"haggling.speaks.{key}", who=Seat(seat), gems=_words(deal.gems))
    return [said, *_of_the_stake(prospects, pos, deal.winner), _of_a_scoring(prospects, pos, seat, deal.scoring)]


def of_gems(prospects: Prospects, pos: Position, seat: int, then: Any) -> list[Message]:
    """What gems that have changed hands mean: the majorities of a seat, and what a scoring would bring it."""
    scoring = gains(prospects.scoring, then)[seat]
    held, now = (_majorities(state, seat) for state in (then, pos.state))
    return [
        Message("haggling.speaks.majorities", who=Seat(seat), n=held, now=now),
        _of_a_scoring(prospects, pos, seat, scoring),
    ]


def _of_the_stake(prospects: Prospects, pos: Position, winner: int) -> list[Message]:
    """What the action brings whoever gets it, where that is known."""
    stakes = prospects.stakes(pos)
    if not stakes:
        return []
    stake = stakes[0 if winner == pos.state.opener else 1]
    worth = Message("haggling.points", n=stake) if isinstance(stake, int) else _words(stake)
    return [Message("haggling.speaks.stake", who=Seat(winner), what=worth)]


def _of_a_scoring(prospects: Prospects, pos: Position, seat: int, scoring: int | None) -> Message:
    now = gains(prospects.scoring, pos.state)[seat]
    return Message("haggling.speaks.scoring", who=Seat(seat), n=scoring or 0, now=now)


def _majorities(s: Any, seat: int) -> int:
    """In how many colours a seat has the most, or as many as others."""
    return sum(haggling.majority(s, colour) >> seat & 1 for colour in range(haggling.COLOURS))


def _words(gems: Gems) -> Any:
    return gems_in_words(gems) or Message("haggling.nothing")
