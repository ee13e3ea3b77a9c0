"""Runs a program with reduced rights: takes the restrictions as JSON, then the command.

Drops the server's rights for good, then replaces itself by the program; exits with an error if a
restriction fails. Uses only the standard library, to start quickly (see souk.bots.sandbox).
"""

import contextlib
import ctypes
import json
import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

# Landlock system calls, the same on every architecture.
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_DIE_WITH_PARENT, _DROP_CAPABILITY, _NO_NEW_PRIVILEGES = 1, 24, 38  # of prctl
_KILL = 9
_NEW_NETWORK = 0x40000000  # of unshare
_CAPABILITIES = 64  # more than exist

_READ, _LIST, _RUN = 1 << 2, 1 << 3, 1 << 0
_OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # run, write, read, truncate, control
# Number of file access rights by Landlock version, and in later versions.
_ACCESS_RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}
_ACCESS_RIGHTS_NOW = 16
_WITH_NETWORK = 4  # first version that restricts TCP
_WITH_SCOPES = 6  # first version that restricts signals and abstract sockets

SETUP_FAILED = 126  # exit status if a restriction failed


class _Ruleset(ctypes.Structure):
    _fields_ = (
        ("files", ctypes.c_uint64),
        ("network", ctypes.c_uint64),
        ("scopes", ctypes.c_uint64),
    )


class _PathRule(ctypes.Structure):
    _pack_ = 1
    _fields_ = (("allowed", ctypes.c_uint64), ("folder", ctypes.c_int32))


def _call(number: int, *arguments: Any) -> int:
    """Make a system call; raise OSError if it fails."""
    library = ctypes.CDLL(None, use_errno=True)
    result: int = library.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        raise OSError(ctypes.get_errno(), os.strerror(ctypes.get_errno()))
    return result


def landlock_version() -> int:
    """The Landlock version of this system; 0 if it has none."""
    if sys.platform != "linux":
        return 0
    try:
        return _call(_CREATE_RULESET, None, ctypes.c_size_t(0), ctypes.c_uint32(_ASK_VERSION))
    except OSError:
        return 0


def _restrict_with_landlock(read: Iterable[str], write: Iterable[str]) -> None:
    """Allow only these paths; forbid TCP, and signals to other processes."""
    version = landlock_version()
    every = (1 << _ACCESS_RIGHTS.get(version, _ACCESS_RIGHTS_NOW)) - 1
    rules = _Ruleset(
        every, 3 if version >= _WITH_NETWORK else 0, 3 if version >= _WITH_SCOPES else 0
    )
    size = 24 if version >= _WITH_SCOPES else 16 if version >= _WITH_NETWORK else 8
    ruleset = _call(_CREATE_RULESET, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    itself = f"/proc/{os.getpid()}"  # execv keeps the process id
    for paths, allowed in (([*read, itself], _READ | _LIST | _RUN), (write, every)):
        for path in paths:
            with contextlib.suppress(FileNotFoundError, PermissionError):
                _add_path_rule(ruleset, path, allowed)
    _call(_RESTRICT_SELF, ctypes.c_int(ruleset), ctypes.c_uint32(0))
    os.close(ruleset)


def _add_path_rule(ruleset: int, path: str, allowed: int) -> None:
    folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        rule = _PathRule(allowed if Path(path).is_dir() else allowed & _OF_FILES, folder)
        _call(
            _ADD_RULE,
            ctypes.c_int(ruleset),
            ctypes.c_int(1),
            ctypes.byref(rule),
            ctypes.c_uint32(0),
        )
    finally:
        os.close(folder)


def _limit(limits: dict[str, int]) -> None:
    import resource

    for name, wanted in limits.items():
        number = getattr(resource, f"RLIMIT_{name}")
        hard = resource.getrlimit(number)[1]
        limit = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
        resource.setrlimit(number, (limit, limit))


def _drop_privileges(user: list[int] | None) -> None:
    """Switch to another user if given, and rule out new privileges."""
    library = ctypes.CDLL(None, use_errno=True)
    if sys.platform == "linux" and os.geteuid() == 0:
        library.unshare(_NEW_NETWORK)  # no network, if the system allows it
        for capability in range(_CAPABILITIES):
            library.prctl(_DROP_CAPABILITY, capability, 0, 0, 0)
    if user is not None:
        os.setgroups([])
        os.setgid(user[1])
        os.setuid(user[0])
    if sys.platform == "linux":
        library.prctl(_DIE_WITH_PARENT, _KILL, 0, 0, 0)
        if library.prctl(_NO_NEW_PRIVILEGES, 1, 0, 0, 0):
            raise OSError("cannot set no_new_privs")


def main() -> None:
    allowed, command = json.loads(sys.argv[1]), sys.argv[2:]
    try:
        _limit(allowed["limits"])
        _drop_privileges(allowed["user"])
        if allowed["landlock"]:
            _restrict_with_landlock(allowed["read"], allowed["write"])
    except OSError as error:
        print(f"cannot set up the sandbox: {error}", file=sys.stderr)
        sys.exit(SETUP_FAILED)
    try:
        os.execv(command[0], command)
    except OSError as error:
        print(f"cannot run: {error.strerror}: {command[0]}", file=sys.stderr)
        sys.exit(SETUP_FAILED)


if __name__ == "__main__":
    main()
