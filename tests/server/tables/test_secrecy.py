"""A seat's messages are byte-identical whatever others have secretly chosen."""

import asyncio
import random
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from souk.games import game as find_game
from souk.server.dice.fair_dice import digest_of
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import NOBODY
from souk.server.storage.rows import EventRow, SeatRow, TableRow
from souk.server.tables.game.game_state import GameState
from souk.server.tables.table import Table

SEED = bytes(range(32))
GAMES = ["basari", "basari-cards"]


class NoStore:
    """Keeps events in a list."""

    def __init__(self) -> None:
        self.rows: list[EventRow] = []

    async def add_events(
        self, _table: str, events: Sequence[EventRow], *_then: object, **_also: object
    ) -> None:
        self.rows += events

    async def events(self, table: str, after: int = -1) -> list[EventRow]:
        return [row for row in self.rows if row.seq > after]


class NoBots:
    def seconds_until_ready(self, game: object, level: str) -> int:
        return 0


class Listener:
    """Records everything sent to one seat."""

    def __init__(self, seat: int) -> None:
        self.player, self.seat = bytes([seat + 1]), seat
        self.connected, self.pace = True, "normal"
        self.heard: list[bytes] = []

    def post(self, message: bytes) -> None:
        self.heard.append(message)


def table_at_choice(game: str, players: int, rounds: int, seed: int) -> Table:
    """A table of people with a secret choice due after some rounds."""
    start = find_game(game).start(players)
    row = TableRow(
        "t" * 16,
        game,
        1,
        players,
        start.options,
        SEED,
        digest_of(SEED),
        0,
        0,
        GameState(start, SEED).standing(),
    )
    seats = [
        SeatRow(seat, "person", f"Seat {seat}", player=bytes([seat + 1])) for seat in range(players)
    ]
    table = Table(row, seats, NoStore(), NoBots(), grace=0)  # type: ignore[arg-type]
    table.state.begin()
    rng = random.Random(seed)
    passed = 0
    while not table.position.over:
        if len(table.position.actors) == players:
            passed += 1
            if passed > rounds:
                break
        seat = rng.choice(table.position.actors)
        table.state.play(seat, rng.choice(table.position.moves(seat)[:4]))
    return table


async def heard_by(
    table: Table, watching: int, order: Sequence[int], choices: dict[int, str], again: int
) -> list[bytes]:
    """What one seat hears while others choose; one of them takes back and chooses again."""
    listener = Listener(watching)
    await table.watch(listener, -1)
    for seat in order:
        await table.play(seat, choices[seat], table.state.seq)
        if seat == again:
            await table.take_back(seat, table.state.seq)
            await table.play(seat, choices[seat], table.state.seq)
        for intruder in order:
            with pytest.raises(RequestRefused) as refused:
                await table.play(intruder, "no such move", table.state.seq - 9)
            listener.heard.append(repr(refused.value.reason).encode())
    late = Listener(watching)  # another page, opened now
    await table.watch(late, -1)
    return listener.heard + late.heard


@settings(max_examples=30)
@given(data=st.data())
@pytest.mark.parametrize("game", GAMES)
def test_messages_do_not_depend_on_secret_choices(game: str, data: st.DataObject) -> None:
    players = data.draw(st.sampled_from([3, 4]))
    rounds, seed = data.draw(st.integers(0, 2)), data.draw(st.integers(0, 50))
    first, second = (table_at_choice(game, players, rounds, seed) for _ in range(2))
    if first.position.over:
        return
    watching = data.draw(st.integers(NOBODY, players - 1))
    others = [seat for seat in range(players) if seat != watching]
    order = data.draw(st.permutations(others))[: players - 1]
    moves = first.position.moves(0)
    one, two = ({seat: data.draw(st.sampled_from(moves)) for seat in order} for _ in range(2))
    again = data.draw(st.sampled_from(order))
    heard: list[Any] = [
        asyncio.run(heard_by(table, watching, order, choices, again))
        for table, choices in ((first, one), (second, two))
    ]
    assert heard[0] == heard[1]
    assert first.position.to_json(watching) == second.position.to_json(watching)


def test_the_last_choice_reveals_all() -> None:
    table = table_at_choice("basari", 3, 0, 0)
    listener = Listener(NOBODY)
    asyncio.run(table.watch(listener, -1))
    revealed = b'"choices":["gems","points","dice"]'
    for seat, choice in enumerate(("gems", "points", "dice")):
        assert not any(revealed in message for message in listener.heard)
        asyncio.run(table.play(seat, choice, table.state.seq))
    assert any(revealed in message for message in listener.heard)
