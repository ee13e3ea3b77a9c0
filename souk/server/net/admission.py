"""Admission control: connection and request limits, bans, and counts of refusals."""

import asyncio
import sys
import time
from collections import Counter
from collections.abc import Hashable, Mapping
from typing import Protocol

from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_info
from souk.server.common.rate_limits import PerClientLimits, PerClientSlots, rate_limit_key

if sys.platform != "win32":
    import resource

_MOST_FILES = 16_384  # open files asked for at most
_FILES_OF_OUR_OWN = 128  # kept for the database, the log and external bots
_MOST_CONNECTIONS = 10_000  # even if more files may be open
_FEWEST_CONNECTIONS = 16
_SECONDS_BETWEEN_LOOKS = 0.5
_SECONDS_BETWEEN_LINES = 60.0  # log lines about one reason


class Pending(Protocol):
    """A connection with a deadline (loop time)."""

    due: float

    def end(self) -> None: ...


class Admission:
    """Counts connections, requests and refusals of one server process."""

    def __init__(self, config: ServerConfig) -> None:
        self.proxies = config.proxies
        self.most = config.all_connections or room_for_connections()
        self.requests = PerClientLimits(config.request_rate, config.request_burst)
        self.files = PerClientLimits(config.file_rate, config.file_burst)
        self.pending: set[Pending] = set()  # connections with a deadline
        self.banned: Mapping[str, float | None] = {}  # until when; None: for good
        self.refused: Counter[str] = Counter()
        # by reason: time of the last log line, and the count it covered
        self._logged: dict[str, tuple[float, int]] = {}
        self._places = PerClientSlots(config.connections)
        self._inside: dict[Hashable, str | None] = {}

    # ------------------------------------------------------------ connections

    def enter(self, connection: Hashable, address: str) -> bool:
        """Admit a connection if there is room. Connections of proxies count only in total, as many
        people share them.
        """
        name = None if address in self.proxies else rate_limit_key(address)
        if len(self._inside) >= self.most:
            self.refuse("connections: too many open")
            return False
        if name is not None and not self._places.enter(name):
            self.refuse("connections: too many open from one address")
            return False
        self._inside[connection] = name
        return True

    def leave(self, connection: Hashable) -> None:
        """Release a connection; harmless for one that was not admitted."""
        name = self._inside.pop(connection, None)
        if name is not None:
            self._places.leave(name)

    @property
    def inside(self) -> int:
        """How many connections there are."""
        return len(self._inside)

    def is_banned(self, address: str, player: bytes | None) -> bool:
        """Whether the host has banned an address (as rate limits count it) or a person."""
        if not self.banned:
            return False
        names = [f"address {address}", *([f"person {player.hex()}"] if player else [])]
        bans = [self.banned[name] for name in names if name in self.banned]
        return any(until is None or until > time.time() for until in bans)

    # ------------------------------------------------------------ refusals

    def refuse(self, what: str) -> None:
        """Count a refusal; `keep_watch` logs it later."""
        self.refused[what] += 1

    async def keep_watch(self) -> None:
        """Close overdue connections and log refusals, at most one line per reason and minute."""
        clock = asyncio.get_running_loop().time
        while True:
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)
            now = clock()
            for connection in [pending for pending in self.pending if pending.due < now]:
                connection.end()
            self._log_refusals(now)

    def _log_refusals(self, now: float) -> None:
        for what, number in self.refused.items():
            at, logged = self._logged.get(what, (float("-inf"), 0))
            if number > logged and now - at >= _SECONDS_BETWEEN_LINES:
                log_info("refused", what=what, number=number - logged)
                self._logged[what] = now, number


def room_for_connections() -> int:
    """Connections that fit into this process's limit of open files."""
    if sys.platform == "win32":
        return _MOST_CONNECTIONS
    limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if limit == resource.RLIM_INFINITY:
        return _MOST_CONNECTIONS
    return max(_FEWEST_CONNECTIONS, min(_MOST_CONNECTIONS, limit - _FILES_OF_OUR_OWN))


def open_more_files() -> None:
    """Raise this process's limit of open files: each connection needs one."""
    if sys.platform == "win32":
        return
    limit, hard_limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = _MOST_FILES if hard_limit == resource.RLIM_INFINITY else min(hard_limit, _MOST_FILES)
    if limit != resource.RLIM_INFINITY and limit < wanted:
        try:
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard_limit))
        except (OSError, ValueError):
            log_info("cannot raise the limit of open files", number=limit)
