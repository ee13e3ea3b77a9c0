"""Daily puzzles of both Basari games: what to say in a haggle."""

from souk.core.position import Position
from souk.games.basari_common.rules import ACCEPT

FEWEST_SAYINGS = 5


def haggle_topic(pos: Position, seat: int, best: str) -> str:
    """Whether to accept or raise, or what to open with; "" if there is little choice."""
    codes = pos.move_codes(seat, pos.game.widest)
    if len(codes) < FEWEST_SAYINGS:
        return ""
    return "offer" if ACCEPT not in codes else "accept" if best == "accept" else "raise"
