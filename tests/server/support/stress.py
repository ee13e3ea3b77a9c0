"""Stress scenarios for a server.

Each takes a folder, a size and a seed, asserts that nothing is lost or leaked, and returns counts.
`tests/server/stress/test_stress.py` runs small ones, `bench/server/stress.py` large ones.
"""

import asyncio
import contextlib
import json
import random
import re
import resource
import sqlite3
import tempfile
from collections import Counter
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import httpx
import websockets

from souk.core.record import Record, load
from souk.server.dice.fair_dice import verify
from tests.server.support.clients import Page, Person, Server, checked_server

Counted = Counter[str]
GAMES = [("suleika", 3), ("basari", 3), ("basari-cards", 3), ("bazaar", 2)]
_GONE = (websockets.ConnectionClosed, OSError, httpx.TransportError, TimeoutError)


class Promises:
    """Acknowledged moves: seat and move by table and number."""

    def __init__(self) -> None:
        self.made: dict[tuple[str, int], tuple[int, str]] = {}

    def check(self, file: Path) -> int:
        """Check that the file has everything acknowledged, without gaps and duplicates; returns the
        number of tables.
        """
        connection = sqlite3.connect(file)
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        rows = connection.execute(
            'SELECT "table", seq, seat, coalesce(sealed, text) FROM events ORDER BY "table", seq'
        ).fetchall()
        tables = [name for (name,) in connection.execute("SELECT id FROM tables")]
        connection.close()
        log = {(table, seq): (seat, text) for table, seq, seat, text in rows}
        for key, (seat, move) in self.made.items():
            found_seat, found_move = log[key]
            assert found_seat == seat, key
            assert found_move == move or not _is_plain(found_move), (
                key
            )  # unrevealed choices are encrypted
        for table in tables:
            seqs = [seq for name, seq, *_ in rows if name == table]
            assert seqs == list(range(len(seqs))), table
        return len(tables)


def _is_plain(text: str) -> bool:
    return isinstance(text, str) and text.isprintable() and len(text) < 40


async def busy(page: Page, rng: random.Random, promises: Promises, most: int = 10**9) -> None:
    """Play all seats of a table as fast as the server answers, with take-backs, until the game or
    the server ends.
    """
    with contextlib.suppress(*_GONE):
        while not page.view["over"] and most:
            most -= 1
            seat = rng.choice(page.view["actors"])
            await page.watch(seat, page.seq)
            if not page.view["moves"]:
                continue
            move = rng.choice(page.view["moves"][:3])
            answer = await page.move(seat, move)
            if answer["is"] == "done":
                promises.made[page.table, answer["seq"]] = seat, move
            if rng.random() < 0.1:
                await page.ask("take_back", seat=seat, after=page.seq)


@asynccontextmanager
async def pages_at(person: Person, tables: list[str]) -> AsyncIterator[list[Page]]:
    async with contextlib.AsyncExitStack() as stack:
        yield [await stack.enter_async_context(person.page(table)) for table in tables]


async def new_tables(person: Person, number: int) -> list[str]:
    wanted = [GAMES[each % len(GAMES)] for each in range(number)]
    return [
        (await person.new_table(game, "me", *["here"] * (players - 1)))[0]
        for game, players in wanted
    ]


async def record_of(person: Person, table: str) -> Record:
    """The record of a table, parsed."""
    with tempfile.NamedTemporaryFile("w", suffix=".souk") as file:
        file.write(await person.record(table))
        file.flush()
        return load(file.name)


# ---------------------------------------------------------------- kills


def kills(folder: Path, size: int, seed: int) -> Counted:
    """Kill the server again and again during play, always on the same file."""
    rng, promises, counted = random.Random(seed), Promises(), Counter[str]()
    for _ in range(size):
        with Server(folder) as server:
            asyncio.run(_play_and_kill(server, rng, promises))
        counted["tables"] = promises.check(folder / "tables.sqlite")
        counted["kills"] += 1
    with checked_server(folder) as server:
        asyncio.run(_all_open(server, folder))
    counted["acknowledged"] = len(promises.made)
    return counted


async def _play_and_kill(server: Server, rng: random.Random, promises: Promises) -> None:
    async with Person(server) as person:
        tables = await new_tables(person, 8)
        before = len(promises.made)
        async with contextlib.AsyncExitStack() as stack:
            pages = [await stack.enter_async_context(person.page(table)) for table in tables]
            playing = [
                asyncio.create_task(busy(page, random.Random(rng.random()), promises))
                for page in pages
            ]
            while len(promises.made) < before + rng.randrange(20, 120):
                await asyncio.sleep(0.005)
            await asyncio.sleep(rng.random() / 20)
            server.kill()
            await asyncio.gather(*playing)


async def _all_open(server: Server, folder: Path) -> None:
    """Every table of the file can be loaded."""
    file = sqlite3.connect(folder / "tables.sqlite")
    tables = [name for (name,) in file.execute("SELECT id FROM tables")]
    file.close()
    async with Person(server) as stranger:
        for table in tables:
            async with stranger.page(table) as page:
                assert page.now["table"] == table
            await record_of(stranger, table)


# ---------------------------------------------------------------- disks


@contextmanager
def meddling(server: Server, begin: str, end: str) -> Iterator[None]:
    """Break the file from outside, and repair it."""
    file = sqlite3.connect(server.data / "tables.sqlite", isolation_level=None)
    file.execute(begin)
    try:
        yield
    finally:
        file.execute(end)
        file.close()


def locked(server: Server) -> AbstractContextManager[None]:
    """Another process locks the file."""
    return meddling(server, "BEGIN IMMEDIATE", "ROLLBACK")


@contextmanager
def full(server: Server) -> Iterator[None]:
    """Refuse any growth of the server's files, as on a full disk."""
    usual = resource.prlimit(server.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(server.pid, resource.RLIMIT_FSIZE, (1024, usual[1]))
    try:
        yield
    finally:
        resource.prlimit(server.pid, resource.RLIMIT_FSIZE, usual)


def failing(server: Server) -> AbstractContextManager[None]:
    """The file itself refuses new events, as after a disk error."""
    refusing = """CREATE TRIGGER broken BEFORE INSERT ON events
        BEGIN SELECT RAISE(ABORT, 'disk I/O error'); END"""
    return meddling(server, refusing, "DROP TRIGGER broken")


def disks(folder: Path, size: int, seed: int) -> Counted:
    """The disk is full, fails or is locked during play: acknowledged moves are stored, nothing else
    has happened.
    """
    rng, promises, counted = random.Random(seed), Promises(), Counter[str]()

    async def weather(server: Server) -> None:
        async with Person(server) as person:
            tables = await new_tables(person, 8)
            async with pages_at(person, tables) as pages:
                playing = [
                    asyncio.create_task(busy(page, random.Random(rng.random()), promises))
                    for page in pages
                ]
                for _ in range(size):
                    trouble = rng.choice([locked, full, failing])
                    await asyncio.sleep(rng.random() / 5)
                    with trouble(server):
                        await asyncio.sleep(rng.random() / 2)
                    counted[trouble.__name__] += 1
                for task in playing:
                    task.cancel()
            for table in tables:  # and all is well again
                async with person.page(table) as page:
                    if not page.view["over"]:
                        await busy(page, rng, promises, most=3)

    with Server(folder) as server:
        asyncio.run(weather(server))
        assert httpx.get(f"http://{server.address}/readyz").text == "ready\n"
        assert server.stop() == 0
        said = (
            '"write rejected"',
            '"housekeeping failed"',
        )  # retried, as it reads the file as well
        assert [line for line in server.troubles if not any(event in line for event in said)] == []
    promises.check(folder / "tables.sqlite")
    counted["acknowledged"] = len(promises.made)
    return counted


# ---------------------------------------------------------------- two servers


def two_servers(folder: Path, size: int, seed: int) -> Counted:
    """Two servers on one file: people play the same tables on both, and compete for seats."""
    rng, promises, counted = random.Random(seed), Promises(), Counter[str]()

    async def play(first: Server, second: Server) -> None:
        async with Person(first) as one, Person(second, one.cookie) as other:
            tables = await new_tables(one, size)
            async with pages_at(one, tables) as here, pages_at(other, tables) as there:
                lots = [(page, random.Random(rng.random())) for page in (*here, *there)]
                await asyncio.gather(*(busy(page, lot, promises, most=40) for page, lot in lots))

    async def sit(first: Server, second: Server) -> None:
        async with Person(first) as host:
            for _ in range(size):
                table, links = await host.new_table("suleika", "me", "link")
                async with Person(first) as one, Person(second) as other:
                    answers = await asyncio.gather(
                        one.sit(table, links["1"]), other.sit(table, links["1"])
                    )
                    counted["seats"] += 1
                    seated = [
                        person
                        for person, answer in zip((one, other), answers, strict=True)
                        if answer.status_code == 200
                    ]
                    assert len(seated) <= 1
                    for person in seated:
                        assert any(
                            card["table"] == table for card in (await person.lobby())["tables"]
                        )

    with Server(folder) as first, Server(folder) as second:
        asyncio.run(play(first, second))
        asyncio.run(sit(first, second))
        assert (first.stop(), second.stop()) == (0, 0)
    promises.check(folder / "tables.sqlite")
    counted["acknowledged"] = len(promises.made)
    return counted


# ---------------------------------------------------------------- clocks


def clocks(folder: Path, size: int, seed: int) -> Counted:
    """The machine's clock jumps by years, back and forth, while people play with bots."""
    rng, promises, counted = random.Random(seed), Promises(), Counter[str]()

    async def play(server: Server) -> None:
        async with Person(server) as person:
            tables = await new_tables(person, size)
            async with pages_at(person, tables) as pages:
                lots = [(page, random.Random(rng.random())) for page in pages]
                await asyncio.gather(*(busy(page, lot, promises, most=60) for page, lot in lots))
            async with person.page_at_new_table("suleika", "me", "bot", "bot") as page:
                await page.play(0, rng)
                assert verify(await record_of(person, page.table)).fair
                counted["games to the end"] += 1
            lobby = await person.lobby()
            assert "tables" in lobby, lobby
            assert {card["table"] for card in lobby["tables"]} >= set(tables)

    root = Path(__file__).parents[3]
    with checked_server(folder, home=root, program="tests.server.support.clock_jumps") as server:
        asyncio.run(play(server))
    promises.check(folder / "tables.sqlite")
    counted["acknowledged"] = len(promises.made)
    return counted


# ---------------------------------------------------------------- secrecy


class Onlooker:
    """A stranger who requests everything about a table over HTTP and a socket, and a rival at the
    table.
    """

    def __init__(self, stranger: Person, looking: Page, rival: Page, rival_seat: int) -> None:
        self._stranger, self._looking, self._rival, self._seat = (
            stranger,
            looking,
            rival,
            rival_seat,
        )
        self.table = looking.table

    async def all_answers(self) -> set[str]:
        """The replies without numbers that merely count events."""
        http = self._stranger.http
        found = [
            (await http.get(f"/api/tables/{self.table}/{what}")).text
            for what in ("record", "aside")
        ]
        found.append((await http.get("/api/lobby")).text)
        for page, seat in ((self._looking, -1), (self._rival, self._seat)):
            await page.watch(seat, -1)
            now = next(message for message in reversed(page.heard) if message["is"] == "table")
            lines = now.pop("lines")
            found += [json.dumps(now), *{json.dumps(line["told"]) for line in lines}]
            found += [json.dumps({**message, "seq": 0}) for message in page.events]
            page.heard.clear()
        return {_uncounted(answer) for answer in found}


def _uncounted(answer: str) -> str:
    """Without the count of events."""
    return re.sub(r'"seq": ?-?\d+', "", answer)


def onlookers(folder: Path, size: int, seed: int) -> Counted:
    """Nobody learns a choice that is made and taken back in secret, even on a failing disk."""
    rng, counted = random.Random(seed), Counter[str]()

    async def watch(server: Server) -> None:
        async with Person(server) as host, Person(server) as rival, Person(server) as stranger:
            table, links = await host.new_table("basari", "me", "link", "here")
            assert (await rival.sit(table, links["1"])).status_code == 200
            async with (
                host.page(table) as page,
                rival.page(table) as other,
                stranger.page(table) as looking,
            ):
                await _walk(page, other)
                onlooker = Onlooker(stranger, looking, other, 1)
                await onlooker.all_answers()  # replies to earlier state
                learnt = [
                    await _choose_and_take_back(server, page, onlooker, choice, size, rng, counted)
                    for choice in ("gems", "points", "dice")
                ]
                assert learnt[0] == learnt[1] == learnt[2]

    with Server(folder, grace=60) as server:
        asyncio.run(watch(server))
    return counted


async def _walk(*pages: Page) -> None:
    """Basari's first round, up to the choices."""
    for page in pages:
        await page.until_begun()
    while pages[0].view["position"]["phase"] != "choose":
        seat = pages[0].view["actors"][0]
        mover = pages[1] if seat == 1 else pages[0]
        await mover.watch(seat, mover.seq)
        assert (await mover.move(seat, mover.view["moves"][0]))["is"] == "done"
        for page in pages:
            await page.watch(None, page.seq)


async def _choose_and_take_back(
    server: Server,
    page: Page,
    onlooker: Onlooker,
    choice: str,
    size: int,
    rng: random.Random,
    counted: Counted,
) -> frozenset[str]:
    """Returns everything that could be learnt meanwhile."""
    learnt: set[str] = set()
    going_on = True

    async def look() -> None:
        while going_on:
            learnt.update(await onlooker.all_answers())
            counted["rounds of questions"] += 1

    async def look_twice() -> None:
        """Wait until everything has been requested once from now."""
        enough = counted["rounds of questions"] + 2
        while counted["rounds of questions"] < enough:
            await asyncio.sleep(0.01)

    looking = asyncio.create_task(look())
    await look_twice()
    for _ in range(size):
        for command in ({"do": "move", "move": choice}, {"do": "take_back"}):
            while True:
                with failing(server) if rng.random() < 0.3 else contextlib.nullcontext():
                    answer = await page.ask(**command, seat=0, after=page.seq)
                if answer["is"] == "done":
                    break
                counted["writes that failed"] += 1
            counted["choices and their taking back"] += 1
            await look_twice()
    going_on = False
    await looking
    return frozenset(learnt)


# ---------------------------------------------------------------- cancellation


class CutAt:
    """Await something and cut it at its await number `at`, from 0; `reached` says whether there was
    one.
    """

    def __init__(self, work: Any, at: int, cut: Any) -> None:
        self._work, self._at, self._cut, self.reached = work, at, cut, False

    def __await__(self) -> Any:
        inner, number, send, value = self._work.__await__(), 0, True, None
        while True:
            try:
                pause = inner.send(value) if send else inner.throw(value)
            except StopIteration as end:
                return end.value
            if number == self._at:
                self.reached = True
                self._cut()
            number += 1
            try:
                value, send = (yield pause), True
            except BaseException as error:  # of the awaited code
                value, send = error, False


STORMS = {storm.__name__: storm for storm in (kills, disks, two_servers, clocks, onlookers)}
