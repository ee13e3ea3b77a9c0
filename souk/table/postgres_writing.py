"""The thread that writes to PostgreSQL, and what it does when the line breaks.

What waits goes into one transaction, all events of it in one statement, sent in one go (pipelined) and read in one go; then COMMIT, with
`synchronous_commit=on`. SQLite lets one write at a
time. PostgreSQL lets many, each seeing what was committed before its statement began (READ COMMITTED), so whatever was right because nobody else could
write says by itself what it relies on:

* numbers that are taken once (events, steps, sayings, notes) are primary keys: whoever comes second waits, and is refused;
* what changes from what it was known to be (seats, clocks, evenings, codes, passkeys' counters, rematches) says so in its WHERE: PostgreSQL looks at the
  row again once the first has committed, `certain` sees that nothing was changed, and the second is Overtaken;
* what looks at other rows than those it changes takes a turn first (`Statement.turn`, `Connection.take_turn`): results and ratings, notices, whose
  numbers would otherwise not come in the order in which they can be seen, and how many doors or passkeys somebody may have;
* what must not happen to a table that is just being deleted, or begun, holds its row first (`holding`), or has a foreign key to it.

Tables are written in the order of their names, and what many wait for last, so that two servers do not wait for each other. Where they do all the same,
PostgreSQL ends one of them, which then tries again.

When the line breaks before COMMIT was sent, nothing was kept: it is sent again over a new one, as long as people wait (`patience`), and is then refused.
When it breaks afterwards, nobody knows. Each transaction has told its number by then, and leaves a mark of its own; over a new line PostgreSQL is asked whether that
number is still under way, and then whether the mark is there, for as long as it takes, since "not kept" must never be said of what stands in the log, nor "done" of what does not. Those who wait for these very writes wait
until it is known; what comes after them is refused in time, as it was not begun. If the server is stopped meanwhile, they are told neither.
"""

import contextlib
import secrets
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import msgspec
import psycopg

from souk.table.logs import note
from souk.table.news import NOTICES, OpenEvent
from souk.table.postgres_line import PostgresLine, reason
from souk.table.sql_store import ADDING_EVENT, CHANGING_STANDING
from souk.table.store import Change, Deed, Overtaken, Statement, Unreachable
from souk.table.writing import InDoubt, Waiting, Writer, Written

# Told which tables were changed, and of some what has happened there, from the thread that writes, once it is on disk.
Changed = Callable[[Sequence[str], Mapping[str, list[OpenEvent]]], None]

_SECONDS_BETWEEN_TRIES = 0.2
_MOST_TRIES = 4  # where two servers wait for each other


# What most batches are made of, each as one statement for all. The rows of tables are locked by their names before.
_EVENTS = """INSERT INTO events ("table", seq, kind, seat, text, sealed, told, at) SELECT * FROM unnest(
    ?::text[], ?::int8[], ?::text[], ?::int8[], ?::text[], ?::bytea[], ?::bytea[], ?::float8[])"""
_STANDINGS = """UPDATE tables SET changed = new.changed, over = new.over, actors = new.actors, scores = new.scores, winners = new.winners
    FROM unnest(?::float8[], ?::boolean[], ?::text[], ?::text[], ?::text[], ?::text[]) AS new (changed, over, actors, scores, winners, id)
    WHERE tables.id = new.id RETURNING pg_current_xact_id()::text"""
_MOVES = f"WITH added AS ({_EVENTS}) {_STANDINGS}"
_MARK = """INSERT INTO writers VALUES (?, ?, now())
    ON CONFLICT (name) DO UPDATE SET mark = excluded.mark, at = excluded.at"""
_LOCK = "SELECT 1 FROM tables WHERE id = ANY(?::text[]) ORDER BY id FOR NO KEY UPDATE"

Certain = list[tuple[psycopg.Cursor[Any], int]]  # what was sent, and how many rows it must change


class _Transaction:
    """One attempt. `number` is known from when nothing but the COMMIT is missing. `mark` stands in the database once it is done, and nothing else leaves it
    there: after a crash PostgreSQL gives out numbers again whose transactions it has never heard of on disk."""

    def __init__(self, line: PostgresLine, writer: str) -> None:
        self.line, self.number = line, ""
        self.writer, self.mark = writer, secrets.token_hex(8)
        self.backend = line.raw.info.backend_pid
        self._certain: Certain = []
        self._told: psycopg.Cursor[Any] | None = None

    def carry_out(self, batch: Sequence[Waiting]) -> None:
        try:
            with self.line.raw.pipeline():
                self._send(_sorted_out(batch))
                number = self._ask_number()
        except psycopg.IntegrityError:
            self._check()  # it may be because of that
            raise
        self._check()
        self.number = number.fetchall()[0][0]
        self.line.raw.execute("COMMIT")

    def _send(self, work: "_SortedOut") -> None:
        """All that is to be done, without waiting for what comes of it."""
        self.line.execute("BEGIN")
        if len(work.standings) > 1:
            self.line.execute(_LOCK, ([*work.standings],))
        if work.standings:
            added, changed = _columns(work.events), _columns(work.standings.values())
            self._told = self.line.execute(_MOVES if added else _STANDINGS, [*added, *changed])
            self._certain.append((self._told, len(work.standings)))
        elif work.events:
            self.line.execute(_EVENTS, _columns(work.events))
        for change in (*work.others, *work.late.values()):
            if isinstance(change, Deed):
                change.do(self.line)
                continue
            if change.turn:
                self.line.take_turn(change.turn)
            done = self.line.execute(change.text, change.values)
            if change.certain:
                self._certain.append((done, 1))
        self.line.execute(_MARK, (self.writer, self.mark))

    def _ask_number(self) -> "psycopg.Cursor[Any]":
        """Where the transaction's number will be; moves tell it with what they have changed."""
        return self._told or self.line.execute("SELECT pg_current_xact_id()::text")

    def _check(self) -> None:
        """Overtaken where something has not changed as many rows as it was to. What did not get so far counts -1."""
        if any(done.rowcount not in (rows, -1) for done, rows in self._certain):
            raise Overtaken("somebody else was first")

    def take_back(self) -> None:
        """Nothing of it is to be; where the line is lost that is so already."""
        with contextlib.suppress(psycopg.Error):
            self.line.raw.rollback()


class _SortedOut(NamedTuple):
    """What a batch is made of. `standings`: by table; `late`: by text."""

    events: list[Sequence[Any]]
    standings: dict[str, Sequence[Any]]
    others: list[Change]
    late: dict[str, Statement]


def _sorted_out(batch: Sequence[Waiting]) -> _SortedOut:
    """Tables by their names, then those whose games end, then what is about no table."""
    found = _SortedOut([], {}, [], {})
    order = sorted(
        batch, key=lambda each: (not each.table, any(isinstance(one, Deed) for one in each.changes), each.table)
    )
    for change in (change for each in order for change in each.changes):
        if isinstance(change, Deed):
            found.others.append(change)
        elif change.late:
            found.late[change.text] = change
        elif change.text == ADDING_EVENT:
            found.events.append(change.values)
        elif change.text == CHANGING_STANDING and change.values[-1] not in found.standings:
            found.standings[change.values[-1]] = change.values
        else:
            found.others.append(change)
    return found


def _columns(rows: Iterable[Sequence[Any]]) -> list[list[Any]]:
    return [list(column) for column in zip(*rows, strict=True)]


class PostgresWriter(Writer):
    """Writes to PostgreSQL. `changed` is the place where others can be told."""

    def __init__(
        self, address: str, written: Written, patience: float, changed: Changed = lambda _tables, _events: None
    ) -> None:
        self._address, self._changed = address, changed
        self._name = secrets.token_hex(8)
        self._line: PostgresLine | None = None
        self._closing = threading.Event()
        super().__init__(written, patience)

    def close(self) -> None:
        self._closing.set()
        super().close()

    def _hang_up(self) -> None:
        if self._line:
            self._line.close()

    def _is_late(self, error: Exception) -> bool:
        return isinstance(error, psycopg.IntegrityError)

    def _why(self, error: Exception) -> str:
        return reason(error) if isinstance(error, psycopg.Error) else str(error)

    def _transaction(self, batch: list[Waiting]) -> None:
        until, tries = time.monotonic() + self._patience, 0
        while True:
            attempt = _Transaction(self._connected(until), self._name)
            try:
                attempt.carry_out(batch)
                break
            except psycopg.Error as error:
                attempt.take_back()
                if attempt.line.is_lost:
                    note("the line to the database is lost", why=reason(error))
                    if attempt.number and self._was_kept(attempt):
                        break
                    continue
                tries += 1
                if tries >= _MOST_TRIES or not isinstance(error, psycopg.errors.DeadlockDetected):
                    raise
            except BaseException:
                attempt.take_back()
                raise
        self._changed(_names(batch), _open_events(batch))

    def _connected(self, until: float) -> PostgresLine:
        while self._line is None or self._line.is_lost:
            try:
                self._line = PostgresLine(self._address)
            except psycopg.Error as error:
                if time.monotonic() >= until or self._closing.is_set():
                    raise Unreachable(reason(error)) from None
                time.sleep(_SECONDS_BETWEEN_TRIES)
        return self._line

    def _was_kept(self, attempt: _Transaction) -> bool:
        """What became of a transaction whose line broke at its end: asked until it is answered."""
        patience = time.monotonic() + self._patience
        while not (self._closing.is_set() and time.monotonic() >= patience):
            with contextlib.suppress(psycopg.Error, Unreachable):
                found = _outcome(self._connected(0.0), attempt)
                if found != "in progress":
                    note("asked whether it was written", found=found)
                    return found == "committed"
            time.sleep(_SECONDS_BETWEEN_TRIES)
        raise InDoubt("the database did not come back")


def _outcome(line: PostgresLine, attempt: _Transaction) -> str:
    """Of a transaction: "committed" where it has left its mark, "aborted" where it has not and never will, or "in progress" where the other end has not
    noticed yet that nobody is there; then it is told so."""
    try:
        [(found,)] = line.execute("SELECT pg_xact_status(?::text::xid8)", (attempt.number,))
    except psycopg.errors.InvalidParameterValue:  # a number that was never given out there
        return "aborted"
    if found != "in progress":
        marks = line.execute("SELECT mark FROM writers WHERE name = ?", (attempt.writer,)).fetchall()
        return "committed" if marks == [(attempt.mark,)] else "aborted"
    gone = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid = ? AND backend_xid = ?::text::xid8::xid"
    line.execute(gone, (attempt.backend, attempt.number))
    return "in progress"


def _names(batch: Sequence[Waiting]) -> list[str]:
    """The tables that were changed, each once, and whether there are notices."""
    noticed = any(isinstance(one, Statement) and one.turn == NOTICES for each in batch for one in each.changes)
    return [*dict.fromkeys(each.table for each in batch if each.table), *([NOTICES] if noticed else [])]


def _open_events(batch: Sequence[Waiting]) -> dict[str, list[OpenEvent]]:
    """By table, where nothing but that was written about it: what has happened, and is no secret."""
    found: dict[str, list[OpenEvent] | None] = {}
    for each in batch:
        rows = _rows_alone(each)
        known = found.get(each.table, [])
        found[each.table] = None if rows is None or known is None else [*known, *rows]
    return {table: rows for table, rows in found.items() if table and rows}


def _rows_alone(waiting: Waiting) -> list[OpenEvent] | None:
    """The events of a move; None where something else was written, or something that not everybody may know."""
    found: list[OpenEvent] = []
    for change in waiting.changes:
        if isinstance(change, Deed) or change.text not in (ADDING_EVENT, CHANGING_STANDING):
            return None
        if change.text == ADDING_EVENT:
            _table, seq, kind, seat, text, sealed, told, _at = change.values
            if sealed is not None or not told:
                return None
            found.append(OpenEvent(seq, kind, seat, text, msgspec.Raw(told)))
    return found
