"""What whoever hosts a server can ask of its tables, while it runs or not: who plays, what is kept, whether all of it is sound."""

import contextlib
import sqlite3
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from souk.core.message import Message, texts
from souk.core.shelf import find_game
from souk.table import chores
from souk.table.branches import start_of
from souk.table.classes import is_other_lesson, lesson_at
from souk.table.course import Course
from souk.table.database import Line
from souk.table.evening_protocol import NewEvening
from souk.table.evening_rows import adding, deleting
from souk.table.evening_terms import new_evening
from souk.table.forbidden import Forbidden
from souk.table.ratings import Book
from souk.table.reading import TableReader
from souk.table.refusals import Refuse
from souk.table.relics import Relic, is_old
from souk.table.schema import SCHEMA_VERSION, checked_version, connect, seal_of, size_of
from souk.table.seating import digest, new_secret
from souk.table.settings import LEVELS
from souk.table.shares import Shares
from souk.table.snapshots import restored
from souk.table.store import Overtaken
from souk.table.stores import FILE

_ALL = 1 << 40  # however many there are
_FEWEST_DIGITS = 4  # of a person's digest or a table's id that name it


class TableOnFile(NamedTuple):
    """A table in the host's list."""

    id: str
    game: str
    names: str
    events: int
    size: int  # bytes of its events
    over: bool
    changed: float


class PersonOnFile(NamedTuple):
    """A person: the digest by which they are known, and the names they have used."""

    player: bytes
    names: str
    tables: int
    changed: float
    banned: bool


class ReportOnFile(NamedTuple):
    """Something that was said at a table, and that somebody reported."""

    table: str
    at: float
    said: str
    name: str
    person: bytes | None  # who said it; None where they have been forgotten


class EveningOnFile(NamedTuple):
    """An event in the host's list."""

    id: str
    name: str
    state: str
    round: int
    people: int
    changed: float


class HostDesk(ABC):
    """All that a host can ask of the tables of a server, and do to them."""

    def __init__(self, connection: Line, key: Path) -> None:
        self.connection, self._key = connection, key

    def __enter__(self) -> "HostDesk":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @abstractmethod
    def size(self) -> int:
        """Bytes in use."""

    @abstractmethod
    def backup(self, target: Path) -> None:
        """Copy everything while it is used."""

    @abstractmethod
    def _check_whole(self) -> tuple[str, str]:
        """What all of it is called, and what is wrong with it or ""."""

    def reader(self) -> TableReader:
        """For what is sealed; RuntimeError where the key is missing or another."""
        return TableReader(self.connection, seal_of(self.connection, self._key))

    # ------------------------------------------------------------ tables

    def tables(self, game: str | None = None, over: bool | None = None) -> list[TableOnFile]:
        """Tables, the latest first."""
        asked = """SELECT id, game, (SELECT count(*) FROM events WHERE "table" = id),
            (SELECT sum(length(text) + length(told) + coalesce(length(sealed), 0)) FROM events WHERE "table" = id), over, changed
            FROM tables WHERE (game = ?1 OR ?1 IS NULL) AND (over = ?2 OR ?2 IS NULL) ORDER BY changed DESC"""
        names = defaultdict[str, list[str]](list)
        for table, name in self.connection.execute('SELECT "table", name FROM seats ORDER BY "table", seat'):
            names[table].append(name)
        return [
            TableOnFile(table, of_game, ", ".join(names[table]), events, int(size or 0), bool(is_over), changed)
            for table, of_game, events, size, is_over, changed in self.connection.execute(asked, (game, over))
        ]

    def find_table(self, text: str) -> str:
        """A table by its id, or by how that begins. ValueError where there is none, or more than one."""
        found = [
            row[0] for row in self.connection.execute("SELECT id FROM tables ORDER BY id") if row[0].startswith(text)
        ]
        if text in found:
            return text
        if len(found) != 1 or len(text) < _FEWEST_DIGITS:
            raise ValueError(f"table: there is no {text}" if not found else f"table: more than one begins with {text}")
        return str(found[0])

    def delete(self, table: str) -> None:
        with contextlib.suppress(Overtaken):  # it is gone already
            chores.carry_out(self.connection, chores.deletion(table))

    def left_alone(self, over: bool, before: float) -> int:
        """How many tables there are where nobody has been since a time."""
        return len(chores.left_alone(self.connection, over, before, _ALL))

    def expire(self, over: bool, before: float) -> int:
        """Delete tables where nobody has been since a time; returns how many."""
        deleted = 0
        for table in chores.left_alone(self.connection, over, before, _ALL):
            with contextlib.suppress(Overtaken):
                chores.carry_out(self.connection, chores.deletion(table, before))
                deleted += 1
        return deleted

    def record(self, table: str) -> tuple[str, str]:
        """The game of a table, and its record, without choices that are not revealed."""
        reader = self.reader()
        found = reader.table(table)
        assert found is not None
        return found[0].game, Relic(*found, reader.events(table), reader.steps(table), reader.notes(table)).record()

    # ------------------------------------------------------------ people

    def people(self) -> list[PersonOnFile]:
        """Everybody who has a seat somewhere, the latest first."""
        asked = """SELECT player, count(DISTINCT id), max(changed) FROM seats JOIN tables ON id = "table"
            WHERE player IS NOT NULL GROUP BY player ORDER BY max(changed) DESC"""
        names = defaultdict[bytes, list[str]](list)
        for player, name in self.connection.execute("SELECT DISTINCT player, name FROM seats WHERE player IS NOT NULL"):
            names[player].append(name)
        banned = {row[0] for row in self.connection.execute("SELECT who FROM bans")}
        return [
            PersonOnFile(
                player, ",".join(sorted(names[player])), tables, changed, chores.ban_of_person(player) in banned
            )
            for player, tables, changed in self.connection.execute(asked)
        ]

    def find_person(self, text: str) -> bytes:
        """A person by how their digest begins, or by a name that one alone has used. ValueError where that is not clear."""
        people = self.people()
        found = [each for each in people if len(text) >= _FEWEST_DIGITS and each.player.hex().startswith(text.lower())]
        found = found or [each for each in people if text in each.names.split(",")]
        if len(found) != 1:
            several = f"person: {text} is more than one; `souk host people` lists the digits that tell them apart"
            raise ValueError(several if found else f"person: there is no {text}")
        return found[0].player

    def ban_name(self, who: str) -> str:
        """The name of a ban on an address or a person."""
        with contextlib.suppress(ValueError):
            return chores.ban_of_address(str(ip_address(who)))
        return chores.ban_of_person(self.find_person(who))

    def forget(self, player: bytes) -> None:
        chores.carry_out(self.connection, chores.forgetting(player))

    def ban(self, name: str, until: float | None) -> None:
        chores.carry_out(self.connection, chores.banning(name, until))

    def unban(self, name: str) -> None:
        chores.carry_out(self.connection, chores.unbanning(name))

    def bans(self) -> dict[str, float | None]:
        """All bans that hold, and until when."""
        return chores.news(self.connection, 0).banned

    def reports(self) -> list[ReportOnFile]:
        """What people have reported, the latest first; phrases in English."""
        asked = 'SELECT "table", at, said, name, person FROM reports ORDER BY at DESC'
        known = texts("en")
        rows = [ReportOnFile._make(row) for row in self.connection.execute(asked)]
        return [row._replace(said=known.get(row.said, row.said)) for row in rows]

    def clear_reports(self) -> None:
        chores.carry_out(self.connection, chores.clearing_reports())

    # ------------------------------------------------------------ ratings

    def ratings(self, change: bool) -> tuple[Book, int]:
        """All ratings worked out again from the results, and how many of those that are kept are others; these are put right where they may be."""
        book = Book().follow(self.connection)
        return book, book.write(self.connection) if change else book.differing(self.connection)

    # ------------------------------------------------------------ events

    def open_evening(self, wish: NewEvening) -> tuple[str, str]:
        """A new event: its id, and the secret by which one becomes its host. ValueError where it could not be played."""
        secret = new_secret()
        try:
            evening = new_evening(wish, LEVELS)._replace(key=digest(secret))
        except Refuse as refused:
            raise ValueError(Message(refused.reason[0], **refused.reason[1]).text()) from None
        chores.carry_out(self.connection, adding(evening))
        return evening.id, secret

    def evenings(self) -> list[EveningOnFile]:
        """All events, the latest first."""
        asked = """SELECT id, name, state, round, (SELECT count(*) FROM entrants WHERE evening = id AND until IS NULL), changed
            FROM evenings ORDER BY changed DESC"""
        return [EveningOnFile._make(row) for row in self.connection.execute(asked)]

    def delete_evening(self, evening: str) -> None:
        try:
            chores.carry_out(self.connection, deleting(evening))
        except Overtaken:
            raise ValueError(f"event: there is no {evening}; `souk host events` lists them") from None

    # ------------------------------------------------------------ what is forbidden

    def forbidden(self) -> Forbidden:
        """The words that the server forbids, as it last read them."""
        return Forbidden(chores.said(self.connection, "forbidden").splitlines())

    def forbidden_names(self) -> list[tuple[str, int, str]]:
        """Tables and seats of people whose names are forbidden by now."""
        words = self.forbidden()
        asked = """SELECT "table", seat, name FROM seats WHERE kind != 'bot' AND name != '' ORDER BY "table", seat"""
        return [row for row in self.connection.execute(asked) if words.has(row[2])]

    def rename_forbidden(self) -> int:
        """Such people are guests from now on; returns at how many seats."""
        found = self.forbidden_names()
        chores.carry_out(self.connection, chores.renaming([(table, seat) for table, seat, _ in found]))
        return len(found)

    def reread_forbidden(self) -> None:
        chores.carry_out(self.connection, chores.rereading())

    # ------------------------------------------------------------ all of it

    def announce(self, text: str) -> None:
        chores.carry_out(self.connection, chores.announcing(text))

    def check(self) -> Iterator[tuple[str, str]]:
        """Everything there is to check: the whole, and each table. Yields what was looked at, and what is wrong with it or ""."""
        yield self._check_whole()
        reader = self.reader()
        for (table,) in self.connection.execute("SELECT id FROM tables ORDER BY created").fetchall():
            try:
                yield table, _fault(reader, table)
            except Exception as error:
                yield table, f"{type(error).__name__}: {error}"


class HostFile(HostDesk):
    """The file of a server. RuntimeError where there is none, or where it is not one of this version."""

    def __init__(self, data: Path, key: Path) -> None:
        self.path = data / FILE
        if not self.path.is_file():
            raise RuntimeError(f"there are no tables in {data}: {self.path.name} is missing")
        version = self._version()
        if not version:
            raise RuntimeError(f"{self.path} is not a file of tables")
        if version < SCHEMA_VERSION:
            raise RuntimeError(
                f"{self.path} was written by an earlier version of souk: a server that starts there brings it forward"
            )
        self._file = connect(self.path)
        super().__init__(self._file, data / key)

    def _version(self) -> int:
        """Looked at first, so that a file of something else is left as it is."""
        looking = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=rw", uri=True)
        try:
            version = checked_version(looking, self.path)
            if version:
                looking.execute("SELECT id FROM tables LIMIT 0")
            return version
        except sqlite3.Error as error:
            raise RuntimeError(f"{self.path} is not a file of tables: {error}") from None
        finally:
            looking.close()

    def size(self) -> int:
        return size_of(self._file)

    def backup(self, target: Path) -> None:
        """The copy takes its place under its name only once it has been checked."""
        if target.exists():
            raise ValueError(f"{target} is there already: name a new file")
        draft = target.with_name(f"{target.name}.part")
        draft.unlink(missing_ok=True)
        draft.touch(mode=0o600)
        copy = sqlite3.connect(draft, isolation_level=None)
        try:
            self._file.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            [(found,)] = copy.execute("PRAGMA quick_check(1)")
            if found != "ok":
                raise RuntimeError(f"the copy is damaged ({found})")
            copy.close()
            draft.replace(target)
        finally:
            copy.close()
            draft.unlink(missing_ok=True)

    def _check_whole(self) -> tuple[str, str]:
        found = [row[0] for row in self.connection.execute("PRAGMA integrity_check(5)")]
        return "file", "" if found == ["ok"] else "; ".join(found)


def _fault(reader: TableReader, table: str) -> str:
    """What is wrong with a table, or "". One that was played by other rules is only unsealed and counted."""
    found = reader.table(table)
    assert found is not None
    row, seats = found
    events = reader.events(table)
    if [each.seq for each in events] != list(range(len(events))):
        return "an event is missing"
    if [each.seat for each in seats] != list(range(row.players)):
        return "a seat is missing"
    if is_old(row):
        return ""
    shares, game = Shares(row.id, row.seed, reader.steps(table)), find_game(row.game)
    if is_other_lesson(game, shares):
        return ""
    if not shares.begun:
        return "there are events, though the game has not begun" if events else ""

    def start() -> Course:
        return Course(start_of(row), shares.seed(), lesson=lesson_at(game, shares))

    course = start()
    course.replay(events)
    snapshot = reader.snapshot(table)
    if snapshot and not snapshot.seq <= course.seq:
        return "the snapshot is ahead of the events"
    if snapshot and snapshot.rules == row.rules:
        again = restored(start(), snapshot)
        again.replay(events[snapshot.seq + 1 :])
        if again.position != course.position:
            return "the snapshot is not what the events give"
    kept, now = row.standing, course.standing()
    same = (kept.over, *map(list, kept[1:])) == (now.over, *map(list, now[1:]))
    return "" if same else "the standing is not what the events give"
