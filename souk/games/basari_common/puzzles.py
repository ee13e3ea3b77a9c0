"""Positions of the day of both Basari games: what to say in a haggle."""

from souk.core.position import Position
from souk.games.haggling.rules import ACCEPT

FEWEST_SAYINGS = 5


def haggle_topic(pos: Position, seat: int, best: str) -> str:
    """Whether an offer that lies there is to be accepted or raised, or the first to be made; "" where there is little to say."""
    codes = pos.move_codes(seat, pos.game.widest)
    if len(codes) < FEWEST_SAYINGS:
        return ""
    return "offer" if ACCEPT not in codes else "accept" if best == "accept" else "raise"
