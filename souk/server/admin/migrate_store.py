"""A whole house is copied from one database into another: from a file of SQLite into PostgreSQL, or back.

Part by part, in the order of the keys and some rows at a time; how far it has come stands in the target, written together with the rows, so a move that
was ended in the middle goes on where it was. In the end every part is counted and summed up on both sides. Whoever has changed the source meanwhile is
found out by that: then the copy is not one, and is begun anew. Until it is whole no server starts there.
"""

import contextlib
import hashlib
import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, NamedTuple

from souk.table.database import Line, marks
from souk.table.desks import open_desk
from souk.table.schema import MOVING, FileLine, open_file, seal_of
from souk.table.stores import FILE, check_installed, is_address

AT_ONCE = 1000  # rows
_OF_TABLE = ("table",)
# By which key the rows of each part are known. What others refer to comes first.
PARTS: dict[str, tuple[str, ...]] = {
    "tables": ("id",),
    "seats": ("table", "seat"),
    "events": ("table", "seq"),
    "snapshots": _OF_TABLE,
    "dice": ("table", "step"),
    "coaching": ("table", "number"),
    "studies": _OF_TABLE,
    "hidden": ("player", "table"),
    "life": _OF_TABLE,
    "said": ("table", "number"),
    "calls": ("table", "seat"),
    "invites": ("table", "player"),
    "reports": ("table", "number"),
    "devices": ("digest",),
    "people": ("player",),
    "doors": ("cookie",),
    "codes": ("digest",),
    "passkeys": ("credential",),
    "contestants": ("number",),
    "results": ("number",),
    "result_seats": ("result", "seat"),
    "ratings": ("game", "contestant"),
    "evenings": ("id",),
    "entrants": ("evening", "number"),
    "sittings": ("evening", "round", "number"),
    "declines": ("player", "host"),
    "uninvited": ("player",),
    "bans": ("who",),
    "notices": ("number",),
}
_SMALL = ("house", "counts")  # copied at the very beginning, at once
# Of a file something may be left whose table is deleted; PostgreSQL would not take it. The others may speak of such a table.
_PARTS_OF_TABLES = [part for part, key in PARTS.items() if "table" in key and part != "reports"]
_OF_TABLES = '"table" IN (SELECT id FROM tables)'
_FLAGS = {
    "tables": ("over", "free_talk", "rated", "public"),
    "contestants": ("listed",),
    "result_seats": ("won",),
    "entrants": ("removed",),
    "sittings": ("made", "late"),
}  # yes or no, which SQLite keeps as a number


_NUMBERED = ("contestants", "results", "notices")  # whose numbers the database gives
_MODULUS = 1 << 256


class Summary(NamedTuple):
    """What there is of a part: how many rows, and a sum of all of them."""

    rows: int
    sum: int


class MoveProgress(NamedTuple):
    """How far a move has come. `house`: of which house it is the copy."""

    house: str
    part: str
    after: list[Any]  # the key of the last row

    def text(self) -> bytes:
        return json.dumps(self).encode()


class HouseMove:
    """A move from one place to another: each is a folder, or the address of a database. `key`: the file with the key of the house; `anew`: what is in the
    target is given up. ValueError or RuntimeError where it cannot be."""

    def __init__(self, source: str, target: str, key: Path, anew: bool = False) -> None:
        if is_address(source) == is_address(target):
            raise ValueError("move: it goes from a folder to postgresql://..., or the other way round")
        self._where = "that database" if is_address(target) else target
        with contextlib.ExitStack() as stack:
            self._source = stack.enter_context(_open_source(source, key))
            seal_of(self._source, key)
            self._target = stack.enter_context(_open_target(target, key))
            self._progress = self._begin(anew)
            self._stack = stack.pop_all()

    def __enter__(self) -> "HouseMove":
        return self

    def __exit__(self, *ended: Any) -> None:
        self._stack.__exit__(*ended)

    # ------------------------------------------------------------ copying

    def _begin(self, anew: bool) -> MoveProgress:
        """Where to go on; refused where there is something else already."""
        [(own,)] = self._source.execute("SELECT value FROM house WHERE name = 'key'")
        house = hashlib.sha256(own).hexdigest()
        if anew:
            self._clear()
        found = self._target.execute("SELECT value FROM house WHERE name = ?", (MOVING,)).fetchone()
        if found:
            progress = MoveProgress(*json.loads(found[0]))
            if progress.house != house:
                raise ValueError(f"move: {self._where} has the unfinished copy of another house; --anew gives it up")
            return progress
        if any(self._target.execute(f"SELECT 1 FROM {part} LIMIT 1").fetchone() for part in PARTS):
            raise ValueError(f"move: {self._where} is not empty; --anew gives up what is there")
        progress = MoveProgress(house, next(iter(PARTS)), [])
        with self._target.transaction():
            for part in _SMALL:
                rows = self._source.execute(f"SELECT name, value FROM {part}").fetchall()
                self._target.execute(f"DELETE FROM {part}")
                self._target.executemany(f"INSERT INTO {part} (name, value) VALUES (?, ?)", rows)
            self._target.execute("INSERT INTO house VALUES (?, ?)", (MOVING, progress.text()))
        return progress

    def _clear(self) -> None:
        with self._target.transaction():
            for part in reversed(PARTS):
                self._target.execute(f"DELETE FROM {part}")
            self._target.execute("DELETE FROM house WHERE name = ?", (MOVING,))

    def copy(self) -> Iterator[tuple[str, int]]:
        """All that is still to be copied; yields the part, and how many rows, of every piece once it is there."""
        names = list(PARTS)
        for part in names[names.index(self._progress.part) :]:
            after = _from_text(self._progress.after) if part == self._progress.part else ()
            columns = _columns(self._source, part)
            while rows := _rows(self._source, part, columns, after):
                after = tuple(rows[-1][columns.index(name)] for name in PARTS[part])
                with self._target.transaction():
                    listed = ", ".join(f'"{name}"' for name in columns)
                    self._target.executemany(f"INSERT INTO {part} ({listed}) VALUES ({marks(len(columns))})", rows)
                    progress = self._progress._replace(part=part, after=_to_text(after))
                    self._target.execute("UPDATE house SET value = ? WHERE name = ?", (progress.text(), MOVING))
                yield part, len(rows)

    # ------------------------------------------------------------ checking

    def check(self) -> Iterator[tuple[str, int, bool]]:
        """Count and sum up every part on both sides: yields its name, its rows, and whether both are the same."""
        for part in (*_SMALL, *PARTS):
            here, there = (_summary(side, part) for side in (self._source, self._target))
            yield part, here.rows, here == there

    def left_out(self) -> int:
        """Rows that belong to a table which is deleted, and were not copied."""
        parts = [part for part in PARTS if part in _PARTS_OF_TABLES]
        counted = [
            self._source.execute(f"SELECT count(*) FROM {part} WHERE NOT {_OF_TABLES}").fetchone() for part in parts
        ]
        return sum(row[0] for row in counted)

    def finish(self) -> None:
        """All is there and as it was: from now on servers may start."""
        with self._target.transaction():
            if not isinstance(self._target, FileLine):
                for part in _NUMBERED:
                    name = f"pg_get_serial_sequence('{part}', 'number')"
                    self._target.execute(f"SELECT setval({name}, (SELECT max(number) FROM {part}))")
            self._target.execute("DELETE FROM house WHERE name = ?", (MOVING,))
        self._target.execute("ANALYZE")


# ---------------------------------------------------------------- rows


def _columns(connection: Line, part: str) -> list[str]:
    return [column[0] for column in connection.execute(f"SELECT * FROM {part} LIMIT 0").description]


def _rows(connection: Line, part: str, columns: Sequence[str], after: Sequence[Any]) -> list[tuple[Any, ...]]:
    """The next rows after a key, as any database takes them."""
    key = ", ".join(f'"{name}"' for name in PARTS[part])
    conditions = [_OF_TABLES] if part in _PARTS_OF_TABLES else []
    conditions += [f"({key}) > ({marks(len(after))})"] if after else []
    where = f"WHERE {' AND '.join(conditions)}" if conditions else ""
    listed = ", ".join(f'"{name}"' for name in columns)
    asked = f"SELECT {listed} FROM {part} {where} ORDER BY {key} LIMIT {AT_ONCE}"
    flags = [columns.index(name) for name in _FLAGS.get(part, ())]
    found = connection.execute(asked, tuple(after)).fetchall()
    return (
        [tuple(bool(each) if k in flags else each for k, each in enumerate(row)) for row in found] if flags else found
    )


def _summary(connection: Line, part: str) -> Summary:
    columns = sorted(_columns(connection, part))
    if part in _SMALL:
        rows = connection.execute(f"SELECT name, value FROM {part} WHERE name != ?", (MOVING,)).fetchall()
        return Summary(len(rows), _sum(rows))
    counted, total, after = 0, 0, ()
    while rows := _rows(connection, part, columns, after):
        after = tuple(rows[-1][columns.index(name)] for name in PARTS[part])
        counted, total = counted + len(rows), (total + _sum(rows)) % _MODULUS
    return Summary(counted, total)


def _sum(rows: Sequence[Sequence[Any]]) -> int:
    """The order of rows makes no difference: databases sort texts in different ways."""
    return sum(int.from_bytes(hashlib.sha256(repr(tuple(row)).encode()).digest()) for row in rows) % _MODULUS


def _to_text(key: Sequence[Any]) -> list[Any]:
    return [{"bytes": each.hex()} if isinstance(each, bytes) else each for each in key]


def _from_text(kept: Sequence[Any]) -> tuple[Any, ...]:
    return tuple(bytes.fromhex(each["bytes"]) if isinstance(each, dict) else each for each in kept)


# ---------------------------------------------------------------- places


def _open_source(place: str, key: Path) -> AbstractContextManager[Line]:
    """What is to be copied, as one can see it at one moment: who changes it meanwhile is not seen, and found out at the end."""
    desk = open_desk(Path() if is_address(place) else Path(place), key, place if is_address(place) else "")
    return contextlib.closing(desk.connection)


def _open_target(place: str, key: Path) -> AbstractContextManager[Line]:
    """Laid out where there is nothing yet. A folder gets the key too, as its server looks for it there."""
    if is_address(place):
        check_installed()
        from souk.table.postgres_line import PostgresLine
        from souk.table.postgres_schema import open_house

        open_house(place, key, moving=True)
        return contextlib.closing(PostgresLine(place))
    own = Path(place) / "key"
    own.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not own.exists():
        own.touch(mode=0o600)
        own.write_bytes(key.read_bytes())
    return contextlib.closing(open_file(Path(place) / FILE, own, moving=True)[0])
