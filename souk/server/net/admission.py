"""The wall at the front: who may come in, how much they may ask for, and what was refused."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Protocol

from souk.table.limits import Buckets, Places, counted
from souk.table.logs import note
from souk.table.settings import Settings

if sys.platform != "win32":
    import resource

_MOST_FILES = 16_384  # more open files are not asked for
_FILES_OF_OUR_OWN = 128  # the database, the log, bots that are programs
_MOST_CONNECTIONS = 10_000  # where open files allow more
_FEWEST_CONNECTIONS = 16
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_BETWEEN_LINES = 60.0  # of the log, about one reason


class Guest(Protocol):
    """A connection that has until `due`, by the loop's clock, for what it is about."""

    due: float

    def end(self) -> None: ...


class Wall:
    """Counts connections, requests and refusals. One for a server."""

    def __init__(self, settings: Settings) -> None:
        self.proxies = settings.proxies
        self.most = settings.all_connections or room_for_connections()
        self.requests = Buckets(settings.request_rate, settings.request_burst)
        self.files = Buckets(settings.file_rate, settings.file_burst)
        self.guests: set[Guest] = set()  # those who must hurry
        self.banned: Mapping[str, float | None] = {}  # until when; None for good
        self.refused: Counter[str] = Counter()
        self._told: dict[str, tuple[float, int]] = {}  # by reason: when the log was told last, and of how many
        self._places = Places(settings.connections)
        self._inside: dict[Hashable, str | None] = {}

    # ------------------------------------------------------------ connections

    def enter(self, connection: Hashable, address: str) -> bool:
        """Let a connection in, where there is room. A proxy's are counted only in all: they are those of many people."""
        name = None if address in self.proxies else counted(address)
        if len(self._inside) >= self.most:
            self.refuse("connections: too many open")
            return False
        if name is not None and not self._places.enter(name):
            self.refuse("connections: too many open from one address")
            return False
        self._inside[connection] = name
        return True

    def leave(self, connection: Hashable) -> None:
        """A connection has ended; one that was not let in may leave too."""
        name = self._inside.pop(connection, None)
        if name is not None:
            self._places.leave(name)

    @property
    def inside(self) -> int:
        """How many connections there are."""
        return len(self._inside)

    def is_banned(self, address: str, player: bytes | None) -> bool:
        """Whether the host has closed the door to an address, as it is counted, or to a person."""
        if not self.banned:
            return False
        names = [f"address {address}", *([f"person {player.hex()}"] if player else [])]
        found = [self.banned[name] for name in names if name in self.banned]
        return any(until is None or until > time.time() for until in found)

    # ------------------------------------------------------------ what is refused

    def refuse(self, what: str) -> None:
        """Count something that is refused; the log hears of it now and then."""
        self.refused[what] += 1

    async def keep_watch(self) -> None:
        """End connections whose time is over, and tell the log what was refused: a line a minute for each reason, not one each."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            now = clock()
            for guest in [each for each in self.guests if each.due < now]:
                guest.end()
            self._tell(now)

    def _tell(self, now: float) -> None:
        for what, number in self.refused.items():
            at, told = self._told.get(what, (float("-inf"), 0))
            if number > told and now - at >= _SECONDS_BETWEEN_LINES:
                note("refused", what=what, number=number - told)
                self._told[what] = now, number


def room_for_connections() -> int:
    """How many connections fit into the files that this process may have open."""
    if sys.platform == "win32":
        return _MOST_CONNECTIONS
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if files == resource.RLIM_INFINITY:
        return _MOST_CONNECTIONS
    return max(_FEWEST_CONNECTIONS, min(_MOST_CONNECTIONS, files - _FILES_OF_OUR_OWN))


def open_more_files() -> None:
    """Let this process have as many files open as it may: each connection is one."""
    if sys.platform == "win32":
        return
    files, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if most == resource.RLIM_INFINITY else min(most, _MOST_FILES)
    if files != resource.RLIM_INFINITY and files < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
        except (OSError, ValueError):
            note("open files stay few", number=files)
