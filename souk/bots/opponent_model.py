"""Opponent modelling: from revealed choices to the choices a bot expects of each seat.

A seat's past choices predict its next one only as far as they differ from the table average: a seat
that chooses like the others is following the position, which the search knows already.
"""

import numpy as np

from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts
from souk.kernel.state import Array

CAUTION = 5.0  # pseudo-counts of the table average: a handful of observations says little
LEEWAY = 0.12  # distance between two seats' frequencies that chance alone explains
TRUST = 4.0  # weight of the habit per unit of distance beyond the leeway
MOST = 0.95  # upper limit of that weight


def write_habits(array: Array, view: Position, seat: int, chosen: ChoiceCounts) -> None:
    """Write the habits of the other seats into a workspace."""
    if sum(map(bool, chosen)) < 2:
        return  # nobody to compare with
    counts = _counts(array["habits"][0], view, chosen)
    seen = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(seen, 1.0)
    # The average of the other seats.
    usual = (shares.sum(axis=0) - shares) / (max(2, np.count_nonzero(seen)) - (seen > 0))
    habits = (counts + CAUTION * usual) / (seen + CAUTION)
    apart = np.abs(habits - usual).sum(axis=1) / 2
    array["habits"][0], array["swayed"][0] = habits, np.clip(TRUST * (apart - LEEWAY), 0.0, MOST)
    array["swayed"][0, seat] = 0.0


def _counts(habits: Array, view: Position, chosen: ChoiceCounts) -> Array:
    """The number of times each seat chose each move, by move code; codes that do not fit are
    dropped.
    """
    counts = np.zeros(habits.shape)
    for seat, moves in enumerate(chosen):
        for text, times in moves.items():
            code = view.game.notation.read_move(view.state, text)
            if code < len(counts[seat]):
                counts[seat, code] = times
    return counts
