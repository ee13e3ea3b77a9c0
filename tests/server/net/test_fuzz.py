"""Fuzzing sockets and HTTP: the server answers or closes, stays healthy and logs no error."""

import asyncio
import json
import random
from contextlib import suppress
from typing import Any

import httpx
import pytest
import websockets

from souk.server.protocol.table import VERSION
from tests.server.support.clients import Person, Server, page_at_new_table

MESSAGES = 400
WORDS = [
    "do",
    "watch",
    "move",
    "check_legality",
    "take_back",
    "stand_in",
    "rematch",
    "ping",
    "id",
    "after",
    "seat",
    "version",
    "level",
    "propose",
    "what",
    "pause",
    "end",
    "respond",
    "number",
    "resume",
    "vote_on_absence",
    "about",
    "choice",
]
GOOD: list[dict[str, Any]] = [
    {"do": "watch", "version": VERSION, "after": -1, "seat": None},
    {"do": "move", "id": 1, "after": -1, "seat": 0, "move": "left"},
    {"do": "check_legality", "id": 1, "seat": 0, "move": "rug a1 a2"},
    {"do": "take_back", "id": 1, "after": 0, "seat": 0},
    {"do": "stand_in", "id": 1, "seat": 1, "level": "random"},
    {"do": "rematch", "id": 1},
    {"do": "say", "id": 1, "seat": 0, "phrase": "suleika.phrases.dear"},
    {"do": "say", "id": 1, "seat": 0, "text": "well"},
    {"do": "report_chat", "id": 1, "number": 0},
    {"do": "page_visibility", "id": 1, "visible": True},
    {"do": "ping", "id": 1},
    {"do": "propose", "id": 1, "seat": 0, "what": "take_back", "after": 0},
    {"do": "respond", "id": 1, "seat": 0, "number": 1, "agrees": True},
    {"do": "resume", "id": 1, "seat": 0},
    {"do": "replace_bot", "id": 1, "seat": 0},
    {"do": "vote_on_absence", "id": 1, "seat": 0, "about": 1, "choice": "wait", "level": "random"},
]
LAST: list[dict[str, Any]] = [
    {"do": do, "id": 1} for do in ("start_game", "leave_table", "cancel_table", "resign")
]  # hardly anything can be sent after these


def strange(rng: random.Random, depth: int = 0) -> Any:
    """Some value that does not belong there."""
    kinds = [
        lambda: None,
        lambda: rng.choice([True, False]),
        lambda: rng.choice([0, -1, 1, 7, 2**31, 2**63, -(2**63), 2**64, 10**30, 1e308, -0.0, 0.5]),
        lambda: rng.choice(WORDS),
        lambda: "".join(
            chr(rng.choice([rng.randrange(32), rng.randrange(0x2000, 0x2100), 0x1F42A]))
            for _ in range(8)
        ),
        lambda: "x" * rng.choice([0, 100, 3000, 9000]),
        lambda: "\ud800",
    ]
    if depth < 3:
        kinds.append(lambda: [strange(rng, depth + 1) for _ in range(rng.randrange(3))])
        kinds.append(
            lambda: {rng.choice(WORDS): strange(rng, depth + 1) for _ in range(rng.randrange(3))}
        )
    return rng.choice(kinds)()


def nonsense(rng: random.Random, good: list[dict[str, Any]] = GOOD) -> str | bytes:
    """A message with something wrong in it, sometimes with nothing wrong."""
    message = dict(rng.choice(good))
    for _ in range(rng.randrange(3)):
        message[rng.choice([*message, rng.choice(WORDS)])] = strange(rng)
    text = json.dumps(message)
    kind = rng.randrange(10)
    if kind == 0:
        return text[: rng.randrange(len(text))]
    if kind == 1:
        return rng.randbytes(rng.randrange(100))
    if kind == 2:
        return rng.choice(
            [
                "[" * 2000,
                '{"do":' * 700,
                "",
                " ",
                "null",
                "[]",
                '"',
                "\x00",
                '{"do":"move","do":"ping"}',
                "NaN",
                "1e999",
            ]
        )
    if kind == 3:
        place = rng.randrange(len(text))
        return text[:place] + chr(rng.randrange(1, 0x300)) + text[place:]
    return text


@pytest.mark.parametrize("seed", range(3))
def test_nonsense_over_a_socket(server: Server, seed: int) -> None:
    rng = random.Random(seed)

    async def babble(person: Person, table: str, good: list[dict[str, Any]] = GOOD) -> int:
        """Send until the server closes or all is sent; returns the number sent."""
        said = 0
        address = f"ws://{server.address}/api/tables/{table}/socket"
        headers = {"cookie": f"souk={person.cookie}"}
        try:
            async with websockets.connect(
                address, additional_headers=headers, compression=None
            ) as socket:
                for _ in range(MESSAGES // 4):
                    await socket.send(nonsense(rng, good))
                    said += 1
                await socket.send('{"do":"ping","id":77}')
                while json.loads(await asyncio.wait_for(socket.recv(), 20)).get("id") != 77:
                    pass
        except websockets.ConnectionClosed:
            pass
        return said

    async def fuzz() -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "here", "bot")
            while_saying = 0
            while while_saying < MESSAGES:
                while_saying += await babble(person, table)
            async with person.page(table) as page:
                assert (await page.ask("ping"))["is"] == "pong"
            for seats in (["me", "open", "open"], ["me", "bot"]):
                table, _ = await person.new_table("suleika", *seats)
                assert await babble(person, table, [*LAST, *GOOD])

    asyncio.run(fuzz())
    assert not server.troubles


def test_messages_that_are_too_large(server: Server) -> None:
    async def shout() -> None:
        async with page_at_new_table(server, "suleika", "me", "here") as page:
            await page.say({"do": "move", "id": 1, "after": -1, "seat": 0, "move": "x" * 5000})
            refused = await page.until(lambda message: message["is"] == "refused")
            assert refused["reason"][0] == "table.refused.too_large"
            assert (await page.ask("ping"))["is"] == "pong"
            with pytest.raises(websockets.ConnectionClosed):  # noqa: PT012
                await page.say("x" * 100_000)
                while True:
                    await page.hear()

    asyncio.run(shout())


def test_a_page_of_another_version_is_told(server: Server) -> None:
    async def watch() -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "here")
            async with websockets.connect(
                f"ws://{server.address}/api/tables/{table}/socket"
            ) as socket:
                await socket.send('{"do":"move","id":1,"after":-1,"seat":0,"move":"left"}')
                assert "watch_first" in str(await socket.recv())
                await socket.send('{"do":"watch","version":0}')
                assert "other_version" in str(await socket.recv())
                with pytest.raises(websockets.ConnectionClosed):
                    await socket.recv()

    asyncio.run(watch())


def test_a_foreign_page_gets_no_socket(server: Server) -> None:
    async def connect(origin: str) -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "here")
            address = f"ws://{server.address}/api/tables/{table}/socket"
            async with websockets.connect(address, origin=origin) as socket:  # type: ignore[arg-type]
                await socket.send(f'{{"do":"watch","version":{VERSION}}}')
                assert '"is":"table"' in str(await socket.recv())

    asyncio.run(connect(f"http://{server.address}"))
    for origin in ("https://elsewhere.example", "null", f"http://{server.address}.example"):
        with pytest.raises(websockets.InvalidStatus):
            asyncio.run(connect(origin))


def test_a_table_that_is_none_is_said_so(server: Server) -> None:
    async def connect() -> None:
        async with websockets.connect(
            f"ws://{server.address}/api/tables/{'a' * 16}/socket"
        ) as socket:
            assert "table_unknown" in str(await socket.recv())
            with pytest.raises(websockets.ConnectionClosed):
                await socket.recv()

    asyncio.run(connect())


@pytest.mark.parametrize("seed", range(2))
def test_nonsense_over_http(server: Server, seed: int) -> None:
    rng = random.Random(seed)
    paths = [
        "/api/tables",
        "/api/tables/x/sit",
        "/api/tables/x/hide",
        "/api/tables/x/invitation",
        "/api/tables?after=1~%00~x",
        "/api/lobby",
        "/api/push",
        "/api/push/end",
        "/api/people/me/listed",
        "/api/people/%00",
        "/api/leaders/suleika?page=%2d1&provisional=%00",
        "/api/ladder",
        "/api/tables/%ff/ratings",
        "/api/events",
        "/api/events/x/join",
        f"/api/events/{'a' * 16}/join",
        f"/api/events/{'a' * 16}/leave",
        f"/api/events/{'a' * 16}/host",
        f"/api/events/{'a' * 16}/control",
        f"/api/events/{'a' * 16}?known=%00",
        f"/api/events/{'a' * 16}/rounds/x",
        "/api/tables/%00/record",
        "/languages/%2e%2e.json",
        "/t/%ff",
        "/%",
    ]

    async def fuzz() -> None:
        async with httpx.AsyncClient(base_url=f"http://{server.address}") as client:
            for _ in range(MESSAGES // 2):
                content = nonsense(rng)
                headers = {"content-type": rng.choice(["application/json", "text/html", "x" * 300])}
                headers["cookie"] = rng.choice(
                    ["souk=", "souk=" + "x" * 32, 'souk="\\', "a" * 3000, "souk=\xe4"]
                ).encode("latin-1")  # type: ignore[assignment]
                method = rng.choice(["POST", "POST", "GET", "PUT", "DELETE", "OPTIONS", "HEAD"])
                body = (
                    content
                    if isinstance(content, bytes)
                    else content.encode("utf-8", "surrogatepass")
                )
                answer = await client.request(
                    method, rng.choice(paths), content=body, headers=headers
                )
                assert answer.status_code < 500
            assert (await client.get("/healthz")).status_code == 200

    asyncio.run(fuzz())
    assert not server.troubles


def test_broken_requests(server: Server) -> None:
    """Below HTTP: the server closes the connection and stays healthy."""
    host, _, port = server.address.partition(":")

    async def send(data: bytes) -> None:
        reader, writer = await asyncio.open_connection(host, int(port))
        with suppress(OSError):  # it need not read everything to refuse it
            writer.write(data)
            writer.write_eof()
        with suppress(ConnectionError):
            await asyncio.wait_for(reader.read(), 20)
        writer.close()

    async def fuzz() -> None:
        rng = random.Random(5)
        upgrade = (
            b"GET /api/tables/aaaaaaaaaaaaaaaa/socket HTTP/1.1\r\n"
            b"Host: localhost\r\nUpgrade: websocket\r\n"
        )
        for data in (
            b"\x16\x03\x01\x02\x00",
            b"GET / HTTP/9.9\r\n\r\n",
            b"GET / HTTP/1.1\r\nContent-Length: x\r\n\r\n",
            b"GET /" + b"a" * 200_000,
            upgrade + b"\r\n",
            upgrade
            + b"Connection: Upgrade\r\nSec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n",
            upgrade + b"Connection: Upgrade\r\nSec-WebSocket-Version: 99\r\n\r\n",
            *(rng.randbytes(200) for _ in range(20)),
        ):
            await send(data)
        assert httpx.get(f"http://{server.address}/healthz").status_code == 200

    asyncio.run(fuzz())
