"""Workspaces for interpreted heuristics."""

from typing import Any

import numpy as np

from souk.core.game import Game
from souk.kernel.state import state_class


def desk_of(game: Game) -> Any:
    """An empty workspace."""
    return state_class(game.workspace)(np.zeros(1, game.workspace))
