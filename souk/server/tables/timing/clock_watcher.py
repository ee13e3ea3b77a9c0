"""Watches the clocks of all tables and acts when time runs out, whether anybody is there or not."""

import asyncio

from souk.server.bus.bus import ProcessBus
from souk.server.common.logs import log_error, log_info
from souk.server.protocol.errors import RequestRefused
from souk.server.storage.errors import ReadFailed, WriteFailed
from souk.server.storage.store import Store
from souk.server.tables.due_work import DueWork
from souk.server.tables.registry import TableRegistry
from souk.server.tables.table import Table
from souk.server.tables.timing.table_timing import seats_on_move
from souk.server.tables.timing.timing_rows import due_tables, next_due, stop_watching
from souk.server.tables.timing.uptime_clock import SECONDS_BETWEEN_SAVES, UptimeClock

_SECONDS_BETWEEN_CHECKS = 0.25
_AT_ONCE = 50  # tables per check
STAND_IN_LEVEL = "merchant"  # prefix of the level that replaces players out of time


class ClockWatcher:
    """Acts on expired clocks (`souk.server.tables.timing.clocks`)."""

    def __init__(
        self,
        store: Store,
        tables: TableRegistry,
        due_work: DueWork,
        time: UptimeClock,
        levels: tuple[str, ...],
        bus: ProcessBus,
    ) -> None:
        self._bus = bus
        self._store, self._tables, self._due_work, self._time = store, tables, due_work, time
        self._level = next(
            (level for level in levels if level.startswith(STAND_IN_LEVEL)), levels[0]
        )
        self._saved_at = 0.0  # when uptime was last stored

    async def keep_watch(self) -> None:
        """Look for expired clocks as long as the server runs; only the first process does. Errors
        are logged and retried.
        """
        while True:
            try:
                if self._bus.first:
                    await self._check_due()
            except (ReadFailed, WriteFailed) as error:
                log_error("timekeeping failed", error)
            await asyncio.sleep(_SECONDS_BETWEEN_CHECKS)

    async def _check_due(self) -> None:
        """Check due tables. Without a running clock nothing needs storing either."""
        due, now = await self._store.query(next_due), self._time.now()
        if due is None:
            return
        if now - self._saved_at >= SECONDS_BETWEEN_SAVES:
            self._saved_at = now
            await self._time.save(self._store)
        for name in await self._store.query(due_tables, now, _AT_ONCE) if due <= now else ():
            await self._check_table(name)

    async def _check_table(self, name: str) -> None:
        """Handle a table whose clock is up; unplayable ones are no longer watched."""
        try:
            async with self._tables.at(name) as table:
                if await self.expire_clocks(table):
                    return
                if table.old or table.state.over:
                    await self._store.write([stop_watching(name)])
        except RequestRefused as refused:
            if refused.status != 503:
                await self._store.write([stop_watching(name)])

    async def expire_clocks(self, table: Table) -> bool:
        """Apply expired clocks; returns whether there were any."""
        async with table.lock:
            clocks = table.timing.clocks
            if clocks is None or table.old or not table.begun:
                return False
            on_move = seats_on_move(table.state, table.seats)
            expired = [seat for seat in clocks.expired(self._time.now()) if seat in on_move]
            if not expired:
                return False
            await self._apply_timeouts(table, expired)
        table.broadcast_seats()
        self._due_work.run(table)
        log_info("time up", table=table.id, seats=len(expired))
        return True

    async def _apply_timeouts(self, table: Table, expired: list[int]) -> None:
        clocks, now = table.timing.clocks, self._time.now()
        assert clocks is not None
        terms, status, texts = clocks.terms, table.state.status, []
        consequence = (
            "lost"
            if terms.flag == "lose"
            else "stand_in"
            if terms.returns and clocks.by_move
            else "out"
        )
        for seat in expired:
            texts.append(f"{consequence} {seat}")
            clocks, status = clocks.expire(seat, now), status.after(texts[-1])
        if status.has_one_contender(table.position.players):
            texts.append("left")
        seats = [table.seats[seat]._replace(stand_in=self._level) for seat in expired]
        await table.apply_status_event(*texts, seats=seats, clocks=clocks)
