"""Stored timing of tables: clocks and proposals, one row per table that has any."""

from typing import NamedTuple

import msgspec

from souk.server.protocol.table import ClockTerms
from souk.server.storage.connection import Connection
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store
from souk.server.tables.timing.clocks import GameClock
from souk.server.tables.timing.uptime_clock import save_uptime
from souk.server.tables.votes.proposal_state import ProposalState


class TimingState(NamedTuple):
    """Clocks and proposals of a table. `version`: number of writes, 0 for none."""

    version: int = 0
    clocks: GameClock | None = None
    asking: ProposalState = ProposalState()


class _StoredTiming(msgspec.Struct):
    """The JSON in the state column."""

    left: tuple[float, ...] = ()
    since: dict[int, float] = {}
    fresh: frozenset[int] = frozenset()
    asking: ProposalState = ProposalState()


_encode = msgspec.json.Encoder().encode
_read_terms = msgspec.json.Decoder(ClockTerms).decode
_read = msgspec.json.Decoder(_StoredTiming).decode


def save_statements(
    table: str, stored: TimingState, timing: TimingState, now: float
) -> list[Statement]:
    """Statements that store a changed state; WriteConflict if another server wrote first."""
    if timing is stored:
        return []
    clocks = timing.clocks
    terms = _encode(clocks.terms).decode() if clocks else ""
    clock_fields = (
        (clocks.left, dict(clocks.since), clocks.fresh) if clocks else ((), {}, frozenset[int]())
    )
    values = (
        timing.version,
        terms,
        _encode(_StoredTiming(*clock_fields, timing.asking)).decode(),
        clocks.due if clocks else None,
    )
    if not stored.version:
        change = """INSERT INTO timing SELECT ?, ?, ?, ?, ?
            WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"""
        return [Statement(change, (table, *values, table), exactly_one=True), save_uptime(now)]
    change = """UPDATE timing SET version = ?, terms = ?, state = ?, due = ?
        WHERE "table" = ? AND version = ?"""
    return [Statement(change, (*values, table, stored.version), exactly_one=True), save_uptime(now)]


async def load_timing(store: Store, table: str) -> TimingState:
    """The stored timing of a table."""
    return await store.query(read_timing, table)


def read_timing(connection: Connection, table: str) -> TimingState:
    row = connection.execute(
        'SELECT version, terms, state FROM timing WHERE "table" = ?', (table,)
    ).fetchone()
    if row is None:
        return TimingState()
    stored = _read(row[2])
    clocks = (
        GameClock(_read_terms(row[1]), stored.left, stored.since, stored.fresh) if row[1] else None
    )
    return TimingState(row[0], clocks, stored.asking)


def next_due(connection: Connection) -> float | None:
    """When the first clock of any table runs out; None if none runs."""
    [(due,)] = connection.execute("SELECT min(due) FROM timing WHERE due IS NOT NULL")
    return None if due is None else float(due)


def due_tables(connection: Connection, now: float, most: int) -> list[str]:
    """Tables with a clock that has run out."""
    query = 'SELECT "table" FROM timing WHERE due IS NOT NULL AND due <= ? ORDER BY due LIMIT ?'
    return [row[0] for row in connection.execute(query, (now, most))]


def stop_watching(table: str) -> Statement:
    """Stop watching a table's clocks."""
    return Statement('UPDATE timing SET due = NULL WHERE "table" = ?', (table,))
