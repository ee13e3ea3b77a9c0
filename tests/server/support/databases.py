"""Test databases: SQLite in the test's folder, or PostgreSQL if the test asks for it.

Helpers take the folder, so that a test need not know which database it uses.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from souk.server.storage.connection import Connection
from souk.server.storage.postgres_connection import PostgresConnection
from souk.server.storage.postgres_store import PostgresStore
from souk.server.storage.sqlite_schema import connect
from souk.server.storage.sqlite_store import SqliteStore
from souk.server.storage.store import Store
from tests.support.postgres import Cluster

# Run the test with both databases.
in_both = pytest.mark.usefixtures("both")
# Seconds; a database may be slow on a busy machine.
PATIENCE = 60.0
# Cluster and schema of each folder that uses PostgreSQL.
_SCHEMAS: dict[Path, tuple[Cluster, str]] = {}


@contextlib.contextmanager
def in_postgres(folder: Path, cluster: Cluster) -> Iterator[None]:
    """Use PostgreSQL for this folder and the folders below it."""
    _SCHEMAS[folder] = cluster, cluster.new_name()
    try:
        yield
    finally:
        del _SCHEMAS[folder]


def address_of(folder: Path) -> str:
    """Value for `--store`: "" for SQLite; in PostgreSQL each folder has its own schema."""
    for above in (folder, *folder.parents):
        if above in _SCHEMAS:
            cluster, name = _SCHEMAS[above]
            within = "_".join(folder.relative_to(above).parts)
            return cluster.address(f"{name}{'_' if within else ''}{within}")
    return ""


def store_at(folder: Path) -> Store:
    address = address_of(folder)
    return (
        PostgresStore(address, folder / "key", timeout=PATIENCE)
        if address
        else SqliteStore(folder / "tables.sqlite")
    )


@contextlib.contextmanager
def look_into(folder: Path) -> Iterator[Connection]:
    """Connect to the database independently of the server."""
    address = address_of(folder)
    connection: Connection = (
        PostgresConnection(address) if address else connect(folder / "tables.sqlite")
    )
    try:
        yield connection
    finally:
        connection.close()


def everything(folder: Path) -> str:
    """Dump all tables as text, bytes in hexadecimal."""
    with look_into(folder) as connection:
        if isinstance(connection, PostgresConnection):
            query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        else:
            query = (
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
            )
        rows = [
            row
            for (name,) in connection.execute(query).fetchall()
            for row in connection.execute(f"SELECT * FROM {name}")
        ]
    return "\n".join(
        str(value.hex() if isinstance(value, bytes) else value) for row in rows for value in row
    )
