"""Where programs of others run at a server: without its rights, and without a look at its data.

A program sees the system's own folders, its own, and an empty one to work in; its environment holds what `ENVIRONMENT` lists. What it may
use is limited. Linux does this without any rights of ours (Landlock); a server that starts as root can run programs as another user besides.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from souk.bots import caged

ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")  # and HOME and TMPDIR, which are the folder it works in
_SYSTEM = [
    "/usr",
    "/bin",
    "/sbin",
    "/lib",
    "/lib32",
    "/lib64",
    "/nix/store",
    "/etc/alternatives",
    "/etc/ld.so.cache",
    "/etc/localtime",
    "/etc/passwd",
    "/etc/group",
    "/etc/nsswitch.conf",
    "/dev/zero",
    "/dev/random",
    "/dev/urandom",
    "/proc/cpuinfo",
    "/proc/meminfo",
    "/sys/devices/system/cpu",
]
_BESIDE = (".", "../lib", "../lib64", "../pyvenv.cfg")  # a program, what it may need to run
_LIMITS = {"CORE": 0, "CPU": 3600, "DATA": 1 << 30, "FSIZE": 1 << 26, "NOFILE": 256}  # seconds, bytes, files
_PROCESSES = 64  # of a user that has nothing else to do


class Cage(msgspec.Struct, frozen=True):
    """What keeps programs in: a user of their own (user and group), Landlock, or both; and the folders that they must not see."""

    hidden: tuple[str, ...]
    user: tuple[int, int] | None
    shut_away: bool  # by Landlock

    def command(self, words: Sequence[str], folder: str) -> list[str]:
        """A command as it is run in the cage, with a folder to work in."""
        words = _absolute(words)
        read = [str(path) for place in (*_SYSTEM, *_places(words)) for path in self._around(Path(place))]
        limits = _LIMITS | ({"NPROC": _PROCESSES} if self.user else {})
        allowed: dict[str, Any] = {"user": self.user, "shut_away": self.shut_away, "limits": limits}
        allowed |= {"read": sorted(set(read)), "write": [folder, "/dev/null"]} if self.shut_away else {}
        return [sys.executable, "-I", "-S", caged.__file__, msgspec.json.encode(allowed).decode(), *words]

    def started(self, folder: str) -> dict[str, Any]:
        """How a program is started that works in a folder."""
        if self.user:
            os.chown(folder, *self.user)
        environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
        return {"cwd": folder, "env": environment | {"HOME": folder, "TMPDIR": folder}, "close_fds": True}

    def check(self, command: str, words: Sequence[str]) -> None:
        """ValueError for a program that lies where it must not look."""
        for place in _places(_absolute(words)):
            for hidden in map(Path, self.hidden):
                if _is_in(Path(place).resolve(), hidden):
                    raise ValueError(f"levels: exec:{command} lies in {hidden}, which programs must not see; move it")

    def _around(self, place: Path) -> Iterator[Path]:
        """A place, or all in it but what is hidden."""
        place = place.resolve()
        hidden = [Path(each) for each in self.hidden]
        if any(_is_in(place, each) for each in hidden):
            return
        if not any(_is_in(each, place) for each in hidden):
            yield place
        elif place.is_dir():
            for inner in sorted(place.iterdir()):
                if not inner.is_symlink():
                    yield from self._around(inner)


def make_cage(hidden: Path, user: str = "") -> Cage | None:
    """The best cage that this system has; None where it has none. ValueError for a user that programs cannot run as."""
    found = _user(user) if user else None
    shut_away = caged.landlock_version() > 0
    return Cage((str(hidden.resolve()),), found, shut_away) if found or shut_away else None


def _user(name: str) -> tuple[int, int]:
    if sys.platform == "win32":
        raise ValueError("bot-user: this system cannot run programs as another user")
    import pwd

    if os.geteuid() != 0:
        raise ValueError("bot-user: only a server that starts as root can run programs as another user")
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise ValueError(f"bot-user: there is no user {name}") from None
    if entry.pw_uid == 0:
        raise ValueError("bot-user: must be a user without root's rights")
    return entry.pw_uid, entry.pw_gid


def _absolute(words: Sequence[str]) -> list[str]:
    """The words of a command, with its program and the files it names by their whole paths: it will run in another folder."""
    program = Path(shutil.which(words[0]) or words[0]).absolute()
    return [str(program), *(str(Path(word).absolute()) if Path(word).exists() else word for word in words[1:])]


def _places(words: Sequence[str]) -> Iterator[str]:
    """Where a program and what it was given lie, with what is beside them: links and what they lead to."""
    program = Path(words[0])
    for path in (program, program.resolve()):
        yield from (str(path.parent / beside) for beside in _BESIDE)
    for named in map(Path, words[1:]):
        if named.is_absolute() and named.exists():
            yield str(named if named.is_dir() else named.parent)


def _is_in(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents
