"""Who sees to evenings: makes the tables of a round, begins them without those who do not come, counts them when they are over, and goes on to
the next round. Whatever it does, it does once: it looks at what is kept and at nothing else, so it goes on by itself after a start."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Callable

from souk.table.croupier import Croupier
from souk.table.evening_points import ranks
from souk.table.evening_rounds import has_next, next_sittings
from souk.table.evening_rows import (
    HOSTED,
    EntrantRow,
    EveningRow,
    EveningShelf,
    Ranking,
    SittingRow,
    being_played,
    changing,
    drawing,
    judging,
    making,
    not_waiting,
    wanting,
)
from souk.table.fates import fate_of
from souk.table.gathering import Gathering, resign
from souk.table.house_time import HouseTime, keeping
from souk.table.logs import note, trouble
from souk.table.news import News
from souk.table.people import face_of
from souk.table.reception import Reception
from souk.table.refusals import Refuse
from souk.table.relics import Unreadable
from souk.table.seating import usual_level
from souk.table.settings import Settings
from souk.table.store import NOBODY_YET, NotKept, SeatRow, Statement, Store, Unanswered
from souk.table.table import Table
from souk.table.tables import Tables

_SECONDS_BETWEEN_LOOKS = 0.5
_MOST_STEPS = 8  # of one evening at one look


class Organiser:
    """Sees to all evenings."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        shelf: EveningShelf,
        reception: Reception,
        gathering: Gathering,
        tables: Tables,
        croupier: Croupier,
        time: HouseTime,
        news: News,
    ) -> None:
        self._news = news
        self._settings, self._store, self._shelf = settings, store, shelf
        self._reception, self._gathering, self._tables = reception, gathering, tables
        self._croupier, self._time = croupier, time
        self._level = usual_level(settings.levels)  # of bots that play for people
        self._stirred = asyncio.Event()
        self._roused: set[str] = set()  # tables that this server has set going

    def now(self) -> float:
        return self._time.now()

    def wake(self) -> None:
        """Something is to be done, maybe."""
        self._stirred.set()

    def see_to(self, table: Table) -> None:
        """Something has happened at a table."""
        if table.course.over and table.evening:
            self.wake()

    async def keep_watch(self) -> None:
        """For as long as the server runs. What goes wrong is in the log, and tried again."""
        first, waiting = False, list[str]()
        while True:
            self._stirred.clear()
            if not self._news.first:  # another process does
                self._roused.clear()
            elif not first:
                waiting = await self._asked(being_played)
            else:
                waiting = await self._asked(wanting, self.now(), self._settings.event_wait)
            first = self._news.first
            for evening in waiting if first else ():
                await self._look_at(evening)
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stirred.wait(), _SECONDS_BETWEEN_LOOKS)

    async def _asked(self, question: Callable[..., list[str]], *values: float) -> list[str]:
        try:
            return await self._store.ask(question, *values)
        except Unanswered as error:
            trouble("organising failed", error)
            return []

    async def _look_at(self, name: str) -> None:
        try:
            for _ in range(_MOST_STEPS):
                if not await self._step(await self._shelf.find(name)):
                    return
        except Refuse as refused:  # it could not be written, or is deleted by now: then again, or never
            note("evening waits", evening=name, why=refused.key)
        except Exception as error:  # others are still to be seen to
            trouble("evening failed", error, evening=name)

    async def _step(self, evening: EveningRow) -> bool:
        """Whatever is to be done now; whether there may be more."""
        if evening.state == "between":
            if evening.due is None or evening.due > self.now():
                return False
            await (self.draw(evening) if has_next(evening) else self._close(evening))
            return True
        if evening.state != "playing":
            return False
        for sitting in evening.unfinished:
            await self._see_to_table(evening, sitting)
        evening = await self._shelf.find(evening.id)
        if evening.state == "playing" and not evening.unfinished:
            await self._end_round(evening)
            return True
        return False

    # ------------------------------------------------------------ rounds

    async def draw(self, evening: EveningRow) -> EveningRow | None:
        """The next round is drawn: its tables are named, and kept, before any is made. It is drawn beside the loop, as many people have many ways
        to meet; None where somebody has come or gone meanwhile, so that it is to be drawn again."""
        sittings = await asyncio.to_thread(next_sittings, evening)
        began = self.now()
        limit = began + 60.0 * evening.terms.minutes if evening.terms.minutes else None
        new = evening._replace(state="playing", round=evening.round + 1, began=began, due=limit)

        def drawn(known: EveningRow) -> list[Statement]:
            if known.version != evening.version:
                return []
            return [changing(known, new), keeping(began), *(drawing(known.id, each) for each in sittings)]

        found = await self._shelf.change(evening.id, drawn)
        if found.round != new.round:
            return None
        note("round drawn", evening=evening.id, round=new.round, tables=len(sittings))
        self.wake()
        return found

    async def _end_round(self, evening: EveningRow) -> None:
        """All tables are counted: a pause, or the end."""
        pause, now = evening.terms.pause, self.now()
        more = has_next(evening)
        due = now + pause if more and pause is not None else None
        new = evening._replace(state="between" if more else "over", due=due)
        await self._shelf.change(
            evening.id, lambda known: [changing(known, new), keeping(now)] if known.version == evening.version else []
        )
        note("round over", evening=evening.id, round=evening.round, more=more)

    async def _close(self, evening: EveningRow) -> None:
        new = evening._replace(state="over", due=None)
        await self._shelf.change(
            evening.id, lambda known: [changing(known, new)] if known.version == evening.version else []
        )

    # ------------------------------------------------------------ tables

    async def _see_to_table(self, evening: EveningRow, sitting: SittingRow) -> None:
        """One table of the round that is played."""
        if not sitting.made:
            await self._make(evening, sitting)
        if sitting.table not in self._roused:
            await self._rouse(sitting.table)
        over_time = evening.due is not None and evening.due <= self.now()
        if over_time:
            await self._call_time(sitting.table)
        elif not sitting.late and (evening.began or 0.0) + self._settings.event_wait <= self.now():
            await self._begin_without(evening, sitting)
        verdict = await self._verdict(sitting, over_time)
        if verdict:
            await self._shelf.change(evening.id, lambda known: _judged(known, sitting, verdict))
            self._roused.discard(sitting.table)

    async def _make(self, evening: EveningRow, sitting: SittingRow) -> None:
        """Lay a table out. Where another server has done it, that is as well."""
        entrants = {each.number: each for each in evening.entrants}
        seats = [await self._seat(seat, entrants[number]) for seat, number in enumerate(sitting.seats)]
        host, made = HOSTED + evening.id.encode(), making(evening.id, sitting)
        await self._reception.lay_out_for_evening(sitting.table, sitting.game, seats, host, evening.terms.clock, made)
        self._shelf.changed(evening.id)

    async def _seat(self, seat: int, entrant: EntrantRow) -> SeatRow:
        """A seat for nobody but its entrant; a bot plays for somebody who has left since the round was drawn."""
        if entrant.level:
            return SeatRow(seat, "bot", entrant.name, entrant.level)
        gone = entrant.player is None or entrant.until is not None
        face = await self._store.ask(face_of, entrant.player) if entrant.player else NOBODY_YET
        return SeatRow(
            seat,
            "person",
            entrant.name,
            player=entrant.player,
            stand_in=self._level if gone else "",
            figure=face.figure,
            colour=face.colour,
        )

    async def _rouse(self, table: str) -> None:
        """Let bots move that nobody looks at, also after a start."""
        self._roused.add(table)
        async with self._maybe(table) as found:
            if found:
                self._croupier.see_to(found)

    @contextlib.asynccontextmanager
    async def _maybe(self, name: str) -> AsyncIterator[Table | None]:
        """A table that can be played; None where it is deleted, or of other rules."""
        try:
            table = await self._tables.take(name)
        except (Refuse, Unreadable):
            yield None
            return
        try:
            yield None if table.old or table.gone else table
        finally:
            self._tables.put_back(table)

    async def _begin_without(self, evening: EveningRow, sitting: SittingRow) -> None:
        """Those who have not come are waited for no longer: a bot plays until they do."""
        async with self._maybe(sitting.table) as table:
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
                        await table.change_seats(rows, *(("withdraws", seat, "") for seat in awaited))
                table.tell_seats()
                self._croupier.see_to(table)
        await self._carry_out(not_waiting(evening.id, sitting))

    async def _call_time(self, name: str) -> None:
        """A table that is not over is ended as it stands; one that has not begun is taken away."""
        async with self._maybe(name) as table:
            if not table:
                return
            if not table.shares.closed:
                await self._gathering.cancel(table, table.host or b"")
                return
            async with table.lock:
                if table.begun and not table.course.over:
                    await table.befall("called")
            table.tell_seats()
            self._croupier.see_to(table)

    async def play_for(self, name: str, player: bytes) -> None:
        """A bot plays on in the place of somebody who has left the evening."""
        async with self._maybe(name) as table:
            if not table or table.course.over:
                return
            try:
                if table.begun:
                    await resign(table, player, self._level)
                else:
                    await self._stand_in(table, player)
            except Refuse as refused:  # they have resigned before
                note("nobody to play for", table=name, why=refused.key)
            self._croupier.see_to(table)

    async def _stand_in(self, table: Table, player: bytes) -> None:
        async with table.lock:
            mine = table.seats_of(player)
            withdrawn = [("withdraws", seat, "") for seat in mine if table.shares.awaits(seat)]
            await table.change_seats([table.seats[seat]._replace(stand_in=self._level) for seat in mine], *withdrawn)
        table.tell_seats()

    async def _verdict(self, sitting: SittingRow, over_time: bool) -> Ranking | None:
        """What came of a table, once it is over. One that has not begun when time is called, or is gone, leaves all alike."""
        found = await self._store.table(sitting.table)
        count = len(sitting.seats)
        if found is None or (over_time and not found[0].standing.over):
            return Ranking("level", [1] * count, [0] * count)
        row, seats = found
        if not row.standing.over:
            return None
        fate = fate_of(await self._store.events(sitting.table))
        last = {seat.seat for seat in seats if seat.resigned is not None} | fate.lost
        places = ranks(row.standing.scores, row.standing.winners, last)
        return Ranking("stood" if fate.ended else "played", places, list(row.standing.scores))

    async def _carry_out(self, *statements: Statement) -> None:
        try:
            await self._store.carry_out(statements)
        except NotKept:
            raise Refuse("not_kept", 503) from None


def _judged(evening: EveningRow, sitting: SittingRow, verdict: Ranking) -> list[Statement]:
    """Once: where it has been counted already, there is nothing to do."""
    if any(each.table == sitting.table and each.verdict is None for each in evening.sittings):
        return [changing(evening, evening), judging(evening.id, sitting, verdict)]
    return []
