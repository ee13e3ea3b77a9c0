"""Souk: four bazaar games, played, studied and researched on one source of rules."""

from souk.core.errors import IllegalMove
from souk.core.position import Position
from souk.games import game

__all__ = ["IllegalMove", "Position", "game"]
