"""Tables kept in a file of SQLite: one thread writes, one reads."""

import asyncio
import json
import shutil
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from souk.table.chores import size_of
from souk.table.life_rows import seat_statement
from souk.table.reading import TABLE, TableReader
from souk.table.schema import connect, open_file
from souk.table.store import (
    Bookmark,
    Change,
    CoachNote,
    DiceStep,
    EventRow,
    NotKept,
    OfTable,
    SeatRow,
    Snapshot,
    Standing,
    Statement,
    TableRow,
)
from souk.table.writing import Writer, Written

_LEAST_FREE = 16 << 20  # bytes on the disk, below which nothing more should be begun
_SECONDS_TO_WRITE = 2.0  # after which a server counts as not ready

_ADD_EVENTS = "INSERT INTO events VALUES {rows}"
_ADD_EVENT = _ADD_EVENTS.format(rows="(?, ?, ?, ?, ?, ?, ?)")
_STANDING = ("changed", "over", "actors", "scores", "winners")
_CHANGE_STANDING = f"UPDATE tables SET {', '.join(f'{name} = ?' for name in _STANDING)} WHERE id = ?"
_CHANGE_STANDINGS = (
    f"UPDATE tables SET {', '.join(f'{name} = new.column{number}' for number, name in enumerate(_STANDING, 1))} "
    "FROM (VALUES {rows}) AS new WHERE id = new.column6"
)

T = TypeVar("T")
encode = msgspec.json.Encoder().encode


class SqliteStore:
    """A file of SQLite. `key`: the file with the key to what is secret in it; "key" beside it where none is named."""

    def __init__(self, path: Path, key: Path | None = None, written: Written = lambda _seconds, _kept: None) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        connection, self.seal = open_file(path, key or path.with_name("key"))
        self._writer = Writer(connection, written)
        self._reading = ThreadPoolExecutor(1, "reading")
        self._open = connect(path)
        self._reader = TableReader(self._open, self.seal)

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
        statements = [Statement(f"INSERT INTO tables ({TABLE}) VALUES ({_marks(len(row))})", row)]
        statements += [Statement(f"INSERT INTO seats VALUES ({_marks(11)})", (table.id, *seat)) for seat in seats]
        if after:
            change = "UPDATE tables SET rematch = ? WHERE id = ? AND rematch = ''"
            statements.append(Statement(change, (table.id, after), certain=True))
        statements += self._step_statements(table.id, steps)
        await self._writer.write([*statements, *self._event_statements(table.id, events, table.created), *also])

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
        statements = [*self._step_statements(table, steps), *self._event_statements(table, events, now)]
        statements.append(
            Statement(_CHANGE_STANDING, (now, *_standing_texts(standing), table), True, _CHANGE_STANDINGS)
        )
        statements += [self._snapshot_statement(table, snapshot)] if snapshot else []
        await self._writer.write([*statements, *also])

    async def add_note(self, table: str, note: CoachNote) -> None:
        change = "INSERT INTO coaching SELECT ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"
        await self._writer.write([Statement(change, (table, *note, table), certain=True)])

    async def keep_snapshot(self, table: str, snapshot: Snapshot) -> None:
        await self._writer.write([self._snapshot_statement(table, snapshot)])

    def _event_statements(self, table: str, events: Sequence[EventRow], now: float) -> list[Statement]:
        """Texts of secret choices are kept as sealed bytes, all others as they are."""
        texts = [
            self.seal.seal(each.text.encode(), "event", table, each.seq) if each.secret else each.text
            for each in events
        ]
        return [
            Statement(_ADD_EVENT, (table, *each[:3], text, each.told, now), many=_ADD_EVENTS)
            for each, text in zip(events, texts, strict=True)
        ]

    def _step_statements(self, table: str, steps: Sequence[DiceStep]) -> list[Statement]:
        """A share that was told is sealed: together with the server's it would give the dice away."""
        values = [
            self.seal.seal(each.value.encode(), "step", table, each.step) if each.kind == "opens" else each.value
            for each in steps
        ]
        return [
            Statement(f"INSERT INTO dice VALUES ({_marks(5)})", (table, *each[:3], value))
            for each, value in zip(steps, values, strict=True)
        ]

    def _snapshot_statement(self, table: str, snapshot: Snapshot) -> Statement:
        content = self.seal.seal(snapshot.content, "snapshot", table, snapshot.seq, snapshot.rules)
        change = "INSERT OR REPLACE INTO snapshots SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"
        return Statement(change, (table, snapshot.seq, snapshot.rules, content, table))

    async def retell(self, table: str, events: Sequence[EventRow]) -> None:
        change = 'UPDATE events SET told = ? WHERE "table" = ? AND seq = ?'
        await self._writer.write([Statement(change, (event.told, table, event.seq)) for event in events])

    async def add_steps(self, table: str, steps: Sequence[DiceStep]) -> None:
        await self._writer.write(self._step_statements(table, steps))

    async def change_seats(
        self,
        table: str,
        changes: Sequence[tuple[SeatRow, SeatRow]],
        steps: Sequence[DiceStep] = (),
        also: Sequence[Statement] = (),
    ) -> None:
        changed = [seat_statement(table, known, seat) for known, seat in changes]
        await self._writer.write([*changed, *self._step_statements(table, steps), *also])

    async def saw(self, table: str) -> None:
        await self._writer.write(
            [Statement("UPDATE tables SET seen = ? WHERE id = ?", (time.time(), table), certain=True)]
        )

    async def carry_out(self, chore: Sequence[Statement]) -> None:
        await self._writer.write(chore)

    async def try_out(self) -> None:
        if not self._writer.is_alive():
            raise NotKept("nobody writes")
        if shutil.disk_usage(self._path.parent).free < _LEAST_FREE:
            raise NotKept("the disk is full")
        await asyncio.wait_for(
            self._writer.write([Statement("UPDATE tables SET changed = changed WHERE id = ''")]), _SECONDS_TO_WRITE
        )
        await asyncio.wait_for(self.table(""), _SECONDS_TO_WRITE)

    # ------------------------------------------------------------ reading

    async def ask(self, question: Callable[..., T], *arguments: Any) -> T:
        return await self._read(question, self._open, *arguments)

    async def size(self) -> int:
        return await self.ask(size_of)

    async def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        return await self._read(self._reader.table, table)

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        return await self._read(self._reader.events, table, after)

    async def lacks_words(self, table: str) -> bool:
        return await self._read(self._reader.lacks_words, table)

    async def snapshot(self, table: str) -> Snapshot | None:
        return await self._read(self._reader.snapshot, table)

    async def steps(self, table: str) -> list[DiceStep]:
        return await self._read(self._reader.steps, table)

    async def notes(self, table: str) -> list[CoachNote]:
        return await self._read(self._reader.notes, table)

    async def tables_of(self, player: bytes, most: int, after: Bookmark | None = None) -> list[OfTable]:
        return await self._read(self._reader.tables_of, player, most, after)

    async def _read(self, question: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, question, *arguments)

    async def close(self) -> None:
        """Finish what is waiting, and close the file."""
        await asyncio.to_thread(self._writer.close)
        self._reading.shutdown()
        self._open.close()


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _standing_texts(standing: Standing) -> tuple[int, str, str, str]:
    actors, scores, winners = (encode(each).decode() for each in standing[1:])
    return int(standing.over), actors, scores, winners
