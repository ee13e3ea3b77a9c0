"""Layout of value nets: small integer nets, one per game and number of players.

The active features of a position (`features`, from one seat's perspective) select rows of the first
layer; their sum, clipped to 0..CEILING, passes through a small second layer to three outputs.
Integer arithmetic makes results identical on every target and in any order of summation.
"""

from typing import Any

import numpy as np

FIRST_WIDTH = 32
SECOND_WIDTH = 16
# Outputs per seat, see souk.kernel.net.
SCORE, LOGIT, WIDTH = range(3)
OUTPUTS = 3

# Rows summed per step; divides FIRST_WIDTH.
BLOCK = 8
# Rows that may remain, summed with the first block.
REMAINDER = 2

FRACTION_BITS = 8
# Fixed-point scale of weights and sums.
FRACTION = 1 << FRACTION_BITS
# Upper limit of the clipped activations.
CEILING = 8 * FRACTION

NetArray = np.ndarray[Any, np.dtype[np.void]]


def net_type(rows: int) -> np.dtype[np.void]:
    """The record type of a net with `rows` features."""
    return np.dtype(
        [
            # 0: no net; the heuristics' `evaluate` is used alone.
            ("awake", "i8"),
            # The last row is the zero row, for padding.
            ("rows", "i2", (rows + 1, FIRST_WIDTH)),
            # The biases of the layers are called floors.
            ("floor", "i4", FIRST_WIDTH),
            ("second", "i4", (FIRST_WIDTH, SECOND_WIDTH)),
            ("second_floor", "i4", SECOND_WIDTH),
            ("third", "i4", (OUTPUTS, SECOND_WIDTH)),
            ("third_floor", "i4", OUTPUTS),
        ],
        align=True,
    )


def no_net(rows: int) -> NetArray:
    """The placeholder for a missing net."""
    return np.zeros(1, net_type(rows))
