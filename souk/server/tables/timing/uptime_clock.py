"""Server uptime: seconds the server has been running, summed over all its runs.

Clocks of tables use it, so that neither downtime nor a changed system clock costs anybody time.
Processes exchange it twice a second and all follow the one furthest ahead
(`souk.server.tables.peer_processes`): they differ by one message delay at most, and no machine's
clock is needed.
"""

import time
from collections.abc import Callable

from souk.server.storage.connection import Connection
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store

SECONDS_BETWEEN_SAVES = 5.0  # at most this much thinking time is given away by a crash

source: Callable[[], float] = time.monotonic  # replaceable by tests


class UptimeClock:
    """Runs while the server does. Stored with every change of a clock, and every few seconds while
    one runs.
    """

    def __init__(self) -> None:
        self._ahead = -source()  # of the source

    def now(self) -> float:
        return source() + self._ahead

    def reckon_from(self, kept: float) -> None:
        """Catch up with the stored value or with another process."""
        self._ahead += max(0.0, kept - self.now())

    async def begin(self, store: Store) -> None:
        """Continue from the stored value."""
        self.reckon_from(await store.query(stored_uptime))

    async def save(self, store: Store) -> None:
        """Store the current value."""
        await store.write([save_uptime(self.now())])
        self.reckon_from(await store.query(stored_uptime))


def save_uptime(now: float) -> Statement:
    """Store the uptime, which never goes back."""
    return Statement(
        "UPDATE counts SET value = ?1 WHERE name = 'time' AND value < ?1", (now,), last=True
    )


def stored_uptime(connection: Connection) -> float:
    [(value,)] = connection.execute("SELECT value FROM counts WHERE name = 'time'")
    return float(value)
