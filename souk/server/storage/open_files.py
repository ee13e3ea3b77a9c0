"""Detects that the files of an open database were deleted or replaced.

POSIX drops all locks of a process on a file when the process closes any descriptor of it. Another
SQLite process then believes it is the last one, copies the write-ahead log into the database and
deletes it under the server, whose next writes go into a file without a name. Files that somebody
moves, deletes or restores by hand end the same way.
"""

import contextlib
import os
from pathlib import Path

Identity = tuple[int, int] | None  # device and inode; None if there is no file


class OpenFiles:
    """The files of a database as they were when opened. A comparison takes three `stat` calls."""

    def __init__(self, database: Path) -> None:
        # As strings: a comparison takes 8 µs, with Path objects half as long again.
        self._opened = {os.fspath(path): _identity(path) for path in files_of(database)}

    def replaced(self) -> list[str]:
        """The names of files that have been deleted or replaced."""
        return [
            os.path.basename(path)  # noqa: PTH119
            for path, identity in self._opened.items()
            if _identity(path) != identity
        ]

    def only_log_deleted(self) -> bool:
        """Whether the database is in place, its log is gone, and nobody has begun another."""
        database, log, index = self._opened
        return (
            _identity(database) == self._opened[database]
            and _identity(log) is None
            and _identity(index) in (None, self._opened[index])
        )


def files_of(database: Path) -> tuple[Path, Path, Path]:
    """The database, its write-ahead log and index. SQLite puts these beside a link's target."""
    real = database.resolve()
    return (
        database.absolute(),
        real.with_name(f"{real.name}-wal"),
        real.with_name(f"{real.name}-shm"),
    )


def stray_writers(database: Path) -> list[int]:
    """Other processes that have replaced files of this database open, or have lost their locks.

    The next process to close the database would delete the log under them. The caller has the
    database open. Linux only, and only for processes that we may inspect.
    """
    lock_holders = _lock_holders(database)
    others = [
        int(path.name) for path in Path("/proc").glob("[0-9]*") if int(path.name) != os.getpid()
    ]
    return sorted(pid for pid in others if _is_stray(pid, database, lock_holders))


def _is_stray(pid: int, database: Path, lock_holders: set[int]) -> bool:
    in_place = {os.fspath(path.resolve()): _identity(path) for path in files_of(database)}
    real, log, _index = in_place
    opened: dict[str, Identity] = {}
    with contextlib.suppress(OSError):  # it has ended, or belongs to another user
        for descriptor in Path(f"/proc/{pid}/fd").iterdir():
            name = str(descriptor.readlink()).removesuffix(" (deleted)")
            if name in in_place:
                opened[name] = _identity(descriptor)
    if any(identity != in_place[name] for name, identity in opened.items()):
        return True
    if log not in opened:  # it is just opening the database, or reads one of its files
        return False
    return real not in opened or (os.getpid() in lock_holders and pid not in lock_holders)


def _lock_holders(database: Path) -> set[int]:
    """Processes that hold a lock on the database."""
    try:
        inode, lines = database.stat().st_ino, Path("/proc/locks").read_text().splitlines()
    except OSError:
        return set()
    # "1: POSIX  ADVISORY  READ 4711 08:01:131 1073741826 1073742335"; waiting locks have an arrow
    locks = [line.split() for line in lines if "->" not in line]
    return {int(lock[4]) for lock in locks if lock[5].rpartition(":")[2] == str(inode)}


def _identity(path: Path | str) -> Identity:
    try:
        stat = os.stat(path)  # noqa: PTH116
    except OSError:
        return None
    return stat.st_dev, stat.st_ino
