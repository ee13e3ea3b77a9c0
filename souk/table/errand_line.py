"""A process's line to the queue of errands: a thread that asks and writes there, and one that hears when something has changed.

It is apart from the line between servers (`souk.table.news_line`), as a thinker is to hear nothing of tables and people. What is told goes with the errand's
own statement: nothing of that is on disk, so the lock that a notification takes is held for no time.
"""

import asyncio
import contextlib
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import psycopg

from souk.table.news_line import channel_of
from souk.table.postgres_line import PostgresLine, reason
from souk.table.store import Unanswered

_SECONDS_BETWEEN_TRIES = 0.3
_SECONDS_OF_LISTENING = 0.5  # before it is looked whether somebody wants to hang up

T = TypeVar("T")


class ErrandLine:
    """What is done over it is done one after the other. Nothing of it need be kept, so a line that breaks is no more than a question without an answer."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._asking = ThreadPoolExecutor(1, "errands")
        self._line: PostgresLine | None = None
        self._bells: dict[str, list[asyncio.Event]] = {}  # by what is told
        self._closing = threading.Event()
        self._hearing: threading.Thread | None = None

    def listen(self, what: str, bell: asyncio.Event) -> None:
        """Ring a bell whenever this is told: "asked", "done" or "lookback". That may be missed, where a line breaks: look for yourself now and then."""
        self._bells.setdefault(what, []).append(bell)
        if self._hearing is None:
            loop = asyncio.get_running_loop()
            self._hearing = threading.Thread(target=self._hear, args=(loop,), name="errands told", daemon=True)
            self._hearing.start()

    async def do(self, work: Callable[..., T], *arguments: Any) -> T:
        """Unanswered where the database is away."""
        return await asyncio.get_running_loop().run_in_executor(self._asking, self._done, work, arguments)

    async def close(self) -> None:
        self._closing.set()
        self._asking.shutdown()
        if self._hearing:
            await asyncio.to_thread(self._hearing.join)
        if self._line:
            self._line.close()

    def _done(self, work: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        try:
            if self._line is None or self._line.is_lost:
                self._line = PostgresLine(self._address)
            return work(self._line, *arguments)
        except psycopg.Error as error:
            raise Unanswered(reason(error)) from error

    def _hear(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._closing.is_set():
            try:
                line = PostgresLine(self._address)
                try:
                    self._hear_at(line, loop)
                finally:
                    line.close()
            except psycopg.Error:
                self._closing.wait(_SECONDS_BETWEEN_TRIES)

    def _hear_at(self, line: PostgresLine, loop: asyncio.AbstractEventLoop) -> None:
        [(house,)] = line.execute("SELECT current_schema()")
        line.execute(f"LISTEN {channel_of(f'{house} errands')}")
        while not self._closing.is_set():
            for told in line.raw.notifies(timeout=_SECONDS_OF_LISTENING):
                with contextlib.suppress(RuntimeError):  # the loop has ended
                    loop.call_soon_threadsafe(self._ring, told.payload)

    def _ring(self, what: str) -> None:
        for bell in self._bells.get(what, ()):
            bell.set()


async def rung(bell: asyncio.Event, seconds: float) -> None:
    """Wait until a bell is rung, and no longer than so many seconds."""
    with contextlib.suppress(TimeoutError):
        await asyncio.wait_for(bell.wait(), seconds)
    bell.clear()
