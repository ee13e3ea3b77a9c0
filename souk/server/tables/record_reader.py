"""Reads the records and results of stored games."""

import asyncio
from collections.abc import Sequence

from souk.core.facts import Fact
from souk.core.game_modules import Sources
from souk.core.record import Record
from souk.server.common.request_pool import RequestPool
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.storage.rows import SeatRow, TableRow
from souk.server.storage.store import Store
from souk.server.tables.game.old_games import OldGame, OldGameError
from souk.server.tables.game.records import Drawn, StoredGame, draws_of, record_of
from souk.server.tables.registry import TableRegistry
from souk.server.tables.table import Table


class RecordReader:
    """Builds records in the request pool."""

    def __init__(self, store: Store, tables: TableRegistry, pool: RequestPool) -> None:
        self._store, self._tables, self._pool = store, tables, pool

    async def record(self, table: Table, address: str) -> Record:
        """The public record of a game."""
        return await self._pool.run(address, record_of, await self._on_disk(table))

    async def record_text(self, name: str, address: str) -> tuple[str, str]:
        """The game's name and its record as text. Finished games and old rules read stored rows
        only.
        """
        row, seats = await self._row(name)
        if row.standing.over:
            return row.game, await self._pool.run(
                address, (await self._old_game(row, seats)).record
            )
        try:
            async with self._tables.at(name) as table:
                if not table.old:
                    return table.position.game.name, str(await self.record(table, address))
                old_game = await self._old_game(*await self._row(name))
                return table.position.game.name, old_game.record(table.state.hidden)
        except OldGameError as error:
            return error.game.row.game, await self._pool.run(address, error.game.record)

    async def _row(self, name: str) -> tuple[TableRow, Sequence[SeatRow]]:
        table_and_seats = await self._store.table(name)
        if table_and_seats is None:
            raise RequestRefused("table_unknown", 404)
        return table_and_seats

    async def _old_game(self, row: TableRow, seats: Sequence[SeatRow]) -> OldGame:
        store = self._store
        return OldGame(
            row,
            seats,
            await store.events(row.id),
            await store.steps(row.id),
            await store.notes(row.id),
        )

    async def result(self, table: Table) -> protocol.Result:
        return await asyncio.to_thread(_result, await self._on_disk(table))

    async def _on_disk(self, table: Table) -> StoredGame:
        """The stored game, read under the lock so that rows and memory agree."""
        async with table.lock:
            return StoredGame.of(table, await self._store.events(table.id))


def _result(stored: StoredGame) -> protocol.Result:
    facts: list[Fact] = []
    draws: list[Drawn] = []
    record = record_of(stored, facts.append, draws.append)
    return protocol.Result(_sources(record, facts), stored.dice, draws_of(stored, draws))


def _sources(record: Record, facts: Sequence[Fact]) -> Sources:
    """Where each player's points came from, including points a branch started with."""
    sources = record.game.facts.sources(record.start, facts)
    initial = [
        score - sum(seat_sources.values())
        for seat_sources, score in zip(sources, record.position.scores, strict=True)
    ]
    if not record.begins_elsewhere or not any(initial):
        return sources
    return [
        {"before": points} | seat_sources
        for seat_sources, points in zip(sources, initial, strict=True)
    ]
