"""The store: what both databases share.

Implemented by `souk.server.storage.sqlite_store` and `souk.server.storage.postgres_store`.
"""

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec

from souk.server.storage.connection import Connection, placeholders
from souk.server.storage.encryption import Cipher
from souk.server.storage.rows import (
    Change,
    CoachNote,
    DiceStep,
    EventRow,
    SeatRow,
    Snapshot,
    Standing,
    Statement,
    TableRow,
    TableVersion,
    TableWithSeats,
    lock_table,
    update_seat,
)
from souk.server.storage.table_reader import TABLE_COLUMNS, TableReader

T = TypeVar("T")
P = ParamSpec("P")
_encode = msgspec.json.Encoder().encode
INSERT_EVENT = (
    'INSERT INTO events ("table", seq, kind, seat, text, sealed, told, at) '
    f"VALUES ({placeholders(8)})"
)
UPDATE_STANDING = (
    "UPDATE tables SET changed = ?, over = ?, actors = ?, scores = ?, winners = ? WHERE id = ?"
)
_INSERT_STEP = (
    f'INSERT INTO dice ("table", step, kind, seat, value, sealed) VALUES ({placeholders(6)})'
)
_UPSERT_SNAPSHOT = """INSERT INTO snapshots
    SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)
    ON CONFLICT ("table") DO UPDATE
    SET seq = excluded.seq, rules = excluded.rules, content = excluded.content"""


class Store(ABC):
    """A database. Writes return once they are on disk, and raise `WriteFailed` otherwise."""

    cipher: Cipher

    @abstractmethod
    def _write(self, changes: Sequence[Change], table: str = "") -> Awaitable[None]:
        """Commit changes in one transaction."""

    @abstractmethod
    async def query(self, question: Callable[..., T], *arguments: Any) -> T:
        """Call a function with a connection for reading."""

    @abstractmethod
    async def close(self) -> None:
        """Finish pending writes and disconnect."""

    async def size(self) -> int:
        """Bytes in use."""
        raise NotImplementedError

    async def shrink(self) -> bool:
        """Give some free space back to the disk; returns whether there is more."""
        raise NotImplementedError

    async def check_health(self) -> None:
        """Write and read something; raises NotReady or another StoreFailure."""
        raise NotImplementedError

    # ------------------------------------------------------------ writing

    async def add_table(
        self,
        table: TableRow,
        seats: Sequence[SeatRow],
        events: Sequence[EventRow],
        after: str = "",
        steps: Sequence[DiceStep] = (),
        also: Sequence[Statement] = (),
    ) -> None:
        """Add a table.

        Args:
            after: the table that this one is a rematch of; WriteConflict if it has one already.
            also: further statements for the same transaction, here and below.
        """
        seed = self.cipher.encrypt(table.seed, "seed", table.id)
        row = (
            *table[:4],
            json.dumps(table.options),
            seed,
            *table[6:9],
            *_standing_columns(table.standing),
            table.rematch,
            table.seen,
            table.opening,
            table.host,
            table.fill,
            table.free_talk,
            table.rated,
            table.public,
        )
        insert = f"INSERT INTO tables ({TABLE_COLUMNS}) VALUES ({placeholders(len(row))})"
        statements = [Statement(insert, row)]
        insert = f"INSERT INTO seats VALUES ({placeholders(11)})"
        statements += [Statement(insert, (table.id, *seat)) for seat in seats]
        if after:
            update = "UPDATE tables SET rematch = ? WHERE id = ? AND rematch = ''"
            statements.append(Statement(update, (table.id, after), exactly_one=True))
        statements += self._step_statements(table.id, steps)
        await self._write(
            [*statements, *self._event_statements(table.id, events, table.created), *also],
            after or table.id,
        )

    async def add_events(
        self,
        table: str,
        events: Sequence[EventRow],
        standing: Standing,
        snapshot: Snapshot | None = None,
        steps: Sequence[DiceStep] = (),
        also: Sequence[Change] = (),
    ) -> None:
        now = time.time()
        statements = self._event_statements(table, events, now)
        if steps:
            statements = [*self._step_statements(table, steps), *statements]
        values = (now, *_standing_columns(standing), table)
        statements.append(Statement(UPDATE_STANDING, values, exactly_one=True))
        statements += [self._snapshot_statement(table, snapshot)] if snapshot else []
        await self._write([*statements, *also], table)

    async def add_note(self, table: str, note: CoachNote) -> None:
        insert = """INSERT INTO coaching
            SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"""
        await self._write([Statement(insert, (table, *note, table), exactly_one=True)], table)

    async def save_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._write([self._snapshot_statement(table, snapshot)], table)

    def _event_statements(
        self, table: str, events: Sequence[EventRow], now: float
    ) -> list[Statement]:
        """Inserts of events, with the texts of secret ones encrypted."""
        statements = []
        for event in events:
            text, sealed = event.text, None
            if event.secret:
                text, sealed = "", self.cipher.encrypt(text.encode(), "event", table, event.seq)
            values = (table, *event[:3], text, sealed, event.told, now)
            statements.append(Statement(INSERT_EVENT, values))
        return statements

    def _step_statements(self, table: str, steps: Sequence[DiceStep]) -> list[Statement]:
        """Inserts of dice steps, with shares encrypted: all together they give the seed away."""
        statements = []
        for step in steps:
            value, sealed = step.value, None
            if step.kind == "opens":
                value, sealed = "", self.cipher.encrypt(value.encode(), "step", table, step.step)
            statements.append(Statement(_INSERT_STEP, (table, *step[:3], value, sealed)))
        return statements

    def _snapshot_statement(self, table: str, snapshot: Snapshot) -> Statement:
        seq, rules, content = snapshot
        sealed = self.cipher.encrypt(content, "snapshot", table, seq, rules)
        return Statement(_UPSERT_SNAPSHOT, (table, seq, rules, sealed, table))

    async def add_steps(self, table: str, steps: Sequence[DiceStep]) -> None:
        await self._write([lock_table(table), *self._step_statements(table, steps)], table)

    async def change_seats(
        self,
        table: str,
        changes: Sequence[tuple[SeatRow, SeatRow]],
        steps: Sequence[DiceStep] = (),
        also: Sequence[Statement] = (),
    ) -> None:
        """Replace seats (old, new), all or none; WriteConflict if an old one is out of date."""
        updates = [update_seat(table, old, new) for old, new in changes]
        await self._write(
            [lock_table(table), *updates, *self._step_statements(table, steps), *also], table
        )

    async def mark_seen(self, table: str) -> None:
        """Note that a table was opened; WriteConflict if it no longer exists."""
        update = "UPDATE tables SET seen = ? WHERE id = ?"
        await self._write([Statement(update, (time.time(), table), exactly_one=True)], table)

    async def write(self, statements: Sequence[Statement], table: str = "") -> None:
        """Execute statements in one transaction.

        Args:
            table: the table they change, if others may have it open.
        """
        await self._write(statements, table)

    # ------------------------------------------------------------ reading

    async def _read(
        self,
        question: Callable[Concatenate[TableReader, P], T],
        *arguments: P.args,
        **named: P.kwargs,
    ) -> T:
        def read(connection: Connection) -> T:
            return question(TableReader(connection, self.cipher), *arguments, **named)

        return await self.query(read)

    async def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        return await self._read(TableReader.table, table)

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        return await self._read(TableReader.events, table, after)

    async def snapshot(self, table: str) -> Snapshot | None:
        """The last snapshot, or None if there is none or it is damaged."""
        return await self._read(TableReader.snapshot, table)

    async def steps(self, table: str) -> list[DiceStep]:
        return await self._read(TableReader.steps, table)

    async def notes(self, table: str) -> list[CoachNote]:
        return await self._read(TableReader.notes, table)

    async def tables_of(
        self, player: bytes, most: int, after: TableVersion | None = None
    ) -> list[TableWithSeats]:
        """A player's tables: running ones, then finished ones, each latest first."""
        return await self._read(TableReader.tables_of, player, most, after)


def _standing_columns(standing: Standing) -> tuple[bool, str, str, str]:
    actors, scores, winners = (_encode(numbers).decode() for numbers in standing[1:])
    return standing.over, actors, scores, winners
