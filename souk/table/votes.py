"""What those at a table want to do about somebody who is away, told between processes: each counts the votes of all."""

import asyncio
import contextlib

from souk.table.agreements import Agreements
from souk.table.news import News, Word
from souk.table.protocol import AwayChoice
from souk.table.refusals import Refuse
from souk.table.table import Table
from souk.table.tables import Tables


class Voted(Word, tag="voted"):
    """Somebody has said what is to be done about a seat."""

    table: str
    about: int
    voice: int
    choice: AwayChoice
    level: str


class WaitedFor(Word, tag="waited"):
    """Who is waited for at a table, since when by the house's time, and what was said about it so far: for whoever opens it later."""

    table: str
    since: dict[int, float]
    votes: dict[int, dict[int, AwayChoice]]


class Votes:
    """Hands votes on. Where two processes come to the same decision at once, what is written first counts."""

    def __init__(self, news: News, tables: Tables, agreements: Agreements) -> None:
        self._news, self._tables, self._agreements = news, tables, agreements
        self._tasks: set[asyncio.Task[None]] = set()
        agreements.voted = lambda table, *vote: news.say(Voted(table.id, *vote))
        news.hear(Voted, lambda _sender, word: self._heard(word))
        news.hear(WaitedFor, lambda _sender, word: self._waited(word))

    def tell(self, table: Table) -> None:
        """Somebody may have opened a table just now."""
        if table.life.since:
            self._news.say(WaitedFor(table.id, dict(table.life.since), table.life.votes))

    def _heard(self, word: Voted) -> None:
        if (table := self._tables.open.get(word.table)) is not None:
            task = asyncio.create_task(self._count(table, word))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _count(self, table: Table, word: Voted) -> None:
        with self._tables.kept(table), contextlib.suppress(Refuse):  # it is decided by now, or they are back
            await self._agreements.count(table, word.about, word.voice, word.choice, word.level)

    def _waited(self, word: WaitedFor) -> None:
        table = self._tables.open.get(word.table)
        if table is None:
            return
        for seat in word.since:
            if table.seats[seat].player not in table.people:
                table.left_before(seat)
        table.note_who_is_here()
        table.living()
        table.life.waited_since(word.since, word.votes)
        table.tell_life()
