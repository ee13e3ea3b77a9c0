"""Exact endgame search, as far as the time allows."""

import time
from collections.abc import Callable

import numpy as np

from souk.bots.bot import Choice, Considered
from souk.bots.kernels.endgame import LEVELS, entry_type, level_type, solve_endgame
from souk.bots.kernels.last_turns import MOST_ENDS, end_type, scratch_type, worths_of_ends
from souk.bots.kernels.value import SCORE, UTILITY, WIN
from souk.bots.workspace import Array, Workspace, kernel
from souk.core.position import Position

POSITIONS_A_SECOND = 28_000_000  # typical speed
SLICE = 0.002  # seconds between looks at the clock
FIRST = 64  # positions in the first slice
SHARE = 0.9  # of the time for a move; the rest is for a tree search if this fails
TRIAL = 0.1  # share of the time after which the remaining time is estimated
POSITIONS_A_SLOT = 64  # positions searched per slot of the transposition table
FEWEST_KEPT, MOST_KEPT = 1 << 10, 1 << 16  # slots of that table: 11 MB at most


def endgame_search(view: Position, seconds: float | None) -> "EndgameSearch | None":
    """The exact search for a position, or None if it is impossible or hopeless in this time.

    Without `seconds` one second is assumed.
    """
    positions = view.game.rules.endgame_size(view.state)
    if (
        positions == 0
        or positions > 2 * (seconds or 1.0) * POSITIONS_A_SECOND
        or len(view.actors) > 1
    ):
        return None
    return EndgameSearch(view, positions)


class EndgameSearch:
    """Searches all continuations of a position with at most one seat to move.

    `positions` is their approximate number.
    """

    def __init__(self, view: Position, positions: int) -> None:
        self.workspace = Workspace(view, view.actors[0] if view.actors else 0, states=LEVELS)
        self.levels = np.zeros(LEVELS, level_type(view.game))
        scratch = np.zeros(1, scratch_type(view.game))
        scratch["worths"] = worths_of_ends(view.game.players[-1])
        slots = 1 << (positions // POSITIONS_A_SLOT).bit_length()
        self.arrays = (
            self.workspace.states,
            self.workspace.array,
            self.levels,
            np.zeros(MOST_ENDS, end_type(view.game)),
            scratch,
            np.zeros(max(FEWEST_KEPT, min(slots, MOST_KEPT)), entry_type(view.game)),
            self.workspace.lookup,
        )
        self.work = kernel(view.game, solve_endgame)

    @property
    def looked_at(self) -> int:
        """Positions searched so far."""
        return int(self.workspace["played"])

    @property
    def part(self) -> float:
        """Estimated share of the work done, as if all branches took equally long."""
        done, share = 0.0, 1.0
        for level in self.levels[: int(self.workspace["level"]) + 1]:
            share /= max(1, int(level["n"]))
            done += share * (int(level["next"]) - 1)
        return max(0.0, done)

    def look(self, positions: int) -> bool:
        """Search more positions; return whether the result is complete."""
        return bool(self.work(*self.arrays, self.looked_at + positions))

    def look_until(self, begin: float, seconds: float, hurried: Callable[[], bool]) -> bool:
        """Search until done, out of time, or clearly too slow; return whether the result is
        complete.
        """
        # The first slice also loads the kernel.
        if self.look(FIRST):
            return True
        started = before = time.perf_counter()
        left, positions = SHARE * seconds - (started - begin), FIRST
        while not self.look(positions):
            now = time.perf_counter()
            too_slow = now - begin > TRIAL * seconds and now - started > left * self.part
            if too_slow or hurried():
                return False
            took = max(now - before, 1e-6)
            before, positions = now, max(1, min(2 * positions, int(positions * SLICE / took)))
        return True

    def chances(self, players: int) -> Array:
        """The win chances of all seats, once complete."""
        return np.array(self.levels["sums"][0, :players, WIN])

    def choice(self) -> Choice:
        """The best move, once complete."""
        means, moves = self.workspace["reasons"], self.levels["out"][0]
        order = sorted(range(int(self.levels["n"][0])), key=lambda k: -means[k, UTILITY])
        considered = [
            Considered(
                self.workspace.text(moves[k]),
                float(k == order[0]),
                float(means[k, WIN]),
                float(means[k, SCORE]),
            )
            for k in order
        ]
        return Choice(considered[0].move, considered, exact=True)
