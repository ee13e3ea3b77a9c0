"""Supervisor of several server processes on one port: starts, restarts and ends them.

It opens the port once and passes it on, so connections nobody has accepted yet survive a process
starting or ending. Each process is a fresh Python (`souk.server.worker_main`): a rolling restart
(SIGHUP) also runs newly installed code.
"""

import asyncio
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

from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_error, log_info
from souk.server.common.shutdown import SECONDS_TO_END, exit_soon, on_shutdown_signal
from souk.server.compute.worker_process import send_signal

# Seconds before restarting a process, by how often in a row it has died early.
_RESTART_DELAYS = (0.1, 0.5, 2.0, 5.0, 10.0, 30.0)
_SECONDS_HEALTHY = 5.0  # a process that ran for this long has not died early
_POLL_INTERVAL = 0.05  # while waiting for a restart delay
_SECONDS_TO_START = 120.0
# Kill processes before the supervisor's own time is over.
_SECONDS_TO_STOP = SECONDS_TO_END - 1.0


class WorkerOrders(msgspec.Struct):
    """Sent to a process on its stdin.

    Its number, the inherited socket and readiness pipe, the settings, the number of processes and
    the directory in which they find each other (defaults: for supervisors of versions without
    these).
    """

    number: int
    listening: int
    ready: int
    settings: dict[str, object]
    count: int = 1
    ushers: str = ""


class Supervisor:
    """Keeps `config.processes` processes running."""

    def __init__(self, config: ServerConfig, listening: socket.socket) -> None:
        self._config, self._listening = config, listening
        self._handover_folder = tempfile.TemporaryDirectory(prefix="souk-")
        self._processes: dict[int, Process] = {}
        self._starting = 0  # processes not ready yet
        self._delayed: set[int] = set()  # numbers waiting for a restart delay
        self._ending = asyncio.Event()
        self._restarting = asyncio.Lock()

    async def run(self, serving: Callable[[], None]) -> None:
        """Run until SIGTERM or SIGINT. `serving` is called once all processes are ready."""
        loop, tasks = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        on_shutdown_signal(self._ending.set, self._forward_sigterm)
        loop.add_signal_handler(signal.SIGHUP, lambda: tasks.add(loop.create_task(self._restart())))
        keeping = [
            loop.create_task(self._keep_running(number)) for number in range(self._config.processes)
        ]
        while len(self._processes) < len(keeping) and not self._ending.is_set():
            await asyncio.sleep(0.02)
        if not self._ending.is_set():
            serving()
        await self._ending.wait()
        for task in (*tasks, *keeping):
            task.cancel()
        # processes still starting are ended by their cancelled tasks
        await asyncio.gather(*tasks, *keeping, return_exceptions=True)
        await asyncio.gather(*(_stop(process) for process in self._processes.values()))
        self._handover_folder.cleanup()
        log_info("stopped")
        exit_soon()

    def _forward_sigterm(self) -> None:
        """A second signal: pass it on to all processes."""
        for process in self._processes.values():
            send_signal(process, signal.SIGTERM)

    async def _keep_running(self, number: int) -> None:
        """Keep a process with this number running."""
        failed = 0
        while True:
            process, ready = await self._start(number), time.monotonic()
            while process is not None:
                status = await process.wait()
                replaced = self._processes.get(number)
                if replaced is process:
                    self._processes.pop(number)
                    log_error(f"process {number} exited with status {status}")
                    break
                process, ready = replaced, time.monotonic()
            failed = (
                failed + 1 if process is None or time.monotonic() - ready < _SECONDS_HEALTHY else 0
            )
            if failed:
                await self._wait_to_restart(
                    number, _RESTART_DELAYS[min(failed, len(_RESTART_DELAYS)) - 1]
                )

    async def _wait_to_restart(self, number: int, seconds: float) -> None:
        """Wait, unless SIGHUP arrives or no process is left to serve the port."""
        until = time.monotonic() + seconds
        self._delayed.add(number)
        while (
            number in self._delayed
            and time.monotonic() < until
            and (self._processes or self._starting)
        ):
            await asyncio.sleep(_POLL_INTERVAL)
        self._delayed.discard(number)

    async def _restart(self) -> None:
        """Rolling restart: each new process is ready before the old one ends. Skips pending restart
        delays.
        """
        self._delayed.clear()
        async with self._restarting:
            for number, old in list(self._processes.items()):
                if self._processes.get(number) is not old:  # died, and was restarted meanwhile
                    continue
                if await self._start(number) is None:
                    log_error(f"process {number} not restarted: the new one did not start")
                    return
                await _stop(old)
            log_info("restarted", processes=len(self._processes))

    async def _start(self, number: int) -> Process | None:
        """Start a process; None if it ends before it is ready."""
        self._starting += 1
        try:
            return await self._spawn(number)
        finally:
            self._starting -= 1

    async def _spawn(self, number: int) -> Process | None:
        ready_pipe, write_end = os.pipe()
        os.set_blocking(ready_pipe, False)
        descriptors = self._listening.fileno(), write_end
        program = [sys.executable, "-m", "souk.server.worker_main"]
        try:
            process = await asyncio.create_subprocess_exec(
                *program, stdin=PIPE, pass_fds=descriptors, start_new_session=True
            )
            os.close(write_end)
            assert process.stdin is not None
            process.stdin.write(
                msgspec.json.encode(self._orders(number, *descriptors), enc_hook=str) + b"\n"
            )
            if not await _is_ready(ready_pipe, process):
                send_signal(process, signal.SIGKILL)
                log_error(f"process {number} did not start: exit status {await process.wait()}")
                return None
        finally:
            os.close(ready_pipe)
        self._processes[number] = process
        return process

    def _orders(self, number: int, listening: int, ready: int) -> WorkerOrders:
        """Settings for one process: what is set for the whole machine is divided among them."""
        config, count = self._config, self._config.processes
        host, _, port = config.metrics.rpartition(":")
        own_config = dataclasses.replace(
            config,
            processes=1,
            workers=max(1, config.workers // count),
            study_workers=max(1, config.study_workers // count),
            all_connections=-(-config.all_connections // count),
            metrics=f"{host}:{int(port) + number if int(port) else 0}" if port else "",
        )
        return WorkerOrders(
            number,
            listening,
            ready,
            dataclasses.asdict(own_config),
            count,
            self._handover_folder.name,
        )


async def _is_ready(ready_pipe: int, process: Process) -> bool:
    """Wait for a process to report that it is ready. If cancelled, ends the process."""
    loop, readable = asyncio.get_running_loop(), asyncio.Event()
    loop.add_reader(ready_pipe, readable.set)
    try:
        async with asyncio.timeout(_SECONDS_TO_START):
            await readable.wait()
        return bool(os.read(ready_pipe, 1))
    except TimeoutError:
        return False
    except asyncio.CancelledError:
        await _stop(process)
        raise
    finally:
        loop.remove_reader(ready_pipe)


async def _stop(process: Process) -> None:
    """Stop a process: SIGTERM, then SIGKILL."""
    send_signal(process, signal.SIGTERM)
    try:
        await asyncio.wait_for(process.wait(), _SECONDS_TO_STOP)
    except TimeoutError:
        send_signal(process, signal.SIGKILL)
        await process.wait()
