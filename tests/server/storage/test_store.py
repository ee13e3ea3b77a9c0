"""The store: many writes in one transaction, a failing one for itself, and all that was kept read again."""

import asyncio
import sqlite3
import time
from collections.abc import Awaitable, Callable
from itertools import pairwise
from pathlib import Path
from statistics import median

import pytest

from souk.table.file_writing import APART
from souk.table.schema import SCHEMA_VERSION
from souk.table.sql_store import SqlStore
from souk.table.sqlite import SqliteStore
from souk.table.store import EventRow, NotKept, Overtaken, SeatRow, Standing, Statement, TableRow
from souk.table.writing import MANY, Waiting
from tests.table.places import in_both, store_at

STANDING = Standing(False, [0], [30, 30], [])


def row(name: str) -> TableRow:
    now = time.time()
    return TableRow(name, "suleika", 1, 2, {"first": 0, "turn_at_end": False}, b"s" * 32, "d" * 64, now, now, STANDING)


SEATS = [SeatRow(0, "person", "Ann", player=b"ann"), SeatRow(1, "free", "", invitation=b"secret")]


def event(seq: int, text: str = "left") -> EventRow:
    return EventRow(seq, "move", 0, text, b'[["key",{}]]')


def with_store(path: Path, work: Callable[[SqlStore], Awaitable[None]]) -> None:
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

    async def write(store: SqlStore) -> None:
        await store.add_table(made, SEATS, [event(0)])
        await store.add_events("a", [event(1, "3"), event(2)], Standing(True, [], [40, 20], [0]))
        await store.change_seats("a", [(SEATS[1], SEATS[1]._replace(kind="person", name="Ben", player=b"ben"))])
        await store.add_table(row("b"), SEATS, [], after="a")

    async def read(store: SqlStore) -> None:
        found = await store.table("a")
        assert found is not None
        table, seats = found
        assert table._replace(changed=made.changed) == made._replace(
            standing=Standing(True, [], [40, 20], [0]), rematch="b"
        )
        assert seats[1] == SeatRow(1, "person", "Ben", player=b"ben", invitation=b"secret")
        assert [each.text for each in await store.events("a", 0)] == ["3", "left"]
        assert [each[0].id for each in await store.tables_of(b"ben", 10)] == ["a"]
        assert await store.table("nothing") is None

    with_store(tmp_path, write)
    with_store(tmp_path, read)


@in_both
def test_a_number_is_written_once(tmp_path: Path) -> None:
    """One that fails takes nothing with it: neither its other half nor those that were written together with it."""

    async def write(store: SqlStore) -> None:
        for name in "abc":
            await store.add_table(row(name), SEATS, [event(0)])
        together = [
            store.add_events("a", [event(1)], STANDING),
            store.add_events("b", [event(1), event(0)], STANDING),
            store.add_events("c", [event(1)], STANDING),
        ]
        found = await asyncio.gather(*together, return_exceptions=True)
        assert [type(each) for each in found] == [type(None), Overtaken, type(None)]
        assert [len(await store.events(name)) for name in "abc"] == [2, 1, 2]

    with_store(tmp_path, write)


@in_both
def test_many_writes_share_a_transaction(tmp_path: Path) -> None:
    async def write(store: SqlStore) -> None:
        transactions: list[bool] = []
        store._writer._written = lambda _seconds, kept: transactions.append(kept)  # type: ignore[attr-defined]
        await store.add_table(row("a"), SEATS, [])
        await asyncio.gather(*(store.add_events("a", [event(seq)], STANDING) for seq in range(200)))
        assert len(await store.events("a")) == 200
        assert all(transactions)
        assert len(transactions) < 100

    with_store(tmp_path, write)


def test_transactions_are_apart_while_many_write(tmp_path: Path) -> None:
    """So that they are fewer, and the loop is disturbed less often."""

    async def write(store: SqlStore) -> None:
        assert isinstance(store, SqliteStore)
        tables = [f"table-{number}" for number in range(20)]
        for name in tables:
            await store.add_table(row(name), SEATS, [])
        writer, begun = store._writer, list[tuple[float, int]]()
        write_down = writer._transaction

        def noted(batch: list[Waiting]) -> None:
            begun.append((time.perf_counter(), len(batch)))
            write_down(batch)

        writer._transaction = noted  # type: ignore[method-assign]

        async def play(name: str) -> None:
            for seq in range(10):
                await store.add_events(name, [event(seq)], STANDING)

        await asyncio.gather(*map(play, tables))
        pauses = [then - now for (now, many), (then, _) in pairwise(begun) if many >= MANY]
        # (Not all: a thread that is kept from running begins late, and the next is then sooner after it.)
        assert median(pauses) >= 0.9 * APART
        assert [len(await store.events(name)) for name in tables] == [10] * 20

    with_store(tmp_path, write)


def test_many_tables_are_written_by_few_statements(tmp_path: Path) -> None:
    """And where one of them is not there any more, that one is refused, and the others are kept."""

    async def write(store: SqlStore) -> None:
        assert isinstance(store, SqliteStore)
        tables = [f"table-{number}" for number in range(150)]
        for name in tables:
            await store.add_table(row(name), SEATS, [])
        made: list[str] = []
        store._writer._connection.set_trace_callback(made.append)
        await asyncio.gather(*(store.add_events(name, [event(0), event(1, "3")], STANDING) for name in tables))
        assert len(made) < 150
        await store.carry_out([Statement("DELETE FROM tables WHERE id = ?", ("table-70",))])
        over = Standing(True, [], [7, 9], [1])
        again = [store.add_events(name, [event(2)], over) for name in tables]
        found = await asyncio.gather(*again, return_exceptions=True)
        assert [name for name, each in zip(tables, found, strict=True) if each] == ["table-70"]
        assert isinstance(found[70], Overtaken)
        for name in (tables[0], tables[69], tables[149]):
            kept = await store.table(name)
            assert kept is not None
            assert kept[0].standing == over
            assert [each.text for each in await store.events(name)] == ["left", "3", "left"]
        assert len(await store.events("table-70")) == 2

    with_store(tmp_path, write)


def test_a_full_disk_refuses(tmp_path: Path) -> None:
    async def write(store: SqlStore) -> None:
        assert isinstance(store, SqliteStore)
        await store.add_table(row("a"), SEATS, [])
        [(pages,)] = store._writer._connection.execute("PRAGMA page_count")
        store._writer._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(NotKept):
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
        match=rf"tables\.sqlite was written by a newer version of souk \(schema 99, here {SCHEMA_VERSION}\)",
    ):
        SqliteStore(tmp_path / "tables.sqlite")
