"""The writer thread of a SQLite file.

The events and standings of many tables go into a few statements: after each statement this thread
waits for Python's global lock, which on a busy server takes far longer than writing.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from souk.server.common.logs import log_error
from souk.server.storage.errors import FilesReplaced, WriteConflict
from souk.server.storage.open_files import OpenFiles
from souk.server.storage.rows import Change, Statement
from souk.server.storage.sqlite_schema import SqliteConnection
from souk.server.storage.store import INSERT_EVENT, UPDATE_STANDING
from souk.server.storage.writer import (
    CONFLICT,
    CommitInDoubt,
    OnWritten,
    PendingWrite,
    Writer,
    execute_all,
)

# Seconds between transactions under load. At every statement this thread and the event loop hold
# each other up: batching saves the loop a twelfth of its time per move, for this much latency.
MIN_INTERVAL = 0.005
_MAX_ROWS = 64  # of one statement
# Statements for several rows. Their order relative to other writes makes no difference.
_MULTI_ROW = {
    INSERT_EVENT: f"{INSERT_EVENT.partition('VALUES')[0]} VALUES {{rows}}",
    UPDATE_STANDING: """UPDATE tables SET changed = new.column1, over = new.column2,
        actors = new.column3, scores = new.column4, winners = new.column5
        FROM (VALUES {rows}) AS new WHERE id = new.column6""",
}


class SqliteWriter(Writer):
    """Writes to a SQLite file as long as its files are those that were opened."""

    def __init__(
        self, connection: SqliteConnection, files: OpenFiles, on_written: OnWritten
    ) -> None:
        self._connection, self._files = connection, files
        self._files_lost = False
        super().__init__(on_written, min_interval=MIN_INTERVAL)

    def _transaction(self, batch: list[PendingWrite]) -> None:
        if not self._files_in_place():
            raise FilesReplaced
        with self._connection.transaction():
            _execute_batch(self._connection, [write.changes for write in batch])
        # A commit into a log that was deleted meanwhile may be lost, or may just have been copied.
        if not self._files_in_place():
            raise CommitInDoubt("files of the database were replaced meanwhile")

    def _files_in_place(self) -> bool:
        """Whether the files are still those that were opened; logs once when they are not."""
        replaced = self._files.replaced()
        if replaced and not self._files_lost:
            saved = self._files.only_log_deleted() and self._copy_log()
            log_error(
                "database files deleted or replaced: restart the server",
                files=replaced,
                copied=saved,
            )
        self._files_lost = bool(replaced)
        return not replaced

    def _copy_log(self) -> bool:
        """Checkpoint a deleted write-ahead log into the database, so that a crash loses nothing.

        Nobody else has written since: another SQLite process that deleted the log had copied all
        of it before, and after a deletion by hand our lock protects whatever others begin.
        """
        try:
            [(busy, pages, copied)] = self._connection.execute("PRAGMA wal_checkpoint(FULL)")
        except sqlite3.Error:
            return False
        return not busy and pages == copied

    def _disconnect(self) -> None:
        self._connection.close()

    def _is_conflict(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.IntegrityError)

    def _is_operational(self, error: Exception) -> bool:
        """Full, locked, unreadable; or damaged, which is a plain DatabaseError."""
        return isinstance(error, sqlite3.OperationalError) or type(error) is sqlite3.DatabaseError


def _execute_batch(connection: SqliteConnection, writes: Iterable[Sequence[Change]]) -> None:
    """Execute writes in order, merging moves into multi-row statements."""
    pending: dict[str, list[Statement]] = {}
    changed: set[str] = set()  # tables with a pending standing: at most one each
    for changes in writes:
        mergeable = [
            change
            for change in changes
            if isinstance(change, Statement) and change.text in _MULTI_ROW
        ]
        tables = {change.values[-1] for change in mergeable if change.text == UPDATE_STANDING}
        if len(mergeable) < len(changes) or tables & changed:
            _execute_merged(connection, pending)
            pending, changed = {}, set()
        if len(mergeable) < len(changes):
            execute_all(connection, changes)
            continue
        changed |= tables
        for change in mergeable:
            pending.setdefault(change.text, []).append(change)
    _execute_merged(connection, pending)


def _execute_merged(connection: SqliteConnection, pending: dict[str, list[Statement]]) -> None:
    """Execute statements of the same text as few multi-row ones.

    `souk.server.storage.sqlite_schema.connect` caches one prepared statement for each size.
    """
    for text, statements in pending.items():
        for begin in range(0, len(statements), _MAX_ROWS):
            part = statements[begin : begin + _MAX_ROWS]
            row = f"({', '.join('?' * len(part[0].values))})"
            values = [value for statement in part for value in statement.values]
            query = _MULTI_ROW[text].format(rows=", ".join([row] * len(part)))
            cursor = connection.execute(query, values)
            if part[0].exactly_one and cursor.rowcount != len(part):
                raise WriteConflict(CONFLICT)
