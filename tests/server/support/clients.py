"""A server process for tests, and people who play there over real sockets with a real database."""

import asyncio
import json
import os
import random
import signal
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from pathlib import Path
from typing import IO, Any, TypeVar

import httpx
import websockets

from souk.server.protocol.table import VERSION
from tests.server.support.databases import address_of
from tests.support.forked import Forked, start_python

BOT = "random"
PATIENCE = 60.0  # seconds until a test gives up; workers start slowly on a busy machine


class Server:
    """`souk serve` in a process of its own.

    Args:
        flags: of the command.
        home: the folder of another copy of the package.
        program: a module that extends the command.
    """

    def __init__(
        self, data: Path, home: Path | None = None, program: str = "souk.cli", **flags: Any
    ) -> None:
        self.data = data
        usual = {"pace": 0, "grace": 0.1, "levels": "random,apprentice", "games": "", "log": "json"}
        usual |= {
            "message_rate": 10_000,
            "message_burst": 10_000,
            "request_rate": 10_000,
            "request_burst": 10_000,
        }
        usual |= {
            "frame_rate": 100_000,
            "frame_burst": 100_000,
            "byte_rate": 10**9,
            "byte_burst": 10**9,
        }
        usual |= {
            "table_rate": 1000,
            "table_burst": 10_000,
            "person_rate": 1000,
            "person_burst": 10_000,
            "sockets": 2000,
            "connections": 4000,
            "port": 0,
            "data": data,
            "store": address_of(data),
            "store_wait": PATIENCE,
        } | flags
        words = [
            word
            for name, value in usual.items()
            for word in (
                f"--{name.replace('_', '-')}",
                *([] if value is None else [str(value)]),
            )  # None: a flag without value
        ]
        self.lines: list[str] = []
        self._process, self._told = _started(["serve", *words], home, program)
        self.address = ""
        self._ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        if not self._ready.wait(PATIENCE):
            self.kill()
            raise RuntimeError("the server did not start: " + "".join(self.lines))
        self._wait_until_well()

    def _read(self) -> None:
        for line in self._told:
            self.lines.append(line)
            if '"serving"' in line:
                self.address = json.loads(line)["address"].removeprefix("http://").rstrip("/")
                self._ready.set()

    def _wait_until_well(self) -> None:
        """Without an event loop, as a browser may have one here."""
        with httpx.Client(verify=False) as client:
            for _ in range(200):
                try:
                    client.get(f"http://{self.address}/healthz")
                    return
                except httpx.TransportError:
                    time.sleep(0.05)
        raise RuntimeError("the server is not well: " + "".join(self.lines))

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def troubles(self) -> list[str]:
        """Errors in the server's log."""
        return [line for line in self.lines if '"level": "info"' not in line]

    def __enter__(self) -> "Server":
        return self

    def __exit__(self, *_: object) -> None:
        if self._process.poll() is None:
            self.kill()

    def stop(self, sign: signal.Signals = signal.SIGTERM) -> int:
        """Ask it to stop; returns the exit status."""
        return self._end(sign)

    def kill(self) -> None:
        self._end(signal.SIGKILL)

    def _end(self, sign: signal.Signals) -> int:
        self._process.send_signal(sign)
        return self.wait()

    def wait(self) -> int:
        """Wait until it has stopped; returns the exit status."""
        status = self._process.wait(PATIENCE)
        self._reader.join()
        self._told.close()
        return status


def _started(words: list[str], home: Path | None, program: str) -> tuple[Forked, IO[str]]:
    """The process and its output."""
    environment = dict(os.environ, PYTHONWARNINGS="default") | (
        {"PYTHONPATH": str(home)} if home else {}
    )
    return start_python(["-m", program, *words], environment, home)


@contextmanager
def checked_server(data: Path, **flags: Any) -> Iterator[Server]:
    """A server that must stop in order after the block, having logged no errors."""
    with Server(data, **flags) as server:
        yield server
        assert server.stop() == 0
        assert not server.troubles, "".join(server.troubles)


def across_a_restart(folder: Path, before: Callable[..., Any], after: Callable[..., Any]) -> None:
    """Run `before` on a server, stop it, and run `after` with the result on another server with the
    same file.
    """
    found: tuple[Any, ...] = ()
    for work in (before, after):
        with checked_server(folder) as server:
            found = asyncio.run(work(server, *found))


class Person:
    """A person with a browser: a cookie, and pages."""

    def __init__(self, server: Server | str, cookie: str = "") -> None:
        """A browser for a server or its address."""
        self.address = server if isinstance(server, str) else server.address
        cookies = {"souk": cookie} if cookie else {}
        # Nothing is encrypted here, and loading all certificates takes longer than most tests.
        self.http = httpx.AsyncClient(
            base_url=f"http://{self.address}", timeout=PATIENCE, cookies=cookies, verify=False
        )

    async def __aenter__(self) -> "Person":
        await self.http.get("/api/lobby")
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.http.aclose()

    @property
    def cookie(self) -> str:
        found = {each.domain: each.value for each in self.http.cookies.jar if each.name == "souk"}
        return str(
            found[max(found)]
        )  # the cookie the server has set, or else the one given, which has no domain

    async def lobby(self) -> dict[str, Any]:
        return (await self.http.get("/api/lobby")).json()

    async def ask_for_table(
        self, game: str, *seats: str | dict[str, str], commitment: str = "", **options: Any
    ) -> httpx.Response:
        wishes = [
            {"who": seat} | ({"level": BOT} if seat == "bot" else {})
            if isinstance(seat, str)
            else seat
            for seat in seats
        ]
        wish = {"game": game, "seats": wishes, "options": options}
        return await self.http.post(
            "/api/tables", json=wish | ({"commitment": commitment} if commitment else {})
        )

    async def new_table(
        self, game: str, *seats: str | dict[str, str], **options: Any
    ) -> tuple[str, dict[str, str]]:
        made = await self.ask_for_table(game, *seats, **options)
        assert made.status_code == 200, made.text
        return made.json()["table"], made.json()["invitations"]

    async def sit(
        self, table: str, secret: str, name: str = "Guest", commitment: str = ""
    ) -> httpx.Response:
        wish = {"secret": secret, "name": name} | ({"commitment": commitment} if commitment else {})
        return await self.http.post(f"/api/tables/{table}/sit", json=wish)

    async def record(self, table: str) -> str:
        answer = await self.http.get(f"/api/tables/{table}/record")
        assert answer.status_code == 200, answer.text
        return answer.text

    @asynccontextmanager
    async def page(
        self, table: str, seat: int | None = None, after: int = -1, pace: str = "normal"
    ) -> AsyncIterator["Page"]:
        """A page at a table that has received the full state."""
        address = f"ws://{self.address}/api/tables/{table}/socket"
        headers = {"cookie": f"souk={self.cookie}"}
        async with websockets.connect(
            address, additional_headers=headers, compression=None
        ) as socket:
            page = Page(table, socket)
            page.now = await page.watch(seat, after, pace)
            yield page

    @asynccontextmanager
    async def page_at_new_table(
        self, game: str, *seats: str | dict[str, str], **options: Any
    ) -> AsyncIterator["Page"]:
        table, _ = await self.new_table(game, *seats, **options)
        async with self.page(table) as page:
            yield page


SomePerson = TypeVar("SomePerson", bound=Person)


@asynccontextmanager
async def several(
    kind: type[SomePerson], server: Server, count: int
) -> AsyncIterator[list[SomePerson]]:
    """Several people, each with a browser."""
    found = [kind(server) for _ in range(count)]
    async with AsyncExitStack() as stack:
        for each in found:
            await stack.enter_async_context(each)
        yield found


@asynccontextmanager
async def page_at_new_table(
    server: Server, game: str, *seats: str | dict[str, str], **options: Any
) -> AsyncIterator["Page"]:
    """A new person's page at a table they have made."""
    async with Person(server) as person, person.page_at_new_table(game, *seats, **options) as page:
        yield page


@asynccontextmanager
async def host_and_guest(server: Server) -> AsyncIterator[tuple[str, Person, Person]]:
    """A Suleika table joined by link, and its two players."""
    async with Person(server) as host, Person(server) as guest:
        table, invitations = await host.new_table("suleika", "me", "link")
        assert (await guest.sit(table, invitations["1"])).status_code == 200
        yield table, host, guest


@asynccontextmanager
async def two_pages(server: Server) -> AsyncIterator[tuple["Page", "Page"]]:
    """Two pages of one person who has both seats of a Suleika table."""
    async with Person(server) as person:
        table, _ = await person.new_table("suleika", "me", "here")
        async with person.page(table) as one, person.page(table) as two:
            yield one, two


async def watch_whose_turn_it_is(*pages: "Page") -> int:
    """Turn pages to the seat on move, and return that seat."""
    seat: int = pages[0].view["actors"][0]
    for page in pages:
        await page.watch(seat, page.seq)
    return seat


def unfolded(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Split a server message as pages do: batched events one after the other."""
    passed = []
    for each in message.pop("passed", []):
        end = message["view"]
        view = {"position": end["position"] | each.pop("position"), "scores": each.pop("scores")}
        view |= {"lost": end.get("lost", []), "actors": [], "moves": [], "over": False}
        passed.append({"is": "event", **each, "view": view})
    return [*passed, message]


class Hearer:
    """A receiver of messages."""

    async def hear(self) -> dict[str, Any]:
        raise NotImplementedError

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        while not wanted(message := await self.hear()):
            pass
        return message

    async def until_so(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition holds, which may be at once."""
        while not holds():
            await self.hear()


class Page(Hearer):
    """A page at a table."""

    def __init__(self, table: str, socket: Any) -> None:
        self.table, self.socket = table, socket
        self.now: dict[str, Any] = {}
        self.seq, self.view, self.seats, self.dice = -1, {}, [], {}
        self.heard: list[dict[str, Any]] = []
        self._coming: deque[dict[str, Any]] = deque()  # unread events of a batch
        self._ids = 0

    @property
    def events(self) -> list[dict[str, Any]]:
        return [message for message in self.heard if message["is"] == "event"]

    async def say(self, message: Any) -> None:
        await self.socket.send(message if isinstance(message, str | bytes) else json.dumps(message))

    async def hear(self) -> dict[str, Any]:
        if not self._coming:
            self._coming.extend(
                unfolded(json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE)))
            )
        message = self._coming.popleft()
        self.heard.append(message)
        if message["is"] in ("table", "event"):
            self.seq, self.view = message["seq"], message["view"]
        if message["is"] in ("table", "seats"):
            self.seats = message["seats"]
        if message["is"] in ("table", "dice", "result"):
            self.dice = message["dice"]
        return message

    async def until_begun(self) -> None:
        """Wait until everybody is there and the game has begun."""
        await self.until_so(lambda: bool(self.view))

    async def begin(self) -> None:
        """Commit to a share for my seat, and wait until the game has begun."""
        seat = self.now["mine"][0]
        await self.say({"do": "commit_share", "id": 900, "seat": seat, "commitment": "0" * 64})
        await self.until_begun()

    async def watch(self, seat: int | None, after: int, pace: str = "normal") -> dict[str, Any]:
        """Switch to a seat, having seen events up to `after`; returns the state sent."""
        await self.say(
            {"do": "watch", "version": VERSION, "seat": seat, "after": after, "pace": pace}
        )
        return await self.until(lambda message: message["is"] == "table")

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        """Send a command; returns the reply."""
        self._ids += 1
        await self.say({"do": do, "id": self._ids} | fields)
        answer = await self.until(lambda message: message.get("id") == self._ids)
        while self._coming or (
            self.view and self.seq < answer.get("seq", -1)
        ):  # events may arrive before the reply
            await self.hear()
        return answer

    async def move(self, seat: int, move: str, after: int | None = None) -> dict[str, Any]:
        return await self.ask(
            "move", seat=seat, move=move, after=self.seq if after is None else after
        )

    async def play(
        self, seat: int, rng: random.Random, few: int = 3, moves: int | None = None
    ) -> None:
        """Play a seat to the end or for some moves: one of its first few."""
        await self.until_begun()
        made = 0
        while not self.view["over"] and made != moves:
            if self.view["moves"]:
                open_now = self.view["moves"]
                ends = [
                    move for move in open_now if move.startswith("buy")
                ]  # or games of Bazaar would take long
                answer = await self.move(seat, rng.choice(ends or open_now[:few]))
                assert answer["is"] == "done" or answer["reason"][0].endswith("stale"), answer
                made += answer["is"] == "done"
            if not self.view["moves"] and not self.view["over"]:
                await self.hear()
