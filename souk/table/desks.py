"""Where a host looks after tables: in the file of a server, or in PostgreSQL."""

from pathlib import Path

from souk.table.hosting import HostDesk, HostFile
from souk.table.settings import Settings
from souk.table.stores import check_installed


def open_desk(data: Path, key: Path, store: str) -> HostDesk:
    """RuntimeError where there are no tables, or none of this version."""
    if not Settings(store=store).store:
        return HostFile(data, key)
    check_installed()
    from souk.table.postgres_hosting import HostDatabase

    return HostDatabase(store, data / key)
