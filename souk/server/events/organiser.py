"""Runs events: makes each round's tables, starts them without absent players, scores them, and
starts the next round.

Every step follows from the database alone and is done once, so it resumes after a restart.
"""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from souk.server.accounts.profiles import profile_of
from souk.server.bus.bus import ProcessBus
from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_error, log_info
from souk.server.events.rounds import draw_round, has_next
from souk.server.events.scoring import ranks
from souk.server.events.storage import (
    EntrantRow,
    EventRow,
    EventStorage,
    EventTableRow,
    Ranking,
    due_events,
    insert_event_table,
    insert_result,
    mark_late,
    mark_made,
    running_events,
    update_event,
)
from souk.server.protocol.errors import RequestRefused
from souk.server.storage.errors import ReadFailed, refuse_failed_writes
from souk.server.storage.rows import NO_PROFILE, SeatRow, Statement
from souk.server.storage.store import Store
from souk.server.tables.commands import TableCommands
from souk.server.tables.due_work import DueWork
from souk.server.tables.game.old_games import OldGameError
from souk.server.tables.registry import TableRegistry
from souk.server.tables.seats import EVENT_HOST, default_bot_level
from souk.server.tables.setup.create import TableFactory
from souk.server.tables.setup.waiting import WaitingTables
from souk.server.tables.table import Table
from souk.server.tables.timing.game_status import status_of
from souk.server.tables.timing.uptime_clock import UptimeClock, save_uptime

_SECONDS_BETWEEN_LOOKS = 0.5
_MAX_STEPS = 8  # steps per event and look


class EventRunner:
    """Runs all events."""

    def __init__(
        self,
        config: ServerConfig,
        store: Store,
        event_storage: EventStorage,
        table_factory: TableFactory,
        waiting_tables: WaitingTables,
        tables: TableRegistry,
        commands: TableCommands,
        due_work: DueWork,
        time: UptimeClock,
        bus: ProcessBus,
    ) -> None:
        self._bus = bus
        self._config, self._store, self._event_storage = config, store, event_storage
        self._table_factory, self._waiting_tables, self._tables = (
            table_factory,
            waiting_tables,
            tables,
        )
        self._commands, self._due_work, self._time = commands, due_work, time
        self._level = default_bot_level(config.levels)  # level of bots that stand in for people
        self._wake_up = asyncio.Event()
        self._started: dict[str, str] = {}  # event id by table started by this server
        # those of them with viewers when we last looked
        self._with_viewers: set[str] = set()
        # whether anybody has the event's page open
        self.has_viewers: Callable[[str], bool] = lambda _event_id: False

    def now(self) -> float:
        return self._time.now()

    def wake(self) -> None:
        """Look now rather than at the next interval."""
        self._wake_up.set()

    def note_table_change(self, table: Table) -> None:
        """Something has happened at a table."""
        if table.state.over and table.event_id:
            self.wake()

    async def keep_watch(self) -> None:
        """Run forever. Failures are logged and retried."""
        first, waiting = False, list[str]()
        while True:
            self._wake_up.clear()
            if not self._bus.first:  # another process runs the events
                self._started.clear()
                self._tables.watched_events.clear()
            elif not first:
                waiting = await self._query(running_events)
            else:
                waiting = await self._query(due_events, self.now(), self._config.event_wait)
            first = self._bus.first
            for event in dict.fromkeys([*waiting, *self._events_to_restart()]) if first else ():
                await self._advance(event)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._wake_up.wait(), _SECONDS_BETWEEN_LOOKS)

    def _events_to_restart(self) -> set[str]:
        """Update which events have viewers, on their page or at a table: bots move only for those.

        Returns the events whose bots must be started again: viewers have come back, or another
        process has given up a table.
        """
        with_viewers = {table for table in self._started if self._has_viewers(table)}
        viewed_events = {self._started[table] for table in with_viewers}
        viewed_events |= {event for event in set(self._started.values()) if self.has_viewers(event)}
        regained = viewed_events - self._tables.watched_events
        lost_viewers = self._with_viewers - with_viewers
        resting = [
            table
            for table, event in self._started.items()
            if event in regained or table in lost_viewers
        ]
        event_ids = {self._started.pop(table) for table in resting}
        self._tables.watched_events.clear()
        self._tables.watched_events.update(viewed_events)
        self._with_viewers = with_viewers
        return event_ids

    def _has_viewers(self, table: str) -> bool:
        open_table = self._tables.open.get(table)
        return bool(open_table and open_table.all_viewers) or self._bus.is_elsewhere(table)

    async def _query(self, question: Callable[..., list[str]], *values: float) -> list[str]:
        try:
            return await self._store.query(question, *values)
        except ReadFailed as error:
            log_error("reading events failed", error)
            return []

    async def _advance(self, name: str) -> None:
        try:
            for _ in range(_MAX_STEPS):
                if not await self._step(await self._event_storage.find(name)):
                    return
        except RequestRefused as refused:  # the write failed, or the event is deleted by now
            log_info("event postponed", event_id=name, reason=refused.key)
        except Exception as error:
            log_error("event failed", error, event_id=name)

    async def _step(self, event: EventRow) -> bool:
        """Do what is due; returns whether there may be more."""
        if event.state == "between":
            if event.due is None or event.due > self.now():
                return False
            await (self.draw(event) if has_next(event) else self._close(event))
            return True
        if event.state != "playing":
            return False
        for event_table in event.unfinished:
            await self._advance_table(event, event_table)
        event = await self._event_storage.find(event.id)
        if event.state == "playing" and not event.unfinished:
            await self._end_round(event)
            return True
        return False

    # ------------------------------------------------------------ rounds

    async def draw(self, event: EventRow) -> EventRow | None:
        """Draw and store the next round; its tables are named before any is made.

        Runs in a thread, as pairing many players takes a while. None if somebody has joined or left
        meanwhile: draw again.
        """
        tables = await asyncio.to_thread(draw_round, event)
        began = self.now()
        limit = began + 60.0 * event.terms.minutes if event.terms.minutes else None
        drawn = event._replace(state="playing", round=event.round + 1, began=began, due=limit)

        def statements(current: EventRow) -> list[Statement]:
            if current.version != event.version:
                return []
            return [
                update_event(current, drawn),
                save_uptime(began),
                *(insert_event_table(current.id, each) for each in tables),
            ]

        updated = await self._event_storage.change(event.id, statements)
        if updated.round != drawn.round:
            return None
        log_info("round drawn", event_id=event.id, round=drawn.round, tables=len(tables))
        self.wake()
        return updated

    async def _end_round(self, event: EventRow) -> None:
        """All tables are scored: pause, or end the event."""
        pause, now = event.terms.pause, self.now()
        more = has_next(event)
        due = now + pause if more and pause is not None else None
        new = event._replace(state="between" if more else "over", due=due)
        await self._event_storage.change(
            event.id,
            lambda current: (
                [update_event(current, new), save_uptime(now)]
                if current.version == event.version
                else []
            ),
        )
        log_info("round over", event_id=event.id, round=event.round, more=more)

    async def _close(self, event: EventRow) -> None:
        new = event._replace(state="over", due=None)
        await self._event_storage.change(
            event.id,
            lambda current: (
                [update_event(current, new)] if current.version == event.version else []
            ),
        )

    # ------------------------------------------------------------ tables

    async def _advance_table(self, event: EventRow, event_table: EventTableRow) -> None:
        """Advance one table of the current round."""
        if not event_table.made:
            await self._make(event, event_table)
        if event_table.table not in self._started:
            await self._start_bots(event.id, event_table.table)
        over_time = event.due is not None and event.due <= self.now()
        if over_time:
            await self._call_time(event_table.table)
        elif not event_table.late and (event.began or 0.0) + self._config.event_wait <= self.now():
            await self._start_without_absent(event, event_table)
        result = await self._result_of(event_table, over_time)
        if result:
            await self._event_storage.change(
                event.id, lambda current: _result_statements(current, event_table, result)
            )
            self._started.pop(event_table.table, None)

    async def _make(self, event: EventRow, event_table: EventTableRow) -> None:
        """Create a table, unless another server has."""
        entrant_by_number = {entrant.number: entrant for entrant in event.entrants}
        seats = [
            await self._seat(seat, entrant_by_number[number])
            for seat, number in enumerate(event_table.seats)
        ]
        host, made = EVENT_HOST + event.id.encode(), mark_made(event.id, event_table)
        await self._table_factory.create_for_event(
            event_table.table, event_table.game, seats, host, event.terms.clock, made
        )
        self._event_storage.changed(event.id)

    async def _seat(self, seat: int, entrant: EntrantRow) -> SeatRow:
        """A seat reserved for its entrant; a bot plays if they have left since the draw."""
        if entrant.level:
            return SeatRow(seat, "bot", entrant.name, entrant.level)
        gone = entrant.player is None or entrant.until is not None
        profile = (
            await self._store.query(profile_of, entrant.player) if entrant.player else NO_PROFILE
        )
        return SeatRow(
            seat,
            "person",
            entrant.name,
            player=entrant.player,
            stand_in=self._level if gone else "",
            figure=profile.figure,
            colour=profile.colour,
        )

    async def _start_bots(self, event: str, table: str) -> None:
        """Start the bots of a table nobody has open; also after a restart."""
        self._started[table] = event
        async with self._playable(table) as playable:
            if playable:
                self._due_work.run(playable)

    @contextlib.asynccontextmanager
    async def _playable(self, name: str) -> AsyncIterator[Table | None]:
        """A playable table; None if it is deleted or of old rules."""
        try:
            table = await self._tables.pin(name)
        except (RequestRefused, OldGameError):
            yield None
            return
        try:
            yield None if table.old or table.deleted else table
        finally:
            self._tables.unpin(table)

    async def _start_without_absent(self, event: EventRow, event_table: EventTableRow) -> None:
        """Stop waiting for absent players: bots play until they come."""
        async with self._playable(event_table.table) as table:
            if table:
                async with table.lock:
                    if not table.shares.closed:
                        here = table.people
                        awaited = [seat for seat in table.shares.seats if table.shares.awaits(seat)]
                        rows = [
                            table.seats[seat]._replace(stand_in=self._level)
                            for seat in awaited
                            if table.seats[seat].player not in here
                        ]
                        await table.change_seats(
                            rows, *(("withdraws", seat, "") for seat in awaited)
                        )
                table.broadcast_seats()
                self._due_work.run(table)
        await self._carry_out(mark_late(event.id, event_table))

    async def _call_time(self, name: str) -> None:
        """End a running table as it stands; delete one that has not begun."""
        async with self._playable(name) as table:
            if not table:
                return
            if not table.shares.closed:
                await self._waiting_tables.cancel(table, table.host or b"")
                return
            async with table.lock:
                if table.begun and not table.state.over:
                    await table.apply_status_event("called")
            table.broadcast_seats()
            self._due_work.run(table)

    async def play_for(self, name: str, player: bytes) -> None:
        """Let a bot play on for an entrant who has left the event."""
        async with self._playable(name) as table:
            if not table or table.state.over:
                return
            try:
                if table.begun:
                    await self._commands.resign(table, player)
                else:
                    await self._stand_in(table, player)
            except RequestRefused as refused:  # already resigned
                log_info("no seat to take over", table=name, reason=refused.key)
            self._due_work.run(table)

    async def _stand_in(self, table: Table, player: bytes) -> None:
        async with table.lock:
            mine = table.seats_of(player)
            withdrawn = [("withdraws", seat, "") for seat in mine if table.shares.awaits(seat)]
            await table.change_seats(
                [table.seats[seat]._replace(stand_in=self._level) for seat in mine], *withdrawn
            )
        table.broadcast_seats()

    async def _result_of(self, event_table: EventTableRow, over_time: bool) -> Ranking | None:
        """The result of a table, or None while it runs. A table deleted, or not finished when time
        is called, is a tie of all.
        """
        stored = await self._store.table(event_table.table)
        count = len(event_table.seats)
        if stored is None or (over_time and not stored[0].standing.over):
            return Ranking("level", [1] * count, [0] * count)
        row, seats = stored
        if not row.standing.over:
            return None
        status = status_of(await self._store.events(event_table.table))
        last = {seat.seat for seat in seats if seat.resigned is not None} | status.lost
        places = ranks(row.standing.scores, row.standing.winners, last)
        return Ranking("stood" if status.ended else "played", places, list(row.standing.scores))

    async def _carry_out(self, *statements: Statement) -> None:
        with refuse_failed_writes():
            await self._store.write(statements)


def _result_statements(
    event: EventRow, event_table: EventTableRow, result: Ranking
) -> list[Statement]:
    """Statements storing a result, unless it is stored already."""
    if any(row.table == event_table.table and row.result is None for row in event.tables):
        return [update_event(event, event), insert_result(event.id, event_table, result)]
    return []
