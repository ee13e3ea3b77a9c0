"""Positions of the day of both Basari games: what to say in a haggle."""

from souk.core.message import Message
from souk.core.position import Position
from souk.games.haggling.rules import ACCEPT
from souk.games.haggling.scene import Deal, Prospects, gains

FEWEST_SAYINGS = 5


def haggle_topic(pos: Position, seat: int, best: str) -> str:
    """Whether an offer that lies there is to be accepted or raised, or the first to be made; "" where there is little to say."""
    codes = pos.move_codes(seat, pos.game.widest)
    if len(codes) < FEWEST_SAYINGS:
        return ""
    return "offer" if ACCEPT not in codes else "accept" if best == "accept" else "raise"


def haggle_reasons(prospects: Prospects, pos: Position, seat: int, best: str, other: str) -> list[Message]:
    """Who gets the action were the haggle to end with a move, for how many gems, and what a scoring would then bring."""
    one, two = (_deal(prospects, pos, seat, move) for move in (best, other))
    gets = "haggling.puzzle.gets" if one.winner == seat else "haggling.puzzle.leaves"
    found = [Message(gets, n=sum(one.gems))]
    return [*found, *_scorings(one.scoring, two.scoring)]


def exchange_reasons(prospects: Prospects, pos: Position, seat: int, best: str, other: str) -> list[Message]:
    """What a scoring would bring after a move."""
    gained = []
    for move in (best, other):
        after = pos.copy()
        after.play(seat, move)
        gained.append(gains(pos.game, prospects.scoring, after.state)[seat])
    return _scorings(*gained)


def _deal(prospects: Prospects, pos: Position, seat: int, move: str) -> Deal:
    return prospects.deal(pos.game, pos.state, pos.game.notation.read_move(pos.state, move), seat)


def _scorings(one: int | None, two: int | None) -> list[Message]:
    return [] if one is None or two is None or one == two else [Message("haggling.puzzle.scoring", n=one, m=two)]
