"""Housekeeping while a server runs: notices from the host or other servers, and expiry."""

import asyncio
import contextlib
import time
from collections.abc import Callable

from souk.server.accounts.sessions import Sessions
from souk.server.bus.bus import HostNoticeLeft, ProcessBus
from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_error, log_info
from souk.server.events.storage import delete_old_events
from souk.server.storage import maintenance
from souk.server.storage.errors import ReadFailed, WriteConflict, WriteFailed
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store
from souk.server.tables.chat.word_filter import WordFilter, load_word_filter
from souk.server.tables.registry import TableRegistry
from souk.server.tables.table import Table

DAY = 86_400.0
_SECONDS_BETWEEN_LOOKS = 2.0
_SECONDS_BETWEEN_ROUNDS = 600.0
_BATCH = 20  # tables per query; each is deleted in its own transaction, so that no move waits long
_PAUSE = 0.05  # seconds between deletions, left to players


class Housekeeping:
    """Polls the database. `heard` is called when the announcement or bans have changed."""

    def __init__(
        self,
        config: ServerConfig,
        store: Store,
        tables: TableRegistry,
        sessions: Sessions,
        bus: ProcessBus,
    ) -> None:
        self._config, self._store, self._tables, self._sessions, self._bus = (
            config,
            store,
            tables,
            sessions,
            bus,
        )
        self._notified = asyncio.Event()
        bus.hear(HostNoticeLeft, lambda _sender, _word: self._notified.set())
        self.announcement = ""
        self.banned: dict[str, float | None] = {}
        self.heard: Callable[[], None] = lambda: None
        self._last: int | None = None  # last notice read
        self.forbid: Callable[[WordFilter], None] = lambda _words: None
        # how often the host has asked to reload the forbidden words
        self._reread: int | None = None

    async def keep_watch(self) -> None:
        """Run forever. Failures are logged and retried."""
        round_due = time.monotonic() + _SECONDS_BETWEEN_LOOKS
        while True:
            self._notified.clear()
            try:
                await self.look()
                if time.monotonic() >= round_due:
                    round_due = time.monotonic() + _SECONDS_BETWEEN_ROUNDS
                    await self.tidy()
            except (ReadFailed, WriteFailed) as error:
                log_error("housekeeping failed", error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._notified.wait(), _SECONDS_BETWEEN_LOOKS)

    # ------------------------------------------------------------ notices

    async def look(self) -> None:
        """Read the announcement, bans, and which tables and sessions others have changed."""
        if self._last is None:
            self._last = await self._store.query(maintenance.last_notice_number)
        notices = await self._store.query(maintenance.host_notices, self._last)
        self._last = notices.last
        if (notices.announcement, notices.banned) != (self.announcement, self.banned):
            self.announcement, self.banned = notices.announcement, notices.banned
            self.heard()
        if notices.people:
            await self._sessions.reload(notices.people)
        if notices.reread != self._reread:
            self._reread = notices.reread
            await self.read_forbidden()
        for name in notices.tables:
            if (table := self._tables.open.get(name)) is not None:
                await self._reload(table)

    async def read_forbidden(self) -> None:
        """Load the host's word list and store it for `souk host`. If it cannot be read, the
        previous one stays.
        """
        try:
            words = load_word_filter(self._config.forbidden)
            self.forbid(words)
            await self._store.write(maintenance.set_forbidden_words(words.lines))
        except (ValueError, WriteFailed) as error:
            log_error(str(error))
        else:
            if self._config.forbidden:
                log_info("forbidden words", number=len(words.lines))

    async def _reload(self, table: Table) -> None:
        """Reload an open table that another process has changed."""
        with self._tables.pinned(table):
            async with table.lock:
                await table.reload()
        if table.deleted:
            self._tables.open.pop(table.id, None)
        else:
            table.broadcast_seats()

    async def forget(self, player: bytes) -> None:
        """Delete a person's account."""
        await self._sessions.carry_out(maintenance.forget_player(player), player)
        log_info("account deleted")
        await self.look()

    # ------------------------------------------------------------ expiry

    async def tidy(self) -> None:
        """Record which tables and devices were used; in one of the processes, delete old data and
        shrink the file.
        """
        now, half_day = time.time(), DAY / 2
        update_seen = "UPDATE tables SET seen = ? WHERE id = ? AND seen < ?"
        await self._store.write(
            [Statement(update_seen, (now, name, now - half_day)) for name in self._tables.open]
        )
        await self._sessions.save_last_used()
        if not self._bus.first:
            return
        for over, days in (
            (False, self._config.abandoned_days),
            (True, self._config.finished_days),
        ):
            if days:
                await self._expire(over, now - days * DAY)
        config = self._config
        await self._store.write(
            maintenance.delete_outdated(
                now - config.report_days * DAY, now - config.person_days * DAY
            )
        )
        limits = [
            now - days * DAY if days else None
            for days in (config.finished_days, config.abandoned_days)
        ]
        await self._store.write(delete_old_events(*limits))
        await self._shrink()

    async def _shrink(self) -> None:
        """Return free space to the file system, as long as that helps."""
        while await self._store.shrink():
            await asyncio.sleep(_PAUSE)

    async def _expire(self, over: bool, before: float) -> None:
        deleted = 0
        while names := await self._store.query(maintenance.abandoned_tables, over, before, _BATCH):
            for name in names:
                try:
                    await self._store.write(maintenance.delete_table(name, before))
                    deleted += 1
                except WriteConflict:  # visited again just now
                    pass
                await asyncio.sleep(_PAUSE)
        if deleted:
            log_info("expired", tables=deleted, over=over)
