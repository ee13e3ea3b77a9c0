"""Measures one server process under load, with every move on disk before it is acknowledged.

    python -m bench.server.load [--tables N] [--every S] [--seconds S] [--json FILE]
        [--ramp]            then raise the rate until one move in a hundred takes over 100 ms
        [--lobby PEOPLE]    then alternate with and without people in the lobby, three times

A quarter of the tables for each game; random bots take third seats. Players run in processes of
their own and start new games between steps. A move's time runs from sending it to its
acknowledgement.
"""

import asyncio
import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterable
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import msgspec
import uvloop

from bench.server.lobby_crowd import FullLobby, handshake, start_processes
from bench.support.http import new_cookie, request
from bench.support.provenance import figures_parser, write_figures
from souk.server.protocol.table import VERSION
from souk.server.storage import sqlite_schema as schema
from souk.server.storage.encryption import read_key
from souk.server.storage.table_reader import TableReader

# Seats of each game.
GAMES = {"suleika": 2, "basari": 3, "basari-cards": 3, "bazaar": 2}
FASTER = 1.5  # per step of the ramp
TOO_SLOW = 0.1  # seconds, end of the ramp
RAMP_SECONDS = 10.0  # per step, at most
STRETCH = 2.0  # seconds, see `usual_p99`
LOBBY_ROUNDS = 3
_NONE = " "  # an empty list; an empty variable would count as unset and compile all bots
LEAVING = 3.0  # seconds until the server has forgotten people who left the lobby
LIMITED = ("table", "request", "message")


# ---------------------------------------------------------------- the server


class Server:
    """`souk serve` in a process, without limits."""

    program: tuple[str, ...] = ("-m", "souk.cli", "serve")

    def __init__(self, data: Path, levels: str = "random", games: str = _NONE, **more: Any) -> None:
        flags = {"port": 0, "data": data, "games": games, "levels": levels, "log": "json"}
        limits = [f"{what}_{limit}" for what in LIMITED for limit in ("rate", "burst")]
        flags |= dict.fromkeys([*limits, "sockets", "connections", "all_connections"], 10**6)
        flags |= {"study_rate": 10**6, "public_lobby": True} | more
        environment = {f"SOUK_{name.upper()}": str(value) for name, value in flags.items()}
        command = [sys.executable, *self.program]
        self.process = subprocess.Popen(
            command, stderr=subprocess.PIPE, text=True, env=os.environ | environment
        )
        assert self.process.stderr is not None
        logged = map(json.loads, self.process.stderr)
        address: str = next(line["address"] for line in logged if "address" in line)
        self.address = address.removeprefix("http://").rstrip("/")
        self._drain = subprocess.Popen(
            ["cat"], stdin=self.process.stderr, stdout=subprocess.DEVNULL
        )

    def memory(self) -> int:
        """Resident bytes."""
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1]) * 1024
        raise RuntimeError("no VmRSS")

    def cpu(self) -> float:
        """CPU seconds used."""
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)
        self._drain.wait(30)


# ---------------------------------------------------------------- players


# Acknowledged moves by table and event number.
Acknowledged = dict[str, dict[int, tuple[int, str]]]


class _View(msgspec.Struct):
    moves: list[str]
    over: bool


class _Passed(msgspec.Struct):
    seq: int


class _Message(msgspec.Struct):
    """The fields of a message that players need."""

    what: str = msgspec.field(name="is")
    id: int | None = None
    seq: int | None = None
    view: _View | None = None
    passed: list[_Passed] = []

    @property
    def seqs(self) -> list[int | None]:
        """Numbers of the events in this message."""
        return [*(event.seq for event in self.passed), self.seq]


_decode = msgspec.json.Decoder(_Message).decode


class TableSocket(asyncio.Protocol):
    """A minimal websocket client, so that players do not slow the server down."""

    def __init__(self, address: str, cookie: str, table: "PlayedTable", seat: int) -> None:
        self.table, self.seat = table, seat
        self._handshake = handshake(address, f"/api/tables/{table.name}/socket", cookie)
        self._data = b""
        self._is_open = False
        self.seq, self.moves = -2, list[str]()

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        transport.write(self._handshake)

    def send(self, message: dict[str, Any]) -> None:
        data = json.dumps(message).encode()
        size = (
            bytes([0x80 | len(data)]) if len(data) < 126 else b"\xfe" + len(data).to_bytes(2, "big")
        )
        self._transport.write(b"\x81" + size + bytes(4) + data)  # masked with zeros

    def data_received(self, data: bytes) -> None:
        self._data += data
        if not self._is_open:
            _head, end, rest = self._data.partition(b"\r\n\r\n")
            if not end:
                return
            self._is_open, self._data = True, rest
            self.send({"do": "watch", "version": VERSION})
        while (frame := self._next_frame()) is not None:
            self.receive(frame)

    def _next_frame(self) -> bytes | None:
        """The next text frame, b"" for a control frame, or None if incomplete."""
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
        opcode, payload = data[0] & 15, data[start : start + size]
        self._data = data[start + size :]
        if opcode == 9:  # ping: must be echoed
            self._transport.write(b"\x8a" + bytes([0x80 | size]) + bytes(4) + payload)
        return payload if opcode == 1 else b""

    def receive(self, data: bytes) -> None:
        if not data:
            return
        message = _decode(data)
        if message.view is not None and message.seq is not None:
            expected = list(range(self.seq + 1, message.seq + 1))
            if message.what == "event" and message.seqs != expected:
                self.table.gaps += 1
            self.seq, self.moves = message.seq, message.view.moves
            self.table.over = message.view.over
            self.table.sizes += [len(data)] * (message.what == "event")
        elif message.what in ("done", "refused"):
            self.table.acknowledge(message.what == "done", message.seq)

    def leave(self) -> None:
        self._transport.close()

    def connection_lost(self, _error: Exception | None) -> None:
        self.table.lost = not self.table.left


class PlayedTable:
    """A table with two players."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number
        self.sockets: list[TableSocket] = []
        self.sent = 0.0
        self.move: tuple[int, str] = (0, "")
        self.times: list[tuple[float, float]] = []  # when sent, seconds until acknowledged
        self.sizes: list[int] = []  # bytes of messages with a move
        self.acknowledged: dict[int, tuple[int, str]] = {}
        self.last_seq = -1  # acknowledged
        self.gaps = self.refused = 0
        self.over = self.lost = self.left = False

    def leave(self) -> None:
        self.left = True
        for socket in self.sockets:
            socket.leave()

    def play(self) -> None:
        """Make a move, if the last one has been answered."""
        if self.sent or self.over:
            return
        for socket in self.sockets:
            if socket.moves and socket.seq >= self.last_seq:
                move = random.choice(socket.moves[:3])
                self.move, self.sent = (socket.seat, move), time.perf_counter()
                command = {"do": "move", "id": 1, "after": socket.seq}
                socket.send(command | {"seat": socket.seat, "move": move})
                return

    def acknowledge(self, done: bool, seq: int | None) -> None:
        if done and seq is not None:
            self.times.append((self.sent, time.perf_counter() - self.sent))
            self.acknowledged[seq], self.last_seq = self.move, seq
        else:
            self.refused += 1
        self.sent = 0.0


async def open_tables(address: str, numbers: Iterable[int]) -> list[PlayedTable]:
    """Create tables over HTTP, sit down and connect. A table's number determines its game."""
    loop, tables = asyncio.get_running_loop(), []
    host, _, port = address.partition(":")
    cookies = [new_cookie(address) for _ in range(2)]
    for number in numbers:
        game = list(GAMES)[number % len(GAMES)]
        bots = [{"who": "bot", "level": "random"}] * (GAMES[game] - 2)
        seats = [{"who": "me"}, {"who": "link"}, *bots]
        made = request(address, "/api/tables", cookies[0], {"game": game, "seats": seats})
        sit = {"secret": made["invitations"]["1"], "name": "Guest"}
        request(address, f"/api/tables/{made['table']}/sit", cookies[1], sit)
        table = PlayedTable(made["table"], number)
        for seat in range(2):
            connect = partial(TableSocket, address, cookies[seat], table, seat)
            _, socket = await loop.create_connection(connect, host, int(port))
            table.sockets.append(socket)
        tables.append(table)
        await asyncio.sleep(0)
    return tables


async def keep_playing(tables: list[PlayedTable], every: float, seconds: float) -> None:
    """A move per table every `every` seconds, evenly spread."""
    begin, turn = time.perf_counter(), 0
    while (now := time.perf_counter() - begin) < seconds:
        while turn * every / len(tables) <= now:
            tables[turn % len(tables)].play()
            turn += 1
        await asyncio.sleep(0.001)
    await asyncio.sleep(1.0)


NEW_GAMES = "new games"


async def restart_finished(
    address: str, tables: list[PlayedTable]
) -> tuple[list[PlayedTable], list[PlayedTable]]:
    """Tables in play with new ones for those that are over, and the latter."""
    over = [table for table in tables if table.over]
    for table in over:
        table.leave()
    new = await open_tables(address, [table.number for table in over])
    await asyncio.sleep(1.0)
    return [*(table for table in tables if not table.over), *new], over


async def play_step(tables: list[PlayedTable], every: float, seconds: float) -> dict[str, Any]:
    for table in tables:
        table.times, table.sizes = [], []
    await keep_playing(tables, every, seconds)
    return {
        "times": [times for table in tables for times in table.times],
        "sizes": [size for table in tables for size in table.sizes],
        "waiting": sum(bool(table.sent) for table in tables),
        "refused": sum(table.refused for table in tables),
    }


def players(address: str, count: int, first: int, pipe: Connection) -> None:
    """A process of players, told NEW_GAMES, `(every, seconds)` to play, or None to end."""

    async def work() -> None:
        tables = await open_tables(address, range(first, first + count))
        finished: list[PlayedTable] = []
        await asyncio.sleep(1.0)
        pipe.send("ready")
        while (order := await asyncio.to_thread(pipe.recv)) is not None:
            if order == NEW_GAMES:
                tables, over = await restart_finished(address, tables)
                finished += over
                pipe.send("ready")
            else:
                pipe.send(await play_step(tables, *order))
        played = [*tables, *finished]
        trouble = sum(table.gaps for table in played), sum(table.lost for table in played)
        pipe.send(({table.name: table.acknowledged for table in played}, trouble))

    uvloop.run(work())


# ---------------------------------------------------------------- measuring


def usual_p99(times: list[tuple[float, float]]) -> float:
    """The median 99th percentile over stretches of time: shared machines stall at times."""
    stretches: defaultdict[float, list[float]] = defaultdict(list)
    for sent, seconds in times:
        stretches[sent // STRETCH].append(seconds)
    return float(statistics.median(at_percent(sorted(each), 99) for each in stretches.values()))


def at_percent(ordered: list[Any], percent: int) -> Any:
    return ordered[len(ordered) * percent // 100]


class Crowd:
    """All processes of players."""

    def __init__(self, address: str, tables: int, processes: int) -> None:
        share = tables // processes
        arguments = [(address, share, number * share) for number in range(processes)]
        self._pipes = start_processes(players, arguments)

    def _ask(self, order: Any) -> list[Any]:
        for pipe in self._pipes:
            pipe.send(order)
        return [pipe.recv() for pipe in self._pipes]

    def restart_finished(self) -> None:
        self._ask(NEW_GAMES)

    def play(self, every: float, seconds: float) -> dict[str, Any]:
        parts = self._ask((every, seconds))
        sent = [each for part in parts for each in part["times"]]
        times = sorted(1000 * took for _, took in sent)
        sizes = sorted(size for part in parts for size in part["sizes"])
        return {
            "moves": len(times),
            "moves_per_second": round(len(times) / seconds, 1),
            "p50_ms": round(at_percent(times, 50), 2),
            "p90_ms": round(at_percent(times, 90), 2),
            "p99_ms": round(at_percent(times, 99), 2),
            "usual_p99_ms": round(1000 * usual_p99(sent), 2),
            "worst_ms": round(times[-1], 2),
            "p95_bytes": at_percent(sizes, 95),
            "mean_bytes": round(statistics.mean(sizes)),
            "unanswered": sum(part["waiting"] for part in parts),
            "refused": sum(part["refused"] for part in parts),
        }

    def finish(self) -> tuple[Acknowledged, list[int]]:
        """Acknowledged moves by table; numbers of gaps in events and of lost sockets."""
        parts = self._ask(None)
        moves = {name: made for tables, _ in parts for name, made in tables.items()}
        return moves, [
            sum(counts) for counts in zip(*(trouble for _, trouble in parts), strict=True)
        ]


def count_lost(data: Path, acknowledged: Acknowledged) -> int:
    """Acknowledged moves that are missing in the database."""
    file = schema.connect(data / "tables.sqlite")
    reader = TableReader(file, read_key(data / "key"))
    stored = {
        (table, row.seq): (row.seat, row.text)
        for table in acknowledged
        for row in reader.events(table)
    }
    file.close()
    return sum(
        stored.get((table, seq)) != move
        for table, moves in acknowledged.items()
        for seq, move in moves.items()
    )


class Load:
    """A server under load, step by step."""

    def __init__(self, server: Server, tables: int, processes: int) -> None:
        self.server, self.tables = server, tables
        time.sleep(1)
        Crowd(server.address, 4, 1).play(0.1, 1)  # load everything before measuring memory
        self._before = server.memory()
        self._crowd = Crowd(server.address, tables, processes)

    def step(self, every: float, seconds: float) -> dict[str, Any]:
        self._crowd.restart_finished()
        start = self.server.cpu()
        figures: dict[str, Any] = {"wanted_per_second": round(self.tables / every)}
        figures |= self._crowd.play(every, seconds)
        memory = self.server.memory() - self._before
        figures["server_cpu"] = round((self.server.cpu() - start) / seconds, 2)
        figures["kb_per_table"] = round(memory / self.tables / 1000, 1)
        print(json.dumps(figures), flush=True)
        return figures

    def ramp(self, every: float, seconds: float) -> list[dict[str, Any]]:
        """Raise the rate until it is too high, then try once between the last two."""
        steps: list[dict[str, Any]] = []
        while not steps or steps[-1]["p99_ms"] < 1000 * TOO_SLOW:
            every /= FASTER
            steps.append(self.step(every, min(seconds, RAMP_SECONDS)))
        between = self.step(every * FASTER**0.5, min(seconds, RAMP_SECONDS))
        return [*steps[:-1], between, steps[-1]]

    def with_and_without_lobby(self, people: int, every: float, seconds: float) -> dict[str, Any]:
        """Medians of alternating steps with and without people in the lobby."""
        rounds = [
            {"with": self._with_lobby(people, every, seconds), "without": self.step(every, seconds)}
            for _ in range(LOBBY_ROUNDS)
        ]
        figures: dict[str, Any] = {
            f"{part}_{name}": statistics.median(each[part][name] for each in rounds)
            for part in ("without", "with")
            for name in ("p50_ms", "p99_ms", "usual_p99_ms", "server_cpu")
        }
        print(json.dumps(figures), flush=True)
        return figures | {"people": people, "rounds": rounds}

    def _with_lobby(self, people: int, every: float, seconds: float) -> dict[str, Any]:
        before = self.server.memory()
        lobby = FullLobby(self.server.address, people)
        memory = (self.server.memory() - before) / people / 1000
        figures = self.step(every, seconds)
        received = lobby.leave()
        time.sleep(LEAVING)
        return figures | {
            "lobby": people,
            "told": round(received["told"] / people, 1),
            "kb_told": round(received["bytes"] / people / 1000, 1),
            "kb_per_page": round(memory, 1),
            "lobby_lost": received["lost"],
        }

    def reckoning(self, data: Path) -> dict[str, int]:
        """Compare acknowledged moves with the database."""
        acknowledged, (gaps, sockets_lost) = self._crowd.finish()
        figures = {"acknowledged": sum(map(len, acknowledged.values()))}
        figures |= {"lost": count_lost(data, acknowledged), "gaps": gaps}
        figures["sockets_lost"] = sockets_lost
        print(json.dumps(figures), flush=True)
        return figures


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--every", type=float, default=5.0, help="seconds between moves at a table")
    parser.add_argument("--seconds", type=float, default=60.0)
    parser.add_argument("--processes", type=int, default=1, help="of players")
    parser.add_argument("--ramp", action="store_true")
    parser.add_argument("--lobby", type=int, default=0, metavar="PEOPLE")
    args = parser.parse_args()
    pace = args.every, args.seconds
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder))
        try:
            load = Load(server, args.tables, args.processes)
            steady = load.step(*pace)
            lobby = load.with_and_without_lobby(args.lobby, *pace) if args.lobby else {}
            ramp = load.ramp(*pace) if args.ramp else []
            reckoning = load.reckoning(Path(folder))
        finally:
            server.stop()
    if args.json:
        figures = {"tables": args.tables, "every": args.every, "seconds": args.seconds}
        figures |= {"steady": steady, "lobby": lobby, "ramp": ramp, "reckoning": reckoning}
        cores = 1 + args.processes  # the server's and the players'
        write_figures(args.json, figures, n=reckoning["acknowledged"], of="moves", cores=cores)


if __name__ == "__main__":
    main()
