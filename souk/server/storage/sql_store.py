"""What every store does alike, whatever database it has: the changes that are written, and the questions that are asked."""

import json
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Concatenate, ParamSpec, TypeVar

import msgspec

from souk.table.database import Line, marks
from souk.table.life_rows import seat_statement
from souk.table.reading import TABLE, TableReader
from souk.table.sealing import Seal
from souk.table.store import (
    Bookmark,
    Change,
    CoachNote,
    DiceStep,
    EventRow,
    OfTable,
    SeatRow,
    Snapshot,
    Standing,
    Statement,
    TableRow,
    holding,
)

T = TypeVar("T")
P = ParamSpec("P")
_encode = msgspec.json.Encoder().encode
ADDING_EVENT = f'INSERT INTO events ("table", seq, kind, seat, text, sealed, told, at) VALUES ({marks(8)})'
CHANGING_STANDING = "UPDATE tables SET changed = ?, over = ?, actors = ?, scores = ?, winners = ? WHERE id = ?"
_STEP = f'INSERT INTO dice ("table", step, kind, seat, value, sealed) VALUES ({marks(6)})'
_SNAPSHOT = """INSERT INTO snapshots SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)
    ON CONFLICT ("table") DO UPDATE SET seq = excluded.seq, rules = excluded.rules, content = excluded.content"""


class SqlStore(ABC):
    """A store that is written to and read from with SQL."""

    seal: Seal

    @abstractmethod
    def _write(self, changes: Sequence[Change], table: str = "") -> Awaitable[None]:
        """All of it or nothing; done once it is on disk. `table`: the one that it is about."""

    @abstractmethod
    async def ask(self, question: Callable[..., T], *arguments: Any) -> T:
        """A question, which is given a connection."""

    @abstractmethod
    async def close(self) -> None:
        """Finish what is waiting, and let go of the database."""

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
        seed = self.seal.seal(table.seed, "seed", table.id)
        row = (
            *table[:4],
            json.dumps(table.options),
            seed,
            *table[6:9],
            *_standing_texts(table.standing),
            table.rematch,
            table.seen,
            table.opening,
            table.host,
            table.fill,
            table.free_talk,
            table.rated,
            table.public,
        )
        statements = [Statement(f"INSERT INTO tables ({TABLE}) VALUES ({marks(len(row))})", row)]
        statements += [Statement(f"INSERT INTO seats VALUES ({marks(11)})", (table.id, *seat)) for seat in seats]
        if after:
            change = "UPDATE tables SET rematch = ? WHERE id = ? AND rematch = ''"
            statements.append(Statement(change, (table.id, after), certain=True))
        statements += self._step_statements(table.id, steps)
        await self._write(
            [*statements, *self._event_statements(table.id, events, table.created), *also], after or table.id
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
        statements.append(Statement(CHANGING_STANDING, (now, *_standing_texts(standing), table), certain=True))
        statements += [self._snapshot_statement(table, snapshot)] if snapshot else []
        await self._write([*statements, *also], table)

    async def add_note(self, table: str, note: CoachNote) -> None:
        change = "INSERT INTO coaching SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"
        await self._write([Statement(change, (table, *note, table), certain=True)], table)

    async def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._write([self._snapshot_statement(table, snapshot)], table)

    def _event_statements(self, table: str, events: Sequence[EventRow], now: float) -> list[Statement]:
        """Texts of secret choices are kept sealed, all others as they are."""
        texts = [
            ("", self.seal.seal(each.text.encode(), "event", table, each.seq)) if each.secret else (each.text, None)
            for each in events
        ]
        return [
            Statement(ADDING_EVENT, (table, *each[:3], *text, each.told, now))
            for each, text in zip(events, texts, strict=True)
        ]

    def _step_statements(self, table: str, steps: Sequence[DiceStep]) -> list[Statement]:
        """A share that was told is sealed: together with the server's it would give the dice away."""
        values = [
            ("", self.seal.seal(each.value.encode(), "step", table, each.step))
            if each.kind == "opens"
            else (each.value, None)
            for each in steps
        ]
        return [Statement(_STEP, (table, *each[:3], *value)) for each, value in zip(steps, values, strict=True)]

    def _snapshot_statement(self, table: str, snapshot: Snapshot) -> Statement:
        content = self.seal.seal(snapshot.content, "snapshot", table, snapshot.seq, snapshot.rules)
        return Statement(_SNAPSHOT, (table, snapshot.seq, snapshot.rules, content, table))

    async def retell(self, table: str, events: Sequence[EventRow]) -> None:
        change = 'UPDATE events SET told = ? WHERE "table" = ? AND seq = ?'
        await self._write([Statement(change, (event.told, table, event.seq)) for event in events], table)

    async def add_steps(self, table: str, steps: Sequence[DiceStep]) -> None:
        await self._write([holding(table), *self._step_statements(table, steps)], table)

    async def change_seats(
        self,
        table: str,
        changes: Sequence[tuple[SeatRow, SeatRow]],
        steps: Sequence[DiceStep] = (),
        also: Sequence[Statement] = (),
    ) -> None:
        changed = [seat_statement(table, known, seat) for known, seat in changes]
        await self._write([holding(table), *changed, *self._step_statements(table, steps), *also], table)

    async def saw(self, table: str) -> None:
        change = "UPDATE tables SET seen = ? WHERE id = ?"
        await self._write([Statement(change, (time.time(), table), certain=True)], table)

    async def carry_out(self, chore: Sequence[Statement], table: str = "") -> None:
        await self._write(chore, table)

    # ------------------------------------------------------------ reading

    async def _read(
        self, question: Callable[Concatenate[TableReader, P], T], *arguments: P.args, **named: P.kwargs
    ) -> T:
        def asked(connection: Line) -> T:
            return question(TableReader(connection, self.seal), *arguments, **named)

        return await self.ask(asked)

    async def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        return await self._read(TableReader.table, table)

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        return await self._read(TableReader.events, table, after)

    async def lacks_words(self, table: str) -> bool:
        return await self._read(TableReader.lacks_words, table)

    async def snapshot(self, table: str) -> Snapshot | None:
        return await self._read(TableReader.snapshot, table)

    async def steps(self, table: str) -> list[DiceStep]:
        return await self._read(TableReader.steps, table)

    async def notes(self, table: str) -> list[CoachNote]:
        return await self._read(TableReader.notes, table)

    async def tables_of(self, player: bytes, most: int, after: Bookmark | None = None) -> list[OfTable]:
        return await self._read(TableReader.tables_of, player, most, after)


def _standing_texts(standing: Standing) -> tuple[bool, str, str, str]:
    actors, scores, winners = (_encode(each).decode() for each in standing[1:])
    return standing.over, actors, scores, winners
