"""The writer thread of PostgreSQL, and its recovery from lost connections.

A batch is one transaction: all its events go into one statement, everything is pipelined in one
round trip, then comes COMMIT with `synchronous_commit=on`.

Concurrency. Unlike SQLite, PostgreSQL has several writers at a time, each of which sees what was
committed before its statement began (READ COMMITTED). So every write states what it relies on:

* Numbers taken once (events, steps, chat, notes) are primary keys: the second writer fails.
* Updates of rows read before (seats, clocks, events of many tables, codes, passkey counters) name
  the old values in WHERE: PostgreSQL looks again once the first writer has committed,
  `Statement.exactly_one` sees that no row changed, and the second gets a WriteConflict.
* Changes that depend on other rows (results and ratings, the order of notices, limits on devices
  and passkeys) take an advisory lock first (`Statement.lock`, `Connection.take_lock`).
* Changes that must not meet the deletion or start of a table lock its row (`lock_table`) or have a
  foreign key to it.

Tables are written in the order of their names, and rows that all servers change last, so that
deadlocks are rare; PostgreSQL aborts one side of a deadlock, which then retries.

Lost connections. Before COMMIT was sent, nothing is committed: the batch is sent again over a new
connection for as long as callers wait (`timeout`). After that the outcome is in doubt. Each
transaction reports its number before COMMIT and leaves a mark: over a new connection we ask, for as
long as it takes, whether that transaction is still running and then whether its mark is there. Only
callers of this batch wait for that; later writes are rejected in time, as they were not begun. If
the server is stopped meanwhile, the callers are told neither success nor failure.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import psycopg

from souk.server.common.logs import log_info
from souk.server.storage.errors import Unreachable, WriteConflict
from souk.server.storage.postgres_connection import PostgresConnection, reason
from souk.server.storage.rows import NOTICES, Change, PublicEvent, Statement, TransactionStep
from souk.server.storage.store import INSERT_EVENT, UPDATE_STANDING
from souk.server.storage.writer import CONFLICT, CommitInDoubt, OnWritten, PendingWrite, Writer

# Called in the writer thread after a commit, with the names of changed tables and, for tables where
# nothing else changed, their public events.
OnChanged = Callable[[Sequence[str], Mapping[str, list[PublicEvent]]], None]

_RETRY_INTERVAL = 0.2
_MAX_DEADLOCKS = 4


# Most of what batches consist of, each as one statement for all tables.
_INSERT_EVENTS = """INSERT INTO events ("table", seq, kind, seat, text, sealed, told, at)
    SELECT * FROM unnest(?::text[], ?::int8[], ?::text[], ?::int8[], ?::text[], ?::bytea[],
        ?::bytea[], ?::float8[])"""
_UPDATE_STANDINGS = """UPDATE tables SET changed = new.changed, over = new.over,
        actors = new.actors, scores = new.scores, winners = new.winners
    FROM unnest(?::float8[], ?::boolean[], ?::text[], ?::text[], ?::text[], ?::text[])
        AS new (changed, over, actors, scores, winners, id)
    WHERE tables.id = new.id RETURNING pg_current_xact_id()::text"""
_WRITE_MOVES = f"WITH added AS ({_INSERT_EVENTS}) {_UPDATE_STANDINGS}"
_MARK = """INSERT INTO writers VALUES (?, ?, now())
    ON CONFLICT (name) DO UPDATE SET mark = excluded.mark, at = excluded.at"""
_LOCK_TABLES = "SELECT 1 FROM tables WHERE id = ANY(?::text[]) ORDER BY id FOR NO KEY UPDATE"


class _Transaction:
    """One attempt to commit a batch.

    `number` is known once only COMMIT is missing. `mark` is in the database if and only if the
    transaction was committed; the number alone does not tell, as PostgreSQL reuses numbers of
    transactions that a crash has lost.
    """

    def __init__(self, connection: PostgresConnection, writer: str) -> None:
        self.connection, self.number = connection, ""
        self.writer, self.mark = writer, secrets.token_hex(8)
        self.backend = connection.raw.info.backend_pid
        self._expected: list[tuple[psycopg.Cursor[Any], int]] = []  # rows that must change
        self._moves: psycopg.Cursor[Any] | None = None

    def run(self, batch: Sequence[PendingWrite]) -> None:
        try:
            with self.connection.raw.pipeline():
                self._send(_sorted(batch))
                number = self._query_number()
        except psycopg.IntegrityError:
            self._check()  # a conflict may be the cause
            raise
        self._check()
        self.number = number.fetchall()[0][0]
        self.connection.raw.execute("COMMIT")

    def _send(self, batch: "_SortedBatch") -> None:
        """Send all statements without waiting for results."""
        self.connection.execute("BEGIN")
        if len(batch.standings) > 1:
            self.connection.execute(_LOCK_TABLES, ([*batch.standings],))
        if batch.standings:
            events, standings = _columns(batch.events), _columns(batch.standings.values())
            query = _WRITE_MOVES if events else _UPDATE_STANDINGS
            self._moves = self.connection.execute(query, [*events, *standings])
            self._expected.append((self._moves, len(batch.standings)))
        elif batch.events:
            self.connection.execute(_INSERT_EVENTS, _columns(batch.events))
        for change in (*batch.others, *batch.last.values()):
            if isinstance(change, TransactionStep):
                change.do(self.connection)
                continue
            if change.lock:
                self.connection.take_lock(change.lock)
            cursor = self.connection.execute(change.text, change.values)
            if change.exactly_one:
                self._expected.append((cursor, 1))
        self.connection.execute(_MARK, (self.writer, self.mark))

    def _query_number(self) -> "psycopg.Cursor[Any]":
        """The result with the transaction's number; that of moves has it already."""
        return self._moves or self.connection.execute("SELECT pg_current_xact_id()::text")

    def _check(self) -> None:
        """Raise WriteConflict if a statement changed too few rows; -1 means not executed."""
        if any(cursor.rowcount not in (rows, -1) for cursor, rows in self._expected):
            raise WriteConflict(CONFLICT)

    def roll_back(self) -> None:
        """Roll back; a lost connection has done so already."""
        with contextlib.suppress(psycopg.Error):
            self.connection.raw.rollback()


class _SortedBatch(NamedTuple):
    """A batch by kind. `standings` are by table, `last` by text."""

    events: list[Sequence[Any]]
    standings: dict[str, Sequence[Any]]
    others: list[Change]
    last: dict[str, Statement]


def _sorted(batch: Sequence[PendingWrite]) -> _SortedBatch:
    """Sort by table, tables whose games end after the others, writes about no table last."""
    result = _SortedBatch([], {}, [], {})
    order = sorted(
        batch,
        key=lambda write: (
            not write.table,
            any(isinstance(change, TransactionStep) for change in write.changes),
            write.table,
        ),
    )
    for change in (change for write in order for change in write.changes):
        if isinstance(change, TransactionStep):
            result.others.append(change)
        elif change.last:
            result.last[change.text] = change
        elif change.text == INSERT_EVENT:
            result.events.append(change.values)
        elif change.text == UPDATE_STANDING and change.values[-1] not in result.standings:
            result.standings[change.values[-1]] = change.values
        else:
            result.others.append(change)
    return result


def _columns(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


class PostgresWriter(Writer):
    """Writes to PostgreSQL, and reports what was committed to `on_changed`."""

    def __init__(
        self,
        address: str,
        on_written: OnWritten,
        timeout: float,
        on_changed: OnChanged = lambda _tables, _events: None,
    ) -> None:
        self._address, self._on_changed = address, on_changed
        self._name = secrets.token_hex(8)
        self._connection: PostgresConnection | None = None
        self._closing = threading.Event()
        super().__init__(on_written, timeout)

    def close(self) -> None:
        self._closing.set()
        super().close()

    def _disconnect(self) -> None:
        if self._connection:
            self._connection.close()

    def _is_conflict(self, error: Exception) -> bool:
        return isinstance(error, psycopg.IntegrityError)

    def _is_operational(self, error: Exception) -> bool:
        """Full, shutting down, waiting for a lock; or read-only, which is an InternalError."""
        return isinstance(error, psycopg.OperationalError | psycopg.InternalError)

    def _reason(self, error: Exception) -> str:
        return reason(error) if isinstance(error, psycopg.Error) else str(error)

    def _transaction(self, batch: list[PendingWrite]) -> None:
        deadline, deadlocks = time.monotonic() + self._timeout, 0
        while True:
            attempt = _Transaction(self._connected(deadline), self._name)
            try:
                attempt.run(batch)
                break
            except psycopg.Error as error:
                attempt.roll_back()
                if attempt.connection.is_lost:
                    log_info("database connection lost", why=reason(error))
                    if attempt.number and self._was_committed(attempt):
                        break
                    continue
                deadlocks += 1
                is_deadlock = isinstance(error, psycopg.errors.DeadlockDetected)
                if deadlocks >= _MAX_DEADLOCKS or not is_deadlock:
                    raise
            except BaseException:
                attempt.roll_back()
                raise
        self._on_changed(_changed_names(batch), _public_events(batch))

    def _connected(self, deadline: float) -> PostgresConnection:
        while self._connection is None or self._connection.is_lost:
            try:
                self._connection = PostgresConnection(self._address)
            except psycopg.Error as error:
                if time.monotonic() >= deadline or self._closing.is_set():
                    raise Unreachable(reason(error)) from None
                time.sleep(_RETRY_INTERVAL)
        return self._connection

    def _was_committed(self, attempt: _Transaction) -> bool:
        """Ask whether a transaction in doubt was committed, until the database answers."""
        deadline = time.monotonic() + self._timeout
        while not (self._closing.is_set() and time.monotonic() >= deadline):
            with contextlib.suppress(psycopg.Error, Unreachable):
                outcome = _outcome(self._connected(0.0), attempt)
                if outcome != "in progress":
                    log_info("commit in doubt resolved", outcome=outcome)
                    return outcome == "committed"
            time.sleep(_RETRY_INTERVAL)
        raise CommitInDoubt("the database did not come back")


def _outcome(connection: PostgresConnection, attempt: _Transaction) -> str:
    """The outcome of a transaction: "committed", "aborted" or "in progress".

    A transaction is in progress while its backend has not noticed that we are gone; we terminate
    that backend.
    """
    query = "SELECT pg_xact_status(?::text::xid8)"
    try:
        [(status,)] = connection.execute(query, (attempt.number,))
    except psycopg.errors.InvalidParameterValue:  # a number that was never given out there
        return "aborted"
    if status != "in progress":
        query = "SELECT mark FROM writers WHERE name = ?"
        marks = connection.execute(query, (attempt.writer,)).fetchall()
        return "committed" if marks == [(attempt.mark,)] else "aborted"
    terminate = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE pid = ? AND backend_xid = ?::text::xid8::xid"""
    connection.execute(terminate, (attempt.backend, attempt.number))
    return "in progress"


def _changed_names(batch: Sequence[PendingWrite]) -> list[str]:
    """The tables that were changed, and NOTICES if notices were added."""
    has_notices = any(
        isinstance(change, Statement) and change.lock == NOTICES
        for write in batch
        for change in write.changes
    )
    return [
        *dict.fromkeys(write.table for write in batch if write.table),
        *([NOTICES] if has_notices else []),
    ]


def _public_events(batch: Sequence[PendingWrite]) -> dict[str, list[PublicEvent]]:
    """New events by table, for tables about which nothing else and no secret was written."""
    events: dict[str, list[PublicEvent] | None] = {}
    for write in batch:
        new, old = _events_if_public(write), events.get(write.table, [])
        events[write.table] = None if new is None or old is None else [*old, *new]
    return {table: public for table, public in events.items() if table and public}


def _events_if_public(write: PendingWrite) -> list[PublicEvent] | None:
    """The events of a move; None if anything else or a secret is part of the write."""
    events: list[PublicEvent] = []
    for change in write.changes:
        if isinstance(change, TransactionStep) or change.text not in (
            INSERT_EVENT,
            UPDATE_STANDING,
        ):
            return None
        if change.text == INSERT_EVENT:
            _table, seq, kind, seat, text, sealed, told, _at = change.values
            if sealed is not None or not told:
                return None
            events.append(PublicEvent(seq, kind, seat, text, msgspec.Raw(told)))
    return events
