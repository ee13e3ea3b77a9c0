"""Looking ahead where several choose in secret: everybody's choices at once, and a mixed strategy for one's own."""

import numpy as np

from souk.bots.bot import Choice
from souk.bots.desk import Desk, kernel
from souk.bots.kernels.together import weigh_together
from souk.bots.kernels.tree import EDGE
from souk.bots.mixture import Mixture
from souk.core.noticed import Chosen
from souk.core.position import Position

_DOUBT = 0.45  # how far one doubts what one has found: nobody else looks at it in just the same way


class Together:
    """Secret choices looked at: what came of each choice of each seat, and the mixed strategies that follow."""

    def __init__(self, view: Position, seat: int, seed: np.uint64, noticed: Chosen = ()) -> None:
        self.desk, self.seat, self.seed = Desk(view, seat, seed, noticed=noticed), seat, seed
        self.edges = np.zeros(view.players * len(self.desk["found"]), EDGE)
        self._work = kernel(view.game, weigh_together)

    def look(self, times: int) -> None:
        self._work(self.desk.states, self.desk.array, self.edges, self.desk.lore, times)

    @property
    def looks(self) -> int:
        """How often every choice of every seat has been looked at."""
        return int(self.desk["played"])

    def choice(self) -> Choice:
        return Mixture(self.desk, self.edges).choice(
            self.seat, int(self.seed), self.looks * int(self.desk["edges"]), _DOUBT
        )
