"""The end of a game played out in full, as far as there is time for it."""

import time
from collections.abc import Callable

import numpy as np

from souk.bots.bot import Choice, Considered
from souk.bots.desk import Array, Desk, kernel
from souk.bots.kernels.ends import MOST_ENDS, end_type, sheet_type, worths_of_ends
from souk.bots.kernels.exact import LEVELS, kept_type, level_type, play_out_in_full
from souk.bots.kernels.value import SCORE, UTILITY, WIN
from souk.core.position import Position

POSITIONS_A_SECOND = 28_000_000  # about what an end is played out at
SLICE = 0.002  # seconds between looks at the clock
FIRST = 64  # positions of the first slice
SHARE = 0.9  # of the time for a move: the rest is for a search, should the end not be known by then
TRIAL = 0.1  # of the time, after which it is seen how long it will take
POSITIONS_A_SLOT = 64  # for each position to be known again, so many are looked at
FEWEST_KEPT, MOST_KEPT = 1 << 10, 1 << 16  # positions that are known again: 11 MB at most


def ending_in(view: Position, seconds: float | None) -> "Ending | None":
    """The end of a game, where it is possible to play it out in full, and not hopeless in this time; without one a second is meant."""
    positions = view.game.rules.ending(view.state)
    if positions == 0 or positions > 2 * (seconds or 1.0) * POSITIONS_A_SECOND or len(view.actors) > 1:
        return None
    return Ending(view, positions)


class Ending:
    """All continuations of a position in which one seat is to move, or a die or card is due; about so many positions."""

    def __init__(self, view: Position, positions: int) -> None:
        self.desk = Desk(view, view.actors[0] if view.actors else 0, states=LEVELS)
        self.levels = np.zeros(LEVELS, level_type(view.game))
        sheet = np.zeros(1, sheet_type(view.game))
        sheet["worths"] = worths_of_ends(view.game.players[-1])
        slots = 1 << (positions // POSITIONS_A_SLOT).bit_length()
        self.arrays = (
            self.desk.states,
            self.desk.array,
            self.levels,
            np.zeros(MOST_ENDS, end_type(view.game)),
            sheet,
            np.zeros(max(FEWEST_KEPT, min(slots, MOST_KEPT)), kept_type(view.game)),
            self.desk.lore,
        )
        self.work = kernel(view.game, play_out_in_full)

    @property
    def looked_at(self) -> int:
        """How many positions have been looked at."""
        return int(self.desk["played"])

    @property
    def part(self) -> float:
        """How much of it all is done: about, as if every move and outcome took equally long."""
        done, share = 0.0, 1.0
        for level in self.levels[: int(self.desk["level"]) + 1]:
            share /= max(1, int(level["n"]))
            done += share * (int(level["next"]) - 1)
        return max(0.0, done)

    def look(self, positions: int) -> bool:
        """Look at so many more. Whether all is known now."""
        return bool(self.work(*self.arrays, self.looked_at + positions))

    def look_until(self, begin: float, seconds: float, hurried: Callable[[], bool]) -> bool:
        """Look as long as there is time, and it does not seem that it will not be enough. Whether all is known now."""
        if self.look(FIRST):  # which loads what is compiled, where that has not been done before
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
        """Everybody's chance to win, when all is known."""
        return np.array(self.levels["sums"][0, :players, WIN])

    def choice(self) -> Choice:
        """The best move, when all is known."""
        found, moves = self.desk["reasons"], self.levels["out"][0]
        order = sorted(range(int(self.levels["n"][0])), key=lambda k: -found[k, UTILITY])
        considered = [
            Considered(self.desk.text(moves[k]), float(k == order[0]), float(found[k, WIN]), float(found[k, SCORE]))
            for k in order
        ]
        return Choice(considered[0].move, considered, exact=True)
