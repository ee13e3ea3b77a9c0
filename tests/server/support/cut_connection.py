"""A relay between the server and PostgreSQL that breaks the connection on demand."""

import contextlib
import socket
import tempfile
import threading
from collections.abc import Callable
from pathlib import Path

SOCKET = ".s.PGSQL.5432"
COMMIT = b"COMMIT\0"


class Relay:
    """Relays both directions.

    Args:
        before: called with the server's bytes and both sockets; returns the bytes to pass on, or
        None to break the connection.
        stuck: sockets to the database left open, as if nobody had noticed.
    """

    def __init__(self, database: Path) -> None:
        self._home = tempfile.TemporaryDirectory()
        self.folder, self._database = Path(self._home.name), database
        self.before: Callable[[bytes, socket.socket, socket.socket], bytes | None] = (
            lambda said, _house, _database: said
        )
        self.stuck: list[socket.socket] = []
        self._lines = [socket.socket(socket.AF_UNIX)]
        self._lines[0].bind(str(self.folder / SOCKET))
        self._lines[0].listen()
        self._threads: list[threading.Thread] = []
        self._run(self._accept)

    def __enter__(self) -> "Relay":
        return self

    def __exit__(self, *_: object) -> None:
        hang_up(*self._lines)
        for thread in self._threads:
            thread.join()
        for line in self._lines:
            line.close()
        self._home.cleanup()

    def _run(self, work: Callable[..., None], *ends: socket.socket) -> None:
        thread = threading.Thread(target=work, args=ends)
        self._threads.append(thread)
        thread.start()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                house, _ = self._lines[0].accept()
                database = socket.socket(socket.AF_UNIX)
                database.connect(str(self._database / SOCKET))
                self._lines += [house, database]
                self._run(self._to_database, house, database)
                self._run(self._to_house, database, house)

    def _to_database(self, house: socket.socket, database: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while said := house.recv(1 << 16):
                passed = self.before(said, house, database)
                if passed is None:
                    break
                database.sendall(passed)
        self._end(house, database)

    def _to_house(self, database: socket.socket, house: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while said := database.recv(1 << 16):
                house.sendall(said)
        self._end(house, database)

    def _end(self, *ends: socket.socket) -> None:
        hang_up(*(end for end in ends if end not in self.stuck))


def hang_up(*ends: socket.socket) -> None:
    for end in ends:
        with contextlib.suppress(OSError):
            end.shutdown(socket.SHUT_RDWR)
