"""Noticing what the others keep choosing: from what everybody has seen to what a bot expects of each seat.

A seat's habits are what it has chosen so far. They tell something of its next choice as far as they differ from what is usual at the table: one
who chooses as everybody does goes by the position, and so does a bot's guess; of one who always chooses the same, the same is expected.
"""

import numpy as np

from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.kernel.state import Array

CAUTION = 5.0  # choices as everybody makes them that are added to those seen: a few tell little
LEEWAY = 0.12  # in how large a part of their choices any two seats differ, just by chance
TRUST = 4.0  # how far habits are gone by, for each part more in which they differ
MOST = 0.95  # that anybody is taken to go by habit


def write_habits(array: Array, view: Position, seat: int, chosen: Chosen) -> None:
    """Note on a desk what a seat has noticed of the others."""
    if sum(map(bool, chosen)) < 2:
        return  # nobody to compare with
    counts = _counts(array["habits"][0], view, chosen)
    seen = counts.sum(axis=1, keepdims=True)
    shares = counts / np.maximum(seen, 1.0)
    usual = (shares.sum(axis=0) - shares) / (max(2, np.count_nonzero(seen)) - (seen > 0))  # among the others
    habits = (counts + CAUTION * usual) / (seen + CAUTION)
    apart = np.abs(habits - usual).sum(axis=1) / 2
    array["habits"][0], array["swayed"][0] = habits, np.clip(TRUST * (apart - LEEWAY), 0.0, MOST)
    array["swayed"][0, seat] = 0.0


def _counts(habits: Array, view: Position, chosen: Chosen) -> Array:
    """How often each seat was seen to choose each move, by the code of the move. A desk has no room for large ones."""
    counts = np.zeros(habits.shape)
    for each, moves in enumerate(chosen):
        for text, times in moves.items():
            code = view.game.notation.read_move(view.state, text)
            if code < len(counts[each]):
                counts[each, code] = times
    return counts
