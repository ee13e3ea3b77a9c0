"""Opens the host tools for a server's SQLite file or PostgreSQL database."""

from pathlib import Path

from souk.server.admin.host_tools import HostTools, SqliteHostTools
from souk.server.common.config import ServerConfig
from souk.server.open_store import check_installed


def open_host_tools(data: Path, key: Path, store: str) -> HostTools:
    """RuntimeError if there is no database, or none of this version."""
    if not ServerConfig(store=store).store:
        return SqliteHostTools(data, key)
    check_installed()
    from souk.server.admin.postgres_host_tools import PostgresHostTools

    return PostgresHostTools(store, data / key)
