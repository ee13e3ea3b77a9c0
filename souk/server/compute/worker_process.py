"""A child process with request and response over pipes. It may die without harm to the server."""

import asyncio
import contextlib
import os
import signal
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable, Sequence
from typing import Generic, Protocol, TypeVar

import msgspec

from souk.bots.worker import HEAD, encode_message, message_size

_SHUTDOWN_SECONDS = 2.5


class ProcessLost(Exception):
    """The process has ended, or does not answer."""


class NumberedAnswer(Protocol):
    """A request or its response: they have the same number."""

    number: int


Answer = TypeVar("Answer", bound=NumberedAnswer)


class WorkerProcess(Generic[Answer]):
    """A Python module run as a child process, with concurrent requests."""

    def __init__(
        self, module: str, arguments: Sequence[str], decode: Callable[[bytes], Answer]
    ) -> None:
        self._command, self._decode = [sys.executable, "-m", module, *arguments], decode
        self._process: Process | None = None
        self._waiting: dict[int, asyncio.Future[Answer]] = {}
        self._number = 0
        self._reading: asyncio.Task[None] | None = None
        self.lost = False

    @property
    def pid(self) -> int:
        return self._process.pid if self._process else 0

    async def start(self) -> None:
        """Start the process in a session of its own, so that Ctrl-C reaches only the server."""
        try:
            self._process = await asyncio.create_subprocess_exec(
                *self._command, stdin=PIPE, stdout=PIPE, start_new_session=True, close_fds=True
            )
        except OSError as error:
            raise ProcessLost(f"it cannot be started: {error}") from None
        self._reading = asyncio.create_task(self._read(self._process))

    async def close(self) -> None:
        """Close the pipe and wait until the process ends; kill it if it does not."""
        if self._process is None:
            return
        if self._process.stdin:
            self._process.stdin.close()
        try:
            await asyncio.wait_for(self._process.wait(), _SHUTDOWN_SECONDS)
        except TimeoutError:
            self.kill()
            await self._process.wait()
        if self._reading:
            await self._reading  # to the end of the pipe, which is then closed

    def kill(self) -> None:
        if self._process:
            send_signal(self._process, signal.SIGKILL)

    def on_reply(self, answer: Answer) -> None:
        """Called for each response."""

    def _next_number(self) -> int:
        self._number += 1
        return self._number

    async def _request(self, message: msgspec.Struct, number: int, timeout: float | None) -> Answer:
        if self.lost:
            raise ProcessLost("it has ended")
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        self._waiting[number] = future
        timer = None if timeout is None else loop.call_later(timeout, self._give_up, future)
        self._send(message)
        try:
            return await future
        finally:
            if timer:
                timer.cancel()
            self._waiting.pop(number, None)

    def _give_up(self, future: "asyncio.Future[Answer]") -> None:
        """Kill a process that did not respond in time."""
        self.kill()
        if not future.done():
            future.set_exception(ProcessLost("no answer in time"))

    def _send(self, message: msgspec.Struct) -> None:
        if self._process and self._process.stdin and not self.lost:
            self._process.stdin.write(encode_message(message))

    async def _read(self, process: Process) -> None:
        """Pass on responses until the pipe ends."""
        assert process.stdout is not None
        try:
            while True:
                head = await process.stdout.readexactly(HEAD)
                answer = self._decode(await process.stdout.readexactly(message_size(head)))
                self.on_reply(answer)
                if (future := self._waiting.get(answer.number)) and not future.done():
                    future.set_result(answer)
        except (asyncio.IncompleteReadError, OSError, msgspec.MsgspecError):
            self.lost = True
            self.kill()  # in case it wrote something unreadable
            status = await process.wait()
            for future in self._waiting.values():
                if not future.done():
                    future.set_exception(ProcessLost(f"it ended with status {status}"))


def send_signal(process: Process, sign: signal.Signals) -> None:
    """Send a signal without polling the process.

    `Process.send_signal` polls it, and asyncio then reports 255 for one that has just ended.
    """
    if process.returncode is None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, sign)
