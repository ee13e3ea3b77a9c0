"""The server's other processes and the pages connected to them.

Each process sends a heartbeat twice a second and announces pages as they come and go. A peer silent
for two seconds is dropped with all its pages; a new peer receives the complete state. Presence is
as short-lived as a page, so it stays in memory.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping

import msgspec

from souk.server.bus.bus import BusMessage, ProcessBus
from souk.server.protocol.table import Pace
from souk.server.tables.table import Table
from souk.server.tables.timing.uptime_clock import UptimeClock
from souk.server.tables.viewers import LocalViewer

SECONDS_BETWEEN_HEARTBEATS = 0.5
# Without a heartbeat. Pages reconnecting from a crashed process wait this long for their bots.
SECONDS_TO_LIVE = 1.8


class RemoteViewer(msgspec.Struct, array_like=True):
    """A page at a table, connected to another process."""

    player: bytes
    seat: int
    pace: Pace
    visible: bool
    address: str


class Heartbeat(BusMessage, tag="beat"):
    """I am alive, with this many people connected and this uptime."""

    people: int = 0
    time: float = 0.0


class PeerLeft(BusMessage, tag="bye"):
    """I am shutting down and have announced everything I wrote."""


class RequestPresence(BusMessage, tag="who"):
    """Send me all your viewers: you are new to me, or I missed messages."""


class ViewersAt(BusMessage, tag="guests"):
    """All pages the sender has at a table."""

    table: str
    pages: list[RemoteViewer]


class PeerProcesses:
    """Tracks other processes and their viewers.

    Callbacks: `on_viewers_changed(table, left)` when remote viewers come or go, `on_crash()` when a
    peer vanished without a farewell (its last writes may not have been announced), `on_newcomer`
    when a peer asks for the complete state.
    """

    def __init__(self, bus: ProcessBus, time: UptimeClock, people: Callable[[], int]) -> None:
        self.bus, self._time, self._people = bus, time, people
        self.on_viewers_changed: Callable[[str, set[bytes]], None] = lambda _table, _left: None
        self.on_crash: Callable[[], None] = lambda: None
        self.on_newcomer: list[Callable[[], None]] = []
        self._on_end: list[Callable[[str], object]] = []
        self._last_heard: dict[str, float] = {}  # by process: time of its last message
        self._people_at: dict[str, int] = {}  # by process: number of people
        self._tables: dict[str, dict[str, list[RemoteViewer]]] = {}
        self._open: set[str] = set()  # tables that are in memory here
        self._announced: dict[str, list[RemoteViewer]] = {}  # own viewers, as last announced
        bus.hear(Heartbeat, self._heartbeat_received)
        bus.hear(PeerLeft, lambda sender, _message: self._forget(sender))
        bus.hear(RequestPresence, lambda _sender, _message: self._announce_everything())
        bus.hear(ViewersAt, self._viewers_received)
        bus.missed.append(self._request_presence)
        bus.is_elsewhere = lambda table: bool(self._tables.get(table))

    # ------------------------------------------------------------ queries

    @property
    def others(self) -> list[str]:
        return list(self._last_heard)

    @property
    def people(self) -> int:
        """Number of people connected to other processes."""
        return sum(self._people_at.values())

    def viewers_at(self, table: str) -> Mapping[str, list[RemoteViewer]]:
        """Remote viewers of a table by process: a live mapping while the table is in memory."""
        self._open.add(table)
        return self._tables.setdefault(table, {})

    def forget_table(self, table: str) -> None:
        """Forget a table that was unloaded."""
        self._open.discard(table)
        if not self._tables.get(table):
            self._tables.pop(table, None)

    def when_ended(self, forget: Callable[[str], object]) -> None:
        """Call `forget` with the name of each process that ends."""
        self._on_end.append(forget)

    # ------------------------------------------------------------ sending

    def announce(self, table: Table) -> None:
        """Announce this process's viewers of a table if they changed."""
        if self.bus.alone:
            return
        pages = [_remote_viewer(viewer) for viewer in table.viewers]
        if pages == self._announced.get(table.id, []):
            return
        if pages:
            self._announced[table.id] = pages
        else:
            del self._announced[table.id]
        self.bus.say(ViewersAt(table.id, pages))

    async def run(self) -> None:
        """Send heartbeats and drop silent peers, as long as the server runs."""
        self._request_presence()
        while not self.bus.alone:
            self._send_heartbeat()
            await asyncio.sleep(SECONDS_BETWEEN_HEARTBEATS)
            late = time.monotonic() - SECONDS_TO_LIVE
            dead = [sender for sender, at in self._last_heard.items() if at < late]
            for sender in dead:
                self._forget(sender)
            if dead:
                self.on_crash()

    def leave(self) -> None:
        """Say goodbye; everything written here has been announced."""
        self.bus.say(PeerLeft())

    def _request_presence(self) -> None:
        self.bus.say(RequestPresence())
        self._send_heartbeat()

    def _send_heartbeat(self) -> None:
        self.bus.say(Heartbeat(self._people(), self._time.now()))

    def _announce_everything(self) -> None:
        self._send_heartbeat()
        self.bus.say(*(ViewersAt(table, pages) for table, pages in self._announced.items()))
        for tell in self.on_newcomer:
            tell()

    # ------------------------------------------------------------ receiving

    def _heartbeat_received(self, sender: str, message: Heartbeat) -> None:
        if sender not in self._last_heard:
            self.bus.say(RequestPresence())
        self._last_heard[sender], self._people_at[sender] = time.monotonic(), message.people
        self._time.reckon_from(message.time)

    def _viewers_received(self, sender: str, message: ViewersAt) -> None:
        self._last_heard.setdefault(sender, time.monotonic())
        self._set(sender, message.table, message.pages)

    def _set(self, sender: str, table: str, pages: list[RemoteViewer]) -> None:
        by_process = self._tables.setdefault(table, {})
        before = by_process.pop(sender, [])
        if pages:
            by_process[sender] = pages
        elif not by_process and table not in self._open:
            del self._tables[table]
        if before != pages:
            self.on_viewers_changed(table, _players(before) - _players(pages))

    def _forget(self, sender: str) -> None:
        self._last_heard.pop(sender, None)
        self._people_at.pop(sender, None)
        for table in [table for table, by_process in self._tables.items() if sender in by_process]:
            self._set(sender, table, [])
        for forget in self._on_end:
            forget(sender)


def _remote_viewer(page: LocalViewer) -> RemoteViewer:
    return RemoteViewer(page.player, page.seat, page.pace, page.visible, page.address)


def _players(pages: Iterable[RemoteViewer]) -> set[bytes]:
    return {page.player for page in pages}
