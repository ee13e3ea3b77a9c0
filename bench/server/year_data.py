"""A year of play for bench/year.py: real games, played by the rules, written as a server writes them, only many tables at a time."""

import base64
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from souk.core.shelf import find_game
from souk.games import names
from souk.table.course import Course
from souk.table.database import Line
from souk.table.fairness import PROTOCOL, digest_of
from souk.table.postgres_line import PostgresLine
from souk.table.schema import connect
from souk.table.sealing import Seal
from souk.table.snapshots import is_due, snapshot_of
from souk.table.sql_store import SqlStore
from souk.table.store import Change, DiceStep, EventRow, SeatRow, Snapshot, Standing, Statement, TableRow
from souk.table.upkeep import DAY

YEAR = 365 * DAY
OVERDUE = 100  # tables of each kind that nobody has been at for longer than a year, where there are many tables
TABLES_A_PERSON = 10  # to one person there are so many tables; they sit at two or three times as many
ABANDONED, IN_PLAY = 0.15, 0.05  # of all tables
_AT_ONCE = 500  # tables of a transaction


class Stage(NamedTuple):
    """A game after somebody has moved, and what was due then has come up."""

    events: int
    standing: Standing
    snapshot: Snapshot | None  # the last that a server has kept by then


class Played(NamedTuple):
    """A game from its start to its end."""

    course: Course  # as it was before the first event
    seed: bytes
    events: list[EventRow]
    stages: list[Stage]


@dataclass
class Year:
    """What was made: who is there, and which tables."""

    people: list[bytes] = field(default_factory=list)
    going: dict[str, tuple[Played, int]] = field(default_factory=dict)  # tables in play, and the stage they are at
    resting: dict[str, bytes] = field(default_factory=dict)  # all others that stay, and somebody who sits there
    events: int = 0


def play(game: str, rng: random.Random) -> Played:
    """A game of as few as can play with others, all of whom choose at random."""
    found = find_game(game)
    seed, players = rng.randbytes(32), min(number for number in found.players if number > 1)
    start, course = Course(found.start(players), seed), Course(found.start(players), seed)
    happened, stages = course.begin(), list[Stage]()
    kept: Snapshot | None = None
    while True:
        kept = snapshot_of(course) if is_due(stages[-1].events - 1 if stages else -1, course.seq) else kept
        stages.append(Stage(len(happened), course.standing(), kept))
        if course.over:
            return Played(start, seed, [each.row() for each in happened], stages)
        seat = rng.choice(course.position.actors)
        move = found.notation.move_text(course.position.state, rng.choice(course.position.move_codes(seat)))
        happened += course.play(seat, move)


def play_some(of_each: int, rng: random.Random) -> list[Played]:
    return [play(game, rng) for game in names() for _ in range(of_each)]


class Scribe(SqlStore):
    """A store that only gathers what would be written."""

    def __init__(self, seal: Seal) -> None:
        self.seal = seal
        self.gathered: dict[str, list[tuple[Any, ...]]] = defaultdict(list)

    async def _write(self, changes: Sequence[Change], table: str = "") -> None:  # noqa: ARG002
        for each in changes:
            assert isinstance(each, Statement)
            self.gathered[each.text].append(each.values)

    async def ask(self, question: Callable[..., Any], *arguments: Any) -> Any:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError

    def take(self) -> dict[str, list[tuple[Any, ...]]]:
        gathered, self.gathered = self.gathered, defaultdict(list)
        return gathered


# ---------------------------------------------------------------- one table


def _dates(kind: str, rng: random.Random) -> tuple[float, float]:
    """When a table was made, and when something last happened there."""
    now = time.time()
    if kind == "in play":
        return now - rng.uniform(1000, 3000), now - rng.uniform(0, 900)
    age = rng.uniform(YEAR + DAY, YEAR + 10 * DAY) if kind.startswith("overdue") else rng.uniform(DAY, YEAR - DAY)
    return now - age, now - age + rng.uniform(600, 7200)


def _steps(players: int, rng: random.Random) -> list[DiceStep]:
    """Of the dice of a table where everybody's browser has a share in them."""
    shares = [rng.randbytes(32) for _ in range(players)]
    commits = [("commits", seat, digest_of(share)) for seat, share in enumerate(shares)]
    opens = [("opens", seat, share.hex()) for seat, share in enumerate(shares)]
    steps = [("made", -1, PROTOCOL), *commits, ("closes", -1, ""), *opens, ("begins", -1, "")]
    return [DiceStep(number, *step) for number, step in enumerate(steps)]


def _kinds(tables: int, rng: random.Random) -> Iterator[str]:
    """How far each of so many tables has come."""
    overdue = min(OVERDUE, tables // 4)
    yield from ["overdue over"] * overdue + ["overdue abandoned"] * overdue
    rest = tables - 2 * overdue
    kinds = ["abandoned"] * round(ABANDONED * rest) + ["in play"] * max(1, round(IN_PLAY * rest))
    kinds += ["over"] * (rest - len(kinds))
    rng.shuffle(kinds)
    yield from kinds


async def _add_table(scribe: Scribe, year: Year, played: Played, kind: str, rng: random.Random) -> None:
    name = base64.urlsafe_b64encode(rng.randbytes(12)).decode()
    stage = len(played.stages) - 1 if kind.endswith("over") else rng.randrange(len(played.stages) // 2)
    events, standing, snapshot = played.stages[stage]
    created, changed = _dates(kind, rng)
    position = played.course.position
    people = rng.sample(year.people, position.players)
    row = TableRow(
        name,
        position.game.name,
        position.game.version,
        position.players,
        position.options,
        played.seed,
        digest_of(played.seed),
        created,
        changed,
        standing,
        seen=changed,
        host=people[0],
    )
    seats = [SeatRow(seat, "person", _name(player), player=player) for seat, player in enumerate(people)]
    await scribe.add_table(row, seats, played.events[:events], steps=_steps(position.players, rng))
    if snapshot:
        await scribe.keep_snapshot(name, snapshot)
    year.events += events
    if kind == "in play":
        year.going[name] = (played, stage)
    elif not kind.startswith("overdue"):
        year.resting[name] = people[0]


def _name(player: bytes) -> str:
    return f"Guest {player.hex()[:6]}"


# ---------------------------------------------------------------- all of them


def _add_people(scribe: Scribe, year: Year, number: int, rng: random.Random) -> None:
    """Everybody has chosen a name, and comes by one device."""
    now = time.time()
    for player in (rng.randbytes(32) for _ in range(number)):
        since = now - rng.uniform(0, YEAR)
        year.people.append(player)
        scribe.gathered["INSERT INTO people VALUES (?, ?, ?, ?, ?)"].append((player, _name(player), "", "", since))
        scribe.gathered["INSERT INTO doors VALUES (?, ?, ?, ?, ?, ?)"].append((player, player, None, "", since, since))


async def make_year(tables: int, games: list[Played], seal: Seal, bulk: "Bulk", rng: random.Random) -> Year:
    """So many tables, in no order."""
    scribe, year = Scribe(seal), Year()
    _add_people(scribe, year, max(10, tables // TABLES_A_PERSON), rng)
    for number, kind in enumerate(_kinds(tables, rng), 1):
        await _add_table(scribe, year, rng.choice(games), kind, rng)
        if number % _AT_ONCE == 0:
            bulk.write(scribe.take())
    bulk.write(scribe.take())
    bulk.close()
    return year


class Bulk:
    """Rows that are written by the thousand, whichever database it is: nothing is waited for."""

    def __init__(self, place: Path | str) -> None:
        self._line: Line = PostgresLine(place) if isinstance(place, str) else connect(place)
        if isinstance(place, Path):
            self._line.execute("PRAGMA synchronous = OFF")
            self._line.execute("PRAGMA cache_size = -1000000")

    def write(self, gathered: dict[str, list[tuple[Any, ...]]]) -> None:
        with self._line.transaction():
            for text, rows in gathered.items():
                if isinstance(self._line, PostgresLine) and "SELECT" not in text:
                    self._copy(self._line, text, rows)
                else:
                    self._line.executemany(text, rows)

    @staticmethod
    def _copy(line: PostgresLine, text: str, rows: list[tuple[Any, ...]]) -> None:
        where = text.partition(" VALUES")[0].removeprefix("INSERT INTO ")
        with line.raw.cursor().copy(f"COPY {where} FROM STDIN") as copy:
            for row in rows:
                copy.write_row(row)

    def close(self) -> None:
        """As a database is that has had its rest: PostgreSQL knows what it holds, and a file has nothing beside it."""
        postgres = isinstance(self._line, PostgresLine)
        self._line.execute("VACUUM ANALYZE" if postgres else "PRAGMA wal_checkpoint(TRUNCATE)")
        self._line.close()
