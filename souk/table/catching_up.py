"""A table takes over what another server at the same store has written about it, and tells it as if it had happened here. Whoever calls holds its lock."""

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from souk.table import protocol
from souk.table.life_rows import Life
from souk.table.novelties import Known, Novelties, novelties
from souk.table.protocol import NOBODY
from souk.table.snapshots import EVERY
from souk.table.store import EventRow
from souk.table.table_now import table_now
from souk.table.views import encode

if TYPE_CHECKING:
    from souk.table.table import Table


async def catch_up(table: "Table") -> None:
    """All that is new in the store."""
    if table.gone:
        return
    known = Known(
        table.course.seq,
        len(table.shares.steps),
        len(table.coach.notes),
        table.talk.next() - 1,
        table.life.kept.version,
    )
    found = await novelties(table.store, table.id, known)
    if found is None:
        table.note_deleted()
        return
    begun, seats = table.begun, table.seats
    table.host, table.seats = found.host, found.seats
    table.take_steps(found.steps)
    if begun or not table.begun:
        table.course.bots = table.bots()
        await _take_events(table, found.events, found.life)
    else:
        table.life.kept = found.life or table.life.kept
        await _begin_as_elsewhere(table)
    _take_talk(table, found)
    if seats != found.seats:
        _look_on(table)
        table.note_who_is_here()
        table.tell_seats()


async def take_over(table: "Table", rows: Sequence[EventRow]) -> bool:
    """These events, and nothing else was written with them; False where what came before is not known here, so that has to be read."""
    if table.gone or table.old or not table.begun:
        return False
    new = [row for row in rows if row.seq > table.course.seq]
    if [row.seq for row in new] != list(range(table.course.seq + 1, table.course.seq + 1 + len(new))):
        return False
    if new:
        await _take_events(table, new, None)
    return True


async def _begin_as_elsewhere(table: "Table") -> None:
    await table.load()
    rows, table.moved = await table.store.events(table.id), time.monotonic()
    for watcher in table.watchers:
        watcher.post(encode(table_now(table, watcher, rows[: table.course.seq + 1])))


async def _take_events(table: "Table", events: Sequence[EventRow], new_life: Life | None) -> None:
    """What has happened elsewhere, each event once and in order."""
    life = new_life or table.life.kept
    if not events:
        table.life.kept = life
        if new_life:
            table.tell_life()
        return
    course = table.course.copy()
    happenings = (
        await asyncio.to_thread(lambda: list(course.happenings(events)))
        if len(events) > EVERY
        else list(course.happenings(events))
    )
    for row in events:
        if row.kind == "move" and row.seat is not None:
            table.bots_in_a_row = table.bots_in_a_row + 1 if table.bot_of(row.seat) else 0
    table.take(course, happenings, life)


def _take_talk(table: "Table", found: Novelties) -> None:
    for note in found.notes:
        table.coach.take(note)
    if found.notes:
        table.tell_all(protocol.CoachNow(table.coaching()))
    for saying in found.said:
        table.talk.take(saying)
        table.tell_all(protocol.SaidAloud(saying))
    if found.rematch != table.rematch:
        table.rematch = found.rematch
        table.tell_all(protocol.NextTable(table.rematch))


def _look_on(table: "Table") -> None:
    """Whoever has lost a seat elsewhere sees from now on what everybody may see."""
    for watcher in table.watchers:
        if watcher.seat != NOBODY and watcher.seat not in table.seats_of(watcher.player):
            watcher.seat = NOBODY
            table.show(watcher)
