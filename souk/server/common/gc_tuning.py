"""Runs Python's garbage collector at times of our choosing, so that it never delays players.

By default CPython collects when many new objects exist. On a server that may be ten seconds' worth
of a thousand tables and takes 60 ms. Here the young generation is collected several times a second,
and everything only after marked growth. Connections and jobs break their reference cycles when they
end (`souk.server.net.websocket`, `souk.server.net.http_connection`,
`souk.server.compute.scheduler`), so little is left for full collections.
"""

import asyncio
import gc
import sys
import time

_SECONDS_BETWEEN_YOUNG = 0.2  # takes about a millisecond on a busy server
# A full collection takes 250 ms with a thousand tables and five thousand people in the lobby.
_SECONDS_BETWEEN_FULL = 300.0
_GROWTH = 1.5  # of allocated blocks since the last full collection


async def run_gc() -> None:
    """Collect garbage as long as the server runs. Objects from startup are never looked at."""
    gc.freeze()
    gc.disable()
    try:
        await _collect_repeatedly()
    finally:
        gc.enable()


async def _collect_repeatedly() -> None:
    blocks, due = sys.getallocatedblocks(), time.monotonic() + _SECONDS_BETWEEN_FULL
    while True:
        await asyncio.sleep(_SECONDS_BETWEEN_YOUNG)
        gc.collect(0)
        if time.monotonic() >= due:
            due = time.monotonic() + _SECONDS_BETWEEN_FULL
            if sys.getallocatedblocks() > _GROWTH * blocks:
                gc.collect()
                blocks = sys.getallocatedblocks()
