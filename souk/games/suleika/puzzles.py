"""Suleika's daily puzzles: turning Omar, and laying a rug."""

from souk.core.position import Position
from souk.games.suleika.rules import RUG, TURN

TOPICS = ("rug", "turn")
_FEWEST_PLACES = 6  # for a rug


def topic(pos: Position, seat: int, _best: str) -> str:
    if pos.state.phase == TURN:
        return "turn"
    return "rug" if pos.state.phase == RUG and len(pos.move_codes(seat)) >= _FEWEST_PLACES else ""
