"""What the machine needs to know of a game: its state, its rules, and how a state is filled before the start."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from souk.kernel.desk import Layout
from souk.kernel.state import StateArray

Options = dict[str, Any]
Function = Callable[..., Any]


class Playable(Protocol):
    """A game as the kernels see it. `souk.core.game.Game` is one."""

    name: str
    dtype: np.dtype[np.void]
    desk: np.dtype[np.void]  # what bots write down while they think, see souk.kernel.desk
    sheet: Layout  # what its last turns are worked out on besides, see souk.bots.kernels.ends
    widest: int  # no list of moves or outcomes is longer
    rules: Any  # a function for every verb
    stand_ins: Mapping[Function, Function]  # what is run in the place of rules where nothing is compiled

    def state(self, array: StateArray, /) -> Any:
        """A state as interpreted rules see it."""
        ...

    def blank(self, players: int, options: Options, /) -> StateArray:
        """A state with the options and the box data, before `setup`."""
        ...

    def __hash__(self) -> int: ...
