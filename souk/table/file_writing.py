"""The thread that writes to a file of SQLite.

What waits goes into one transaction, and the events and standings of many tables into a few statements: for each statement this thread has to wait until
Python is its own again, and where much is going on that takes far longer than to write.
"""

import sqlite3
from collections.abc import Iterable, Sequence

from souk.table.schema import FileLine
from souk.table.sql_store import ADDING_EVENT, CHANGING_STANDING
from souk.table.store import Change, Overtaken, Statement
from souk.table.writing import Waiting, Writer, Written, execute_all

# Seconds from one transaction to the next while many write. Each statement makes this thread and the loop wait for each other, and pass on all that
# they have at hand: a move takes a twelfth less of the loop than where each transaction begins when the last has ended, and may be answered so much later.
APART = 0.005
_LARGEST_HEAP = 64  # rows that one statement writes
# The same for several rows at a time, where it makes no difference what else is written with them.
_MANY = {
    ADDING_EVENT: f"{ADDING_EVENT.partition('VALUES')[0]} VALUES {{rows}}",
    CHANGING_STANDING: """UPDATE tables SET changed = new.column1, over = new.column2, actors = new.column3, scores = new.column4,
        winners = new.column5 FROM (VALUES {rows}) AS new WHERE id = new.column6""",
}


class FileWriter(Writer):
    """Writes to a file of SQLite."""

    def __init__(self, connection: FileLine, written: Written) -> None:
        self._connection = connection
        super().__init__(written, apart=APART)

    def _transaction(self, batch: list[Waiting]) -> None:
        with self._connection.transaction():
            _execute_together(self._connection, [each.changes for each in batch])

    def _hang_up(self) -> None:
        self._connection.close()

    def _is_late(self, error: Exception) -> bool:
        return isinstance(error, sqlite3.IntegrityError)


def _execute_together(connection: FileLine, writes: Iterable[Sequence[Change]]) -> None:
    """Several writes within one transaction, in their order."""
    waiting: dict[str, list[Statement]] = {}
    changed: set[str] = set()  # tables whose standing waits: each once
    for changes in writes:
        alike = [each for each in changes if isinstance(each, Statement) and each.text in _MANY]
        tables = {each.values[-1] for each in alike if each.text == CHANGING_STANDING}
        if len(alike) < len(changes) or tables & changed:
            _execute_many(connection, waiting)
            waiting, changed = {}, set()
        if len(alike) < len(changes):
            execute_all(connection, changes)
            continue
        changed |= tables
        for each in alike:
            waiting.setdefault(each.text, []).append(each)
    _execute_many(connection, waiting)


def _execute_many(connection: FileLine, waiting: dict[str, list[Statement]]) -> None:
    """In as few statements as can be. A text is understood once: `souk.table.schema.connect` keeps one of each size."""
    for text, statements in waiting.items():
        for begin in range(0, len(statements), _LARGEST_HEAP):
            heap = statements[begin : begin + _LARGEST_HEAP]
            row = f"({', '.join('?' * len(heap[0].values))})"
            values = [value for each in heap for value in each.values]
            done = connection.execute(_MANY[text].format(rows=", ".join([row] * len(heap))), values)
            if heap[0].certain and done.rowcount != len(heap):
                raise Overtaken("somebody else was first")
