"""The shape of a mind: a small net in whole numbers, one for each game and number of players.

What is the case in a position, looked at from a seat, is a list of numbers (`sight`). Each is a row of the first layer; the rows of all that is the case are
added up, cut off below 0 and above CEILING, and go through a second, small layer to three outputs. All numbers are whole, so that they add up
to the same, whatever runs them and in whatever order.
"""

from typing import Any

import numpy as np

FIRST = 32  # sums of the first layer
SECOND = 16  # sums of the second
SCORE, TILT, WIDTH = range(3)  # what comes out for a seat: see souk.kernel.mind
OUTPUTS = 3

AT_ONCE = 8  # rows and sums that are added up together: FIRST is a multiple
TWO_MORE = 2  # rows that may be left over then, and are added up with the first of them

FINE_BITS = 8
FINE = 1 << FINE_BITS  # parts of one in which weights and sums are counted
CEILING = 8 * FINE  # a sum is worth no more

MindArray = np.ndarray[Any, np.dtype[np.void]]


def mind_type(rows: int) -> np.dtype[np.void]:
    """A mind that tells so many things apart."""
    return np.dtype(
        [
            ("awake", "i8"),  # 0: there is none, and the insight's outlook judges alone
            ("rows", "i2", (rows + 1, FIRST)),  # the last is all 0, and says nothing
            ("floor", "i4", FIRST),  # what the sums begin with
            ("second", "i4", (FIRST, SECOND)),
            ("second_floor", "i4", SECOND),
            ("third", "i4", (OUTPUTS, SECOND)),
            ("third_floor", "i4", OUTPUTS),
        ],
        align=True,
    )


def no_mind(rows: int) -> MindArray:
    """In the place of a mind where there is none."""
    return np.zeros(1, mind_type(rows))
