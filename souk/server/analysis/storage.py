"""Stores finished analyses with their tables, so that nobody waits for the same one twice."""

import zlib
from typing import NamedTuple

from souk.server.common.logs import log_error
from souk.server.storage.connection import Connection
from souk.server.storage.errors import WriteFailed
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store

VERSION = 2  # format; analyses of other versions are ignored and computed again
_MAX_BYTES = 1 << 24  # bytes of one analysis after decompression


class StoredAnalysis(NamedTuple):
    """An analysis. It contains no names, so deleting an account needs no rewrite."""

    playouts: int
    of: int  # jobs it consisted of
    content: bytes  # JSON


class AnalysisStorage:
    """Analyses by table."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def find(self, table: str) -> StoredAnalysis | None:
        return await self._store.query(_stored, table)

    async def keep(self, table: str, analysis: StoredAnalysis) -> None:
        """Replace a table's analysis. A failed write is only logged: the analysis can be computed
        again.
        """
        change = """INSERT INTO analyses SELECT ?, ?, ?, ?, ?
            WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)
            ON CONFLICT ("table") DO UPDATE SET version = excluded.version,
            playouts = excluded.playouts, pieces = excluded.pieces, content = excluded.content"""
        values = (
            table,
            VERSION,
            analysis.playouts,
            analysis.of,
            zlib.compress(analysis.content),
            table,
        )
        try:
            await self._store.write([Statement(change, values)])
        except WriteFailed as error:
            log_error("analysis not stored", error, table=table)


def _stored(connection: Connection, table: str) -> StoredAnalysis | None:
    query = 'SELECT playouts, pieces, content FROM analyses WHERE "table" = ? AND version = ?'
    row = connection.execute(query, (table, VERSION)).fetchone()
    if row is None:
        return None
    try:
        return StoredAnalysis(row[0], row[1], zlib.decompressobj().decompress(row[2], _MAX_BYTES))
    except zlib.error:  # corrupt: treat as missing
        return None
