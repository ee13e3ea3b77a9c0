"""Two servers at one file: neither takes from the other's people what they have, and what both want to make is made once."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from souk.table import lobby_protocol, protocol
from souk.table.catching_up import catch_up, take_over
from souk.table.gauges import Gauges
from souk.table.house import House
from souk.table.refusals import Refuse
from souk.table.seating import digest
from souk.table.settings import Settings
from souk.table.store import EventRow, Overtaken
from souk.table.table import Table
from souk.table.thinkers import Thinkers
from tests.table.places import in_both, look_into, store_at

ANN, BEN, CAT = (name.encode() for name in ("ann", "ben", "cat"))


class Eyes:
    """A page at a table that writes down what it is told."""

    def __init__(self, player: bytes) -> None:
        self.player, self.seat, self.here = player, protocol.NOBODY, True
        self.heard: list[bytes] = []

    def post(self, message: bytes) -> None:
        self.heard.append(message)


def new_house(data: Path) -> House:
    settings = Settings(data=data, games=(), grace=0, pace=0, levels=("random",))
    return House(settings, store_at(data), Thinkers(1, ()), Gauges())


@asynccontextmanager
async def open_house(data: Path) -> AsyncIterator[House]:
    house = new_house(data)
    try:
        yield house
    finally:
        await house.close()


def with_two(data: Path, work: Callable[[House, House], Awaitable[None]]) -> None:
    async def run() -> None:
        async with open_house(data) as one, open_house(data) as other:
            await work(one, other)

    asyncio.run(run())


async def invited(house: House) -> lobby_protocol.TableMade:
    """A table of Ann's with a seat that is offered by link."""
    wish = lobby_protocol.NewTable("suleika", [lobby_protocol.SeatWish("me", "Ann"), lobby_protocol.SeatWish("link")])
    return await house.reception.new_table(wish, ANN, "here")


def seat_on_disk(data: Path, table: str, seat: int) -> Any:
    with look_into(data) as connection:
        asked = 'SELECT kind, name, player, stand_in FROM seats WHERE "table" = ? AND seat = ?'
        return connection.execute(asked, (table, seat)).fetchone()


async def refused(work: Awaitable[Any]) -> str:
    with pytest.raises(Refuse) as found:
        await work
    return str(found.value.reason[0])


@in_both
def test_a_stand_in_does_not_take_the_seat_of_a_guest_who_sat_down_elsewhere(tmp_path: Path) -> None:
    async def work(one: House, other: House) -> None:
        made = await invited(one)
        table = await other.tables.take(made.table)  # it knows the seat as free
        eyes = Eyes(ANN)
        await other.enter(table, eyes, -1)
        await one.reception.sit_down(made.table, lobby_protocol.SitDown(made.invitations[1], "Ben"), BEN)
        eyes.heard.clear()
        answer = await refused(other.croupier.stand_in(table, ANN, protocol.StandIn(1, 1, "random")))
        assert answer == "table.refused.not_kept"
        assert seat_on_disk(tmp_path, made.table, 1) == ("person", "Ben", BEN, "")
        assert table.seats_of(BEN) == [1]
        assert any(b'"is":"seats"' in message and b'"Ben"' in message for message in eyes.heard)
        other.leave(table, eyes)

    with_two(tmp_path, work)


@in_both
def test_an_open_seat_seats_one(tmp_path: Path) -> None:
    async def work(one: House, other: House) -> None:
        wishes = [
            lobby_protocol.SeatWish("me", "Ann"),
            lobby_protocol.SeatWish("open"),
            lobby_protocol.SeatWish("open"),
        ]
        made = await one.reception.new_table(lobby_protocol.NewTable("suleika", wishes), ANN, "")
        async with other.tables.at(made.table) as table:  # it knows both seats as free
            await one.reception.sit_down(made.table, lobby_protocol.SitDown("", "Ben"), BEN)
            wish = lobby_protocol.SitDown("", "Cat")
            assert await refused(other.reception.sit_down(made.table, wish, CAT)) == "table.refused.not_kept"
            assert seat_on_disk(tmp_path, made.table, 1) == ("person", "Ben", BEN, "")
            assert (await other.reception.sit_down(made.table, wish, CAT)).seat == 2
            assert table.seats_of(BEN) == [1]
            assert (
                await refused(one.gathering.cancel(await one.tables.take(made.table), BEN)) == "table.refused.not_host"
            )

    with_two(tmp_path, work)


@in_both
def test_one_invitation_seats_one(tmp_path: Path) -> None:
    async def work(one: House, other: House) -> None:
        made = await invited(one)
        for house in (one, other):
            await house.tables.take(made.table)
        wishes = [lobby_protocol.SitDown(made.invitations[1], name) for name in ("Ben", "Cat")]
        sitting = [
            one.sit_down(made.table, wishes[0], BEN),
            other.sit_down(made.table, wishes[1], CAT),
        ]
        found = await asyncio.gather(*sitting, return_exceptions=True)
        assert sorted(type(each).__name__ for each in found) == ["Refuse", "Seated"]
        winner = BEN if isinstance(found[0], lobby_protocol.Seated) else CAT
        assert seat_on_disk(tmp_path, made.table, 1)[2] == winner
        late, name, player = (other, wishes[1], CAT) if winner == BEN else (one, wishes[0], BEN)
        assert await refused(late.reception.sit_down(made.table, name, player)) == "table.refused.seat_taken"

    with_two(tmp_path, work)


async def finished(house: House) -> str:
    """A table of Bazaar that Ann has played to the end alone."""
    made = await house.reception.new_table(
        lobby_protocol.NewTable("bazaar", [lobby_protocol.SeatWish("me")]), ANN, "here"
    )
    rng = random.Random(1)
    async with house.tables.at(made.table) as table:
        while not table.position.over:
            moves = table.position.moves(0)
            await table.play(
                0, rng.choice([move for move in moves if move.startswith("buy")] or moves), table.course.seq
            )
    return made.table


@in_both
def test_a_rematch_gives_one_table(tmp_path: Path) -> None:
    async def work(one: House, other: House) -> None:
        name = await finished(one)
        tables: list[Table] = [await house.tables.take(name) for house in (one, other)]
        for house, table in zip((one, other), tables, strict=True):
            await house.croupier.rematch(table, ANN, "here")
        assert tables[0].rematch == tables[1].rematch != ""
        with look_into(tmp_path) as connection:
            assert connection.execute("SELECT count(*) FROM tables").fetchone() == (2,)

    with_two(tmp_path, work)


@in_both
def test_a_seat_changes_only_from_what_it_was(tmp_path: Path) -> None:
    async def work(one: House, other: House) -> None:
        made = await invited(one)
        store = other._store
        found = await store.table(made.table)
        assert found is not None
        seat = found[1][1]
        assert seat.invitation == digest(made.invitations[1])
        await store.change_seats(made.table, [(seat, seat._replace(stand_in="random"))])
        with pytest.raises(Overtaken):
            await store.change_seats(made.table, [(seat, seat._replace(kind="person", player=CAT))])
        assert seat_on_disk(tmp_path, made.table, 1) == ("free", "", None, "random")

    with_two(tmp_path, work)


@in_both
def test_what_was_told_is_taken_over_once_and_nothing_is_left_out(tmp_path: Path) -> None:
    async def work(one: House, other: House) -> None:
        wishes = [lobby_protocol.SeatWish("me", "Ann"), lobby_protocol.SeatWish("here")]
        made = await one.reception.new_table(lobby_protocol.NewTable("suleika", wishes), ANN, "")
        eyes, here, there = Eyes(ANN), await one.tables.take(made.table), await other.tables.take(made.table)
        await other.enter(there, eyes, -1)

        async def moved() -> list[EventRow]:
            """The events of a move, of which the other server knows nothing yet."""
            [seat], known = here.course.actors, here.course.seq
            await here.play(seat, here.position.moves(seat)[0], known)
            return await here.store.events(made.table, known)

        def told(since: int) -> int:
            return sum(b'"is":"event"' in message for message in eyes.heard[since:])

        rows, before = await moved(), len(eyes.heard)
        async with there.lock:
            assert await take_over(there, rows)
            assert await take_over(there, rows)  # heard a second time
        assert (there.course.seq, there.position, told(before)) == (here.course.seq, here.position, 1)
        later, before = [*await moved(), *await moved()], len(eyes.heard)
        async with there.lock:
            assert not await take_over(there, later[1:])
            assert (there.course.seq, told(before)) == (rows[-1].seq, 0)
            await catch_up(there)
        assert (there.course.seq, there.position, told(before)) == (here.course.seq, here.position, 1)
        other.leave(there, eyes)

    with_two(tmp_path, work)
