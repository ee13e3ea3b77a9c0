"""Events in the database: the event, its entrants, and the tables of its rounds.

Every change increments the event's version from the one it was based on, so that of two servers
only one succeeds. Tables are named when a round is drawn, so that none is made twice.
"""

import contextlib
import time
from asyncio import Lock
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from souk.server.events.pairing import PairingTable
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.events import EventSettings, EventStatus, Outcome
from souk.server.storage.connection import Connection, placeholders
from souk.server.storage.errors import WriteConflict, WriteFailed, refuse_failed_writes
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store

_TRIES = 5


class EntrantRow(NamedTuple):
    """A participant: a person, or a bot of a level."""

    number: int
    name: str
    player: bytes | None
    level: str
    since: int = 1  # the first round
    until: int | None = None  # first round without them
    removed: bool = False  # by the host; they cannot join again

    def plays_in(self, round_number: int) -> bool:
        return self.since <= round_number and (self.until is None or round_number < self.until)


class Ranking(msgspec.Struct, frozen=True):
    """A table's result: ranks from 1, and scores, by seat."""

    outcome: Outcome
    ranks: list[int]
    scores: list[int]


class EventTableRow(NamedTuple):
    """A table of a round. `made`: it exists; `late`: it was started without absent players."""

    round: int
    number: int
    table: str
    game: str
    seats: tuple[int, ...]
    made: bool = False
    late: bool = False
    result: Ranking | None = None


class EventRow(NamedTuple):
    """An event with everything that belongs to it.

    `due`, in uptime: the end of the current round, or between rounds the start of the next.
    """

    id: str
    name: str
    host: bytes | None
    key: bytes | None  # digest of the host's secret
    terms: EventSettings
    state: EventStatus
    round: int
    rounds: int
    began: float | None
    due: float | None
    seed: bytes
    created: float
    changed: float
    version: int
    entrants: tuple[EntrantRow, ...] = ()
    tables: tuple[EventTableRow, ...] = ()

    @property
    def active(self) -> list[EntrantRow]:
        """Participants of the next round, as known now."""
        return [entrant for entrant in self.entrants if entrant.plays_in(self.round + 1)]

    def of_round(self, round_number: int) -> list[EventTableRow]:
        return [event_table for event_table in self.tables if event_table.round == round_number]

    @property
    def unfinished(self) -> list[EventTableRow]:
        return [event_table for event_table in self.tables if event_table.result is None]

    def entrant_of(self, player: bytes | None) -> EntrantRow | None:
        return next(
            (
                entrant
                for entrant in self.entrants
                if player is not None and entrant.player == player
            ),
            None,
        )


_encode = msgspec.json.Encoder().encode
_read_terms = msgspec.json.Decoder(EventSettings).decode
_read_result = msgspec.json.Decoder(Ranking).decode
_read_seats = msgspec.json.Decoder(tuple[int, ...]).decode

# ---------------------------------------------------------------- statements


def insert_event(event: EventRow) -> list[Statement]:
    """Store a new event."""
    row = (*event[:4], _encode(event.terms).decode(), *event[5:14])
    return [
        Statement(f"INSERT INTO hosted_events VALUES ({placeholders(14)})", row),
        *(upsert_entrant(event.id, entrant) for entrant in event.entrants),
    ]


def upsert_entrant(event: str, entrant: EntrantRow) -> Statement:
    """Add or update an entrant."""
    changed = ", ".join(f"{field} = excluded.{field}" for field in EntrantRow._fields[1:])
    upsert = f"""INSERT INTO entrants VALUES ({placeholders(8)})
        ON CONFLICT (event, number) DO UPDATE SET {changed}"""
    return Statement(upsert, (event, *entrant))


def delete_entrant(event: str, number: int) -> Statement:
    """Delete an entrant."""
    return Statement("DELETE FROM entrants WHERE event = ? AND number = ?", (event, number))


def insert_event_table(event: str, event_table: EventTableRow) -> Statement:
    """Store a table to be made."""
    result = _encode(event_table.result).decode() if event_table.result else ""
    row = (
        event,
        *event_table[:4],
        _encode(event_table.seats).decode(),
        event_table.made,
        event_table.late,
        result,
    )
    return Statement(f"INSERT INTO event_tables VALUES ({placeholders(9)})", row)


def mark_made(event: str, event_table: EventTableRow) -> Statement:
    """Mark a table as made; part of the transaction that makes it, so that it is made once."""
    change = """UPDATE event_tables SET made = TRUE
        WHERE event = ? AND round = ? AND number = ? AND NOT made"""
    return Statement(change, (event, event_table.round, event_table.number), exactly_one=True)


def mark_late(event: str, event_table: EventTableRow) -> Statement:
    """Stop waiting for absent players of a table."""
    change = "UPDATE event_tables SET late = TRUE WHERE event = ? AND round = ? AND number = ?"
    return Statement(change, (event, event_table.round, event_table.number))


def insert_result(event: str, event_table: EventTableRow, result: Ranking) -> Statement:
    """Store a table's result, once."""
    change = """UPDATE event_tables SET result = ?
        WHERE event = ? AND round = ? AND number = ? AND result = ''"""
    return Statement(
        change,
        (_encode(result).decode(), event, event_table.round, event_table.number),
        exactly_one=True,
    )


def update_event(current: EventRow, new: EventRow) -> Statement:
    """Update an event; WriteConflict if it has changed since `current` was read."""
    change = """UPDATE hosted_events SET name = ?, host = ?, state = ?, round = ?, rounds = ?,
        began = ?, due = ?, changed = ?, version = version + 1 WHERE id = ? AND version = ?"""
    values = (
        new.name,
        new.host,
        new.state,
        new.round,
        new.rounds,
        new.began,
        new.due,
        time.time(),
        current.id,
        current.version,
    )
    return Statement(change, values, exactly_one=True)


def delete_event(event: str) -> list[Statement]:
    """Delete an event; its tables stay."""
    parts = [
        Statement(f"DELETE FROM {part} WHERE event = ?", (event,))
        for part in ("entrants", "event_tables")
    ]
    return [Statement("DELETE FROM hosted_events WHERE id = ?", (event,), exactly_one=True), *parts]


def delete_old_events(over_before: float | None, open_before: float | None) -> list[Statement]:
    """Delete events that ended, or that nobody has changed, before these times."""
    limits = [("state = 'over'", over_before), ("state != 'over'", open_before)]
    deleted = [
        Statement(f"DELETE FROM hosted_events WHERE {which} AND changed < ?", (before,))
        for which, before in limits
        if before is not None
    ]
    parts = [
        Statement(f"DELETE FROM {part} WHERE event NOT IN (SELECT id FROM hosted_events)")
        for part in ("entrants", "event_tables")
    ]
    return [*deleted, *parts] if deleted else []


# ---------------------------------------------------------------- queries


def read_event(connection: Connection, event: str) -> EventRow | None:
    row = connection.execute("SELECT * FROM hosted_events WHERE id = ?", (event,)).fetchone()
    if row is None:
        return None
    query = """SELECT number, name, player, level, since, until, removed FROM entrants
        WHERE event = ? ORDER BY number"""
    entrants = tuple(
        EntrantRow._make([*entrant[:6], bool(entrant[6])])
        for entrant in connection.execute(query, (event,)).fetchall()
    )
    query = """SELECT round, number, "table", game, seats, made, late, result FROM event_tables
        WHERE event = ? ORDER BY round, number"""
    tables = tuple(map(_event_table, connection.execute(query, (event,)).fetchall()))
    return EventRow._make([*row[:4], _read_terms(row[4]), *row[5:], entrants, tables])


def _event_table(row: Sequence[Any]) -> EventTableRow:
    result = _read_result(row[7]) if row[7] else None
    return EventTableRow._make([*row[:4], _read_seats(row[4]), bool(row[5]), bool(row[6]), result])


def events_of(
    connection: Connection, player: bytes, limit: int
) -> list[tuple[str, str, EventStatus, int, bool]]:
    """Events a person hosts or takes part in, latest first: id, name, state, round, whether they
    host it.
    """
    query = """SELECT id, name, state, round, host IS ? FROM hosted_events WHERE host = ?
        OR id IN (SELECT event FROM entrants WHERE player = ? AND NOT removed)
        ORDER BY created DESC LIMIT ?"""
    return [
        (*row[:4], bool(row[4]))
        for row in connection.execute(query, (player, player, player, limit))
    ]


def count_hosted(connection: Connection, player: bytes) -> int:
    """Number of a person's unfinished events."""
    [(count,)] = connection.execute(
        "SELECT count(*) FROM hosted_events WHERE host = ? AND state != 'over'", (player,)
    )
    return int(count)


def count_bots_only(connection: Connection, host: bytes, event: str) -> int:
    """Number of running events with bots only, of this host or with this id."""
    query = """SELECT count(*) FROM hosted_events
        WHERE (host = ? OR id = ?) AND state IN ('playing', 'between') AND NOT EXISTS
        (SELECT 1 FROM entrants WHERE event = id AND level = '' AND until IS NULL)"""
    [(count,)] = connection.execute(query, (host, event))
    return int(count)


def due_events(connection: Connection, now: float, wait: float) -> list[str]:
    """Events with something to do: tables to make, start or score, or a round or pause that is
    over.
    """
    query = """SELECT event FROM event_tables JOIN hosted_events ON hosted_events.id = event
            LEFT JOIN tables ON tables.id = "table" WHERE result = ''
            AND (NOT made OR tables.id IS NULL OR over OR (NOT late AND began + :wait <= :now))
        UNION SELECT id FROM hosted_events WHERE state IN ('playing', 'between') AND due <= :now
        UNION SELECT id FROM hosted_events WHERE state = 'playing'
            AND id NOT IN (SELECT event FROM event_tables WHERE result = '')"""
    return [row[0] for row in connection.execute(query, {"now": now, "wait": wait})]


def running_events(connection: Connection) -> list[str]:
    return [
        row[0] for row in connection.execute("SELECT id FROM hosted_events WHERE state = 'playing'")
    ]


def versions(connection: Connection, events: Sequence[str]) -> dict[str, int]:
    """Versions by id; deleted events are missing."""
    query = f"SELECT id, version FROM hosted_events WHERE id IN ({placeholders(len(events))})"
    return dict(connection.execute(query, tuple(events)).fetchall())


class EventStorage:
    """Reads events, and changes them one at a time. `changed` is called after each change."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)
        self.changed: Callable[[str], None] = lambda _event_id: None

    async def find(self, event: str) -> EventRow:
        row = await self._store.query(read_event, event)
        if row is None:
            raise RequestRefused("event_unknown", 404)
        return row

    async def change(self, event: str, work: Callable[[EventRow], Sequence[Statement]]) -> EventRow:
        """Apply the statements `work` returns for the current event; returns the event afterwards.
        Retried on conflicts.
        """
        await self.find(event)  # creates no lock for unknown ids
        async with self._locks[event]:
            for _ in range(_TRIES):
                with contextlib.suppress(WriteConflict):
                    return await self._try(event, work)
        raise RequestRefused("not_kept", 503)

    async def _try(self, event: str, work: Callable[[EventRow], Sequence[Statement]]) -> EventRow:
        current = await self.find(event)
        statements = work(current)
        if not statements:
            return current
        try:
            await self._store.write(statements)
        except WriteConflict:
            raise
        except WriteFailed:
            raise RequestRefused("not_kept", 503) from None
        self.changed(event)
        return await self.find(event)

    async def add(self, event: EventRow) -> None:
        with refuse_failed_writes():
            await self._store.write(insert_event(event))

    async def delete(self, event: str) -> None:
        async with self._locks.pop(event, Lock()):
            with refuse_failed_writes():
                await self._store.write(delete_event(event))
        self.changed(event)


def past_tables(event: EventRow) -> list[PairingTable]:
    """All tables and byes drawn so far."""
    return [PairingTable(event_table.seats) for event_table in event.tables]
