"""What a server sees to while people play: what the host has to say, and tables that nobody comes back to."""

import asyncio
import contextlib
import time
from collections.abc import Callable

from souk.table import chores
from souk.table.doors import Doors
from souk.table.evening_rows import outdating_evenings
from souk.table.forbidden import Forbidden, forbidden_by
from souk.table.logs import note, trouble
from souk.table.news import News, NoticeLeft
from souk.table.settings import Settings
from souk.table.store import NotKept, Overtaken, Statement, Store, Unanswered
from souk.table.table import Table
from souk.table.tables import Tables

DAY = 86_400.0
_SECONDS_BETWEEN_LOOKS = 2.0
_SECONDS_BETWEEN_ROUNDS = 600.0
_AT_ONCE = 20  # tables that are looked for together; each is deleted by itself, so that nobody's move waits long
_PAUSE = 0.05  # seconds between two of these, which belong to those who play


class Upkeep:
    """Looks at the file now and then. `heard` is called when there is news."""

    def __init__(self, settings: Settings, store: Store, tables: Tables, doors: Doors, news: News) -> None:
        self._settings, self._store, self._tables, self._doors, self._news = settings, store, tables, doors, news
        self._stirred = asyncio.Event()
        news.hear(NoticeLeft, lambda _sender, _word: self._stirred.set())
        self.announcement = ""
        self.banned: dict[str, float | None] = {}
        self.heard: Callable[[], None] = lambda: None
        self._last: int | None = None  # notice that was read
        self.forbid: Callable[[Forbidden], None] = lambda _words: None
        self._reread: int | None = None  # how often the host had asked to have the forbidden words read again

    async def keep_watch(self) -> None:
        """For as long as the server runs. What goes wrong is in the log, and tried again."""
        round_due = time.monotonic() + _SECONDS_BETWEEN_LOOKS
        while True:
            self._stirred.clear()
            try:
                await self.look()
                if time.monotonic() >= round_due:
                    round_due = time.monotonic() + _SECONDS_BETWEEN_ROUNDS
                    await self.tidy()
            except (Unanswered, NotKept) as error:
                trouble("upkeep failed", error)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stirred.wait(), _SECONDS_BETWEEN_LOOKS)

    # ------------------------------------------------------------ what the host says

    async def look(self) -> None:
        """What is announced, who is banned, and which tables and doors somebody else has changed."""
        if self._last is None:
            self._last = await self._store.ask(chores.last_notice)
        found = await self._store.ask(chores.news, self._last)
        self._last = found.last
        if (found.announcement, found.banned) != (self.announcement, self.banned):
            self.announcement, self.banned = found.announcement, found.banned
            self.heard()
        if found.people:
            await self._doors.look_again(found.people)
        if found.reread != self._reread:
            self._reread = found.reread
            await self.read_forbidden()
        for name in found.tables:
            if (table := self._tables.open.get(name)) is not None:
                await self._look_at(table)

    async def read_forbidden(self) -> None:
        """Read the host's list of words, and keep what it says where `souk host` finds it. Where it cannot be read, the words of before hold."""
        try:
            words = forbidden_by(self._settings.forbidden)
            self.forbid(words)
            await self._store.carry_out(chores.forbidding(words.lines))
        except (ValueError, NotKept) as error:
            trouble(str(error))
        else:
            if self._settings.forbidden:
                note("forbidden words", number=len(words.lines))

    async def _look_at(self, table: Table) -> None:
        """A table that was changed by somebody else is read again."""
        with self._tables.kept(table):
            async with table.lock:
                await table.reload()
        if table.gone:
            self._tables.open.pop(table.id, None)
        else:
            table.tell_seats()

    async def forget(self, player: bytes) -> None:
        """Somebody wants to be forgotten."""
        await self._doors.carry_out(chores.forgetting(player), player)
        note("forgot a person")
        await self.look()

    # ------------------------------------------------------------ tables that nobody comes back to

    async def tidy(self) -> None:
        """Write down who was here; and, in one of the processes, delete what is old, as the settings have it, and give the room back."""
        now, half_a_day = time.time(), DAY / 2
        kept = "UPDATE tables SET seen = ? WHERE id = ? AND seen < ?"
        await self._store.carry_out([Statement(kept, (now, name, now - half_a_day)) for name in self._tables.open])
        await self._store.carry_out(self._doors.notes())
        if not self._news.first:
            return
        for over, days in ((False, self._settings.abandoned_days), (True, self._settings.finished_days)):
            if days:
                await self._expire(over, now - days * DAY)
        settings = self._settings
        await self._store.carry_out(
            chores.outdating(now - settings.report_days * DAY, now - settings.person_days * DAY)
        )
        limits = [now - days * DAY if days else None for days in (settings.finished_days, settings.abandoned_days)]
        await self._store.carry_out(outdating_evenings(*limits))
        await self._shrink()

    async def _shrink(self) -> None:
        """Give room that is free back to the disk, for as long as that helps."""
        while await self._store.shrink():
            await asyncio.sleep(_PAUSE)

    async def _expire(self, over: bool, before: float) -> None:
        deleted = 0
        while names := await self._store.ask(chores.left_alone, over, before, _AT_ONCE):
            for name in names:
                try:
                    await self._store.carry_out(chores.deletion(name, before))
                    deleted += 1
                except Overtaken:  # somebody has come back just now
                    pass
                await asyncio.sleep(_PAUSE)
        if deleted:
            note("expired", tables=deleted, over=over)
