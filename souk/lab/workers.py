"""Who does the work of tournaments, reports, exports and simulations: processes of this machine, or a Ray cluster.

Work is a function, and many parts that it is to be done for. Every part is worked on by itself, so what comes of it all is the same
whoever does it, and however many they are.
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

from souk.core.fields import brief
from souk.lab.checks import check_whole

Part = TypeVar("Part")
Answer = TypeVar("Answer")
Work = Callable[[Part], Answer]
Preparation = Callable[[Part], object]
Connection = multiprocessing.connection.Connection

_PATIENCE = 3.0  # seconds a process has to let go of its bots when all are to stop
_AHEAD = (
    4  # parts for each worker that may be done before the one that is waited for: what has not been fetched takes room
)


@dataclass(frozen=True)
class Job(Generic[Part, Answer]):
    """What is to be done for each part."""

    work: Work[Part, Answer]
    prepare: Preparation[
        Part
    ]  # loads what the work needs, compiled; on a machine of a cluster by one process at a time
    gpu: bool = False  # whether it needs a GPU

    def done(self, part: Part) -> Answer:
        self.prepare(part)
        return self.work(part)


def _nothing(_: object) -> None:
    pass


class Workers(ABC):
    """Those who work on parts, several at once. They are hired when first needed, and let go by `close` or with the `with` block."""

    about = ""  # what whoever waits for them should know

    @property
    @abstractmethod
    def at_once(self) -> int:
        """How many parts are worked on at once."""

    def each(
        self,
        work: Work[Part, Answer],
        parts: Iterable[Part],
        *,
        prepare: Preparation[Part] = _nothing,
        gpu: bool = False,
    ) -> Iterator[tuple[Part, Answer]]:
        """Have all parts worked on, and give each with its answer as soon as that is there. An error in the work is raised here. Breaking
        it off drops what is under way."""
        for _, part, answer in self._answers(Job(work, prepare, gpu), parts, lambda _: False):
            yield part, answer

    def in_order(
        self, work: Work[Part, Answer], parts: Iterable[Part], *, prepare: Preparation[Part] = _nothing
    ) -> Iterator[Answer]:
        """The answers in the order of the parts. Only a few parts are ahead of what has been fetched."""
        finished: dict[int, Answer] = {}
        following = 0

        def too_far(number: int) -> bool:
            return number >= following + _AHEAD * self.at_once

        for number, _, answer in self._answers(Job(work, prepare), parts, too_far):
            finished[number] = answer
            while following in finished:
                yield finished.pop(following)
                following += 1

    def _answers(
        self, job: Job[Part, Answer], parts: Iterable[Part], too_far: Callable[[int], bool]
    ) -> Iterator[tuple[int, Part, Answer]]:
        """All parts with their numbers and answers, as they come. The next part is handed out before an answer is given, so that nobody
        has to wait; unless it is too far ahead."""
        handed_out: dict[Any, tuple[int, Part]] = {}
        left, number = iter(parts), 0

        def hand_out() -> None:
            nonlocal number
            while len(handed_out) < self._most_out() and not too_far(number):
                following = list(islice(left, 1))
                if not following:
                    return
                handed_out[self._begin(job, following[0])] = number, following[0]
                number += 1

        try:
            while True:
                hand_out()  # also what was too far ahead until the last answer was fetched
                if not handed_out:
                    return
                ticket = self._finished(list(handed_out))
                done = handed_out.pop(ticket)  # before anything is raised: what is finished cannot be dropped
                answer = self._answer(ticket)
                hand_out()
                yield *done, answer
        finally:
            if handed_out:  # broken off: what is under way is of no use to anybody
                self._drop(list(handed_out))

    def _most_out(self) -> int:
        """How many parts are handed out at a time."""
        return self.at_once

    @abstractmethod
    def _begin(self, job: Job[Part, Answer], part: Part) -> Any:
        """Hand a part out, and get a ticket for it."""

    @abstractmethod
    def _finished(self, tickets: list[Any]) -> Any:
        """Wait until a part is done, and give its ticket."""

    @abstractmethod
    def _answer(self, ticket: Any) -> Any:
        """The answer of a part that is done; or the error is raised that came of it."""

    @abstractmethod
    def _drop(self, tickets: list[Any]) -> None:
        """Let nobody go on with these parts."""

    @abstractmethod
    def close(self) -> None:
        """Let everybody go."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def check_place(on: object, address: str | None) -> None:
    """ValueError unless this is a place where games can be played."""
    if on not in ("here", "ray") and not isinstance(on, Workers):
        raise ValueError(f'on: must be "here" or "ray", not {brief(on)}')
    if address is not None and on != "ray":
        raise ValueError('address: is that of a Ray cluster, and needs on="ray"')


def hire(processes: int | None = None, on: str = "here", address: str | None = None) -> Workers:
    """Workers on this machine, or on those of a Ray cluster; None: one for each core."""
    check_place(on, address)
    here = Processes(processes)
    if on == "here":
        return here
    from souk.lab.cluster import Cluster

    return Cluster(address, processes)


@contextlib.contextmanager
def hired(workers: Workers | int | None) -> Iterator[Workers]:
    """Workers as they are; or so many processes for the time of the block (None: one for each core)."""
    if isinstance(workers, Workers):
        yield workers
        return
    with Processes(workers) as processes:
        yield processes


# ---------------------------------------------------------------- processes of this machine


class Processes(Workers):
    """Processes of this machine; a single one is this process itself. Ctrl-C is for this process alone: it lets the others go, who stop
    at their next move and close their bots."""

    def __init__(self, processes: int | None = None) -> None:
        if processes is not None:
            check_whole("processes", processes, 1, 1024)
        self._processes = processes or os.cpu_count() or 1
        self._hired: dict[Any, Any] = {}  # processes by the pipe to them
        self._idle: list[Any] = []  # pipes

    @property
    def at_once(self) -> int:
        return self._processes

    def _answers(
        self, job: Job[Part, Answer], parts: Iterable[Part], too_far: Callable[[int], bool]
    ) -> Iterator[tuple[int, Part, Answer]]:
        if self._processes > 1:
            yield from super()._answers(job, parts, too_far)
            return
        for number, part in enumerate(parts):
            yield number, part, job.done(part)

    def _begin(self, job: Job[Part, Answer], part: Part) -> Any:
        pipe = self._idle.pop() if self._idle else self._start()
        pipe.send((job, part))
        return pipe

    def _start(self) -> Any:
        """A fresh process, which knows nothing of this one: a copy of a process with threads may hang."""
        context = multiprocessing.get_context("spawn")
        with _deaf_to_interrupts():
            ours, theirs = context.Pipe()
            process = context.Process(target=_serve, args=(theirs,), daemon=True)
            process.start()
            theirs.close()
        self._hired[ours] = process
        return ours

    def _finished(self, tickets: list[Any]) -> Any:
        return multiprocessing.connection.wait(tickets)[0]

    def _answer(self, ticket: Any) -> Any:
        try:
            error, answer = ticket.recv()
        except (EOFError, OSError):
            raise RuntimeError(f"a worker process has died (exit code {self._let_go(ticket)})") from None
        self._idle.append(ticket)
        if error is not None:
            raise error
        return answer

    def _let_go(self, pipe: Any) -> int | None:
        """Think no more of a process that has ended; how it did."""
        process = self._hired.pop(pipe)
        process.join(_PATIENCE)
        code: int | None = process.exitcode
        pipe.close()
        return code

    def _drop(self, tickets: list[Any]) -> None:  # noqa: ARG002  # a process cannot be talked out of one part only
        self.close()

    def close(self) -> None:
        """Let everybody go: at their next move they close their bots and end; whoever takes too long is ended."""
        for pipe in self._hired:
            with contextlib.suppress(OSError):
                pipe.send(None)
        deadline = time.monotonic() + _PATIENCE
        for pipe, process in self._hired.items():
            process.join(max(0.0, deadline - time.monotonic()))
            if process.is_alive():
                process.terminate()
                process.join()
            pipe.close()
        self._hired.clear()
        self._idle.clear()


@contextlib.contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Processes started meanwhile do not notice Ctrl-C, not even while they are still importing; this one notices it afterwards."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGINT])
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# ---------------------------------------------------------------- in such a process


class Stopped(Exception):
    """Whoever waited for the work does so no longer."""


_boss: "Connection[Any, Any] | None" = None  # the pipe to whoever hired this process


def stop_if_told() -> None:
    """For work that takes long to ask now and then: raises `Stopped` where nobody waits for it any more."""
    if _boss is not None and _boss.poll():
        raise Stopped


def _serve(pipe: "Connection[Any, Any]") -> None:
    """What a process does: work on what it is sent, until it is told to stop, or nobody is there any more."""
    global _boss
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then tells all processes
    _boss = pipe
    with contextlib.suppress(EOFError, OSError, Stopped):
        while (task := pipe.recv()) is not None:
            done = _done(*task)
            stop_if_told()
            pipe.send(done)


def _done(job: Job[Any, Any], part: Any) -> tuple[Exception | None, Any]:
    """What came of a part: an error or None, and the answer."""
    try:
        return None, job.done(part)
    except Stopped:
        raise
    except Exception as error:
        error.add_note(f"In a worker process:\n{traceback.format_exc().rstrip()}")
        return _sendable(error), None


def _sendable(error: Exception) -> Exception:
    """An error that survives the way to another process."""
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:
        return RuntimeError(f"{type(error).__name__}: {error}")
    return error
