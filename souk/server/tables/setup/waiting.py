"""A table before its game begins: who made it begins with those who are there or takes it away, and guests may get up again."""

from souk.table import chores, protocol
from souk.table.logs import note
from souk.table.protocol import NOBODY
from souk.table.rated import check_complete
from souk.table.refusals import Refuse
from souk.table.seating import bot_name, usual_level
from souk.table.settings import Settings
from souk.table.store import NotKept, SeatRow, Store
from souk.table.table import Table
from souk.table.tables import Tables


class Gathering:
    """Sees to tables that have not begun."""

    def __init__(self, settings: Settings, store: Store, tables: Tables) -> None:
        self._settings, self._store, self._tables = settings, store, tables

    async def start(self, table: Table, player: bytes) -> None:
        """Begin with those who are there. Bots take the open seats; at seats with a link of their own they play until somebody comes."""
        async with table.lock:
            _check_host(table, player)
            _check_waits(table)
            check_complete(table)
            level = table.fill if table.fill in self._settings.levels else usual_level(self._settings.levels)
            taken = {row.name for row in table.seats}
            rows: list[SeatRow] = []
            for row in table.seats:
                if row.is_open:
                    name = bot_name(row.seat, taken)
                    taken.add(name)
                    rows.append(row._replace(kind="bot", name=name, level=level))
                elif row.kind == "free" and not row.stand_in:
                    rows.append(row._replace(stand_in=level))
            await table.change_seats(rows)
        note("started", table=table.id, bots=len(rows))
        table.tell_seats()

    async def leave(self, table: Table, player: bytes) -> None:
        """Somebody gets up: their seats are free again, as they were offered."""
        async with table.lock:
            mine = table.seats_of(player)
            if not mine:
                raise Refuse("not_your_table", 403)
            _check_waits(table)
            if table.evening:
                raise Refuse("evening_seat", 409)
            if player == table.host:
                raise Refuse("host_leaves", 409)
            rows = [_freed(table.seats[seat]) for seat in mine]
            withdrawn = [("withdraws", seat, "") for seat in mine if seat in table.shares.seats]
            await table.change_seats(rows, *withdrawn)
            look_on(table, player)
        note("left", table=table.id)
        table.tell_seats()

    async def cancel(self, table: Table, player: bytes) -> None:
        """Whoever made a table takes it away."""
        async with table.lock:
            _check_host(table, player)
            _check_waits(table)
            try:
                await self._store.carry_out(chores.cancelling(table.id))
            except NotKept as error:
                await table.refuse(error)
            table.gone = True
        note("cancelled", table=table.id)
        self._tables.open.pop(table.id, None)
        table.tell_all(protocol.Refused(None, Refuse("cancelled").reason))


async def resign(table: Table, player: bytes, level: str) -> None:
    """Somebody gives up, and cannot win any more. The others are not to lose their game by it: a bot of this level plays on, for good, unless only one is
    left who can win."""
    async with table.lock:
        mine = table.seats_of(player)
        if not mine:
            raise Refuse("not_your_table", 403)
        table.check_begun()
        if table.position.over or table.course.lesson:
            raise Refuse("nothing_to_resign", 409)
        fate, texts = table.course.fate, [f"resigned {seat}" for seat in mine]
        for text in texts:
            fate = fate.after(text)
        left = ["left"] if fate.is_left(len(table.seats)) else []
        seats = [table.seats[seat]._replace(stand_in=level, resigned=table.course.seq) for seat in mine]
        await table.befall(*texts, *left, seats=seats)
        look_on(table, player)
    note("resigned", table=table.id)
    table.tell_seats()


def look_on(table: Table, player: bytes) -> None:
    """Somebody has no seat any longer, and sees from now on what everybody may see."""
    for watcher in table.watchers:
        if watcher.player == player:
            watcher.seat = NOBODY
            table.show(watcher)


def _freed(row: SeatRow) -> SeatRow:
    return row._replace(kind="free", name="", player=None, stand_in="", figure="", colour="")


def _check_host(table: Table, player: bytes) -> None:
    """Where whoever made a table has been forgotten, those who sit there may do it in their place."""
    if player != table.host and (table.host is not None or not table.seats_of(player)):
        raise Refuse("not_host", 403)


def _check_waits(table: Table) -> None:
    if table.gone:
        raise Refuse("deleted", 404)
    if table.shares.closed:
        raise Refuse("begun", 409)
