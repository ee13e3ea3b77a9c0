"""A year of play in the database, and what of a server's work grows with it: a tenth of the year beside the whole, in a file of SQLite and in PostgreSQL.

    python bench/year.py [--tables N …] [--games N] [--stores sqlite postgresql] [--asked N] [--json FILE]

Some games of each kind are played by the rules, by people who choose at random, and written under as many tables as are wanted, as a server writes and seals
them: most are over, some were abandoned in the middle, a few are in play; there is a person to every ten tables. Then a house is asked, as a page asks it, each time for another person or
table: for the lobby, for somebody's games, for a table; a move is written at tables in play; what nobody has been at for a year is deleted by the server's
own upkeep; and the file is copied by `souk host backup` while moves are written. (PostgreSQL copies itself, with tools of its own.) The database was written just
before, so that it is in the machine's memory as far as it has room there.
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
from typing import Any

from made_year import Bulk, Played, Year, make_year, play_some
from moves import Swallower
from pedigree import settings, write_figures
from stores import postgres

from souk.table import chores
from souk.table.gauges import Gauges
from souk.table.house import House
from souk.table.postgres import PostgresStore
from souk.table.protocol import VERSION
from souk.table.settings import Settings
from souk.table.sockets import Socket
from souk.table.sqlite import SqliteStore
from souk.table.thinkers import Thinkers
from souk.table.upkeep import Upkeep

AnyStore = SqliteStore | PostgresStore
Times = dict[str, float]
WATCH = json.dumps({"do": "watch", "version": VERSION})


class Stopwatch:
    """A store whose questions and chores are timed one by one."""

    def __init__(self, store: AnyStore) -> None:
        self._store = store
        self.taken: dict[str, list[float]] = defaultdict(list)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._store, name)

    async def ask(self, question: Callable[..., Any], *arguments: Any) -> Any:
        with self._timed("look" if question is chores.left_alone else "ask"):
            return await self._store.ask(question, *arguments)

    async def carry_out(self, chore: Any, table: str = "") -> None:
        with self._timed("delete" if chore and chore[0].text.startswith("DELETE FROM tables") else "chore"):
            await self._store.carry_out(chore, table)

    async def shrink(self) -> bool:
        with self._timed("shrink"):
            return await self._store.shrink()

    @contextmanager
    def _timed(self, what: str) -> Iterator[None]:
        begin = time.perf_counter()
        yield
        self.taken[what].append(time.perf_counter() - begin)


def in_ms(seconds: list[float]) -> Times:
    """Half of them take no longer than, 99 in a hundred, and all."""
    found = sorted(seconds) or [0.0]
    last = {"p99_ms": found[len(found) * 99 // 100], "most_ms": found[-1]}
    return {name: round(1000 * each, 2) for name, each in ({"half_ms": median(found)} | last).items()}


async def timed(asked: Iterable[Awaitable[Any]]) -> Times:
    """One after the other."""
    taken = []
    for each in asked:
        begin = time.perf_counter()
        await each
        taken.append(time.perf_counter() - begin)
    return in_ms(taken)


# ---------------------------------------------------------------- what is asked


async def come_to_lobby(house: House, player: bytes) -> None:
    """All that the lobby's page asks the database for."""
    lobby = await house.reception.lobby(player)
    assert lobby.tables
    await house.inviting.waiting_for(player)
    await house.evenings.mine(player)


async def open_table(house: House, name: str, player: bytes) -> None:
    """A page comes to a table that nobody has open, is told all of it, and goes."""
    line = Swallower()
    socket = Socket(house, line, player)
    await socket.open(name)
    await socket.hear(WATCH)
    assert line.bytes
    assert not line.refused
    socket.leave()


async def move(store: AnyStore, year: Year, name: str) -> None:
    """The next move at a table in play, and what comes up after it."""
    played, stage = year.going[name]
    before, after = played.stages[stage : stage + 2]
    await store.add_events(name, played.events[before.events : after.events], after.standing)
    if stage + 2 == len(played.stages):
        del year.going[name]  # it is over
    else:
        year.going[name] = played, stage + 1


async def tidy_up(house: House, store: AnyStore) -> dict[str, Any]:
    """A round of upkeep, in which some tables are old enough to be deleted."""
    watch = Stopwatch(store)
    upkeep = Upkeep(house.settings, watch, house.tables, house.doors, house.news)
    await upkeep.tidy()
    steps = {what: in_ms(watch.taken[what]) for what in ("look", "delete", "chore")}
    shrink = in_ms(watch.taken["shrink"]) if isinstance(store, SqliteStore) else None  # PostgreSQL sees to it itself
    return {"deleted": len(watch.taken["delete"]), "shrink": shrink} | steps


async def back_up(data: Path, store: AnyStore, year: Year) -> dict[str, Any]:
    """Copy a file as its host does, and make moves meanwhile."""
    command = [sys.executable, "-m", "souk.cli", "host", "backup", str(data / "copy.sqlite"), "--data", str(data)]
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


# ---------------------------------------------------------------- one size, in one database


async def measure(house: House, store: AnyStore, year: Year, asked: int) -> dict[str, Any]:
    rng = random.Random(2)
    people = rng.sample(year.people, min(asked, len(year.people)))
    resting = rng.sample(list(year.resting.items()), min(asked, len(year.resting)))
    going = list(year.going)[:asked]
    await come_to_lobby(house, people[0])  # whatever is only done once
    return {
        "lobby": await timed(come_to_lobby(house, player) for player in people),
        "mine": await timed(house.my_tables.listed(player) for player in people),
        "table": await timed(open_table(house, *each) for each in resting),
        "move": await timed(move(store, year, name) for name in going),
        "expiry": await tidy_up(house, store),
        "backup": await back_up(house.settings.data, store, year) if isinstance(store, SqliteStore) else None,
    }


def opened(place: Path | str, data: Path) -> AnyStore:
    return PostgresStore(place, data / "key") if isinstance(place, str) else SqliteStore(place)


async def one(name: str, place: Path | str, data: Path, tables: int, games: list[Played], asked: int) -> dict[str, Any]:
    """Make a year, and measure it."""
    begin = time.perf_counter()
    empty = opened(place, data)
    await empty.close()
    year = await make_year(tables, games, empty.seal, Bulk(place), random.Random(1))
    made = time.perf_counter()
    store = opened(place, data)
    ready = time.perf_counter()
    settings_ = Settings(data=data, games=(), finished_days=365, abandoned_days=365)
    house = House(settings_, store, Thinkers(1, ()), Gauges())
    row: dict[str, Any] = {"store": name, "tables": tables, "events": year.events, "people": len(year.people)}
    row |= {"made_s": round(made - begin, 1), "opened_s": round(ready - made, 2)}
    try:
        size = {"mb": round(await store.size() / 1e6, 1)}
        return row | size | await measure(house, store, year, asked)
    finally:
        await house.close()


def tell(row: dict[str, Any]) -> None:
    print(
        f"{row['store']}, {row['tables']:,} tables, {row['events']:,} events, {row['people']:,} people: "
        f"{row['mb']:,.0f} MB, made in {row['made_s']:.0f} s, opened in {row['opened_s']:.1f} s"
    )
    expiry, backup = row["expiry"], row["backup"]
    lines = {"the lobby": row["lobby"], "my games": row["mine"], "a table opened": row["table"]}
    lines |= {"a move written": row["move"], "looking for what is old": expiry["look"]}
    lines |= {
        "a table deleted": expiry["delete"],
        "room given back": expiry["shrink"],
        "the rest of a round": expiry["chore"],
    }
    if not backup:
        del lines["room given back"]
    else:
        lines[f"a move during a backup of {backup['seconds']:.1f} s"] = backup
    for about, times in lines.items():
        half, p99, most = (times[name] for name in ("half_ms", "p99_ms", "most_ms"))
        print(f"  {about}: half within {half:.1f} ms, 99 in 100 within {p99:.1f} ms, all within {most:.1f} ms")
    sys.stdout.flush()


def measured(name: str, tables: int, games: list[Played], asked: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        if name == "sqlite":
            return asyncio.run(one(name, data / "tables.sqlite", data, tables, games, asked))
        with postgres() as address:
            return asyncio.run(one(name, address, data, tables, games, asked))


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("--tables", type=int, nargs="+", default=[5_000, 50_000])
    parser.add_argument(
        "--games", type=int, default=25, help="that are played of each kind, to be written again and again"
    )
    parser.add_argument("--stores", nargs="+", choices=["sqlite", "postgresql"], default=["sqlite", "postgresql"])
    parser.add_argument("--asked", type=int, default=400, help="people and tables of each question")
    chosen = parser.parse_args()
    if min(*chosen.tables, chosen.games, chosen.asked) < 1:
        parser.error("--tables, --games and --asked: numbers from 1 on")
    games, rows = play_some(chosen.games, random.Random(1)), []
    for name in chosen.stores:
        for tables in chosen.tables:
            rows.append(measured(name, tables, games, chosen.asked))
            tell(rows[-1])
    if chosen.json:
        write_figures(
            chosen.json, {"rows": rows}, n=chosen.asked, of="questions of a kind at most", cores=os.cpu_count() or 1
        )


if __name__ == "__main__":
    main()
