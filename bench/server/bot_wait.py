"""Measures how long people wait for bots on a busy server, through real sockets.

    python -m bench.server.bot_wait [--tables N] [--seconds S] [--rounds N] [--json FILE]

A crowd moves at once, each person at a table of Suleika with three viziers; meanwhile newcomers
play two apprentices and people play each other. Also the cost of a bot process: a cheap move in a
thread and in a process, alternating. Times include the pause between bot moves (`--pace`).
"""

import asyncio
import json
import os
import random
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import websockets

from bench.server.load import Crowd, Server
from bench.support.http import new_cookie, request
from bench.support.provenance import figures_parser, write_figures
from souk.server.protocol.table import VERSION

GAME = "suleika"
LEVELS = "random,apprentice,vizier"
PEOPLE_TABLES = 20  # without bots
EVERY = 1.0  # seconds between their moves
BETWEEN = 4.0  # seconds between newcomers
PATIENCE = 60.0


class Guest:
    """A person at a table with bots."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._seq = socket, -1
        self.view: dict[str, Any] = {}
        self.waking = self.hurried = True
        self.times: list[float] = []  # from turn to turn
        self.left = 0.0  # end of the last turn; 0 while it is theirs

    @classmethod
    @asynccontextmanager
    async def at_new_table(
        cls, server: Server, level: str, bots: int, game: str = GAME
    ) -> AsyncIterator["Guest"]:
        cookie = await asyncio.to_thread(new_cookie, server.address)
        seats = [{"who": "me"}] + [{"who": "bot", "level": level}] * bots
        made = await asyncio.to_thread(
            request, server.address, "/api/tables", cookie, {"game": game, "seats": seats}
        )
        address = f"ws://{server.address}/api/tables/{made['table']}/socket"
        async with websockets.connect(
            address, additional_headers={"cookie": f"souk={cookie}"}, ping_interval=None
        ) as socket:
            guest = cls(socket)
            await socket.send(json.dumps({"do": "watch", "version": VERSION}))
            await guest.receive()
            yield guest

    async def receive(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self._socket.recv())
        if "view" in message:
            self.view, self._seq = message["view"], message["seq"]
        if "seats" in message:
            self.waking = any(seat.get("waking") for seat in message["seats"])
            self.hurried = any(seat.get("hurried") for seat in message["seats"])
        return message

    async def move(self) -> None:
        """Make one move and wait for its acknowledgement."""
        move = random.choice(self.view["moves"][:3])
        await self._socket.send(
            json.dumps({"do": "move", "id": 1, "after": self._seq, "seat": 0, "move": move})
        )
        while (await self.receive())["is"] not in ("done", "refused"):
            pass

    async def end_turn(self) -> None:
        while 0 in self.view["actors"]:
            if self.view["moves"]:
                await self.move()
            else:
                await self.receive()

    async def first_answer(self) -> float:
        """Seconds from the end of the turn to a bot's move, at most `PATIENCE`."""
        await self.end_turn()
        begin = time.perf_counter()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while (await self.receive()).get("seat") in (None, 0):
                    pass
        return time.perf_counter() - begin

    async def until_my_turn(self) -> None:
        while 0 not in self.view["actors"] and not self.view["over"]:
            await self.receive()

    async def play(self, until: float) -> None:
        """Move on every turn."""
        while time.perf_counter() < until and not self.view["over"]:
            await self.end_turn()
            self.left = time.perf_counter()
            await self.until_my_turn()
            self.times.append(time.perf_counter() - self.left)
            self.left = 0.0


# ---------------------------------------------------------------- measuring


async def crowd(server: Server, tables: int, seconds: float) -> dict[str, Any]:
    """Waits of a crowd, and of newcomers meanwhile."""
    async with asyncio.TaskGroup() as group:
        guests, ready, done = list[Guest](), asyncio.Barrier(tables + 1), asyncio.Event()
        for _ in range(tables):
            group.create_task(_sit(server, guests, ready, done))
        await ready.wait()
        people = Crowd(server.address, PEOPLE_TABLES, 1)
        end = time.perf_counter() + seconds
        playing = [asyncio.create_task(guest.play(end)) for guest in guests]
        among = asyncio.create_task(asyncio.to_thread(people.play, EVERY, seconds))
        answers = [await _newcomer(server)]
        while (left := end - time.perf_counter()) > 0:
            await asyncio.sleep(min(BETWEEN, left))
            answers.append(await _newcomer(server))
        now = time.perf_counter()
        waiting = [now - guest.left for guest in guests if guest.left]
        times = sorted([*(seconds for guest in guests for seconds in guest.times), *waiting])
        figures: dict[str, Any] = {
            "turns": sum(len(guest.times) for guest in guests),
            "hurried": sum(guest.hurried for guest in guests),
            "never": sum(not guest.times for guest in guests),
            "p50": times[len(times) // 2],
            "longest": max(times),
            "apprentice": max(answers),
            "among_themselves": await among,
        }
        for task in playing:
            task.cancel()
        done.set()
    return figures


async def _sit(
    server: Server, guests: list[Guest], ready: asyncio.Barrier, done: asyncio.Event
) -> None:
    async with Guest.at_new_table(server, "vizier", 3) as guest:
        guests.append(guest)
        await ready.wait()
        await done.wait()


async def _newcomer(server: Server) -> float:
    async with Guest.at_new_table(server, "apprentice", 2) as guest:
        return await guest.first_answer()


async def moves(rounds: int) -> dict[str, Any]:
    """Milliseconds of an apprentice's move in a thread and a process; its start and memory."""
    from concurrent.futures import ThreadPoolExecutor

    from souk.bots.precompile import prepare
    from souk.bots.registry import make_bot
    from souk.games import game
    from souk.server.compute.bot_pool import BotWorker

    position = game(GAME).start(4, first=0)
    while not position.actors:
        position.draw(random.Random(1))
    prepare(position.game)
    worker, loop, begin = BotWorker(None), asyncio.get_running_loop(), time.perf_counter()
    await worker.start()
    await worker.prepare(GAME)
    started, thread = time.perf_counter() - begin, ThreadPoolExecutor(1)
    ways: dict[str, list[float]] = {"thread": [], "process": []}
    for _ in range(rounds):
        begin = time.perf_counter()
        await loop.run_in_executor(thread, lambda: make_bot("apprentice").choose(position, 0))
        ways["thread"].append(time.perf_counter() - begin)
        begin = time.perf_counter()
        await worker.request_move(position, 0, "apprentice", None, 1.0)
        ways["process"].append(time.perf_counter() - begin)
    await worker.request_move(position, 0, "vizier", None, 1.0)
    memory = worker.memory
    await worker.close()
    medians = {way: 1000 * statistics.median(times) for way, times in ways.items()}
    return medians | {"start": started, "memory_mb": memory / 1e6}


async def wait_until_awake(server: Server) -> None:
    async with Guest.at_new_table(server, "vizier", 1) as guest:
        while guest.waking:
            await guest.receive()
    await asyncio.sleep(2.0)  # for the second process


async def measure(tables: int, seconds: float) -> dict[str, Any]:
    figures: dict[str, Any] = {"tables": tables, "seconds": seconds}
    figures["load_before"] = os.getloadavg()[0]
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), LEVELS, GAME)
        try:
            await wait_until_awake(server)
            figures["crowd"] = await crowd(server, tables, seconds)
        finally:
            server.stop()
    return figures


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--rounds", type=int, default=300, help="moves in a thread and a process")
    args = parser.parse_args()
    figures = asyncio.run(measure(args.tables, args.seconds))
    crowded = figures["crowd"]
    print(
        f"{args.tables} people with three viziers: {crowded['turns']} turns, back after "
        f"{crowded['p50']:.1f} s (median), {crowded['longest']:.1f} s (longest)\n"
        f"meanwhile an apprentice answers within {crowded['apprentice']:.2f} s; "
        f"moves among people: {crowded['among_themselves']}"
    )
    if args.rounds:
        figures["move"] = asyncio.run(moves(args.rounds))
        print(f"a move, ms: {figures['move']}")
    if args.json:
        cores = os.cpu_count() or 1
        write_figures(args.json, figures, n=crowded["turns"], of="turns", cores=cores)


if __name__ == "__main__":
    main()
