"""Snapshots: a long game is loaded as fast as a short one, and is the same to the last bit as if it had been replayed."""

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import pytest

from souk.games import game as find_game
from souk.table import lobby_protocol
from souk.table.course import MOST_EVENTS, Course
from souk.table.house import House
from souk.table.refusals import Refuse
from souk.table.snapshots import EVERY, restored, snapshot_of
from souk.table.store import EventRow
from souk.table.table import Table
from tests.table.places import in_both, look_into
from tests.table.test_two_servers import ANN, open_house

GAMES = ["suleika", "basari", "basari-cards", "bazaar"]
SEED = bytes(range(32))


def all_of(course: Course) -> list[Any]:
    """Everything that a course knows."""
    known = [getattr(course, name) for name in Course.__slots__ if name not in ("_now", "position", "dice")]
    return [course.position.array.tobytes(), course.dice.drawn, course.dice.seed, *known]


def start_of(game: str) -> Course:
    found = find_game(game)
    return Course(found.start(found.usual), SEED, frozenset({1}))


def played(game: str, seed: int, most: int) -> tuple[Course, list[EventRow]]:
    """A game as it may go, with moves taken back, and its events."""
    rng, course = random.Random(seed), start_of(game)
    rows = [each.row() for each in course.begin()]
    while len(rows) < most and not course.position.over:
        back = course.can_take_back()
        if back >= 0 and rng.random() < 0.2:
            rows += [each.row() for each in course.take_back(back)]
            continue
        seat = rng.choice(list(course.position.actors))
        rows += [each.row() for each in course.play(seat, rng.choice(course.position.moves(seat)))]
    return course, rows


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_a_snapshot_is_what_a_replay_gives(game: str, seed: int) -> None:
    """At any event: restored there, and played on from there, it is the same game."""
    rng = random.Random(seed)
    course, rows = played(game, seed, 120)
    for at in [0, len(rows), *(rng.randrange(len(rows)) for _ in range(8))]:
        replay = start_of(game)
        replay.replay(rows[:at])
        again = restored(start_of(game), snapshot_of(replay))
        assert all_of(again) == all_of(replay)
        again.replay(rows[at:])
        assert all_of(again) == all_of(course)


def long_table(data: Path, events: int) -> str:
    """A table of Suleika with so many events, most of them a move and its taking back, written straight into the file."""

    async def make() -> str:
        async with open_house(data) as house:
            wish = lobby_protocol.NewTable("suleika", [lobby_protocol.SeatWish("me"), lobby_protocol.SeatWish("here")])
            made = await house.reception.new_table(wish, ANN, "here")
            async with house.tables.at(made.table) as table:
                start = table.course.seq + 1
                seat = table.position.actors[0]
                move = table.position.moves(seat)[0]
            rows = [
                EventRow(start + k, ("move", "back")[k % 2], seat, move, b'[["told.core.has_chosen",{}]]')
                for k in range(events)
            ]
            await house._store.add_events(made.table, rows, table.course.standing())
        return made.table

    return asyncio.run(make())


async def seconds_to_load(house: House, name: str) -> tuple[float, Table]:
    """The shortest of some times."""
    found = []
    for _ in range(5):
        begun = time.perf_counter()
        async with house.tables.at(name) as table:
            found.append(time.perf_counter() - begun)
        assert name not in house.tables.open
    return min(found), table


@in_both
def test_a_long_table_is_loaded_like_a_short_one(tmp_path: Path) -> None:
    fresh, long = long_table(tmp_path, 0), long_table(tmp_path, 8000)

    async def work() -> None:
        async with open_house(tmp_path) as house:
            async with house.tables.at(long) as table:  # the first time it is replayed, and remembered
                replayed = all_of(table.course)
            short_one, _ = await seconds_to_load(house, fresh)
            long_one, table = await seconds_to_load(house, long)
            assert all_of(table.course) == replayed
            assert long_one < 10 * short_one + 0.02

    asyncio.run(work())


@in_both
@pytest.mark.parametrize(
    ("change", "values"),
    [
        ("UPDATE snapshots SET rules = 0", ()),
        ("UPDATE snapshots SET content = ?", (bytes(100),)),
        ("UPDATE snapshots SET content = ?", (b"",)),
        ("UPDATE snapshots SET seq = seq - 1", ()),
        ("DELETE FROM snapshots", ()),
    ],
)
def test_one_that_cannot_be_used_is_left_aside(tmp_path: Path, change: str, values: tuple[bytes, ...]) -> None:
    name = long_table(tmp_path, 3 * EVERY)

    async def load() -> list[Any]:
        async with open_house(tmp_path) as house, house.tables.at(name) as table:
            return all_of(table.course)

    first = asyncio.run(load())
    with look_into(tmp_path) as connection:
        assert connection.execute("SELECT count(*) FROM snapshots").fetchone() == (1,)
        connection.execute(change, values)
    assert asyncio.run(load()) == first


@in_both
def test_one_is_kept_together_with_events(tmp_path: Path) -> None:
    """While it is played, every so many events; and a game goes on from it as if nothing had been."""

    async def work() -> None:
        async with open_house(tmp_path) as house:
            wish = lobby_protocol.NewTable("suleika", [lobby_protocol.SeatWish("me"), lobby_protocol.SeatWish("here")])
            made = await house.reception.new_table(wish, ANN, "here")
            rng = random.Random(1)
            for _ in range(3):
                async with house.tables.at(made.table) as table:
                    for _ in range(30):
                        seat = table.position.actors[0]
                        await table.play(seat, rng.choice(table.position.moves(seat)), table.course.seq)
                    kept = await house._store.snapshot(made.table)
                    assert (kept.seq if kept else -1) // EVERY == (
                        table.course.seq if table.course.seq >= EVERY else -1
                    ) // EVERY
                    replay = table._start()
                    replay.replay(await house._store.events(made.table))
                    assert all_of(replay) == all_of(table.course)

    asyncio.run(work())


def test_a_game_has_an_end_of_its_events(tmp_path: Path) -> None:
    """It is refused aloud, and nothing is written."""
    name = long_table(tmp_path, MOST_EVENTS - 2)

    async def work() -> None:
        async with open_house(tmp_path) as house, house.tables.at(name) as table:
            before = table.course.seq
            seat = table.position.actors[0]
            while not table.course.is_full:
                await table.play(seat, table.position.moves(seat)[0], table.course.seq)
                seat = table.position.actors[0]
            with pytest.raises(Refuse) as refused:
                await table.play(seat, table.position.moves(seat)[0], table.course.seq)
            assert (refused.value.status, refused.value.reason) == (
                409,
                ["table.refused.table_full", {"most": MOST_EVENTS}],
            )
            back = table.course.can_take_back()
            if back >= 0:
                with pytest.raises(Refuse):
                    await table.take_back(back, table.course.seq)
            assert table.course.seq >= before
            assert len(await house._store.events(name)) == table.course.seq + 1

    asyncio.run(work())
