"""A year of play for bench/server/year.py: real random games, written in bulk."""

import base64
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

from souk.core.game_registry import find_game
from souk.games import names
from souk.server.admin.housekeeping import DAY
from souk.server.dice.fair_dice import PROTOCOL, digest_of
from souk.server.storage import rows
from souk.server.storage.connection import Connection
from souk.server.storage.encryption import Cipher
from souk.server.storage.postgres_connection import PostgresConnection
from souk.server.storage.sqlite_schema import connect
from souk.server.storage.store import Store
from souk.server.tables.game.game_state import GameState
from souk.server.tables.game.snapshots import is_due, snapshot_of

YEAR = 365 * DAY
OVERDUE = 100  # tables of each kind older than a year, at most
TABLES_PER_PERSON = 10  # each person sits at two or three times as many
ABANDONED, IN_PLAY = 0.15, 0.05  # of all tables
_BATCH = 500  # tables per transaction


class Stage(NamedTuple):
    """A game after a move and the dice that follow."""

    events: int
    standing: rows.Standing
    snapshot: rows.Snapshot | None  # the latest by then


class Played(NamedTuple):
    """A complete game."""

    state: GameState  # before the first event
    seed: bytes
    events: list[rows.EventRow]
    stages: list[Stage]


@dataclass
class Year:
    """People and tables that were created."""

    people: list[bytes] = field(default_factory=list)
    # Tables in play, with their stage.
    going: dict[str, tuple[Played, int]] = field(default_factory=dict)
    # Other tables younger than a year, with a person seated there.
    resting: dict[str, bytes] = field(default_factory=dict)
    events: int = 0


def play(game: str, rng: random.Random) -> Played:
    """A random game of the smallest number of players above one."""
    found = find_game(game)
    seed, players = rng.randbytes(32), min(number for number in found.players if number > 1)
    start, state = GameState(found.start(players), seed), GameState(found.start(players), seed)
    happened, stages = state.begin(), list[Stage]()
    kept: rows.Snapshot | None = None
    while True:
        kept = (
            snapshot_of(state)
            if is_due(stages[-1].events - 1 if stages else -1, state.seq)
            else kept
        )
        stages.append(Stage(len(happened), state.standing(), kept))
        if state.over:
            return Played(start, seed, [each.row() for each in happened], stages)
        seat = rng.choice(state.position.actors)
        move = found.notation.move_text(
            state.position.state, rng.choice(state.position.move_codes(seat))
        )
        happened += state.play(seat, move)


def play_some(of_each: int, rng: random.Random) -> list[Played]:
    return [play(game, rng) for game in names() for _ in range(of_each)]


class StatementCollector(Store):
    """A store that only collects the rows to write."""

    def __init__(self, cipher: Cipher) -> None:
        self.cipher = cipher
        self.collected: dict[str, list[tuple[Any, ...]]] = defaultdict(list)

    async def _write(self, changes: Sequence[rows.Change], table: str = "") -> None:  # noqa: ARG002
        for each in changes:
            assert isinstance(each, rows.Statement)
            self.collected[each.text].append(each.values)

    async def query(self, question: Callable[..., Any], *arguments: Any) -> Any:
        raise NotImplementedError

    async def close(self) -> None:
        raise NotImplementedError

    def take(self) -> dict[str, list[tuple[Any, ...]]]:
        collected, self.collected = self.collected, defaultdict(list)
        return collected


# ---------------------------------------------------------------- one table


def _dates(kind: str, rng: random.Random) -> tuple[float, float]:
    """Times of creation and of the last event."""
    now = time.time()
    if kind == "in play":
        return now - rng.uniform(1000, 3000), now - rng.uniform(0, 900)
    age = (
        rng.uniform(YEAR + DAY, YEAR + 10 * DAY)
        if kind.startswith("overdue")
        else rng.uniform(DAY, YEAR - DAY)
    )
    return now - age, now - age + rng.uniform(600, 7200)


def _steps(players: int, rng: random.Random) -> list[rows.DiceStep]:
    """Steps of fair dice with a share from every browser."""
    shares = [rng.randbytes(32) for _ in range(players)]
    commits = [("commits", seat, digest_of(share)) for seat, share in enumerate(shares)]
    opens = [("opens", seat, share.hex()) for seat, share in enumerate(shares)]
    steps = [("made", -1, PROTOCOL), *commits, ("closes", -1, ""), *opens, ("begins", -1, "")]
    return [rows.DiceStep(number, *step) for number, step in enumerate(steps)]


def _kinds(tables: int, rng: random.Random) -> Iterator[str]:
    """The state of each table."""
    overdue = min(OVERDUE, tables // 4)
    yield from ["overdue over"] * overdue + ["overdue abandoned"] * overdue
    rest = tables - 2 * overdue
    kinds = ["abandoned"] * round(ABANDONED * rest) + ["in play"] * max(1, round(IN_PLAY * rest))
    kinds += ["over"] * (rest - len(kinds))
    rng.shuffle(kinds)
    yield from kinds


async def _add_table(
    collector: StatementCollector, year: Year, played: Played, kind: str, rng: random.Random
) -> None:
    name = base64.urlsafe_b64encode(rng.randbytes(12)).decode()
    stage = (
        len(played.stages) - 1 if kind.endswith("over") else rng.randrange(len(played.stages) // 2)
    )
    events, standing, snapshot = played.stages[stage]
    created, changed = _dates(kind, rng)
    position = played.state.position
    people = rng.sample(year.people, position.players)
    row = rows.TableRow(
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
    seats = [
        rows.SeatRow(seat, "person", _name(player), player=player)
        for seat, player in enumerate(people)
    ]
    await collector.add_table(
        row, seats, played.events[:events], steps=_steps(position.players, rng)
    )
    if snapshot:
        await collector.save_snapshot(name, snapshot)
    year.events += events
    if kind == "in play":
        year.going[name] = (played, stage)
    elif not kind.startswith("overdue"):
        year.resting[name] = people[0]


def _name(player: bytes) -> str:
    return f"Guest {player.hex()[:6]}"


# ---------------------------------------------------------------- all tables


def _add_people(collector: StatementCollector, year: Year, number: int, rng: random.Random) -> None:
    """People with a name and one device each."""
    now = time.time()
    for player in (rng.randbytes(32) for _ in range(number)):
        since = now - rng.uniform(0, YEAR)
        year.people.append(player)
        collector.collected["INSERT INTO people VALUES (?, ?, ?, ?, ?)"].append(
            (player, _name(player), "", "", since)
        )
        collector.collected["INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)"].append(
            (player, player, None, "", since, since)
        )


async def make_year(
    tables: int, games: list[Played], cipher: Cipher, bulk: "Bulk", rng: random.Random
) -> Year:
    """Create tables in random order."""
    collector, year = StatementCollector(cipher), Year()
    _add_people(collector, year, max(10, tables // TABLES_PER_PERSON), rng)
    for number, kind in enumerate(_kinds(tables, rng), 1):
        await _add_table(collector, year, rng.choice(games), kind, rng)
        if number % _BATCH == 0:
            bulk.write(collector.take())
    bulk.write(collector.take())
    bulk.close()
    return year


class Bulk:
    """Writes rows in bulk, without syncing."""

    def __init__(self, place: Path | str) -> None:
        self._connection: Connection = (
            PostgresConnection(place) if isinstance(place, str) else connect(place)
        )
        if isinstance(place, Path):
            self._connection.execute("PRAGMA synchronous = OFF")
            self._connection.execute("PRAGMA cache_size = -1000000")

    def write(self, collected: dict[str, list[tuple[Any, ...]]]) -> None:
        with self._connection.transaction():
            for text, batch in collected.items():
                if isinstance(self._connection, PostgresConnection) and "SELECT" not in text:
                    self._copy(self._connection, text, batch)
                else:
                    self._connection.executemany(text, batch)

    @staticmethod
    def _copy(connection: PostgresConnection, text: str, batch: list[tuple[Any, ...]]) -> None:
        where = text.partition(" VALUES")[0].removeprefix("INSERT INTO ")
        with connection.raw.cursor().copy(f"COPY {where} FROM STDIN") as copy:
            for row in batch:
                copy.write_row(row)

    def close(self) -> None:
        """Analyse the tables (PostgreSQL) or checkpoint the WAL (SQLite)."""
        postgres = isinstance(self._connection, PostgresConnection)
        self._connection.execute(
            "VACUUM ANALYZE" if postgres else "PRAGMA wal_checkpoint(TRUNCATE)"
        )
        self._connection.close()
