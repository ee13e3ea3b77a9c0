"""`souk host`: what a host can see and do, while the server runs or not."""

import asyncio
import json
import shutil
import sqlite3
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from souk.core.record import Record
from souk.server.storage.maintenance import NAMELESS
from tests.cli.test_cli import souk
from tests.server.admin.test_housekeeping import asked, grow_old
from tests.server.storage.test_durability import walk_to_choices
from tests.server.support.clients import Person, Server


@pytest.fixture
def hosted(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "data") as server:
        yield server


def host(server: Server, *words: str, code: int = 0, typed: str = "") -> str:
    return souk("host", *words, "--data", str(server.data), code=code, typed=typed)


def with_ann(server: Server, work: Callable[[Person, str], Awaitable[None]]) -> None:
    """Ann at a table of Suleika with a second player."""

    async def run() -> None:
        async with Person(server) as ann:
            table, _ = await ann.new_table(
                "suleika", {"who": "me", "name": "Ann"}, {"who": "here", "name": "Bea"}
            )
            await work(ann, table)

    asyncio.run(run())


async def host_meanwhile(server: Server, *words: str, code: int = 0) -> str:
    return await asyncio.to_thread(host, server, *words, code=code)


# ---------------------------------------------------------------- lists


def test_tables_and_people_are_listed(hosted: Server) -> None:
    async def work(ann: Person, table: str) -> None:
        other, _ = await ann.new_table("bazaar", "me")
        listed = await host_meanwhile(hosted, "tables")
        assert table in listed
        assert "Ann, Bea" in listed
        assert "2 tables" in listed
        only = await host_meanwhile(hosted, "tables", "--game", "bazaar", "--running")
        assert other in only
        assert table not in only
        assert "0 tables" in await host_meanwhile(hosted, "tables", "--finished")
        people = await host_meanwhile(hosted, "people")
        assert "Ann" in people
        assert "1 people" in people

    with_ann(hosted, work)


@pytest.mark.parametrize(
    "command", [["tables"], ["people"], ["check"], ["delete", "abcd"], ["backup", "copy"]]
)
def test_files_that_are_no_database_are_refused_in_one_line(
    tmp_path: Path, command: list[str]
) -> None:
    for content, wanted in (
        (None, "no tables in"),
        (b"Dear diary, " * 100, "not a Souk database"),
        (b"", "not a Souk database"),
    ):
        if content is not None:
            (tmp_path / "tables.sqlite").write_bytes(content)
        told = souk("host", *command, "--data", str(tmp_path), code=2)
        assert wanted in told
        assert told.count("\n") == 1
        assert content is None or (tmp_path / "tables.sqlite").read_bytes() == content
    connection = sqlite3.connect(tmp_path / "tables.sqlite")
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    assert "newer version" in souk("host", *command, "--data", str(tmp_path), code=2)


# ---------------------------------------------------------------- tables


def test_viewers_of_a_deleted_table_are_told(hosted: Server) -> None:
    async def work(ann: Person, table: str) -> None:
        async with ann.page(table) as page:
            await host_meanwhile(hosted, "delete", table[:6], "--yes")
            told = await page.until(lambda message: message["is"] == "refused")
            assert told["reason"][0] == "table.refused.deleted"
            answer = await page.move(0, "left")
            assert (answer["is"], answer["reason"][0]) == ("refused", "table.refused.deleted")
        assert (await ann.http.get(f"/api/tables/{table}/record")).status_code == 404
        assert (await ann.lobby())["tables"] == []
        for part in ("tables", "seats", "events"):
            assert asked(hosted.data, f"SELECT count(*) FROM {part}") == [(0,)]
        assert "there is no" in await host_meanwhile(hosted, "delete", table, "--yes", code=2)

    with_ann(hosted, work)
    assert hosted.stop() == 0
    assert not hosted.troubles


def test_destructive_commands_ask_first(hosted: Server) -> None:
    async def work(_ann: Person, table: str) -> None:
        await asyncio.to_thread(host, hosted, "delete", table, code=1, typed="n\n")
        await asyncio.to_thread(host, hosted, "forget", "Ann", code=1, typed="n\n")
        assert asked(hosted.data, "SELECT id FROM tables") == [(table,)]
        assert asked(hosted.data, "SELECT count(*) FROM seats WHERE name = 'Ann'") == [(1,)]

    with_ann(hosted, work)


def test_old_tables_expire_by_hand(hosted: Server) -> None:
    async def work(ann: Person, table: str) -> None:
        other, _ = await ann.new_table("suleika", "me", "here")
        grow_old(hosted.data, 8, table)
        assert "Deleted 0 tables" in await host_meanwhile(hosted, "expire", "--days", "9", "--yes")
        assert "Deleted 1 tables" in await host_meanwhile(hosted, "expire", "--days", "7", "--yes")
        assert asked(hosted.data, "SELECT id FROM tables") == [(other,)]

    with_ann(hosted, work)


def test_exported_records_contain_no_secrets(hosted: Server, tmp_path: Path) -> None:
    async def work(ann: Person, table: str) -> None:
        async with ann.page_at_new_table("basari", "me", "here", "here") as page:
            await walk_to_choices(page)
            assert (await page.move(0, "gems"))["is"] == "done"
            await host_meanwhile(hosted, "export", "--all", str(tmp_path / "all"))
            await host_meanwhile(hosted, "export", table, str(tmp_path / "one"))
            files = {path.name: path.read_text() for path in (tmp_path / "all").iterdir()}
            assert set(files) == {f"suleika-{table}.souk", f"basari-{page.table}.souk"}
            assert files[f"basari-{page.table}.souk"] == await ann.record(page.table)
            assert "gems" not in files[f"basari-{page.table}.souk"]
            assert Record.parse((tmp_path / "one" / f"suleika-{table}.souk").read_text()).names == [
                "Ann",
                "Bea",
            ]
        assert "--all" in await host_meanwhile(hosted, "export", code=2)

    with_ann(hosted, work)


# ---------------------------------------------------------------- people


def test_a_person_is_forgotten_by_the_host(hosted: Server) -> None:
    async def work(ann: Person, table: str) -> None:
        async with Person(hosted) as somebody, somebody.page(table) as page:
            await host_meanwhile(hosted, "forget", "Ann", "--yes")
            await page.until(
                lambda message: message["is"] == "seats" and message["seats"][0]["name"] == NAMELESS
            )
        assert (await ann.lobby())["tables"] == []
        assert "there is no" in await host_meanwhile(hosted, "forget", "Ann", "--yes", code=2)

    with_ann(hosted, work)


async def until_true(wanted: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(100):
        if await wanted():
            return
        await asyncio.sleep(0.1)
    raise AssertionError("timed out")


def test_a_banned_person_is_refused_until_unbanned(hosted: Server) -> None:
    async def work(ann: Person, table: str) -> None:
        async def status(wanted: int) -> bool:
            return (await ann.http.get("/api/lobby")).status_code == wanted

        async with ann.page(table) as page:
            await host_meanwhile(hosted, "ban", "Ann", "--yes")
            told = await page.until(lambda message: message["is"] == "refused")
            assert told["reason"][0] == "table.refused.banned"
            with pytest.raises(websockets.ConnectionClosed) as closed:
                await page.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4403
        answer = await ann.http.get("/api/lobby")
        assert (answer.status_code, answer.json()["reason"][0]) == (403, "table.refused.banned")
        assert (await ann.http.get("/")).status_code == 200  # the page that explains it
        with pytest.raises(websockets.InvalidStatus) as refused:
            async with ann.page(table):
                pass
        assert refused.value.response.status_code == 403
        async with Person(hosted) as other:
            assert (await other.http.get("/api/lobby")).status_code == 200
        person = asked(hosted.data, "SELECT lower(hex(player)) FROM seats LIMIT 1")[0][0]
        assert "banned" in await host_meanwhile(hosted, "people")
        assert person[:12] in await host_meanwhile(hosted, "bans")
        await host_meanwhile(hosted, "unban", person[:12])
        await until_true(lambda: status(200))
        assert "is not banned" in await host_meanwhile(hosted, "unban", person[:12], code=2)

    with_ann(hosted, work)


def test_an_address_is_banned_for_a_time(hosted: Server) -> None:
    async def work(ann: Person, _table: str) -> None:
        async def is_out() -> bool:
            return (await ann.http.get("/api/lobby")).status_code == 403

        await host_meanwhile(hosted, "ban", "127.0.0.1", "--until", "12h", "--yes")
        await until_true(is_out)
        [(who, until)] = asked(hosted.data, "SELECT * FROM bans")
        assert who == "address 127.0.0.1"
        assert 11.9 * 3600 < until - time.time() < 12.1 * 3600
        asked(hosted.data, "UPDATE bans SET until = ?", time.time() - 1)
        assert "127.0.0.1" not in await host_meanwhile(hosted, "bans")

        async def is_in() -> bool:
            return not await is_out()

        await until_true(is_in)
        assert "neither a date" in await host_meanwhile(
            hosted, "ban", "127.0.0.1", "--until", "soon", "--yes", code=2
        )
        await host_meanwhile(hosted, "ban", "2001:db8::1:2", "--yes")
        assert asked(hosted.data, "SELECT who FROM bans WHERE until IS NULL") == [
            ("address 2001:db8::/64",)
        ]

    with_ann(hosted, work)


# ---------------------------------------------------------------- everything


def test_an_announcement_reaches_everybody(hosted: Server) -> None:
    async def work(ann: Person, table: str) -> None:
        async with ann.page(table) as page:
            await host_meanwhile(hosted, "announce", "We close  at ten.")
            told = await page.until(lambda message: message["is"] == "announcement")
            assert told["text"] == "We close at ten."
        assert (await ann.lobby())["announcement"] == "We close at ten."
        async with ann.page(table) as late:
            assert (await late.until(lambda message: message["is"] == "announcement"))[
                "text"
            ] == "We close at ten."
            await host_meanwhile(hosted, "announce", "--clear")
            assert (await late.until(lambda message: message["is"] == "announcement"))["text"] == ""
        assert (await ann.lobby())["announcement"] == ""
        assert "--clear" in await host_meanwhile(hosted, "announce", code=2)
        assert "at most" in await host_meanwhile(hosted, "announce", "x" * 301, code=2)

    with_ann(hosted, work)


def test_a_backup_of_a_running_server_can_be_restored(hosted: Server, tmp_path: Path) -> None:
    found: dict[str, Any] = {}

    async def work(ann: Person, table: str) -> None:
        async with ann.page(table) as page:
            seat = page.view["actors"][0]
            await page.watch(seat, page.seq)
            assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"
        found.update(cookie=ann.cookie, table=table, record=await ann.record(table))
        await host_meanwhile(hosted, "backup", str(tmp_path / "copy.sqlite"))
        assert "already" in await host_meanwhile(
            hosted, "backup", str(tmp_path / "copy.sqlite"), code=2
        )

    with_ann(hosted, work)
    assert hosted.stop() == 0
    assert (tmp_path / "copy.sqlite").stat().st_mode & 0o777 == 0o600
    assert not list(tmp_path.glob("copy.sqlite?*"))
    (tmp_path / "again").mkdir()
    shutil.copy(tmp_path / "copy.sqlite", tmp_path / "again" / "tables.sqlite")
    assert "key" in souk(
        "host", "check", "--data", str(tmp_path / "again"), code=2
    )  # the key is not in the backup
    shutil.copy(hosted.data / "key", tmp_path / "again" / "key")

    async def look(server: Server) -> None:
        async with Person(server, found["cookie"]) as ann:
            assert await ann.record(found["table"]) == found["record"]
            async with ann.page(found["table"]) as page:
                seat = page.view["actors"][0]
                await page.watch(seat, page.seq)
                assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"

    with Server(tmp_path / "again") as restored:
        asyncio.run(look(restored))
        assert restored.stop() == 0


def test_check_finds_damage(hosted: Server) -> None:
    async def work(ann: Person, table: str) -> None:
        for game in ("basari", "bazaar"):
            await ann.new_table(game, *["me", "here", "here"][: 3 if game == "basari" else 1])
        assert "3 tables: no problems found" in await host_meanwhile(hosted, "check")
        asked(hosted.data, "UPDATE tables SET scores = '[1,2]' WHERE id = ?", table)
        told = await host_meanwhile(hosted, "check", code=1)
        assert f"{table}: the standing does not match the events" in told
        asked(hosted.data, "UPDATE tables SET seed = zeroblob(60) WHERE id = ?", table)
        assert f"{table}: DecryptionFailed" in await host_meanwhile(hosted, "check", code=1)

    with_ann(hosted, work)


def test_commands_work_without_a_running_server(hosted: Server) -> None:
    tables: list[str] = []

    async def work(_ann: Person, table: str) -> None:
        tables.append(table)

    with_ann(hosted, work)
    assert hosted.stop() == 0
    assert tables[0] in host(hosted, "tables")
    host(hosted, "announce", "Back soon.")
    host(hosted, "ban", "192.0.2.7", "--yes")
    assert "no problems found" in host(hosted, "check")
    with Server(hosted.data) as again:
        for _ in range(50):
            lobby = json.loads(httpx.get(f"http://{again.address}/api/lobby").content)
            if lobby["announcement"]:
                break
            time.sleep(0.1)
        assert lobby["announcement"] == "Back soon."
        assert again.stop() == 0
