"""The tables in memory. All others are in the store, and are loaded when somebody asks for them."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager

from souk.table.logs import trouble
from souk.table.refusals import Refuse
from souk.table.relics import Relic, Unreadable, is_old
from souk.table.store import EventRow, NotKept, Store
from souk.table.table import Table
from souk.table.thinkers import Thinkers

_TABLE_ID = re.compile(r"[\w-]{16}")


class Tables:
    """Tables by their ids. One stays in memory as long as somebody needs it there."""

    def __init__(self, store: Store, thinkers: Thinkers, grace: float) -> None:
        self._store, self._thinkers, self._grace = store, thinkers, grace
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
        if not table.guests and not table.thinking and table.id in self.open:
            del self.open[table.id]
            for row in table.seats:
                self._thinkers.let_go(table.id, row.seat)

    async def _load(self, name: str) -> None:
        found = await self._store.table(name)
        if found is None:
            raise Refuse("table_unknown", 404)
        relic = Relic(*found, await self._store.events(name))
        try:
            table = await self._set(relic)
        except Refuse:
            raise
        except Exception as error:  # whatever rules may say of what they do not know
            if not is_old(relic.row):
                trouble("table cannot be read", error, table=name)
            raise Unreadable(relic) from None
        table.note_who_is_here()
        self.open[name] = table

    async def _set(self, kept: Relic) -> Table:
        """A table as today's rules have it."""
        table = Table(kept.row, kept.seats, self._store, self._thinkers, self._grace)
        if not all(event.told for event in kept.events):  # an earlier version had other words for it
            await self._retell(table, kept.events)
        await asyncio.to_thread(table.load, kept.events)  # as it may be a long game
        return table

    async def _retell(self, table: Table, events: Sequence[EventRow]) -> None:
        """Put a whole game into words again; in a thread, as it may be a long one."""
        told = await asyncio.to_thread(lambda: list(table.course.retell(events)))
        try:
            await self._store.retell(table.id, told)
        except NotKept:
            raise Refuse("not_kept", 503) from None
