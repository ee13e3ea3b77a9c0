"""Admission: all input is bounded in size, number and time, and delays nobody else."""

import asyncio
import json
import random
import re
import struct
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from souk.server.common.client import Client
from souk.server.common.config import ServerConfig
from souk.server.common.rate_limits import PerClientLimits, rate_limit_key
from souk.server.http.static import SITE, LanguageFiles
from tests.server.support.clients import PATIENCE, Person, Server, checked_server, page_at_new_table

ROOT = Path(__file__).parents[3]
LIMITS = ("rate", "burst", "sockets", "connections")
USUAL = {name: value for name, value in vars(ServerConfig()).items() if name.endswith(LIMITS)}
# CPU seconds; a busy machine needs twice as many. Unbounded, each case took seconds.
MOST_HELD = 0.3
TABLE = "a" * 16


@pytest.fixture(scope="module")
def usual(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with its usual limits per connection, and a ticking task. More requests are let
    through, which is harder.
    """
    limits = {
        name: value
        for name, value in USUAL.items()
        if name.startswith(("frame", "byte", "message", "connections"))
    }
    with checked_server(
        tmp_path_factory.mktemp("usual"),
        home=ROOT,
        program="tests.server.support.loop_ticks",
        **limits,
    ) as found:
        yield found


@asynccontextmanager
async def connection(server: Server) -> Any:
    host, _, port = server.address.rpartition(":")
    reader, writer = await asyncio.open_connection(host, int(port))
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


def connected(server: Server) -> int:
    """Connections of a server known to the kernel, including half-open ones."""
    port = f":{int(server.address.rpartition(':')[2]):04X}"
    rows = [line.split() for line in Path("/proc/net/tcp").read_text().splitlines()[1:]]
    return sum(local.endswith(port) and state in ("01", "08") for _, local, _, state, *_ in rows)


async def until_connected(server: Server, number: int) -> None:
    """Wait until a server has this many connections."""
    async with asyncio.timeout(PATIENCE):
        while connected(server) != number:
            await asyncio.sleep(0.02)


async def tell(server: Server, *pieces: bytes, first: bytes = b"", seconds: float = 2.0) -> bytes:
    """Send as much as the server takes and read its replies for some seconds. `first` is answered
    before the rest is sent.
    """
    said = bytearray()

    async def listen(reader: asyncio.StreamReader) -> None:
        while more := await reader.read(65536):
            said.extend(more)

    async with connection(server) as (reader, writer):
        if first:
            writer.write(first)
            said += await asyncio.wait_for(reader.readuntil(b"\r\n\r\n"), PATIENCE)
        listening = asyncio.create_task(listen(reader))
        with suppress(TimeoutError, OSError):
            async with asyncio.timeout(seconds):
                for piece in pieces:
                    writer.write(piece)
                    await writer.drain()
                await listening
        listening.cancel()
        with suppress(asyncio.CancelledError, OSError):
            await listening
    return bytes(said)


def handshake(table: str = TABLE, *more: str) -> bytes:
    lines = [
        f"GET /api/tables/{table}/socket HTTP/1.1",
        "Host: localhost",
        "Upgrade: websocket",
        "Connection: Upgrade",
    ]
    lines += [
        "Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==",
        "Sec-WebSocket-Version: 13",
        *more,
        "",
        "",
    ]
    return "\r\n".join(lines).encode()


def frame(opcode: int, data: bytes = b"", end: bool = True) -> bytes:
    """A client frame, masked with zeros."""
    size = len(data)
    head = bytes([opcode | (0x80 if end else 0), 0x80 | (size if size < 126 else 126)])
    return head + (struct.pack("!H", size) if size >= 126 else b"") + bytes(4) + data


# ---------------------------------------------------------------- event loop

GET = b"GET /api/lobby HTTP/1.1\r\nHost: localhost\r\n"
POST = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
PIECES = 40  # about 100 kB each

OVER_HTTP = {
    "an endless address": [b"GET /", *[b"a" * 100_000] * PIECES],
    "many headers": [GET, *[b"x: y\r\n" * 16_000] * PIECES],
    "one endless header": [GET + b"x: ", *[b"y" * 100_000] * PIECES],
    "cookies of backslashes": [(GET + b'Cookie: souk="' + b"\\\\" * 7000 + b"\r\n\r\n") * 40],
    "cookies of semicolons": [(GET + b"Cookie: " + b"; souk=" * 2000 + b"\r\n\r\n") * 40],
    "many requests at once": [(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") * 5000],
    "many questions at once": [(GET + b"\r\n") * 5000],
    "a large body": [POST + b"Content-Length: 100000000\r\n\r\n", *[b"[" * 100_000] * PIECES],
    "a body byte by byte": [
        POST + b"Transfer-Encoding: chunked\r\n\r\n",
        *[b"1\r\n[\r\n" * 16_000] * PIECES,
    ],
    "a body of brackets": [(POST + b"Content-Length: 16000\r\n\r\n" + b"[" * 16_000) * 20],
    "an endless trailer": [
        POST + b"Transfer-Encoding: chunked\r\n\r\n0\r\nx: ",
        *[b"y" * 100_000] * PIECES,
    ],
    "nonsense": [bytes(range(256)) * 4000],
}

OVER_SOCKETS = {
    "empty parts": [frame(1, end=False), *[frame(0, end=False) * 16_000] * 10],
    "pongs": [frame(10) * 16_000] * PIECES,
    "pings": [frame(9, b"x" * 100) * 1000] * PIECES,
    "tiny messages": [frame(1) * 16_000] * PIECES,
    "large messages": [frame(1, b"[" * 16_000) * 6] * PIECES,
    "commands": [frame(1, json.dumps({"do": "ping", "id": 1}).encode()) * 2000] * 20,
    "bytes": [frame(2, b"\xff" * 4000) * 25] * PIECES,
}


def worst(server: Server) -> float:
    """How long the loop was blocked since the last call."""
    return float(httpx.get(f"http://{server.address}/tick", timeout=PATIENCE).json()["loop"])


@pytest.mark.parametrize("what", OVER_HTTP)
def test_no_request_holds_the_loop(usual: Server, what: str) -> None:
    worst(usual)
    asyncio.run(tell(usual, *OVER_HTTP[what]))
    assert worst(usual) < MOST_HELD


@pytest.mark.parametrize("what", OVER_SOCKETS)
def test_no_frame_holds_the_loop(usual: Server, what: str) -> None:
    async def flood() -> None:
        async with Person(usual) as person:
            table, _ = await person.new_table("suleika", "me", "here")
        worst(usual)
        answer = await tell(usual, *OVER_SOCKETS[what], first=handshake(table))
        assert answer.startswith(b"HTTP/1.1 101")

    asyncio.run(flood())
    assert worst(usual) < MOST_HELD


@pytest.mark.parametrize("what", ["record", "aside"])
def test_no_question_about_a_long_game_holds_the_loop(usual: Server, what: str) -> None:
    """Anybody with a table's id may request its record, within limits."""

    async def flood() -> None:
        async with page_at_new_table(usual, "suleika", "me", "bot", "bot", "bot") as page:
            await page.play(0, random.Random(1))
            worst(usual)
            asked = (
                GET.replace(b"/api/lobby", f"/api/tables/{page.table}/{what}".encode()) + b"\r\n"
            )
            await asyncio.gather(*(tell(usual, asked * 100) for _ in range(4)))

    asyncio.run(flood())
    assert worst(usual) < MOST_HELD


def test_many_handshakes_hold_nobody_up(usual: Server) -> None:
    async def flood() -> None:
        await asyncio.gather(
            *(tell(usual, handshake(TABLE, "Origin: http://[")) for _ in range(200))
        )

    worst(usual)
    asyncio.run(flood())
    assert worst(usual) < MOST_HELD


def test_cookies_are_read_in_no_time() -> None:
    start = time.process_time()
    for cookie in (
        b'souk="' + b"\\\\" * 60_000,
        b"; " * 60_000,
        b";" + b" " * 120_000 + b"souk=",
        b"souk=a;" * 20_000,
    ):
        assert Client({"headers": [(b"cookie", cookie)], "scheme": "http"}).player is None
    assert time.process_time() - start < 0.05


@pytest.mark.parametrize(
    "form", ["souk={}", "a=b; souk={}", "souk={}; a=b", "a=;souk={} ;b", "souk=no; souk={}"]
)
def test_our_cookie_is_found_among_others(form: str) -> None:
    scope = {"headers": [(b"cookie", form.format("x" * 32).encode())], "scheme": "http"}
    assert Client(scope).player is not None
    for other in ("x" * 31, "x" * 33, "x" * 31 + "\xe4", ""):
        assert (
            Client(scope | {"headers": [(b"cookie", form.format(other).encode("latin-1"))]}).player
            is None
        )


def test_the_list_of_languages_is_made_once() -> None:
    from starlette.requests import Request

    pages, request = LanguageFiles(), Request({"type": "http", "headers": []})
    start = time.process_time()
    for _ in range(200):
        assert pages.all(request).status_code == 200
    assert time.process_time() - start < 0.5  # reading the files takes 18 ms each time


# ---------------------------------------------------------------- request limits


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET /" + b"a" * 8000 + b" HTTP/1.1\r\nHost: localhost\r\n\r\n", 200),
        (b"GET /" + b"a" * 8200 + b" HTTP/1.1\r\n\r\n", 414),
        (b"GET /" + b"a" * 15_000, 414),
        (GET + b"x: y\r\n" * 99 + b"\r\n", 200),
        (GET + b"x: y\r\n" * 101 + b"\r\n", 431),
        (GET + b"x: " + b"y" * 16_000 + b"\r\n\r\n", 200),
        (GET + b"x: " + b"y" * 16_400 + b"\r\n\r\n", 431),
        (GET + b"x: " + b"y" * 27_000, 431),
    ],
)
def test_requests_have_a_size(usual: Server, request_: bytes, status: int) -> None:
    answer = asyncio.run(tell(usual, first=request_, seconds=0.0))
    assert answer.startswith(f"HTTP/1.1 {status} ".encode()), answer[:100]


def test_requests_that_come_in_bits_are_read_as_well(usual: Server) -> None:
    async def ask() -> bytes:
        async with connection(usual) as (reader, writer):
            request = b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
            for byte in request + request[:-2] + b"Connection: close\r\n\r\n":
                writer.write(bytes([byte]))
                await writer.drain()
                await asyncio.sleep(0.001)
            return bytes(await asyncio.wait_for(reader.read(), PATIENCE))

    assert asyncio.run(ask()).count(b"\r\n\r\nok\n") == 2


def test_requests_at_once_are_answered_in_order(usual: Server) -> None:
    paths = ["/healthz", "/nothing.js", "/languages.json"] * 200
    asked = (
        "".join(f"GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n" for path in paths)
        + "GET / HTTP/1.0\r\nHost: localhost\r\n\r\n"
    )
    answers = re.findall(
        rb"HTTP/1.1 (\d+)", asyncio.run(tell(usual, asked.encode(), seconds=PATIENCE))
    )
    assert answers == [b"200", b"404", b"200"] * 200 + [b"200"]


def test_whoever_leaves_with_several_requests_unanswered_is_no_trouble(tmp_path: Path) -> None:
    """The response under way when the connection breaks need not be the newest request's."""

    async def leave(server: Server) -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "bot")
            asked = GET.replace(b"/api/lobby", f"/api/tables/{table}/record".encode()) + b"\r\n"
            for pause in range(30):
                async with connection(server) as (_, writer):
                    writer.write(asked * 3)
                    await asyncio.sleep(pause / 3000)

    with checked_server(tmp_path) as server:
        asyncio.run(leave(server))


def test_silent_and_halting_connections_end(usual: Server) -> None:
    game_start = [
        b"",
        b"\r\n",
        b"GET / HT",
        GET,
        POST + b"Content-Length: 100\r\n\r\n[",
        b"GET / HTTP/1.1\r\n\r\nGET",
    ]

    async def wait(beginning: bytes) -> bytes:
        async with connection(usual) as (reader, writer):
            writer.write(beginning)
            return bytes(await asyncio.wait_for(reader.read(), PATIENCE))

    async def drip() -> None:
        async with connection(usual) as (_, writer):
            writer.write(GET)
            with pytest.raises(ConnectionError):  # noqa: PT012
                for _ in range(200):
                    writer.write(b"x: y\r\n" if _ % 20 == 0 else b"")
                    await writer.drain()
                    await asyncio.sleep(0.1)

    async def all_of_them() -> None:
        await asyncio.gather(drip(), *(wait(each) for each in game_start))

    asyncio.run(all_of_them())


# ---------------------------------------------------------------- connections


def refusals(server: Server, what: str) -> list[int]:
    lines = [json.loads(line) for line in server.lines if '"refused"' in line]
    return [line["number"] for line in lines if line["what"] == what]


@pytest.mark.parametrize(
    ("limits", "what"),
    [
        ({"connections": 5}, "connections: too many open from one address"),
        ({"all_connections": 5}, "connections: too many open"),
    ],
)
def test_connections_over_the_limit_are_closed_at_once(
    tmp_path: Path, limits: dict[str, int], what: str
) -> None:
    async def crowd(server: Server) -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "here")
        await until_connected(server, 0)
        async with person.page(table) as page:  # sockets count too
            async with (
                connection(server),
                connection(server),
                connection(server),
                connection(server),
            ):
                start = time.monotonic()
                answers = await asyncio.gather(
                    *(tell(server, GET + b"\r\n", seconds=PATIENCE) for _ in range(50))
                )
                assert not any(answers)
                assert time.monotonic() - start < PATIENCE / 2
                assert (await page.ask("ping"))["is"] == "pong"
            await until_connected(server, 1)
            answer = await tell(server, GET + b"Connection: close\r\n\r\n", seconds=PATIENCE)
            assert answer.startswith(b"HTTP/1.1 200")
        async with asyncio.timeout(PATIENCE):
            while not refusals(server, what):
                await asyncio.sleep(0.02)

    with checked_server(tmp_path, **limits) as server:
        asyncio.run(crowd(server))
        [number] = refusals(server, what)  # one line soon; more follow a minute later
        assert 1 <= number <= 50


def test_as_many_files_are_opened_as_may_be() -> None:
    program = """if True:
        import resource
        from souk.server.net.admission import open_more_files, room_for_connections
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, 700))
        assert room_for_connections() == 128
        open_more_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (700, 700)
        assert room_for_connections() == 572
    """
    subprocess.run([sys.executable, "-c", program], check=True)


def test_places_are_given_back(tmp_path: Path) -> None:
    async def come_and_go(server: Server) -> None:
        for _ in range(30):
            await tell(server, b"nonsense\r\n\r\n", seconds=1)
            await tell(server, handshake(TABLE, "Origin: http://["), seconds=1)
            await tell(server, handshake(), seconds=0.01)
            await tell(server, GET + b"\r\n", seconds=0.01)
        await until_connected(server, 0)
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "here")
            async with person.page(table):
                pass

    with checked_server(tmp_path, connections=8, sockets=3) as server:
        asyncio.run(come_and_go(server))


@pytest.mark.parametrize(
    "origin",
    [
        "http://[",
        "http://]",
        "http://\u00bd.example".encode().decode("latin-1"),
        "null",
        "://",
        "x",
    ],
)
def test_strange_origins_are_refused(usual: Server, origin: str) -> None:
    answer = asyncio.run(tell(usual, handshake(TABLE, f"Origin: {origin}"), seconds=PATIENCE))
    assert answer.startswith(b"HTTP/1.1 403"), answer[:100]
    body = (
        b"Origin: "
        + origin.encode("latin-1", "replace")
        + b"\r\nContent-Length: 2\r\nConnection: close\r\n\r\n{}"
    )
    assert asyncio.run(tell(usual, POST + body, seconds=PATIENCE)).startswith(b"HTTP/1.1 403")
    nobody = POST.replace(b"Host: localhost", b"Host:") + body
    assert asyncio.run(tell(usual, nobody, seconds=PATIENCE)).startswith(b"HTTP/1.1 421")


def test_handshakes_are_requests(tmp_path: Path) -> None:
    async def status(server: Server) -> bytes:
        async with connection(server) as (reader, writer):
            writer.write(handshake())
            line: bytes = await asyncio.wait_for(reader.readuntil(b"\r\n"), PATIENCE)
            return line[9:12]

    async def hurry(server: Server) -> list[bytes]:
        return [await status(server) for _ in range(15)]

    with checked_server(tmp_path, request_rate=0.01, request_burst=10) as server:
        statuses = asyncio.run(hurry(server))
        assert statuses == [b"101"] * 10 + [b"429"] * 5


@pytest.mark.parametrize(
    ("address", "name"),
    [
        ("203.0.113.7", "203.0.113.7"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::/64"),
        ("2001:db8:1:2:bbbb::9", "2001:db8:1:2::/64"),
        ("2001:db8:1:3::1", "2001:db8:1:3::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("::ffff:203.0.113.7", "203.0.113.7"),
        ("no:address", "no:address"),
        ("", ""),
    ],
)
def test_a_network_of_ipv6_counts_as_one(address: str, name: str) -> None:
    assert rate_limit_key(address) == name
    assert Client({"headers": [], "scheme": "http", "client": (address, 1)}).rate_limit_key == name


def test_many_addresses_are_counted_in_no_time() -> None:
    buckets = PerClientLimits(0.001, 10)
    start = time.process_time()
    for number in range(50_000):
        buckets.take(str(number))
    assert time.process_time() - start < 2.0  # checking them all each time would take minutes


# ---------------------------------------------------------------- frames


def memory(server: Server) -> int:
    return (
        int(re.search(r"VmRSS:\s+(\d+)", Path(f"/proc/{server.pid}/status").read_text())[1]) * 1024
    )  # type: ignore[index]


def test_who_pings_and_never_reads_fills_no_memory(usual: Server) -> None:
    async def flood() -> int:
        async with Person(usual) as person:
            table, _ = await person.new_table("suleika", "me", "here")
        before = memory(usual)
        async with connection(usual) as (reader, writer):
            writer.write(handshake(table))
            await reader.readuntil(b"\r\n\r\n")
            writer.transport.pause_reading()  # type: ignore[attr-defined]
            with suppress(TimeoutError, OSError):
                async with asyncio.timeout(4):
                    for _ in range(1000):
                        writer.write(frame(9, b"x" * 125) * 1000)
                        await writer.drain()
            return memory(usual) - before

    assert asyncio.run(flood()) < 20_000_000


def test_a_message_may_come_in_sixteen_parts(usual: Server) -> None:
    async def say(page: Any, parts: int) -> None:
        text = json.dumps({"do": "ping", "id": parts})
        await page.socket.send(
            [*text[: parts - 2], text[parts - 2 :]]
        )  # the last, empty frame ends the message

    async def talk() -> None:
        async with page_at_new_table(usual, "suleika", "me", "here") as page:
            await say(page, 16)
            assert await page.until(lambda message: message["is"] == "pong") == {
                "is": "pong",
                "id": 16,
            }
            with pytest.raises(websockets.ConnectionClosed) as closed:  # noqa: PT012
                await say(page, 17)
                await page.until(lambda message: message["is"] == "pong")
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 1009

    asyncio.run(talk())


def test_frames_over_the_limit_wait_and_then_end_the_connection(usual: Server) -> None:
    async def hurry(frames: int) -> int | None:
        async with page_at_new_table(usual, "suleika", "me", "here") as page:
            for _ in range(frames):
                await page.socket.pong()
            with suppress(websockets.ConnectionClosed):
                assert (await page.ask("ping"))["is"] == "pong"
            await asyncio.sleep(0.1)
            return page.socket.close_code

    assert asyncio.run(hurry(650)) is None  # fifty over the limit: half a second
    assert asyncio.run(hurry(3000)) == 4429


# ---------------------------------------------------------------- many people behind one address


def test_a_class_opens_the_page_through_one_address(tmp_path: Path) -> None:
    """Forty browsers load more than a visit needs; half create a table, the others join."""
    files = [path.relative_to(SITE).as_posix() for path in SITE.rglob("*") if path.is_file()]
    assert "index.html" in files, "the pages are not built"

    async def look(person: Person, part: int) -> None:
        for path in ["/", *files[part::2], "languages.json", "languages/en.json"]:
            assert (await person.http.get(path)).status_code == 200

    async def pair(server: Server) -> None:
        async with Person(server) as host, Person(server) as guest:
            await asyncio.gather(look(host, 0), look(guest, 1))
            table, invitations = await host.new_table("suleika", "me", "link")
            assert (await guest.sit(table, invitations["1"])).status_code == 200
            async with host.page(table) as one, guest.page(table) as two:
                await one.until_begun()
                await two.until_begun()
                assert {one.view["over"], two.view["over"]} == {False}

    async def whole_class(server: Server) -> None:
        await asyncio.gather(*(pair(server) for _ in range(20)))

    with checked_server(tmp_path, **USUAL) as server:
        asyncio.run(whole_class(server))


# ---------------------------------------------------------------- host names


@pytest.mark.parametrize("seats", [10, 21, 22, 40, 300])
def test_many_seats_without_names(server: Server, seats: int) -> None:
    wish = {
        "game": "suleika",
        "seats": [{"who": "me"}, *[{"who": "bot", "level": "random"}] * (seats - 1)],
    }
    answer = httpx.post(f"http://{server.address}/api/tables", json=wish)
    assert answer.status_code == 400
    assert answer.json()["reason"][0].startswith("players")


@pytest.mark.parametrize("after", [2**63, 2**64, 10**30, -2, -(2**63) - 1])
def test_numbers_of_events_that_cannot_be(server: Server, after: int) -> None:
    async def watch() -> None:
        async with page_at_new_table(server, "suleika", "me", "here") as page:
            await page.say(
                {"do": "watch", "version": page.now["version"], "seat": None, "after": after}
            )
            refused = await page.until(lambda message: message["is"] not in ("seats", "coach"))
            assert (refused["is"], refused["reason"][0]) == ("refused", "table.refused.unreadable")
            assert (await page.ask("ping"))["is"] == "pong"

    asyncio.run(watch())
    assert not server.troubles


@pytest.mark.parametrize(
    "name", ["\u3164", "\u115f\u1160", "\u2800 \u2800", "\u0301\u0302", "\uffa0", "\u034f"]
)
def test_names_that_show_nothing(server: Server, name: str) -> None:
    wish = {"game": "suleika", "seats": [{"who": "me", "name": name}, {"who": "here"}]}
    answer = httpx.post(f"http://{server.address}/api/tables", json=wish)
    assert (answer.status_code, answer.json()["reason"][0]) == (
        400,
        "table.refused.name_unprintable",
    )


@pytest.mark.parametrize(
    "name", ["", "Zoë", "e\u0301", "\u0928\u093e\u092e", "7", "!", "\U0001f9de"]
)
def test_names_that_show_something(server: Server, name: str) -> None:
    wish = {"game": "suleika", "seats": [{"who": "me", "name": name}, {"who": "here"}]}
    assert httpx.post(f"http://{server.address}/api/tables", json=wish).status_code == 200
