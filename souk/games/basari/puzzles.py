"""Basari's daily puzzles: what to say in a haggle."""

from souk.core.position import Position
from souk.games.basari.rules import HAGGLE
from souk.games.basari_common.puzzles import haggle_topic

TOPICS = ("accept", "raise")


def topic(pos: Position, seat: int, best: str) -> str:
    return haggle_topic(pos, seat, best) if pos.state.phase == HAGGLE else ""
