"""The file of tables: how it is laid out, and how one of an earlier version is brought forward."""

import contextlib
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

from souk.table.database import Line
from souk.table.evening_rows import SCHEMA as _FOR_EVENINGS
from souk.table.sealing import Seal, Unsealable, make_key, read_key
from souk.table.vapid import new_private_key

SCHEMA_VERSION = 16
_FIRST = 2  # the version that a new file begins with; from there it takes the same steps as an old one
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

# seen: when somebody last opened the table. snapshots: see souk.table.snapshots. house: what concerns all tables, by name.
# bans: until when, or NULL for good. notices: tables that somebody changed who is not a server; servers look for new ones.
_FOR_HOSTS = """
ALTER TABLE tables ADD COLUMN seen REAL NOT NULL DEFAULT 0;
CREATE TABLE snapshots (
    "table" TEXT PRIMARY KEY, seq INTEGER NOT NULL, rules INTEGER NOT NULL, content BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE house (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE bans (who TEXT PRIMARY KEY, until REAL) WITHOUT ROWID;
CREATE TABLE notices (number INTEGER PRIMARY KEY AUTOINCREMENT, "table" TEXT NOT NULL)
"""
MOVING = "moving"  # the name under which an unfinished copy says how far it has come
_UNDERSTOOD = 256  # statements that are kept as SQLite has understood them: `souk.table.file_writing` has one for each number of rows
_KEY_CHECK = b"souk"  # sealed in the database, to know the right key by


class FileLine(sqlite3.Connection):
    """A connection to a file, of which one at a time can write: whoever is within a transaction has their turn."""

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        self.execute("BEGIN IMMEDIATE")
        try:
            yield
            self.execute("COMMIT")
        except BaseException:
            if self.in_transaction:
                self.execute("ROLLBACK")
            raise

    def take_turn(self, _name: str) -> None:
        pass


def open_file(path: Path, key: Path, moving: bool = False) -> tuple[FileLine, Seal]:
    """A file, set up and brought forward to this version, and the seal of what is secret in it. RuntimeError where it is none of ours,
    cannot be written, or the key is another. `moving`: it may be an unfinished copy of a house (`souk.table.moving`)."""
    try:
        _keep_private(path)
        connection = connect(path)
        [(found,)] = connection.execute("PRAGMA quick_check(1)")
        if found != "ok":
            raise RuntimeError(f"{path.name} is damaged ({found}); a backup can take its place")
        seal = _set_up(connection, path, key)
        if not moving:
            check_whole(connection, path.name)
        _let_it_shrink(connection)
    except (sqlite3.Error, OSError) as error:
        raise RuntimeError(f"{path.name} cannot be used as the file of tables: {error}") from None
    return connection, seal


def _keep_private(path: Path) -> None:
    """Nobody else on this machine may read the file: it has names in it. (What SQLite puts beside it is as private as the file.)"""
    path.touch(mode=0o600)
    path.chmod(0o600)


def connect(path: Path) -> FileLine:
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, factory=FileLine, cached_statements=_UNDERSTOOD
    )
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    # What a statement that writes many rows would need to be undone alone: nothing that has to outlive the process.
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


# ---------------------------------------------------------------- from version to version


def _words_anew(connection: sqlite3.Connection, _seal: Seal) -> None:
    """1 to 2, and 4 to 5: words had other keys, so each table is told anew when it is next opened."""
    connection.execute("UPDATE events SET told = ''")


def _shares_of_dice(connection: sqlite3.Connection, _seal: Seal) -> None:
    """2 to 3: everybody has a share in the dice. A table that has no steps was made when the server alone drew the seed."""
    connection.execute(
        """CREATE TABLE dice (
            "table" TEXT NOT NULL, step INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL, value TEXT NOT NULL,
            PRIMARY KEY ("table", step)
        ) WITHOUT ROWID"""
    )


def _sealed(connection: sqlite3.Connection, seal: Seal) -> None:
    """3 to 4: seeds and choices are sealed. Which choices are revealed only the rules know: of games that go on all moves are sealed."""
    for statement in _FOR_HOSTS.split(";"):
        connection.execute(statement)
    for table, seed in connection.execute("SELECT id, seed FROM tables").fetchall():
        connection.execute("UPDATE tables SET seed = ? WHERE id = ?", (seal.seal(seed, "seed", table), table))
    asked = "SELECT id, seq, text FROM events JOIN tables ON \"table\" = id WHERE NOT over AND kind IN ('move', 'back')"
    change = 'UPDATE events SET text = ? WHERE "table" = ? AND seq = ?'
    for table, seq, text in connection.execute(asked).fetchall():
        connection.execute(change, (seal.seal(text.encode(), "event", table, seq), table, seq))
    connection.execute("INSERT INTO house VALUES ('key', ?)", (seal.seal(_KEY_CHECK, "key"),))


def _branches_and_coach(connection: sqlite3.Connection, _seal: Seal) -> None:
    """5 to 6: tables that begin elsewhere (see `souk.table.branches`), and what a coach was asked at them (`souk.table.coaching`)."""
    connection.execute("ALTER TABLE tables ADD COLUMN opening TEXT NOT NULL DEFAULT ''")
    connection.execute(
        """CREATE TABLE coaching (
            "table" TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL, after INTEGER NOT NULL,
            PRIMARY KEY ("table", number)
        ) WITHOUT ROWID"""
    )


def _studies(connection: sqlite3.Connection, _seal: Seal) -> None:
    """6 to 7: what was found out about games that are over (see `souk.table.shelves`)."""
    connection.execute(
        """CREATE TABLE studies (
            "table" TEXT PRIMARY KEY, version INTEGER NOT NULL, playouts INTEGER NOT NULL, pieces INTEGER NOT NULL,
            content BLOB NOT NULL
        ) WITHOUT ROWID"""
    )


# host: who made a table (of those of before: whoever sat down there without a link). fill: the level of bots that take the seats nobody took.
# resigned: the last event before somebody resigned. hidden: tables that somebody does not want to see in their list any more.
_FOR_COMPANY = """
ALTER TABLE tables ADD COLUMN host BLOB;
ALTER TABLE tables ADD COLUMN fill TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN resigned INTEGER;
UPDATE tables SET host = (
    SELECT player FROM seats WHERE "table" = id AND kind = 'person' AND invitation IS NULL AND player IS NOT NULL ORDER BY seat LIMIT 1
);
CREATE TABLE hidden (player BLOB NOT NULL, "table" TEXT NOT NULL, PRIMARY KEY (player, "table")) WITHOUT ROWID;
CREATE INDEX hidden_tables ON hidden ("table")
"""


def _company(connection: sqlite3.Connection, _seal: Seal) -> None:
    """7 to 8: seats for anybody who has a table's address, tables that are left, cancelled or taken off a list (see `souk.table.gathering`)."""
    for statement in _FOR_COMPANY.split(";"):
        connection.execute(statement)


def _life(connection: sqlite3.Connection, _seal: Seal) -> None:
    """8 to 9: clocks of tables, and what is asked at them (see `souk.table.life_rows`)."""
    connection.execute(
        """CREATE TABLE life (
            "table" TEXT PRIMARY KEY, version INTEGER NOT NULL, terms TEXT NOT NULL, state TEXT NOT NULL, due REAL
        ) WITHOUT ROWID"""
    )
    connection.execute("CREATE INDEX life_due ON life (due) WHERE due IS NOT NULL")


# said: see souk.table.sayings. reports: what was said that somebody reported, kept for the host. devices: where people are called, and
# calls: for which turn they last were (souk.table.devices).
_FOR_TALK = """
ALTER TABLE tables ADD COLUMN free_talk INTEGER NOT NULL DEFAULT 0;
CREATE TABLE said (
    "table" TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, phrase TEXT NOT NULL, text TEXT NOT NULL, at REAL NOT NULL,
    PRIMARY KEY ("table", number)
) WITHOUT ROWID;
CREATE TABLE reports (
    "table" TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, said TEXT NOT NULL, name TEXT NOT NULL, person BLOB, reporter BLOB,
    PRIMARY KEY ("table", number)
) WITHOUT ROWID;
CREATE TABLE devices (
    digest BLOB PRIMARY KEY, player BLOB NOT NULL, content BLOB NOT NULL, since REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX devices_of_player ON devices (player);
CREATE TABLE calls (
    "table" TEXT NOT NULL, seat INTEGER NOT NULL, turn INTEGER NOT NULL, PRIMARY KEY ("table", seat)
) WITHOUT ROWID
"""


def _talk_and_calls(connection: sqlite3.Connection, seal: Seal) -> None:
    """9 to 10: people talk, and are called when it is their turn. The key by which push services know this server is made here, once."""
    for statement in _FOR_TALK.split(";"):
        connection.execute(statement)
    connection.execute("INSERT INTO house VALUES ('push', ?)", (seal.seal(new_private_key(), "push"),))


# people: see souk.table.people; seats say how somebody looked when they sat down, or have chosen since. doors: souk.table.doors. codes: what works
# once (souk.table.codes). passkeys: souk.table.passkeys.
_FOR_PEOPLE = """
ALTER TABLE seats ADD COLUMN figure TEXT NOT NULL DEFAULT '';
ALTER TABLE seats ADD COLUMN colour TEXT NOT NULL DEFAULT '';
CREATE TABLE people (
    player BLOB PRIMARY KEY, name TEXT NOT NULL, figure TEXT NOT NULL, colour TEXT NOT NULL, changed REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE doors (
    cookie BLOB PRIMARY KEY, player BLOB, own BLOB, device TEXT NOT NULL, since REAL NOT NULL, seen REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX doors_of_player ON doors (player) WHERE player IS NOT NULL;
CREATE TABLE codes (
    digest BLOB PRIMARY KEY, kind TEXT NOT NULL, player BLOB, cookie BLOB NOT NULL, until REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE passkeys (
    credential BLOB PRIMARY KEY, player BLOB NOT NULL, rp TEXT NOT NULL, handle BLOB NOT NULL, key BLOB NOT NULL, counter INTEGER NOT NULL,
    device TEXT NOT NULL, since REAL NOT NULL, used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX passkeys_of_player ON passkeys (player)
"""


def _people(connection: sqlite3.Connection, _seal: Seal) -> None:
    """10 to 11: people have a name, a figure and a colour of their own, several devices, and passkeys."""
    for statement in _FOR_PEOPLE.split(";"):
        connection.execute(statement)


# contestants: people as results know them; one who was forgotten has no player, and stays. public: the id of their profile, by which nobody can act.
# results: games that count, in the order of their numbers, and result_seats: who came in where, with the rating after it. ratings: as they are now, by game.
# See souk.table.ratings.
_FOR_RATINGS = """
ALTER TABLE tables ADD COLUMN rated INTEGER NOT NULL DEFAULT 0;
CREATE TABLE contestants (
    number INTEGER PRIMARY KEY AUTOINCREMENT, player BLOB UNIQUE, public TEXT NOT NULL UNIQUE, name TEXT NOT NULL, listed INTEGER NOT NULL
);
CREATE TABLE results (
    number INTEGER PRIMARY KEY AUTOINCREMENT, "table" TEXT NOT NULL UNIQUE, game TEXT NOT NULL, players INTEGER NOT NULL,
    kind TEXT NOT NULL, level TEXT NOT NULL, at REAL NOT NULL
);
CREATE TABLE result_seats (
    result INTEGER NOT NULL, seat INTEGER NOT NULL, contestant INTEGER NOT NULL, place INTEGER NOT NULL, won INTEGER NOT NULL,
    score INTEGER NOT NULL, mu REAL, sigma REAL, PRIMARY KEY (result, seat)
) WITHOUT ROWID;
CREATE INDEX results_of_contestant ON result_seats (contestant, result);
CREATE TABLE ratings (
    game TEXT NOT NULL, contestant INTEGER NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL, games INTEGER NOT NULL, wins INTEGER NOT NULL,
    PRIMARY KEY (game, contestant)
) WITHOUT ROWID;
CREATE INDEX ratings_in_order ON ratings (game, mu)
"""


def _results(connection: sqlite3.Connection, _seal: Seal) -> None:
    """11 to 12: results of games that count, of which there is none of before; and whoever resigned cannot win: at games that go on that is an event
    now."""
    for statement in _FOR_RATINGS.split(";"):
        connection.execute(statement)
    asked = """SELECT id, seat, (SELECT coalesce(max(seq), -1) FROM events WHERE events."table" = id) FROM tables
        JOIN seats ON seats."table" = id WHERE resigned IS NOT NULL AND NOT over ORDER BY id, seat"""
    last: dict[str, int] = {}
    for table, seat, seq in connection.execute(asked).fetchall():
        last[table] = last.get(table, seq) + 1
        told = f'[["table.life.resigned",{{"who":{{"seat":{seat}}}}}]]'.encode()
        row = (table, last[table], f"resigned {seat}", told, table)
        change = "INSERT INTO events SELECT ?, ?, 'life', NULL, ?, ?, changed FROM tables WHERE id = ?"
        connection.execute(change, row)


def _evenings(connection: sqlite3.Connection, _seal: Seal) -> None:
    """12 to 13: evenings of many tables (see `souk.table.evening_rows`)."""
    for statement in _FOR_EVENINGS.split(";"):
        connection.execute(statement)


# public: everybody in the lobby sees the table (souk.table.board). invites: who is asked to a table that has not begun, by whom, and under which
# name they are known there ("asked", "again" for a rematch, "declined"); declines: until when somebody is not asked again by whom; uninvited:
# who does not want to be asked at all (souk.table.inviting).
_FOR_MEETING = """
ALTER TABLE tables ADD COLUMN public INTEGER NOT NULL DEFAULT 0;
CREATE TABLE invites (
    "table" TEXT NOT NULL, player BLOB NOT NULL, host BLOB NOT NULL, name TEXT NOT NULL, at REAL NOT NULL, state TEXT NOT NULL,
    PRIMARY KEY ("table", player)
) WITHOUT ROWID;
CREATE INDEX invites_of_player ON invites (player);
CREATE TABLE declines (
    player BLOB NOT NULL, host BLOB NOT NULL, until REAL NOT NULL, PRIMARY KEY (player, host)
) WITHOUT ROWID;
CREATE TABLE uninvited (player BLOB PRIMARY KEY) WITHOUT ROWID
"""


def _meeting(connection: sqlite3.Connection, _seal: Seal) -> None:
    """13 to 14: tables that everybody may see, and people who ask others to theirs."""
    for statement in _FOR_MEETING.split(";"):
        connection.execute(statement)


# sealed: what stood in the place of the text, as bytes. counts: numbers that concern the whole house, which stood among its sealed things and texts:
# its time (souk.table.house_time), and how often words were to be read again. Every column has values of one kind now, as other databases want it.
_OF_ONE_KIND = """
ALTER TABLE events ADD COLUMN sealed BLOB;
ALTER TABLE dice ADD COLUMN sealed BLOB;
UPDATE events SET sealed = text, text = '' WHERE typeof(text) = 'blob';
UPDATE dice SET sealed = value, value = '' WHERE typeof(value) = 'blob';
CREATE TABLE counts (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;
INSERT INTO counts SELECT 'time', coalesce((SELECT value FROM house WHERE name = 'time'), 0);
INSERT INTO counts SELECT 'reread', coalesce((SELECT value FROM house WHERE name = 'reread'), 0);
DELETE FROM house WHERE name IN ('time', 'reread');
UPDATE house SET value = CAST(value AS BLOB) WHERE typeof(value) = 'text';
UPDATE events SET told = CAST(told AS BLOB) WHERE typeof(told) = 'text'
"""


def _of_one_kind(connection: sqlite3.Connection, _seal: Seal) -> None:
    """14 to 15: what is sealed, and numbers, stand in columns of their own."""
    for statement in _OF_ONE_KIND.split(";"):
        connection.execute(statement)


# What nobody comes back to is looked for by when it was made, which no move changes: see `souk.table.chores.left_alone`.
TABLES_BY_AGE = "CREATE INDEX tables_by_age ON tables (over, created)"


def _by_age(connection: sqlite3.Connection, _seal: Seal) -> None:
    """15 to 16: old tables are found without looking at all."""
    connection.execute(TABLES_BY_AGE)


# How a file of an earlier version is brought forward, step by step.
_STEPS: dict[int, Callable[[sqlite3.Connection, Seal], None]] = {
    1: _words_anew,
    2: _shares_of_dice,
    3: _sealed,
    4: _words_anew,
    5: _branches_and_coach,
    6: _studies,
    7: _company,
    8: _life,
    9: _talk_and_calls,
    10: _people,
    11: _results,
    12: _evenings,
    13: _meeting,
    14: _of_one_kind,
    15: _by_age,
}


def _set_up(connection: FileLine, path: Path, key: Path) -> Seal:
    """All steps in one transaction, so that a file is of one version or of the other. One of today's version is not written to."""
    with connection.transaction():
        version = checked_version(connection, path)
        seal = seal_of(connection, key) if version == SCHEMA_VERSION else make_key(key)
        if not version:
            for statement in _SCHEMA.split(";"):
                connection.execute(statement)
        for older in range(version or _FIRST, SCHEMA_VERSION):
            _STEPS[older](connection, seal)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
    return seal


def first_sealed(seal: Seal) -> list[tuple[str, bytes]]:
    """What every house has from its beginning, by name: something to know the right key by, and the key by which push services know this server."""
    return [("key", seal.seal(_KEY_CHECK, "key")), ("push", seal.seal(new_private_key(), "push"))]


def checked_version(connection: sqlite3.Connection, path: Path) -> int:
    """The version of a file, 0 for a new one; RuntimeError where it is newer than we are."""
    [(version,)] = connection.execute("PRAGMA user_version")
    if version > SCHEMA_VERSION:
        raise RuntimeError(
            f"{path.name} was written by a newer version of souk (schema {version}, here {SCHEMA_VERSION})"
        )
    return int(version)


def check_whole(connection: Line, name: str) -> None:
    """RuntimeError where a house is the copy of another, and not all of it is there yet."""
    if connection.execute("SELECT 1 FROM house WHERE name = ?", (MOVING,)).fetchone():
        raise RuntimeError(f"{name} is an unfinished copy: `souk host move`, with the same words, goes on with it")


def seal_of(connection: Line, key: Path) -> Seal:
    """The key of a house, which must be the right one."""
    seal = read_key(key)
    found = connection.execute("SELECT value FROM house WHERE name = 'key'").fetchone()
    try:
        seal.unseal(found[0] if found else b"", "key")
    except Unsealable:
        raise RuntimeError(f"{key} is not the key of these tables: they were sealed with another") from None
    return seal


def _let_it_shrink(connection: sqlite3.Connection) -> None:
    """What is deleted gives its room back, little by little. A file of before is rearranged for that once, unless somebody else is at it."""
    [(mode,)] = connection.execute("PRAGMA auto_vacuum")
    if mode != 2:  # incremental
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("VACUUM")


def size_of(connection: sqlite3.Connection) -> int:
    """Bytes of the file that are in use."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
