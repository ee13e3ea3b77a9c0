"""Python's garbage collector, kept from making people wait.

Left to itself it looks through all that is new once there are so many things more than before. At a server that may be everything that a thousand tables
have put in the place of something else for ten seconds, and takes sixty milliseconds, in which nobody's move is answered. So the new is looked through here, several times a
second and a little at a time; and the whole only where there is much more of it than there was, and seldom: what has served its time lets go of what it knows
(`souk.table.wires`, `souk.table.requests`, `souk.table.thinkers`), and is gone without anybody looking for it.
"""

import asyncio
import gc
import sys
import time

# Between looks at what is new: at a busy server a millisecond's work, most of it about what is under way at that moment.
_SECONDS_BETWEEN_LOOKS = 0.2
_SECONDS_BETWEEN_ROUNDS = 300.0  # through the whole, which takes a quarter of a second with a thousand tables and five thousand people in the lobby
_MORE = 1.5  # times as much as after the last round


async def keep_tidy() -> None:
    """For as long as the server runs. What is there when it starts stays."""
    gc.freeze()
    gc.disable()
    try:
        await _look_again_and_again()
    finally:
        gc.enable()


async def _look_again_and_again() -> None:
    least, due = sys.getallocatedblocks(), time.monotonic() + _SECONDS_BETWEEN_ROUNDS
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
        gc.collect(0)
        if time.monotonic() >= due:
            due = time.monotonic() + _SECONDS_BETWEEN_ROUNDS
            if sys.getallocatedblocks() > _MORE * least:
                gc.collect()
                least = sys.getallocatedblocks()
