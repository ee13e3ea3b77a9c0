"""Basari's positions of the day: what to say in a haggle."""

from souk.core.message import Message
from souk.core.position import Position
from souk.games.basari.rules import HAGGLE
from souk.games.basari.scene import PROSPECTS
from souk.games.haggling.puzzles import haggle_reasons, haggle_topic

TOPICS = ("accept", "raise")


def topic(pos: Position, seat: int, best: str) -> str:
    return haggle_topic(pos, seat, best) if pos.state.phase == HAGGLE else ""


def reasons(pos: Position, seat: int, best: str, other: str) -> list[Message]:
    return haggle_reasons(PROSPECTS, pos, seat, best, other)
