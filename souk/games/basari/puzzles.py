"""Basari's positions of the day: what to say in a haggle."""

from souk.core.position import Position
from souk.games.basari.rules import HAGGLE
from souk.games.haggling.puzzles import haggle_topic

TOPICS = ("accept", "raise")


def topic(pos: Position, seat: int, best: str) -> str:
    return haggle_topic(pos, seat, best) if pos.state.phase == HAGGLE else ""
