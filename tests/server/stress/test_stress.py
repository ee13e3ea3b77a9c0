"""Small stress tests (`bench/server/stress.py` has large ones), and disconnects at every await of
every command.
"""

import asyncio
import contextlib
import json
from pathlib import Path

import pytest

from souk.server.common.config import ServerConfig
from souk.server.common.metrics import Metrics
from souk.server.compute.scheduler import BotScheduler
from souk.server.dice.fair_dice import digest_of
from souk.server.net.connection import CloseSocket, SocketClient
from souk.server.net.table_socket import TableSocket
from souk.server.protocol.lobby import NewTable, SeatRequest
from souk.server.protocol.table import VERSION
from souk.server.services import Services
from souk.server.storage.sqlite_store import SqliteStore
from souk.server.tables.table import Table
from tests.server.support.stress import STORMS, CutAt

SIZES = {"kills": 3, "disks": 6, "two_servers": 6, "clocks": 4, "onlookers": 3}
ME, ADDRESS = b"m" * 32, "127.0.0.1"
SHARE = bytes(range(32))


@pytest.mark.parametrize("name", STORMS)
def test_a_storm(name: str, tmp_path: Path) -> None:
    seed = 1
    print(f"{name}, size {SIZES[name]}, seed {seed}")
    counted = STORMS[name](tmp_path, SIZES[name], seed)
    assert counted
    assert all(counted.values()), counted


# ---------------------------------------------------------------- disconnects


class Line:
    """The end of a connection: keeps what is sent."""

    lag = 0.0

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def measure_lag(self) -> None: ...

    def post(self, message: bytes) -> None:
        self.heard.append(message)

    def ping(self) -> None: ...


class Visit:
    """A page at a table, without a network in between."""

    def __init__(self, services: Services) -> None:
        self.line = Line()
        self.socket = TableSocket(services, self.line, SocketClient(ME, ADDRESS))

    async def say(self, do: str, **fields: object) -> None:
        numbered = {} if do == "watch" else {"id": 1}
        with contextlib.suppress(CloseSocket):  # it has been closed
            await self.socket.handle(json.dumps({"do": do} | numbered | fields))

    async def come(self, table: str) -> None:
        await self.socket.open(table)
        await self.say("watch", version=VERSION, after=-1)

    def last(self, kind: str) -> dict[str, object]:
        """The last message of a kind."""
        return [
            found for message in self.line.heard if (found := json.loads(message))["is"] == kind
        ][-1]


async def ask(visit: Visit, command: str, seq: int) -> None:
    """One of the commands of a page."""
    fields: dict[str, dict[str, object]] = {
        "watch": {"version": VERSION, "after": -1, "seat": 1},
        "move": {"seat": 0, "move": "left", "after": seq},
        "take_back": {"seat": 0, "after": seq},
        "stand_in": {"seat": 2, "level": "random"},
        "check_legality": {"seat": 0, "move": "left"},
        "reveal_share": {"seat": 0, "share": SHARE.hex()},
        "ping": {},
    }
    await visit.say(command, **fields[command])


async def play_until_it_can_be_taken_back(table: Table) -> None:
    while table.state.can_take_back() != 0:
        seat = table.position.actors[0]
        await table.play(seat, table.position.moves(seat)[0], table.state.seq)


async def until_it_begins(table: Table, commitment: str) -> None:
    """Wait until the game has begun, or needs the promised share."""
    while not table.begun and not (commitment and table.shares.turn == 0):
        await asyncio.sleep(0)


async def break_at(services: Services, command: str, at: int) -> bool:
    """Disconnect at await number `at` of a command. Returns whether there was one; afterwards all
    must be well.
    """
    seats = [SeatRequest("me"), SeatRequest("here"), SeatRequest("link")]
    commitment = digest_of(SHARE) if command == "reveal_share" else ""
    wish = NewTable("suleika", seats, commitment=commitment)
    table = (await services.table_factory.new_table(wish, ME, ADDRESS)).table
    before = Visit(services)
    await before.come(table)
    if command != "stand_in":
        await before.say("stand_in", seat=2, level="random")
        await until_it_begins(services.tables.open[table], commitment)
    if command == "take_back":
        await play_until_it_can_be_taken_back(services.tables.open[table])
    seq = services.tables.open[table].state.seq
    visit = Visit(services)
    work = visit.come(table) if command == "come" else ask(visit, command, seq)
    if command != "come":
        await visit.come(table)
    cut = CutAt(work, at, visit.socket.leave)
    await cut
    visit.socket.leave()
    assert services.tables.open[table].viewers == [before.socket]  # and no ghost
    before.socket.leave()
    await all_is_well(services, table)
    return cut.reached


async def all_is_well(services: Services, table: str) -> None:
    """Nobody is connected, only bot requests keep tables in memory, and newcomers find what is on
    disk and can play.
    """
    while services.tables.open:
        assert not any(each.viewers for each in services.tables.open.values())
        assert all(
            each.bot_requests or each.is_starting or each.pins
            for each in services.tables.open.values()
        )
        await asyncio.sleep(0.001)
    again = Visit(services)
    await again.come(table)
    now = again.last("table")
    rows = await services.store.events(table)
    assert now["seq"] == len(rows) - 1
    assert len(now["lines"]) == len(rows)  # type: ignore[arg-type]
    view = now["view"]
    if view is None:  # waiting for a guest, or for a bot instead
        await again.say("stand_in", seat=2, level="random")
        assert again.last("done")
        view = {"actors": []}
    assert isinstance(view, dict)
    if 0 in view["actors"]:
        await again.say("move", seat=0, move=view["moves"][0], after=now["seq"])
        assert again.last("done")
    again.socket.leave()


@pytest.mark.parametrize(
    "command",
    ["come", "watch", "move", "take_back", "stand_in", "check_legality", "reveal_share", "ping"],
)
def test_the_line_breaks_at_every_pause(command: str, tmp_path: Path) -> None:
    async def break_everywhere() -> int:
        settings = ServerConfig(
            data=tmp_path,
            games=(),
            levels=("random",),
            pace=0,
            grace=0,
            table_burst=1000,
            dice_time=0.1,
        )
        services = Services(
            settings, SqliteStore(tmp_path / "tables.sqlite"), BotScheduler(1, ()), Metrics()
        )
        at = 0
        while await break_at(services, command, at):
            at += 1
        await services.close()
        return at

    pauses = asyncio.run(break_everywhere())
    assert pauses > 0 or command in ("check_legality", "ping")
