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

from souk.table.schema import connect
from souk.table.store import DiceStep, EventRow, NotKept, SeatRow, Standing, TableRow
from souk.table.writing import Statement, Writer, Written

_LEAST_FREE = 16 << 20  # bytes on the disk, below which nothing more should be begun
_SECONDS_TO_WRITE = 2.0  # after which a server counts as not ready
_SEAT = "seat, kind, name, level, player, invitation, stand_in"  # in the order of SeatRow

T = TypeVar("T")
encode = msgspec.json.Encoder().encode


class SqliteStore:
    """A file of SQLite."""

    def __init__(self, path: Path, written: Written = lambda _seconds, _kept: None) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        self._writer = Writer(path, written)
        self._reading = ThreadPoolExecutor(1, "reading")
        self._reader = connect(path)

    # ------------------------------------------------------------ writing

    async def add_table(
        self,
        table: TableRow,
        seats: Sequence[SeatRow],
        events: Sequence[EventRow],
        after: str = "",
        steps: Sequence[DiceStep] = (),
    ) -> None:
        row = (*table[:4], json.dumps(table.options), *table[5:9], *_standing_texts(table.standing), table.rematch)
        statements = [Statement(f"INSERT INTO tables VALUES ({_marks(len(row))})", row)]
        statements += [Statement(f"INSERT INTO seats VALUES ({_marks(8)})", (table.id, *seat)) for seat in seats]
        if after:
            change = "UPDATE tables SET rematch = ? WHERE id = ? AND rematch = ''"
            statements.append(Statement(change, (table.id, after), certain=True))
        statements += _step_statements(table.id, steps)
        await self._writer.write([*statements, *_event_statements(table.id, events, table.created)])

    async def add_events(
        self, table: str, events: Sequence[EventRow], standing: Standing, steps: Sequence[DiceStep] = ()
    ) -> None:
        now = time.time()
        change = "UPDATE tables SET changed = ?, over = ?, actors = ?, scores = ?, winners = ? WHERE id = ?"
        statements = [*_step_statements(table, steps), *_event_statements(table, events, now)]
        await self._writer.write([*statements, Statement(change, (now, *_standing_texts(standing), table))])

    async def retell(self, table: str, events: Sequence[EventRow]) -> None:
        change = 'UPDATE events SET told = ? WHERE "table" = ? AND seq = ?'
        await self._writer.write([Statement(change, (event.told, table, event.seq)) for event in events])

    async def add_steps(self, table: str, steps: Sequence[DiceStep]) -> None:
        await self._writer.write(_step_statements(table, steps))

    async def change_seat(self, table: str, known: SeatRow, seat: SeatRow, steps: Sequence[DiceStep] = ()) -> None:
        fields = ("kind", "name", "level", "player", "invitation", "stand_in")
        new, old = (
            f"{joint}".join(f"{field} {sign} ?" for field in fields) for joint, sign in ((", ", "="), (" AND ", "IS"))
        )
        change = f'UPDATE seats SET {new} WHERE "table" = ? AND seat = ? AND {old}'
        changed = Statement(change, (*seat[1:], table, seat.seat, *known[1:]), certain=True)
        await self._writer.write([changed, *_step_statements(table, steps)])

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

    async def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        return await self._read(self._table, table)

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        asked = 'SELECT seq, kind, seat, text, told FROM events WHERE "table" = ? AND seq > ? ORDER BY seq'
        return await self._read(lambda: [EventRow(*row) for row in self._reader.execute(asked, (table, after))])

    async def steps(self, table: str) -> list[DiceStep]:
        asked = 'SELECT step, kind, seat, value FROM dice WHERE "table" = ? ORDER BY step'
        return await self._read(lambda: [DiceStep(*row) for row in self._reader.execute(asked, (table,))])

    async def tables_of(self, player: bytes, most: int) -> list[tuple[TableRow, list[SeatRow]]]:
        return await self._read(self._tables_of, player, most)

    def _tables_of(self, player: bytes, most: int) -> list[tuple[TableRow, list[SeatRow]]]:
        asked = 'SELECT DISTINCT id FROM tables JOIN seats ON seats."table" = id WHERE player = ? ORDER BY changed DESC LIMIT ?'
        found = [self._table(row[0]) for row in self._reader.execute(asked, (player, most)).fetchall()]
        return [each for each in found if each]

    def _table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None:
        row = self._reader.execute("SELECT * FROM tables WHERE id = ?", (table,)).fetchone()
        if row is None:
            return None
        over, *lists = row[9:13]
        standing = Standing(bool(over), *map(json.loads, lists))
        asked = f'SELECT {_SEAT} FROM seats WHERE "table" = ? ORDER BY seat'
        seats = [SeatRow(*each) for each in self._reader.execute(asked, (table,))]
        return TableRow._make([*row[:4], json.loads(row[4]), *row[5:9], standing, row[13]]), seats

    async def _read(self, question: Callable[..., T], *arguments: Any) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._reading, question, *arguments)

    async def close(self) -> None:
        """Finish what is waiting, and close the file."""
        await asyncio.to_thread(self._writer.close)
        self._reading.shutdown()
        self._reader.close()


def _marks(count: int) -> str:
    return ", ".join("?" * count)


def _event_statements(table: str, events: Sequence[EventRow], now: float) -> list[Statement]:
    return [Statement(f"INSERT INTO events VALUES ({_marks(7)})", (table, *event[:5], now)) for event in events]


def _step_statements(table: str, steps: Sequence[DiceStep]) -> list[Statement]:
    return [Statement(f"INSERT INTO dice VALUES ({_marks(5)})", (table, *step)) for step in steps]


def _standing_texts(standing: Standing) -> tuple[int, str, str, str]:
    actors, scores, winners = (encode(each).decode() for each in standing[1:])
    return int(standing.over), actors, scores, winners
