"""Processes of ours that answer through a pipe, seen from the server: whatever happens in one of them, the server goes on."""

import asyncio
import contextlib
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

from souk.bots.answering import HEAD, packed, size_of

_PARTING = 5.0  # seconds to end by itself


class ProcessLost(Exception):
    """The process has ended, or does not answer."""


class Numbered(Protocol):
    """A question, or the answer to it: they have the same number."""

    number: int


Answer = TypeVar("Answer", bound=Numbered)


class Attendant(Generic[Answer]):
    """One process: a module of ours that is run with some words. It may be asked several things at a time."""

    def __init__(self, module: str, words: Sequence[str], read: Callable[[bytes], Answer]) -> None:
        self._command, self._decode = [sys.executable, "-m", module, *words], read
        self._process: Process | None = None
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._number = 0
        self._reading: asyncio.Task[None] | None = None
        self.lost = False

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    async def start(self) -> None:
        """In a session of its own, as Ctrl-C is meant for the server; with nothing of the server's but the two pipes."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True, close_fds=True
            )
        except OSError as error:
            raise ProcessLost(f"it cannot be started: {error}") from None
        self._reading = asyncio.create_task(self._read(self._process))

    async def close(self) -> None:
        """Let it end; and end it where it does not."""
        if self._process is None:
            return
        if self._process.stdin:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _PARTING)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        if self._reading:
            await self._reading  # to the end of the pipe, which is then closed

    def kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            if self._process:
                self._process.kill()

    def heard(self, answer: Answer) -> None:
        """Something has been answered."""

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    async def _answer(self, asked: msgspec.Struct, number: int, patience: float | None) -> Answer:
        if self.lost:
            raise ProcessLost("it has ended")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        self._waiting[number] = future
        late = None if patience is None else loop.call_later(patience, self._give_up, future)
        self._say(asked)
        try:
            return await future
        finally:
            if late:
                late.cancel()
            self._waiting.pop(number, None)

    def _give_up(self, future: "asyncio.Future[Answer]") -> None:
        """An answer was not there in time: whatever the process is at, nobody waits for it."""
        self.kill()
        if not future.done():
            future.set_exception(ProcessLost("no answer in time"))

    def _say(self, message: msgspec.Struct) -> None:
        if self._process and self._process.stdin and not self.lost:
            self._process.stdin.write(packed(message))

    async def _read(self, process: Process) -> None:
        """Hand answers on, until there are no more."""
        assert process.stdout is not None
        try:
            while True:
                answer = self._decode(await process.stdout.readexactly(size_of(await process.stdout.readexactly(HEAD))))
                self.heard(answer)
                if (future := self._waiting.get(answer.number)) and not future.done():
                    future.set_result(answer)
        except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
            self.lost = True
            self.kill()  # where it writes what nobody can read
            status = await process.wait()
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ProcessLost(f"it ended with status {status}"))
