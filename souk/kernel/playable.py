"""What the machine needs to know of a game: its record, its rules, and how a record is filled before the start."""

from typing import Any, Protocol

import numpy as np

from souk.kernel.state import RecordArray

Options = dict[str, Any]


class Playable(Protocol):
    """A game as the kernels see it. `souk.core.game.Game` is one."""

    name: str
    dtype: np.dtype[np.void]
    desk: np.dtype[np.void]  # what bots write down while they think, see souk.kernel.desk
    widest: int  # no list of moves or outcomes is longer
    rules: Any  # a function for every verb

    def state(self, record: RecordArray, /) -> Any:
        """A record as interpreted rules see it."""
        ...

    def blank(self, players: int, options: Options, /) -> RecordArray:
        """A record with the options and the box data, before `setup`."""
        ...

    def __hash__(self) -> int: ...
