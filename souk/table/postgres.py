"""Tables kept in PostgreSQL: one thread writes, several read, and all of them survive a restart of the database."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from souk.table.database import Line
from souk.table.postgres_line import PostgresLine, reason
from souk.table.postgres_schema import open_house
from souk.table.postgres_writing import Changed, PostgresWriter
from souk.table.sql_store import SqlStore
from souk.table.store import Change, NotKept, Statement, Unanswered
from souk.table.writing import Written

_SECONDS_BETWEEN_TRIES = 0.1

T = TypeVar("T")


class PostgresStore(SqlStore):
    """A house in PostgreSQL, by its address. `patience`: seconds that a write or a question waits for a database that does not answer."""

    def __init__(
        self,
        address: str,
        key: Path,
        written: Written = lambda _seconds, _kept: None,
        patience: float = 5.0,
        readers: int = 4,
        changed: Changed = lambda _tables, _events: None,
    ) -> None:
        self._address, self._patience = address, patience
        self.seal = open_house(address, key)
        self._writer = PostgresWriter(address, written, patience, changed)
        self._reading = ThreadPoolExecutor(readers, "reading")
        self._lines: list[PostgresLine] = []  # that nobody reads from at the moment

    def _write(self, changes: Sequence[Change], table: str = "") -> "asyncio.Future[None]":
        return self._writer.write(changes, table)

    async def ask(self, question: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, self._asked, question, arguments)

    def _asked(self, question: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        """In a thread that reads. Where the line breaks it is asked again over another: a question changes nothing."""
        until = time.monotonic() + self._patience
        while True:
            line: PostgresLine | None = None
            try:
                line = self._lines.pop() if self._lines else PostgresLine(self._address)
                return question(line, *arguments)
            except psycopg.Error as error:
                if (line and not line.is_lost) or time.monotonic() >= until:
                    raise Unanswered(reason(error)) from error
                time.sleep(_SECONDS_BETWEEN_TRIES if line is None else 0.0)
            finally:
                if line and not line.is_lost:
                    self._lines.append(line)

    async def size(self) -> int:
        return await self.ask(size_of_house)

    async def shrink(self) -> bool:
        """PostgreSQL sees to that itself."""
        return False

    async def try_out(self) -> None:
        if not self._writer.is_alive():
            raise NotKept("nobody writes")
        nothing = Statement("UPDATE tables SET changed = changed WHERE id = ''")
        await asyncio.wait_for(self._write([nothing]), 2 * self._patience)
        await asyncio.wait_for(self.table(""), 2 * self._patience)

    async def close(self) -> None:
        """Finish what is waiting, and hang up."""
        await asyncio.to_thread(self._writer.close)
        self._reading.shutdown()
        for line in self._lines:
            line.close()


def size_of_house(connection: Line) -> int:
    """Bytes that the house takes in the database."""
    asked = """SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"""
    [(size,)] = connection.execute(asked)
    return int(size)
