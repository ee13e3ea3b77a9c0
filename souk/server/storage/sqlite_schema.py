"""The SQLite file: its schema, and the step from the version before.

Columns are in the same order as in PostgreSQL (`souk.server.storage.postgres_schema`), so that rows
can be inserted by position and copied from one database to the other.
"""

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from souk.server.storage.encryption import Cipher, load_or_create_key
from souk.server.storage.settings import check_complete, cipher_of, initial_settings

SCHEMA_VERSION = 18
_OLDEST_READABLE = 17
_CACHED_STATEMENTS = 256  # `souk.server.storage.sqlite_writer` has one for each number of rows

# bans: `until` is NULL for good.
# calls: the turn for which a seat was last notified.
# codes: one-time codes.
# contestants: people as results know them; `public` is the id of the profile. A forgotten person's
#   row stays, without a player.
# counts: numbers of the whole server, such as its uptime.
# declines: until when a person gets no invitations of another; uninvited: people who want none.
# hosted_events, entrants, event_tables: events, who takes part, and the tables of their rounds.
# notices: tables or people changed by `souk host` or another server, which servers poll for.
# reports: chat messages reported to the host.
# sessions: device cookies; `own` is the player of a cookie before it was linked to another.
_SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, rules INTEGER NOT NULL, players INTEGER NOT NULL,
    options TEXT NOT NULL, seed BLOB NOT NULL, digest TEXT NOT NULL, created REAL NOT NULL,
    changed REAL NOT NULL, over INTEGER NOT NULL, actors TEXT NOT NULL, scores TEXT NOT NULL,
    winners TEXT NOT NULL, rematch TEXT NOT NULL, seen REAL NOT NULL DEFAULT 0,
    opening TEXT NOT NULL DEFAULT '', host BLOB, fill TEXT NOT NULL DEFAULT '',
    free_talk INTEGER NOT NULL DEFAULT 0, rated INTEGER NOT NULL DEFAULT 0,
    public INTEGER NOT NULL DEFAULT 0
) WITHOUT ROWID;
CREATE INDEX tables_by_age ON tables (over, created);
CREATE TABLE seats (
    "table" TEXT NOT NULL, seat INTEGER NOT NULL, kind TEXT NOT NULL, name TEXT NOT NULL,
    level TEXT NOT NULL, player BLOB, invitation BLOB, stand_in TEXT NOT NULL, resigned INTEGER,
    figure TEXT NOT NULL DEFAULT '', colour TEXT NOT NULL DEFAULT '', PRIMARY KEY ("table", seat)
) WITHOUT ROWID;
CREATE INDEX seats_of_player ON seats (player) WHERE player IS NOT NULL;
CREATE TABLE events (
    "table" TEXT NOT NULL, seq INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER,
    text TEXT NOT NULL, told TEXT NOT NULL, at REAL NOT NULL, sealed BLOB,
    PRIMARY KEY ("table", seq)
) WITHOUT ROWID;
CREATE TABLE snapshots (
    "table" TEXT PRIMARY KEY, seq INTEGER NOT NULL, rules INTEGER NOT NULL, content BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE settings (name TEXT PRIMARY KEY, value BLOB NOT NULL) WITHOUT ROWID;
CREATE TABLE counts (name TEXT PRIMARY KEY, value REAL NOT NULL) WITHOUT ROWID;
CREATE TABLE bans (who TEXT PRIMARY KEY, until REAL) WITHOUT ROWID;
CREATE TABLE notices (number INTEGER PRIMARY KEY AUTOINCREMENT, "table" TEXT NOT NULL);
CREATE TABLE dice (
    "table" TEXT NOT NULL, step INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
    value TEXT NOT NULL, sealed BLOB, PRIMARY KEY ("table", step)
) WITHOUT ROWID;
CREATE TABLE coaching (
    "table" TEXT NOT NULL, number INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL,
    after INTEGER NOT NULL, PRIMARY KEY ("table", number)
) WITHOUT ROWID;
CREATE TABLE analyses (
    "table" TEXT PRIMARY KEY, version INTEGER NOT NULL, playouts INTEGER NOT NULL,
    pieces INTEGER NOT NULL, content BLOB NOT NULL
) WITHOUT ROWID;
CREATE TABLE hidden (
    player BLOB NOT NULL, "table" TEXT NOT NULL, PRIMARY KEY (player, "table")
) WITHOUT ROWID;
CREATE INDEX hidden_tables ON hidden ("table");
CREATE TABLE timing (
    "table" TEXT PRIMARY KEY, version INTEGER NOT NULL, terms TEXT NOT NULL, state TEXT NOT NULL,
    due REAL
) WITHOUT ROWID;
CREATE INDEX timing_due ON timing (due) WHERE due IS NOT NULL;
CREATE TABLE chat (
    "table" TEXT NOT NULL, number INTEGER NOT NULL, seat INTEGER NOT NULL, phrase TEXT NOT NULL,
    text TEXT NOT NULL, at REAL NOT NULL, player BLOB, name TEXT NOT NULL DEFAULT '—',
    PRIMARY KEY ("table", number)
) WITHOUT ROWID;
CREATE INDEX chat_of_player ON chat (player) WHERE player IS NOT NULL;
CREATE TABLE reports (
    "table" TEXT NOT NULL, number INTEGER NOT NULL, at REAL NOT NULL, said TEXT NOT NULL,
    name TEXT NOT NULL, person BLOB, reporter BLOB NOT NULL,
    PRIMARY KEY ("table", number, reporter)
) WITHOUT ROWID;
CREATE TABLE push_subscriptions (
    digest BLOB PRIMARY KEY, player BLOB NOT NULL, content BLOB NOT NULL, since REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX push_subscriptions_of_player ON push_subscriptions (player);
CREATE TABLE calls (
    "table" TEXT NOT NULL, seat INTEGER NOT NULL, turn INTEGER NOT NULL,
    PRIMARY KEY ("table", seat)
) WITHOUT ROWID;
CREATE TABLE people (
    player BLOB PRIMARY KEY, name TEXT NOT NULL, figure TEXT NOT NULL, colour TEXT NOT NULL,
    changed REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE sessions (
    cookie BLOB PRIMARY KEY, player BLOB, own BLOB, device TEXT NOT NULL, since REAL NOT NULL,
    seen REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX sessions_of_player ON sessions (player) WHERE player IS NOT NULL;
CREATE TABLE codes (
    digest BLOB PRIMARY KEY, kind TEXT NOT NULL, player BLOB, cookie BLOB NOT NULL,
    until REAL NOT NULL
) WITHOUT ROWID;
CREATE TABLE passkeys (
    credential BLOB PRIMARY KEY, player BLOB NOT NULL, rp TEXT NOT NULL, handle BLOB NOT NULL,
    key BLOB NOT NULL, counter INTEGER NOT NULL, device TEXT NOT NULL, since REAL NOT NULL,
    used REAL NOT NULL
) WITHOUT ROWID;
CREATE INDEX passkeys_of_player ON passkeys (player);
CREATE TABLE contestants (
    number INTEGER PRIMARY KEY AUTOINCREMENT, player BLOB UNIQUE, public TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL, listed INTEGER NOT NULL
);
CREATE TABLE results (
    number INTEGER PRIMARY KEY AUTOINCREMENT, "table" TEXT NOT NULL UNIQUE, game TEXT NOT NULL,
    players INTEGER NOT NULL, kind TEXT NOT NULL, level TEXT NOT NULL, at REAL NOT NULL
);
CREATE TABLE result_seats (
    result INTEGER NOT NULL, seat INTEGER NOT NULL, contestant INTEGER NOT NULL,
    place INTEGER NOT NULL, won INTEGER NOT NULL, score INTEGER NOT NULL, mu REAL, sigma REAL,
    PRIMARY KEY (result, seat)
) WITHOUT ROWID;
CREATE INDEX results_of_contestant ON result_seats (contestant, result);
CREATE TABLE ratings (
    game TEXT NOT NULL, contestant INTEGER NOT NULL, mu REAL NOT NULL, sigma REAL NOT NULL,
    games INTEGER NOT NULL, wins INTEGER NOT NULL, PRIMARY KEY (game, contestant)
) WITHOUT ROWID;
CREATE INDEX ratings_in_order ON ratings (game, mu);
CREATE TABLE hosted_events (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, host BLOB, key BLOB, terms TEXT NOT NULL,
    state TEXT NOT NULL, round INTEGER NOT NULL, rounds INTEGER NOT NULL, began REAL, due REAL,
    seed BLOB NOT NULL, created REAL NOT NULL, changed REAL NOT NULL, version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX hosted_events_of_host ON hosted_events (host) WHERE host IS NOT NULL;
CREATE TABLE entrants (
    event TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, player BLOB,
    level TEXT NOT NULL, since INTEGER NOT NULL, until INTEGER, removed INTEGER NOT NULL,
    PRIMARY KEY (event, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entrants_of_player ON entrants (player, event) WHERE player IS NOT NULL;
CREATE TABLE event_tables (
    event TEXT NOT NULL, round INTEGER NOT NULL, number INTEGER NOT NULL, "table" TEXT NOT NULL,
    game TEXT NOT NULL, seats TEXT NOT NULL, made INTEGER NOT NULL, late INTEGER NOT NULL,
    result TEXT NOT NULL, PRIMARY KEY (event, round, number)
) WITHOUT ROWID;
CREATE INDEX event_tables_unfinished ON event_tables (event) WHERE result = '';
CREATE TABLE invites (
    "table" TEXT NOT NULL, player BLOB NOT NULL, host BLOB NOT NULL, name TEXT NOT NULL,
    at REAL NOT NULL, state TEXT NOT NULL, PRIMARY KEY ("table", player)
) WITHOUT ROWID;
CREATE INDEX invites_of_player ON invites (player);
CREATE TABLE declines (
    player BLOB NOT NULL, host BLOB NOT NULL, until REAL NOT NULL, PRIMARY KEY (player, host)
) WITHOUT ROWID;
CREATE TABLE uninvited (player BLOB PRIMARY KEY) WITHOUT ROWID;
INSERT INTO counts VALUES ('time', 0), ('reread', 0)
"""

# From schema 17: names as in the code. Indexes keep their names when a table is renamed.
_FROM_17 = """
ALTER TABLE house RENAME TO settings;
ALTER TABLE studies RENAME TO analyses;
ALTER TABLE life RENAME TO timing;
ALTER TABLE said RENAME TO chat;
ALTER TABLE devices RENAME TO push_subscriptions;
ALTER TABLE doors RENAME TO sessions;
DROP INDEX life_due;
CREATE INDEX timing_due ON timing (due) WHERE due IS NOT NULL;
DROP INDEX said_of_player;
CREATE INDEX chat_of_player ON chat (player) WHERE player IS NOT NULL;
DROP INDEX devices_of_player;
CREATE INDEX push_subscriptions_of_player ON push_subscriptions (player);
DROP INDEX doors_of_player;
CREATE INDEX sessions_of_player ON sessions (player) WHERE player IS NOT NULL;
ALTER TABLE evenings RENAME TO hosted_events;
DROP INDEX evenings_of_host;
CREATE INDEX hosted_events_of_host ON hosted_events (host) WHERE host IS NOT NULL;
ALTER TABLE entrants RENAME COLUMN evening TO event;
ALTER TABLE sittings RENAME TO event_tables;
ALTER TABLE event_tables RENAME COLUMN evening TO event;
DROP INDEX sittings_unfinished;
CREATE INDEX event_tables_unfinished ON event_tables (event) WHERE result = '';
UPDATE tables SET host = CAST('event ' || substr(host, 9) AS BLOB)
    WHERE substr(host, 1, 8) = CAST('evening ' AS BLOB)
"""


class SqliteConnection(sqlite3.Connection):
    """A connection to a file. SQLite lets one transaction write at a time."""

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

    def take_lock(self, _name: str) -> None:
        pass


def open_file(path: Path, key: Path, moving: bool = False) -> tuple[SqliteConnection, Cipher]:
    """Open a file at the current schema version, with its cipher.

    Creates or migrates the file if necessary. Raises RuntimeError if it is not ours or not
    writable, or if the key does not fit.

    Args:
        moving: accept an unfinished copy (`souk.server.admin.migrate_store`).
    """
    try:
        _make_private(path)
        connection = connect(path)
        [(problem,)] = connection.execute("PRAGMA quick_check(1)")
        if problem != "ok":
            raise RuntimeError(f"{path.name} is damaged ({problem}): restore a backup")
        cipher = _set_up(connection, path, key)
        if not moving:
            check_complete(connection, path.name)
        _enable_vacuum(connection)
    except (sqlite3.Error, OSError) as error:
        raise RuntimeError(f"{path.name} cannot be used as the file of tables: {error}") from None
    return connection, cipher


def _make_private(path: Path) -> None:
    """Make the file readable for its owner only; SQLite gives its log the same permissions."""
    path.touch(mode=0o600)
    path.chmod(0o600)


def connect(path: Path) -> SqliteConnection:
    connection = sqlite3.connect(
        path,
        isolation_level=None,
        check_same_thread=False,
        factory=SqliteConnection,
        cached_statements=_CACHED_STATEMENTS,
    )
    connection.execute("PRAGMA busy_timeout = 5000")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    # Statement journals of many-row statements need not outlive the process.
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection


def _set_up(connection: SqliteConnection, path: Path, key: Path) -> Cipher:
    """Create or migrate the schema in one transaction; write nothing if it is current."""
    with connection.transaction():
        version = checked_version(connection, path)
        if version != SCHEMA_VERSION:
            for statement in (_FROM_17 if version else _SCHEMA).split(";"):
                connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        if version:
            return cipher_of(connection, key)
        cipher = load_or_create_key(key)
        connection.executemany("INSERT INTO settings VALUES (?, ?)", initial_settings(cipher))
    return cipher


def checked_version(connection: sqlite3.Connection, path: Path) -> int:
    """Schema version of a file, 0 if new. Raise RuntimeError if this version cannot read it."""
    [(version,)] = connection.execute("PRAGMA user_version")
    if version > SCHEMA_VERSION:
        raise RuntimeError(
            f"{path.name} was written by a newer version of souk "
            f"(schema {version}, here {SCHEMA_VERSION})"
        )
    if 0 < version < _OLDEST_READABLE:
        raise RuntimeError(
            f"{path.name} was written by an early version of souk (schema {version}), which this "
            f"one cannot read ({_OLDEST_READABLE} or newer): start with an empty data folder"
        )
    return int(version)


def _enable_vacuum(connection: sqlite3.Connection) -> None:
    """Let deleted rows give back their space step by step, unless another server is busy."""
    [(mode,)] = connection.execute("PRAGMA auto_vacuum")
    if mode != 2:  # incremental
        with contextlib.suppress(sqlite3.OperationalError):
            connection.execute("PRAGMA auto_vacuum = INCREMENTAL")
            connection.execute("VACUUM")


def size_of(connection: sqlite3.Connection) -> int:
    """Bytes of the file in use."""
    pages, free, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0]
        for name in ("page_count", "freelist_count", "page_size")
    )
    return int((pages - free) * size)
