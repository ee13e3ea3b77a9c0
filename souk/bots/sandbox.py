"""Sandbox for external programs on a server: no server privileges, no access to its data.

A program sees the system folders, its own folder and an empty working folder, and runs under
resource limits. On Linux Landlock does this without privileges; a server started as root can also
run programs as another user.
"""

import os
import shutil
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from souk.bots import sandbox_exec

# Variables passed on; HOME and TMPDIR point to the working folder.
ENVIRONMENT = ("PATH", "LANG", "LC_ALL", "LC_CTYPE", "TZ")
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
_BESIDE = (".", "../lib", "../lib64", "../pyvenv.cfg")  # relative to the program's folder
# In seconds, bytes and files.
_LIMITS = {"CORE": 0, "CPU": 3600, "DATA": 1 << 30, "FSIZE": 1 << 26, "NOFILE": 256}
_PROCESSES = 64  # only for a dedicated user


class Sandbox(msgspec.Struct, frozen=True):
    """Restrictions for programs: a dedicated user, Landlock, or both."""

    hidden: tuple[str, ...]  # folders
    user: tuple[int, int] | None  # user and group id
    landlock: bool

    def command(self, words: Sequence[str], folder: str) -> list[str]:
        """The command line that runs a command in the sandbox."""
        words = _absolute(words)
        read = [
            str(path)
            for place in (*_SYSTEM, *_places(words))
            for path in self._readable_below(Path(place))
        ]
        limits = _LIMITS | ({"NPROC": _PROCESSES} if self.user else {})
        allowed: dict[str, Any] = {"user": self.user, "landlock": self.landlock, "limits": limits}
        allowed |= (
            {"read": sorted(set(read)), "write": [folder, "/dev/null"]} if self.landlock else {}
        )
        return [
            sys.executable,
            "-I",
            "-S",
            sandbox_exec.__file__,
            msgspec.json.encode(allowed).decode(),
            *words,
        ]

    def popen_options(self, folder: str) -> dict[str, Any]:
        """Arguments of `subprocess.Popen` for a program that works in a folder."""
        if self.user:
            os.chown(folder, *self.user)
        environment = {name: os.environ[name] for name in ENVIRONMENT if name in os.environ}
        return {
            "cwd": folder,
            "env": environment | {"HOME": folder, "TMPDIR": folder},
            "close_fds": True,
        }

    def check(self, command: str, words: Sequence[str]) -> None:
        """Raise ValueError for a program inside a hidden folder."""
        for place in _places(_absolute(words)):
            for hidden in map(Path, self.hidden):
                if _is_in(Path(place).resolve(), hidden):
                    raise ValueError(
                        f"levels: exec:{command} is in {hidden}, which programs must not see; "
                        "move it"
                    )

    def _readable_below(self, place: Path) -> Iterator[Path]:
        """A path, or its parts that do not contain a hidden folder."""
        place = place.resolve()
        hidden = [Path(folder) for folder in self.hidden]
        if any(_is_in(place, folder) for folder in hidden):
            return
        if not any(_is_in(folder, place) for folder in hidden):
            yield place
        elif place.is_dir():
            for inner in sorted(place.iterdir()):
                if not inner.is_symlink():
                    yield from self._readable_below(inner)


def make_sandbox(hidden: Path, user: str = "") -> Sandbox | None:
    """The best sandbox this system supports, or None. ValueError for an unusable user."""
    ids = _user(user) if user else None
    landlock = sandbox_exec.landlock_version() > 0
    return Sandbox((str(hidden.resolve()),), ids, landlock) if ids or landlock else None


def _user(name: str) -> tuple[int, int]:
    if sys.platform == "win32":
        raise ValueError("bot-user: this system cannot run programs as another user")
    import pwd

    if os.geteuid() != 0:
        raise ValueError(
            "bot-user: only a server that starts as root can run programs as another user"
        )
    try:
        entry = pwd.getpwnam(name)
    except KeyError:
        raise ValueError(f"bot-user: there is no user {name}") from None
    if entry.pw_uid == 0:
        raise ValueError("bot-user: must be a user without root's rights")
    return entry.pw_uid, entry.pw_gid


def _absolute(words: Sequence[str]) -> list[str]:
    """A command with absolute paths, since it will run in another folder."""
    program = Path(shutil.which(words[0]) or words[0]).absolute()
    return [
        str(program),
        *(str(Path(word).absolute()) if Path(word).exists() else word for word in words[1:]),
    ]


def _places(words: Sequence[str]) -> Iterator[str]:
    """The folders of a program and its arguments, and those beside it; also resolved."""
    program = Path(words[0])
    for path in (program, program.resolve()):
        yield from (str(path.parent / beside) for beside in _BESIDE)
    for named in map(Path, words[1:]):
        if named.is_absolute() and named.exists():
            yield str(named if named.is_dir() else named.parent)


def _is_in(path: Path, folder: Path) -> bool:
    return path == folder or folder in path.parents
