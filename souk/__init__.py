"""Souk: four bazaar games, played, studied and researched on one source of rules."""

import importlib
from typing import TYPE_CHECKING, Any

from souk import bots
from souk.bots.registry import bot
from souk.core.errors import IllegalMove
from souk.core.game import Game
from souk.core.position import Position
from souk.core.record import Record, load
from souk.games import game
from souk.lab.simulate.simulate import Simulation, simulate

if TYPE_CHECKING:
    from souk.games.bazaar.solver import solve
    from souk.study.analysing import analyse
    from souk.study.study import Study

_HOMES = {"Study": "souk.study.study", "analyse": "souk.study.analysing", "solve": "souk.games.bazaar.solver"}

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


def __getattr__(name: str) -> Any:
    """What few need is imported when it is asked for."""
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_HOMES]
