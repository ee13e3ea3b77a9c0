"""Store: group commit, isolated failures, and reading back what was written."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from souk.server.storage.errors import WriteConflict, WriteFailed
from souk.server.storage.rows import EventRow, SeatRow, Standing, Statement, TableRow
from souk.server.storage.sqlite_schema import SCHEMA_VERSION
from souk.server.storage.sqlite_store import SqliteStore
from souk.server.storage.sqlite_writer import MIN_INTERVAL
from souk.server.storage.store import Store
from souk.server.storage.writer import BUSY_BATCH, PendingWrite
from tests.server.support.databases import in_both, store_at

STANDING = Standing(False, [0], [30, 30], [])


def row(name: str) -> TableRow:
    now = time.time()
    return TableRow(
        name,
        "suleika",
        1,
        2,
        {"first": 0, "turn_at_end": False},
        b"s" * 32,
        "d" * 64,
        now,
        now,
        STANDING,
    )


SEATS = [SeatRow(0, "person", "Ann", player=b"ann"), SeatRow(1, "free", "", invitation=b"secret")]


def event(seq: int, text: str = "left") -> EventRow:
    return EventRow(seq, "move", 0, text, b'[["key",{}]]')


async def add_tables(store: Store, count: int) -> list[str]:
    names = [f"table-{number}" for number in range(count)]
    for name in names:
        await store.add_table(row(name), SEATS, [])
    return names


def with_store(path: Path, work: Callable[[Store], Awaitable[None]]) -> None:
    async def run() -> None:
        store = store_at(path)
        try:
            await work(store)
        finally:
            await store.close()

    asyncio.run(run())


@in_both
def test_what_is_kept_is_read_again(tmp_path: Path) -> None:
    made = row("a")

    async def write(store: Store) -> None:
        await store.add_table(made, SEATS, [event(0)])
        await store.add_events("a", [event(1, "3"), event(2)], Standing(True, [], [40, 20], [0]))
        await store.change_seats(
            "a", [(SEATS[1], SEATS[1]._replace(kind="person", name="Ben", player=b"ben"))]
        )
        await store.add_table(row("b"), SEATS, [], after="a")

    async def read(store: Store) -> None:
        stored = await store.table("a")
        assert stored is not None
        table, seats = stored
        assert table._replace(changed=made.changed) == made._replace(
            standing=Standing(True, [], [40, 20], [0]), rematch="b"
        )
        assert seats[1] == SeatRow(1, "person", "Ben", player=b"ben", invitation=b"secret")
        assert [event.text for event in await store.events("a", 0)] == ["3", "left"]
        assert [table.id for table, *_ in await store.tables_of(b"ben", 10)] == ["a"]
        assert await store.table("nothing") is None

    with_store(tmp_path, write)
    with_store(tmp_path, read)


@in_both
def test_a_number_is_written_once(tmp_path: Path) -> None:
    """A failing write is rejected as a whole, and alone: others in its batch are kept."""

    async def write(store: Store) -> None:
        for name in "abc":
            await store.add_table(row(name), SEATS, [event(0)])
        batch = [
            store.add_events("a", [event(1)], STANDING),
            store.add_events("b", [event(1), event(0)], STANDING),
            store.add_events("c", [event(1)], STANDING),
        ]
        errors = await asyncio.gather(*batch, return_exceptions=True)
        assert [type(error) for error in errors] == [type(None), WriteConflict, type(None)]
        assert [len(await store.events(name)) for name in "abc"] == [2, 1, 2]

    with_store(tmp_path, write)


@in_both
def test_many_writes_share_a_transaction(tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        transactions: list[bool] = []
        store._writer._written = lambda _seconds, kept: transactions.append(kept)  # type: ignore[attr-defined]
        await store.add_table(row("a"), SEATS, [])
        await asyncio.gather(*(store.add_events("a", [event(seq)], STANDING) for seq in range(200)))
        assert len(await store.events("a")) == 200
        assert all(transactions)
        assert len(transactions) < 100

    with_store(tmp_path, write)


def test_transactions_are_apart_while_many_write(tmp_path: Path) -> None:
    """Fewer, larger transactions disturb the event loop less often."""

    async def write(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        tables = await add_tables(store, 20)
        writer, begun = store._writer, list[tuple[float, int]]()
        transaction = writer._transaction

        def timed(batch: list[PendingWrite]) -> None:
            begun.append((time.perf_counter(), len(batch)))
            transaction(batch)

        writer._transaction = timed  # type: ignore[method-assign]

        async def play(name: str) -> None:
            for seq in range(10):
                await store.add_events(name, [event(seq)], STANDING)

        await asyncio.gather(*map(play, tables))
        pauses = [then - now for (now, size), (then, _) in pairwise(begun) if size >= BUSY_BATCH]
        # The median, as a thread that is scheduled late shortens the next pause.
        assert median(pauses) >= 0.9 * MIN_INTERVAL
        assert [len(await store.events(name)) for name in tables] == [10] * 20

    with_store(tmp_path, write)


def test_many_tables_are_written_by_few_statements(tmp_path: Path) -> None:
    """If one of the tables has been deleted, only its write is refused."""

    async def write(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        tables = await add_tables(store, 150)
        statements: list[str] = []
        store._writer._connection.set_trace_callback(statements.append)
        await asyncio.gather(
            *(store.add_events(name, [event(0), event(1, "3")], STANDING) for name in tables)
        )
        assert len(statements) < 150
        await store.write([Statement("DELETE FROM tables WHERE id = ?", ("table-70",))])
        over = Standing(True, [], [7, 9], [1])
        writes = [store.add_events(name, [event(2)], over) for name in tables]
        errors = await asyncio.gather(*writes, return_exceptions=True)
        assert [name for name, error in zip(tables, errors, strict=True) if error] == ["table-70"]
        assert isinstance(errors[70], WriteConflict)
        for name in (tables[0], tables[69], tables[149]):
            stored = await store.table(name)
            assert stored is not None
            assert stored[0].standing == over
            assert [event.text for event in await store.events(name)] == ["left", "3", "left"]
        assert len(await store.events("table-70")) == 2

    with_store(tmp_path, write)


def test_a_full_disk_refuses(tmp_path: Path) -> None:
    async def write(store: Store) -> None:
        assert isinstance(store, SqliteStore)
        await store.add_table(row("a"), SEATS, [])
        [(pages,)] = store._writer._connection.execute("PRAGMA page_count")
        store._writer._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(WriteFailed):
            await store.add_events("a", [event(seq, "x" * 500) for seq in range(100)], STANDING)
        assert await store.events("a") == []
        store._writer._connection.execute("PRAGMA max_page_count = 100000")
        await store.add_events("a", [event(0)], STANDING)
        assert len(await store.events("a")) == 1

    with_store(tmp_path, write)


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    file = sqlite3.connect(tmp_path / "tables.sqlite")
    file.execute("PRAGMA user_version = 99")
    file.close()
    with pytest.raises(
        RuntimeError,
        match=r"tables\.sqlite was written by a newer version of souk "
        rf"\(schema 99, here {SCHEMA_VERSION}\)",
    ):
        SqliteStore(tmp_path / "tables.sqlite")
