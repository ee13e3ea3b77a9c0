"""The other processes of the house: which there are, and who has pages open there.

Everybody says twice a second that they are there, and at once who comes to which table and leaves it. Whoever was not heard of for two seconds is
forgotten with all their pages; whoever is heard for the first time is told everything, so that a process that has just started, or whose line was broken, soon
knows what the others know. It is all as short-lived as a page, and so it is in memory, and in no database.
"""

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping

import msgspec

from souk.table.house_time import HouseTime
from souk.table.news import News, Word
from souk.table.protocol import Pace
from souk.table.table import Table
from souk.table.watchers import Watcher

SECONDS_BETWEEN_BEATS = 0.5
SECONDS_TO_LIVE = 1.8  # without a word: for so long a page that has come from a process that died may wait for its bots


class FarPage(msgspec.Struct, array_like=True):
    """A page at a table that is connected to another process."""

    player: bytes
    seat: int
    pace: Pace
    in_sight: bool
    address: str


class Beat(Word, tag="beat"):
    """I am here; so many people are in my lobby or at my tables, and so late it is by the house's time."""

    people: int = 0
    time: float = 0.0


class Farewell(Word, tag="bye"):
    """I end now, and my pages go to others."""


class WhoIsThere(Word, tag="who"):
    """I do not know you, or have not heard you for a while: who is at your tables?"""


class Guests(Word, tag="guests"):
    """All pages that I have at a table."""

    table: str
    pages: list[FarPage]


class Neighbours:
    """Knows the other processes and their pages. `stirred` is called with the name of a table at which pages of others have come or gone, and with the
    people who have left; all of `newcomer` when somebody asks who is there, and is to be told what else there is."""

    def __init__(self, news: News, time: HouseTime, people: Callable[[], int]) -> None:
        self.news, self._time, self._people = news, time, people
        self.stirred: Callable[[str, set[bytes]], None] = lambda _table, _left: None
        self.newcomer: list[Callable[[], None]] = []
        self._gone: list[Callable[[str], object]] = []
        self._heard: dict[str, float] = {}  # by process: when it was last heard
        self._counted: dict[str, int] = {}  # by process: how many people are there
        self._tables: dict[str, dict[str, list[FarPage]]] = {}
        self._open: set[str] = set()  # tables that are in memory here
        self._own: dict[str, list[FarPage]] = {}  # as the others were told
        news.hear(Beat, self._beats)
        news.hear(Farewell, lambda sender, _word: self._forget(sender))
        news.hear(WhoIsThere, lambda _sender, _word: self._tell_everything())
        news.hear(Guests, self._are_at)
        news.missed.append(self._ask)
        news.is_elsewhere = lambda table: bool(self._tables.get(table))

    # ------------------------------------------------------------ what is known

    @property
    def others(self) -> list[str]:
        return list(self._heard)

    @property
    def people(self) -> int:
        """How many people others have, in their lobbies or at their tables."""
        return sum(self._counted.values())

    def at(self, table: str) -> Mapping[str, list[FarPage]]:
        """By process: the pages there that have this table open. It stays true for as long as the table is in memory."""
        self._open.add(table)
        return self._tables.setdefault(table, {})

    def let_go(self, table: str) -> None:
        """A table is in memory no longer."""
        self._open.discard(table)
        if not self._tables.get(table):
            self._tables.pop(table, None)

    def when_gone(self, forget: Callable[[str], object]) -> None:
        """Call this with the name of a process that has ended."""
        self._gone.append(forget)

    # ------------------------------------------------------------ what is told

    def tell(self, table: Table) -> None:
        """Pages have come to a table, left it, or look at it otherwise than before."""
        if self.news.alone:
            return
        pages = [_far_page(each) for each in table.watchers]
        if pages == self._own.get(table.id, []):
            return
        if pages:
            self._own[table.id] = pages
        else:
            del self._own[table.id]
        self.news.say(Guests(table.id, pages))

    async def keep_in_touch(self) -> None:
        """For as long as the server runs."""
        self._ask()
        while not self.news.alone:
            self._beat()
            await asyncio.sleep(SECONDS_BETWEEN_BEATS)
            late = time.monotonic() - SECONDS_TO_LIVE
            for sender in [sender for sender, at in self._heard.items() if at < late]:
                self._forget(sender)

    def leave(self) -> None:
        self.news.say(Farewell())

    def _ask(self) -> None:
        self.news.say(WhoIsThere())
        self._beat()

    def _beat(self) -> None:
        self.news.say(Beat(self._people(), self._time.now()))

    def _tell_everything(self) -> None:
        self._beat()
        self.news.say(*(Guests(table, pages) for table, pages in self._own.items()))
        for tell in self.newcomer:
            tell()

    # ------------------------------------------------------------ what is heard

    def _beats(self, sender: str, word: Beat) -> None:
        if sender not in self._heard:
            self.news.say(WhoIsThere())
        self._heard[sender], self._counted[sender] = time.monotonic(), word.people
        self._time.reckon_from(word.time)

    def _are_at(self, sender: str, word: Guests) -> None:
        self._heard.setdefault(sender, time.monotonic())
        self._set(sender, word.table, word.pages)

    def _set(self, sender: str, table: str, pages: list[FarPage]) -> None:
        by_process = self._tables.setdefault(table, {})
        before = by_process.pop(sender, [])
        if pages:
            by_process[sender] = pages
        elif not by_process and table not in self._open:
            del self._tables[table]
        if before != pages:
            self.stirred(table, _players(before) - _players(pages))

    def _forget(self, sender: str) -> None:
        self._heard.pop(sender, None)
        self._counted.pop(sender, None)
        for table in [table for table, by_process in self._tables.items() if sender in by_process]:
            self._set(sender, table, [])
        for forget in self._gone:
            forget(sender)


def _far_page(page: Watcher) -> FarPage:
    return FarPage(page.player, page.seat, page.pace, page.in_sight, page.address)


def _players(pages: Iterable[FarPage]) -> set[bytes]:
    return {each.player for each in pages}
