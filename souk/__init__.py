"""Souk: four bazaar games, played, studied and researched on one source of rules."""

from souk.core.errors import IllegalMove
from souk.core.game import Game
from souk.core.position import Position
from souk.core.record import Record, load
from souk.games import game
from souk.lab.simulate import Simulation, simulate

__version__ = "0.1.0"
__all__ = ["Game", "IllegalMove", "Position", "Record", "Simulation", "game", "load", "simulate"]
