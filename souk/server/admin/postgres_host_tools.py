"""Host tools for PostgreSQL."""

from pathlib import Path

import psycopg

from souk.server.admin.host_tools import HostTools
from souk.server.bus.bus import HostNoticeLeft
from souk.server.bus.postgres_bus import announce
from souk.server.storage.postgres_connection import reason, without_password
from souk.server.storage.postgres_schema import POSTGRES_VERSION, checked_layout, connect
from souk.server.storage.postgres_store import size_of_database


class PostgresHostTools(HostTools):
    """A PostgreSQL database. RuntimeError if it is missing or not of this version."""

    kind = "database"

    def __init__(self, address: str, key: Path) -> None:
        self._address = address
        self._connection = connect(address)
        version = checked_layout(self._connection, address)
        if not version:
            self._connection.close()
            raise RuntimeError(
                f"no Souk database at {without_password(address)}: "
                "start a server there to create it"
            )
        if version < POSTGRES_VERSION:
            self._connection.close()
            raise RuntimeError(
                f"{without_password(address)} was written by an earlier version of souk: "
                "start a server there to upgrade it"
            )
        super().__init__(self._connection, key)

    def __exit__(self, *ended: object) -> None:
        if ended[1] is None:
            announce(self._connection, HostNoticeLeft())  # wakes the servers
        super().__exit__(*ended)
        error = ended[1]
        if isinstance(error, psycopg.Error):
            raise RuntimeError(f"{without_password(self._address)}: {reason(error)}") from None

    def size(self) -> int:
        return size_of_database(self._connection)

    def backup(self, target: Path) -> None:
        raise ValueError(
            "use PostgreSQL's own tool: "
            f"pg_dump --format=custom --file={target} '{without_password(self._address)}'"
        )

    def _check_whole(self) -> tuple[str, str]:
        """Checks references only; for the files use pg_amcheck and data checksums."""
        query = 'SELECT count(*) FROM events WHERE "table" NOT IN (SELECT id FROM tables)'
        [(count,)] = self._connection.execute(query)
        return self.kind, f"{count} events without a table" if count else ""
