"""The thread that writes. Writes that are waiting go into one transaction together, and each is reported when that is on disk."""

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from souk.table.logs import note, trouble
from souk.table.store import Change, Deed, NotKept, Overtaken, Statement

_LARGEST_HEAP = 64  # rows that one statement writes

Written = Callable[[float, bool], None]  # told how many seconds a transaction took, and whether it was kept


class _Waiting(NamedTuple):
    statements: Sequence[Change]
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[None]"


class Writer:
    """The thread that writes: whatever is waiting goes to disk in one transaction."""

    def __init__(self, connection: sqlite3.Connection, written: Written) -> None:
        self._written = written
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._connection = connection
        self._thread = threading.Thread(target=self._run, name="writing")
        self._thread.start()

    def write(self, statements: Sequence[Change]) -> "asyncio.Future[None]":
        """To be awaited: done once it is on disk; NotKept where it could not be written."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._waiting.put(_Waiting(statements, loop, future))
        return future

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        self._waiting.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            going_on = None not in batch
            self._write_all([each for each in batch if each is not None])

    def _write_all(self, batch: list[_Waiting]) -> None:
        if not batch:
            return
        try:
            self._transaction(batch)
            _report(batch, None)
        except Exception:  # whatever it is, this thread goes on
            # One of them cannot be written. Each for itself, so that the others are not refused with it.
            for each in batch:
                try:
                    self._transaction([each])
                    _report([each], None)
                except Overtaken as error:
                    note("not written", why=str(error))
                    _report([each], error)
                except sqlite3.IntegrityError as error:  # a number that another server at the same file has written
                    note("not written", why=str(error))
                    _report([each], NotKept(str(error)))
                except Exception as error:
                    trouble("not written", error)
                    _report([each], NotKept(str(error)))

    def _transaction(self, batch: list[_Waiting]) -> None:
        execute, begin = self._connection.execute, time.perf_counter()
        try:
            execute("BEGIN IMMEDIATE")
            execute_together(self._connection, [each.statements for each in batch])
            execute("COMMIT")
        except Exception:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            self._written(time.perf_counter() - begin, False)
            raise
        self._written(time.perf_counter() - begin, True)


def execute_together(connection: sqlite3.Connection, writes: Sequence[Sequence[Change]]) -> None:
    """Several writes within one transaction, in their order. Those of which that can be said are made by a few statements for all of them: for each
    statement this thread has to wait until Python is its own again, and where much is going on that takes far longer than to write."""
    waiting: dict[str, list[Statement]] = {}
    changed: set[Any] = set()  # rows, by what waits: each once
    for statements in writes:
        alike = [each for each in statements if isinstance(each, Statement) and each.many]
        rows = {each.values[-1] for each in alike if each.certain}
        if len(alike) < len(statements) or rows & changed:
            _execute_many(connection, waiting)
            waiting, changed = {}, set()
        if len(alike) < len(statements):
            execute_all(connection, statements)
            continue
        changed |= rows
        for each in alike:
            waiting.setdefault(each.many, []).append(each)
    _execute_many(connection, waiting)


def _execute_many(connection: sqlite3.Connection, waiting: dict[str, list[Statement]]) -> None:
    """In heaps of a few sizes, so that few texts have to be understood."""
    for many, statements in waiting.items():
        begin = 0
        while begin < len(statements):
            size = min(_LARGEST_HEAP, 1 << (len(statements) - begin).bit_length() - 1)
            heap = statements[begin : begin + size]
            row = f"({', '.join('?' * len(heap[0].values))})"
            values = [value for each in heap for value in each.values]
            done = connection.execute(many.format(rows=", ".join([row] * size)), values)
            if heap[0].certain and done.rowcount != size:
                raise Overtaken("somebody else was first")
            begin += size


def execute_all(connection: sqlite3.Connection, statements: Sequence[Change]) -> None:
    """Within a transaction. Overtaken where something is no longer as it was known."""
    for each in statements:
        if isinstance(each, Deed):
            each.do(connection)
            continue
        text, values, certain, _ = each
        done = connection.execute(text, values)
        if certain and done.rowcount != 1:
            raise Overtaken("somebody else was first")
        if done.description:  # what answers is done only once all of it is read
            done.fetchall()


def _report(batch: list[_Waiting], error: Exception | None) -> None:
    def settle() -> None:
        for each in batch:
            if each.future.done():  # whoever waited has gone
                continue
            if error is None:
                each.future.set_result(None)
            else:
                each.future.set_exception(error)

    if not batch[0].loop.is_closed():
        batch[0].loop.call_soon_threadsafe(settle)
