"""Group commit: one writer thread batches pending writes into transactions.

Callers await a future that resolves once their write is on disk. If a batch fails, it is split in
half until the failing write is alone, so that one bad write never rejects its neighbours.
"""

import asyncio
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from souk.server.common.logs import log_error, log_info
from souk.server.storage.connection import Connection
from souk.server.storage.errors import StoreFailure, Unreachable, WriteConflict, WriteFailed
from souk.server.storage.rows import Change, TransactionStep

# Batch size from which the writer pauses between commits, as more writes are about to come. Smaller
# batches (up to about 700 moves a second) are committed at once.
BUSY_BATCH = 5
# Called with the seconds that a transaction took, and whether it was committed.
OnWritten = Callable[[float, bool], None]
CONFLICT = "another server was first"


class CommitInDoubt(StoreFailure):
    """The connection or files were lost during COMMIT, and nobody can tell whether it succeeded."""


class PendingWrite:
    """Changes waiting for the writer thread, with the future that their caller awaits."""

    def __init__(self, changes: Sequence[Change], table: str) -> None:
        self.changes, self.table = changes, table
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[None] = self._loop.create_future()
        # Held by the writer thread or the timer, whichever decides the outcome; None without timer.
        self._claim: threading.Lock | None = None
        self._timer: asyncio.TimerHandle | None = None

    def expire_after(self, seconds: float) -> None:
        """Fail with `Unreachable` unless the writer has picked this up within `seconds`."""
        claim = self._claim = threading.Lock()

        def expire() -> None:
            if claim.acquire(blocking=False) and not self.future.done():
                self.future.set_exception(Unreachable("the database does not answer"))

        self._timer = self._loop.call_later(seconds, expire)

    def take(self) -> bool:
        """Claim this for writing; False if it has expired."""
        return self._claim is None or self._claim.acquire(blocking=False)

    def settle(self, error: Exception | None, in_doubt: bool = False) -> None:
        """Resolve the future. `in_doubt`: cancel it, as neither success nor failure is certain."""
        if self._timer:
            self._timer.cancel()
        if self.future.done():  # its caller was cancelled
            return
        if in_doubt:
            self.future.cancel()
        elif error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(error)

    @staticmethod
    def settle_all(
        batch: "Sequence[PendingWrite]", error: Exception | None = None, in_doubt: bool = False
    ) -> None:
        """Settle a batch in the event loop, from the writer thread."""

        def settle() -> None:
            for write in batch:
                write.settle(error, in_doubt)

        if batch and not batch[0]._loop.is_closed():
            batch[0]._loop.call_soon_threadsafe(settle)


class Writer(ABC):
    """Commits pending writes from a single thread.

    Args:
        timeout: reject writes not started after this many seconds (0: wait forever).
        min_interval: under load, leave at least this many seconds between transactions, so that
            batches grow.
    """

    def __init__(
        self, on_written: OnWritten, timeout: float = 0.0, min_interval: float = 0.0
    ) -> None:
        self._on_written, self._timeout, self._min_interval = on_written, timeout, min_interval
        self._queue: queue.SimpleQueue[PendingWrite | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writing", daemon=True)
        self._thread.start()

    def write(self, changes: Sequence[Change], table: str = "") -> "asyncio.Future[None]":
        """A future that resolves once the changes are on disk, or raises WriteFailed."""
        write = PendingWrite(changes, table)
        if self._timeout:
            write.expire_after(self._timeout)
        self._queue.put(write)
        return write.future

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()
        self._disconnect()

    @abstractmethod
    def _transaction(self, batch: list[PendingWrite]) -> None:
        """Commit a batch, all or nothing."""

    @abstractmethod
    def _disconnect(self) -> None:
        """Close the connection."""

    @abstractmethod
    def _is_conflict(self, error: Exception) -> bool:
        """Whether another server has already written a row with that key."""

    @abstractmethod
    def _is_operational(self, error: Exception) -> bool:
        """Whether this is a failure of the database, such as a full disk, and no bug."""

    def _run(self) -> None:
        running = True
        while running:
            batch = [self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get())
            running, begin = None not in batch, time.perf_counter()
            self._write_all([write for write in batch if write is not None and write.take()])
            if running and len(batch) >= BUSY_BATCH:
                time.sleep(max(0.0, begin + self._min_interval - time.perf_counter()))

    def _write_all(self, batch: list[PendingWrite]) -> None:
        if not batch:
            return
        try:
            self._timed_transaction(batch)
            PendingWrite.settle_all(batch)
        except Unreachable as error:
            log_error("write rejected", error)
            PendingWrite.settle_all(batch, error)
        except CommitInDoubt as error:
            log_error("commit in doubt", error, batch=len(batch))
            PendingWrite.settle_all(batch, in_doubt=True)
        except Exception as error:  # the thread must survive anything
            if len(batch) == 1:
                self._reject(batch[0], error)
                return
            half = len(batch) // 2
            self._write_all(batch[:half])
            self._write_all(batch[half:])

    def _timed_transaction(self, batch: list[PendingWrite]) -> None:
        begin, committed = time.perf_counter(), False
        try:
            self._transaction(batch)
            committed = True
        finally:
            self._on_written(time.perf_counter() - begin, committed)

    def _reject(self, write: PendingWrite, error: Exception) -> None:
        reason = self._reason(error)
        if isinstance(error, WriteConflict) or self._is_conflict(error):
            log_info("write rejected", why=reason)
            error = WriteConflict(reason)
        else:
            failure = error if isinstance(error, WriteFailed) else WriteFailed(reason)
            log_error("write rejected", failure if self._is_operational(error) else error)
            error = failure
        PendingWrite.settle_all([write], error)

    def _reason(self, error: Exception) -> str:
        return str(error)


def execute_all(connection: Connection, changes: Sequence[Change]) -> None:
    """Execute changes within a transaction; WriteConflict if a row is not as expected."""
    for change in changes:
        if isinstance(change, TransactionStep):
            change.do(connection)
            continue
        if change.lock:
            connection.take_lock(change.lock)
        cursor = connection.execute(change.text, change.values)
        if change.exactly_one and cursor.rowcount != 1:
            raise WriteConflict(CONFLICT)
        if cursor.description:  # statements that return rows end once all are read
            cursor.fetchall()
