"""Daily puzzles of Basari, the card game: what to say in a haggle, what to give and take."""

from souk.core.position import Position
from souk.games.basari_cards.rules import GIVE, HAGGLE, TAKE
from souk.games.basari_common.puzzles import haggle_topic

TOPICS = ("accept", "raise", "exchange")


def topic(pos: Position, seat: int, best: str) -> str:
    if pos.state.phase in (GIVE, TAKE):
        return "exchange"
    return haggle_topic(pos, seat, best) if pos.state.phase == HAGGLE else ""
