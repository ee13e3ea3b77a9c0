"""Cuts the network between a server and its database while people play.

    python -m bench.server.network_cut [--rounds N] [--tables N] [--seconds S] [--json FILE]

Needs root on Linux and `ip`: a network namespace relays to the database, and its cable is pulled so
that packets vanish silently. Measures the seconds until a first move is refused and, once healed,
until all tables go on, and counts acknowledged events missing or doubled.
"""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.support.provenance import figures_parser, write_figures
from tests.server.support.clients import Page, Person, Server
from tests.server.support.databases import address_of, in_postgres, look_into
from tests.support.postgres import Cluster

NAMESPACE, NEAR, FAR = "souk-cut", "souk-here", "souk-there"
NET, PORT = "10.213.77", 5432
# Runs in the namespace and relays to the database's Unix socket.
RELAY = """import asyncio, sys
async def pump(source, sink):
    while data := await source.read(1 << 16):
        sink.write(data)
        await sink.drain()
    sink.close()
async def serve(reader, writer):
    back, out = await asyncio.open_unix_connection(sys.argv[1])
    await asyncio.gather(pump(reader, out), pump(back, writer), return_exceptions=True)
async def main():
    async with await asyncio.start_server(serve, "0.0.0.0", int(sys.argv[2])) as server:
        print("ready", flush=True)
        await server.serve_forever()
asyncio.run(main())"""


def ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True)


@contextlib.contextmanager
def cable(database: Path) -> Iterator[None]:
    """A network path to the database that can be cut."""
    inside = ["netns", "exec", NAMESPACE, "ip"]
    with contextlib.ExitStack() as stack:
        ip("netns", "add", NAMESPACE)
        stack.callback(ip, "netns", "del", NAMESPACE)
        ip("link", "add", NEAR, "type", "veth", "peer", "name", FAR, "netns", NAMESPACE)
        ip("addr", "add", f"{NET}.1/30", "dev", NEAR)
        ip("link", "set", NEAR, "up")
        ip(*inside, "addr", "add", f"{NET}.2/30", "dev", FAR)
        ip(*inside, "link", "set", FAR, "up")
        socket = str(database / f".s.PGSQL.{PORT}")
        command = ["ip", "netns", "exec", NAMESPACE, sys.executable, "-c", RELAY, socket, str(PORT)]
        relay = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        stack.callback(relay.wait)
        stack.callback(relay.send_signal, signal.SIGKILL)
        assert relay.stdout is not None
        stack.callback(relay.stdout.close)
        assert relay.stdout.readline() == "ready\n"
        yield


def set_link(*, up: bool) -> None:
    """Switch the far end, so that senders here notice nothing."""
    ip("netns", "exec", NAMESPACE, "ip", "link", "set", FAR, "up" if up else "down")


class Player:
    """A person with both seats of a table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.done: list[int] = []

    async def move(self) -> bool:
        """Make a move; False if it was refused."""
        page = self.page
        seat = page.view["actors"][0]
        await page.watch(seat, page.seq)
        answer = await page.move(seat, page.view["moves"][0])
        if answer["is"] == "done":
            self.done.append(answer["seq"])
        return bool(answer["is"] == "done")

    async def move_until_acknowledged(self) -> float:
        begin = time.monotonic()
        while not await self.move():
            await asyncio.sleep(0.05)
        return time.monotonic() - begin


async def move_while_cut(player: Player, since: float) -> float:
    """Seconds until a move is answered."""
    page = player.page
    answer = await page.move(page.view["actors"][0], page.view["moves"][0])
    if answer["is"] == "done":
        player.done.append(answer["seq"])
    return time.monotonic() - since


async def one_round(players: list[Player], seconds: float) -> tuple[float, float]:
    """Seconds from the cut to the first answer, and from healing until all tables go on."""
    for each in players:
        await each.page.watch(each.page.view["actors"][0], each.page.seq)
    set_link(up=False)
    cut = time.monotonic()
    moves = [asyncio.create_task(move_while_cut(each, cut)) for each in players]
    await asyncio.sleep(seconds)
    set_link(up=True)
    healed = time.monotonic()
    answered = [await move for move in moves]
    await asyncio.gather(*(each.move_until_acknowledged() for each in players))
    return min(answered), time.monotonic() - healed


async def play(server: Server, tables: int, rounds: int, seconds: float) -> dict[str, Any]:
    async with Person(server) as person, contextlib.AsyncExitStack() as stack:
        names = [(await person.new_table("suleika", "me", "here"))[0] for _ in range(tables)]
        players = [Player(await stack.enter_async_context(person.page(name))) for name in names]
        figures = []
        for number in range(rounds):
            figures.append(await one_round(players, seconds))
            told, healed = figures[-1]
            print(f"{number + 1}: first answer after {told:.1f} s, healed after {healed:.1f} s")
        return {
            "rounds": rounds,
            "tables": tables,
            "seconds": seconds,
            "told": max(told for told, _ in figures),
            "healed": max(healed for _, healed in figures),
            "done": {each.page.table: each.done for each in players},
        }


def wrong(folder: Path, done: dict[str, list[int]]) -> int:
    """Acknowledged events missing, plus tables with gaps or doubled numbers."""
    figures = 0
    with look_into(folder) as connection:
        for table, numbers in done.items():
            kept = [
                seq
                for (seq,) in connection.execute(
                    'SELECT seq FROM events WHERE "table" = ? ORDER BY seq', (table,)
                )
            ]
            figures += len(set(numbers) - set(kept)) + (kept != list(range(len(kept))))
    return figures


def measure(tables: int, rounds: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder, database = Path(name) / "data", Cluster(Path(name) / "postgres")
        stack.callback(database.close)
        folder.mkdir()
        stack.enter_context(in_postgres(folder, database))
        stack.enter_context(cable(database.folder))
        direct = str(database.folder)
        through = address_of(folder).replace(f"host={direct}", f"host={NET}.2&port={PORT}")
        with Server(folder, store=through, store_wait=5) as server:
            figures = asyncio.run(play(server, tables, rounds, seconds))
            server.stop()
        done = figures.pop("done")
        return figures | {
            "acknowledged": sum(map(len, done.values())),
            "wrong": wrong(folder, done),
        }


def main() -> None:
    parser = figures_parser(__doc__)
    for name, usual in {"rounds": 10, "tables": 4}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--seconds", type=float, default=12.0, help="per cut")
    args = parser.parse_args()
    figures = measure(args.tables, args.rounds, args.seconds)
    moves = f"{figures['acknowledged']} moves acknowledged, {figures['wrong']} missing or doubled"
    print(f"{moves}; healed within {figures['healed']:.1f} s")
    if args.json:
        write_figures(args.json, figures, n=args.rounds, of="cuts", cores=os.cpu_count() or 1)
    sys.exit(bool(figures["wrong"]))


if __name__ == "__main__":
    main()
