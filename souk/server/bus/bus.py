"""The message bus between server processes; this implementation, for a single one, does nothing.

The truth is in the database. A message only says where to look, repeats what is stored already, or
is as short-lived as a page: presence, matchmaking, votes. A process that has missed messages reads
the database again; nothing that was acknowledged depends on the bus.
"""

import secrets
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec

from souk.server.common.logs import log_error
from souk.server.storage.rows import NOTICES, PublicEvent


class BusMessage(msgspec.Struct, array_like=True):
    """A message to all other processes. Each kind is a subclass with a tag of its own."""


class TablesChanged(BusMessage, tag="tables"):
    """Changes to these tables were committed.

    `events` has the new events of tables where nothing else and no secret was written: a process
    that knows all earlier ones need not read the database.
    """

    names: list[str]
    events: dict[str, list[PublicEvent]] = {}


class HostNoticeLeft(BusMessage, tag="notices"):
    """The host has changed something: sessions, bans, announcements, forbidden words or tables."""


NO_EVENTS: Mapping[str, list[PublicEvent]] = {}

M = TypeVar("M", bound=BusMessage)
Handler = Callable[[str, Any], None]  # called with the name of the sending process and the message


class ProcessBus:
    """Sends messages to the other processes and receives theirs.

    `hear` adds a handler for a kind of message. Functions in `missed` are called after messages may
    have been lost, to read everything again. Both are called in the event loop.
    """

    alone = True

    def __init__(self) -> None:
        # Whether this process does what is done once for all. Two may believe so for seconds, and
        # none may for a short time.
        self.first = True
        self.name = secrets.token_hex(6)  # of this process
        # Whether another process has pages at a table. Called from the writer thread.
        self.is_elsewhere: Callable[[str], bool] = lambda _table: True
        self._handlers: dict[type[BusMessage], list[Handler]] = {}
        self.missed: list[Callable[[], None]] = []

    def hear(self, kind: type[M], handler: Callable[[str, M], None]) -> None:
        self._handlers.setdefault(kind, []).append(handler)

    def say(self, *messages: BusMessage) -> None:
        """Send messages soon. From any thread; never blocks."""

    def changed(
        self, names: Sequence[str], events: Mapping[str, list[PublicEvent]] = NO_EVENTS
    ) -> None:
        """Report committed changes, from the writer thread. `names` may contain NOTICES."""
        tables = [name for name in names if name != NOTICES]
        if tables:
            self.say(TablesChanged(tables, dict(events)))
        if len(tables) < len(names):
            self.say(HostNoticeLeft())

    async def start(self) -> None:
        """Start receiving in the running event loop."""

    async def close(self) -> None:
        """Send pending messages and stop receiving."""

    def _receive(self, sender: str, messages: Sequence[BusMessage]) -> None:
        """Call the handlers, in the event loop. Errors of one are logged."""
        if sender == self.name:
            return
        for message in messages:
            for handler in self._handlers.get(type(message), ()):
                try:
                    handler(sender, message)
                except Exception as error:  # the others must still be called
                    log_error("bus handler failed", error, message=type(message).__name__)

    def _call_missed(self) -> None:
        for refresh in self.missed:
            try:
                refresh()
            except Exception as error:
                log_error("bus handler failed", error)
