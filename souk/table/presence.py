"""Who is at a table now, and who is away."""

import asyncio

from souk.table.neighbours import Neighbours
from souk.table.table import Table
from souk.table.table_now import seats_now
from souk.table.watchers import Watcher

_MOMENT = 0.01  # seconds, so that nobody's grace lacks a millisecond


class Presence:
    """People come to tables and leave them."""

    def __init__(self, neighbours: Neighbours) -> None:
        self._neighbours = neighbours

    async def enter(self, table: Table, watcher: Watcher, after: int) -> None:
        """Somebody opens a table, or looks through another seat. Their seats are theirs again."""
        await _returned(table, watcher.player)
        await table.watch(watcher, after)
        self._neighbours.tell(table)
        note_presence(table)
        note_presence_later(table)

    def leave(self, table: Table, watcher: Watcher) -> None:
        table.forget(watcher)
        self._neighbours.tell(table)
        if table.watchers:  # those who are left are told, unless it was only a moment
            note_presence_later(table)

    def looks(self, table: Table) -> None:
        """A page is visible again, or not any longer."""
        self._neighbours.tell(table)


def note_presence_later(table: Table) -> None:
    """When the grace of whoever has left is over."""
    asyncio.get_running_loop().call_later(table.grace + _MOMENT, note_presence, table)


def note_presence(table: Table) -> None:
    """Tell who is there and who is away, where that has changed."""
    table.note_who_is_here()
    if table.told_seats != seats_now(table):
        table.tell_seats()


async def _returned(table: Table, player: bytes) -> None:
    for seat in table.seats_of(player):
        if table.seats[seat].stand_in and seat not in table.course.fate.out:
            async with table.lock:
                await table.change_seat(table.seats[seat]._replace(stand_in=""))
            table.thinkers.let_go(table.id, seat)
            table.tell_seats()
