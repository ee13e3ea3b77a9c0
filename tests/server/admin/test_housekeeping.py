"""What a server sees to while people play: tables that nobody comes back to, room on the disk, people who want to be forgotten."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from souk.table import chores, lobby_protocol
from souk.table.gauges import Gauges
from souk.table.house import House
from souk.table.refusals import Refuse
from souk.table.schema import open_file
from souk.table.settings import Settings
from souk.table.sqlite import SqliteStore
from souk.table.store import Statement
from souk.table.table import Table
from souk.table.thinkers import Thinkers
from souk.table.upkeep import DAY
from tests.table.clients import Person, Server
from tests.table.places import everything, in_both, look_into, store_at
from tests.table.test_two_servers import ANN, BEN, finished, refused

TWO = [lobby_protocol.SeatWish("me", "Ann"), lobby_protocol.SeatWish("here", "Ann's sister")]


def at_house(data: Path, work: Callable[[House], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        house = House(
            Settings(data=data, games=(), pace=0, table_burst=1000, **settings),
            store_at(data),
            Thinkers(1, ()),
            Gauges(),
        )
        try:
            await work(house)
        finally:
            await house.close()

    asyncio.run(run())


async def new_table(house: House) -> str:
    return (await house.reception.new_table(lobby_protocol.NewTable("suleika", TWO), ANN, "here")).table


def asked(data: Path, question: str, *values: Any) -> list[tuple[Any, ...]]:
    with look_into(data) as connection:
        found = connection.execute(question, values)
        return found.fetchall() if found.description else []


async def play_on(table: Table) -> None:
    """Somebody makes a move."""
    seat = table.position.actors[0]
    await table.play(seat, table.position.moves(seat)[0], table.course.seq)


def grow_old(data: Path, days: float, *tables: str) -> None:
    for table in tables:
        long_ago = time.time() - days * DAY
        change = "UPDATE tables SET created = ?, changed = ?, seen = ? WHERE id = ?"
        asked(data, change, long_ago, long_ago, long_ago, table)


# ---------------------------------------------------------------- expiry


@in_both
def test_what_nobody_comes_back_to_is_deleted_wholly_and_nothing_else(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        old, young, over, old_over = (
            await new_table(house),
            await new_table(house),
            await finished(house),
            await finished(house),
        )
        grow_old(tmp_path, 8, old)
        grow_old(tmp_path, 6, young, over)
        grow_old(tmp_path, 31, old_over)
        await house.upkeep.tidy()
        assert {row[0] for row in asked(tmp_path, "SELECT id FROM tables")} == {young, over}
        for part in ("seats", "events", "snapshots"):
            assert not asked(tmp_path, f'SELECT 1 FROM {part} WHERE "table" IN (?, ?)', old, old_over)

    at_house(tmp_path, work, abandoned_days=7, finished_days=30)


@in_both
def test_a_table_that_somebody_came_back_to_stays_however_old_it_is(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        seen, changed, old = [await new_table(house) for _ in range(3)]
        grow_old(tmp_path, 100, seen, changed, old)
        asked(tmp_path, "UPDATE tables SET seen = ? WHERE id = ?", time.time(), seen)
        asked(tmp_path, "UPDATE tables SET changed = ? WHERE id = ?", time.time(), changed)
        await house.upkeep.tidy()
        assert {row[0] for row in asked(tmp_path, "SELECT id FROM tables")} == {seen, changed}

    at_house(tmp_path, work, abandoned_days=7)


def test_what_is_old_is_found_without_looking_at_all_tables(tmp_path: Path) -> None:
    """However many there are: the plan goes by an index."""
    connection, _ = open_file(tmp_path / "tables.sqlite", tmp_path / "key")
    plans: list[str] = []
    with closing(connection):
        connection.set_trace_callback(plans.append)
        chores.left_alone(connection, True, time.time(), 10)
        connection.set_trace_callback(None)
        [asked_for] = plans
        told = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {asked_for}")]
    assert [each.partition("USING INDEX ")[2] for each in told] == ["tables_by_age (over=? AND created<?)"]


@in_both
def test_nothing_is_deleted_where_the_host_has_not_said_so(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        table = await new_table(house)
        grow_old(tmp_path, 10_000, table)
        await house.upkeep.tidy()
        assert asked(tmp_path, "SELECT count(*) FROM tables") == [(1,)]

    at_house(tmp_path, work)


@in_both
def test_a_table_that_is_open_is_never_deleted(tmp_path: Path) -> None:
    """Neither by this server nor by anybody else at the file, however long nothing has happened there."""

    async def work(house: House) -> None:
        name = await new_table(house)
        table = await house.tables.take(name)
        grow_old(tmp_path, 100, name)
        await house.upkeep.tidy()
        with look_into(tmp_path) as connection:
            assert chores.left_alone(connection, False, time.time() - DAY, 10) == []
        await play_on(table)

    at_house(tmp_path, work, abandoned_days=1)


@in_both
def test_one_that_is_being_loaded_is_loaded_or_unknown_never_half(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        for _ in range(10):
            name = await new_table(house)
            grow_old(tmp_path, 100, name)
            loading = asyncio.create_task(house.tables.take(name))
            await asyncio.gather(house.upkeep.tidy(), loading, return_exceptions=True)
            there = asked(tmp_path, "SELECT 1 FROM tables WHERE id = ?", name)
            try:
                table = loading.result()
            except Refuse as unknown:
                assert unknown.status == 404
                assert not there
            else:
                assert there
                await play_on(table)

    at_house(tmp_path, work, abandoned_days=1)


@in_both
def test_who_comes_back_in_time_keeps_the_table(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        name = await new_table(house)
        grow_old(tmp_path, 6.9, name)
        async with house.tables.at(name):
            pass
        long_ago = time.time() - 9 * DAY
        asked(tmp_path, "UPDATE tables SET created = ?, changed = ?", long_ago, long_ago)
        await house.upkeep.tidy()
        assert asked(tmp_path, "SELECT id FROM tables") == [(name,)]

    at_house(tmp_path, work, abandoned_days=7)


def test_the_file_gives_its_room_back(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        empty = asked(tmp_path, "PRAGMA page_count")[0][0]
        tables = [await new_table(house) for _ in range(150)]
        size = asked(tmp_path, "PRAGMA page_count")[0][0]
        grow_old(tmp_path, 8, *tables)
        await house.upkeep.tidy()
        assert asked(tmp_path, "PRAGMA freelist_count") == [(0,)]
        assert asked(tmp_path, "PRAGMA page_count")[0][0] - empty < (size - empty) / 2

    at_house(tmp_path, work, abandoned_days=7)


def test_room_is_given_back_by_many_pages_at_a_time(tmp_path: Path) -> None:
    """A page at a time would take hours for what a large house has deleted."""

    async def run() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        large = [Statement("INSERT INTO house VALUES (?, ?)", (str(n), bytes(4000))) for n in range(200)]
        await store.carry_out(large)
        await store.carry_out([Statement("DELETE FROM house WHERE length(value) = 4000")])
        [(free,)] = asked(tmp_path, "PRAGMA freelist_count")
        assert free >= 200
        assert await store.shrink()
        assert asked(tmp_path, "PRAGMA freelist_count") == [(free - 64,)]
        await store.close()

    asyncio.run(run())


# ---------------------------------------------------------------- room


@in_both
def test_where_the_file_is_full_new_tables_are_refused_and_games_go_on(tmp_path: Path) -> None:
    async def begin(house: House) -> None:
        await new_table(house)

    async def go_on(house: House) -> None:
        assert await refused(new_table(house)) == "table.refused.house_full"
        [(name,)] = asked(tmp_path, "SELECT id FROM tables")
        async with house.tables.at(name) as table:
            await play_on(table)

    at_house(tmp_path, begin)
    at_house(tmp_path, go_on, file_bytes=10_000)


# ---------------------------------------------------------------- forget me


def test_somebody_is_forgotten_and_the_others_play_on(server: Server) -> None:
    async def run() -> None:
        async with Person(server) as ann, Person(server) as ben:
            table, invitations = await ann.new_table("suleika", {"who": "me", "name": "Ann"}, "link")
            await ben.sit(table, invitations["1"], "Ben")
            async with ann.page(table, 0) as page:
                await page.until_begun()
                while 0 not in page.view["actors"]:
                    async with ben.page(table, 1) as other:
                        assert (await other.move(1, other.view["moves"][0]))["is"] == "done"
                    await page.watch(0, page.seq)
                assert asked(
                    server.data, f"SELECT count(*) FROM seats WHERE name = 'Ben' AND \"table\" = '{table}'"
                ) == [(1,)]
                cookie = ben.cookie
                answer = await ben.http.post("/api/forget", json={})
                assert answer.status_code == 200
                assert answer.headers["set-cookie"].startswith("souk=; Path=/; Max-Age=0;")
                seats = await page.until(
                    lambda message: message["is"] == "seats" and message["seats"][1]["name"] == chores.NAMELESS
                )
                assert [seat["name"] for seat in seats["seats"]] == ["Ann", chores.NAMELESS]
                assert "Ben" not in await ann.record(table)
                await asyncio.sleep(0.2)  # the grace of whoever is away
                assert (await page.ask("stand_in", seat=1, level="random"))["is"] == "done"
                assert (await page.move(0, page.view["moves"][0]))["is"] in ("done", "refused")
            async with Person(server, cookie) as again:
                assert (await again.lobby())["tables"] == []
                assert (await again.sit(table, invitations["1"], "Ben")).status_code == 404
            assert asked(server.data, "SELECT player, invitation FROM seats WHERE name = ?", chores.NAMELESS)[-1] == (
                None,
                None,
            )
            assert len((await ann.lobby())["tables"]) == 1

    asyncio.run(run())


def test_only_a_page_of_ours_can_ask_for_it(server: Server) -> None:
    async def run() -> None:
        async with Person(server) as ann:
            await ann.new_table("suleika", {"who": "me", "name": "Ann"}, "here")
            foreign = await ann.http.post("/api/forget", json={}, headers={"origin": "https://elsewhere.example"})
            assert foreign.status_code == 403
            assert (await ann.http.post("/api/forget", content="{}")).status_code == 415
            assert (await ann.http.get("/api/forget")).status_code in (404, 405)
            assert len((await ann.lobby())["tables"]) == 1

    asyncio.run(run())


@in_both
def test_whoever_is_forgotten_is_nowhere_in_the_file(tmp_path: Path) -> None:
    async def work(house: House) -> None:
        made = await house.reception.new_table(
            lobby_protocol.NewTable("suleika", [lobby_protocol.SeatWish("me", "Ann"), lobby_protocol.SeatWish("link")]),
            ANN,
            "here",
        )
        await house.reception.sit_down(made.table, lobby_protocol.SitDown(made.invitations[1], "Benedict"), BEN)
        await house.upkeep.forget(BEN)

    at_house(tmp_path, work)
    dump = everything(tmp_path)
    assert "Benedict" not in dump
    assert BEN.hex() not in dump
    assert "Ann" in dump


@pytest.mark.parametrize("days", [-1])
def test_days_are_not_negative(days: int) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        Settings(abandoned_days=days)
