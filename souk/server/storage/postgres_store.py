"""The store in PostgreSQL: one thread writes, several read, and all survive a database restart."""

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

import psycopg

from souk.server.common.shutdown import run_in_new_thread
from souk.server.storage.connection import Connection
from souk.server.storage.errors import NotReady, ReadFailed
from souk.server.storage.postgres_connection import PostgresConnection, reason
from souk.server.storage.postgres_schema import open_database
from souk.server.storage.postgres_writer import OnChanged, PostgresWriter
from souk.server.storage.rows import Change, Statement
from souk.server.storage.store import Store
from souk.server.storage.writer import OnWritten

_RETRY_INTERVAL = 0.1

T = TypeVar("T")


class PostgresStore(Store):
    """A PostgreSQL database.

    Args:
        timeout: seconds that a write or query waits for a database that does not answer.
        readers: connections for reading.
    """

    def __init__(
        self,
        address: str,
        key: Path,
        on_written: OnWritten = lambda _seconds, _committed: None,
        timeout: float = 5.0,
        readers: int = 4,
        on_changed: OnChanged = lambda _tables, _events: None,
    ) -> None:
        self._address, self._timeout = address, timeout
        self.cipher = open_database(address, key)
        self._writer = PostgresWriter(address, on_written, timeout, on_changed)
        self._reading = ThreadPoolExecutor(readers, "reading")
        self._idle: list[PostgresConnection] = []  # connections for reading

    def _write(self, changes: Sequence[Change], table: str = "") -> "asyncio.Future[None]":
        return self._writer.write(changes, table)

    async def query(self, question: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._reading, self._query, question, arguments)

    def _query(self, question: Callable[..., T], arguments: tuple[Any, ...]) -> T:
        """Run a query in a reader thread, again over a new connection if one is lost."""
        deadline = time.monotonic() + self._timeout
        while True:
            connection: PostgresConnection | None = None
            try:
                connection = self._idle.pop() if self._idle else PostgresConnection(self._address)
                return question(connection, *arguments)
            except psycopg.Error as error:
                if (connection and not connection.is_lost) or time.monotonic() >= deadline:
                    raise ReadFailed(reason(error)) from error
                time.sleep(_RETRY_INTERVAL if connection is None else 0.0)
            finally:
                if connection and not connection.is_lost:
                    self._idle.append(connection)

    async def size(self) -> int:
        return await self.query(size_of_database)

    async def shrink(self) -> bool:
        """PostgreSQL's autovacuum does this."""
        return False

    async def check_health(self) -> None:
        if not self._writer.is_alive():
            raise NotReady("the writer thread has died")
        probe = Statement("UPDATE tables SET changed = changed WHERE id = ''")
        await asyncio.wait_for(self._write([probe]), 2 * self._timeout)
        await asyncio.wait_for(self.table(""), 2 * self._timeout)

    async def close(self) -> None:
        """Finish pending writes and disconnect."""
        await run_in_new_thread(self._writer.close)
        await run_in_new_thread(partial(self._reading.shutdown, cancel_futures=True))
        for connection in self._idle:
            connection.close()


def size_of_database(connection: Connection) -> int:
    """Bytes of all tables in our schema."""
    query = """SELECT coalesce(sum(pg_total_relation_size(oid)), 0) FROM pg_class
        WHERE relkind = 'r' AND relnamespace = current_schema()::regnamespace"""
    [(size,)] = connection.execute(query)
    return int(size)
