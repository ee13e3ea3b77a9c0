"""The store in a SQLite file: one thread writes, one reads."""

import asyncio
import shutil
import sqlite3
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, TypeVar

from souk.server.common.shutdown import run_in_new_thread
from souk.server.storage.errors import NotReady, ReadFailed
from souk.server.storage.open_files import OpenFiles
from souk.server.storage.rows import Change, Statement
from souk.server.storage.sqlite_schema import connect, open_file, size_of
from souk.server.storage.sqlite_writer import SqliteWriter
from souk.server.storage.store import Store
from souk.server.storage.writer import OnWritten

_MIN_FREE_BYTES = 16 << 20  # on the disk: below this the server is not ready
_HEALTH_TIMEOUT = 2.0
_PAGES_TO_SHRINK = 64  # given back to the disk at a time

# A different value each time: SQLite writes nothing for an unchanged row.
_PROBE = (
    "INSERT INTO counts VALUES ('probe', ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)

T = TypeVar("T")


class SqliteStore(Store):
    """A SQLite file.

    Args:
        key: file with the encryption key; by default "key" beside the database.
    """

    def __init__(
        self,
        path: Path,
        key: Path | None = None,
        on_written: OnWritten = lambda _seconds, _committed: None,
    ) -> None:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        self._path = path
        connection, self.cipher = open_file(path, key or path.with_name("key"))
        self._reader = connect(path)
        self._writer = SqliteWriter(connection, OpenFiles(path), on_written)
        self._reading = ThreadPoolExecutor(1, "reading")

    def _write(self, changes: Sequence[Change], table: str = "") -> "asyncio.Future[None]":
        return self._writer.write(changes, table)

    async def query(self, question: Callable[..., T], *arguments: Any) -> T:
        loop = asyncio.get_running_loop()
        try:
            return await loop.run_in_executor(self._reading, question, self._reader, *arguments)
        except sqlite3.Error as error:
            raise ReadFailed(str(error)) from error

    async def size(self) -> int:
        return await self.query(size_of)

    async def shrink(self) -> bool:
        free = await self.query(_free_pages)
        if free:
            # Python's sqlite3 steps the statement once, which frees one page whatever it names.
            await self._write([Statement("PRAGMA incremental_vacuum(1)")] * _PAGES_TO_SHRINK)
        return 0 < await self.query(_free_pages) < free if free else False

    async def check_health(self) -> None:
        if not self._writer.is_alive():
            raise NotReady("the writer thread has died")
        if shutil.disk_usage(self._path.parent).free < _MIN_FREE_BYTES:
            raise NotReady("the disk is full")
        await asyncio.wait_for(self._write([Statement(_PROBE, (time.time(),))]), _HEALTH_TIMEOUT)
        await asyncio.wait_for(self.table(""), _HEALTH_TIMEOUT)

    async def close(self) -> None:
        """Finish pending writes and close the file."""
        await run_in_new_thread(self._writer.close)
        await run_in_new_thread(partial(self._reading.shutdown, cancel_futures=True))
        self._reader.close()


def _free_pages(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA freelist_count").fetchone()[0])
