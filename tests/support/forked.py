"""Python in a process of its own that starts in a third of the time: forked from one that has loaded already what it will need.

What a command does in a test is done in a moment; it is loading NumPy, Numba, Pydantic, the web server and our own texts that takes a second of
processor time, some hundred times. Whoever asks passes on the streams, the environment and the folder, and is told how it ended. What cannot be
had so: other settings of Python itself (such as the seed of its hashes), and a Python that has loaded nothing yet.
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

ROOT = Path(__file__).parent.parent
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
COMPILING = ("numba", "numba.core.registry", "scipy.linalg")  # Numba looks whether there is SciPy
MOST = 1 << 20  # bytes of a wish


class Forked:
    """A process, as `subprocess.Popen` shows one: of Python, with the words that one would write behind it."""

    def __init__(
        self,
        words: Sequence[str],
        env: Mapping[str, str],
        streams: tuple[int, int, int],
        folder: Path | None = None,
        compiling: bool = False,
    ) -> None:
        told, telling = os.pipe()
        wish = json.dumps(
            {"words": words, "environment": dict(env), "folder": str(folder or Path.cwd()), "compiling": compiling}
        ).encode()
        of_ours = env.get("PYTHONPATH") == HERE  # else it is about a copy of the package
        socket.send_fds(_forge(of_ours), [wish], [*streams, telling])
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


def start_python(
    words: Sequence[str], env: Mapping[str, str] = os.environ, folder: Path | None = None
) -> tuple[Forked, IO[str]]:
    """Start what asks nothing, and what it writes to its second channel."""
    reading, writing = os.pipe()
    with Path(os.devnull).open("r+") as nothing:
        process = Forked(words, env, (nothing.fileno(), nothing.fileno(), writing), folder)
    os.close(writing)
    return process, os.fdopen(reading)


def run_souk(words: Sequence[str], env: Mapping[str, str], typed: str = "") -> tuple[int, str, str]:
    """The exit status of a command, and what it wrote to both channels."""
    done = run_python(["-m", "souk.cli", *words], env, typed)
    return done.returncode, done.stdout, done.stderr


def run_python(
    words: Sequence[str], env: Mapping[str, str] = os.environ, typed: str = "", folder: Path | None = None
) -> subprocess.CompletedProcess[str]:
    """As `subprocess.run([sys.executable, *words], input=typed, cwd=folder, env=env, capture_output=True, text=True)`: `words` begin with `-m` and a
    module, with `-c` and a program, or with the file of one."""
    with (
        tempfile.TemporaryFile("w+") as asked,
        tempfile.TemporaryFile("w+") as out,
        tempfile.TemporaryFile("w+") as err,
    ):
        asked.write(typed)
        asked.seek(0)
        status = Forked(words, env, (asked.fileno(), out.fileno(), err.fileno()), folder, compiling=True).wait()
        out.seek(0)
        err.seek(0)
        return subprocess.CompletedProcess(["python", *words], status, out.read(), err.read())


@cache
def _forge(of_ours: bool) -> socket.socket:
    """The line to the process that all others are forked from, which has loaded our own package too, or has not: one for each process of tests, as
    long as that runs."""
    ours, its = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    command = [sys.executable, "-m", "tests.forked", str(its.fileno()), *(["ours"] if of_ours else [])]
    process = subprocess.Popen(command, cwd=ROOT, pass_fds=[its.fileno()], stdin=subprocess.DEVNULL)
    its.close()

    def close() -> None:
        ours.close()
        process.wait()

    atexit.register(close)
    return ours


# ---------------------------------------------------------------- in that process


def main(line: socket.socket, of_ours: bool) -> None:
    """Fork whatever is asked for, until nobody is left who could ask."""
    with warnings.catch_warnings(action="error"):
        for package in PACKAGES:
            importlib.import_module(package)
        if of_ours:
            _load_ours()
    gc.freeze()  # what is here is shared by all, as long as nobody touches it
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody here waits for those who look after others
    while True:
        wish, streams, _, _ = socket.recv_fds(line, MOST, 4)
        if not wish:
            return
        wanted = json.loads(wish)
        if wanted["compiling"]:
            _load_compiler()
        if os.fork() == 0:
            line.close()
            for sign in (
                signal.SIGCHLD,
                signal.SIGHUP,
            ):  # the latter is ignored wherever all of this was begun by `nohup`
                signal.signal(sign, signal.SIG_DFL)
            *own, telling = streams
            if child := os.fork():
                _look_after(child, own, telling)
            os.close(telling)
            _live(wanted, own)
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


def _load_ours() -> None:
    """The server, all games, and what they read from files. Not the command line: it looks at the environment as it is loaded."""
    importlib.import_module("souk.table.serving")
    games = importlib.import_module("souk.games")
    for name in games.names():
        assert games.game(name).lesson
    message = importlib.import_module("souk.core.message")
    for language in message.languages():
        message.read_language(language)


@cache
def _load_compiler() -> None:
    """Numba, and what it loads when it is first used: once somebody may want it, which servers do not."""
    for package in COMPILING:
        with suppress(ImportError):
            importlib.import_module(package)
    target = sys.modules["numba.core.registry"].cpu_target
    target.typing_context.refresh()
    target.target_context.refresh()
    gc.freeze()


def _live(wish: dict[str, Any], streams: list[int]) -> NoReturn:
    """Become what is wished for, and end as Python does, but without taking leave of every single thing that was loaded: to touch it is to copy it, and takes
    longer than most commands."""
    status = 0
    try:
        _become(wish, streams)
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
        if not isinstance(ended.code, int | None):
            print(ended.code, file=sys.stderr)
    except Exception as error:
        sys.excepthook(type(error), error, error.__traceback__)
        status = 1
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    gc.collect()  # whatever was not closed complains now
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)


def _become(wish: dict[str, Any], streams: list[int]) -> None:
    """Be what `python WORDS` is, in a folder and an environment."""
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(wish["folder"])
    os.environ.clear()
    os.environ.update(wish["environment"])
    sys.dont_write_bytecode = bool(os.environ.get("PYTHONDONTWRITEBYTECODE"))
    if wanted := os.environ.get("PYTHONWARNINGS"):
        warnings.simplefilter(wanted)  # type: ignore[arg-type]
    first, *rest = wish["words"]
    here = {"-m": wish["folder"], "-c": ""}.get(first, str(Path(first).parent))
    sys.path[0:1] = [here, *filter(None, os.environ.get("PYTHONPATH", "").split(os.pathsep))]
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
