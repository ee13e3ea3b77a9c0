"""Tables kept in a file of SQLite: one thread writes, one reads."""

import asyncio
import shutil
import sqlite3
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar

from souk.table.file_writing import FileWriter
from souk.table.schema import connect, open_file, size_of
from souk.table.sql_store import SqlStore
from souk.table.store import Change, NotKept, Statement, Unanswered
from souk.table.writing import Written

_LEAST_FREE = 16 << 20  # bytes on the disk, below which nothing more should be begun
_SECONDS_TO_WRITE = 2.0  # after which a server counts as not ready
_PAGES = 64  # of the file that are given back to the disk at a time

T = TypeVar("T")


class SqliteStore(SqlStore):
    """A file of SQLite. `key`: the file with the key to what is secret in it; "key" beside it where none is named."""

    def __init__(self, path: Path, key: Path | None = None, written: Written = lambda _seconds, _kept: None) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        connection, self.seal = open_file(path, key or path.with_name("key"))
        self._writer = FileWriter(connection, written)
        self._reading = ThreadPoolExecutor(1, "reading")
        self._open = connect(path)

    def _write(self, changes: Sequence[Change], table: str = "") -> "asyncio.Future[None]":
        return self._writer.write(changes, table)

    async def ask(self, question: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reading, question, self._open, *arguments)
        except sqlite3.Error as error:
            raise Unanswered(str(error)) from error

    async def size(self) -> int:
        return await self.ask(size_of)

    async def shrink(self) -> bool:
        free = await self.ask(_free_pages)
        if free:
            # However many are asked for, Python's sqlite3 goes one step, and that is one page.
            await self._write([Statement("PRAGMA incremental_vacuum(1)")] * _PAGES)
        return 0 < await self.ask(_free_pages) < free if free else False

    async def try_out(self) -> None:
        if not self._writer.is_alive():
            raise NotKept("nobody writes")
        if shutil.disk_usage(self._path.parent).free < _LEAST_FREE:
            raise NotKept("the disk is full")
        nothing = Statement("UPDATE tables SET changed = changed WHERE id = ''")
        await asyncio.wait_for(self._write([nothing]), _SECONDS_TO_WRITE)
        await asyncio.wait_for(self.table(""), _SECONDS_TO_WRITE)

    async def close(self) -> None:
        """Finish what is waiting, and close the file."""
        await asyncio.to_thread(self._writer.close)
        self._reading.shutdown()
        self._open.close()


def _free_pages(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA freelist_count").fetchone()[0])
