"""Several server processes at one port: starts them, starts again what dies, and ends them all, or one after the other, without a lost move.

The port is opened once, here, and handed down: connections that nobody has taken yet are nobody's, so none is turned away while a process starts or ends. Each
process is a Python of its own (`souk.table.member`), so a rolling restart also runs what was installed meanwhile. This process does nothing else.
"""

import asyncio
import contextlib
import dataclasses
import os
import signal
import socket
import sys
import tempfile
import time
from asyncio.subprocess import PIPE, Process
from collections.abc import Callable

import msgspec

from souk.table.logs import note, trouble
from souk.table.settings import Settings

_PAUSES = (0.1, 0.5, 2.0, 5.0, 10.0, 30.0)  # seconds before one is started again, ever longer where it dies at once
_LONG_ENOUGH = 60.0  # seconds after which a process is thought to be well
_SECONDS_TO_START = 120.0
_SECONDS_TO_END = 20.0  # then it is killed


class Orders(msgspec.Struct):
    """What a process is told when it starts: its number, the socket and the pipe that it has inherited, and the settings; how many there are, and the folder in which
    they find each other (of a supervisor that was started before there was one: none)."""

    number: int
    listening: int
    ready: int
    settings: dict[str, object]
    count: int = 1
    ushers: str = ""


class Supervisor:
    """Keeps `settings.processes` of them."""

    def __init__(self, settings: Settings, listening: socket.socket) -> None:
        self._settings, self._listening = settings, listening
        self._ushers = tempfile.TemporaryDirectory(prefix="souk-")
        self._members: dict[int, Process] = {}
        self._ending = asyncio.Event()
        self._restarting = asyncio.Lock()

    async def run(self, serving: Callable[[], None]) -> None:
        """Until SIGTERM or SIGINT. `serving` is called once all are ready."""
        loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        for sign in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(sign, self._end)
        loop.add_signal_handler(signal.SIGHUP, lambda: tasks.add(loop.create_task(self._restart())))
        keeping = [loop.create_task(self._keep(number)) for number in range(self._settings.processes)]
        while len(self._members) < len(keeping) and not self._ending.is_set():
            await asyncio.sleep(0.02)
        if not self._ending.is_set():
            serving()
        await self._ending.wait()
        for task in (*tasks, *keeping):
            task.cancel()
        await asyncio.gather(*(_ended(member) for member in self._members.values()))
        self._ushers.cleanup()
        note("stopped")

    def _end(self) -> None:
        """Asked to end; asked a second time, at once."""
        if self._ending.is_set():
            for member in self._members.values():
                _signal(member, signal.SIGKILL)
        self._ending.set()

    async def _keep(self, number: int) -> None:
        """See to it that there is a process with this number."""
        failed = 0
        while True:
            began = time.monotonic()
            member = await self._start(number)
            while member is not None:
                status = await member.wait()
                replaced = self._members.get(number)
                if replaced is member:
                    self._members.pop(number)
                    trouble(f"process {number} has ended with status {status}")
                    break
                member = replaced
            failed = 0 if time.monotonic() - began >= _LONG_ENOUGH else failed + 1
            await asyncio.sleep(_PAUSES[min(failed, len(_PAUSES)) - 1] if failed else 0.0)

    async def _restart(self) -> None:
        """One after the other: a new one is ready before the old one is asked to end."""
        async with self._restarting:
            for number in list(self._members):
                old = self._members[number]
                if await self._start(number) is None:
                    trouble(f"process {number} is not restarted: a new one does not start")
                    return
                await _ended(old)
            note("restarted", processes=len(self._members))

    async def _start(self, number: int) -> Process | None:
        """A process that is ready to serve; None where it has ended before that."""
        told, telling = os.pipe()
        os.set_blocking(told, False)
        descriptors = self._listening.fileno(), telling
        program = [sys.executable, "-m", "souk.table.member"]
        try:
            member = await asyncio.create_subprocess_exec(
                *program, stdin=PIPE, pass_fds=descriptors, start_new_session=True
            )
            os.close(telling)
            assert member.stdin is not None
            member.stdin.write(msgspec.json.encode(self._orders(number, *descriptors), enc_hook=str) + b"\n")
            if not await _is_ready(told):
                _signal(member, signal.SIGKILL)
                trouble(f"process {number} did not start: it ended with status {await member.wait()}")
                return None
        finally:
            os.close(told)
        self._members[number] = member
        return member

    def _orders(self, number: int, listening: int, ready: int) -> Orders:
        """What is set for the whole machine is divided among the processes."""
        given, count = self._settings, self._settings.processes
        host, _, port = given.metrics.rpartition(":")
        own = dataclasses.replace(
            given,
            processes=1,
            workers=given.workers and max(1, given.workers // count),
            study_workers=given.study_workers and max(1, given.study_workers // count),
            all_connections=-(-given.all_connections // count),
            metrics=f"{host}:{int(port) + number if int(port) else 0}" if port else "",
        )
        return Orders(number, listening, ready, dataclasses.asdict(own), count, self._ushers.name)


async def _is_ready(told: int) -> bool:
    """Whether a process says that it is ready, before it ends or too much time has passed."""
    loop, found = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(told, found.set)
    try:
        async with asyncio.timeout(_SECONDS_TO_START):
            await found.wait()
        return bool(os.read(told, 1))
    except TimeoutError:
        return False
    finally:
        loop.remove_reader(told)


async def _ended(member: Process) -> None:
    """Ask a process to end, and see that it does."""
    _signal(member, signal.SIGTERM)
    try:
        await asyncio.wait_for(member.wait(), _SECONDS_TO_END)
    except TimeoutError:
        _signal(member, signal.SIGKILL)
        await member.wait()


def _signal(member: Process, sign: signal.Signals) -> None:
    with contextlib.suppress(ProcessLookupError):
        member.send_signal(sign)
