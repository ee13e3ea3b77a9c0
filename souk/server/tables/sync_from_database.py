"""Applies what another server has written about a table and shows it here. The caller holds the
lock.
"""

import asyncio
import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from souk.server.protocol import table as protocol
from souk.server.protocol.table import NOBODY
from souk.server.storage.rows import EventRow
from souk.server.tables.full_state_message import full_state
from souk.server.tables.game.snapshots import EVERY
from souk.server.tables.game.views import encode
from souk.server.tables.timing.timing_rows import TimingState
from souk.server.tables.unseen_writes import KnownSequence, UnseenWrites, read_unseen_writes

if TYPE_CHECKING:
    from souk.server.tables.table import Table


async def catch_up(table: "Table") -> None:
    """Apply everything new in the store."""
    if table.deleted:
        return
    known_until = KnownSequence(
        table.state.seq,
        len(table.shares.steps),
        len(table.coach.notes),
        table.chat.next() - 1,
        table.timing.saved.version,
    )
    writes = await read_unseen_writes(table.store, table.id, known_until)
    if writes is None:
        table.note_deleted()
        return
    begun, seats = table.begun, table.seats
    table.host, table.seats = writes.host, writes.seats
    table.apply_dice_steps(writes.steps)
    if begun or not table.begun:
        table.state.bots = table.bots()
        await _apply_events(table, writes.events, writes.timing)
    else:
        table.timing.saved = writes.timing or table.timing.saved
        await _load_started_game(table)
    _apply_notes_and_chat(table, writes)
    if seats != writes.seats:
        _unseat_viewers(table)
        table.update_away()
        table.broadcast_seats()


async def apply_announced(table: "Table", rows: Sequence[EventRow]) -> bool:
    """Apply `rows` without asking the store.

    Returns False if events before them are missing here, so that the caller must read them.
    """
    if table.deleted or table.old or not table.begun:
        return False
    new_rows = [row for row in rows if row.seq > table.state.seq]
    if [row.seq for row in new_rows] != list(
        range(table.state.seq + 1, table.state.seq + 1 + len(new_rows))
    ):
        return False
    if new_rows:
        await _apply_events(table, new_rows, None)
    return True


async def _load_started_game(table: "Table") -> None:
    await table.load()
    rows, table.last_event_at = await table.store.events(table.id), time.monotonic()
    for viewer in table.viewers:
        viewer.post(encode(full_state(table, viewer, rows[: table.state.seq + 1])))


async def _apply_events(
    table: "Table", events: Sequence[EventRow], new_timing: TimingState | None
) -> None:
    """Apply events of another server in order, each once."""
    timing = new_timing or table.timing.saved
    if not events:
        table.timing.saved = timing
        if new_timing:
            table.broadcast_timing()
        return
    state = table.state.copy()
    game_events = (
        await asyncio.to_thread(lambda: list(state.replayed_events(events)))
        if len(events) > EVERY
        else list(state.replayed_events(events))
    )
    for row in events:
        if row.kind == "move" and row.seat is not None:
            table.bots_in_a_row = table.bots_in_a_row + 1 if table.bot_of(row.seat) else 0
    table.apply_saved(state, game_events, timing)


def _apply_notes_and_chat(table: "Table", writes: UnseenWrites) -> None:
    for note in writes.notes:
        table.coach.add(note)
    if writes.notes:
        table.broadcast(protocol.CoachNow(table.coach_status()))
    for row in writes.chat:
        table.chat.add(row)
        table.broadcast(protocol.ChatMessage(row.line))
    if writes.rematch != table.rematch:
        table.rematch = writes.rematch
        table.broadcast(protocol.RematchReady(table.rematch))


def _unseat_viewers(table: "Table") -> None:
    """Turn people who lost their seat on another server into spectators."""
    for viewer in table.viewers:
        if viewer.seat != NOBODY and viewer.seat not in table.seats_of(viewer.player):
            viewer.seat = NOBODY
            table.send_full_state(viewer)
