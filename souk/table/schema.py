"""The file of tables: how it is laid out, and how one of an earlier version is brought forward."""

import sqlite3
from pathlib import Path

SCHEMA_VERSION = 3
_STEPS_OF_DICE = """CREATE TABLE dice (
    "table" TEXT NOT NULL, step INTEGER NOT NULL, kind TEXT NOT NULL, seat INTEGER NOT NULL, value TEXT NOT NULL,
    PRIMARY KEY ("table", step)
) WITHOUT ROWID"""
_SCHEMA = f"""
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
{_STEPS_OF_DICE}"""

# How a file of an earlier version is brought forward, step by step: from version 1 to 2 and so on.
_MIGRATIONS = {
    1: "UPDATE events SET told = ''",  # words had other keys: each table is told anew when it is next opened
    2: _STEPS_OF_DICE,  # a table that has none was made when the server alone drew the seed
}


def open_file(path: Path) -> sqlite3.Connection:
    """A file, set up and brought forward to this version. RuntimeError where it is none of ours, or cannot be written."""
    try:
        _keep_private(path)
        connection = connect(path)
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


def connect(path: Path) -> sqlite3.Connection:
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
