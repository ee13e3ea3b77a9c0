"""A small thread pool for expensive requests, apart from the threads that tables use.

Everything that a client can make the server compute runs here: parsing records, box data and
positions, replays, puzzles. Addresses take turns, with one running job each, and the queue is
bounded for each address and in total. Cancelled jobs are dropped before they start.

Why not `concurrent.futures.ThreadPoolExecutor`: its queue is unbounded and first come, first
served, and Python joins its threads at exit.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any, TypeVar

from souk.server.common.shutdown import run_into_future
from souk.server.protocol.errors import RequestRefused

_THREADS = 2  # one address cannot occupy both
_MAX_PER_ADDRESS = 32  # waiting jobs: a whole club may share an address
_MAX_WAITING = 256

T = TypeVar("T")
_Job = tuple[Callable[[], Any], "Future[Any]"]


class RequestPool:
    """Runs jobs of clients in daemon threads, which do not keep the server from ending."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: dict[str, deque[_Job]] = {}  # by address, in order of turns
        self._busy: set[str] = set()
        self._threads: list[threading.Thread] = []
        self._closed = False

    @property
    def waiting(self) -> int:
        return sum(map(len, self._waiting.values()))

    async def run(self, address: str, work: Callable[..., T], *arguments: Any) -> T:
        """Run `work`. Refused if too many jobs wait; dropped if the caller is cancelled."""
        job: _Job = partial(work, *arguments), Future()
        self._put(address, job)
        try:
            result: T = await asyncio.wrap_future(job[1])
        except asyncio.CancelledError:
            self._drop(address, job)
            raise
        return result

    def close(self) -> None:
        """Drop all waiting jobs."""
        with self._changed:
            self._closed = True
            jobs = [job for queue in self._waiting.values() for job in queue]
            self._waiting.clear()
            self._changed.notify_all()
        for _, future in jobs:
            future.cancel()

    def _put(self, address: str, job: _Job) -> None:
        with self._changed:
            queue = self._waiting.get(address, deque())
            if self._closed or len(queue) >= _MAX_PER_ADDRESS or self.waiting >= _MAX_WAITING:
                raise RequestRefused("busy", 503)
            self._waiting[address] = queue
            queue.append(job)
            self._changed.notify()
            if len(self._threads) < _THREADS:
                self._threads.append(
                    threading.Thread(target=self._work, name="request", daemon=True)
                )
                self._threads[-1].start()

    def _drop(self, address: str, job: _Job) -> None:
        with self._changed:
            queue = self._waiting.get(address, deque())
            if job in queue:
                queue.remove(job)
            if not queue:
                self._waiting.pop(address, None)

    def _work(self) -> None:
        while True:
            with self._changed:
                while (address := self._next_address()) is None:
                    if self._closed:
                        return
                    self._changed.wait()
                work, future = self._take(address)
            run_into_future(work, future)
            with self._changed:
                self._busy.discard(address)
                self._changed.notify()

    def _next_address(self) -> str | None:
        return next((address for address in self._waiting if address not in self._busy), None)

    def _take(self, address: str) -> _Job:
        """Take the next job of an address, which then moves to the end of the line."""
        queue = self._waiting.pop(address)
        job = queue.popleft()
        if queue:
            self._waiting[address] = queue
        self._busy.add(address)
        return job
