"""Shutdown: orderly, bounded in time and without a traceback.

However many signals arrive, at whatever moment, and whichever threads are stuck.
"""

import asyncio
import os
import signal
import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from signal import SIGALRM, SIGINT, SIGTERM

import httpx
import psutil
import pytest

from tests.server.support.clients import PATIENCE, Page, Person, Server, page_at_new_table
from tests.server.support.databases import address_of, in_postgres, look_into
from tests.support.forked import start_python
from tests.support.postgres import Cluster

ROOT = Path(__file__).parents[3]
SERVE = ["-m", "souk.cli", "serve", "--port", "0", "--games=", "--log", "json"]


def end(server: Server, *signals: signal.Signals, apart: float = 0.0) -> int:
    """Send the signals `apart` seconds apart and return the exit status."""
    *first, last = signals
    for sign in first:
        os.kill(server.pid, sign)
        time.sleep(apart)
    return server.stop(last)


def check_order(server: Server, data: Path) -> None:
    """The server logged one stop and no trouble, and closed SQLite, which removes the WAL files."""
    assert not server.troubles
    assert sum('"stopped"' in line for line in server.lines) == 1
    assert not list(data.glob("tables.sqlite-*"))


def kept(data: Path, table: str) -> list[int]:
    with look_into(data) as connection:
        return [
            seq
            for (seq,) in connection.execute(
                'SELECT seq FROM events WHERE "table" = ? ORDER BY seq', (table,)
            )
        ]


async def play_on(page: Page, done: list[int]) -> None:
    """Move for both seats until the connection ends; append acknowledged moves to `done`."""
    while True:
        seat = page.view["actors"][0]
        await page.watch(seat, page.seq)
        answer = await page.move(seat, page.view["moves"][0])
        done.append(answer["seq"])


@pytest.mark.parametrize(
    ("signals", "apart"),
    [
        ((SIGTERM, SIGTERM), 0.0),
        ((SIGINT, SIGINT), 0.001),
        ((SIGINT, SIGTERM), 0.02),
        ((SIGTERM, SIGINT), 0.1),
        ((SIGINT, SIGINT), 0.3),
        ((SIGTERM, SIGINT, SIGTERM), 0.05),
    ],
)
def test_told_again_to_end_it_ends_in_order(
    tmp_path: Path, signals: Sequence[signal.Signals], apart: float
) -> None:
    async def play(server: Server) -> tuple[str, list[int]]:
        done: list[int] = []
        async with page_at_new_table(server, "suleika", "me", "here") as page:
            playing = asyncio.create_task(play_on(page, done))
            while len(done) < 3 and not playing.done():
                await asyncio.sleep(0.01)
            assert await asyncio.to_thread(end, server, *signals, apart=apart) == 0
            await asyncio.wait([playing])
            # Retrieve the exception: the connection was closed.
            playing.exception()
            return page.table, done

    with Server(tmp_path) as server:
        table, done = asyncio.run(play(server))
        check_order(server, tmp_path)
    rows = kept(tmp_path, table)
    assert rows == list(range(len(rows)))
    assert set(done) <= set(rows)


async def send_move(server: Server, page: Page) -> None:
    """Send a move and return once the server has read it, before it acknowledges."""
    seat = page.view["actors"][0]
    await page.watch(seat, page.seq)
    await page.say(
        {"do": "move", "id": 99, "seat": seat, "move": page.view["moves"][0], "after": page.seq}
    )
    async with httpx.AsyncClient() as client:
        # Once these are answered, the server has read the move.
        for _ in range(5):
            await client.get(f"http://{server.address}/healthz")


@pytest.mark.parametrize("signals", [(SIGTERM,), (SIGTERM, SIGTERM)])
def test_what_was_to_be_written_is_written(
    tmp_path: Path, signals: Sequence[signal.Signals]
) -> None:
    async def move(server: Server, other: sqlite3.Connection) -> tuple[str, int]:
        async with page_at_new_table(server, "suleika", "me", "here") as page:
            # Lock the database against writes.
            other.execute("BEGIN IMMEDIATE")
            await send_move(server, page)
            for sign in signals:
                os.kill(server.pid, sign)
            await page.socket.wait_closed()
            other.rollback()
            return page.table, page.seq

    with Server(tmp_path) as server:
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as other:
            table, last = asyncio.run(move(server, other))
        assert server.wait() == 0
        check_order(server, tmp_path)
    assert kept(tmp_path, table)[: last + 2] == list(range(last + 2))


def test_nothing_that_is_stuck_keeps_it_for_longer_than_promised(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stop(server: Server, other: sqlite3.Connection) -> int:
        async with page_at_new_table(server, "suleika", "me", "here") as page:
            other.execute("BEGIN IMMEDIATE")
            await send_move(server, page)
            return await asyncio.to_thread(server.stop)

    monkeypatch.setenv("SOUK_TEST_SECONDS", "1")
    with Server(tmp_path, home=ROOT, program="tests.server.support.stuck_threads") as server:
        with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as other:
            assert asyncio.run(stop(server, other)) == -SIGALRM
        assert not server.troubles


@pytest.mark.parametrize("signals", [(SIGTERM,), (SIGINT, SIGTERM)])
@pytest.mark.parametrize("waited_for", [True, False], ids=["waited for", "given up"])
def test_threads_that_compute_are_not_waited_for(
    tmp_path: Path, signals: Sequence[signal.Signals], waited_for: bool
) -> None:
    # Size of asyncio's default thread pool.
    shared = min(32, (os.cpu_count() or 1) + 4)

    async def keep_busy(server: Server) -> None:
        async with Person(server) as person:
            box = {"game": "basari", "text": ""}
            asking = [
                asyncio.create_task(person.http.get("/api/me", timeout=600.0))
                for _ in range(2 * shared)
            ]
            asking.append(
                asyncio.create_task(person.http.post("/api/boxes/check", json=box, timeout=600.0))
            )
            async with asyncio.timeout(PATIENCE):
                while int((await person.http.get("/busy")).text) < shared + 1:
                    await asyncio.sleep(0.05)
            if not waited_for:
                for task in asking:
                    task.cancel()
            status = await asyncio.to_thread(end, server, *signals, apart=0.05)
            await asyncio.gather(*asking, return_exceptions=True)
            assert status == 0

    with Server(tmp_path, home=ROOT, program="tests.server.support.stuck_threads") as server:
        asyncio.run(keep_busy(server))
        assert all(
            "running task(s)" in line and "Traceback" not in line for line in server.troubles
        )
        assert not list(tmp_path.glob("tables.sqlite-*"))


def test_a_bot_that_does_not_end_is_ended(tmp_path: Path) -> None:
    async def play(server: Server) -> list[psutil.Process]:
        async with page_at_new_table(server, "suleika", "me", "bot", first=1) as page:
            await page.until_so(lambda: any(event["seat"] == 1 for event in page.events))
            return psutil.Process(server.pid).children()

    with Server(tmp_path, workers=1) as server:
        bots = asyncio.run(play(server))
        assert bots
        for bot in bots:
            bot.suspend()
        assert server.stop() == 0
        check_order(server, tmp_path)
    assert not any(bot.is_running() for bot in bots)


# ---------------------------------------------------------------- during startup


@pytest.mark.parametrize("moment", ["opening its file", "saying where it serves"])
@pytest.mark.parametrize("signals", [(SIGINT,), (SIGINT, SIGINT), (SIGTERM, SIGINT)])
def test_it_ends_while_it_starts(
    tmp_path: Path, moment: str, signals: Sequence[signal.Signals]
) -> None:
    """Before it serves, the signal kills it; afterwards it shuts down in order."""
    process, log = start_python([*SERVE, "--data", str(tmp_path)])
    output = ""
    with log:
        if moment == "opening its file":
            while not (tmp_path / "tables.sqlite").exists():
                assert process.poll() is None
                time.sleep(0.001)
        else:
            output = log.readline()
            assert '"serving"' in output
        for sign in signals:
            process.send_signal(sign)
        status = process.wait(PATIENCE)
        output += log.read()
    assert status in (0, *(-sign for sign in signals))
    assert "Traceback" not in output
    assert '"level": "error"' not in output
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as file:
        assert file.execute("PRAGMA integrity_check").fetchall() == [("ok",)]


# ---------------------------------------------------------------- several processes


def processes_of(server: Server) -> list[psutil.Process]:
    return psutil.Process(server.pid).children(recursive=True)


@pytest.mark.parametrize("signals", [(SIGTERM,), (SIGINT, SIGTERM), (SIGTERM, SIGTERM, SIGINT)])
def test_all_processes_end_with_their_supervisor(
    cluster: Cluster, tmp_path: Path, signals: Sequence[signal.Signals]
) -> None:
    with in_postgres(tmp_path, cluster), Server(tmp_path, processes=2, workers=2) as server:
        processes = processes_of(server)
        assert end(server, *signals, apart=0.02) == 0
        assert not server.troubles
        assert sum('"stopped"' in line for line in server.lines) == 3
        assert not any(process.is_running() for process in processes)


def test_processes_that_start_end_with_their_supervisor(cluster: Cluster, tmp_path: Path) -> None:
    with in_postgres(tmp_path, cluster):
        where = ["--store", address_of(tmp_path), "--data", str(tmp_path)]
        supervisor, log = start_python([*SERVE, "--processes", "2", *where])
        with log:
            while not (processes := psutil.Process(supervisor.pid).children()):
                time.sleep(0.01)
            supervisor.send_signal(SIGTERM)
            supervisor.send_signal(SIGINT)
            status, output = supervisor.wait(PATIENCE), log.read()
    assert status == 0
    assert "Traceback" not in output
    assert not any(process.is_running() for process in processes)
