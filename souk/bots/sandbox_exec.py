"""Becomes a program that may do little: it is run by its path, with what the program may do as JSON, and then the program and its arguments.

It gives up what the server's user may do, for good, and only then becomes the program. Where something cannot be given up it ends
instead, and says why. Needs nothing but Python's own library, so that it starts in a moment (see souk.bots.cage).
"""

import contextlib
import ctypes
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # system calls of Landlock, the same on every machine
_ASK_VERSION = 1
_DIE_WITH_PARENT, _DROP_CAPABILITY, _NO_NEW_PRIVILEGES = 1, 24, 38  # of prctl
_KILL = 9
_NEW_NETWORK = 0x40000000  # of unshare
_CAPABILITIES = 64  # more than there are

_READ, _LIST, _RUN = 1 << 2, 1 << 3, 1 << 0
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # run, write, read, truncate, control
_KNOWN = {1: 13, 2: 14, 3: 15, 4: 15}  # how many kinds of access to files each version of Landlock can forbid;
_KNOWN_NOW = 16  # later ones these
_WITH_NETWORK, _WITH_SCOPES = 4, 6  # the versions that know of TCP, and of signals and abstract sockets

CAGED = 126  # the status where something could not be given up


class _Ruleset(ctypes.Structure):
    _fields_ = (("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64))


class _Beneath(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def _call(number: int, *arguments: Any) -> int:
    """A system call; OSError where the system refuses."""
    library = ctypes.CDLL(None, use_errno=True)
    answer: int = library.syscall(ctypes.c_long(number), *arguments)
    if answer < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return answer


def landlock_version() -> int:
    """Which version of Landlock this system has; 0 where there is none."""
    if sys.platform != "linux":
        return 0
    try:
        return _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    except OSError:
        return 0


def _shut_away(read: Iterable[str], write: Iterable[str]) -> None:
    """See no files from now on but these; neither listen nor connect over TCP, nor send signals to others."""
    version = landlock_version()
    every = (1 << _KNOWN.get(version, _KNOWN_NOW)) - 1
    rules = _Ruleset(every, 3 if version >= _WITH_NETWORK else 0, 3 if version >= _WITH_SCOPES else 0)
    size = 24 if version >= _WITH_SCOPES else 16 if version >= _WITH_NETWORK else 8
    ruleset = _call(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    itself = f"/proc/{os.getpid()}"  # which stays the same when it becomes the program
    for paths, allowed in (([*read, itself], _READ | _LIST | _RUN), (write, every)):
        for path in paths:
            with contextlib.suppress(FileNotFoundError, PermissionError):
                _allow(ruleset, path, allowed)
    _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _allow(ruleset: int, path: str, allowed: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _Beneath(allowed if Path(path).is_dir() else allowed & _OF_FILES, folder)
        _call(_ADD_RULE, ctypes.c_int(ruleset), ctypes.c_int(1), ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(folder)


def _limit(limits: dict[str, int]) -> None:
    import resource

    for name, most in limits.items():
        number = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(number)[1]
        least = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(number, (least, least))


def _give_up_rights(user: list[int] | None) -> None:
    """Be somebody else, where one is named; and nobody who could become more than that."""
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "linux" and os.geteuid() == 0:
        library.unshare(_NEW_NETWORK)  # where the system allows it there is no network
        for capability in range(_CAPABILITIES):
            library.prctl(_DROP_CAPABILITY, capability, 0, 0, 0)
    if user is not None:
        os.setgroups([])
        os.setgid(user[1])
        os.setuid(user[0])
    if sys.platform == "linux":
        library.prctl(_DIE_WITH_PARENT, _KILL, 0, 0, 0)
        if library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            raise OSError("new privileges cannot be ruled out")


def main() -> None:
    what, command = json.loads(sys.argv[1]), sys.argv[2:]
    try:
        _limit(what["limits"])
        _give_up_rights(what["user"])
        if what["shut_away"]:
            _shut_away(what["read"], what["write"])
    except OSError as error:
        print(f"it cannot be kept from what it should not do: {error}", file=sys.stderr)
        sys.exit(CAGED)
    try:
        os.execv(command[0], command)
    except OSError as error:
        print(f"it cannot be run: {error.strerror}: {command[0]}", file=sys.stderr)
        sys.exit(CAGED)


if __name__ == "__main__":
    main()
