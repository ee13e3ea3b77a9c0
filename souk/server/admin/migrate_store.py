"""Copies a whole server between databases: SQLite to PostgreSQL, or back.

Tables of the database are copied in key order, in batches; progress is stored with the rows, so an
interrupted copy resumes. Finally row counts and checksums of both sides are compared, which also
detects changes to the source meanwhile. Servers refuse to start on an unfinished copy.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from souk.server.admin.open_host_tools import open_host_tools
from souk.server.open_store import FILE, check_installed, is_address
from souk.server.storage.connection import Connection, placeholders
from souk.server.storage.settings import MOVING, cipher_of
from souk.server.storage.sqlite_schema import SqliteConnection, open_file

BATCH = 1000  # rows
_TABLE_KEY = ("table",)
# Primary keys. Referenced tables come first.
PARTS: dict[str, tuple[str, ...]] = {
    "tables": ("id",),
    "seats": ("table", "seat"),
    "events": ("table", "seq"),
    "snapshots": _TABLE_KEY,
    "dice": ("table", "step"),
    "coaching": ("table", "number"),
    "analyses": _TABLE_KEY,
    "hidden": ("player", "table"),
    "timing": _TABLE_KEY,
    "chat": ("table", "number"),
    "calls": ("table", "seat"),
    "invites": ("table", "player"),
    "reports": ("table", "number", "reporter"),
    "push_subscriptions": ("digest",),
    "people": ("player",),
    "sessions": ("cookie",),
    "codes": ("digest",),
    "passkeys": ("credential",),
    "contestants": ("number",),
    "results": ("number",),
    "result_seats": ("result", "seat"),
    "ratings": ("game", "contestant"),
    "hosted_events": ("id",),
    "entrants": ("event", "number"),
    "event_tables": ("event", "round", "number"),
    "declines": ("player", "host"),
    "uninvited": ("player",),
    "bans": ("who",),
    "notices": ("number",),
}
_SMALL = ("settings", "counts")  # copied first, in one transaction
# SQLite may contain rows whose table is deleted, which PostgreSQL would reject. Other parts may
# refer to deleted tables.
_PARTS_WITH_TABLE = [part for part, key in PARTS.items() if "table" in key and part != "reports"]
_TABLE_EXISTS = '"table" IN (SELECT id FROM tables)'
_FLAGS = {
    "tables": ("over", "free_talk", "rated", "public"),
    "contestants": ("listed",),
    "result_seats": ("won",),
    "entrants": ("removed",),
    "event_tables": ("made", "late"),
}  # booleans, which SQLite stores as numbers


_NUMBERED = ("contestants", "results", "notices")  # with generated numbers
_MODULUS = 1 << 256


class Summary(NamedTuple):
    """Row count and checksum of a part."""

    rows: int
    sum: int


class MigrationProgress(NamedTuple):
    """How far a copy has come. `source_id`: hash of the source's key."""

    source_id: str
    part: str
    after: list[Any]  # key of the last row copied

    def text(self) -> bytes:
        return json.dumps(self).encode()


class StoreMigration:
    """A copy between two places: folders, or database addresses.

    `key`: the encryption key file; `anew`: discard what is in the target. ValueError or
    RuntimeError if it is impossible.
    """

    def __init__(self, source: str, target: str, key: Path, anew: bool = False) -> None:
        if is_address(source) == is_address(target):
            raise ValueError("move: one place must be a folder, the other postgresql://...")
        self._target_name = "that database" if is_address(target) else target
        with contextlib.ExitStack() as stack:
            self._source = stack.enter_context(_open_source(source, key))
            cipher_of(self._source, key)
            self._target = stack.enter_context(_open_target(target, key))
            self._progress = self._begin(anew)
            self._stack = stack.pop_all()

    def __enter__(self) -> "StoreMigration":
        return self

    def __exit__(self, *ended: Any) -> None:
        self._stack.__exit__(*ended)

    # ------------------------------------------------------------ copying

    def _begin(self, anew: bool) -> MigrationProgress:
        """Progress to resume from; refused if the target contains anything else."""
        [(source_key,)] = self._source.execute("SELECT value FROM settings WHERE name = 'key'")
        source_id = hashlib.sha256(source_key).hexdigest()
        if anew:
            self._clear()
        row = self._target.execute(
            "SELECT value FROM settings WHERE name = ?", (MOVING,)
        ).fetchone()
        if row:
            progress = MigrationProgress(*json.loads(row[0]))
            if progress.source_id != source_id:
                raise ValueError(
                    f"move: {self._target_name} has an unfinished copy of another server; "
                    "--anew discards it"
                )
            return progress
        if any(self._target.execute(f"SELECT 1 FROM {part} LIMIT 1").fetchone() for part in PARTS):
            raise ValueError(
                f"move: {self._target_name} is not empty; --anew discards what is there"
            )
        progress = MigrationProgress(source_id, next(iter(PARTS)), [])
        with self._target.transaction():
            for part in _SMALL:
                rows = self._source.execute(f"SELECT name, value FROM {part}").fetchall()
                self._target.execute(f"DELETE FROM {part}")
                self._target.executemany(f"INSERT INTO {part} (name, value) VALUES (?, ?)", rows)
            self._target.execute("INSERT INTO settings VALUES (?, ?)", (MOVING, progress.text()))
        return progress

    def _clear(self) -> None:
        with self._target.transaction():
            for part in reversed(PARTS):
                self._target.execute(f"DELETE FROM {part}")
            self._target.execute("DELETE FROM settings WHERE name = ?", (MOVING,))

    def copy(self) -> Iterator[tuple[str, int]]:
        """Copy what is left; yields the part and the number of rows of every batch once stored."""
        names = list(PARTS)
        for part in names[names.index(self._progress.part) :]:
            after = _from_text(self._progress.after) if part == self._progress.part else ()
            columns = _columns(self._source, part)
            while rows := _rows(self._source, part, columns, after):
                after = tuple(rows[-1][columns.index(name)] for name in PARTS[part])
                with self._target.transaction():
                    listed = ", ".join(f'"{name}"' for name in columns)
                    self._target.executemany(
                        f"INSERT INTO {part} ({listed}) VALUES ({placeholders(len(columns))})", rows
                    )
                    progress = self._progress._replace(part=part, after=_to_text(after))
                    self._target.execute(
                        "UPDATE settings SET value = ? WHERE name = ?", (progress.text(), MOVING)
                    )
                yield part, len(rows)

    # ------------------------------------------------------------ checking

    def check(self) -> Iterator[tuple[str, int, bool]]:
        """Compare both sides: yields each part, its number of rows, and whether it is identical."""
        for part in (*_SMALL, *PARTS):
            source, target = (_summary(side, part) for side in (self._source, self._target))
            yield part, source.rows, source == target

    def left_out(self) -> int:
        """Number of rows not copied because their table is deleted."""
        parts = [part for part in PARTS if part in _PARTS_WITH_TABLE]
        counted = [
            self._source.execute(
                f"SELECT count(*) FROM {part} WHERE NOT {_TABLE_EXISTS}"
            ).fetchone()
            for part in parts
        ]
        return sum(row[0] for row in counted)

    def finish(self) -> None:
        """Mark the copy as complete, so that servers may start."""
        with self._target.transaction():
            if not isinstance(self._target, SqliteConnection):
                for part in _NUMBERED:
                    name = f"pg_get_serial_sequence('{part}', 'number')"
                    self._target.execute(f"SELECT setval({name}, (SELECT max(number) FROM {part}))")
            self._target.execute("DELETE FROM settings WHERE name = ?", (MOVING,))
        self._target.execute("ANALYZE")


# ---------------------------------------------------------------- rows


def _columns(connection: Connection, part: str) -> list[str]:
    return [column[0] for column in connection.execute(f"SELECT * FROM {part} LIMIT 0").description]


def _rows(
    connection: Connection, part: str, columns: Sequence[str], after: Sequence[Any]
) -> list[tuple[Any, ...]]:
    """The next batch of rows after a key, in values any database accepts."""
    key = ", ".join(f'"{name}"' for name in PARTS[part])
    conditions = [_TABLE_EXISTS] if part in _PARTS_WITH_TABLE else []
    conditions += [f"({key}) > ({placeholders(len(after))})"] if after else []
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    listed = ", ".join(f'"{name}"' for name in columns)
    query = f"SELECT {listed} FROM {part} {where} ORDER BY {key} LIMIT {BATCH}"
    flags = [columns.index(name) for name in _FLAGS.get(part, ())]
    rows = connection.execute(query, tuple(after)).fetchall()
    return (
        [
            tuple(bool(value) if index in flags else value for index, value in enumerate(row))
            for row in rows
        ]
        if flags
        else rows
    )


def _summary(connection: Connection, part: str) -> Summary:
    columns = sorted(_columns(connection, part))
    if part in _SMALL:
        rows = connection.execute(
            f"SELECT name, value FROM {part} WHERE name != ?", (MOVING,)
        ).fetchall()
        return Summary(len(rows), _sum(rows))
    counted, total, after = 0, 0, ()
    while rows := _rows(connection, part, columns, after):
        after = tuple(rows[-1][columns.index(name)] for name in PARTS[part])
        counted, total = counted + len(rows), (total + _sum(rows)) % _MODULUS
    return Summary(counted, total)


def _sum(rows: Sequence[Sequence[Any]]) -> int:
    """Independent of row order: databases sort texts differently."""
    return (
        sum(int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest()) for row in rows)
        % _MODULUS
    )


def _to_text(key: Sequence[Any]) -> list[Any]:
    return [{"bytes": value.hex()} if isinstance(value, bytes) else value for value in key]


def _from_text(stored: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(
        bytes.fromhex(value["bytes"]) if isinstance(value, dict) else value for value in stored
    )


# ---------------------------------------------------------------- places


def _open_source(place: str, key: Path) -> AbstractContextManager[Connection]:
    """The source; later changes may be missed, but are found by `check`."""
    tools = open_host_tools(
        Path() if is_address(place) else Path(place), key, place if is_address(place) else ""
    )
    return contextlib.closing(tools.connection)


def _open_target(place: str, key: Path) -> AbstractContextManager[Connection]:
    """The target, created if need be. A folder also gets the key."""
    if is_address(place):
        check_installed()
        from souk.server.storage.postgres_connection import PostgresConnection
        from souk.server.storage.postgres_schema import open_database

        open_database(place, key, moving=True)
        return contextlib.closing(PostgresConnection(place))
    own_key = Path(place) / "key"
    own_key.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not own_key.exists():
        own_key.touch(mode=0o600)
        own_key.write_bytes(key.read_bytes())
    return contextlib.closing(open_file(Path(place) / FILE, own_key, moving=True)[0])
