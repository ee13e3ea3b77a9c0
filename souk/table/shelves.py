"""Where studies of finished games are kept: with their tables, so that nobody has to wait for one twice."""

import zlib
from typing import NamedTuple

from souk.table.database import Line
from souk.table.logs import trouble
from souk.table.store import NotKept, Statement, Store

VERSION = 2  # of what is kept: of another nothing is taken, and it is found out anew
_LARGEST = 1 << 24  # bytes of a study


class KeptStudy(NamedTuple):
    """A study. It names nobody, so that whoever wants to be forgotten is."""

    playouts: int
    of: int  # in how many pieces it was looked at
    content: bytes  # JSON


class Shelves:
    """Studies by their tables."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def study(self, table: str) -> KeptStudy | None:
        return await self._store.ask(_kept, table)

    async def keep(self, table: str, study: KeptStudy) -> None:
        """In the place of what was kept before. Where it cannot be, somebody will have to wait again."""
        change = """INSERT INTO studies SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?) ON CONFLICT ("table") DO UPDATE SET
            version = excluded.version, playouts = excluded.playouts, pieces = excluded.pieces, content = excluded.content"""
        values = (table, VERSION, study.playouts, study.of, zlib.compress(study.content), table)
        try:
            await self._store.carry_out([Statement(change, values)])
        except NotKept as error:
            trouble("study not kept", error, table=table)


def _kept(connection: Line, table: str) -> KeptStudy | None:
    asked = 'SELECT playouts, pieces, content FROM studies WHERE "table" = ? AND version = ?'
    row = connection.execute(asked, (table, VERSION)).fetchone()
    if row is None:
        return None
    try:
        return KeptStudy(row[0], row[1], zlib.decompressobj().decompress(row[2], _LARGEST))
    except zlib.error:  # then it is found out anew
        return None
