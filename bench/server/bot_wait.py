"""How long people wait for bots where many games are played at once, against a real server through real sockets.

    python bench/thinkers.py [--tables N] [--seconds S] [--rounds N] [--json FILE]

* The crowd: 50 people, each at a table of Suleika with three viziers, who move as soon as they may. How long until it is their turn again?
  Meanwhile a newcomer plays with two apprentices, and people play among themselves at 20 tables.
* The visitor: one opens 29 tables with three deep viziers each, moves once at each, and is gone. How long does an apprentice elsewhere take then?
* A move of a bot that costs next to nothing, asked for in a thread and in a process, turn and turn about; and what a process costs.

Times are as the player sees them; those of bots include the pause that lets people follow (`--pace`).
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
from asking import asked, cookie_of
from load import Crowd, Server
from pedigree import settings, write_figures

from souk.table.protocol import VERSION

GAME = "suleika"
LEVELS = "random,apprentice,vizier,vizier:deep"
AMONG_THEMSELVES = 20  # tables of people
EVERY = 1.0  # seconds between their moves
VISITOR = 29  # tables
GONE_AFTER = 0.8  # seconds
BETWEEN = 4.0  # seconds between newcomers
PATIENCE = 60.0


class Guest:
    """Somebody at a table with bots."""

    def __init__(self, socket: Any) -> None:
        self._socket, self._seq = socket, -1
        self.view: dict[str, Any] = {}
        self.waking = self.hurried = True
        self.times: list[float] = []  # until it was their turn again
        self.left = 0.0  # when their last turn ended; 0 while it is theirs

    @classmethod
    @asynccontextmanager
    async def at_new_table(cls, server: Server, level: str, bots: int, game: str = GAME) -> AsyncIterator["Guest"]:
        cookie = await asyncio.to_thread(cookie_of, server.address)
        seats = [{"who": "me"}] + [{"who": "bot", "level": level}] * bots
        made = await asyncio.to_thread(asked, server.address, "/api/tables", cookie, {"game": game, "seats": seats})
        address = f"ws://{server.address}/api/tables/{made['table']}/socket"
        async with websockets.connect(
            address, additional_headers={"cookie": f"souk={cookie}"}, ping_interval=None
        ) as socket:
            guest = cls(socket)
            await socket.send(json.dumps({"do": "watch", "version": VERSION}))
            await guest.hear()
            yield guest

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await self._socket.recv())
        if "view" in message:
            self.view, self._seq = message["view"], message["seq"]
        if "seats" in message:
            self.waking = any(seat.get("waking") for seat in message["seats"])
            self.hurried = any(seat.get("hurried") for seat in message["seats"])
        return message

    async def move(self) -> None:
        """Make one move, and hear that it is kept."""
        move = random.choice(self.view["moves"][:3])
        await self._socket.send(json.dumps({"do": "move", "id": 1, "after": self._seq, "seat": 0, "move": move}))
        while (await self.hear())["is"] not in ("done", "refused"):
            pass

    async def end_turn(self) -> None:
        while 0 in self.view["actors"]:
            if self.view["moves"]:
                await self.move()
            else:
                await self.hear()

    async def first_answer(self) -> float:
        """Seconds from the end of one's turn until a bot has moved; so many where nobody's patience lasts longer."""
        await self.end_turn()
        begin = time.perf_counter()
        with suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE):
                while (await self.hear()).get("seat") in (None, 0):
                    pass
        return time.perf_counter() - begin

    async def until_my_turn(self) -> None:
        while 0 not in self.view["actors"] and not self.view["over"]:
            await self.hear()

    async def play(self, until: float) -> None:
        """Move whenever it is one's turn."""
        while time.perf_counter() < until and not self.view["over"]:
            await self.end_turn()
            self.left = time.perf_counter()
            await self.until_my_turn()
            self.times.append(time.perf_counter() - self.left)
            self.left = 0.0


# ---------------------------------------------------------------- what is measured


async def crowd(server: Server, tables: int, seconds: float) -> dict[str, Any]:
    """Everybody at once, and a newcomer now and then."""
    async with asyncio.TaskGroup() as group:
        guests, ready, done = list[Guest](), asyncio.Barrier(tables + 1), asyncio.Event()
        for _ in range(tables):
            group.create_task(_sit(server, guests, ready, done))
        await ready.wait()
        people = Crowd(server.address, AMONG_THEMSELVES, 1)
        end = time.perf_counter() + seconds
        playing = [asyncio.create_task(guest.play(end)) for guest in guests]
        among = asyncio.create_task(asyncio.to_thread(people.play, EVERY, seconds))
        answers = [await _newcomer(server)]
        while (left := end - time.perf_counter()) > 0:
            await asyncio.sleep(min(BETWEEN, left))
            answers.append(await _newcomer(server))
        now = time.perf_counter()
        waiting = [now - guest.left for guest in guests if guest.left]  # and have not had their turn back
        times = sorted([*(each for guest in guests for each in guest.times), *waiting])
        found: dict[str, Any] = {
            "turns": sum(len(guest.times) for guest in guests),
            "hurried": sum(guest.hurried for guest in guests),
        }
        found |= {"never": sum(not guest.times for guest in guests), "p50": _at(times, 50), "longest": max(times)}
        found |= {"apprentice": max(answers), "among_themselves": await among}
        for task in playing:
            task.cancel()
        done.set()
    return found


async def _sit(server: Server, guests: list[Guest], ready: asyncio.Barrier, done: asyncio.Event) -> None:
    async with Guest.at_new_table(server, "vizier", 3) as guest:
        guests.append(guest)
        await ready.wait()
        await done.wait()


async def _newcomer(server: Server) -> float:
    async with Guest.at_new_table(server, "apprentice", 2) as guest:
        return await guest.first_answer()


async def visitor(server: Server) -> float:
    """One makes many tables think deeply, and goes; how long an apprentice takes then."""

    async def ask(held: asyncio.Event) -> None:
        async with Guest.at_new_table(server, "vizier:deep", 3) as guest:
            await guest.end_turn()
            await held.wait()

    held = asyncio.Event()
    tables = [asyncio.create_task(ask(held)) for _ in range(VISITOR)]
    await asyncio.sleep(GONE_AFTER)
    held.set()
    for task in tables:
        task.cancel()
    await asyncio.gather(*tables, return_exceptions=True)
    return await _newcomer(server)


async def moves(rounds: int) -> dict[str, Any]:
    """Milliseconds of an apprentice's move in a thread and in a process, the process's start and its memory."""
    from concurrent.futures import ThreadPoolExecutor

    from souk.bots.preparing import prepare
    from souk.bots.registry import named
    from souk.games import game
    from souk.table.brains import Brain

    position = game(GAME).start(4, first=0)
    while not position.actors:
        position.draw(random.Random(1))
    prepare(position.game)
    brain, loop, begin = Brain(None), asyncio.get_running_loop(), time.perf_counter()
    await brain.start()
    await brain.prepare(GAME)
    started, thread = time.perf_counter() - begin, ThreadPoolExecutor(1)
    ways: dict[str, list[float]] = {"thread": [], "process": []}
    for _ in range(rounds):
        begin = time.perf_counter()
        await loop.run_in_executor(thread, lambda: named("apprentice").choose(position, 0))
        ways["thread"].append(time.perf_counter() - begin)
        begin = time.perf_counter()
        await brain.ask(position, 0, "apprentice", None, 1.0)
        ways["process"].append(time.perf_counter() - begin)
    await brain.ask(position, 0, "vizier", None, 1.0)
    memory = brain.memory
    await brain.close()
    medians = {way: 1000 * statistics.median(times) for way, times in ways.items()}
    return medians | {"start": started, "memory_mb": memory / 1e6}


def _at(times: list[float], percent: int) -> float:
    return times[len(times) * percent // 100]


async def wait_until_awake(server: Server) -> None:
    async with Guest.at_new_table(server, "vizier", 1) as guest:
        while guest.waking:
            await guest.hear()
    await asyncio.sleep(2.0)  # the second process loads its own


async def measure(tables: int, seconds: float) -> dict[str, Any]:
    found: dict[str, Any] = {"tables": tables, "seconds": seconds, "load_before": os.getloadavg()[0]}
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), LEVELS, GAME)
        try:
            await wait_until_awake(server)
            found["visitor"] = {"apprentice": await visitor(server)}
            found["crowd"] = await crowd(server, tables, seconds)
        finally:
            server.stop()
    return found


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("--tables", type=int, default=50)
    parser.add_argument("--seconds", type=float, default=40.0)
    parser.add_argument("--rounds", type=int, default=300, help="moves in a thread and in a process; 0 for none")
    chosen = parser.parse_args()
    found = asyncio.run(measure(chosen.tables, chosen.seconds))
    crowded = found["crowd"]
    print(
        f"{chosen.tables} people with three viziers: {crowded['turns']} turns, back after {crowded['p50']:.1f} s (median),"
    )
    print(
        f"  {crowded['longest']:.1f} s at the longest; never: {crowded['never']}; told of hurry: {crowded['hurried']}"
    )
    print(
        f"  meanwhile an apprentice answers within {crowded['apprentice']:.2f} s; people: {crowded['among_themselves']}"
    )
    print(
        f"after a visitor with {VISITOR} tables has gone an apprentice answers within {found['visitor']['apprentice']:.2f} s"
    )
    if chosen.rounds:
        found["move"] = asyncio.run(moves(chosen.rounds))
        print(f"a move, ms: {found['move']}")
    if chosen.json:
        write_figures(chosen.json, found, n=crowded["turns"], of="turns", cores=os.cpu_count() or 1)


if __name__ == "__main__":
    main()
