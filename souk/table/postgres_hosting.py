"""What a host can ask of tables in PostgreSQL, besides what can be asked of all."""

from pathlib import Path

import psycopg

from souk.table.hosting import HostDesk
from souk.table.news import NoticeLeft
from souk.table.news_line import announce
from souk.table.postgres import size_of_house
from souk.table.postgres_line import reason, shown
from souk.table.postgres_schema import POSTGRES_VERSION, at_address, checked_layout


class HostDatabase(HostDesk):
    """Tables in PostgreSQL, by their address. RuntimeError where there are none, or where they are not of this version."""

    def __init__(self, address: str, key: Path) -> None:
        self._address = address
        self._line = at_address(address).__enter__()
        version = checked_layout(self._line, address)
        if not version:
            self._line.close()
            raise RuntimeError(f"there are no tables at {shown(address)}: a server that starts there lays them out")
        if version < POSTGRES_VERSION:
            self._line.close()
            raise RuntimeError(
                f"{shown(address)} was written by an earlier version of souk: a server that starts there brings it forward"
            )
        super().__init__(self._line, key)

    def __exit__(self, *ended: object) -> None:
        if ended[1] is None:
            announce(self._line, NoticeLeft())  # servers look at once
        super().__exit__(*ended)
        error = ended[1]
        if isinstance(error, psycopg.Error):
            raise RuntimeError(f"{shown(self._address)}: {reason(error)}") from None

    def size(self) -> int:
        return size_of_house(self._line)

    def backup(self, target: Path) -> None:
        raise ValueError(f"PostgreSQL copies itself: pg_dump --format=custom --file={target} '{shown(self._address)}'")

    def _check_whole(self) -> tuple[str, str]:
        """The database checks itself (pg_amcheck, data checksums); what the house knows better is whether no part is without its table."""
        asked = 'SELECT count(*) FROM events WHERE "table" NOT IN (SELECT id FROM tables)'
        [(lost,)] = self._line.execute(asked)
        return "database", f"{lost} events belong to no table" if lost else ""
