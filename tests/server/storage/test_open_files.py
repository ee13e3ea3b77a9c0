"""Database files deleted or replaced under the server: no move that could be lost is confirmed."""

import asyncio
import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import httpx
import pytest

from souk.server.storage.errors import FilesReplaced
from souk.server.storage.rows import TransactionStep
from souk.server.storage.sqlite_schema import connect
from souk.server.storage.sqlite_store import SqliteStore
from tests.cli.test_cli import souk
from tests.server.admin.test_host_command import host
from tests.server.storage.test_store import SEATS, STANDING, event, row
from tests.server.support.clients import Page, Person, Server, checked_server

REPLACED = "deleted or replaced"


class Played(NamedTuple):
    """Confirmed progress: events of a table up to `last`."""

    cookie: str
    table: str
    last: int


async def move(page: Page) -> dict[str, object]:
    seat = page.view["actors"][0]
    await page.watch(seat, page.seq)
    return await page.move(seat, page.view["moves"][0])


def play_and(server: Server, disturb: Callable[[], None]) -> Played:
    """Play confirmed moves, disturb the files, and check that later writes are refused."""

    async def run() -> Played:
        async with (
            Person(server) as person,
            person.page_at_new_table("suleika", "me", "here") as page,
        ):
            for _ in range(5):
                assert (await move(page))["is"] == "done"
            last = page.seq
            await asyncio.to_thread(disturb)
            for _ in range(2):
                refused = await move(page)
                assert refused["is"] == "refused"
                assert refused["reason"][0] == "table.refused.not_kept"  # type: ignore[index]
            assert (await person.ask_for_table("suleika", "me", "here")).status_code == 503
            return Played(person.cookie, page.table, last)

    return asyncio.run(run())


def assert_unready(server: Server) -> None:
    response = httpx.get(f"http://{server.address}/readyz")
    assert response.status_code == 503
    assert REPLACED in response.text
    # No path of the machine.
    assert "/" not in response.text


def assert_logged_once(server: Server) -> None:
    events = [json.loads(line)["event"] for line in server.troubles]
    assert events.count("database files deleted or replaced: restart the server") == 1
    assert "write rejected" in events
    assert "Traceback" not in "".join(server.lines)


def assert_kept(data: Path, played: Played) -> None:
    """A server restarted on the data has every confirmed event, and play continues."""

    async def look(server: Server) -> None:
        async with Person(server, played.cookie) as person, person.page(played.table) as page:
            assert page.seq == played.last
            assert (await move(page))["is"] == "done"

    with checked_server(data) as server:
        asyncio.run(look(server))
        assert httpx.get(f"http://{server.address}/readyz").text == "ready\n"


def test_a_log_deleted_by_another_sqlite_is_noticed(tmp_path: Path) -> None:
    with Server(tmp_path, program="tests.server.support.lost_locks") as server:

        def lose_locks() -> None:
            assert "no problems found" in host(server, "check")
            assert httpx.get(f"http://{server.address}/careless").text == "careless\n"
            # SQLite deletes the WAL, as this connection is the last to close.
            assert "lost its locks" in host(server, "check", code=1)
            assert not (tmp_path / "tables.sqlite-wal").exists()

        played = play_and(server, lose_locks)
        assert_unready(server)
        assert f"process {server.pid}" in host(server, "check", code=1)
        server.kill()
        assert_logged_once(server)
    assert_kept(tmp_path, played)


@pytest.mark.parametrize("files", [["-wal"], ["-shm"], ["-wal", "-shm"]])
def test_deleted_files_are_noticed(tmp_path: Path, files: list[str]) -> None:
    def delete() -> None:
        for suffix in files:
            (tmp_path / f"tables.sqlite{suffix}").unlink()

    with Server(tmp_path) as server:
        played = play_and(server, delete)
        assert_unready(server)
        server.kill()
        assert_logged_once(server)
    assert_kept(tmp_path, played)


def test_a_database_that_is_replaced_is_noticed(tmp_path: Path) -> None:
    """Restoring a backup under a running server stops writes; restoring as documented works."""
    copy = tmp_path / "copy.sqlite"

    def restore() -> None:
        shutil.copy(copy, tmp_path / "again.sqlite")
        (tmp_path / "again.sqlite").replace(tmp_path / "data" / "tables.sqlite")

    with Server(tmp_path / "data") as server:
        host(server, "backup", str(copy))
        play_and(server, restore)
        assert_unready(server)
        assert "restart it" in host(server, "check", code=1)
        assert server.stop() == 0
        assert_logged_once(server)
    for name in ("tables.sqlite-wal", "tables.sqlite-shm"):
        (tmp_path / "data" / name).unlink(missing_ok=True)
    shutil.copy(copy, tmp_path / "data" / "tables.sqlite")
    with Server(tmp_path / "data") as server:
        assert httpx.get(f"http://{server.address}/readyz").text == "ready\n"
        assert "0 tables: no problems found" in host(server, "check")


def test_a_database_that_is_gone_is_noticed(tmp_path: Path) -> None:
    database = tmp_path / "data" / "tables.sqlite"
    with Server(database.parent) as server:
        played = play_and(server, lambda: database.rename(tmp_path / "elsewhere"))  # type: ignore[arg-type,return-value]
        assert_unready(server)
        assert "missing" in souk("host", "check", "--data", str(database.parent), code=2)
        (tmp_path / "elsewhere").rename(database)
        assert httpx.get(f"http://{server.address}/readyz").text == "ready\n"
        server.kill()
    assert_kept(database.parent, played)


def test_a_log_deleted_during_a_transaction_leaves_it_in_doubt(tmp_path: Path) -> None:
    """The write is neither confirmed nor refused, and nothing more is written."""

    def delete(_connection: object) -> None:
        (tmp_path / "tables.sqlite-wal").unlink()

    async def run() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        await store.add_table(row("a"), SEATS, [event(0)])
        with pytest.raises(asyncio.CancelledError):
            await store.add_events("a", [event(1)], STANDING, also=[TransactionStep(delete)])
        with pytest.raises(FilesReplaced):
            await store.add_events("a", [event(2)], STANDING)
        # The file as a killed process would leave it.
        copy = sqlite3.connect(f"file:{tmp_path}/tables.sqlite?immutable=1", uri=True)
        assert copy.execute("SELECT seq FROM events ORDER BY seq").fetchall()[0] == (0,)
        copy.close()
        await store.close()

    asyncio.run(run())


def test_other_connections_cause_no_trouble(tmp_path: Path) -> None:
    """Others open and close the database, write to it, and checkpoint the WAL."""

    async def run() -> None:
        store = SqliteStore(tmp_path / "tables.sqlite")
        await store.add_table(row("a"), SEATS, [])
        for seq in range(5):
            other = connect(tmp_path / "tables.sqlite")
            other.execute("INSERT INTO bans VALUES (?, NULL)", (f"person {seq}",))
            other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            other.close()
            await store.add_events("a", [event(seq)], STANDING)
        await store.close()

    asyncio.run(run())
