"""`souk serve` in which requests can keep threads busy forever.

Checking a custom box blocks a thread of the request pool, `GET /api/me` one of asyncio's default
pool. `GET /busy` returns the number of busy threads. SOUK_TEST_SECONDS overrides the limit that
shutdown may take.

Usage: `python -m tests.server.support.stuck_threads serve …`
"""

import asyncio
import os
import time
from typing import Any

from souk.cli.main import main
from souk.server.analysis.player_stats import PlayerStats
from souk.server.common import shutdown as ending
from souk.server.tables.setup import custom_boxes as boxes
from tests.server.support.extra_endpoint import add_endpoint

_busy = 0


def compute(*_: object) -> Any:
    """Loop forever in pure Python, releasing the GIL now and then."""
    global _busy
    _busy += 1
    while True:
        sum(range(10_000))
        # Leave processor time for other tests on this machine.
        time.sleep(0.01)


async def compute_aside(*_: object) -> Any:
    await asyncio.to_thread(compute)


if __name__ == "__main__":
    boxes.check = compute
    PlayerStats.numbers = compute_aside  # type: ignore[method-assign,assignment]
    ending.SECONDS_TO_END = int(os.environ.get("SOUK_TEST_SECONDS", ending.SECONDS_TO_END))
    add_endpoint("/busy", lambda: str(_busy))
    main()
