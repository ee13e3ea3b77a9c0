"""Small storms; `bench/chaos.py` has large ones. And the line broken at every pause of everything that a page can ask for."""

import asyncio
import contextlib
import json
from pathlib import Path

import pytest

from souk.table.fairness import digest_of
from souk.table.gauges import Gauges
from souk.table.house import House
from souk.table.lobby_protocol import NewTable, SeatWish
from souk.table.protocol import VERSION
from souk.table.settings import Settings
from souk.table.socket_ends import Closed
from souk.table.sockets import Socket
from souk.table.sqlite import SqliteStore
from souk.table.table import Table
from souk.table.thinkers import Thinkers
from tests.table.storms import STORMS, CutAt

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


# ---------------------------------------------------------------- the line breaks


class Line:
    """The end of a connection: keeps what is said to it."""

    lag = 0.0

    def __init__(self) -> None:
        self.heard: list[bytes] = []

    def measure_lag(self) -> None: ...

    def post(self, message: bytes) -> None:
        self.heard.append(message)

    def ask_whether_alive(self) -> None: ...


class Visit:
    """A page at a table of a house, without a network between them."""

    def __init__(self, house: House) -> None:
        self.line = Line()
        self.socket = Socket(house, self.line, ME, ADDRESS)

    async def say(self, do: str, **fields: object) -> None:
        numbered = {} if do == "watch" else {"id": 1}
        with contextlib.suppress(Closed):  # where it has left
            await self.socket.hear(json.dumps({"do": do} | numbered | fields))

    async def come(self, table: str) -> None:
        await self.socket.open(table)
        await self.say("watch", version=VERSION, after=-1)

    def last(self, kind: str) -> dict[str, object]:
        """The last message of a kind."""
        return [found for message in self.line.heard if (found := json.loads(message))["is"] == kind][-1]


async def ask(visit: Visit, command: str, seq: int) -> None:
    """One of the commands that a page can send."""
    fields: dict[str, dict[str, object]] = {
        "watch": {"version": VERSION, "after": -1, "seat": 1},
        "move": {"seat": 0, "move": "left", "after": seq},
        "take_back": {"seat": 0, "after": seq},
        "stand_in": {"seat": 2, "level": "random"},
        "ask": {"seat": 0, "move": "left"},
        "open": {"seat": 0, "share": SHARE.hex()},
        "ping": {},
    }
    await visit.say(command, **fields[command])


async def play_until_it_can_be_taken_back(table: Table) -> None:
    while table.course.can_take_back() != 0:
        seat = table.position.actors[0]
        await table.play(seat, table.position.moves(seat)[0], table.course.seq)


async def until_it_begins(table: Table, commitment: str) -> None:
    """Until it has begun, or waits for the share that was promised."""
    while not table.begun and not (commitment and table.shares.turn == 0):
        await asyncio.sleep(0)


async def break_at(house: House, command: str, at: int) -> bool:
    """The line of a page breaks at pause `at` of a command. Returns whether there was such a pause; afterwards all must be well."""
    seats = [SeatWish("me"), SeatWish("here"), SeatWish("link")]
    commitment = digest_of(SHARE) if command == "open" else ""
    wish = NewTable("suleika", seats, commitment=commitment)
    table = (await house.reception.new_table(wish, ME, ADDRESS)).table
    before = Visit(house)
    await before.come(table)
    if command != "stand_in":
        await before.say("stand_in", seat=2, level="random")
        await until_it_begins(house.tables.open[table], commitment)
    if command == "take_back":
        await play_until_it_can_be_taken_back(house.tables.open[table])
    seq = house.tables.open[table].course.seq
    visit = Visit(house)
    work = visit.come(table) if command == "come" else ask(visit, command, seq)
    if command != "come":
        await visit.come(table)
    cut = CutAt(work, at, visit.socket.leave)
    await cut
    visit.socket.leave()
    assert house.tables.open[table].watchers == [before.socket]  # and no ghost
    before.socket.leave()
    await all_is_well(house, table)
    return cut.reached


async def all_is_well(house: House, table: str) -> None:
    """Nobody is there any more, nothing is in memory but what bots are at, and who comes finds what is on disk and can go on."""
    while house.tables.open:
        assert not any(each.watchers for each in house.tables.open.values())
        assert all(each.thinking or each.beginning or each.guests for each in house.tables.open.values())
        await asyncio.sleep(0.001)
    again = Visit(house)
    await again.come(table)
    now = again.last("table")
    rows = await house._store.events(table)
    assert now["seq"] == len(rows) - 1
    assert len(now["lines"]) == len(rows)  # type: ignore[arg-type]
    view = now["view"]
    if view is None:  # it waits for a guest, or a bot in their place
        await again.say("stand_in", seat=2, level="random")
        assert again.last("done")
        view = {"actors": []}
    assert isinstance(view, dict)
    if 0 in view["actors"]:
        await again.say("move", seat=0, move=view["moves"][0], after=now["seq"])
        assert again.last("done")
    again.socket.leave()


@pytest.mark.parametrize("command", ["come", "watch", "move", "take_back", "stand_in", "ask", "open", "ping"])
def test_the_line_breaks_at_every_pause(command: str, tmp_path: Path) -> None:
    async def break_everywhere() -> int:
        settings = Settings(
            data=tmp_path, games=(), levels=("random",), pace=0, grace=0, table_burst=1000, dice_time=0.1
        )
        house = House(settings, SqliteStore(tmp_path / "tables.sqlite"), Thinkers(1, ()), Gauges())
        at = 0
        while await break_at(house, command, at):
            at += 1
        await house.close()
        return at

    pauses = asyncio.run(break_everywhere())
    assert pauses > 0 or command in ("ask", "ping")
