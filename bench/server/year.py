"""Measures a server with a year of play in the database, beside a tenth of it.

    python -m bench.server.year [--tables N ...] [--games N] [--stores sqlite postgresql]
                                [--asked N] [--json FILE]

Random games are written under many tables (mostly finished, some abandoned, a few in play). Then
the lobby, people's games and tables are requested, moves and upkeep written, and the file copied by
`souk host backup`. The database is in the page cache as far as memory lasts.
"""

import asyncio
import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, cast

from bench.server.move_cost import NullConnection
from bench.server.stores import postgres
from bench.server.year_data import Bulk, Played, Year, make_year, play_some
from bench.support.provenance import figures_parser, write_figures
from souk.server.admin.housekeeping import Housekeeping
from souk.server.common.config import ServerConfig
from souk.server.common.metrics import Metrics
from souk.server.compute.scheduler import BotScheduler
from souk.server.net.connection import SocketClient
from souk.server.net.table_socket import TableSocket
from souk.server.protocol.table import VERSION
from souk.server.services import Services
from souk.server.storage import maintenance
from souk.server.storage.postgres_store import PostgresStore
from souk.server.storage.sqlite_store import SqliteStore
from souk.server.storage.store import Store

AnyStore = SqliteStore | PostgresStore
Times = dict[str, float]
WATCH = json.dumps({"do": "watch", "version": VERSION})


class Stopwatch:
    """A store that times each query and chore."""

    def __init__(self, store: AnyStore) -> None:
        self._store = store
        self.taken: dict[str, list[float]] = defaultdict(list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def query(self, question: Callable[..., Any], *arguments: Any) -> Any:
        with self._timed("look" if question is maintenance.abandoned_tables else "ask"):
            return await self._store.query(question, *arguments)

    async def write(self, chore: Any, table: str = "") -> None:
        with self._timed(
            "delete" if chore and chore[0].text.startswith("DELETE FROM tables") else "chore"
        ):
            await self._store.write(chore, table)

    async def shrink(self) -> bool:
        with self._timed("shrink"):
            return await self._store.shrink()

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.taken[what].append(time.perf_counter() - begin)


def in_ms(seconds: list[float]) -> Times:
    """Median, 99th percentile and maximum in ms."""
    found = sorted(seconds) or [0.0]
    last = {"p99_ms": found[len(found) * 99 // 100], "most_ms": found[-1]}
    return {
        name: round(1000 * each, 2) for name, each in ({"half_ms": median(found)} | last).items()
    }


async def timed(asked: Iterable[Awaitable[Any]]) -> Times:
    """Times of awaitables, run one after another."""
    taken = []
    for each in asked:
        begin = time.perf_counter()
        await each
        taken.append(time.perf_counter() - begin)
    return in_ms(taken)


# ---------------------------------------------------------------- requests


async def come_to_lobby(services: Services, player: bytes) -> None:
    """All queries of the lobby page."""
    lobby = await services.my_tables.lobby(player)
    assert lobby.tables
    await services.invitations.waiting_for(player)
    await services.event_service.mine(player)


async def open_table(services: Services, name: str, player: bytes) -> None:
    """A page opens an unloaded table, receives it and leaves."""
    connection = NullConnection()
    socket = TableSocket(services, connection, SocketClient(player))
    await socket.open(name)
    await socket.handle(WATCH)
    assert connection.bytes
    assert not connection.refused
    socket.leave()


async def move(store: AnyStore, year: Year, name: str) -> None:
    """Write the next move at a table in play, with the dice after it."""
    played, stage = year.going[name]
    before, after = played.stages[stage : stage + 2]
    await store.add_events(name, played.events[before.events : after.events], after.standing)
    if stage + 2 == len(played.stages):
        del year.going[name]
    else:
        year.going[name] = played, stage + 1


async def tidy_up(services: Services, store: AnyStore) -> dict[str, Any]:
    """A round of upkeep that deletes some old tables."""
    watch = Stopwatch(store)
    housekeeping = Housekeeping(
        services.config, cast(Store, watch), services.tables, services.sessions, services.bus
    )
    await housekeeping.tidy()
    steps = {what: in_ms(watch.taken[what]) for what in ("look", "delete", "chore")}
    # PostgreSQL vacuums by itself.
    shrink = in_ms(watch.taken["shrink"]) if isinstance(store, SqliteStore) else None
    return {"deleted": len(watch.taken["delete"]), "shrink": shrink} | steps


async def back_up(data: Path, store: AnyStore, year: Year) -> dict[str, Any]:
    """Run `souk host backup` and write moves meanwhile."""
    command = [
        sys.executable,
        "-m",
        "souk.cli",
        "host",
        "backup",
        str(data / "copy.sqlite"),
        "--data",
        str(data),
    ]
    begin, waits = time.perf_counter(), list[float]()
    copying = await asyncio.create_subprocess_exec(*command, stdout=subprocess.DEVNULL)
    done = asyncio.create_task(copying.wait())
    while not done.done() and year.going:
        for name in list(year.going):
            before = time.perf_counter()
            await move(store, year, name)
            waits.append(time.perf_counter() - before)
            if done.done():
                break
    if await done:
        raise RuntimeError("souk host backup failed")
    (data / "copy.sqlite").unlink()
    return {"seconds": round(time.perf_counter() - begin, 2), "moves": len(waits)} | in_ms(waits)


# ---------------------------------------------------------------- one size in one database


async def measure(services: Services, store: AnyStore, year: Year, asked: int) -> dict[str, Any]:
    rng = random.Random(2)
    people = rng.sample(year.people, min(asked, len(year.people)))
    resting = rng.sample(list(year.resting.items()), min(asked, len(year.resting)))
    going = list(year.going)[:asked]
    await come_to_lobby(services, people[0])  # one-time work
    return {
        "lobby": await timed(come_to_lobby(services, player) for player in people),
        "mine": await timed(services.my_tables.listed(player) for player in people),
        "table": await timed(open_table(services, *each) for each in resting),
        "move": await timed(move(store, year, name) for name in going),
        "expiry": await tidy_up(services, store),
        "backup": await back_up(services.config.data, store, year)
        if isinstance(store, SqliteStore)
        else None,
    }


def opened(place: Path | str, data: Path) -> AnyStore:
    return PostgresStore(place, data / "key") if isinstance(place, str) else SqliteStore(place)


async def one(
    name: str, place: Path | str, data: Path, tables: int, games: list[Played], asked: int
) -> dict[str, Any]:
    """Create a year of play and measure it."""
    begin = time.perf_counter()
    empty = opened(place, data)
    await empty.close()
    year = await make_year(tables, games, empty.cipher, Bulk(place), random.Random(1))
    made = time.perf_counter()
    store = opened(place, data)
    ready = time.perf_counter()
    config = ServerConfig(data=data, games=(), finished_days=365, abandoned_days=365)
    services = Services(config, store, BotScheduler(1, ()), Metrics())
    row: dict[str, Any] = {
        "store": name,
        "tables": tables,
        "events": year.events,
        "people": len(year.people),
    }
    row |= {"made_s": round(made - begin, 1), "opened_s": round(ready - made, 2)}
    try:
        size = {"mb": round(await store.size() / 1e6, 1)}
        return row | size | await measure(services, store, year, asked)
    finally:
        await services.close()


def show(row: dict[str, Any]) -> None:
    print(
        f"{row['store']}, {row['tables']:,} tables, {row['events']:,} events, "
        f"{row['people']:,} people: {row['mb']:,.0f} MB, created in {row['made_s']:.0f} s, "
        f"opened in {row['opened_s']:.1f} s"
    )
    expiry, backup = row["expiry"], row["backup"]
    times = {"lobby": row["lobby"], "my games": row["mine"], "open a table": row["table"]}
    times |= {"write a move": row["move"], "find old tables": expiry["look"]}
    times |= {"delete a table": expiry["delete"], "other upkeep": expiry["chore"]}
    if backup:
        times |= {"shrink": expiry["shrink"], "write a move during a backup": backup}
    for label, row_times in times.items():
        half, p99, most = (row_times[name] for name in ("half_ms", "p99_ms", "most_ms"))
        print(f"  {label}: half within {half:.1f} ms, 99 % within {p99:.1f} ms, all {most:.1f} ms")
    sys.stdout.flush()


def measured(name: str, tables: int, games: list[Played], asked: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        if name == "sqlite":
            return asyncio.run(one(name, data / "tables.sqlite", data, tables, games, asked))
        with postgres() as address:
            return asyncio.run(one(name, address, data, tables, games, asked))


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[5_000, 50_000])
    parser.add_argument(
        "--games", type=int, default=25, help="played of each game, and written many times"
    )
    parser.add_argument(
        "--stores", nargs="+", choices=["sqlite", "postgresql"], default=["sqlite", "postgresql"]
    )
    parser.add_argument("--asked", type=int, default=400, help="requests of each kind, at most")
    args = parser.parse_args()
    if min(*args.tables, args.games, args.asked) < 1:
        parser.error("--tables, --games and --asked must be at least 1")
    games, rows = play_some(args.games, random.Random(1)), []
    for name in args.stores:
        for tables in args.tables:
            rows.append(measured(name, tables, games, args.asked))
            show(rows[-1])
    if args.json:
        write_figures(
            args.json,
            {"rows": rows},
            n=args.asked,
            of="questions of a kind at most",
            cores=os.cpu_count() or 1,
        )


if __name__ == "__main__":
    main()
