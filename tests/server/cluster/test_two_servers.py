"""Two servers on one database file: nothing is overwritten, and nothing is made twice."""

import asyncio
import random
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from souk.server.common.config import ServerConfig
from souk.server.common.metrics import Metrics
from souk.server.common.tokens import digest
from souk.server.compute.scheduler import BotScheduler
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.services import Services
from souk.server.storage.errors import WriteConflict
from souk.server.storage.rows import EventRow
from souk.server.tables.sync_from_database import apply_announced, catch_up
from souk.server.tables.table import Table
from tests.server.support.databases import in_both, look_into, store_at

ANN, BEN, CAT = (name.encode() for name in ("ann", "ben", "cat"))


class Observer:
    """A page at a table that records what it receives."""

    def __init__(self, player: bytes) -> None:
        self.player, self.seat, self.connected = player, protocol.NOBODY, True
        self.heard: list[bytes] = []

    def post(self, message: bytes) -> None:
        self.heard.append(message)


def new_services(data: Path) -> Services:
    settings = ServerConfig(data=data, games=(), grace=0, pace=0, levels=("random",))
    return Services(settings, store_at(data), BotScheduler(1, ()), Metrics())


@asynccontextmanager
async def open_services(data: Path) -> AsyncIterator[Services]:
    services = new_services(data)
    try:
        yield services
    finally:
        await services.close()


def with_two(data: Path, work: Callable[[Services, Services], Awaitable[None]]) -> None:
    async def run() -> None:
        async with open_services(data) as one, open_services(data) as other:
            await work(one, other)

    asyncio.run(run())


async def invited(services: Services) -> lobby_protocol.TableCreated:
    """A table of Ann's with a seat offered by link."""
    wish = lobby_protocol.NewTable(
        "suleika", [lobby_protocol.SeatRequest("me", "Ann"), lobby_protocol.SeatRequest("link")]
    )
    return await services.table_factory.new_table(wish, ANN, "here")


def seat_on_disk(data: Path, table: str, seat: int) -> Any:
    with look_into(data) as connection:
        asked = 'SELECT kind, name, player, stand_in FROM seats WHERE "table" = ? AND seat = ?'
        return connection.execute(asked, (table, seat)).fetchone()


async def refused(work: Awaitable[Any]) -> str:
    with pytest.raises(RequestRefused) as found:
        await work
    return str(found.value.reason[0])


@in_both
def test_a_stand_in_does_not_take_the_seat_of_a_guest_who_sat_down_elsewhere(
    tmp_path: Path,
) -> None:
    async def work(one: Services, other: Services) -> None:
        made = await invited(one)
        table = await other.tables.pin(made.table)  # it believes the seat is free
        eyes = Observer(ANN)
        await other.enter(table, eyes, -1)
        await one.table_factory.sit_down(
            made.table, lobby_protocol.TakeSeat(made.invitations[1], "Ben"), BEN
        )
        eyes.heard.clear()
        answer = await refused(
            other.absent_players.stand_in(table, ANN, protocol.StandIn(1, 1, "random"))
        )
        assert answer == "table.refused.not_kept"
        assert seat_on_disk(tmp_path, made.table, 1) == ("person", "Ben", BEN, "")
        assert table.seats_of(BEN) == [1]
        assert any(b'"is":"seats"' in message and b'"Ben"' in message for message in eyes.heard)
        other.leave(table, eyes)

    with_two(tmp_path, work)


@in_both
def test_an_open_seat_seats_one(tmp_path: Path) -> None:
    async def work(one: Services, other: Services) -> None:
        wishes = [
            lobby_protocol.SeatRequest("me", "Ann"),
            lobby_protocol.SeatRequest("open"),
            lobby_protocol.SeatRequest("open"),
        ]
        made = await one.table_factory.new_table(
            lobby_protocol.NewTable("suleika", wishes), ANN, ""
        )
        async with other.tables.at(made.table) as table:  # it believes both seats are free
            await one.table_factory.sit_down(made.table, lobby_protocol.TakeSeat("", "Ben"), BEN)
            wish = lobby_protocol.TakeSeat("", "Cat")
            assert (
                await refused(other.table_factory.sit_down(made.table, wish, CAT))
                == "table.refused.not_kept"
            )
            assert seat_on_disk(tmp_path, made.table, 1) == ("person", "Ben", BEN, "")
            assert (await other.table_factory.sit_down(made.table, wish, CAT)).seat == 2
            assert table.seats_of(BEN) == [1]
            assert (
                await refused(one.waiting_tables.cancel(await one.tables.pin(made.table), BEN))
                == "table.refused.not_host"
            )

    with_two(tmp_path, work)


@in_both
def test_one_invitation_seats_one(tmp_path: Path) -> None:
    async def work(one: Services, other: Services) -> None:
        made = await invited(one)
        for services in (one, other):
            await services.tables.pin(made.table)
        wishes = [lobby_protocol.TakeSeat(made.invitations[1], name) for name in ("Ben", "Cat")]
        requests = [
            one.sit_down(made.table, wishes[0], BEN),
            other.sit_down(made.table, wishes[1], CAT),
        ]
        found = await asyncio.gather(*requests, return_exceptions=True)
        assert sorted(type(each).__name__ for each in found) == ["RequestRefused", "SeatTaken"]
        winner = BEN if isinstance(found[0], lobby_protocol.SeatTaken) else CAT
        assert seat_on_disk(tmp_path, made.table, 1)[2] == winner
        late, name, player = (other, wishes[1], CAT) if winner == BEN else (one, wishes[0], BEN)
        assert (
            await refused(late.table_factory.sit_down(made.table, name, player))
            == "table.refused.seat_taken"
        )

    with_two(tmp_path, work)


async def finished(services: Services) -> str:
    """A solitaire table of Bazaar played to its end."""
    made = await services.table_factory.new_table(
        lobby_protocol.NewTable("bazaar", [lobby_protocol.SeatRequest("me")]), ANN, "here"
    )
    rng = random.Random(1)
    async with services.tables.at(made.table) as table:
        while not table.position.over:
            moves = table.position.moves(0)
            await table.play(
                0,
                rng.choice([move for move in moves if move.startswith("buy")] or moves),
                table.state.seq,
            )
    return made.table


@in_both
def test_a_rematch_gives_one_table(tmp_path: Path) -> None:
    async def work(one: Services, other: Services) -> None:
        name = await finished(one)
        tables: list[Table] = [await services.tables.pin(name) for services in (one, other)]
        for services, table in zip((one, other), tables, strict=True):
            await services.commands.rematch(table, ANN, "here")
        assert tables[0].rematch == tables[1].rematch != ""
        with look_into(tmp_path) as connection:
            assert connection.execute("SELECT count(*) FROM tables").fetchone() == (2,)

    with_two(tmp_path, work)


@in_both
def test_a_seat_changes_only_from_what_it_was(tmp_path: Path) -> None:
    async def work(one: Services, other: Services) -> None:
        made = await invited(one)
        store = other.store
        found = await store.table(made.table)
        assert found is not None
        seat = found[1][1]
        assert seat.invitation == digest(made.invitations[1])
        await store.change_seats(made.table, [(seat, seat._replace(stand_in="random"))])
        with pytest.raises(WriteConflict):
            await store.change_seats(made.table, [(seat, seat._replace(kind="person", player=CAT))])
        assert seat_on_disk(tmp_path, made.table, 1) == ("free", "", None, "random")

    with_two(tmp_path, work)


@in_both
def test_announced_events_are_applied_once_without_gaps(tmp_path: Path) -> None:
    async def work(one: Services, other: Services) -> None:
        wishes = [lobby_protocol.SeatRequest("me", "Ann"), lobby_protocol.SeatRequest("here")]
        made = await one.table_factory.new_table(
            lobby_protocol.NewTable("suleika", wishes), ANN, ""
        )
        eyes, here, there = (
            Observer(ANN),
            await one.tables.pin(made.table),
            await other.tables.pin(made.table),
        )
        await other.enter(there, eyes, -1)

        async def moved() -> list[EventRow]:
            """Events of a move unknown to the other server so far."""
            [seat], known = here.state.actors, here.state.seq
            await here.play(seat, here.position.moves(seat)[0], known)
            return await here.store.events(made.table, known)

        def told(since: int) -> int:
            return sum(b'"is":"event"' in message for message in eyes.heard[since:])

        rows, before = await moved(), len(eyes.heard)
        async with there.lock:
            assert await apply_announced(there, rows)
            assert await apply_announced(there, rows)  # received twice
        assert (there.state.seq, there.position, told(before)) == (here.state.seq, here.position, 1)
        later, before = [*await moved(), *await moved()], len(eyes.heard)
        async with there.lock:
            assert not await apply_announced(there, later[1:])
            assert (there.state.seq, told(before)) == (rows[-1].seq, 0)
            await catch_up(there)
        assert (there.state.seq, there.position, told(before)) == (here.state.seq, here.position, 1)
        other.leave(there, eyes)

    with_two(tmp_path, work)
