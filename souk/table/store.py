"""Where tables are kept: SQLite, with one thread that writes.

Writes that are waiting go into one transaction together, and each is reported when that is on disk. The store is asked in terms of
tables, seats and events only (`Store`), so that another database can take its place.
"""

import asyncio
import json
import queue
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from souk.table.logs import note, trouble

SCHEMA_VERSION = 2
_SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, rules INTEGER NOT NULL, players INTEGER NOT NULL, options TEXT NOT NULL,
    seed BLOB NOT NULL, digest TEXT NOT NULL, created REAL NOT NULL, changed REAL NOT NULL,
    over INTEGER NOT NULL, actors TEXT NOT NULL, scores TEXT NOT NULL, winners TEXT NOT NULL, rematch TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE seats (
    "table" TEXT NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL, level TEXT NOT NULL,
    player BLOB, invitation BLOB, stand_in TEXT NOT NULL, PRIMARY KEY ("table", seat)
) WITHOUT ROWID;
CREATE INDEX seats_of_player ON seats (player) WHERE player IS NOT NULL;
CREATE TABLE events (
    "table" TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER, text TEXT NOT NULL, told TEXT NOT NULL,
    at REAL NOT NULL, PRIMARY KEY ("table", seq)
) WITHOUT ROWID;
"""

# How a file of an earlier version is brought forward, step by step: from version 1 to 2 and so on.
_MIGRATIONS = {
    1: "UPDATE events SET told = ''",  # words had other keys: each table is told anew when it is next opened
}

_LEAST_FREE = 16 << 20  # bytes on the disk, below which nothing more should be begun
_SECONDS_TO_WRITE = 2.0  # after which a server counts as not ready

T = TypeVar("T")
encode = msgspec.json.Encoder().encode
Statement = tuple[str, tuple[Any, ...]]


class NotKept(Exception):
    """A write that failed: nothing of it was kept."""


class SeatRow(NamedTuple):
    """A seat. Of a player and of an invitation only the digests are kept."""

    seat: int
    kind: str  # "person", "bot" or "free"
    name: str
    level: str = ""
    player: bytes | None = None
    invitation: bytes | None = None
    stand_in: str = ""


class EventRow(NamedTuple):
    seq: int
    kind: str  # "move", "chance" or "back"
    seat: int | None
    text: str
    told: bytes  # JSON; empty where it is still to be put into words


class Standing(NamedTuple):
    """What the lobby says about a table."""

    over: bool
    actors: Sequence[int]
    scores: Sequence[int]
    winners: Sequence[int]


class TableRow(NamedTuple):
    id: str
    game: str
    rules: int  # the version of the rules it is played by
    players: int
    options: dict[str, Any]
    seed: bytes
    digest: str
    created: float
    changed: float
    standing: Standing
    rematch: str = ""


class Store(Protocol):
    """All that is asked of a database."""

    async def add_table(self, table: TableRow, seats: Sequence[SeatRow], events: Sequence[EventRow]) -> None: ...

    async def add_events(self, table: str, events: Sequence[EventRow], standing: Standing) -> None: ...

    async def retell(self, table: str, events: Sequence[EventRow]) -> None:
        """Keep events in other words."""
        ...

    async def change_seat(self, table: str, seat: SeatRow) -> None: ...

    async def continue_at(self, table: str, other: str) -> None: ...

    async def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None: ...

    async def events(self, table: str, after: int = -1) -> list[EventRow]: ...

    async def tables_of(self, player: bytes, most: int) -> list[tuple[TableRow, list[SeatRow]]]: ...

    async def try_out(self) -> None:
        """Write and read something; NotKept says why that cannot be."""
        ...

    async def close(self) -> None: ...


class SqliteStore:
    """A file of SQLite."""

    def __init__(self, path: Path) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._writer = _Writer(path)
        self._reading = ThreadPoolExecutor(1, "reading")
        self._reader = _connect(path)

    # ------------------------------------------------------------ writing

    async def add_table(self, table: TableRow, seats: Sequence[SeatRow], events: Sequence[EventRow]) -> None:
        row = (*table[:4], json.dumps(table.options), *table[5:9], *_standing_texts(table.standing), table.rematch)
        statements: list[Statement] = [(f"INSERT INTO tables VALUES ({_marks(len(row))})", row)]
        statements += [(f"INSERT INTO seats VALUES ({_marks(8)})", (table.id, *seat)) for seat in seats]
        await self._writer.write([*statements, *_event_statements(table.id, events, table.created)])

    async def add_events(self, table: str, events: Sequence[EventRow], standing: Standing) -> None:
        now = time.time()
        change = "UPDATE tables SET changed = ?, over = ?, actors = ?, scores = ?, winners = ? WHERE id = ?"
        statements = _event_statements(table, events, now)
        await self._writer.write([*statements, (change, (now, *_standing_texts(standing), table))])

    async def retell(self, table: str, events: Sequence[EventRow]) -> None:
        change = 'UPDATE events SET told = ? WHERE "table" = ? AND seq = ?'
        await self._writer.write([(change, (event.told, table, event.seq)) for event in events])

    async def change_seat(self, table: str, seat: SeatRow) -> None:
        change = 'UPDATE seats SET kind = ?, name = ?, level = ?, player = ?, invitation = ?, stand_in = ? WHERE "table" = ? AND seat = ?'
        await self._writer.write([(change, (*seat[1:], table, seat.seat))])

    async def try_out(self) -> None:
        if not self._writer.is_alive():
            raise NotKept("nobody writes")
        if shutil.disk_usage(self._path.parent).free < _LEAST_FREE:
            raise NotKept("the disk is full")
        await asyncio.wait_for(
            self._writer.write([("UPDATE tables SET changed = changed WHERE id = ''", ())]), _SECONDS_TO_WRITE
        )
        await asyncio.wait_for(self.table(""), _SECONDS_TO_WRITE)

    async def continue_at(self, table: str, other: str) -> None:
        await self._writer.write([("UPDATE tables SET rematch = ? WHERE id = ?", (other, table))])

    # ------------------------------------------------------------ reading

    async def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        return await self._read(self._table, table)

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        asked = 'SELECT seq, kind, seat, text, told FROM events WHERE "table" = ? AND seq > ? ORDER BY seq'
        return await self._read(lambda: [EventRow(*row) for row in self._reader.execute(asked, (table, after))])

    async def tables_of(self, player: bytes, most: int) -> list[tuple[TableRow, list[SeatRow]]]:
        return await self._read(self._tables_of, player, most)

    def _tables_of(self, player: bytes, most: int) -> list[tuple[TableRow, list[SeatRow]]]:
        asked = 'SELECT DISTINCT id FROM tables JOIN seats ON seats."table" = id WHERE player = ? ORDER BY changed DESC LIMIT ?'
        found = [self._table(row[0]) for row in self._reader.execute(asked, (player, most)).fetchall()]
        return [each for each in found if each]

    def _table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        row = self._reader.execute("SELECT * FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            return None
        over, *lists = row[9:13]
        standing = Standing(bool(over), *map(json.loads, lists))
        asked = (
            'SELECT seat, kind, name, level, player, invitation, stand_in FROM seats WHERE "table" = ? ORDER BY seat'
        )
        seats = [SeatRow(*each) for each in self._reader.execute(asked, (table,))]
        return TableRow._make([*row[:4], json.loads(row[4]), *row[5:9], standing, row[13]]), seats

    async def _read(self, question: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, question, *arguments)

    async def close(self) -> None:
        """Finish what is waiting, and close the file."""
        await asyncio.to_thread(self._writer.close)
        self._reading.shutdown()
        self._reader.close()


def _open(path: Path) -> sqlite3.Connection:
    """A file, set up and brought forward to this version. RuntimeError where it is none of ours, or cannot be written."""
    try:
        _keep_private(path)
        connection = _connect(path)
        [(found,)] = connection.execute("PRAGMA quick_check(1)")
        if found != "ok":
            raise RuntimeError(f"{path.name} is damaged ({found}); a backup can take its place")
        _set_up(connection, path)
    except (sqlite3.Error, OSError) as error:
        raise RuntimeError(f"{path.name} cannot be used as the file of tables: {error}") from None
    return connection


def _keep_private(path: Path) -> None:
    """The file holds seeds and choices that are not revealed: nobody else on this machine may read it. (What SQLite puts beside it is as
    private as the file.)"""
    path.touch(mode=0o600)
    path.chmod(0o600)


def _connect(path: Path) -> sqlite3.Connection:
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    return connection


def _set_up(connection: sqlite3.Connection, path: Path) -> None:
    connection.execute("BEGIN IMMEDIATE")
    [(version,)] = connection.execute("PRAGMA user_version")
    if version > SCHEMA_VERSION:
        connection.execute("ROLLBACK")
        raise RuntimeError(
            f"{path.name} was written by a newer version of souk (schema {version}, here {SCHEMA_VERSION})"
        )
    changes = [_MIGRATIONS[older] for older in range(version, SCHEMA_VERSION)] if version else _SCHEMA.split(";")
    for statement in changes:
        connection.execute(statement)
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    connection.execute("COMMIT")


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _event_statements(table: str, events: Sequence[EventRow], now: float) -> list[Statement]:
    return [(f"INSERT INTO events VALUES ({_marks(7)})", (table, *event, now)) for event in events]


def _standing_texts(standing: Standing) -> tuple[int, str, str, str]:
    actors, scores, winners = (encode(each).decode() for each in standing[1:])
    return int(standing.over), actors, scores, winners


class _Waiting(NamedTuple):
    statements: Sequence[Statement]
    loop: asyncio.AbstractEventLoop
    future: "asyncio.Future[None]"


class _Writer:
    """The thread that writes: whatever is waiting goes to disk in one transaction."""

    def __init__(self, path: Path) -> None:
        self._waiting: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._connection = _open(path)
        self._thread = threading.Thread(target=self._run, name="writing")
        self._thread.start()

    def write(self, statements: Sequence[Statement]) -> "asyncio.Future[None]":
        """To be awaited: done once it is on disk; NotKept where it could not be written."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[None] = loop.create_future()
        self._waiting.put(_Waiting(statements, loop, future))
        return future

    def is_alive(self) -> bool:
        return self._thread.is_alive()

    def close(self) -> None:
        self._waiting.put(None)
        self._thread.join()
        self._connection.close()

    def _run(self) -> None:
        going_on = True
        while going_on:
            batch = [self._waiting.get()]
            while not self._waiting.empty():
                batch.append(self._waiting.get())
            going_on = None not in batch
            self._write_all([each for each in batch if each is not None])

    def _write_all(self, batch: list[_Waiting]) -> None:
        if not batch:
            return
        try:
            self._transaction(batch)
            _report(batch, None)
        except Exception:  # whatever it is, this thread goes on
            # One of them cannot be written. Each for itself, so that the others are not refused with it.
            for each in batch:
                try:
                    self._transaction([each])
                    _report([each], None)
                except sqlite3.IntegrityError as error:  # another server at the same file was first
                    note("not written", why=str(error))
                    _report([each], NotKept(str(error)))
                except Exception as error:
                    trouble("not written", error)
                    _report([each], NotKept(str(error)))

    def _transaction(self, batch: list[_Waiting]) -> None:
        execute = self._connection.execute
        try:
            execute("BEGIN IMMEDIATE")
            for each in batch:
                for statement, values in each.statements:
                    execute(statement, values)
            execute("COMMIT")
        except Exception:
            if self._connection.in_transaction:
                execute("ROLLBACK")
            raise


def _report(batch: list[_Waiting], error: Exception | None) -> None:
    def settle() -> None:
        for each in batch:
            if each.future.done():  # whoever waited has gone
                continue
            if error is None:
                each.future.set_result(None)
            else:
                each.future.set_exception(error)

    if not batch[0].loop.is_closed():
        batch[0].loop.call_soon_threadsafe(settle)
