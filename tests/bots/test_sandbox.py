"""Programs of others at a server: what they can reach, and what they cannot."""

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

from souk.bots import caged
from souk.bots.cage import Cage, make_cage
from souk.bots.pipe import PipeBot, pipe_bot
from souk.core.position import Position
from souk.games import game
from tests.processes import exists

# Says in its name what came of what it tried, one letter for each: y or n.
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
    "data by the root": tried(read, "/proc/self/root" + os.path.join(here, "data", "tables.sqlite")),
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
found |= {"environment": sorted(os.environ), "folder": os.getcwd(), "open": len(os.listdir("/proc/self/fd"))}
print(json.dumps(found), file=sys.stderr, flush=True)
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif message["type"] == "choose":
        print(json.dumps({"type": "move", "id": message["id"], "move": message["moves"][0]}), flush=True)
"""


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Path]:
    """A folder with the spy, and the server's data beside it; somebody listens, too."""
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


def spy(home: Path, cage: Cage | None) -> dict[str, Any]:
    """What the spy found out."""
    command = shlex.join([sys.executable, "-S", str(home / "spy.py")])
    with pipe_bot(command, 20.0, cage) as bot:
        choice = bot.choose(a_position(), 0)
        assert not choice.fallback
        assert bot._program is not None
        end = time.monotonic() + 20.0
        while (
            not bot._program._said.endswith(b"\n") and time.monotonic() < end
        ):  # it comes by another pipe than the answer
            time.sleep(0.01)
        found: dict[str, Any] = json.loads(bot._program._said)
    return found


def test_what_runs_without_a_cage_reads_everything(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """So that what follows means something."""
    monkeypatch.chdir(home)
    found = spy(home, None)
    assert {found[name] for name in ("data", "data by the root", "data listed", "network", "signal")} == {"y"}


def test_a_caged_program_reaches_nothing_of_the_servers(home: Path) -> None:
    os.environ["SOUK_SECRET_OF_A_TEST"] = "secret"
    try:
        found = spy(home, make_cage(home / "data"))
    finally:
        del os.environ["SOUK_SECRET_OF_A_TEST"]
    refused = ("data", "data by the root", "data listed", "data linked", "write beside", "home", "parent", "signal")
    assert {name: found[name] for name in refused} == dict.fromkeys(refused, "n")
    assert (found["network"], found["many files"]) == ("n", "n")
    assert (found["beside"], found["work"]) == ("y", "y")
    assert set(found["environment"]) <= {"PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "HOME", "TMPDIR"}
    assert found["open"] <= 5  # three pipes, the list itself and one for good measure
    assert not Path(found["folder"]).exists()  # it went with the program


def test_a_program_in_the_data_folder_is_refused(home: Path) -> None:
    (home / "data" / "spy.py").write_text(SPY)
    cage = make_cage(home / "data")
    with pytest.raises(ValueError, match="must not see"):
        pipe_bot(f"{sys.executable} {home / 'data' / 'spy.py'}", cage=cage)


def test_a_program_that_cannot_be_run_says_so(home: Path) -> None:
    (home / "broken").write_text("#!/there/is/no/such/interpreter\n")
    (home / "broken").chmod(0o755)
    with PipeBot(str(home / "broken"), 5.0, make_cage(home / "data")) as bot:
        assert "cannot be run" in bot.choose(a_position(), 0).fallback


def test_no_program_runs_where_it_cannot_be_shut_away(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system forbids what was planned: the program does not start, rather than start free."""
    cage = Cage((str(home / "data"),), None, True)
    monkeypatch.setattr("souk.bots.cage._LIMITS", {"NOFILE": -5})
    with pipe_bot(f"{sys.executable} {home / 'spy.py'}", cage=cage) as bot:
        assert bot.choose(a_position(), 0).fallback
        assert bot._program is None


def test_a_caged_program_ends_with_whoever_started_it(home: Path) -> None:
    """Also where it takes no notice of its input."""
    (home / "deaf.py").write_text(
        "import json, os, time\n"
        "print(json.dumps({'type': 'ready'}), flush=True)\n"
        "print(os.getpid(), file=open(os.path.join(os.environ['HOME'], 'pid'), 'w'), flush=True)\n"
        "time.sleep(600)\n"
    )
    starting = f"""
import sys, time
from pathlib import Path
from souk.bots.cage import make_cage
from souk.bots.pipe import _Program
program = _Program([sys.executable, {str(home / "deaf.py")!r}], make_cage(Path({str(home / "data")!r})))
program.hear(time.monotonic() + 20)
print(program.pid, flush=True)
time.sleep(600)
"""
    with subprocess.Popen([sys.executable, "-c", starting], stdout=subprocess.PIPE, text=True) as parent:
        assert parent.stdout is not None
        program = int(parent.stdout.readline())
        assert exists(program)
        parent.kill()
    for _ in range(500):
        if not exists(program):
            break
        time.sleep(0.01)
    assert not exists(program)


def test_where_there_is_nothing_to_cage_with_there_is_no_cage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(caged, "landlock_version", lambda: 0)
    assert make_cage(tmp_path) is None


def test_a_user_of_its_own(home: Path) -> None:
    """Only root can give a program one. What root reads, that user does not."""
    if os.geteuid() != 0:
        with pytest.raises(ValueError, match="starts as root"):
            make_cage(home / "data", "nobody")
        return
    for name, why in (("nobody at all", "there is no user"), ("root", "without root's rights")):
        with pytest.raises(ValueError, match=why):
            make_cage(home / "data", name)
    cage = make_cage(home / "data", "nobody")
    assert cage is not None
    secret = home / "data" / "tables.sqlite"
    secret.chmod(0o600)
    script = f"""id -u >&2; cat {secret} >&2; read x; echo '{{"type": "ready"}}'; read x; echo '{{"type": "move"}}'; read x"""
    for shut_away in (cage.shut_away, False):
        alone = Cage(cage.hidden, cage.user, shut_away)
        with PipeBot(shlex.join(["sh", "-c", script]), 20.0, alone) as bot:
            bot.choose(a_position(), 0)
            assert bot._program is not None
            end = time.monotonic() + 10.0
            while b"denied" not in bot._program._said and time.monotonic() < end:
                time.sleep(0.01)  # what it says beside its answers is heard beside them
            said = bot._program._said.decode()
        assert said.startswith(f"{cage.user[0] if cage.user else 0}\n")
        assert "the seed" not in said
        assert "denied" in said
