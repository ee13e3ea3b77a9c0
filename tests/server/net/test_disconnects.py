"""Disconnects: dead connections are closed, and ended ones leave memory without a garbage
collection.
"""

import asyncio
import random
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
import websockets

from tests.server.support.clients import PATIENCE, Person, Server, checked_server, page_at_new_table

ROOT = Path(__file__).parents[3]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with checked_server(
        tmp_path_factory.mktemp("ends"), home=ROOT, program="tests.server.support.impatient_server"
    ) as found:
        yield found


async def hear_to_the_end(server: Server) -> bytes:
    """Everything sent to a lobby page that never answers, not even pings."""
    host, _, port = server.address.partition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    head = (
        f"GET /api/lobby/socket HTTP/1.1\r\nHost: {server.address}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\n"
    )
    writer.write(
        f"{head}Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: {'A' * 22}==\r\n\r\n".encode()
    )
    heard = await asyncio.wait_for(reader.read(), PATIENCE)
    writer.close()
    return heard


def test_who_gives_no_sign_of_life_is_cut_off_and_who_does_stays(server: Server) -> None:
    async def run() -> None:
        async with page_at_new_table(server, "suleika", "me", "here") as living:
            assert b" 101 " in await hear_to_the_end(server)
            assert (await living.ask("ping"))["is"] == "pong"

    asyncio.run(run())


def test_what_has_ended_leaves_nothing_behind(server: Server) -> None:
    async def play(person: Person) -> None:
        async with person.page_at_new_table("basari", "me", "bot", "bot") as page:
            await page.play(0, random.Random(1))

    async def run() -> None:
        async with httpx.AsyncClient(base_url=f"http://{server.address}") as host:
            await host.get("/garbage")  # left over from the start
            for _ in range(3):
                async with Person(server) as person:
                    await play(person)
                    assert (await person.http.get("/api/tables/nowhere")).status_code == 404
                    async with websockets.connect(
                        f"ws://{server.address}/api/lobby/socket"
                    ) as lobby:
                        await lobby.recv()
            await asyncio.sleep(0.5)  # until the ends have arrived
            found = (await host.get("/garbage")).json()
        assert not [
            name
            for name in found
            if name.startswith(("souk.", "uvicorn.", "uvloop.", "websockets."))
        ], found

    asyncio.run(run())
