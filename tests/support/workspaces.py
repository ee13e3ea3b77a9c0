"""A desk for interpreted insight to write on."""

from typing import Any

import numpy as np

from souk.core.game import Game
from souk.kernel.state import state_class


def desk_of(game: Game) -> Any:
    """An empty one."""
    return state_class(game.desk)(np.zeros(1, game.desk))
