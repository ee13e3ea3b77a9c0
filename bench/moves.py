"""What a move takes of the server's loop: games of all kinds at real tables, with a real file, before two watchers that swallow what they are told.

    python bench/moves.py [GAME …] [--moves N] [--rounds N] [--tables N] [--json FILE]
    python bench/moves.py --bytecodes [GAME …]    how many bytecodes Python carries out for a move, and where: whatever else the machine does, that is the same

Commands are heard by the table's own sockets, which have no connection behind them; two people play, and some tables are played at a time. Measured is the
processor time of the thread that the loop runs in, so that other work on the machine makes little difference; what the thread that writes does
meanwhile is not in it. Of several rounds the quickest counts: whatever else the machine has to do can only add to it. By part: further rounds, in which each part is
timed by itself, without what it calls of other parts.
"""

import asyncio
import importlib
import json
import random
import statistics
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import uvloop
from pedigree import settings, write_figures

from souk.core.shelf import find_game
from souk.games import names
from souk.table.gauges import Gauges
from souk.table.house import House
from souk.table.lobby_protocol import NewTable, SeatWish, SitDown
from souk.table.protocol import VERSION
from souk.table.settings import Settings
from souk.table.sockets import Socket
from souk.table.sqlite import SqliteStore
from souk.table.thinkers import Thinkers

PEOPLE = {"basari": 3, "basari-cards": 3}  # all others are played by two
CHOSEN_FROM = 3  # of one's moves the first few, as bench/load.py does
WARM_UP = 200  # moves before any is counted
# What is timed by itself: where it is, and what it is part of. What a part calls of another counts there.
PARTS = {
    "souk.table.socket_ends:Ear.read": "reading",
    "souk.core.position:Position.play": "rules and facts",
    "souk.core.position:Position.draw": "rules and facts",
    "souk.table.course:Course.copy": "rules and facts",
    "souk.table.course:Course.play": "rules and facts",
    "souk.table.course:Course._happening": "words",
    "souk.table.views:Looks.view": "views",
    "souk.table.happenings:Happening.in_passing": "views",
    "souk.core.position:Position.move_codes": "moves",
    "souk.core.position:Position.json_bytes": "positions",
    "souk.table.course:encode": "encoding",
    "souk.table.happenings:encode": "encoding",
    "souk.table.table:encode": "encoding",
    "souk.table.socket_ends:encode": "encoding",
    "souk.table.table_life:TableLife.next": "time",
    "souk.table.table:Table.tell_life": "time",
    "souk.table.croupier:Croupier.see_to": "what follows",
    "souk.table.course:Course.standing": "writing",
    "souk.table.happenings:Happening.row": "writing",
    "souk.table.sql_store:SqlStore._event_statements": "writing",
    "souk.table.writing:Writer.write": "writing",
}


class Swallower:
    """A connection to nobody."""

    lag = 0.0

    def __init__(self) -> None:
        self.bytes = self.refused = 0

    def post(self, message: bytes) -> None:
        self.bytes += len(message)
        self.refused += message.startswith(b'{"is":"refused"')

    def measure_lag(self) -> None:
        pass

    def ask_whether_alive(self) -> None:
        pass


class WatchedTable:
    """A table at which two people play, the second of them on all seats but the first."""

    def __init__(self, house: House, game: str, rng: random.Random) -> None:
        self._house, self.game, self._rng = house, game, rng
        self.lines = [Swallower(), Swallower()]
        self._sockets: list[Socket] = []

    async def open(self) -> None:
        """Sit down, let the game begin, and look on."""
        me, other = (bytes([person]) * 32 for person in range(2))
        wishes = [SeatWish("me"), *[SeatWish("link")] * (PEOPLE.get(self.game, 2) - 1)]
        made = await self._house.reception.new_table(NewTable(self.game, wishes), me, "")
        for secret in made.invitations.values():
            await self._house.sit_down(made.table, SitDown(secret, "Guest"), other)
        for player, line in zip((me, other), self.lines, strict=True):
            socket = Socket(self._house, line, player)
            await socket.open(made.table)
            await socket.hear(json.dumps({"do": "watch", "version": VERSION}))
            self._sockets.append(socket)
        self.table = self._house.tables.open[made.table]
        while not self.table.begun:
            await asyncio.sleep(0.01)

    @property
    def told(self) -> int:
        """Bytes, so far."""
        return sum(line.bytes for line in self.lines)

    def leave(self) -> None:
        assert not any(line.refused for line in self.lines)
        for socket in self._sockets:
            socket.leave()

    def next_command(self) -> tuple[Socket, str] | None:
        """A move that somebody may make now, and the socket it comes by; None once the game is over."""
        course = self.table.course
        if course.over:
            return None
        seat = self._rng.choice(course.position.actors)
        codes = course.position.move_codes(seat)[:CHOSEN_FROM]
        move = course.position.game.notation.move_text(course.position.state, self._rng.choice(codes))
        said = {"do": "move", "id": 1, "after": course.seq, "seat": seat, "move": move}
        return self._sockets[min(seat, 1)], json.dumps(said)


# ---------------------------------------------------------------- timing


class Times:
    """Seconds of processor time by part, each without the other parts that it calls."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = defaultdict(float)
        self.counting = False
        self._inside: list[float] = [0.0]  # what parts have taken that were called by each that is under way

    def timed(self, work: Callable[..., Any], part: str) -> Callable[..., Any]:
        def run(*given: Any, **named: Any) -> Any:
            if not self.counting:
                return work(*given, **named)
            self._inside.append(0.0)
            begin = time.thread_time()
            try:
                return work(*given, **named)
            finally:
                taken = time.thread_time() - begin
                self.spent[part] += taken - self._inside.pop()
                self._inside[-1] += taken

        return run

    @contextmanager
    def by_part(self) -> Iterator[None]:
        """While this lasts, all parts are timed."""
        places = [_place(where) for where in PARTS] + [(find_game(name).scene, "scene") for name in names()]
        before = [getattr(owner, name) for owner, name in places]
        for (owner, name), work, part in zip(
            places, before, [*PARTS.values(), *["scenes"] * len(names())], strict=True
        ):
            setattr(owner, name, self.timed(work, part))
        try:
            yield
        finally:
            for (owner, name), work in zip(places, before, strict=True):
                setattr(owner, name, work)


def _place(where: str) -> tuple[Any, str]:
    """Whose attribute it is, and which."""
    module, _, path = where.partition(":")
    owner = importlib.import_module(module)
    *inside, name = path.split(".")
    for each in inside:
        owner = getattr(owner, each)
    return owner, name


async def measure(house: House, game: str, moves: int, tables: int, times: Times) -> dict[str, float]:
    """So many moves, at some tables at a time: what one takes of the loop, and its bytes told and events."""
    rng, played, told, events = random.Random(1), 0, 0, 0
    taken = 0.0
    while played < moves:
        opened = [WatchedTable(house, game, rng) for _ in range(tables)]
        for each in opened:
            await each.open()
        told -= sum(each.told for each in opened)
        events -= sum(each.table.course.seq for each in opened)
        while played < moves and (commands := [found for each in opened if (found := each.next_command())]):
            begin, times.counting = time.thread_time(), True
            await asyncio.gather(*(socket.hear(said) for socket, said in commands))
            taken, times.counting = taken + time.thread_time() - begin, False
            played += len(commands)
        told += sum(each.told for each in opened)
        events += sum(each.table.course.seq for each in opened)
        for each in opened:
            each.leave()
    return {"us": 1e6 * taken / played, "bytes": told / played, "events": events / played, "moves": played}


async def by_part(house: House, game: str, moves: int, tables: int) -> dict[str, float]:
    """What each part of a move takes, in microseconds."""
    times = Times()
    with times.by_part():
        found = await measure(house, game, moves, tables, times)
    parts = {part: 1e6 * seconds / found["moves"] for part, seconds in times.spent.items()}
    return parts | {"rest": found["us"] - sum(parts.values())}


@asynccontextmanager
async def a_house() -> AsyncIterator[House]:
    """With a file of its own, and no limits."""
    no_limit = {f"{what}_{limit}": 10**9 for what in ("table", "message") for limit in ("rate", "burst")}
    with tempfile.TemporaryDirectory() as folder:
        settings_ = Settings(data=Path(folder), games=(), levels=("random",), **no_limit)  # type: ignore[arg-type]
        gauges = Gauges()
        store = SqliteStore(settings_.data / "tables.sqlite", written=gauges.written)
        house = House(settings_, store, Thinkers(1, ()), gauges)
        try:
            yield house
        finally:
            await house.close()


async def measure_all(games: list[str], moves: int, tables: int, rounds: int) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    async with a_house() as house:
        for game in games:
            await measure(house, game, WARM_UP, tables, Times())
            each = [await measure(house, game, moves, tables, Times()) for _ in range(rounds)]
            parted = [await by_part(house, game, moves, tables) for _ in range(rounds)]
            least = min(each, key=lambda row: row["us"])
            found[game] = least | {"parts": min(parted, key=lambda parts: sum(parts.values()))}
            print(told(game, found[game]), flush=True)
    return found


# ---------------------------------------------------------------- counting


class Bytecodes(Times):
    """Bytecodes by function, in the place of seconds. What is done in C is not among them."""

    def __init__(self) -> None:
        self.by_function: Counter[str] = Counter()
        super().__init__()

    @property
    def counting(self) -> bool:
        return False

    @counting.setter
    def counting(self, on: bool) -> None:
        sys.settrace(self._trace if on else None)

    def _trace(self, frame: Any, event: str, _given: Any) -> Any:
        if event == "call":
            frame.f_trace_opcodes, frame.f_trace_lines = True, False
        elif event == "opcode":
            self.by_function[f"{Path(frame.f_code.co_filename).name}:{frame.f_code.co_qualname}"] += 1
        return self._trace


async def count_all(games: list[str], moves: int, tables: int) -> None:
    async with a_house() as house:
        for game in games:
            await measure(house, game, WARM_UP, tables, Times())
            counted = Bytecodes()
            found = await measure(house, game, moves, tables, counted)
            most = ", ".join(f"{name} {n / found['moves']:.0f}" for name, n in counted.by_function.most_common(12))
            print(
                f"{game}: {counted.by_function.total() / found['moves']:,.0f} bytecodes a move; most in {most}",
                flush=True,
            )


def told(game: str, row: dict[str, Any]) -> str:
    parts = ", ".join(f"{part} {us:.0f}" for part, us in sorted(row["parts"].items(), key=lambda item: -item[1]))
    return f"{game}: {row['us']:.0f} µs of the loop a move ({row['events']:.1f} events, {row['bytes']:,.0f} bytes told). Timed by part: {parts}"


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", default=names())
    parser.add_argument("--moves", type=int, default=500)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--tables", type=int, default=10, help="that are played at a time")
    parser.add_argument("--bytecodes", action="store_true")
    given = parser.parse_args()
    if unknown := set(given.games) - set(names()):
        sys.exit(f"There is no game {', '.join(unknown)}; there are {', '.join(names())}.")
    if given.bytecodes:
        uvloop.run(count_all(given.games, given.moves, given.tables))
        return
    found = uvloop.run(measure_all(given.games, given.moves, given.tables, given.rounds))
    middle = statistics.mean(row["us"] for row in found.values())
    print(f"All games alike: {middle:.0f} µs of the loop a move with two watchers")
    if given.json:
        write_figures(given.json, {"games": found, "us": middle}, n=given.moves, of="moves a game and round")


if __name__ == "__main__":
    main()
