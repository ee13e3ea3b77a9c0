"""The network between a server and its database is cut and healed, while people play at some tables.

    python bench/network_cut.py [--rounds N] [--tables N] [--seconds S] [--json FILE]

As root on Linux, with `ip`: a namespace with a network of its own stands between the two, and its cable is pulled, so that nothing comes through and nobody is told.
Each round everybody moves into the dark; told are the seconds until the first of them is told that it could not be kept, the longest until all tables go on once the cable is back, and
whether anything that was acknowledged is missing, or a number is there twice.
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

from pedigree import ROOT, settings, write_figures

sys.path.insert(0, str(ROOT))
from tests.postgres import Cluster
from tests.table.clients import Page, Person, Server
from tests.table.places import address_of, in_postgres, look_into

NAMESPACE, HERE, THERE = "souk-cut", "souk-here", "souk-there"
NET, PORT = "10.213.77", 5432
# In the namespace: hands everything on to the database's socket, which is a file and knows no networks.
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
    """A way to the database that can be cut."""
    inside = ["netns", "exec", NAMESPACE, "ip"]
    with contextlib.ExitStack() as stack:
        ip("netns", "add", NAMESPACE)
        stack.callback(ip, "netns", "del", NAMESPACE)
        ip("link", "add", HERE, "type", "veth", "peer", "name", THERE, "netns", NAMESPACE)
        ip("addr", "add", f"{NET}.1/30", "dev", HERE)
        ip("link", "set", HERE, "up")
        ip(*inside, "addr", "add", f"{NET}.2/30", "dev", THERE)
        ip(*inside, "link", "set", THERE, "up")
        command = ["ip", "netns", "exec", NAMESPACE, sys.executable, "-c", RELAY, str(database / f".s.PGSQL.{PORT}"), str(PORT)]  # fmt: skip
        relay = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        stack.callback(relay.wait)
        stack.callback(relay.send_signal, signal.SIGKILL)
        assert relay.stdout is not None
        stack.callback(relay.stdout.close)
        assert relay.stdout.readline() == "ready\n"
        yield


def pull(out: bool) -> None:
    """At the far end: whoever sends from here hears nothing at all."""
    ip("netns", "exec", NAMESPACE, "ip", "link", "set", THERE, "down" if out else "up")


class Player:
    """Somebody with both seats of a table."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.done: list[int] = []

    async def move(self) -> bool:
        """Whether it was kept."""
        page = self.page
        seat = page.view["actors"][0]
        await page.watch(seat, page.seq)
        answer = await page.move(seat, page.view["moves"][0])
        if answer["is"] == "done":
            self.done.append(answer["seq"])
        return bool(answer["is"] == "done")

    async def move_until_kept(self) -> float:
        begin = time.monotonic()
        while not await self.move():
            await asyncio.sleep(0.05)
        return time.monotonic() - begin


async def in_the_dark(player: Player, since: float) -> float:
    """Move, and wait for what comes of it: seconds until it was told."""
    page = player.page
    answer = await page.move(page.view["actors"][0], page.view["moves"][0])
    if answer["is"] == "done":
        player.done.append(answer["seq"])
    return time.monotonic() - since


async def one_round(players: list[Player], seconds: float) -> tuple[float, float]:
    """Cut, and healed after so many seconds. Returns when the first was told anything, and when all went on."""
    for each in players:
        await each.page.watch(each.page.view["actors"][0], each.page.seq)
    pull(True)
    cut = time.monotonic()
    asked = [asyncio.create_task(in_the_dark(each, cut)) for each in players]
    await asyncio.sleep(seconds)
    pull(False)
    healed = time.monotonic()
    told = [await each for each in asked]
    await asyncio.gather(*(each.move_until_kept() for each in players))
    return min(told), time.monotonic() - healed


async def play(server: Server, tables: int, rounds: int, seconds: float) -> dict[str, Any]:
    async with Person(server) as person, contextlib.AsyncExitStack() as stack:
        names = [(await person.new_table("suleika", "me", "here"))[0] for _ in range(tables)]
        players = [Player(await stack.enter_async_context(person.page(name))) for name in names]
        found = []
        for number in range(rounds):
            found.append(await one_round(players, seconds))
            print(f"{number + 1}: told after {found[-1][0]:.1f} s, all went on {found[-1][1]:.1f} s after it was healed", flush=True)  # fmt: skip
        return {
            "rounds": rounds,
            "tables": tables,
            "seconds": seconds,
            "told": max(told for told, _ in found),
            "healed": max(healed for _, healed in found),
            "done": {each.page.table: each.done for each in players},
        }


def wrong(folder: Path, done: dict[str, list[int]]) -> int:
    """Acknowledged events that are missing, and numbers that are not there once."""
    found = 0
    with look_into(folder) as line:
        for table, numbers in done.items():
            kept = [seq for (seq,) in line.execute('SELECT seq FROM events WHERE "table" = ? ORDER BY seq', (table,))]
            found += len(set(numbers) - set(kept)) + (kept != list(range(len(kept))))
    return found


def storm(tables: int, rounds: int, seconds: float) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as name, contextlib.ExitStack() as stack:
        folder, database = Path(name) / "house", Cluster(Path(name) / "postgres")
        stack.callback(database.close)
        folder.mkdir()
        stack.enter_context(in_postgres(folder, database))
        stack.enter_context(cable(database.folder))
        direct = str(database.folder)
        through = address_of(folder).replace(f"host={direct}", f"host={NET}.2&port={PORT}")
        with Server(folder, store=through, store_wait=5) as server:
            found = asyncio.run(play(server, tables, rounds, seconds))
            server.stop()
        done = found.pop("done")
        return found | {"acknowledged": sum(map(len, done.values())), "wrong": wrong(folder, done)}


def main() -> None:
    parser = settings(__doc__)
    for name, usual in {"rounds": 10, "tables": 4}.items():
        parser.add_argument(f"--{name}", type=int, default=usual)
    parser.add_argument("--seconds", type=float, default=12.0, help="that each cut lasts")
    given = parser.parse_args()
    found = storm(given.tables, given.rounds, given.seconds)
    print(
        f"{found['acknowledged']} moves acknowledged, {found['wrong']} missing or doubled; healed within {found['healed']:.1f} s"
    )
    if given.json:
        write_figures(given.json, found, n=given.rounds, of="cuts", cores=os.cpu_count() or 1)
    sys.exit(bool(found["wrong"]))


if __name__ == "__main__":
    main()
