"""The tables in memory. All others are in the store, and are loaded when somebody asks for them."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

from souk.table.life_rows import kept_life
from souk.table.logs import trouble
from souk.table.neighbours import Neighbours
from souk.table.refusals import Refuse
from souk.table.relics import Relic, Unreadable, is_old
from souk.table.sayings import kept
from souk.table.store import EventRow, NotKept, Overtaken, SeatRow, Store, TableRow, Unanswered
from souk.table.table import Table
from souk.table.thinkers import Thinkers
from souk.table.watchers import Watcher

_DAY = 86_400.0
_TABLE_ID = re.compile(r"[\w-]{16}")


class Tables:
    """Tables by their ids. One stays in memory as long as somebody needs it there."""

    def __init__(
        self,
        store: Store,
        thinkers: Thinkers,
        grace: float,
        now: Callable[[], float] = time.monotonic,
        away_time: float = 0.0,
        neighbours: Neighbours | None = None,
    ) -> None:
        self._neighbours = neighbours
        self._store, self._thinkers, self._grace = store, thinkers, grace
        self._now, self._away_time = now, away_time
        self._loading: dict[str, asyncio.Task[None]] = {}
        self.open: dict[str, Table] = {}

    @asynccontextmanager
    async def at(self, name: str) -> AsyncIterator[Table]:
        """A table by its id, for a question."""
        table = await self.take(name)
        try:
            yield table
        finally:
            self.put_back(table)

    async def take(self, name: str) -> Table:
        """A table by its id, loaded where need be. It stays in memory until it is put back."""
        if not _TABLE_ID.fullmatch(name):
            raise Refuse("table_unknown", 404)
        while (table := self.open.get(name)) is None:
            if name not in self._loading:
                task = self._loading[name] = asyncio.create_task(self._load(name))
                task.add_done_callback(lambda _: self._loading.pop(name))
            await asyncio.shield(self._loading[name])
        table.guests += 1
        return table

    def is_here(self, name: str) -> bool:
        """Whether a table is in memory, or will be in a moment."""
        return name in self.open or name in self._loading

    def watchers_of(self, player: bytes) -> list[Watcher]:
        """All pages of a person that are at tables."""
        return [each for table in self.open.values() for each in table.watchers if each.player == player]

    @contextmanager
    def kept(self, table: Table) -> Iterator[None]:
        """A table that is in memory stays there meanwhile: whoever asks for it finds this one, with what is being written to it."""
        table.guests += 1
        try:
            yield
        finally:
            self.put_back(table)

    def put_back(self, table: Table) -> None:
        table.guests -= 1
        self.let_go(table)

    def let_go(self, table: Table) -> None:
        """Forget a table where nobody looks on and no bot is to move."""
        needed = table.guests or table.thinking or table.beginning
        if not needed and self.open.get(table.id) is table:
            del self.open[table.id]
            if self._neighbours:
                self._neighbours.let_go(table.id)
            for row in table.seats:
                self._thinkers.let_go(table.id, row.seat)

    async def _load(self, name: str) -> None:
        found = await self._store.table(name)
        if found is None:
            raise Refuse("table_unknown", 404)
        await self._note_visit(found[0])
        try:
            table = await self._set(*found)
        except (Refuse, Unanswered):
            raise
        except Exception as error:  # whatever rules may say of what they do not know
            if not is_old(found[0]):
                trouble("table cannot be read", error, table=name)
            raise Unreadable(await self._relic(*found)) from None
        if self._neighbours:
            table.elsewhere = self._neighbours.at(name)
        table.note_who_is_here()
        self.open[name] = table

    async def _relic(self, row: TableRow, seats: Sequence[SeatRow]) -> Relic:
        store = self._store
        kept = await store.events(row.id), await store.steps(row.id), await store.notes(row.id)
        return Relic(row, seats, *kept)

    async def _note_visit(self, row: TableRow) -> None:
        """From now on nobody deletes it as one to which nobody comes back. Once a day is enough, as they wait longer than that."""
        if time.time() - max(row.changed, row.seen) < _DAY / 2:
            return
        try:
            await self._store.saw(row.id)
        except Overtaken:
            raise Refuse("table_unknown", 404) from None
        except NotKept:  # looking needs no room on the disk
            pass

    async def _set(self, row: TableRow, seats: Sequence[SeatRow]) -> Table:
        """A table as today's rules have it."""
        steps, notes = await self._store.steps(row.id), await self._store.notes(row.id)
        life, timing = await kept_life(self._store, row.id), (self._now, self._away_time)
        table = Table(row, seats, self._store, self._thinkers, self._grace, steps, notes, life, *timing)
        if await self._store.lacks_words(row.id):  # an earlier version had other words for it
            await self._retell(table, await self._store.events(row.id))
        table.talk.said = await kept(self._store, row.id)
        await table.load()
        return table

    async def _retell(self, table: Table, events: Sequence[EventRow]) -> None:
        """Put a whole game into words again; in a thread, as it may be a long one."""
        told = await asyncio.to_thread(lambda: list(table.course.retell(events)))
        try:
            await self._store.retell(table.id, told)
        except NotKept:
            raise Refuse("not_kept", 503) from None
