"""`souk` in a process of its own that starts in half the time: forked from one that has loaded the packages of others, but no module of ours.

What a command does in a test is done in a moment; it is loading NumPy, Pydantic and the web server that takes half a second of processor time,
some hundred times. Whoever asks passes on the streams, the environment and the folder, and is told how it ended.
"""

import atexit
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import warnings
from functools import cache
from pathlib import Path
from select import select
from typing import IO, Any, NoReturn

ROOT = Path(__file__).parent.parent
PACKAGES = (
    "numpy",
    "msgspec",
    "typer",
    "typer._adapters",
    "typer.rich_utils",
    "pydantic.types",
    "pydantic.json_schema",
    "rich.console",
    "rich.table",
)
PACKAGES += (
    "uvicorn",
    "uvicorn.server",
    "uvloop",
    "httptools",
    "websockets.server",
    "starlette.applications",
    "starlette.staticfiles",
)
PACKAGES += (
    "cryptography.hazmat.primitives.ciphers.aead",
    "prometheus_client",
    "platformdirs",
    "sqlite3",
    "psycopg",
    "tomllib",
)
MOST = 1 << 20  # bytes of a wish


class Forked:
    """A process, as `subprocess.Popen` shows one."""

    def __init__(self, arguments: list[str], env: dict[str, str], stdin: int, stdout: int, stderr: int) -> None:
        told, telling = os.pipe()
        wish = json.dumps({"arguments": arguments, "environment": env, "folder": str(Path.cwd())}).encode()
        socket.send_fds(_forge(), [wish], [stdin, stdout, stderr, telling])
        os.close(telling)
        self._told = os.fdopen(told)
        self.pid = int(self._told.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit status, where it has ended."""
        return self._end(0.0)

    def wait(self, timeout: float | None = None) -> int:
        status = self._end(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("souk", timeout or 0.0)
        return status

    def _end(self, timeout: float | None) -> int | None:
        if self.returncode is None and select([self._told], [], [], timeout)[0]:
            self.returncode = int(self._told.readline())
            self._told.close()
        return self.returncode

    def send_signal(self, sign: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sign)


def start_souk(arguments: list[str], env: dict[str, str]) -> tuple[Forked, IO[str]]:
    """Start a command that asks nothing, and what it writes to its second channel."""
    reading, writing = os.pipe()
    with Path(os.devnull).open("r+") as nothing:
        process = Forked(arguments, env, nothing.fileno(), nothing.fileno(), writing)
    os.close(writing)
    return process, os.fdopen(reading)


def run_souk(arguments: list[str], env: dict[str, str], typed: str = "") -> tuple[int, str, str]:
    """The exit status of a command, and what it wrote to both channels."""
    with (
        tempfile.TemporaryFile("w+") as asked,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        asked.write(typed)
        asked.seek(0)
        status = Forked(arguments, env, asked.fileno(), out.fileno(), err.fileno()).wait()
        out.seek(0)
        err.seek(0)
        return status, out.read(), err.read()


@cache
def _forge() -> socket.socket:
    """The line to the process that all others are forked from: one for each process of tests, as long as that runs."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.forked", str(its.fileno())]
    process = subprocess.Popen(command, cwd=ROOT, pass_fds=[its.fileno()], stdin=subprocess.DEVNULL)
    its.close()

    def close() -> None:
        ours.close()
        process.wait()

    atexit.register(close)
    return ours


# ---------------------------------------------------------------- in that process


def main(line: socket.socket) -> None:
    """Fork whatever is asked for, until nobody is left who could ask."""
    with warnings.catch_warnings(action="error"):
        for package in PACKAGES:
            importlib.import_module(package)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for those who look after others
    while True:
        wish, streams, _, _ = socket.recv_fds(line, MOST, 4)
        if not wish:
            return
        if os.fork() == 0:
            line.close()
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            *own, telling = streams
            if child := os.fork():
                _look_after(child, own, telling)
            os.close(telling)
            _become(json.loads(wish), own)
            return
        for stream in streams:
            os.close(stream)


def _look_after(child: int, streams: list[int], telling: int) -> NoReturn:
    """Tell whoever asked which process it is and, in the end, how it ended."""
    for stream in streams:
        os.close(stream)
    os.write(telling, f"{child}\n".encode())
    _, status = os.waitpid(child, 0)
    os.write(telling, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _become(wish: dict[str, Any], streams: list[int]) -> None:
    """Be what `python -m souk.cli` is, in a folder and an environment."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    sys.path[0:1] = [wish["folder"], *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
    if wanted := os.environ.get("PYTHONWARNINGS"):
        warnings.simplefilter(wanted)  # type: ignore[arg-type]
    sys.argv = ["souk", *wish["arguments"]]
    runpy.run_module("souk.cli", run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])))
