"""Queries and changes behind `souk host`, on a server's database, while it runs or not."""

import contextlib
import sqlite3
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Iterator
from ipaddress import ip_address
from pathlib import Path
from typing import NamedTuple

from souk.core.game_registry import find_game
from souk.core.messages import Message, texts
from souk.server.common.config import LEVELS
from souk.server.common.tokens import digest, new_secret
from souk.server.dice.commitments import SeedShares
from souk.server.events.storage import delete_event, insert_event
from souk.server.events.validation import new_event
from souk.server.open_store import FILE
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.events import NewEvent
from souk.server.ratings.ratings import RatingBook
from souk.server.storage import maintenance
from souk.server.storage.connection import Connection
from souk.server.storage.errors import WriteConflict
from souk.server.storage.open_files import stray_writers
from souk.server.storage.settings import cipher_of
from souk.server.storage.sqlite_schema import SCHEMA_VERSION, checked_version, connect, size_of
from souk.server.storage.table_reader import TableReader
from souk.server.tables.chat.word_filter import WordFilter
from souk.server.tables.game.game_state import GameState
from souk.server.tables.game.old_games import OldGame, is_old
from souk.server.tables.game.snapshots import restored
from souk.server.tables.setup.branches import start_of
from souk.server.tables.setup.lessons import is_other_lesson, lesson_at

_NO_LIMIT = 1 << 40
_MIN_DIGITS = 4  # of an id, to abbreviate it


class StoredTable(NamedTuple):
    """A table as listed."""

    id: str
    game: str
    names: str
    events: int
    size: int  # bytes of its events
    over: bool
    changed: float


class StoredPerson(NamedTuple):
    """A person as listed: id (a digest) and the names they have used."""

    player: bytes
    names: str
    tables: int
    changed: float
    banned: bool


class StoredReport(NamedTuple):
    """A reported chat line."""

    table: str
    at: float  # time of the latest report
    said: str
    name: str
    person: bytes | None  # author; None if their account was deleted
    reporters: int


class StoredEvent(NamedTuple):
    """An event as listed."""

    id: str
    name: str
    state: str
    round: int
    people: int
    changed: float


# People, names, tables and times, from seats, chat and reports (the latter outlive seats).
_PRESENCE = """SELECT player, name, "table", changed AS at FROM seats JOIN tables ON id = "table"
    UNION ALL SELECT player, name, "table", at FROM chat
    UNION ALL SELECT person, name, "table", at FROM reports"""


class HostTools(ABC):
    """Queries and changes for the host."""

    kind: str  # "file" or "database"

    def __init__(self, connection: Connection, key: Path) -> None:
        self.connection, self._key = connection, key

    def __enter__(self) -> "HostTools":
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.close()

    @abstractmethod
    def size(self) -> int:
        """Bytes in use."""

    @abstractmethod
    def backup(self, target: Path) -> None:
        """Copy everything, also while servers run."""

    @abstractmethod
    def _check_whole(self) -> tuple[str, str]:
        """The name of the whole, and what is wrong with it or ""."""

    def reader(self) -> TableReader:
        """Reads encrypted values; RuntimeError if the key is missing or wrong."""
        return TableReader(self.connection, cipher_of(self.connection, self._key))

    # ------------------------------------------------------------ tables

    def tables(self, game: str | None = None, over: bool | None = None) -> list[StoredTable]:
        """Tables, latest first."""
        query = """SELECT id, game, (SELECT count(*) FROM events WHERE "table" = id),
            (SELECT sum(length(text) + length(told) + coalesce(length(sealed), 0)) FROM events
            WHERE "table" = id), over, changed FROM tables
            WHERE (game = ?1 OR ?1 IS NULL) AND (over = ?2 OR ?2 IS NULL) ORDER BY changed DESC"""
        names = defaultdict[str, list[str]](list)
        for table, name in self.connection.execute(
            'SELECT "table", name FROM seats ORDER BY "table", seat'
        ):
            names[table].append(name)
        return [
            StoredTable(
                table,
                table_game,
                ", ".join(names[table]),
                events,
                int(size or 0),
                bool(is_over),
                changed,
            )
            for table, table_game, events, size, is_over, changed in self.connection.execute(
                query, (game, over)
            )
        ]

    def find_table(self, text: str) -> str:
        """Find a table by id or unique prefix; ValueError otherwise."""
        ids = [
            row[0]
            for row in self.connection.execute("SELECT id FROM tables ORDER BY id")
            if row[0].startswith(text)
        ]
        if text in ids:
            return text
        if len(ids) != 1 or len(text) < _MIN_DIGITS:
            raise ValueError(f"table: {text} is ambiguous" if ids else f"table: there is no {text}")
        return str(ids[0])

    def delete(self, table: str) -> None:
        with contextlib.suppress(WriteConflict):  # deleted already
            maintenance.execute_in_transaction(self.connection, maintenance.delete_table(table))

    def left_alone(self, over: bool, before: float) -> int:
        """Number of tables nobody has visited since `before`."""
        return len(maintenance.abandoned_tables(self.connection, over, before, _NO_LIMIT))

    def expire(self, over: bool, before: float) -> int:
        """Delete tables nobody has visited since `before`; returns how many."""
        deleted = 0
        for table in maintenance.abandoned_tables(self.connection, over, before, _NO_LIMIT):
            with contextlib.suppress(WriteConflict):
                maintenance.execute_in_transaction(
                    self.connection, maintenance.delete_table(table, before)
                )
                deleted += 1
        return deleted

    def record(self, table: str) -> tuple[str, str]:
        """A table's game and its record, without unrevealed choices."""
        reader = self.reader()
        row_and_seats = reader.table(table)
        assert row_and_seats is not None
        return row_and_seats[0].game, OldGame(
            *row_and_seats, reader.events(table), reader.steps(table), reader.notes(table)
        ).record()

    # ------------------------------------------------------------ people

    def people(self) -> list[StoredPerson]:
        """Everybody with a seat or chat lines, latest first."""
        presence = f"({_PRESENCE}) AS here WHERE player IS NOT NULL"
        query = f"""SELECT player, count(DISTINCT "table"), max(at) FROM {presence}
            GROUP BY player ORDER BY max(at) DESC"""
        names = defaultdict[bytes, list[str]](list)
        for player, name in self.connection.execute(
            f"SELECT DISTINCT player, name FROM {presence}"
        ):
            names[player].append(name)
        banned = {row[0] for row in self.connection.execute("SELECT who FROM bans")}
        return [
            StoredPerson(
                player,
                ",".join(sorted(names[player])),
                tables,
                changed,
                maintenance.ban_of_person(player) in banned,
            )
            for player, tables, changed in self.connection.execute(query)
        ]

    def find_person(self, text: str) -> bytes:
        """Find a person by id prefix, or by a name only they have used; ValueError otherwise."""
        people = self.people()
        matches = [
            person
            for person in people
            if len(text) >= _MIN_DIGITS and person.player.hex().startswith(text.lower())
        ]
        matches = matches or [person for person in people if text in person.names.split(",")]
        if len(matches) != 1:
            raise ValueError(
                f"person: {text} is ambiguous; use the digits `souk host people` lists"
                if matches
                else f"person: there is no {text}"
            )
        return matches[0].player

    def ban_name(self, who: str) -> str:
        """Key of a ban on an address or a person."""
        with contextlib.suppress(ValueError):
            return maintenance.ban_of_address(str(ip_address(who)))
        return maintenance.ban_of_person(self.find_person(who))

    def forget(self, player: bytes) -> None:
        maintenance.execute_in_transaction(self.connection, maintenance.forget_player(player))

    def ban(self, name: str, until: float | None) -> None:
        maintenance.execute_in_transaction(self.connection, maintenance.ban(name, until))

    def unban(self, name: str) -> None:
        maintenance.execute_in_transaction(self.connection, maintenance.unban(name))

    def bans(self) -> dict[str, float | None]:
        """Bans in force, and until when."""
        return maintenance.host_notices(self.connection, 0).banned

    def reports(self) -> list[StoredReport]:
        """Reported chat lines, latest first; phrases in English."""
        query = """SELECT "table", max(at), said, name, person, count(*) FROM reports
            GROUP BY "table", number, said, name, person ORDER BY max(at) DESC"""
        translations = texts("en")
        rows = [StoredReport._make(row) for row in self.connection.execute(query)]
        return [row._replace(said=translations.get(row.said, row.said)) for row in rows]

    def clear_reports(self) -> None:
        maintenance.execute_in_transaction(self.connection, maintenance.clear_reports())

    # ------------------------------------------------------------ ratings

    def ratings(self, change: bool) -> tuple[RatingBook, int]:
        """Recompute all ratings from the results; returns them and how many stored ones differ.
        `change`: correct these.
        """
        book = RatingBook().follow(self.connection)
        return book, book.write(self.connection) if change else book.differing(self.connection)

    # ------------------------------------------------------------ events

    def open_event(self, settings: NewEvent) -> tuple[str, str]:
        """Open an event; returns its id and the host's secret. ValueError if it could not be
        played.
        """
        secret = new_secret()
        try:
            event = new_event(settings, LEVELS)._replace(key=digest(secret))
        except RequestRefused as refused:
            raise ValueError(Message(refused.reason[0], **refused.reason[1]).text()) from None
        maintenance.execute_in_transaction(self.connection, insert_event(event))
        return event.id, secret

    def events(self) -> list[StoredEvent]:
        """All events, latest first."""
        query = """SELECT id, name, state, round,
            (SELECT count(*) FROM entrants WHERE event = id AND until IS NULL), changed
            FROM hosted_events ORDER BY changed DESC"""
        return [StoredEvent._make(row) for row in self.connection.execute(query)]

    def delete_event(self, event: str) -> None:
        try:
            maintenance.execute_in_transaction(self.connection, delete_event(event))
        except WriteConflict:
            raise ValueError(f"event: there is no {event}; `souk host events` lists them") from None

    # ------------------------------------------------------------ forbidden words

    def forbidden(self) -> WordFilter:
        """The forbidden words as the server last read them."""
        return WordFilter(maintenance.text_setting(self.connection, "forbidden").splitlines())

    def forbidden_names(self) -> list[tuple[str, int, str]]:
        """Tables and seats of people with forbidden names."""
        words = self.forbidden()
        query = """SELECT "table", seat, name FROM seats
            WHERE kind != 'bot' AND name != '' ORDER BY "table", seat"""
        return [row for row in self.connection.execute(query) if words.has(row[2])]

    def rename_forbidden(self) -> int:
        """Replace forbidden names by the default name; returns the number of seats."""
        names = self.forbidden_names()
        maintenance.execute_in_transaction(
            self.connection, maintenance.reset_names([(table, seat) for table, seat, _ in names])
        )
        return len(names)

    def reread_forbidden(self) -> None:
        maintenance.execute_in_transaction(self.connection, maintenance.reread_forbidden_words())

    # ------------------------------------------------------------ everything

    def announce(self, text: str) -> None:
        maintenance.execute_in_transaction(self.connection, maintenance.announce(text))

    def check(self) -> Iterator[tuple[str, str]]:
        """Check the database and every table. Yields what was checked and what is wrong with it, or
        "".
        """
        yield self._check_whole()
        reader = self.reader()
        for (table,) in self.connection.execute(
            "SELECT id FROM tables ORDER BY created"
        ).fetchall():
            try:
                yield table, _fault(reader, table)
            except Exception as error:
                yield table, f"{type(error).__name__}: {error}"


class SqliteHostTools(HostTools):
    """A server's SQLite file. RuntimeError if it is missing or not of this version."""

    kind = "file"

    def __init__(self, data: Path, key: Path) -> None:
        self.path = data / FILE
        if not self.path.is_file():
            raise RuntimeError(f"no tables in {data}: {self.path.name} is missing")
        version = self._version()
        if not version:
            raise RuntimeError(f"{self.path} is not a Souk database")
        if version < SCHEMA_VERSION:
            raise RuntimeError(
                f"{self.path} was written by an earlier version of souk: "
                "start a server there to upgrade it"
            )
        self._file = connect(self.path)
        super().__init__(self._file, data / key)

    def _version(self) -> int:
        """Read first, without changing a file that is not ours."""
        connection = sqlite3.connect(f"{self.path.resolve().as_uri()}?mode=rw", uri=True)
        try:
            version = checked_version(connection, self.path)
            if version:
                connection.execute("SELECT id FROM tables LIMIT 0")
            return version
        except sqlite3.Error as error:
            raise RuntimeError(f"{self.path} is not a Souk database: {error}") from None
        finally:
            connection.close()

    def size(self) -> int:
        return size_of(self._file)

    def backup(self, target: Path) -> None:
        """Writes to a temporary file, renamed once it has been verified."""
        if target.exists():
            raise ValueError(f"{target} exists already: name a new file")
        partial = target.with_name(f"{target.name}.part")
        partial.unlink(missing_ok=True)
        partial.touch(mode=0o600)
        copy = sqlite3.connect(partial, isolation_level=None)
        try:
            self._file.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
            [(result,)] = copy.execute("PRAGMA quick_check(1)")
            if result != "ok":
                raise RuntimeError(f"the copy is damaged ({result})")
            copy.close()
            partial.replace(target)
        finally:
            copy.close()
            partial.unlink(missing_ok=True)

    def _check_whole(self) -> tuple[str, str]:
        problems = [
            row[0] for row in self.connection.execute("PRAGMA integrity_check(5)") if row[0] != "ok"
        ]
        problems += [
            f"process {pid} has it open, but its files were deleted or replaced, "
            "or it has lost its locks: restart it"
            for pid in stray_writers(self.path)
        ]
        return self.kind, "; ".join(problems)


def _fault(reader: TableReader, table: str) -> str:
    """A description of what is wrong with a table, or "". Old rules: only decrypted and counted."""
    row_and_seats = reader.table(table)
    assert row_and_seats is not None
    row, seats = row_and_seats
    events = reader.events(table)
    if [item.seq for item in events] != list(range(len(events))):
        return "an event is missing"
    if [item.seat for item in seats] != list(range(row.players)):
        return "a seat is missing"
    if is_old(row):
        return ""
    shares, game = SeedShares(row.id, row.seed, reader.steps(table)), find_game(row.game)
    if is_other_lesson(game, shares):
        return ""
    if not shares.begun:
        return "there are events before the game has begun" if events else ""

    def start() -> GameState:
        return GameState(start_of(row), shares.seed(), lesson=lesson_at(game, shares))

    state = start()
    state.replay(events)
    snapshot = reader.snapshot(table)
    if snapshot and not snapshot.seq <= state.seq:
        return "the snapshot is ahead of the events"
    if snapshot and snapshot.rules == row.rules:
        replayed = restored(start(), snapshot)
        replayed.replay(events[snapshot.seq + 1 :])
        if replayed.position != state.position:
            return "the snapshot does not match the events"
    stored, now = row.standing, state.standing()
    same = (stored.over, *map(list, stored[1:])) == (now.over, *map(list, now[1:]))
    return "" if same else "the standing does not match the events"
