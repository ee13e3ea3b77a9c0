"""Who is at a table now, and who is away."""

import asyncio

from souk.table.settings import Settings
from souk.table.table import Table, Watcher

_MOMENT = 0.01  # seconds, so that nobody's grace lacks a millisecond


class Presence:
    """People come to tables and leave them."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings

    async def enter(self, table: Table, watcher: Watcher, after: int) -> None:
        """Somebody opens a table, or looks through another seat. Their seats are theirs again."""
        await _returned(table, watcher.player)
        await table.watch(watcher, after)
        note_presence(table)
        self._look_again(table)

    def leave(self, table: Table, watcher: Watcher) -> None:
        table.forget(watcher)
        if table.watchers:  # those who are left are told, unless it was only a moment
            self._look_again(table)

    def _look_again(self, table: Table) -> None:
        """When the grace of whoever has left is over."""
        asyncio.get_running_loop().call_later(self._settings.grace + _MOMENT, note_presence, table)


def note_presence(table: Table) -> None:
    """Tell who is there and who is away, where that has changed."""
    table.note_who_is_here()
    if table.told_seats != table.seats_now():
        table.tell_seats()


async def _returned(table: Table, player: bytes) -> None:
    for seat in table.seats_of(player):
        if table.seats[seat].stand_in and seat not in table.course.fate.out:
            async with table.lock:
                await table.change_seat(table.seats[seat]._replace(stand_in=""))
            table.thinkers.let_go(table.id, seat)
            table.tell_seats()
