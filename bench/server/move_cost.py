"""Measures the CPU time of the event loop per move, at tables with two watchers.

    python -m bench.server.move_cost [GAME ...] [--moves N] [--rounds N] [--tables N] [--json FILE]

Moves are legal commands to real table sockets without connections, with a real database (whose
writer thread does not count). The fastest of several rounds counts.
"""

import asyncio
import json
import random
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import uvloop

from bench.support.provenance import figures_parser, write_figures
from souk.games import names
from souk.server.common.config import ServerConfig
from souk.server.common.metrics import Metrics
from souk.server.compute.scheduler import BotScheduler
from souk.server.net.connection import SocketClient
from souk.server.net.table_socket import TableSocket
from souk.server.protocol.lobby import NewTable, SeatRequest, TakeSeat
from souk.server.protocol.table import VERSION
from souk.server.services import Services
from souk.server.storage.sqlite_store import SqliteStore

PEOPLE = {"basari": 3, "basari-cards": 3}  # two in the other games
FIRST_MOVES = 3  # chosen from the first few, as in bench/server/load.py
WARM_UP = 200  # moves


class NullConnection:
    """A connection that discards everything."""

    lag = 0.0

    def __init__(self) -> None:
        self.bytes = self.refused = 0

    def post(self, message: bytes) -> None:
        self.bytes += len(message)
        self.refused += message.startswith(b'{"is":"refused"')

    def measure_lag(self) -> None:
        pass

    def ping(self) -> None:
        pass


class WatchedTable:
    """A table of two people, the second on all seats but the first."""

    def __init__(self, services: Services, game: str, rng: random.Random) -> None:
        self._services, self.game, self._rng = services, game, rng
        self.connections = [NullConnection(), NullConnection()]
        self._sockets: list[TableSocket] = []

    async def open(self) -> None:
        """Sit down, start the game and watch."""
        me, other = (bytes([person]) * 32 for person in range(2))
        seats = [SeatRequest("me"), *[SeatRequest("link")] * (PEOPLE.get(self.game, 2) - 1)]
        made = await self._services.table_factory.new_table(NewTable(self.game, seats), me, "")
        for secret in made.invitations.values():
            await self._services.sit_down(made.table, TakeSeat(secret, "Guest"), other)
        for player, connection in zip((me, other), self.connections, strict=True):
            socket = TableSocket(self._services, connection, SocketClient(player))
            await socket.open(made.table)
            await socket.handle(json.dumps({"do": "watch", "version": VERSION}))
            self._sockets.append(socket)
        self.table = self._services.tables.open[made.table]
        while not self.table.begun:
            await asyncio.sleep(0.01)

    @property
    def sent(self) -> int:
        """Bytes sent so far."""
        return sum(connection.bytes for connection in self.connections)

    def leave(self) -> None:
        assert not any(connection.refused for connection in self.connections)
        for socket in self._sockets:
            socket.leave()

    def next_command(self) -> tuple[TableSocket, str] | None:
        """A legal move and its socket, or None once the game is over."""
        state = self.table.state
        if state.over:
            return None
        seat = self._rng.choice(state.position.actors)
        codes = state.position.move_codes(seat)[:FIRST_MOVES]
        move = state.position.game.notation.move_text(state.position.state, self._rng.choice(codes))
        command = {"do": "move", "id": 1, "after": state.seq, "seat": seat, "move": move}
        return self._sockets[min(seat, 1)], json.dumps(command)


# ---------------------------------------------------------------- measuring


async def measure(services: Services, game: str, moves: int, tables: int) -> dict[str, float]:
    """CPU time, bytes and events per move, with `tables` tables at a time."""
    rng, played, sent, events, seconds = random.Random(1), 0, 0, 0, 0.0
    while played < moves:
        opened = [WatchedTable(services, game, rng) for _ in range(tables)]
        for table in opened:
            await table.open()
        sent -= sum(table.sent for table in opened)
        events -= sum(table.table.state.seq for table in opened)
        while played < moves:
            commands = [command for table in opened if (command := table.next_command())]
            if not commands:
                break
            begin = time.thread_time()
            await asyncio.gather(*(socket.handle(command) for socket, command in commands))
            seconds += time.thread_time() - begin
            played += len(commands)
        sent += sum(table.sent for table in opened)
        events += sum(table.table.state.seq for table in opened)
        for table in opened:
            table.leave()
    return {"us": 1e6 * seconds / played, "bytes": sent / played, "events": events / played}


@asynccontextmanager
async def services_of_a_server() -> AsyncIterator[Services]:
    """Services with a temporary database and no rate limits."""
    no_limit = {
        f"{what}_{limit}": 10**9 for what in ("table", "message") for limit in ("rate", "burst")
    }
    with tempfile.TemporaryDirectory() as folder:
        config = ServerConfig(data=Path(folder), games=(), levels=("random",), **no_limit)  # type: ignore[arg-type]
        metrics = Metrics()
        store = SqliteStore(config.data / "tables.sqlite", on_written=metrics.written)
        services = Services(config, store, BotScheduler(1, ()), metrics)
        try:
            yield services
        finally:
            await services.close()


async def measure_all(
    games: list[str], moves: int, tables: int, rounds: int
) -> dict[str, dict[str, float]]:
    fastest: dict[str, dict[str, float]] = {}
    async with services_of_a_server() as services:
        for game in games:
            await measure(services, game, WARM_UP, tables)
            rows = [await measure(services, game, moves, tables) for _ in range(rounds)]
            row = fastest[game] = min(rows, key=lambda row: row["us"])
            print(
                f"{game}: {row['us']:.0f} µs ({row['events']:.1f} events, "
                f"{row['bytes']:,.0f} bytes sent)",
                flush=True,
            )
    return fastest


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=names())
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tables", type=int, default=10, help="at a time")
    args = parser.parse_args()
    if unknown := set(args.games) - set(names()):
        sys.exit(f"unknown game {', '.join(unknown)}; known: {', '.join(names())}")
    figures = uvloop.run(measure_all(args.games, args.moves, args.tables, args.rounds))
    mean = statistics.mean(row["us"] for row in figures.values())
    print(f"mean: {mean:.0f} µs of the event loop per move")
    if args.json:
        of = "moves a game and round"
        write_figures(args.json, {"games": figures, "us": mean}, n=args.moves, of=of)


if __name__ == "__main__":
    main()
