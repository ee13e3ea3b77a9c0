"""Parallel work for tournaments, reports, exports and simulations.

A function is applied to many items, by processes of this machine or by a Ray cluster. Items are
independent, so the results do not depend on the workers or their number.
"""

import contextlib
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import threading
import time
import traceback
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, Generic, Self, TypeVar

from souk.core.json_fields import brief
from souk.lab.validation import check_whole

Item = TypeVar("Item")
Result = TypeVar("Result")
Function = Callable[[Item], Result]
Preparation = Callable[[Item], object]
Connection = multiprocessing.connection.Connection

# Seconds a process has to close its bots and exit.
_STOP_TIMEOUT = 3.0
# Finished items per worker that may wait in memory for an earlier one.
_READ_AHEAD = 4


@dataclass(frozen=True)
class Task(Generic[Item, Result]):
    """A function to apply to items."""

    function: Function[Item, Result]
    # Compiles and loads what the function needs; on a cluster, in one process per machine at a
    # time.
    prepare: Preparation[Item]
    # whether an item needs a GPU
    gpu: bool = False

    def run(self, item: Item) -> Result:
        self.prepare(item)
        return self.function(item)


def _no_preparation(_: object) -> None:
    pass


class Workers(ABC):
    """Processes items in parallel.

    Workers start on first use; `close`, or the end of a `with` block, stops them.
    """

    # note for the user who waits
    about = ""

    @property
    @abstractmethod
    def parallelism(self) -> int:
        """How many items are processed at once."""

    def as_completed(
        self,
        function: Function[Item, Result],
        items: Iterable[Item],
        *,
        prepare: Preparation[Item] = _no_preparation,
        gpu: bool = False,
    ) -> Iterator[tuple[Item, Result]]:
        """Yield each item with its result as soon as it is ready.

        An error in the function is raised here. Closing the iterator cancels pending items.
        """
        for _, item, result in self._run(Task(function, prepare, gpu), items, lambda _: False):
            yield item, result

    def in_order(
        self,
        function: Function[Item, Result],
        items: Iterable[Item],
        *,
        prepare: Preparation[Item] = _no_preparation,
    ) -> Iterator[Result]:
        """Yield the results in the order of the items, reading only a few items ahead."""
        finished: dict[int, Result] = {}
        next_number = 0

        def is_too_far(number: int) -> bool:
            return number >= next_number + _READ_AHEAD * self.parallelism

        for number, _, result in self._run(Task(function, prepare), items, is_too_far):
            finished[number] = result
            while next_number in finished:
                yield finished.pop(next_number)
                next_number += 1

    def _run(
        self, task: Task[Item, Result], items: Iterable[Item], is_too_far: Callable[[int], bool]
    ) -> Iterator[tuple[int, Item, Result]]:
        """Yield items with their numbers and results as they complete.

        The next item is submitted before a result is yielded, so that no worker idles, unless it
        `is_too_far` ahead.
        """
        pending: dict[Any, tuple[int, Item]] = {}
        remaining, number = iter(items), 0

        def submit() -> None:
            nonlocal number
            while len(pending) < self._capacity() and not is_too_far(number):
                following = list(islice(remaining, 1))
                if not following:
                    return
                pending[self._submit(task, following[0])] = number, following[0]
                number += 1

        try:
            while True:
                # including items that were too far ahead before the last result was consumed
                submit()
                if not pending:
                    return
                ticket = self._wait(list(pending))
                # Before anything is raised: finished items cannot be cancelled.
                finished = pending.pop(ticket)
                result = self._result(ticket)
                submit()
                yield *finished, result
        finally:
            # abandoned by the consumer
            if pending:
                self._cancel(list(pending))

    def _capacity(self) -> int:
        """How many items may be pending."""
        return self.parallelism

    @abstractmethod
    def _submit(self, task: Task[Item, Result], item: Item) -> Any:
        """Submit an item and return its ticket."""

    @abstractmethod
    def _wait(self, tickets: list[Any]) -> Any:
        """Wait until an item has finished and return its ticket."""

    @abstractmethod
    def _result(self, ticket: Any) -> Any:
        """The result of a finished item; raises its error."""

    @abstractmethod
    def _cancel(self, tickets: list[Any]) -> None:
        """Cancel pending items."""

    @abstractmethod
    def close(self) -> None:
        """Stop all workers."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check_location(on: object, address: str | None) -> None:
    """Raise ValueError for an invalid place to run."""
    if on not in ("here", "ray") and not isinstance(on, Workers):
        raise ValueError(f'on: must be "here" or "ray", not {brief(on)}')
    if address is not None and on != "ray":
        raise ValueError('address: is for Ray clusters and needs on="ray"')


def make_workers(
    processes: int | None = None, on: str = "here", address: str | None = None
) -> Workers:
    """Workers on this machine or on a Ray cluster; one per core by default."""
    check_location(on, address)
    local = Processes(processes)
    if on == "here":
        return local
    from souk.lab.ray_cluster import Cluster

    return Cluster(address, processes)


@contextlib.contextmanager
def open_workers(workers: Workers | int | None) -> Iterator[Workers]:
    """Yield the given workers, or a number of processes for the block (None: one per core)."""
    if isinstance(workers, Workers):
        yield workers
        return
    with Processes(workers) as processes:
        yield processes


# ---------------------------------------------------------------- processes of this machine


class Processes(Workers):
    """Processes of this machine; with one, this process itself does the work.

    Only the parent reacts to Ctrl-C: it tells the others to stop, which happens at their next move.
    """

    def __init__(self, processes: int | None = None) -> None:
        if processes is not None:
            check_whole("processes", processes, 1, 1024)
        self._processes = processes or os.cpu_count() or 1
        # processes by pipe
        self._process_of: dict[Any, Any] = {}
        self._idle: list[Any] = []

    @property
    def parallelism(self) -> int:
        return self._processes

    def _run(
        self, task: Task[Item, Result], items: Iterable[Item], is_too_far: Callable[[int], bool]
    ) -> Iterator[tuple[int, Item, Result]]:
        if self._processes > 1:
            yield from super()._run(task, items, is_too_far)
            return
        for number, item in enumerate(items):
            yield number, item, task.run(item)

    def _submit(self, task: Task[Item, Result], item: Item) -> Any:
        pipe = self._idle.pop() if self._idle else self._start()
        pipe.send((task, item))
        return pipe

    def _start(self) -> Any:
        """Spawn a process. Forking is not safe in a process with threads."""
        context = multiprocessing.get_context("spawn")
        with _sigint_blocked():
            own_end, other_end = context.Pipe()
            process = context.Process(target=_serve, args=(other_end,), daemon=True)
            process.start()
            other_end.close()
        self._process_of[own_end] = process
        return own_end

    def _wait(self, tickets: list[Any]) -> Any:
        return multiprocessing.connection.wait(tickets)[0]

    def _result(self, ticket: Any) -> Any:
        try:
            error, result = ticket.recv()
        except (EOFError, OSError):
            raise RuntimeError(f"a worker process died (exit code {self._reap(ticket)})") from None
        self._idle.append(ticket)
        if error is not None:
            raise error
        return result

    def _reap(self, pipe: Any) -> int | None:
        """Forget a process that has ended and return its exit code."""
        process = self._process_of.pop(pipe)
        process.join(_STOP_TIMEOUT)
        code: int | None = process.exitcode
        pipe.close()
        return code

    def _cancel(self, tickets: list[Any]) -> None:  # noqa: ARG002
        # A single item cannot be cancelled in its process.
        self.close()

    def close(self) -> None:
        """Stop all processes: they close their bots at the next move, or are terminated."""
        for pipe in self._process_of:
            with contextlib.suppress(OSError):
                pipe.send(None)
        deadline = time.monotonic() + _STOP_TIMEOUT
        for pipe, process in self._process_of.items():
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.terminate()
                process.join()
            pipe.close()
        self._process_of.clear()
        self._idle.clear()


@contextlib.contextmanager
def _sigint_blocked() -> Iterator[None]:
    """Start processes with SIGINT blocked, so that Ctrl-C during their imports is ignored.

    This process receives a pending SIGINT at the end of the block.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(
        signal, "pthread_sigmask"
    ):
        yield
        return
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


# ---------------------------------------------------------------- in a worker process


class Cancelled(Exception):
    """The parent no longer waits for the result."""


# pipe to the parent process
_parent: "Connection[Any, Any] | None" = None


def raise_if_cancelled() -> None:
    """Raise `Cancelled` if the result is no longer needed; long functions call this regularly."""
    if _parent is not None and _parent.poll():
        raise Cancelled


def _serve(pipe: "Connection[Any, Any]") -> None:
    """Process items until told to stop or the parent is gone."""
    global _parent
    # The parent handles Ctrl-C and stops its workers.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _parent = pipe
    with contextlib.suppress(EOFError, OSError, Cancelled):
        while (task := pipe.recv()) is not None:
            done = _attempt(*task)
            raise_if_cancelled()
            pipe.send(done)


def _attempt(task: Task[Any, Any], item: Any) -> tuple[Exception | None, Any]:
    """Run a task: its error or None, and its result."""
    try:
        return None, task.run(item)
    except Cancelled:
        raise
    except Exception as error:
        error.add_note(f"In a worker process:\n{traceback.format_exc().rstrip()}")
        return _sendable(error), None


def _sendable(error: Exception) -> Exception:
    """The error itself, or a RuntimeError if it cannot be pickled."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
