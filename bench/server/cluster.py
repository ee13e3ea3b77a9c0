"""What a house of many processes weathers: PostgreSQL, two servers, two thinkers and people with bots, of which one is killed every round.

    python bench/cluster.py [--rounds N] [--tables N] [--level BOT] [--seed N] [--json FILE]

Servers, thinkers and the database are killed in turn, with SIGKILL, while games are played, and started again as a host's supervisor would. The servers think
nothing themselves (`--workers 0`): every bot's move goes through the queue. A page has healed when something has happened at its table again: a move of its
person that was acknowledged, or one of a bot. That is timed from the kill; of the database, which nobody can do without, from when it takes connections again.

In the end every move that was acknowledged stands in the log under its number, no number is missing or there twice, and every table is replayed by the rules
(`souk host check`): a bot's move that was made twice would not be legal. The status is 1 where anything came to harm. Needs what the tests need.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Protocol

import httpx
import websockets
from pedigree import ROOT, settings, write_figures

sys.path.insert(0, str(ROOT))

from souk.table.desks import open_desk
from souk.table.protocol import VERSION
from tests.postgres import Cluster
from tests.table.clients import Server
from tests.table.places import address_of, in_postgres, look_into

GAME = "suleika"
HEALED = 5.0  # seconds that a page may take
LONGEST = 60.0  # seconds until a round is given up
BETWEEN = 0.1  # seconds between moves of one person
QUIET = 0.5  # seconds of play before each kill
DOWN = 0.5  # seconds that something is away before it is started again
EVENTS = 'SELECT "table", seq, kind, seat, text FROM events ORDER BY "table", seq'
THINKERS = "SELECT count(*) FROM thinkers WHERE seen > now() - interval '3 s'"  # that are there
IN_TURN = ("server 0", "thinker 0", "database", "server 1", "thinker 1", "database")


class House(Protocol):
    """Servers, thinkers and a database. Whatever is killed comes back at the same address."""

    @property
    def addresses(self) -> Sequence[str]:
        """Of its servers."""

    def thinkers_there(self) -> int:
        """How many."""

    def kill(self, what: str) -> float:
        """One of IN_TURN. Returns from when it can heal."""

    def bring_back(self, what: str) -> None:
        """Or wait until somebody else has."""

    def events(self) -> list[tuple[Any, ...]]:
        """Of all tables: the table, its number, kind, seat and text."""

    def wrong(self) -> list[str]:
        """Tables that cannot be replayed, and why."""


class ProcessHouse:
    """A house of processes on this machine."""

    def __init__(self, folder: Path, level: str) -> None:
        self._folder, self._level = folder, level
        self.database = Cluster(folder / "postgres")
        self.data = folder / "house"
        self._servers: list[Server] = []
        self._thinkers: list[subprocess.Popen[bytes]] = []

    def start(self) -> None:
        for _ in range(2):
            self._servers.append(self._server(0))
        self.addresses = [server.address for server in self._servers]
        self._thinkers = [self._thinker() for _ in range(2)]

    def _server(self, port: int) -> Server:
        return Server(self.data, port=port, workers=0, levels=self._level)

    def _thinker(self) -> subprocess.Popen[bytes]:
        command = [sys.executable, "-m", "souk.cli", "think", "--store", address_of(self.data), "--workers", "1"]
        with (self._folder / "thinkers.log").open("ab") as log:
            return subprocess.Popen([*command, "--games", GAME, "--log", "json"], stderr=log)

    def thinkers_there(self) -> int:
        """Those that could not begin, as the database was just away, are started again."""
        self._thinkers = [each if each.poll() is None else self._thinker() for each in self._thinkers]
        with look_into(self.data) as line:
            [(found,)] = line.execute(THINKERS)
        return int(found)

    def kill(self, what: str) -> float:
        kind, _, number = what.partition(" ")
        at = time.monotonic()
        if kind == "database":
            self.database.kill()
            time.sleep(DOWN)
            self.database.start()
            at = time.monotonic()
        elif kind == "server":
            self._servers[int(number)].kill()
        else:
            _end(self._thinkers[int(number)], signal.SIGKILL)
        return at

    def bring_back(self, what: str) -> None:
        kind, _, number = what.partition(" ")
        if kind == "server":
            time.sleep(DOWN)
            self._servers[int(number)] = self._server(int(self.addresses[int(number)].rpartition(":")[2]))
        elif kind == "thinker":
            self._thinkers[int(number)] = self._thinker()

    def events(self) -> list[tuple[Any, ...]]:
        with look_into(self.data) as line:
            return line.execute(EVENTS).fetchall()

    def wrong(self) -> list[str]:
        with open_desk(self.data, Path("key"), address_of(self.data)) as desk:
            return [f"{what}: {why}" for what, why in desk.check() if why]

    def stop(self) -> None:
        for thinker in self._thinkers:
            _end(thinker, signal.SIGTERM)
        for server in self._servers:
            server.stop()

    def close(self) -> None:
        for thinker in self._thinkers:
            if thinker.poll() is None:
                _end(thinker, signal.SIGKILL)
        for server in self._servers:
            server.__exit__()
        self.database.close()


def _end(process: subprocess.Popen[bytes], sign: signal.Signals) -> None:
    process.send_signal(sign)
    process.wait(30)


class Regular:
    """Somebody who plays one game with two bots after the other, at whichever server answers, and notes what was acknowledged."""

    def __init__(self, house: House, level: str, number: int) -> None:
        self._house, self._level, self._rng = house, level, random.Random(number)
        self._servers = itertools.cycle([*house.addresses[number % 2 :], *house.addresses[: number % 2]])
        self.cookie = ""
        self.done: dict[tuple[str, int], str] = {}  # by table and number: the move that was acknowledged
        self.happened = time.monotonic()  # when something last did at the table
        self.games = 0
        self._over = False

    async def play(self, stop: asyncio.Event) -> None:
        table = ""
        while not stop.is_set():
            server = next(self._servers)
            with suppress(OSError, httpx.HTTPError, websockets.WebSocketException, TimeoutError):
                if not table or self._over:
                    table, self._over = await self._new_table(server), False
                    self.games += 1
                await self._play_at(server, table, stop)
            await asyncio.sleep(0.1)

    async def _new_table(self, server: str) -> str:
        cookies = {"souk": self.cookie} if self.cookie else {}
        async with httpx.AsyncClient(base_url=f"http://{server}", cookies=cookies, timeout=HEALED) as client:
            if not self.cookie:
                await client.get("/api/lobby")
                self.cookie = client.cookies["souk"]
            seats = [{"who": "me"}, *({"who": "bot", "level": self._level} for _ in range(2))]
            made = await client.post("/api/tables", json={"game": GAME, "seats": seats})
            return str(made.raise_for_status().json()["table"])

    async def _play_at(self, server: str, table: str, stop: asyncio.Event) -> None:
        address, headers = f"ws://{server}/api/tables/{table}/socket", {"cookie": f"souk={self.cookie}"}
        async with websockets.connect(address, additional_headers=headers, open_timeout=HEALED) as socket:
            await socket.send(json.dumps({"do": "watch", "version": VERSION}))
            view: dict[str, Any] = {}
            asked = ""
            while not stop.is_set():
                message = json.loads(await asyncio.wait_for(socket.recv(), 2 * HEALED))
                if message.get("view"):
                    view, seq = message["view"], message["seq"]
                if message["is"] == "event":
                    self.happened = time.monotonic()
                if message["is"] == "done":
                    self.done[table, message["seq"]] = asked
                if message["is"] in ("done", "refused"):
                    asked = ""
                if view.get("over"):
                    self._over = True
                    return
                if view.get("moves") and not asked:
                    await asyncio.sleep(BETWEEN)
                    asked = self._rng.choice(view["moves"][:3])
                    await socket.send(json.dumps({"do": "move", "id": 1, "seat": 0, "after": seq, "move": asked}))


async def weather(house: House, people: list[Regular], rounds: int, seed: int) -> dict[str, list[float]]:
    """Kill one after the other; returns by kind the seconds that each page took to heal."""
    healing: dict[str, list[float]] = {"server": [], "thinker": [], "database": []}
    rng = random.Random(seed)
    for number in range(rounds):
        what = IN_TURN[number % len(IN_TURN)]
        await asyncio.sleep(QUIET + rng.random())
        since = await asyncio.to_thread(house.kill, what)
        bringing = asyncio.create_task(asyncio.to_thread(house.bring_back, what))
        took = [await healed(person, since) for person in people]
        healing[what.split()[0]] += took
        print(f"{number + 1}: {what} killed, healed after {max(took):.1f} s at the longest", flush=True)
        await bringing
        while await asyncio.to_thread(house.thinkers_there) < 2:  # the next kill must leave one
            await asyncio.sleep(0.1)
    return healing


async def healed(person: Regular, since: float) -> float:
    while person.happened <= since and time.monotonic() < since + LONGEST:
        await asyncio.sleep(0.02)
    return (person.happened if person.happened > since else time.monotonic()) - since


def check(house: House, people: list[Regular]) -> dict[str, int]:
    """What the log says of all that was acknowledged."""
    rows = house.events()
    kept = {(table, seq): text for table, seq, _, _, text in rows}
    numbers: dict[str, list[int]] = {}
    for table, seq, *_ in rows:
        numbers.setdefault(table, []).append(seq)
    acknowledged = {key: move for person in people for key, move in person.done.items()}
    for each in (wrong := house.wrong()):
        print(each)
    return {
        "games": sum(person.games for person in people),
        "acknowledged": len(acknowledged),
        "lost": sum(kept.get(key) != move for key, move in acknowledged.items()),
        "gaps": sum(found != list(range(len(found))) for found in numbers.values()),
        "not_replayed": len(wrong),
        "bot_moves": sum(kind == "move" and seat != 0 for _, _, kind, seat, _ in rows),
    }


async def play(house: House, tables: int, level: str, rounds: int, seed: int) -> tuple[dict[str, Any], list[Regular]]:
    people = [Regular(house, level, number) for number in range(tables)]
    stop = asyncio.Event()
    playing = [asyncio.create_task(person.play(stop)) for person in people]
    while await asyncio.to_thread(house.thinkers_there) < 2:
        await asyncio.sleep(0.1)
    start = time.monotonic()
    for person in people:
        await healed(person, start)
    healing = await weather(house, people, rounds, seed)
    stop.set()
    await asyncio.gather(*playing)
    times = {kind: _summed_up(found) for kind, found in healing.items()}
    return {"healing": times}, people


def _summed_up(seconds: list[float]) -> dict[str, float]:
    return {"median": statistics.median(seconds or [0.0]), "longest": max(seconds, default=0.0)}


def storm(tables: int, level: str, rounds: int, seed: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        house = ProcessHouse(Path(name), level)
        try:
            with in_postgres(house.data, house.database):
                house.start()
                found, people = asyncio.run(play(house, tables, level, rounds, seed))
                house.stop()
                return found | {"rounds": rounds, "tables": tables, "level": level} | check(house, people)
        finally:
            house.close()


def wishes(about: str | None) -> argparse.ArgumentParser:
    """What may be set."""
    parser = settings(about)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--level", default="apprentice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--healed", type=float, default=HEALED, help="seconds that a page may take: more, where others use the machine"
    )
    return parser


def main() -> None:
    given = wishes(__doc__).parse_args()
    report(storm(given.tables, given.level, given.rounds, given.seed), given)


def report(found: dict[str, Any], given: argparse.Namespace) -> NoReturn:
    """Say what came of it; the status is 1 where anything came to harm."""
    longest = max(each["longest"] for each in found["healing"].values())
    print(f"{found['acknowledged']} moves acknowledged, {found['lost']} lost; healed within {longest:.1f} s")
    if given.json:
        write_figures(given.json, found, n=given.rounds, of="kills", cores=os.cpu_count() or 1)
    sys.exit(bool(found["lost"] or found["gaps"] or found["not_replayed"] or longest > given.healed))


if __name__ == "__main__":
    main()
