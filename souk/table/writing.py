"""The thread that writes. Writes that are waiting go into one transaction together, and each is reported when that is on disk."""

import asyncio
import queue
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence

from souk.table.database import Line
from souk.table.logs import note, trouble
from souk.table.store import Change, Deed, NotKept, Overtaken, Unreachable

# That wait together: where there are so many, others come in the next milliseconds. With fewer, as at 700 moves a second, nobody is made to wait.
MANY = 5
Written = Callable[[float, bool], None]  # told how many seconds a transaction took, and whether it was kept


class InDoubt(Exception):
    """The line broke while it was being kept, and the database cannot be asked any more whether it was."""


class Waiting:
    """Changes that wait to be written, the table that they are about, and whoever waits for it."""

    def __init__(self, changes: Sequence[Change], table: str) -> None:
        self.changes, self.table = changes, table
        self._loop = asyncio.get_running_loop()
        self.future: asyncio.Future[None] = self._loop.create_future()
        # Whoever has it settles what becomes of this. There is none where only the thread that writes may.
        self._claim: threading.Lock | None = None
        self._timer: asyncio.TimerHandle | None = None

    def wait_no_longer_than(self, seconds: float) -> None:
        """Refuse it after a while, unless somebody has begun to write it by then."""

        claim = self._claim = threading.Lock()

        def refuse() -> None:
            if claim.acquire(blocking=False) and not self.future.done():
                self.future.set_exception(Unreachable("the database does not answer"))

        self._timer = self._loop.call_later(seconds, refuse)

    def take(self) -> bool:
        """It is to be written now; False where nobody waits any longer."""
        return self._claim is None or self._claim.acquire(blocking=False)

    def settle(self, error: Exception | None, in_doubt: bool = False) -> None:
        """Tell whoever waits. `in_doubt`: nobody knows whether it was kept, and nobody is told that it was, or was not."""
        if self._timer:
            self._timer.cancel()
        if self.future.done():  # whoever waited has gone
            return
        if in_doubt:
            self.future.cancel()
        elif error is None:
            self.future.set_result(None)
        else:
            self.future.set_exception(error)

    @staticmethod
    def tell(batch: "Sequence[Waiting]", error: Exception | None = None, in_doubt: bool = False) -> None:
        """From the thread that writes."""

        def settle() -> None:
            for each in batch:
                each.settle(error, in_doubt)

        if batch and not batch[0]._loop.is_closed():
            batch[0]._loop.call_soon_threadsafe(settle)


class Writer(ABC):
    """A thread that writes: whatever is waiting goes to disk in one transaction. `patience`: seconds after which is refused what nobody has begun to
    write; 0 for never. `apart`: seconds from one transaction to the next while many write, so that these are fewer and larger."""

    def __init__(self, written: Written, patience: float = 0.0, apart: float = 0.0) -> None:
        self._written, self._patience, self._apart = written, patience, apart
        self._queue: queue.SimpleQueue[Waiting | None] = queue.SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writing")
        self._thread.start()

    def write(self, changes: Sequence[Change], table: str = "") -> "asyncio.Future[None]":
        """To be awaited: done once it is on disk; NotKept where it could not be written."""
        waiting = Waiting(changes, table)
        if self._patience:
            waiting.wait_no_longer_than(self._patience)
        self._queue.put(waiting)
        return waiting.future

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        self._queue.put(None)
        self._thread.join()
        self._hang_up()

    @abstractmethod
    def _transaction(self, batch: list[Waiting]) -> None:
        """All of it or nothing."""

    @abstractmethod
    def _hang_up(self) -> None:
        """Close the connection."""

    @abstractmethod
    def _is_late(self, error: Exception) -> bool:
        """Whether it is because another server at the same store has written that number."""

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch = [self._queue.get()]
            while not self._queue.empty():
                batch.append(self._queue.get())
            going_on, begin = None not in batch, time.perf_counter()
            self._write_all([each for each in batch if each is not None and each.take()])
            if going_on and len(batch) >= MANY:
                time.sleep(max(0.0, begin + self._apart - time.perf_counter()))

    def _write_all(self, batch: list[Waiting]) -> None:
        if not batch:
            return
        try:
            self._timed(batch)
            Waiting.tell(batch)
        except Unreachable as error:
            note("not written", why=str(error), writes=len(batch))
            Waiting.tell(batch, error)
        except InDoubt as error:
            trouble("nobody knows whether it was written", error, writes=len(batch))
            Waiting.tell(batch, in_doubt=True)
        except Exception as error:  # whatever it is, this thread goes on
            if len(batch) == 1:
                self._refuse(batch[0], error)
                return
            # One of them cannot be written. Half by half until it is alone, so that the others are not refused with it.
            half = len(batch) // 2
            self._write_all(batch[:half])
            self._write_all(batch[half:])

    def _timed(self, batch: list[Waiting]) -> None:
        begin, kept = time.perf_counter(), False
        try:
            self._transaction(batch)
            kept = True
        finally:
            self._written(time.perf_counter() - begin, kept)

    def _refuse(self, waiting: Waiting, error: Exception) -> None:
        why = self._why(error)
        if isinstance(error, Overtaken) or self._is_late(error):
            note("not written", why=why)
            error = Overtaken(why)
        else:
            trouble("not written", error)
        Waiting.tell([waiting], error if isinstance(error, NotKept) else NotKept(why))

    def _why(self, error: Exception) -> str:
        return str(error)


def execute_all(connection: Line, changes: Sequence[Change]) -> None:
    """Within a transaction. Overtaken where something is no longer as it was known."""
    for each in changes:
        if isinstance(each, Deed):
            each.do(connection)
            continue
        if each.turn:
            connection.take_turn(each.turn)
        done = connection.execute(each.text, each.values)
        if each.certain and done.rowcount != 1:
            raise Overtaken("somebody else was first")
        if done.description:  # what answers is done only once all of it is read
            done.fetchall()
