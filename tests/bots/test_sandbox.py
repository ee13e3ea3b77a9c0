"""The sandbox: what an external program can reach, and what it cannot."""

import json
import os
import random
import shlex
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from souk.bots import sandbox_exec
from souk.bots.external import ExternalBot, external_bot
from souk.bots.sandbox import Sandbox, make_sandbox
from souk.core.position import Position
from souk.games import game
from tests.support.processes import exists

# Reports on stderr what it could do: y or n for each attempt.
SPY = """
import json, os, socket, sys, time
here = os.path.dirname(os.path.abspath(__file__))
def read(path):
    open(path, "rb").read()
def write(path):
    open(path, "w").write("x")
def tried(work, *words):
    try:
        work(*words)
        return "y"
    except OSError:
        return "n"
asked = json.load(open(os.path.join(here, "asked.json")))
found = {
    "data": tried(read, os.path.join(here, "data", "tables.sqlite")),
    "data by the root": tried(
        read, "/proc/self/root" + os.path.join(here, "data", "tables.sqlite")
    ),
    "data listed": tried(os.listdir, os.path.join(here, "data")),
    "data linked": tried(os.link, os.path.join(here, "data", "tables.sqlite"), "link"),
    "beside": tried(read, os.path.join(here, "asked.json")),
    "write beside": tried(write, os.path.join(here, "written")),
    "home": tried(os.listdir, os.path.expanduser(asked["home"])),
    "parent": tried(read, f"/proc/{os.getppid()}/environ"),
    "signal": tried(os.kill, asked["pid"], 0),
    "network": tried(socket.create_connection, ("127.0.0.1", asked["port"]), 2),
    "work": tried(write, "written"),
    "many files": tried(lambda: [open("/dev/null") for _ in range(1000)]),
}
found |= {"environment": sorted(os.environ), "folder": os.getcwd()}
found["open"] = len(os.listdir("/proc/self/fd"))
print(json.dumps(found), file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "choose":
        answer = {"type": "move", "id": message["id"], "move": message["moves"][0]}
        print(json.dumps(answer), flush=True)
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A folder with the spy program, the server's data, and a listening socket."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "tables.sqlite").write_text("the seed")
    (tmp_path / "spy.py").write_text(SPY)
    with socket.create_server(("127.0.0.1", 0)) as listening:
        asked = {"port": listening.getsockname()[1], "pid": os.getpid(), "home": str(Path.home())}
        (tmp_path / "asked.json").write_text(json.dumps(asked))
        yield tmp_path


def a_position() -> Position:
    position = game("suleika").start(2, first=0)
    while not position.actors:
        position.draw(random.Random(1))
    return position


def spy(home: Path, sandbox: Sandbox | None) -> dict[str, Any]:
    """The report of the spy."""
    command = shlex.join([sys.executable, "-S", str(home / "spy.py")])
    with external_bot(command, 20.0, sandbox) as bot:
        choice = bot.choose(a_position(), 0)
        assert not choice.fallback
        assert bot._program is not None
        end = time.monotonic() + 20.0
        # stderr may arrive after the answer.
        while not bot._program._stderr.endswith(b"\n") and time.monotonic() < end:
            time.sleep(0.01)
        report: dict[str, Any] = json.loads(bot._program._stderr)
    return report


def test_without_a_sandbox_everything_is_readable(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The control experiment for the following tests."""
    monkeypatch.chdir(home)
    found = spy(home, None)
    assert {
        found[name] for name in ("data", "data by the root", "data listed", "network", "signal")
    } == {"y"}


def test_a_sandboxed_program_cannot_reach_the_server(home: Path) -> None:
    os.environ["SOUK_SECRET_OF_A_TEST"] = "secret"
    try:
        found = spy(home, make_sandbox(home / "data"))
    finally:
        del os.environ["SOUK_SECRET_OF_A_TEST"]
    refused = (
        "data",
        "data by the root",
        "data listed",
        "data linked",
        "write beside",
        "home",
        "parent",
        "signal",
    )
    assert {name: found[name] for name in refused} == dict.fromkeys(refused, "n")
    assert (found["network"], found["many files"]) == ("n", "n")
    assert (found["beside"], found["work"]) == ("y", "y")
    assert set(found["environment"]) <= {
        "PATH",
        "LANG",
        "LC_ALL",
        "LC_CTYPE",
        "TZ",
        "HOME",
        "TMPDIR",
    }
    assert found["open"] <= 5  # three pipes, the listing itself, and one spare
    assert not Path(found["folder"]).exists()  # deleted with the program


def test_a_program_in_the_data_folder_is_refused(home: Path) -> None:
    (home / "data" / "spy.py").write_text(SPY)
    sandbox = make_sandbox(home / "data")
    with pytest.raises(ValueError, match="must not see"):
        external_bot(f"{sys.executable} {home / 'data' / 'spy.py'}", sandbox=sandbox)


def test_a_program_that_cannot_be_run_says_so(home: Path) -> None:
    (home / "broken").write_text("#!/there/is/no/such/interpreter\n")
    (home / "broken").chmod(0o755)
    with ExternalBot(str(home / "broken"), 5.0, make_sandbox(home / "data")) as bot:
        assert "cannot run" in bot.choose(a_position(), 0).fallback


def test_a_program_does_not_start_if_a_restriction_fails(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sandbox = Sandbox((str(home / "data"),), None, True)
    monkeypatch.setattr("souk.bots.sandbox._LIMITS", {"NOFILE": -5})
    with external_bot(f"{sys.executable} {home / 'spy.py'}", sandbox=sandbox) as bot:
        assert bot.choose(a_position(), 0).fallback
        assert bot._program is None


def test_a_sandboxed_program_dies_with_its_parent(home: Path) -> None:
    """Even if it ignores its input."""
    (home / "deaf.py").write_text(
        "import json, os, time\n"
        "print(json.dumps({'type': 'ready'}), flush=True)\n"
        "print(os.getpid(), file=open(os.path.join(os.environ['HOME'], 'pid'), 'w'), flush=True)\n"
        "time.sleep(600)\n"
    )
    starting = f"""
import sys, time
from pathlib import Path
from souk.bots.sandbox import make_sandbox
from souk.bots.external import _Program
sandbox = make_sandbox(Path({str(home / "data")!r}))
program = _Program([sys.executable, {str(home / "deaf.py")!r}], sandbox)
program.receive(time.monotonic() + 20)
print(program.pid, flush=True)
time.sleep(600)
"""
    with subprocess.Popen(
        [sys.executable, "-c", starting], stdout=subprocess.PIPE, text=True
    ) as parent:
        assert parent.stdout is not None
        program = int(parent.stdout.readline())
        assert exists(program)
        parent.kill()
    for _ in range(500):
        if not exists(program):
            break
        time.sleep(0.01)
    assert not exists(program)


def test_without_landlock_and_user_there_is_no_sandbox(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_exec, "landlock_version", lambda: 0)
    assert make_sandbox(tmp_path) is None


def test_a_dedicated_user(home: Path) -> None:
    """Requires root; the user cannot read what root can."""
    if os.geteuid() != 0:
        with pytest.raises(ValueError, match="starts as root"):
            make_sandbox(home / "data", "nobody")
        return
    for name, why in (("nobody at all", "there is no user"), ("root", "without root's rights")):
        with pytest.raises(ValueError, match=why):
            make_sandbox(home / "data", name)
    sandbox = make_sandbox(home / "data", "nobody")
    assert sandbox is not None
    secret = home / "data" / "tables.sqlite"
    secret.chmod(0o600)
    script = (
        f"id -u >&2; cat {secret} >&2; read x; "
        """echo '{"type": "ready"}'; read x; echo '{"type": "move"}'; read x"""
    )
    for landlock in (sandbox.landlock, False):
        alone = Sandbox(sandbox.hidden, sandbox.user, landlock)
        with ExternalBot(shlex.join(["sh", "-c", script]), 20.0, alone) as bot:
            bot.choose(a_position(), 0)
            assert bot._program is not None
            end = time.monotonic() + 10.0
            while b"denied" not in bot._program._stderr and time.monotonic() < end:
                time.sleep(0.01)
            said = bot._program._stderr.decode()
        assert said.startswith(f"{sandbox.user[0] if sandbox.user else 0}\n")
        assert "the seed" not in said
        assert "denied" in said
