"""The interface kernels need from a game: its state layout, rules, and initial state."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np

from souk.kernel.state import StateArray
from souk.kernel.workspace import Layout

Options = dict[str, Any]
Function = Callable[..., Any]


class Playable(Protocol):
    """A game as kernels see it. `souk.core.game.Game` implements it."""

    name: str
    dtype: np.dtype[np.void]
    # Scratch space for bots: souk.kernel.workspace.
    workspace: np.dtype[np.void]
    # The game's fields in the scratch space for last turns: souk.bots.kernels.last_turns.
    sheet: Layout
    # Maximum length of any list of moves or outcomes.
    widest: int
    # A namespace with a function for every game op.
    rules: Any
    # Replacements for rules in interpreted runs.
    stand_ins: Mapping[Function, Function]

    def state(self, array: StateArray, /) -> Any:
        """A view of a state for interpreted rules."""
        ...

    def blank(self, players: int, options: Options, /) -> StateArray:
        """A state with only the options and the box data, before `setup`."""
        ...

    def __hash__(self) -> int: ...
