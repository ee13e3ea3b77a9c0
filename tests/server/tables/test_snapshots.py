"""Snapshots: long games load as fast as short ones, bit-identical to a replay."""

import asyncio
import random
import time
from pathlib import Path
from typing import Any

import pytest

from souk.games import game as find_game
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.services import Services
from souk.server.storage.rows import EventRow
from souk.server.tables.game.game_state import MOST_EVENTS, GameState
from souk.server.tables.game.snapshots import EVERY, restored, snapshot_of
from souk.server.tables.table import Table
from tests.server.cluster.test_two_servers import ANN, open_services
from tests.server.support.databases import in_both, look_into

GAMES = ["suleika", "basari", "basari-cards", "bazaar"]
SEED = bytes(range(32))


def all_of(state: GameState) -> list[Any]:
    """The complete state of a game."""
    known = [
        getattr(state, name)
        for name in GameState.__slots__
        if name not in ("_now", "position", "dice")
    ]
    return [state.position.array.tobytes(), state.dice.drawn, state.dice.seed, *known]


def start_of(game: str) -> GameState:
    found = find_game(game)
    return GameState(found.start(found.usual), SEED, frozenset({1}))


def played(game: str, seed: int, most: int) -> tuple[GameState, list[EventRow]]:
    """A possible game with take-backs, and its events."""
    rng, state = random.Random(seed), start_of(game)
    rows = [each.row() for each in state.begin()]
    while len(rows) < most and not state.position.over:
        back = state.can_take_back()
        if back >= 0 and rng.random() < 0.2:
            rows += [each.row() for each in state.take_back(back)]
            continue
        seat = rng.choice(list(state.position.actors))
        rows += [each.row() for each in state.play(seat, rng.choice(state.position.moves(seat)))]
    return state, rows


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("seed", range(6))
def test_a_snapshot_is_what_a_replay_gives(game: str, seed: int) -> None:
    """At any event, the restored game equals the original and continues alike."""
    rng = random.Random(seed)
    state, rows = played(game, seed, 120)
    for at in [0, len(rows), *(rng.randrange(len(rows)) for _ in range(8))]:
        replay = start_of(game)
        replay.replay(rows[:at])
        again = restored(start_of(game), snapshot_of(replay))
        assert all_of(again) == all_of(replay)
        again.replay(rows[at:])
        assert all_of(again) == all_of(state)


def long_table(data: Path, events: int) -> str:
    """A Suleika table with many events, mostly moves and take-backs, written straight into the
    file.
    """

    async def make() -> str:
        async with open_services(data) as services:
            wish = lobby_protocol.NewTable(
                "suleika", [lobby_protocol.SeatRequest("me"), lobby_protocol.SeatRequest("here")]
            )
            made = await services.table_factory.new_table(wish, ANN, "here")
            async with services.tables.at(made.table) as table:
                start = table.state.seq + 1
                seat = table.position.actors[0]
                move = table.position.moves(seat)[0]
            rows = [
                EventRow(
                    start + k, ("move", "back")[k % 2], seat, move, b'[["told.core.has_chosen",{}]]'
                )
                for k in range(events)
            ]
            await services.store.add_events(made.table, rows, table.state.standing())
        return made.table

    return asyncio.run(make())


async def seconds_to_load(services: Services, name: str) -> tuple[float, Table]:
    """The smallest of several CPU times."""
    found = []
    for _ in range(5):
        begun = time.process_time()  # unaffected by other programs
        async with services.tables.at(name) as table:
            found.append(time.process_time() - begun)
        assert name not in services.tables.open
    return min(found), table


@in_both
def test_a_long_table_is_loaded_like_a_short_one(tmp_path: Path) -> None:
    fresh, long = long_table(tmp_path, 0), long_table(tmp_path, 8000)

    async def work() -> None:
        async with open_services(tmp_path) as services:
            async with services.tables.at(
                long
            ) as table:  # the first time it is replayed, and remembered
                replayed = all_of(table.state)
            short_one, _ = await seconds_to_load(services, fresh)
            long_one, table = await seconds_to_load(services, long)
            assert all_of(table.state) == replayed
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
def test_one_that_cannot_be_used_is_left_aside(
    tmp_path: Path, change: str, values: tuple[bytes, ...]
) -> None:
    name = long_table(tmp_path, 3 * EVERY)

    async def load() -> list[Any]:
        async with open_services(tmp_path) as services, services.tables.at(name) as table:
            return all_of(table.state)

    first = asyncio.run(load())
    with look_into(tmp_path) as connection:
        assert connection.execute("SELECT count(*) FROM snapshots").fetchone() == (1,)
        connection.execute(change, values)
    assert asyncio.run(load()) == first


@in_both
def test_one_is_kept_together_with_events(tmp_path: Path) -> None:
    """Snapshots are taken at intervals during play, and games continue from them seamlessly."""

    async def work() -> None:
        async with open_services(tmp_path) as services:
            wish = lobby_protocol.NewTable(
                "suleika", [lobby_protocol.SeatRequest("me"), lobby_protocol.SeatRequest("here")]
            )
            made = await services.table_factory.new_table(wish, ANN, "here")
            rng = random.Random(1)
            for _ in range(3):
                async with services.tables.at(made.table) as table:
                    for _ in range(30):
                        seat = table.position.actors[0]
                        await table.play(
                            seat, rng.choice(table.position.moves(seat)), table.state.seq
                        )
                    kept = await services.store.snapshot(made.table)
                    assert (kept.seq if kept else -1) // EVERY == (
                        table.state.seq if table.state.seq >= EVERY else -1
                    ) // EVERY
                    replay = table._start()
                    replay.replay(await services.store.events(made.table))
                    assert all_of(replay) == all_of(table.state)

    asyncio.run(work())


def test_a_game_has_an_end_of_its_events(tmp_path: Path) -> None:
    """It is refused with a reason and nothing is written."""
    name = long_table(tmp_path, MOST_EVENTS - 2)

    async def work() -> None:
        async with open_services(tmp_path) as services, services.tables.at(name) as table:
            before = table.state.seq
            seat = table.position.actors[0]
            while not table.state.is_full:
                await table.play(seat, table.position.moves(seat)[0], table.state.seq)
                seat = table.position.actors[0]
            with pytest.raises(RequestRefused) as refused:
                await table.play(seat, table.position.moves(seat)[0], table.state.seq)
            assert (refused.value.status, refused.value.reason) == (
                409,
                ["table.refused.table_full", {"most": MOST_EVENTS}],
            )
            back = table.state.can_take_back()
            if back >= 0:
                with pytest.raises(RequestRefused):
                    await table.take_back(back, table.state.seq)
            assert table.state.seq >= before
            assert len(await services.store.events(name)) == table.state.seq + 1

    asyncio.run(work())
