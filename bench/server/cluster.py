"""Kills servers and their PostgreSQL in turn (SIGKILL) while people play with bots.

    python -m bench.server.cluster [--rounds N] [--tables N] [--level BOT] [--seed N] [--json FILE]

Measures the seconds until something happens at every table again, and checks at the end that no
acknowledged move is lost, no event number is missing or doubled, and every table replays. Exits
with 1 otherwise.
"""

import argparse
import asyncio
import itertools
import json
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, NoReturn, Protocol

import httpx
import websockets

from bench.support.provenance import figures_parser, write_figures
from souk.server.admin.open_host_tools import open_host_tools
from souk.server.protocol.table import VERSION
from tests.server.support.clients import Server
from tests.server.support.databases import address_of, in_postgres, look_into
from tests.support.postgres import Cluster

GAME = "suleika"
RECOVERY = 5.0  # seconds, at most
TIMEOUT = 60.0  # seconds per round
BETWEEN_MOVES = 0.1  # seconds
BEFORE_KILL = 0.5  # seconds of play
DOWN = 0.5  # seconds until a restart
EVENTS = 'SELECT "table", seq, kind, seat, text FROM events ORDER BY "table", seq'
IN_TURN = ("server 0", "database", "server 1", "database")


class Deployment(Protocol):
    """Two servers and a database, which restart at the same address."""

    @property
    def addresses(self) -> Sequence[str]:
        """Addresses of the servers."""

    def kill(self, what: str) -> float:
        """Kill one of IN_TURN; returns the time from which recovery counts."""

    def bring_back(self, what: str) -> None:
        """Restart it, or wait until that has last_event."""

    def events(self) -> list[tuple[Any, ...]]:
        """Table, number, kind, seat and text of all events."""

    def replay_errors(self) -> list[str]:
        """Tables that do not replay, with reasons."""


class Processes:
    """Processes on this machine."""

    def __init__(self, folder: Path, level: str) -> None:
        self._level = level
        self.database = Cluster(folder / "postgres")
        self.data = folder / "data"
        self._servers: list[Server] = []

    def start(self) -> None:
        for _ in range(2):
            self._servers.append(self._server(0))
        self.addresses = [server.address for server in self._servers]

    def _server(self, port: int) -> Server:
        return Server(self.data, port=port, workers=1, levels=self._level)

    def kill(self, what: str) -> float:
        kind, _, number = what.partition(" ")
        at = time.monotonic()
        if kind == "database":
            self.database.kill()
            time.sleep(DOWN)
            self.database.start()
            at = time.monotonic()
        else:
            self._servers[int(number)].kill()
        return at

    def bring_back(self, what: str) -> None:
        kind, _, number = what.partition(" ")
        if kind == "server":
            time.sleep(DOWN)
            self._servers[int(number)] = self._server(
                int(self.addresses[int(number)].rpartition(":")[2])
            )

    def events(self) -> list[tuple[Any, ...]]:
        with look_into(self.data) as line:
            return line.execute(EVENTS).fetchall()

    def replay_errors(self) -> list[str]:
        with open_host_tools(self.data, Path("key"), address_of(self.data)) as workspace:
            return [f"{what}: {why}" for what, why in workspace.check() if why]

    def stop(self) -> None:
        for server in self._servers:
            server.stop()

    def close(self) -> None:
        for server in self._servers:
            server.__exit__()
        self.database.close()


class Player:
    """A person who plays one game with two bots after another, at any server that answers."""

    def __init__(self, deployment: Deployment, level: str, number: int) -> None:
        self._deployment, self._level, self._rng = deployment, level, random.Random(number)
        self._servers = itertools.cycle(
            [*deployment.addresses[number % 2 :], *deployment.addresses[: number % 2]]
        )
        self.cookie = ""
        self.done: dict[tuple[str, int], str] = {}  # acknowledged moves by table and number
        self.last_event = time.monotonic()
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
        async with httpx.AsyncClient(
            base_url=f"http://{server}", cookies=cookies, timeout=RECOVERY
        ) as client:
            if not self.cookie:
                await client.get("/api/lobby")
                self.cookie = client.cookies["souk"]
            seats = [{"who": "me"}, *({"who": "bot", "level": self._level} for _ in range(2))]
            made = await client.post("/api/tables", json={"game": GAME, "seats": seats})
            return str(made.raise_for_status().json()["table"])

    async def _play_at(self, server: str, table: str, stop: asyncio.Event) -> None:
        address = f"ws://{server}/api/tables/{table}/socket"
        headers = {"cookie": f"souk={self.cookie}"}
        async with websockets.connect(
            address, additional_headers=headers, open_timeout=RECOVERY
        ) as socket:
            await socket.send(json.dumps({"do": "watch", "version": VERSION}))
            view: dict[str, Any] = {}
            asked = ""
            while not stop.is_set():
                message = json.loads(await asyncio.wait_for(socket.recv(), 2 * RECOVERY))
                if message.get("view"):
                    view, seq = message["view"], message["seq"]
                if message["is"] == "event":
                    self.last_event = time.monotonic()
                if message["is"] == "done":
                    self.done[table, message["seq"]] = asked
                if message["is"] in ("done", "refused"):
                    asked = ""
                if view.get("over"):
                    self._over = True
                    return
                if view.get("moves") and not asked:
                    await asyncio.sleep(BETWEEN_MOVES)
                    asked = self._rng.choice(view["moves"][:3])
                    await socket.send(
                        json.dumps({"do": "move", "id": 1, "seat": 0, "after": seq, "move": asked})
                    )


async def kill_in_turn(
    deployment: Deployment, people: list[Player], rounds: int, seed: int
) -> dict[str, list[float]]:
    """Returns the seconds that each page took to recover, by kind."""
    healing: dict[str, list[float]] = {"server": [], "database": []}
    rng = random.Random(seed)
    for number in range(rounds):
        what = IN_TURN[number % len(IN_TURN)]
        await asyncio.sleep(BEFORE_KILL + rng.random())
        since = await asyncio.to_thread(deployment.kill, what)
        bringing = asyncio.create_task(asyncio.to_thread(deployment.bring_back, what))
        took = [await recovery(person, since) for person in people]
        healing[what.split()[0]] += took
        print(f"{number + 1}: {what} killed, recovered within {max(took):.1f} s", flush=True)
        await bringing
    return healing


async def recovery(person: Player, since: float) -> float:
    while person.last_event <= since and time.monotonic() < since + TIMEOUT:
        await asyncio.sleep(0.02)
    return (person.last_event if person.last_event > since else time.monotonic()) - since


def check(deployment: Deployment, people: list[Player]) -> dict[str, int]:
    """Compare acknowledged moves with the log."""
    rows = deployment.events()
    stored = {(table, seq): text for table, seq, _, _, text in rows}
    numbers: dict[str, list[int]] = {}
    for table, seq, *_ in rows:
        numbers.setdefault(table, []).append(seq)
    acknowledged = {key: move for person in people for key, move in person.done.items()}
    for error in (errors := deployment.replay_errors()):
        print(error)
    return {
        "games": sum(person.games for person in people),
        "acknowledged": len(acknowledged),
        "lost": sum(stored.get(key) != move for key, move in acknowledged.items()),
        "gaps": sum(seqs != list(range(len(seqs))) for seqs in numbers.values()),
        "not_replayed": len(errors),
        "bot_moves": sum(kind == "move" and seat != 0 for _, _, kind, seat, _ in rows),
    }


async def play(
    deployment: Deployment, tables: int, level: str, rounds: int, seed: int
) -> tuple[dict[str, Any], list[Player]]:
    people = [Player(deployment, level, number) for number in range(tables)]
    stop = asyncio.Event()
    playing = [asyncio.create_task(person.play(stop)) for person in people]
    start = time.monotonic()
    for person in people:
        await recovery(person, start)
    healing = await kill_in_turn(deployment, people, rounds, seed)
    stop.set()
    await asyncio.gather(*playing)
    times = {kind: _summary(found) for kind, found in healing.items()}
    return {"healing": times}, people


def _summary(seconds: list[float]) -> dict[str, float]:
    return {"median": statistics.median(seconds or [0.0]), "longest": max(seconds, default=0.0)}


def measure(tables: int, level: str, rounds: int, seed: int) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name:
        deployment = Processes(Path(name), level)
        try:
            with in_postgres(deployment.data, deployment.database):
                deployment.start()
                found, people = asyncio.run(play(deployment, tables, level, rounds, seed))
                deployment.stop()
                return (
                    found
                    | {"rounds": rounds, "tables": tables, "level": level}
                    | check(deployment, people)
                )
        finally:
            deployment.close()


def cluster_parser(doc: str | None) -> argparse.ArgumentParser:
    parser = figures_parser(doc)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--tables", type=int, default=6)
    parser.add_argument("--level", default="apprentice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--healed",
        type=float,
        default=RECOVERY,
        help="seconds, at most; raise it on a busy machine",
    )
    return parser


def main() -> None:
    args = cluster_parser(__doc__).parse_args()
    report(measure(args.tables, args.level, args.rounds, args.seed), args)


def report(figures: dict[str, Any], args: argparse.Namespace) -> NoReturn:
    """Print and write the figures; exit with 1 if anything went wrong."""
    longest = max(each["longest"] for each in figures["healing"].values())
    moves = f"{figures['acknowledged']} moves acknowledged, {figures['lost']} lost"
    print(f"{moves}; recovered within {longest:.1f} s")
    if args.json:
        write_figures(args.json, figures, n=args.rounds, of="kills", cores=os.cpu_count() or 1)
    wrong = figures["lost"] + figures["gaps"] + figures["not_replayed"]
    sys.exit(bool(wrong or longest > args.healed))


if __name__ == "__main__":
    main()
