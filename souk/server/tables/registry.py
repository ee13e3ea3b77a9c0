"""Tables in memory, loaded from the store on demand."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

from souk.server.common.logs import log_error
from souk.server.compute.scheduler import BotScheduler
from souk.server.protocol.errors import RequestRefused
from souk.server.storage.errors import ReadFailed, WriteConflict, WriteFailed
from souk.server.storage.rows import SeatRow, TableRow
from souk.server.storage.store import Store
from souk.server.tables.chat.chat_log import load_chat
from souk.server.tables.game.old_games import OldGame, OldGameError, is_old
from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.table import Table
from souk.server.tables.timing.timing_rows import load_timing
from souk.server.tables.viewers import LocalViewer

_DAY = 86_400.0
_TABLE_ID = re.compile(r"[\w-]{16}")


class TableRegistry:
    """Tables by id, each in memory as long as somebody needs it."""

    def __init__(
        self,
        store: Store,
        bot_scheduler: BotScheduler,
        grace: float,
        now: Callable[[], float] = time.monotonic,
        away_time: float = 0.0,
        peers: PeerProcesses | None = None,
    ) -> None:
        self._peers = peers
        self._store, self._bot_scheduler, self._grace = store, bot_scheduler, grace
        self._now, self._away_time = now, away_time
        self._loading: dict[str, asyncio.Task[None]] = {}
        self.open: dict[str, Table] = {}
        self.watched_events: set[str] = set()  # events with viewers, set by the event runner

    @asynccontextmanager
    async def at(self, name: str) -> AsyncIterator[Table]:
        """Use a table for the duration of a block."""
        table = await self.pin(name)
        try:
            yield table
        finally:
            self.unpin(table)

    async def pin(self, name: str) -> Table:
        """Load a table if needed and pin it in memory until `unpin`."""
        if not _TABLE_ID.fullmatch(name):
            raise RequestRefused("table_unknown", 404)
        while (table := self.open.get(name)) is None:
            if name not in self._loading:
                task = self._loading[name] = asyncio.create_task(self._load(name))
                task.add_done_callback(lambda _: self._loading.pop(name))
            await asyncio.shield(self._loading[name])
        table.pins += 1
        return table

    @property
    def ids_in_memory(self) -> list[str]:
        """Ids of tables in memory or being loaded."""
        return [*self.open, *self._loading]

    def is_in_memory(self, name: str) -> bool:
        """Whether a table is in memory or being loaded."""
        return name in self.open or name in self._loading

    def viewers_of(self, player: bytes) -> list[LocalViewer]:
        """All pages of a player at tables of this process."""
        return [
            viewer
            for table in self.open.values()
            for viewer in table.viewers
            if viewer.player == player
        ]

    @contextmanager
    def pinned(self, table: Table) -> Iterator[None]:
        """Keep a loaded table in memory for the duration of a block, so that others get the same
        object.
        """
        table.pins += 1
        try:
            yield
        finally:
            self.unpin(table)

    def unpin(self, table: Table) -> None:
        table.pins -= 1
        self.unload_if_idle(table)

    def unload_if_idle(self, table: Table) -> None:
        """Unload a table that has no viewers, pins or bot requests."""
        needed = table.pins or table.bot_requests or table.is_starting
        if not needed and self.open.get(table.id) is table:
            del self.open[table.id]
            if self._peers:
                self._peers.forget_table(table.id)
            for row in table.seats:
                self._bot_scheduler.release_program(table.id, row.seat)

    async def _load(self, name: str) -> None:
        row_and_seats = await self._store.table(name)
        if row_and_seats is None:
            raise RequestRefused("table_unknown", 404)
        await self._note_visit(row_and_seats[0])
        try:
            table = await self._set(*row_and_seats)
        except (RequestRefused, ReadFailed):
            raise
        except Exception as error:  # old rules may raise anything on positions they do not know
            if not is_old(row_and_seats[0]):
                log_error("table cannot be read", error, table=name)
            raise OldGameError(await self._old_game(*row_and_seats)) from None
        if self._peers:
            table.remote_viewers = self._peers.viewers_at(name)
        table.update_away()
        self.open[name] = table

    async def _old_game(self, row: TableRow, seats: Sequence[SeatRow]) -> OldGame:
        store = self._store
        kept = await store.events(row.id), await store.steps(row.id), await store.notes(row.id)
        return OldGame(row, seats, *kept)

    async def _note_visit(self, row: TableRow) -> None:
        """Record the visit, which protects a table from expiry. Twice a day is enough."""
        if time.time() - max(row.changed, row.seen) < _DAY / 2:
            return
        try:
            await self._store.mark_seen(row.id)
        except WriteConflict:
            raise RequestRefused("table_unknown", 404) from None
        except WriteFailed:  # viewing must work even if the disk is full
            pass

    async def _set(self, row: TableRow, seats: Sequence[SeatRow]) -> Table:
        """Build a table that today's rules can read."""
        steps, notes = await self._store.steps(row.id), await self._store.notes(row.id)
        timing = await load_timing(self._store, row.id)
        rest = steps, notes, timing, self._now, self._away_time, self.watched_events
        table = Table(row, seats, self._store, self._bot_scheduler, self._grace, *rest)
        table.chat.lines = await load_chat(self._store, row.id)
        await table.load()
        return table
