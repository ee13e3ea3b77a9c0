"""How much one server process bears: many tables in play over real sockets, with every move kept on disk before it is acknowledged.

    python bench/load.py                 1,000 tables with 2,000 sockets, each table a move every 5 seconds, for a minute
    python bench/load.py --ramp          then faster and faster, until one move in a hundred takes longer than 100 ms
    python bench/load.py --lobby 5000    then in turn, three times each: with so many people in the public lobby, where tables come and go, and without
    python bench/load.py --studies       then the same again, while somebody looks back at one game after the other
    python bench/load.py --json FILE     keeps the figures

The tables are a quarter each of the four games; where a game needs a third player, a random bot sits there. Before each step whoever has finished a game begins
another, so that all tables are in play. Players are in processes of their own. A move's time is from sending the command to its acknowledgement, seen by the player.
"""

import asyncio
import json
import multiprocessing
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from collections.abc import Iterable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import uvloop
from asking import asked, cookie_of
from lobby_crowd import FullLobby
from pedigree import settings, write_figures
from study import at_random

from souk.table import schema
from souk.table.protocol import VERSION
from souk.table.reading import TableReader
from souk.table.sealing import read_key

GAMES = {"suleika": 2, "basari": 3, "basari-cards": 3, "bazaar": 2}
FASTER = 1.5  # from one step of the ramp to the next
TOO_SLOW = 0.1  # seconds: where the ramp ends
RAMP_SECONDS = 10.0  # a step of it, at most
STRETCH = 2.0  # seconds: see `usual_p99`
LOBBY_ROUNDS = 3
_NONE = " "  # a list of nothing: an empty variable of the environment counts as one that is not set, and all bots would be compiled meanwhile
LEAVING = 3.0  # seconds until the server has forgotten all who were in the lobby


# ---------------------------------------------------------------- the server


class Server:
    """`souk serve` in a process of its own, without limits."""

    program: tuple[str, ...] = ("-m", "souk.cli", "serve")

    def __init__(self, data: Path, levels: str = "random", games: str = _NONE, **more: Any) -> None:
        flags: dict[str, Any] = {"port": 0, "data": data, "games": games, "levels": levels, "log": "json"}
        flags |= {f"{what}_{limit}": 10**6 for what in ("table", "request", "message") for limit in ("rate", "burst")}
        no_limits = {"sockets": 10**6, "connections": 10**6, "all_connections": 10**6, "study_rate": 10**6}
        no_limits |= {"public_lobby": True}
        environment = {f"SOUK_{name.upper()}": str(value) for name, value in (flags | no_limits | more).items()}
        command = [sys.executable, *self.program]
        self.process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ | environment)
        assert self.process.stderr is not None
        told = map(json.loads, self.process.stderr)
        self.address = next(each["address"] for each in told if "address" in each).removeprefix("http://").rstrip("/")
        self._drain = subprocess.Popen(["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL)

    def memory(self) -> int:
        """Bytes it holds."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        raise RuntimeError("no VmRSS")

    def cpu(self) -> float:
        """Seconds of processor time it has used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        self._drain.wait(30)


# ---------------------------------------------------------------- players


class _View(msgspec.Struct):
    moves: list[str]
    over: bool


class _Passed(msgspec.Struct):
    seq: int


class _Said(msgspec.Struct):
    """What a player needs of a message."""

    what: str = msgspec.field(name="is")
    id: int | None = None
    seq: int | None = None
    view: _View | None = None
    passed: list[_Passed] = []

    @property
    def seqs(self) -> list[int | None]:
        """Of the events that it tells of."""
        return [*(each.seq for each in self.passed), self.seq]


_read = msgspec.json.Decoder(_Said).decode


class Wire(asyncio.Protocol):
    """A websocket as thin as can be, so that the players do not slow the server down."""

    def __init__(self, address: str, table: str, cookie: str, table_of: "PlayedTable", seat: int) -> None:
        self.table, self.seat = table_of, seat
        self._head = (
            f"GET /api/tables/{table}/socket HTTP/1.1\r\nHost: {address}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nCookie: souk={cookie}\r\n\r\n"
        )
        self._data = b""
        self._open = False
        self.seq, self.moves = -2, [""][:0]

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._head.encode())

    def say(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        self._transport.write(b"\x81" + size + bytes(4) + data)  # masked with zeros

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._open:
            _head, found, rest = self._data.partition(b"\r\n\r\n")
            if not found:
                return
            self._open, self._data = True, rest
            self.say({"do": "watch", "version": VERSION})
        while (whole := self._frame()) is not None:
            self.hear(whole)

    def _frame(self) -> bytes | None:
        data = self._data
        if len(data) < 2:
            return None
        size, start = data[1], 2
        if size == 126:
            size, start = int.from_bytes(data[2:4], "big"), 4
        elif size == 127:
            size, start = int.from_bytes(data[2:10], "big"), 10
        if len(data) < start + size:
            return None
        kind, self._data = data[0] & 15, data[start + size :]
        if kind == 9:  # a ping
            told = data[
                start : start + size
            ]  # which is to be said again: else the server takes it that nobody is there
            self._transport.write(b"\x8a" + bytes([0x80 | size]) + bytes(4) + told)
        return data[start : start + size] if kind == 1 else b""

    def hear(self, data: bytes) -> None:
        if not data:
            return
        said = _read(data)
        if said.view is not None and said.seq is not None:
            if said.what == "event" and said.seqs != list(range(self.seq + 1, said.seq + 1)):
                self.table.gaps += 1
            self.seq, self.moves = said.seq, said.view.moves
            self.table.over = said.view.over
            self.table.sizes += [len(data)] * (said.what == "event")
        elif said.what in ("done", "refused"):
            self.table.answered(said.what == "done", said.seq)

    def leave(self) -> None:
        self._transport.close()

    def connection_lost(self, _error: Exception | None) -> None:
        self.table.lost = not self.table.left


class PlayedTable:
    """A table with two players."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number
        self.wires: list[Wire] = []
        self.sent = 0.0
        self.move: tuple[int, str] = (0, "")
        self.times: list[tuple[float, float]] = []  # when a move was sent, and the seconds until it was acknowledged
        self.sizes: list[int] = []  # of messages that tell of a move, in bytes
        self.promised: dict[int, tuple[int, str]] = {}
        self.confirmed = -1  # the last event of these
        self.gaps = self.refused = 0
        self.over = self.lost = self.left = False

    def leave(self) -> None:
        """Its game is over, and nobody looks on any longer."""
        self.left = True
        for wire in self.wires:
            wire.leave()

    def play(self) -> None:
        """Whoever can makes a move, if the last one has been answered."""
        if self.sent or self.over:
            return
        for wire in self.wires:
            if wire.moves and wire.seq >= self.confirmed:  # what the last move led to is known
                move = random.choice(wire.moves[:3])
                self.move, self.sent = (wire.seat, move), time.perf_counter()
                wire.say({"do": "move", "id": 1, "after": wire.seq, "seat": wire.seat, "move": move})
                return

    def answered(self, done: bool, seq: int | None) -> None:
        if done and seq is not None:
            self.times.append((self.sent, time.perf_counter() - self.sent))
            self.promised[seq], self.confirmed = self.move, seq
        else:
            self.refused += 1
        self.sent = 0.0


async def open_tables(address: str, numbers: Iterable[int]) -> list[PlayedTable]:
    """Ask for tables over HTTP, sit down, and open the sockets. Which game it is follows from a table's number."""
    loop, found = asyncio.get_running_loop(), []
    host, _, port = address.partition(":")
    cookies = [cookie_of(address) for _ in range(2)]
    for number in numbers:
        game = list(GAMES)[number % len(GAMES)]
        seats = [{"who": "me"}, {"who": "link"}] + [{"who": "bot", "level": "random"}] * (GAMES[game] - 2)
        made = asked(address, "/api/tables", cookies[0], {"game": game, "seats": seats})
        sit = {"secret": made["invitations"]["1"], "name": "Guest"}
        asked(address, f"/api/tables/{made['table']}/sit", cookies[1], sit)
        table = PlayedTable(made["table"], number)
        for seat in range(2):
            _, wire = await loop.create_connection(
                lambda seat=seat, table=table: Wire(address, table.name, cookies[seat], table, seat),  # type: ignore[misc]
                host,
                int(port),
            )
            table.wires.append(wire)
        found.append(table)
        await asyncio.sleep(0)
    return found


async def keep_playing(tables: list[PlayedTable], every: float, seconds: float) -> None:
    """Each table a move every so many seconds, evenly spread."""
    begin, turn = time.perf_counter(), 0
    while (now := time.perf_counter() - begin) < seconds:
        while turn * every / len(tables) <= now:
            tables[turn % len(tables)].play()
            turn += 1
        await asyncio.sleep(0.001)
    await asyncio.sleep(1.0)


AGAIN = "again"  # what players are told between two steps


def players(address: str, count: int, first: int, pipe: Connection) -> None:
    """A process of players. It is told AGAIN, to begin other games where some are over; or (every so many seconds, for how long), and answers with
    what it measured."""

    async def work() -> None:
        tables, finished = await open_tables(address, range(first, first + count)), list[PlayedTable]()
        await asyncio.sleep(1.0)
        pipe.send("ready")
        while (order := await asyncio.to_thread(pipe.recv)) is not None:
            if order == AGAIN:
                over = [table for table in tables if table.over]
                for table in over:
                    table.leave()
                another = await open_tables(address, [table.number for table in over])
                tables, finished = [*(table for table in tables if not table.over), *another], [*finished, *over]
                await asyncio.sleep(1.0)
                pipe.send("ready")
                continue
            for table in tables:
                table.times, table.sizes = [], []
            await keep_playing(tables, *order)
            times = [each for table in tables for each in table.times]
            sizes = [each for table in tables for each in table.sizes]
            waiting, refused = sum(bool(table.sent) for table in tables), sum(table.refused for table in tables)
            pipe.send({"times": times, "sizes": sizes, "waiting": waiting, "refused": refused})
        all_of_them = [*tables, *finished]
        trouble = sum(table.gaps for table in all_of_them), sum(table.lost for table in all_of_them)
        pipe.send(({table.name: table.promised for table in all_of_them}, trouble))

    uvloop.run(work())


# ---------------------------------------------------------------- somebody who looks back


class Reader:
    """Looks back at games that others have played, one after the other, as a page does onto which files are dropped."""

    def __init__(self, address: str) -> None:
        self._address, self._cookie, self._seed = address, cookie_of(address), 0
        self._stopping = threading.Event()
        self.seconds: list[float] = []  # that each game took
        self._look_back()  # what it thinks with is compiled or loaded the first time
        self._thread = threading.Thread(target=self._read_on)

    def __enter__(self) -> "Reader":
        self.seconds.clear()
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stopping.set()
        self._thread.join()

    def _read_on(self) -> None:
        while not self._stopping.is_set():
            self._look_back()

    def _look_back(self) -> None:
        self._seed += 1
        record = at_random([*GAMES][self._seed % len(GAMES)], 4, self._seed)
        begin = time.perf_counter()
        found: dict[str, Any] = {"done": 0, "of": 0, "version": ""}
        file = asked(self._address, "/api/studies", self._cookie, {"record": str(record)})["id"]
        while not found["of"] or (found["done"] < found["of"] and not self._stopping.is_set()):
            time.sleep(0.3)
            found = asked(self._address, f"/api/tables/{file}/study?known={found['version']}", self._cookie)
        self.seconds.append(time.perf_counter() - begin)


# ---------------------------------------------------------------- measuring


def usual_p99(sent: list[tuple[float, float]]) -> float:
    """Seconds that one move in a hundred exceeds in every other stretch of time: machines that are lent out stand still now and then, for longer than
    any move takes, and this says what the server does when they do not."""
    stretches: defaultdict[float, list[float]] = defaultdict(list)
    for when, took in sent:
        stretches[when // STRETCH].append(took)
    return statistics.median(sorted(times)[len(times) * 99 // 100] for times in stretches.values())


class Crowd:
    """All processes of players."""

    def __init__(self, address: str, tables: int, processes: int) -> None:
        self.tables, share = tables, tables // processes
        self._pipes = []
        for number in range(processes):
            here, there = multiprocessing.Pipe()
            multiprocessing.Process(target=players, args=(address, share, number * share, there), daemon=True).start()
            self._pipes.append(here)
        for pipe in self._pipes:
            assert pipe.recv() == "ready"

    def begin_again(self) -> None:
        """Whoever has finished a game begins another."""
        for pipe in self._pipes:
            pipe.send(AGAIN)
        for pipe in self._pipes:
            assert pipe.recv() == "ready"

    def play(self, every: float, seconds: float) -> dict[str, Any]:
        for pipe in self._pipes:
            pipe.send((every, seconds))
        found = [pipe.recv() for pipe in self._pipes]
        sent = [each for one in found for each in one["times"]]
        times = sorted(took for _, took in sent)
        sizes = sorted(each for one in found for each in one["sizes"])
        return {
            "moves": len(times),
            "moves_per_second": round(len(times) / seconds, 1),
            "p50_ms": round(1000 * times[len(times) // 2], 2),
            "p90_ms": round(1000 * times[len(times) * 90 // 100], 2),
            "p99_ms": round(1000 * times[len(times) * 99 // 100], 2),
            "usual_p99_ms": round(1000 * usual_p99(sent), 2),
            "worst_ms": round(1000 * times[-1], 2),
            "p95_bytes": sizes[len(sizes) * 95 // 100],
            "mean_bytes": round(statistics.mean(sizes)),
            "unanswered": sum(one["waiting"] for one in found),
            "refused": sum(one["refused"] for one in found),
        }

    def promised(self) -> tuple[dict[str, dict[int, tuple[int, str]]], list[int]]:
        """By table all that was acknowledged; and how many gaps there were in what players heard, and lost sockets."""
        for pipe in self._pipes:
            pipe.send(None)
        found = [pipe.recv() for pipe in self._pipes]
        return {name: made for one, _ in found for name, made in one.items()}, [
            sum(x) for x in zip(*(t for _, t in found), strict=True)
        ]


def count_lost(data: Path, promised: dict[str, dict[int, tuple[int, str]]]) -> int:
    """Acknowledged moves that are not in the file."""
    file = schema.connect(data / "tables.sqlite")
    reader = TableReader(file, read_key(data / "key"))
    kept = {(table, row.seq): (row.seat, row.text) for table in promised for row in reader.events(table)}
    file.close()
    return sum(kept.get((table, seq)) != move for table, made in promised.items() for seq, move in made.items())


class Load:
    """A server under load, step by step."""

    def __init__(self, server: Server, tables: int, processes: int) -> None:
        self.server, self.tables = server, tables
        time.sleep(1)
        Crowd(server.address, 4, 1).play(0.1, 1)  # so that everything is loaded before memory is measured
        self._before = server.memory()
        self._crowd = Crowd(server.address, tables, processes)

    def step(self, every: float, seconds: float) -> dict[str, Any]:
        """All tables a move every so many seconds."""
        self._crowd.begin_again()
        start = self.server.cpu()
        found = {"wanted_per_second": round(self.tables / every), **self._crowd.play(every, seconds)}
        found["server_cpu"] = round((self.server.cpu() - start) / seconds, 2)
        found["kb_per_table"] = round((self.server.memory() - self._before) / self.tables / 1000, 1)
        print(json.dumps(found), flush=True)
        return found

    def ramp(self, every: float, seconds: float) -> list[dict[str, Any]]:
        """Faster and faster until it is too slow, then once between the last two: from the slowest step to the fastest, which the server does not bear."""
        steps: list[dict[str, Any]] = []
        while not steps or steps[-1]["p99_ms"] < 1000 * TOO_SLOW:
            every /= FASTER
            steps.append(self.step(every, min(seconds, RAMP_SECONDS)))
        between = self.step(every * FASTER**0.5, min(seconds, RAMP_SECONDS))
        return [*steps[:-1], between, steps[-1]]

    def studied(self, every: float, seconds: float) -> dict[str, Any]:
        """All tables as before, while somebody looks back at games."""
        with Reader(self.server.address) as reader:
            found = self.step(every, seconds)
        return found | {"studies": len(reader.seconds), "longest_study": round(max(reader.seconds), 1)}

    def beside_lobby(self, people: int, every: float, seconds: float) -> dict[str, Any]:
        """All tables as before, with so many people in the lobby and without, in turn: one move in a hundred is a matter of chance."""
        rounds = []
        for _ in range(LOBBY_ROUNDS):
            rounds.append({"with": self._with_lobby(people, every, seconds), "without": self.step(every, seconds)})
        found: dict[str, Any] = {
            f"{what}_{name}": statistics.median(each[what][name] for each in rounds)
            for what in ("without", "with")
            for name in ("p50_ms", "p99_ms", "usual_p99_ms", "server_cpu")
        }
        print(json.dumps(found), flush=True)
        return found | {"people": people, "rounds": rounds}

    def _with_lobby(self, people: int, every: float, seconds: float) -> dict[str, Any]:
        before = self.server.memory()
        lobby = FullLobby(self.server.address, people)
        memory = (self.server.memory() - before) / people / 1000
        found = self.step(every, seconds)
        told = lobby.leave()
        about = {
            "lobby": people,
            "told": round(told["told"] / people, 1),
            "kb_told": round(told["bytes"] / people / 1000, 1),
        }
        time.sleep(LEAVING)
        return found | about | {"kb_per_page": round(memory, 1), "lobby_lost": told["lost"]}

    def reckoning(self, data: Path) -> dict[str, int]:
        """What was promised, and whether all of it was kept."""
        promised, (gaps, sockets_lost) = self._crowd.promised()
        count, lost = sum(map(len, promised.values())), count_lost(data, promised)
        found = {"acknowledged": count, "lost": lost, "gaps": gaps, "sockets_lost": sockets_lost}
        print(json.dumps(found), flush=True)
        return found


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between moves at a table")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--processes", type=int, default=1, help="of players")
    parser.add_argument("--ramp", action="store_true")
    parser.add_argument("--lobby", type=int, default=0, metavar="PEOPLE")
    parser.add_argument("--studies", action="store_true")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            load = Load(server, chosen.tables, chosen.processes)
            steady = load.step(chosen.every, chosen.seconds)
            lobby = load.beside_lobby(chosen.lobby, chosen.every, chosen.seconds) if chosen.lobby else {}
            studied = load.studied(chosen.every, chosen.seconds) if chosen.studies else {}
            ramp = load.ramp(chosen.every, chosen.seconds) if chosen.ramp else []
            reckoning = load.reckoning(Path(folder))
        finally:
            server.stop()
    if chosen.json:
        asked = {"tables": chosen.tables, "every": chosen.every, "seconds": chosen.seconds}
        figures = asked | {"steady": steady, "lobby": lobby, "studied": studied, "ramp": ramp, "reckoning": reckoning}
        cores = 1 + chosen.processes  # the server's and the players'
        write_figures(chosen.json, figures, n=reckoning["acknowledged"], of="moves", cores=cores)


if __name__ == "__main__":
    main()
