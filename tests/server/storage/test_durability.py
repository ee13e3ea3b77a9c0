"""Durability: an uncommitted move is invisible everywhere (records, pages, dice seed)."""

import asyncio
import contextlib
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

import souk
from souk.games import game as find_game
from souk.server.common.config import ServerConfig
from souk.server.common.metrics import Metrics
from souk.server.compute.scheduler import BotScheduler
from souk.server.net.connection import SocketClient
from souk.server.net.table_socket import TableSocket
from souk.server.services import Services
from souk.server.storage.sqlite_store import SqliteStore
from souk.server.tables.game.game_state import MOST_TAKEN_BACK
from tests.server.support.clients import Page, Person, Server, host_and_guest


@pytest.fixture
def own_server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "tables", grace=1.5) as server:
        yield server


@contextmanager
def database_of(server: Server) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(server.data / "tables.sqlite", isolation_level=None)
    yield connection
    connection.close()


@contextmanager
def writes_failing(server: Server) -> Iterator[None]:
    """Let every event insert fail, as on a full disk."""
    with database_of(server) as file:
        file.execute(
            "CREATE TRIGGER full BEFORE INSERT ON events "
            "BEGIN SELECT RAISE(ABORT, 'the disk is full'); END"
        )
        try:
            yield
        finally:
            file.execute("DROP TRIGGER full")


async def walk_to_choices(page: Page) -> None:
    """Play Basari's first round up to the choices."""
    while page.view["position"]["phase"] != "choose":
        seat = page.view["actors"][0]
        await page.watch(seat, page.seq)
        assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"


def at_basari_table(server: Server, work: Any) -> None:
    async def run() -> None:
        async with (
            Person(server) as person,
            person.page_at_new_table("basari", "me", "here", "here") as page,
        ):
            await walk_to_choices(page)
            await work(person, page)

    asyncio.run(run())


def choices_in(record: str) -> list[str]:
    return [word for word in ("dice", "points", "gems") if f" {word}" in record]


def test_a_choice_that_is_being_taken_back_stays_secret(own_server: Server) -> None:
    """Records read while the take-back waits for a locked database do not show the choice."""

    async def work(person: Person, page: Page) -> None:
        assert (await page.move(0, "gems"))["is"] == "done"
        assert choices_in(await person.record(page.table)) == []
        with database_of(own_server) as file:
            file.execute("BEGIN IMMEDIATE")
            taken_back = asyncio.create_task(page.ask("take_back", seat=0, after=page.seq))
            await asyncio.sleep(0.3)
            records = [asyncio.create_task(person.record(page.table)) for _ in range(5)]
            await asyncio.sleep(0.3)
            file.execute("COMMIT")
        assert (await taken_back)["is"] == "done"
        for record in records:
            assert choices_in(await record) == []

    at_basari_table(own_server, work)


def test_a_last_choice_that_is_not_kept_reveals_nothing(own_server: Server) -> None:
    async def work(person: Person, page: Page) -> None:
        for seat, choice in ((0, "gems"), (1, "points")):
            assert (await page.move(seat, choice))["is"] == "done"
        before = await person.record(page.table)
        with writes_failing(own_server):
            refused = page.move(2, "dice")
            answer, *records = await asyncio.gather(
                refused, *(person.record(page.table) for _ in range(10))
            )
            assert answer["reason"][0] == "table.refused.not_kept"
            assert {*records, await person.record(page.table)} == {before}
        async with Person(own_server) as stranger, stranger.page(page.table) as spectator:
            assert spectator.view["position"]["choices"] == [None] * 3
            assert spectator.seq == page.seq
        assert (await page.move(2, "dice"))["is"] == "done"
        assert choices_in(await person.record(page.table)) == ["dice", "points", "gems"]

    at_basari_table(own_server, work)


async def before_a_purchase(person: Person) -> tuple[str, str]:
    """Play solo Bazaar optimally; return the table and the purchase that would end the game."""
    par = souk.solve(rates=(1, 2), ware="WWWRR")
    table, _ = await person.new_table("bazaar", "me", rates=[1, 2], ware="WWWRR")
    async with person.page(table) as page:
        while True:
            move = par.best(find_game("bazaar").from_json(page.view["position"]))
            if move.startswith("buy"):
                return table, move
            assert (await page.move(0, move))["is"] == "done"


def test_a_last_move_that_is_not_kept_does_not_give_the_seed_away(own_server: Server) -> None:
    async def work() -> None:
        async with Person(own_server) as person:
            table, buy = await before_a_purchase(person)
            async with person.page(table) as page:
                with writes_failing(own_server):
                    answer, *records = await asyncio.gather(
                        page.move(0, buy), *(person.record(table) for _ in range(10))
                    )
                    assert answer["reason"][0] == "table.refused.not_kept"
                assert not any("seed:" in record for record in records)
                assert "seed:" not in await person.record(table)
                assert page.heard[-1].get("dice", {}).get("seed", "") == ""
                assert (await page.move(0, buy))["is"] == "done"
                assert "seed:" in await person.record(table)

    asyncio.run(work())


def test_a_connection_that_breaks_while_it_looks_leaves_no_ghost(own_server: Server) -> None:
    async def work() -> None:
        async with host_and_guest(own_server) as (table, host, guest), host.page(table) as page:
            for _ in range(60):
                async with guest.page(table) as broken:
                    await broken.say(
                        {"do": "watch", "version": broken.now["version"], "seat": 1, "after": -1}
                    )
                    broken.socket.transport.abort()
            await page.until_so(lambda: bool(page.seats[1].get("away")))
            assert (await page.ask("stand_in", seat=1, level="random"))["is"] == "done"

    asyncio.run(work())


def test_a_move_survives_an_immediate_reconnect(own_server: Server) -> None:
    async def work() -> None:
        async with Person(own_server) as person:
            for number in range(40):
                table, _ = await person.new_table("suleika", "me", "here")
                async with person.page(table) as page:
                    await page.say(
                        {"do": "move", "id": 1, "seat": 0, "move": "left", "after": page.seq}
                    )
                    await asyncio.sleep(number / 10_000)
                async with person.page(table) as again:
                    # The move was lost with the connection, or is being written.
                    if again.seq < 0:
                        with contextlib.suppress(TimeoutError):
                            await asyncio.wait_for(again.hear(), 0.3)
                    answer = await again.move(0, again.view["moves"][0])
                    assert answer["is"] == "done", answer

    asyncio.run(work())


def test_nobody_is_replaced_while_their_page_is_loaded_anew(own_server: Server) -> None:
    """A rival cannot cut the grace period short."""

    async def work() -> None:
        async with host_and_guest(own_server) as (table, host, guest), host.page(table) as page:
            async with guest.page(table):
                pass
            await page.watch(0, page.seq)
            refused = await page.ask("stand_in", seat=1, level="random")
            assert refused["reason"][0] == "table.refused.not_away"
            await page.until_so(lambda: bool(page.seats[1].get("away")))
            assert (await page.ask("stand_in", seat=1, level="random"))["is"] == "done"

    asyncio.run(work())


class _NullConnection:
    """A connection whose messages go nowhere."""

    def post(self, message: bytes) -> None: ...

    def ping(self) -> None: ...


def test_a_socket_that_breaks_before_its_table_is_there_keeps_no_table(
    own_server: Server, tmp_path: Path
) -> None:
    async def make() -> str:
        async with Person(own_server) as person:
            return (await person.new_table("suleika", "me", "here"))[0]

    async def work(table: str) -> None:
        settings = ServerConfig(data=own_server.data, games=())
        services = Services(
            settings, SqliteStore(settings.data / "tables.sqlite"), BotScheduler(1, ()), Metrics()
        )
        for steps in range(20):
            socket = TableSocket(services, _NullConnection(), SocketClient(b""))
            opening = asyncio.create_task(socket.open(table))
            for _ in range(steps):
                await asyncio.sleep(0)
            socket.leave()
            await opening
            assert not services.tables.open
        await services.close()

    table = asyncio.run(make())
    own_server.stop()
    asyncio.run(work(table))


# ---------------------------------------------------------------- the database file


def test_the_file_is_for_the_server_alone(own_server: Server) -> None:
    files = list(own_server.data.iterdir())
    assert len(files) >= 2
    for file in [own_server.data, *files]:
        assert file.stat().st_mode & 0o077 == 0, file.name


def test_a_server_that_cannot_write_says_so(own_server: Server) -> None:
    def ready() -> httpx.Response:
        return httpx.get(f"http://{own_server.address}/readyz")

    assert (ready().status_code, ready().text) == (200, "ready\n")
    with database_of(own_server) as file:
        file.execute("BEGIN IMMEDIATE")
        late = ready()
        file.execute("COMMIT")
    assert late.status_code == 503
    assert "not ready" in late.text
    assert ready().status_code == 200


def test_a_write_that_fails_is_in_the_log(own_server: Server) -> None:
    async def work(_person: Person, page: Page) -> None:
        with writes_failing(own_server):
            assert (await page.move(0, "gems"))["is"] == "refused"

    at_basari_table(own_server, work)
    # Once it has stopped, its log is complete.
    assert own_server.stop() == 0
    assert any("write rejected" in line and "the disk is full" in line for line in own_server.lines)


def test_a_damaged_file_ends_the_start_in_one_line(tmp_path: Path) -> None:
    with Server(tmp_path) as server:

        async def fill() -> None:
            async with Person(server) as person:
                for _ in range(40):
                    await person.new_table("basari", "me", "here", "here")

        asyncio.run(fill())
        assert server.stop() == 0
    file = tmp_path / "tables.sqlite"
    content = bytearray(file.read_bytes())
    content[4096:8192] = b"\xff" * 4096
    file.write_bytes(content)
    with pytest.raises(RuntimeError) as caught:
        SqliteStore(file)
    assert "tables.sqlite" in str(caught.value)
    assert "damaged" in str(caught.value) or "malformed" in str(caught.value)


# ---------------------------------------------------------------- limits


def test_moves_cannot_be_taken_back_without_end(own_server: Server) -> None:
    async def work(_person: Person, page: Page) -> None:
        for _ in range(MOST_TAKEN_BACK):
            assert (await page.move(0, "gems"))["is"] == "done"
            assert (await page.ask("take_back", seat=0, after=page.seq))["is"] == "done"
        assert (await page.move(0, "gems"))["is"] == "done"
        refused = await page.ask("take_back", seat=0, after=page.seq)
        assert refused["reason"][0] == "table.refused.enough_taken_back"

    at_basari_table(own_server, work)


def test_rematches_count_as_new_tables(tmp_path: Path) -> None:
    async def work(server: Server) -> None:
        async with Person(server) as person:
            table, buy = await before_a_purchase(person)
            async with person.page(table) as page:
                assert (await page.move(0, buy))["is"] == "done"
                while (await person.ask_for_table("bazaar", "me")).status_code == 200:
                    pass
                refused = await page.ask("rematch")
                assert refused["reason"][0] == "table.refused.too_many_tables"

    with Server(tmp_path, table_rate=0, table_burst=60) as server:
        asyncio.run(work(server))
