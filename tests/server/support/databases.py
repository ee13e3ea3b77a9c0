"""Where a test keeps its tables: in a file of SQLite in its folder, or, where it says so, in PostgreSQL. A test that names a folder need not know which."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from souk.table.database import Line
from souk.table.postgres import PostgresStore
from souk.table.postgres_line import PostgresLine
from souk.table.schema import connect
from souk.table.sql_store import SqlStore
from souk.table.sqlite import SqliteStore
from tests.postgres import Cluster

in_both = pytest.mark.usefixtures("both")  # a test that is to hold in both databases
PATIENCE = 30.0  # seconds that a database may take on a busy machine
_HOUSES: dict[Path, tuple[Cluster, str]] = {}  # by folder: those whose tables are in PostgreSQL


@contextlib.contextmanager
def in_postgres(folder: Path, cluster: Cluster) -> Iterator[None]:
    """From now on tables of this folder, and of those within, are kept in PostgreSQL."""
    _HOUSES[folder] = cluster, cluster.new_name()
    try:
        yield
    finally:
        del _HOUSES[folder]


def address_of(folder: Path) -> str:
    """As `--store` takes it: "" for a file in the folder. Each folder has a house of its own."""
    for above in (folder, *folder.parents):
        if above in _HOUSES:
            cluster, name = _HOUSES[above]
            within = "_".join(folder.relative_to(above).parts)
            return cluster.address(f"{name}{'_' if within else ''}{within}")
    return ""


def store_at(folder: Path) -> SqlStore:
    address = address_of(folder)
    return (
        PostgresStore(address, folder / "key", patience=PATIENCE) if address else SqliteStore(folder / "tables.sqlite")
    )


@contextlib.contextmanager
def look_into(folder: Path) -> Iterator[Line]:
    """A connection of the test's own, beside the server."""
    address = address_of(folder)
    connection: Line = PostgresLine(address) if address else connect(folder / "tables.sqlite")
    try:
        yield connection
    finally:
        connection.close()


def everything(folder: Path) -> str:
    """All that is kept of a house, as text; bytes as digits."""
    with look_into(folder) as connection:
        if isinstance(connection, PostgresLine):
            asked = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        else:
            asked = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
        rows = [
            row
            for (name,) in connection.execute(asked).fetchall()
            for row in connection.execute(f"SELECT * FROM {name}")
        ]
    return "\n".join(str(each.hex() if isinstance(each, bytes) else each) for row in rows for each in row)
