"""Fast Python subprocesses: forked from a server process that has already imported what they need.

Importing NumPy, Numba, Pydantic and the web server takes a second of CPU time, hundreds of times
per test run. Requests pass streams, environment and folder, and receive the exit status. Not
possible this way: other interpreter settings (such as the hash seed), or a Python without imports.
"""

import atexit
import gc
import importlib
import json
import os
import runpy
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import warnings
from collections.abc import Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from select import select
from types import ModuleType
from typing import IO, Any, NoReturn

ROOT = Path(__file__).parents[2]
HERE = os.environ.get("PYTHONPATH")
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
COMPILING = ("numba", "numba.core.registry", "scipy.linalg")  # Numba probes for SciPy
MOST = 1 << 20  # bytes of a request


class Forked:
    """A forked Python process with the interface of `subprocess.Popen`; `words` are its
    arguments.
    """

    def __init__(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        streams: tuple[int, int, int],
        folder: Path | None = None,
        compiling: bool = False,
    ) -> None:
        status_pipe, messages = os.pipe()
        request = json.dumps(
            {
                "words": words,
                "environment": dict(env),
                "folder": str(folder or Path.cwd()),
                "compiling": compiling,
            }
        ).encode()
        own_package = env.get("PYTHONPATH") == HERE  # otherwise it is for a copy of the package
        socket.send_fds(_fork_server(own_package), [request], [*streams, messages])
        os.close(messages)
        self._status = os.fdopen(status_pipe)
        self.pid = int(self._status.readline())
        self.returncode: int | None = None

    def poll(self) -> int | None:
        """The exit status, if it has ended."""
        return self._end(0.0)

    def wait(self, timeout: float | None = None) -> int:
        status = self._end(timeout)
        if status is None:
            raise subprocess.TimeoutExpired("souk", timeout or 0.0)
        return status

    def _end(self, timeout: float | None) -> int | None:
        if self.returncode is None and select([self._status], [], [], timeout)[0]:
            self.returncode = int(self._status.readline())
            self._status.close()
        return self.returncode

    def send_signal(self, sign: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, sign)


def start_python(
    words: Sequence[str], env: Mapping[str, str] = os.environ, folder: Path | None = None
) -> tuple[Forked, IO[str]]:
    """Start a process without input; returns it with its standard error."""
    reading, writing = os.pipe()
    with Path(os.devnull).open("r+") as nothing:
        process = Forked(words, env, (nothing.fileno(), nothing.fileno(), writing), folder)
    os.close(writing)
    return process, os.fdopen(reading)


def run_souk(words: Sequence[str], env: Mapping[str, str], typed: str = "") -> tuple[int, str, str]:
    """The exit status of a command, with its standard output and standard error."""
    done = run_python(["-m", "souk.cli", *words], env, typed)
    return done.returncode, done.stdout, done.stderr


def run_python(
    words: Sequence[str],
    env: Mapping[str, str] = os.environ,
    typed: str = "",
    folder: Path | None = None,
) -> subprocess.CompletedProcess[str]:
    """Like `subprocess.run([sys.executable, *words], …, capture_output=True, text=True)`.

    `words` begin with `-m` and a module, `-c` and a program, or a file.
    """
    with (
        tempfile.TemporaryFile("w+") as typed_input,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        typed_input.write(typed)
        typed_input.seek(0)
        status = Forked(
            words, env, (typed_input.fileno(), out.fileno(), err.fileno()), folder, compiling=True
        ).wait()
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(["python", *words], status, out.read(), err.read())


@cache
def _fork_server(own_package: bool) -> socket.socket:
    """Connection to the process all others are forked from, one per test process.

    `own_package`: whether that process has imported our own package, too.
    """
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [
        sys.executable,
        "-m",
        "tests.support.forked",
        str(its.fileno()),
        *(["ours"] if own_package else []),
    ]
    process = subprocess.Popen(command, cwd=ROOT, pass_fds=[its.fileno()], stdin=subprocess.DEVNULL)
    its.close()

    def close() -> None:
        ours.close()
        process.wait()

    atexit.register(close)
    return ours


# ---------------------------------------------------------------- in the fork server


def main(connection: socket.socket, own_package: bool) -> None:
    """Serve fork requests until the connection closes."""
    with warnings.catch_warnings(action="error"):
        for package in PACKAGES:
            importlib.import_module(package)
        if own_package:
            _load_own_package()
    gc.freeze()  # memory stays shared as long as nobody touches it
    # Nothing here waits for the processes that report exits.
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, streams, _, _ = socket.recv_fds(connection, MOST, 4)
        if not request:
            return
        options = json.loads(request)
        if options["compiling"]:
            _load_compiler()
        if os.fork() == 0:
            connection.close()
            # `nohup` makes children ignore SIGHUP.
            for sign in (signal.SIGCHLD, signal.SIGHUP):
                signal.signal(sign, signal.SIG_DFL)
            *own, messages = streams
            if child := os.fork():
                _report_exit(child, own, messages)
            os.close(messages)
            _run_request(options, own)
        for stream in streams:
            os.close(stream)


def _report_exit(child: int, streams: list[int], messages: int) -> NoReturn:
    """Report the child's process id and, in the end, its exit status."""
    for stream in streams:
        os.close(stream)
    os.write(messages, f"{child}\n".encode())
    _, status = os.waitpid(child, 0)
    os.write(messages, f"{os.waitstatus_to_exitcode(status)}\n".encode())
    os._exit(0)


def _load_own_package() -> None:
    """Import the server and all games, and read their files.

    Not the command connection, which reads the environment on import.
    """
    importlib.import_module("souk.server.run")
    games = importlib.import_module("souk.games")
    for name in games.names():
        assert games.game(name).lesson
    message = importlib.import_module("souk.core.messages")
    for language in message.languages():
        message.read_language(language)


@cache
def _load_compiler() -> None:
    """Import Numba and what it loads on first use; only on demand, as servers do not need it."""
    for package in COMPILING:
        with suppress(ImportError):
            importlib.import_module(package)
    target = sys.modules["numba.core.registry"].cpu_target
    target.typing_context.refresh()
    target.target_context.refresh()
    gc.freeze()


def _run_request(request: dict[str, Any], streams: list[int]) -> NoReturn:
    """Run the request, then exit like Python, but without freeing every object: that copies
    shared pages and takes longer than most commands.
    """
    status = 0
    try:
        _become(request, streams)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if not isinstance(ended.code, int | None):
            print(ended.code, file=sys.stderr)
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()  # unclosed resources complain now
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _become(request: dict[str, Any], streams: list[int]) -> None:
    """Set up what `python WORDS` is, in a folder and an environment."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(request["folder"])
    os.environ.clear()
    os.environ.update(request["environment"])
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    if action := os.environ.get("PYTHONWARNINGS"):
        warnings.simplefilter(action)  # type: ignore[arg-type]
    first, *rest = request["words"]
    script_folder = {"-m": request["folder"], "-c": ""}.get(first, str(Path(first).parent))
    sys.path[0:1] = [
        script_folder,
        *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep)),
    ]
    if first == "-m":
        sys.argv = ["souk" if rest[0] == "souk.cli" else rest[0], *rest[1:]]
        runpy.run_module(rest[0], run_name="__main__", alter_sys=True)
        return
    main = sys.modules["__main__"] = sys.modules["__mp_main__"] = ModuleType("__main__")
    code = rest.pop(0) if first == "-c" else Path(first).read_text(encoding="utf-8")
    main.__file__ = None if first == "-c" else first
    sys.argv = [first, *rest]
    exec(compile(code, "<string>" if first == "-c" else first, "exec"), vars(main))


if __name__ == "__main__":
    main(socket.socket(fileno=int(sys.argv[1])), "ours" in sys.argv[2:])
