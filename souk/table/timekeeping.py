"""Who sees to the clocks: looks for those that have fallen, at all tables, whether anybody is there or not."""

import asyncio

from souk.table.croupier import Croupier
from souk.table.house_time import SECONDS_BETWEEN_BEATS, HouseTime
from souk.table.life_rows import due_tables, next_due, standing_still
from souk.table.logs import note, trouble
from souk.table.news import News
from souk.table.refusals import Refuse
from souk.table.store import NotKept, Store, Unanswered
from souk.table.table import Table
from souk.table.table_life import thinking
from souk.table.tables import Tables

_SECONDS_BETWEEN_LOOKS = 0.25
_AT_ONCE = 50  # tables
STAND_IN = "merchant"  # how the level begins of the bot that plays for somebody whose time is up


class Timekeeper:
    """Lets flags fall. What a clock means is in `souk.table.clocks`."""

    def __init__(
        self,
        store: Store,
        tables: Tables,
        croupier: Croupier,
        time: HouseTime,
        levels: tuple[str, ...],
        news: News,
    ) -> None:
        self._news = news
        self._store, self._tables, self._croupier, self._time = store, tables, croupier, time
        self._level = next((level for level in levels if level.startswith(STAND_IN)), levels[0])
        self._beat = 0.0  # when it was last kept how late it is

    async def keep_watch(self) -> None:
        """For as long as the server runs, where it is the one that does. What goes wrong is in the log, and tried again."""
        while True:
            try:
                if self._news.first:
                    await self._look()
            except (Unanswered, NotKept) as error:
                trouble("timekeeping failed", error)
            await asyncio.sleep(_SECONDS_BETWEEN_LOOKS)

    async def _look(self) -> None:
        """Where no clock runs, there is nothing to be kept either."""
        due, now = await self._store.ask(next_due), self._time.now()
        if due is None:
            return
        if now - self._beat >= SECONDS_BETWEEN_BEATS:
            self._beat = now
            await self._time.beat(self._store)
        for name in await self._store.ask(due_tables, now, _AT_ONCE) if due <= now else ():
            await self._look_at(name)

    async def _look_at(self, name: str) -> None:
        """A table at which somebody's time is up; one that cannot be played is left alone from now on."""
        try:
            async with self._tables.at(name) as table:
                if await self.let_fall(table):
                    return
                if table.old or table.course.over:
                    await self._store.carry_out([standing_still(name)])
        except Refuse as refused:
            if refused.status != 503:
                await self._store.carry_out([standing_still(name)])

    async def let_fall(self, table: Table) -> bool:
        """Whatever has to follow where somebody's time is up; whether that was so."""
        async with table.lock:
            clocks = table.life.clocks
            if clocks is None or table.old or not table.begun:
                return False
            known = thinking(table.course, table.seats)
            fallen = [seat for seat in clocks.fallen(self._time.now()) if seat in known]
            if not fallen:
                return False
            await self._fall(table, fallen)
        table.tell_seats()
        self._croupier.see_to(table)
        note("time up", table=table.id, seats=len(fallen))
        return True

    async def _fall(self, table: Table, fallen: list[int]) -> None:
        clocks, now = table.life.clocks, self._time.now()
        assert clocks is not None
        terms, fate, texts = clocks.terms, table.course.fate, []
        what = "lost" if terms.flag == "lose" else "stand_in" if terms.returns and clocks.by_move else "out"
        for seat in fallen:
            texts.append(f"{what} {seat}")
            clocks, fate = clocks.fell(seat, now), fate.after(texts[-1])
        if fate.is_left(table.position.players):
            texts.append("left")
        seats = [table.seats[seat]._replace(stand_in=self._level) for seat in fallen]
        await table.befall(*texts, seats=seats, clocks=clocks)
