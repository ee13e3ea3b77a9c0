"""One-ply search for simultaneous secret choices, giving a mixed strategy."""

import numpy as np

from souk.bots.bot import Choice
from souk.bots.kernels.simultaneous import improve_strategies
from souk.bots.kernels.tree import EDGE
from souk.bots.mixed_strategy import MixedStrategy
from souk.bots.workspace import Workspace, kernel
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts

_DOUBT = 0.45  # the others do not compute the same strategies


class SimultaneousSearch:
    """Evaluates all choices of all seats by regret matching."""

    def __init__(
        self, view: Position, seat: int, seed: np.uint64, noticed: ChoiceCounts = ()
    ) -> None:
        self.workspace, self.seat, self.seed = (
            Workspace(view, seat, seed, noticed=noticed),
            seat,
            seed,
        )
        self.edges = np.zeros(view.players * len(self.workspace["found"]), EDGE)
        self._work = kernel(view.game, improve_strategies)

    def look(self, times: int) -> None:
        self._work(
            self.workspace.states, self.workspace.array, self.edges, self.workspace.lookup, times
        )

    @property
    def looks(self) -> int:
        """Tries per choice."""
        return int(self.workspace["played"])

    def choice(self) -> Choice:
        return MixedStrategy(self.workspace, self.edges).choice(
            self.seat, int(self.seed), self.looks * int(self.workspace["edges"]), _DOUBT
        )
