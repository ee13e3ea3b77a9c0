"""The time of the house: the seconds that it has been open, over all its starts. Clocks of tables are kept by it, so a server that was down takes
nobody's time, and neither does somebody who sets the machine's clock.

Where several processes serve a house, each tells the others twice a second, and whoever starts at once, how late it is (`souk.table.neighbours`), and nobody is
behind whoever is furthest: they are apart by no more than a word takes from one to the other, and no machine's clock is asked, the database's neither. It stands
still only while none of them runs."""

import time
from collections.abc import Callable

from souk.table.database import Line
from souk.table.store import Statement, Store

SECONDS_BETWEEN_BEATS = 5.0  # so much may be given to those who think when a server is killed, and no more

source: Callable[[], float] = time.monotonic  # which a test may replace by one that jumps


class HouseTime:
    """Runs while the server does. How far it has come is kept with every change of a clock, and now and then besides."""

    def __init__(self) -> None:
        self._ahead = -source()  # of the source

    def now(self) -> float:
        return source() + self._ahead

    def reckon_from(self, kept: float) -> None:
        """Go on where the house was, or where another server at the same file is by now."""
        self._ahead += max(0.0, kept - self.now())

    async def begin(self, store: Store) -> None:
        """Go on where the file says."""
        self.reckon_from(await store.ask(kept_time))

    async def beat(self, store: Store) -> None:
        """Keep how late it is."""
        await store.carry_out([keeping(self.now())])
        self.reckon_from(await store.ask(kept_time))


def keeping(now: float) -> Statement:
    """The time of the house, which never goes back."""
    return Statement("UPDATE counts SET value = ?1 WHERE name = 'time' AND value < ?1", (now,), late=True)


def kept_time(connection: Line) -> float:
    [(found,)] = connection.execute("SELECT value FROM counts WHERE name = 'time'")
    return float(found)
