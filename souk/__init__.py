"""Souk: four bazaar games, played, studied and researched on one source of rules."""

from typing import TYPE_CHECKING

from souk import bots
from souk.bots.registry import bot
from souk.core.errors import IllegalMove
from souk.core.game import Game
from souk.core.position import Position
from souk.core.record import Record, load
from souk.games import game
from souk.lab.simulate.simulate import Simulation, simulate

if TYPE_CHECKING:
    from souk.games.bazaar.solver import Par

__version__ = "0.1.0"
__all__ = [
    "Game",
    "IllegalMove",
    "Position",
    "Record",
    "Simulation",
    "bot",
    "bots",
    "game",
    "load",
    "simulate",
    "solve",
]


def solve(rates: object, ware: object) -> "Par":
    """Bazaar alone with two given rate cards and a given ware, solved exactly."""
    from souk.games.bazaar.solver import solve as solve_puzzle

    return solve_puzzle(rates, ware)
