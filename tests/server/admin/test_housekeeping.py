"""Housekeeping: expiry of tables, disk space, account deletion."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from souk.server.admin.housekeeping import DAY
from souk.server.common.config import ServerConfig
from souk.server.common.metrics import Metrics
from souk.server.compute.scheduler import BotScheduler
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.services import Services
from souk.server.storage import maintenance
from souk.server.storage.rows import Statement
from souk.server.storage.sqlite_schema import open_file
from souk.server.storage.sqlite_store import SqliteStore
from souk.server.tables.table import Table
from tests.server.cluster.test_two_servers import ANN, BEN, finished, refused
from tests.server.support.clients import Person, Server
from tests.server.support.databases import everything, in_both, look_into, store_at

TWO = [lobby_protocol.SeatRequest("me", "Ann"), lobby_protocol.SeatRequest("here", "Ann's sister")]


def at_house(data: Path, work: Callable[[Services], Awaitable[None]], **settings: Any) -> None:
    async def run() -> None:
        services = Services(
            ServerConfig(data=data, games=(), pace=0, table_burst=1000, **settings),
            store_at(data),
            BotScheduler(1, ()),
            Metrics(),
        )
        try:
            await work(services)
        finally:
            await services.close()

    asyncio.run(run())


async def new_table(services: Services) -> str:
    return (
        await services.table_factory.new_table(lobby_protocol.NewTable("suleika", TWO), ANN, "here")
    ).table


def asked(data: Path, question: str, *values: Any) -> list[tuple[Any, ...]]:
    with look_into(data) as connection:
        found = connection.execute(question, values)
        return found.fetchall() if found.description else []


async def play_on(table: Table) -> None:
    """Make a move."""
    seat = table.position.actors[0]
    await table.play(seat, table.position.moves(seat)[0], table.state.seq)


def grow_old(data: Path, days: float, *tables: str) -> None:
    for table in tables:
        long_ago = time.time() - days * DAY
        change = "UPDATE tables SET created = ?, changed = ?, seen = ? WHERE id = ?"
        asked(data, change, long_ago, long_ago, long_ago, table)


# ---------------------------------------------------------------- expiry


@in_both
def test_abandoned_tables_are_deleted_completely(tmp_path: Path) -> None:
    async def work(services: Services) -> None:
        old, young, over, old_over = (
            await new_table(services),
            await new_table(services),
            await finished(services),
            await finished(services),
        )
        grow_old(tmp_path, 8, old)
        grow_old(tmp_path, 6, young, over)
        grow_old(tmp_path, 31, old_over)
        await services.housekeeping.tidy()
        assert {row[0] for row in asked(tmp_path, "SELECT id FROM tables")} == {young, over}
        for part in ("seats", "events", "snapshots"):
            assert not asked(
                tmp_path, f'SELECT 1 FROM {part} WHERE "table" IN (?, ?)', old, old_over
            )

    at_house(tmp_path, work, abandoned_days=7, finished_days=30)


@in_both
def test_a_table_visited_recently_is_kept(tmp_path: Path) -> None:
    async def work(services: Services) -> None:
        seen, changed, old = [await new_table(services) for _ in range(3)]
        grow_old(tmp_path, 100, seen, changed, old)
        asked(tmp_path, "UPDATE tables SET seen = ? WHERE id = ?", time.time(), seen)
        asked(tmp_path, "UPDATE tables SET changed = ? WHERE id = ?", time.time(), changed)
        await services.housekeeping.tidy()
        assert {row[0] for row in asked(tmp_path, "SELECT id FROM tables")} == {seen, changed}

    at_house(tmp_path, work, abandoned_days=7)


def test_old_tables_are_found_by_index(tmp_path: Path) -> None:
    """The query plan uses an index."""
    connection, _ = open_file(tmp_path / "tables.sqlite", tmp_path / "key")
    plans: list[str] = []
    with closing(connection):
        connection.set_trace_callback(plans.append)
        maintenance.abandoned_tables(connection, True, time.time(), 10)
        connection.set_trace_callback(None)
        [asked_for] = plans
        told = [row[3] for row in connection.execute(f"EXPLAIN QUERY PLAN {asked_for}")]
    assert [each.partition("USING INDEX ")[2] for each in told] == [
        "tables_by_age (over=? AND created<?)"
    ]


@in_both
def test_nothing_expires_by_default(tmp_path: Path) -> None:
    async def work(services: Services) -> None:
        table = await new_table(services)
        grow_old(tmp_path, 10_000, table)
        await services.housekeeping.tidy()
        assert asked(tmp_path, "SELECT count(*) FROM tables") == [(1,)]

    at_house(tmp_path, work)


@in_both
def test_a_table_that_is_open_is_never_deleted(tmp_path: Path) -> None:
    """Neither by this server nor by another process on the database, however long it was idle."""

    async def work(services: Services) -> None:
        name = await new_table(services)
        table = await services.tables.pin(name)
        grow_old(tmp_path, 100, name)
        await services.housekeeping.tidy()
        with look_into(tmp_path) as connection:
            assert maintenance.abandoned_tables(connection, False, time.time() - DAY, 10) == []
        await play_on(table)

    at_house(tmp_path, work, abandoned_days=1)


@in_both
def test_a_table_deleted_while_loading_is_complete_or_unknown(tmp_path: Path) -> None:
    async def work(services: Services) -> None:
        for _ in range(10):
            name = await new_table(services)
            grow_old(tmp_path, 100, name)
            loading = asyncio.create_task(services.tables.pin(name))
            await asyncio.gather(services.housekeeping.tidy(), loading, return_exceptions=True)
            there = asked(tmp_path, "SELECT 1 FROM tables WHERE id = ?", name)
            try:
                table = loading.result()
            except RequestRefused as unknown:
                assert unknown.status == 404
                assert not there
            else:
                assert there
                await play_on(table)

    at_house(tmp_path, work, abandoned_days=1)


@in_both
def test_coming_back_in_time_keeps_the_table(tmp_path: Path) -> None:
    async def work(services: Services) -> None:
        name = await new_table(services)
        grow_old(tmp_path, 6.9, name)
        async with services.tables.at(name):
            pass
        long_ago = time.time() - 9 * DAY
        asked(tmp_path, "UPDATE tables SET created = ?, changed = ?", long_ago, long_ago)
        await services.housekeeping.tidy()
        assert asked(tmp_path, "SELECT id FROM tables") == [(name,)]

    at_house(tmp_path, work, abandoned_days=7)


def test_free_space_is_returned(tmp_path: Path) -> None:
    async def work(services: Services) -> None:
        empty = asked(tmp_path, "PRAGMA page_count")[0][0]
        tables = [await new_table(services) for _ in range(150)]
        size = asked(tmp_path, "PRAGMA page_count")[0][0]
        grow_old(tmp_path, 8, *tables)
        await services.housekeeping.tidy()
        assert asked(tmp_path, "PRAGMA freelist_count") == [(0,)]
        assert asked(tmp_path, "PRAGMA page_count")[0][0] - empty < (size - empty) / 2

    at_house(tmp_path, work, abandoned_days=7)


def test_free_space_is_returned_many_pages_at_a_time(tmp_path: Path) -> None:
    """One page at a time would take hours on a large database."""

    async def run() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        large = [
            Statement("INSERT INTO settings VALUES (?, ?)", (str(n), bytes(4000)))
            for n in range(200)
        ]
        await store.write(large)
        await store.write([Statement("DELETE FROM settings WHERE length(value) = 4000")])
        [(free,)] = asked(tmp_path, "PRAGMA freelist_count")
        assert free >= 200
        assert await store.shrink()
        assert asked(tmp_path, "PRAGMA freelist_count") == [(free - 64,)]
        await store.close()

    asyncio.run(run())


# ---------------------------------------------------------------- disk space


@in_both
def test_full_database_refuses_new_tables_but_games_go_on(tmp_path: Path) -> None:
    async def begin(services: Services) -> None:
        await new_table(services)

    async def go_on(services: Services) -> None:
        assert await refused(new_table(services)) == "table.refused.house_full"
        [(name,)] = asked(tmp_path, "SELECT id FROM tables")
        async with services.tables.at(name) as table:
            await play_on(table)

    at_house(tmp_path, begin)
    at_house(tmp_path, go_on, file_bytes=10_000)


# ---------------------------------------------------------------- account deletion


def test_deleting_an_account_lets_others_play_on(server: Server) -> None:
    async def run() -> None:
        async with Person(server) as ann, Person(server) as ben:
            table, invitations = await ann.new_table(
                "suleika", {"who": "me", "name": "Ann"}, "link"
            )
            await ben.sit(table, invitations["1"], "Ben")
            async with ann.page(table, 0) as page:
                await page.until_begun()
                while 0 not in page.view["actors"]:
                    async with ben.page(table, 1) as other:
                        assert (await other.move(1, other.view["moves"][0]))["is"] == "done"
                    await page.watch(0, page.seq)
                assert asked(
                    server.data,
                    f"SELECT count(*) FROM seats WHERE name = 'Ben' AND \"table\" = '{table}'",
                ) == [(1,)]
                cookie = ben.cookie
                answer = await ben.http.post("/api/forget", json={})
                assert answer.status_code == 200
                assert answer.headers["set-cookie"].startswith("souk=; Path=/; Max-Age=0;")
                seats = await page.until(
                    lambda message: (
                        message["is"] == "seats"
                        and message["seats"][1]["name"] == maintenance.NAMELESS
                    )
                )
                assert [seat["name"] for seat in seats["seats"]] == ["Ann", maintenance.NAMELESS]
                assert "Ben" not in await ann.record(table)
                await asyncio.sleep(0.2)  # grace period of absent players
                assert (await page.ask("stand_in", seat=1, level="random"))["is"] == "done"
                assert (await page.move(0, page.view["moves"][0]))["is"] in ("done", "refused")
            async with Person(server, cookie) as again:
                assert (await again.lobby())["tables"] == []
                assert (await again.sit(table, invitations["1"], "Ben")).status_code == 404
            assert asked(
                server.data,
                "SELECT player, invitation FROM seats WHERE name = ?",
                maintenance.NAMELESS,
            )[-1] == (None, None)
            assert len((await ann.lobby())["tables"]) == 1

    asyncio.run(run())


def test_account_deletion_requires_our_own_page(server: Server) -> None:
    async def run() -> None:
        async with Person(server) as ann:
            await ann.new_table("suleika", {"who": "me", "name": "Ann"}, "here")
            foreign = await ann.http.post(
                "/api/forget", json={}, headers={"origin": "https://elsewhere.example"}
            )
            assert foreign.status_code == 403
            assert (await ann.http.post("/api/forget", content="{}")).status_code == 415
            assert (await ann.http.get("/api/forget")).status_code in (404, 405)
            assert len((await ann.lobby())["tables"]) == 1

    asyncio.run(run())


@in_both
def test_a_deleted_account_leaves_no_trace_in_the_file(tmp_path: Path) -> None:
    async def work(services: Services) -> None:
        made = await services.table_factory.new_table(
            lobby_protocol.NewTable(
                "suleika",
                [lobby_protocol.SeatRequest("me", "Ann"), lobby_protocol.SeatRequest("link")],
            ),
            ANN,
            "here",
        )
        await services.table_factory.sit_down(
            made.table, lobby_protocol.TakeSeat(made.invitations[1], "Benedict"), BEN
        )
        await services.housekeeping.forget(BEN)

    at_house(tmp_path, work)
    dump = everything(tmp_path)
    assert "Benedict" not in dump
    assert BEN.hex() not in dump
    assert "Ann" in dump


@pytest.mark.parametrize("days", [-1])
def test_days_are_not_negative(days: int) -> None:
    with pytest.raises(ValueError, match="must not be negative"):
        ServerConfig(abandoned_days=days)
