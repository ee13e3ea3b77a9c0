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
    from souk.study.study import Study

__version__ = "0.1.0"
__all__ = [
    "Game",
    "IllegalMove",
    "Position",
    "Record",
    "Simulation",
    "Study",
    "analyse",
    "bot",
    "bots",
    "game",
    "load",
    "simulate",
    "solve",
]


def analyse(
    record: Record,
    *,
    playouts: int | None = None,
    seconds: float | None = None,
    seed: int = 0,
    unfinished: bool = False,
) -> "Study":
    """A game looked back at, step by step: what everybody gave away, and what was luck."""
    from souk.study.analysing import analyse as look_back

    return look_back(record, playouts=playouts, seconds=seconds, seed=seed, unfinished=unfinished)


def __getattr__(name: str) -> object:
    """What few need is imported when it is asked for."""
    if name == "Study":
        from souk.study.study import Study

        return Study
    raise AttributeError(f"module 'souk' has no attribute {name!r}")


def solve(rates: object, ware: object) -> "Par":
    """Bazaar alone with two given rate cards and a given ware, solved exactly."""
    from souk.games.bazaar.solver import solve as solve_puzzle

    return solve_puzzle(rates, ware)
