"""What is kept of tables, read from the database and unsealed."""

import json
from functools import lru_cache
from sys import intern  # what is the same at thousands of tables is in memory once
from typing import Any

from souk.table.database import Line
from souk.table.sealing import Seal, Unsealable
from souk.table.store import Bookmark, CoachNote, DiceStep, EventRow, OfTable, SeatRow, Snapshot, Standing, TableRow

TABLE = (
    "id, game, rules, players, options, seed, digest, created, changed, over, actors, scores, winners, rematch, seen, "
    "opening, host, fill, free_talk, rated, public"
)
_SEAT = ", ".join(SeatRow._fields)


@lru_cache(maxsize=1000)
def _options(text: str) -> dict[str, Any]:
    """Nobody changes the options of a table, so those that are the same are shared."""
    options: dict[str, Any] = json.loads(text)
    return options


class TableReader:
    """Answers questions about tables. Unsealable where something was sealed with another key, or is damaged."""

    def __init__(self, connection: Line, seal: Seal) -> None:
        self._connection, self._seal = connection, seal

    def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        row = self._connection.execute(f"SELECT {TABLE} FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            return None
        seed = self._seal.unseal(row[5], "seed", table)
        over, *lists = row[9:13]
        standing = Standing(bool(over), *map(json.loads, lists))
        game, options, flags = intern(row[1]), _options(row[4]), map(bool, row[-3:])
        found = [row[0], game, *row[2:4], options, seed, *row[6:9], standing, *row[13:-3], *flags]
        return TableRow._make(found), self.seats(table)

    def seats(self, table: str) -> list[SeatRow]:
        asked = f'SELECT {_SEAT} FROM seats WHERE "table" = ? ORDER BY seat'
        rows = self._connection.execute(asked, (table,))
        return [SeatRow(seat, intern(kind), name, intern(level), *more) for seat, kind, name, level, *more in rows]

    def tables_of(self, player: bytes, most: int, after: Bookmark | None = None) -> list[OfTable]:
        values: tuple[object, ...] = (
            player,
            player,
            *((after.over, -after.changed, after.table) if after else ()),
            most,
        )
        beyond = "AND (over, -changed, id) > (?, ?, ?)" if after else ""
        asked = f"""SELECT id FROM tables WHERE id IN (SELECT "table" FROM seats WHERE player = ?)
            AND id NOT IN (SELECT "table" FROM hidden WHERE player = ?) {beyond} ORDER BY over, -changed, id LIMIT ?"""
        found = [self.table(row[0]) for row in self._connection.execute(asked, values).fetchall()]
        return [each for each in found if each]

    def events(self, table: str, after: int = -1) -> list[EventRow]:
        """Texts of secret choices are kept sealed, all others as they are."""
        asked = 'SELECT seq, kind, seat, text, told, sealed FROM events WHERE "table" = ? AND seq > ? ORDER BY seq'
        rows = self._connection.execute(asked, (table, after))
        return [EventRow(*row[:5]) if row[5] is None else self._unsealed(table, *row) for row in rows]

    def _unsealed(self, table: str, seq: int, kind: str, seat: int, _text: str, told: bytes, sealed: bytes) -> EventRow:
        return EventRow(seq, kind, seat, self._seal.unseal(sealed, "event", table, seq).decode(), told, secret=True)

    def steps(self, table: str) -> list[DiceStep]:
        """Shares that were told are kept sealed, all else as it is."""
        asked = 'SELECT step, kind, seat, value, sealed FROM dice WHERE "table" = ? ORDER BY step'
        rows = self._connection.execute(asked, (table,))
        return [DiceStep(*row[:4]) if row[4] is None else self._unsealed_step(table, *row) for row in rows]

    def _unsealed_step(self, table: str, step: int, kind: str, seat: int, _value: str, sealed: bytes) -> DiceStep:
        return DiceStep(step, kind, seat, self._seal.unseal(sealed, "step", table, step).decode())

    def notes(self, table: str) -> list[CoachNote]:
        asked = 'SELECT number, kind, seat, after FROM coaching WHERE "table" = ? ORDER BY number'
        return [CoachNote(*row) for row in self._connection.execute(asked, (table,))]

    def lacks_words(self, table: str) -> bool:
        asked = 'SELECT length(told) = 0 FROM events WHERE "table" = ? ORDER BY seq LIMIT 1'
        return (found := self._connection.execute(asked, (table,)).fetchone()) is not None and bool(found[0])

    def snapshot(self, table: str) -> Snapshot | None:
        asked = 'SELECT seq, rules, content FROM snapshots WHERE "table" = ?'
        row = self._connection.execute(asked, (table,)).fetchone()
        if row is None:
            return None
        seq, rules, content = row
        try:
            return Snapshot(seq, rules, self._seal.unseal(content, "snapshot", table, seq, rules))
        except Unsealable:
            return None
