"""Reads tables from the database and decrypts them."""

import json
from functools import lru_cache

# Equal strings of thousands of tables share one object.
from sys import intern
from typing import Any

from souk.server.storage.connection import Connection
from souk.server.storage.encryption import Cipher, DecryptionFailed
from souk.server.storage.rows import (
    CoachNote,
    DiceStep,
    EventRow,
    SeatRow,
    Snapshot,
    Standing,
    TableRow,
    TableVersion,
    TableWithSeats,
)

TABLE_COLUMNS = (
    "id, game, rules, players, options, seed, digest, created, changed, over, actors, scores, "
    "winners, rematch, seen, opening, host, fill, free_talk, rated, public"
)
_SEAT_COLUMNS = ", ".join(SeatRow._fields)


@lru_cache(maxsize=1000)
def _options(text: str) -> dict[str, Any]:
    """The options of a table. They never change, so equal ones share one object."""
    options: dict[str, Any] = json.loads(text)
    return options


class TableReader:
    """Queries about tables; DecryptionFailed if a row is damaged or the key is wrong."""

    def __init__(self, connection: Connection, cipher: Cipher) -> None:
        self._connection, self._cipher = connection, cipher

    def table(self, table: str) -> TableWithSeats | None:
        row = self._connection.execute(
            f"SELECT {TABLE_COLUMNS} FROM tables WHERE id = ?", (table,)
        ).fetchone()
        if row is None:
            return None
        seed = self._cipher.decrypt(row[5], "seed", table)
        over, *lists = row[9:13]
        standing = Standing(bool(over), *map(json.loads, lists))
        game, options, flags = intern(row[1]), _options(row[4]), map(bool, row[-3:])
        fields = [row[0], game, *row[2:4], options, seed, *row[6:9], standing, *row[13:-3], *flags]
        return TableRow._make(fields), self.seats(table)

    def seats(self, table: str) -> list[SeatRow]:
        query = f'SELECT {_SEAT_COLUMNS} FROM seats WHERE "table" = ? ORDER BY seat'
        rows = self._connection.execute(query, (table,))
        return [
            SeatRow(seat, intern(kind), name, intern(level), *more)
            for seat, kind, name, level, *more in rows
        ]

    def tables_of(
        self, player: bytes, most: int, after: TableVersion | None = None
    ) -> list[TableWithSeats]:
        values: tuple[object, ...] = (
            player,
            player,
            *((after.over, -after.changed, after.table) if after else ()),
            most,
        )
        beyond = "AND (over, -changed, id) > (?, ?, ?)" if after else ""
        query = f"""SELECT id FROM tables
            WHERE id IN (SELECT "table" FROM seats WHERE player = ?)
            AND id NOT IN (SELECT "table" FROM hidden WHERE player = ?) {beyond}
            ORDER BY over, -changed, id LIMIT ?"""
        rows = self._connection.execute(query, values).fetchall()
        tables = [self.table(row[0]) for row in rows]
        return [table for table in tables if table]

    def events(self, table: str, after: int = -1) -> list[EventRow]:
        query = """SELECT seq, kind, seat, text, told, sealed FROM events
            WHERE "table" = ? AND seq > ? ORDER BY seq"""
        rows = self._connection.execute(query, (table, after))
        return [
            EventRow(*row[:5]) if row[5] is None else self._secret_event(table, *row)
            for row in rows
        ]

    def _secret_event(
        self, table: str, seq: int, kind: str, seat: int, _text: str, told: bytes, sealed: bytes
    ) -> EventRow:
        text = self._cipher.decrypt(sealed, "event", table, seq).decode()
        return EventRow(seq, kind, seat, text, told, secret=True)

    def steps(self, table: str) -> list[DiceStep]:
        query = 'SELECT step, kind, seat, value, sealed FROM dice WHERE "table" = ? ORDER BY step'
        rows = self._connection.execute(query, (table,))
        return [
            DiceStep(*row[:4]) if row[4] is None else self._secret_step(table, *row) for row in rows
        ]

    def _secret_step(
        self, table: str, step: int, kind: str, seat: int, _value: str, sealed: bytes
    ) -> DiceStep:
        return DiceStep(
            step, kind, seat, self._cipher.decrypt(sealed, "step", table, step).decode()
        )

    def notes(self, table: str) -> list[CoachNote]:
        query = 'SELECT number, kind, seat, after FROM coaching WHERE "table" = ? ORDER BY number'
        return [CoachNote(*row) for row in self._connection.execute(query, (table,))]

    def snapshot(self, table: str) -> Snapshot | None:
        query = 'SELECT seq, rules, content FROM snapshots WHERE "table" = ?'
        row = self._connection.execute(query, (table,)).fetchone()
        if row is None:
            return None
        seq, rules, sealed = row
        try:
            content = self._cipher.decrypt(sealed, "snapshot", table, seq, rules)
        except DecryptionFailed:
            return None
        return Snapshot(seq, rules, content)
