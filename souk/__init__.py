"""Souk: four bazaar board games to play, analyse and research, on one set of rules."""

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
    from souk.analysis.analyse import analyse
    from souk.analysis.study import Study
    from souk.games.bazaar.solitaire_solver import solve

_LAZY = {
    "Study": "souk.analysis.study",
    "analyse": "souk.analysis.analyse",
    "solve": "souk.games.bazaar.solitaire_solver",
}

__version__ = "0.2.0"
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
    """Import rarely used names on first access."""
    if name in _LAZY:
        return getattr(importlib.import_module(_LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*globals(), *_LAZY]
