"""`souk serve --processes N`: one port, and nothing lost when a process is killed or restarted."""

import asyncio
import json
import os
import random
import signal
import socket
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import psutil
import pytest
import websockets

from souk.server.cluster import supervisor as supervising
from souk.server.common.config import ServerConfig
from souk.server.net.socket_handover import ConnectionRouter
from tests.server.support.clients import PATIENCE, Page, Person, Server
from tests.server.support.databases import look_into
from tests.support.forked import start_python


@pytest.fixture(scope="module")
def server(folder: Path) -> Iterator[Server]:
    with Server(folder, processes=2, workers=2) as found:
        yield found
        assert found.stop() == 0
        assert [line for line in found.troubles if "exited with status -9" not in line] == []


def members(server: Server) -> list[int]:
    """Processes that have reported ready, in that order."""
    told = [json.loads(line) for line in server.lines if "process serves" in line]
    return [each["pid"] for each in told]


async def wait_for_members(server: Server, count: int) -> None:
    async with asyncio.timeout(PATIENCE):
        while len(members(server)) < count:
            await asyncio.sleep(0.02)


class Player:
    """Plays on whatever happens to the connection, and records what was acknowledged."""

    def __init__(self, person: Person, table: str, seat: int) -> None:
        self.person, self.table, self.seat = person, table, seat
        self.done: dict[int, str] = {}  # by event number: the move
        self.ends: list[int] = []  # close codes
        self._known = -1
        self.page: Page | None = None  # the latest

    async def play(self, rng: random.Random) -> None:
        async with asyncio.timeout(6 * PATIENCE):
            while not await self._play(rng):
                pass

    async def _play(self, rng: random.Random) -> bool:
        try:
            async with self.person.page(self.table, self.seat, self._known) as page:
                self.page = page
                await page.until_begun()
                while not page.view["over"]:
                    if page.view["moves"]:
                        move = rng.choice(page.view["moves"][:3])
                        answer = await page.move(self.seat, move)
                        if answer["is"] == "done":
                            self.done[answer["seq"]] = move
                    else:
                        await page.hear()
                    self._known = page.seq
                return True
        except websockets.ConnectionClosed as closed:
            self.ends.append(closed.rcvd.code if closed.rcvd else 0)
            return False
        except websockets.InvalidMessage:  # the process was killed before answering
            self.ends.append(0)
            return False


def kept_moves(folder: Path, table: str) -> list[Any]:
    with look_into(folder) as line:
        return line.execute(
            'SELECT seq, text FROM events WHERE "table" = ? ORDER BY seq', (table,)
        ).fetchall()


async def played_through(server: Server, folder: Path, trouble: Any) -> list[Player]:
    """A game of two, interrupted; every acknowledged move must be stored."""
    async with Person(server) as ann, Person(server) as ben:
        table, links = await ann.new_table("suleika", "me", "link")
        assert (await ben.sit(table, links["1"], "Ben")).status_code == 200
        players = [Player(ann, table, 0), Player(ben, table, 1)]
        rng = random.Random(3)
        await asyncio.gather(*(each.play(rng) for each in players), trouble(players))
        rows = kept_moves(folder, table)
        assert [seq for seq, _ in rows] == list(range(len(rows)))
        kept = dict(rows)
        for each in players:
            assert each.done
            assert all(kept[seq] == move for seq, move in each.done.items())
        return players


async def process_of(server: Server, page: Page | None) -> int:
    """The process a page is connected to, once the accepting process has handed it over."""
    assert page is not None
    port = page.socket.local_address[1]
    async with asyncio.timeout(PATIENCE):
        while True:
            alive = [psutil.Process(pid) for pid in members(server) if psutil.pid_exists(pid)]
            found = [each.pid for each in alive if port in _far_ports(each)]
            if len(found) == 1:
                return found[0]
            await asyncio.sleep(0.01)


def _far_ports(process: psutil.Process) -> set[int]:
    return {line.raddr.port for line in process.net_connections("tcp") if line.raddr}


async def until_some_are_made(players: list[Player]) -> None:
    while not all(player.done for player in players):
        await asyncio.sleep(0.005)


def test_a_file_cannot_be_shared() -> None:
    with pytest.raises(
        ValueError, match=r"processes: 2 cannot write to one file; name a PostgreSQL .* or use 1"
    ):
        ServerConfig(processes=2)


def test_a_process_that_is_killed_is_started_again_and_nothing_is_lost(
    server: Server, folder: Path
) -> None:
    before = members(server)

    async def kill_one(players: list[Player]) -> None:
        await until_some_are_made(players)
        os.kill(await process_of(server, players[0].page), signal.SIGKILL)
        await wait_for_members(server, len(before) + 1)

    asyncio.run(played_through(server, folder, kill_one))


def test_all_pages_of_a_table_are_at_one_process_and_tables_at_all(server: Server) -> None:
    async def where_pages_are() -> list[set[int]]:
        """By table, until every process has had one."""
        found: list[set[int]] = []
        async with (
            Person(server) as ann,
            Person(server) as ben,
            AsyncExitStack() as pages,
            asyncio.timeout(PATIENCE),
        ):
            while len(found) < 5 or len(set.union(*found)) < 2:
                table, _links = await ann.new_table("suleika", "me", "link")
                opened = [
                    await pages.enter_async_context(each.page(table))
                    for each in (ann, ann, ben, ben)
                ]
                found.append({await process_of(server, page) for page in opened})
        return found

    assert {len(each) for each in asyncio.run(where_pages_are())} == {1}


def test_a_connection_that_cannot_be_handed_over_is_served_where_it_is(tmp_path: Path) -> None:
    async def asked(
        router: ConnectionRouter, table: str, ending: ConnectionRouter | None = None
    ) -> tuple[bool, bytes]:
        """Whether a connection is handed over, and what the page gets if so. `ending`: who is told
        to end meanwhile.
        """
        page, other = socket.socketpair()
        page.setblocking(False)
        transport, _ = await asyncio.get_running_loop().create_connection(
            asyncio.Protocol, sock=other
        )
        led = router.hand_over(table, transport, b"GET /")
        transport.abort()
        if ending:
            await ending.close()
        with page:
            async with asyncio.timeout(PATIENCE):
                return led, await asyncio.get_running_loop().sock_recv(page, 100) if led else b""

    class Answer(asyncio.Protocol):
        def connection_made(self, transport: Any) -> None:
            self.transport = transport

        def data_received(self, data: bytes) -> None:
            self.transport.write(b"you asked: " + data)
            self.transport.close()

    async def try_it() -> None:
        here, there = ConnectionRouter(tmp_path, 0, 2), ConnectionRouter(tmp_path, 1, 2)
        own, other = (
            next(name for name in map(str, range(99)) if here.home_of(name) == home)
            for home in range(2)
        )
        assert await asked(here, other) == (False, b"")  # not started yet
        there.receive(Answer)
        assert await asked(here, other) == (True, b"you asked: GET /")
        assert await asked(here, own) == (False, b"")  # this process is responsible itself
        successor = ConnectionRouter(tmp_path, 1, 2)
        successor.receive(Answer)  # while the old process is still there, as in a rolling restart
        await there.close()
        assert await asked(here, other) == (True, b"you asked: GET /")
        assert await asked(here, other, ending=successor) == (True, b"you asked: GET /")
        assert await asked(here, other) == (False, b"")
        await here.close()

    asyncio.run(try_it())


def test_a_rolling_restart_loses_no_move(server: Server, folder: Path) -> None:
    before = members(server)

    async def restart_all(players: list[Player]) -> None:
        await until_some_are_made(players)
        os.kill(server.pid, signal.SIGHUP)
        await wait_for_members(server, len(before) + 2)

    players = asyncio.run(played_through(server, folder, restart_all))
    assert {code for player in players for code in player.ends} <= {1012}
    asyncio.run(wait_until_gone(before[-2:]))


async def wait_until_gone(pids: list[int]) -> None:
    async with asyncio.timeout(PATIENCE):
        while any(
            psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
            for pid in pids
        ):
            await asyncio.sleep(0.02)


def patient_server(folder: Path) -> Server:
    """A server that does not restart processes that died early within the test."""
    return Server(folder, program="tests.server.support.slow_supervisor", processes=2, workers=2)


def alive(server: Server) -> list[int]:
    """Processes that are running."""
    running = [psutil.Process(pid) for pid in members(server) if psutil.pid_exists(pid)]
    return [each.pid for each in running if each.status() != psutil.STATUS_ZOMBIE]


async def wait_for_alive(server: Server, count: int) -> None:
    async with asyncio.timeout(2 * PATIENCE):
        while len(alive(server)) != count:
            await asyncio.sleep(0.02)


def test_last_process_is_restarted_at_once_and_sighup_restarts_the_others(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def run(server: Server) -> None:
        before = members(server)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        await wait_for_members(server, len(before) + 1)
        await wait_for_alive(server, 1)
        os.kill(server.pid, signal.SIGHUP)
        async with asyncio.timeout(PATIENCE):
            while not any('"restarted"' in line for line in server.lines):
                await asyncio.sleep(0.02)
        await wait_for_alive(server, 2)

    monkeypatch.setenv("SOUK_WELL_AFTER", "3600")
    with patient_server(folder / "none") as server:
        asyncio.run(run(server))
        assert server.stop() == 0


def test_a_healthy_process_is_restarted_at_once(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert supervising._SECONDS_HEALTHY <= 5
    monkeypatch.setenv("SOUK_WELL_AFTER", "0")
    with patient_server(folder / "well") as server:
        os.kill(members(server)[0], signal.SIGKILL)
        asyncio.run(wait_for_members(server, 3))
        assert server.stop() == 0


def test_a_process_that_cannot_start_logs_the_reason_in_one_line(tmp_path: Path) -> None:
    nowhere = [
        "--store",
        "postgresql://nobody@127.0.0.1:1/none",
        "--port",
        "0",
        "--data",
        str(tmp_path),
    ]
    process, told = start_python(
        ["-m", "souk.cli", "serve", "--processes", "2", "--log", "json", *nowhere]
    )
    with told:
        try:
            lines = [json.loads(next(told)) for _ in range(4)]
        finally:
            process.send_signal(signal.SIGTERM)
            told.read()
    assert process.wait(PATIENCE) == 0
    whys = [line["why"] for line in lines if line["event"] == "process cannot serve"]
    assert whys
    assert all("postgresql://nobody@127.0.0.1:1/none cannot be reached" in why for why in whys)
    assert any("did not start: exit status 2" in line["event"] for line in lines)
