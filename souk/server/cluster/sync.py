"""Keeps open tables in step with other processes.

Moves are announced in full; everything else, and whatever may have been missed, is read from the
database.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from souk.server.bus.bus import ProcessBus, TablesChanged
from souk.server.cluster.vote_sync import VoteSync
from souk.server.common.logs import log_error
from souk.server.lobby.pages import LobbyPages
from souk.server.protocol.errors import RequestRefused
from souk.server.storage.connection import Connection, placeholders
from souk.server.storage.errors import ReadFailed
from souk.server.storage.rows import PublicEvent
from souk.server.storage.store import Store
from souk.server.tables.due_work import DueWork
from souk.server.tables.game.old_games import OldGameError
from souk.server.tables.peer_processes import PeerProcesses
from souk.server.tables.presence import update_presence, update_presence_later
from souk.server.tables.registry import TableRegistry
from souk.server.tables.sync_from_database import apply_announced, catch_up
from souk.server.tables.table import Table

# Above this many changed tables, tell nobody in the lobby: lists refresh when they are looked at.
_MAX_CHANGED_ELSEWHERE = 5000
_AT_ONCE = 16  # tables read concurrently
_SECONDS_BETWEEN_TRIES = 1.0


class TableSync:
    """Follows other processes. `after`: called once a table is up to date."""

    def __init__(
        self,
        store: Store,
        bus: ProcessBus,
        peers: PeerProcesses,
        votes: VoteSync,
        tables: TableRegistry,
        due_work: DueWork,
        after: Callable[[Table], Awaitable[None]],
    ) -> None:
        self._store = store
        self._tables, self._due_work, self._votes, self._after = tables, due_work, votes, after
        self._due: set[str] = set()  # tables to bring up to date
        self._unread: set[str] = set()  # those of them that must be read from the database
        self._announced: dict[str, list[PublicEvent]] = {}  # announced events of the rest
        # changed tables not open here, whose people in the lobby are still to be told
        self._changed_elsewhere: set[str] = set()
        self._refreshing: dict[str, asyncio.Task[None]] = {}  # tables being brought up to date
        self._slots = asyncio.Semaphore(_AT_ONCE)
        bus.hear(TablesChanged, lambda _sender, message: self._tables_changed(message))
        bus.missed.append(self._refresh_all)
        peers.on_crash = self._refresh_all
        peers.on_viewers_changed = self._viewers_changed

    async def close(self) -> None:
        for task in list(self._refreshing.values()):
            task.cancel()

    def _tables_changed(self, message: TablesChanged) -> None:
        self._refresh(
            [name for name in message.names if self._tables.is_in_memory(name)], message.events
        )
        self._changed_elsewhere |= {
            name for name in message.names if not self._tables.is_in_memory(name)
        }
        if len(self._changed_elsewhere) > _MAX_CHANGED_ELSEWHERE:
            self._changed_elsewhere.clear()

    async def notify_lobby(self, lobby_pages: LobbyPages) -> None:
        """Tell people in the lobby of changes at tables open elsewhere: once a second, with one
        query.
        """
        names, self._changed_elsewhere = list(self._changed_elsewhere), set()
        if names and lobby_pages.people:
            lobby_pages.tables_changed_for(await self._store.query(_people_at, names))

    def _refresh_all(self) -> None:
        """Something may never have been announced."""
        self._refresh(self._tables.ids_in_memory, {})

    def _refresh(self, names: list[str], events: Mapping[str, list[PublicEvent]]) -> None:
        """Bring tables up to date soon; announcements until then are combined."""
        for name in names:
            self._due.add(name)
            if announced := events.get(name):
                self._announced.setdefault(name, []).extend(announced)
            else:
                self._unread.add(name)
            if name not in self._refreshing:
                self._refreshing[name] = asyncio.create_task(self._bring_up_to_date(name))

    async def _bring_up_to_date(self, name: str) -> None:
        try:
            await self._bring_up_to_date_while_due(name)
        finally:
            del self._refreshing[name]
            self._take_due(name)

    def _take_due(self, name: str) -> list[PublicEvent] | None:
        """Clear what is due for a table. Returns its announced events, or None if it must be read
        instead.
        """
        self._due.discard(name)
        announced, unread = self._announced.pop(name, []), name in self._unread
        self._unread.discard(name)
        return None if unread else announced

    async def _bring_up_to_date_while_due(self, name: str) -> None:
        while name in self._due:
            try:
                async with self._slots:
                    announced = self._take_due(name)
                    async with self._tables.at(name) as table:
                        await self._catch_up(table, announced)
            except (RequestRefused, OldGameError):  # deleted, or of old rules
                return
            except ReadFailed:
                await asyncio.sleep(_SECONDS_BETWEEN_TRIES)
                self._due.add(name)
                self._unread.add(name)
            except Exception as error:
                log_error("table failed", error, table=name)
                return

    async def _catch_up(self, table: Table, announced: list[PublicEvent] | None) -> None:
        async with table.lock:
            if announced is None or not await apply_announced(
                table, [event.row() for event in announced]
            ):
                await catch_up(table)
        if table.deleted:
            self._tables.open.pop(table.id, None)
            return
        await self._after(table)
        self._due_work.run(table)

    def _viewers_changed(self, name: str, left: set[bytes]) -> None:
        """Viewers in another process have come to a table or left it."""
        table = self._tables.open.get(name)
        if table is None:
            return
        for player in left:
            table.note_page_closed(player)
        update_presence(table)
        if left:
            update_presence_later(table)
        self._votes.announce(table)
        self._due_work.run(table)


def _people_at(connection: Connection, tables: list[str]) -> list[bytes]:
    """People seated at these tables."""
    people: list[bytes] = []
    for start in range(0, len(tables), 500):
        chunk = tables[start : start + 500]
        query = f"""SELECT DISTINCT player FROM seats
            WHERE player IS NOT NULL AND "table" IN ({placeholders(len(chunk))})"""
        people += [bytes(row[0]) for row in connection.execute(query, chunk)]
    return people
