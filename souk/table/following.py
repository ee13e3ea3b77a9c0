"""Tables that are open here and in other processes: what was written elsewhere is taken over, and told to those who look on here. Moves are told between
processes as they are; whatever else there is, and whatever may have been missed, is read from the database."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping

from souk.table.catching_up import catch_up, take_over
from souk.table.croupier import Croupier
from souk.table.database import Line, marks
from souk.table.foyer import Foyer
from souk.table.logs import trouble
from souk.table.neighbours import Neighbours
from souk.table.news import News, OpenEvent, TablesChanged
from souk.table.presence import note_presence, note_presence_later
from souk.table.refusals import Refuse
from souk.table.relics import Unreadable
from souk.table.store import Store, Unanswered
from souk.table.table import Table
from souk.table.tables import Tables
from souk.table.votes import Votes

_MOST_HEARD_OF = 5000  # beyond that nobody in the lobby is told; their lists are read again when they look
_AT_ONCE = 16  # tables that are read at a time
_SECONDS_BETWEEN_TRIES = 1.0


class Following:
    """Follows the other processes. `after`: what else there is to be told once a table is as it is kept."""

    def __init__(
        self,
        store: Store,
        news: News,
        neighbours: Neighbours,
        votes: Votes,
        tables: Tables,
        croupier: Croupier,
        after: Callable[[Table], Awaitable[None]],
    ) -> None:
        self._store = store
        self._tables, self._croupier, self._votes, self._after = tables, croupier, votes, after
        self._due: set[str] = set()  # tables that are to be looked at
        self._unread: set[str] = set()  # those of them where more has changed than what was told
        self._told: dict[str, list[OpenEvent]] = {}  # what has happened at the others
        self._heard_of: set[str] = (
            set()
        )  # tables that are open elsewhere alone, since their people in the lobby were last told
        self._busy: dict[str, asyncio.Task[None]] = {}  # tables that are being looked at
        self._room = asyncio.Semaphore(_AT_ONCE)
        news.hear(TablesChanged, lambda _sender, word: self._heard(word))
        news.missed.append(lambda: self._look_at(list(tables.open), {}))
        neighbours.stirred = self._stirred

    async def close(self) -> None:
        for task in list(self._busy.values()):
            task.cancel()

    def _heard(self, word: TablesChanged) -> None:
        self._look_at([name for name in word.names if self._tables.is_here(name)], word.events)
        self._heard_of |= {name for name in word.names if not self._tables.is_here(name)}
        if len(self._heard_of) > _MOST_HEARD_OF:
            self._heard_of.clear()

    async def stir(self, foyer: Foyer) -> None:
        """People in the lobby hear of their tables that are open at other processes: once a second, in one question."""
        names, self._heard_of = list(self._heard_of), set()
        if names and foyer.people:
            foyer.stir_people(await self._store.ask(_people_at, names))

    def _look_at(self, names: list[str], events: Mapping[str, list[OpenEvent]]) -> None:
        """Soon; all that is announced until then is taken together."""
        for name in names:
            self._due.add(name)
            if told := events.get(name):
                self._told.setdefault(name, []).extend(told)
            else:
                self._unread.add(name)
            if name not in self._busy:
                self._busy[name] = asyncio.create_task(self._follow(name))

    async def _follow(self, name: str) -> None:
        try:
            await self._follow_on(name)
        finally:
            del self._busy[name]
            self._forget(name)

    def _forget(self, name: str) -> list[OpenEvent] | None:
        """Nothing is to be looked at any more. Returns what was: what has happened, or None where that was not all."""
        self._due.discard(name)
        told, unread = self._told.pop(name, []), name in self._unread
        self._unread.discard(name)
        return None if unread else told

    async def _follow_on(self, name: str) -> None:
        while name in self._due:
            try:
                async with self._room:
                    told = self._forget(name)
                    async with self._tables.at(name) as table:
                        await self._catch_up(table, told)
            except (Refuse, Unreadable):  # it is deleted, or nobody can play there
                return
            except Unanswered:
                await asyncio.sleep(_SECONDS_BETWEEN_TRIES)
                self._due.add(name)
                self._unread.add(name)
            except Exception as error:  # whatever it is, others are still to be followed
                trouble("table failed", error, table=name)
                return

    async def _catch_up(self, table: Table, told: list[OpenEvent] | None) -> None:
        async with table.lock:
            if told is None or not await take_over(table, [each.row() for each in told]):
                await catch_up(table)
        if table.gone:
            self._tables.open.pop(table.id, None)
            return
        await self._after(table)
        self._croupier.see_to(table)

    def _stirred(self, name: str, left: set[bytes]) -> None:
        """Pages at another process have come to a table, or left it."""
        table = self._tables.open.get(name)
        if table is None:
            return
        for player in left:
            table.left(player)
        note_presence(table)
        if left:
            note_presence_later(table)
        self._votes.tell(table)
        self._croupier.see_to(table)


def _people_at(connection: Line, tables: list[str]) -> list[bytes]:
    """Whoever sits at some tables."""
    found: list[bytes] = []
    for at in range(0, len(tables), 500):
        some = tables[at : at + 500]
        asked = f'SELECT DISTINCT player FROM seats WHERE player IS NOT NULL AND "table" IN ({marks(len(some))})'
        found += [bytes(row[0]) for row in connection.execute(asked, some)]
    return found
