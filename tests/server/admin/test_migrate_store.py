"""Store migration from SQLite to PostgreSQL and back: nothing is lost, whatever happens."""

import asyncio
import os
from pathlib import Path

import pytest

from souk.server.accounts.profiles import save_profile
from souk.server.admin import migrate_store
from souk.server.admin.host_tools import SqliteHostTools
from souk.server.admin.migrate_store import PARTS, StoreMigration
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol.events import EventSettings, NewEvent
from souk.server.protocol.table import ClockTerms
from souk.server.services import Services
from souk.server.storage.postgres_connection import PostgresConnection
from souk.server.storage.postgres_store import PostgresStore
from souk.server.storage.rows import Profile
from souk.server.storage.sqlite_store import SqliteStore
from tests.server.cluster.test_two_servers import ANN, BEN, finished, invited, open_services
from tests.server.support.databases import everything, look_into
from tests.support.forked import run_souk
from tests.support.postgres import Cluster

KILLED = 9
TERMS = EventSettings("swiss", ["suleika"], 4, ClockTerms("game", 600.0, returns=False))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A SQLite server's folder with some data."""
    folder = tmp_path / "old"

    async def live(services: Services) -> None:
        await finished(services)
        made = await invited(services)
        await services.table_factory.sit_down(
            made.table, lobby_protocol.TakeSeat(made.invitations[1], "Ben"), BEN
        )
        await services.store.write(save_profile(BEN, Profile("Ben", "cat", "jade")))

    async def run() -> None:
        async with open_services(folder) as services:
            await live(services)

    asyncio.run(run())
    with SqliteHostTools(folder, Path("key")) as tools:
        tools.announce("Welcome")
        tools.ban("address 203.0.113.7", None)
        tools.open_event(NewEvent("Friday", TERMS, 2, "apprentice"))
    return folder


@pytest.fixture
def new(cluster: Cluster) -> str:
    return cluster.address(cluster.new_name())


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(migrate_store, "BATCH", 5)


def lines(text: str) -> list[str]:
    """All values, sorted, with booleans as SQLite stores them."""
    return sorted({"True": "1", "False": "0"}.get(line, line) for line in text.splitlines())


def all_at(address: str) -> list[str]:
    line = PostgresConnection(address)
    rows = [
        row
        for part in (*PARTS, "settings", "counts")
        for row in line.execute(f"SELECT * FROM {part}")
    ]
    line.close()
    return lines(
        "\n".join(
            str(each.hex() if isinstance(each, bytes) else each) for row in rows for each in row
        )
    )


def move(source: str | Path, target: str | Path, key: Path, anew: bool = False) -> int:
    """Copy everything; returns the number of batches."""
    with StoreMigration(str(source), str(target), key, anew) as work:
        pieces = list(work.copy())
        assert all(same for _, _, same in work.check())
        work.finish()
    return len(pieces)


def killed_after(pieces: int, source: str | Path, target: str | Path, key: Path) -> None:
    """Start copying in a process that is killed halfway."""
    if os.fork() == 0:
        with StoreMigration(str(source), str(target), key) as work:
            for number, _ in enumerate(work.copy()):
                if number == pieces:
                    os._exit(KILLED)
        os._exit(0)
    _, status = os.wait()
    assert os.waitstatus_to_exitcode(status) == KILLED


def test_there_and_back_is_identical(old: Path, new: str, tmp_path: Path) -> None:
    move(old, new, old / "key")
    assert all_at(new) == lines(everything(old))
    again = tmp_path / "again"
    move(new, again, old / "key")
    assert lines(everything(again)) == lines(everything(old))
    assert (again / "key").stat().st_mode & 0o777 == 0o600

    async def goes_on() -> None:
        for store in (PostgresStore(new, old / "key"), SqliteStore(again / "tables.sqlite")):
            found = await store.tables_of(ANN, 10)
            assert len(found) == 2
            assert all([await store.events(row.id) is not None for row, _ in found])
            await store.close()

    asyncio.run(goes_on())
    with SqliteHostTools(again, Path("key")) as tools:
        assert [fault for _, fault in tools.check() if fault] == []


@pytest.mark.parametrize("pieces", [0, 1, 7, 20])
def test_a_killed_copy_resumes(old: Path, new: str, pieces: int) -> None:
    whole = lines(everything(old))
    killed_after(pieces, old, new, old / "key")
    with pytest.raises(RuntimeError, match="is an unfinished copy"):
        PostgresStore(new, old / "key")
    with StoreMigration(str(old), new, old / "key") as work:
        left = list(work.copy())
        assert all(same for _, _, same in work.check())
        work.finish()
    assert all_at(new) == whole
    with StoreMigration(str(old), new, old / "key", anew=True) as work:
        assert len(list(work.copy())) == len(left) + pieces + 1


def test_back_into_a_folder_too(old: Path, new: str, tmp_path: Path) -> None:
    move(old, new, old / "key")
    killed_after(7, new, tmp_path / "again", old / "key")
    with pytest.raises(RuntimeError, match="is an unfinished copy"):
        SqliteStore(tmp_path / "again" / "tables.sqlite")
    move(new, tmp_path / "again", old / "key")
    assert lines(everything(tmp_path / "again")) == lines(everything(old))


def test_a_target_with_data_is_refused(old: Path, new: str, tmp_path: Path) -> None:
    move(old, new, old / "key")
    with pytest.raises(ValueError, match="is not empty; --anew"):
        StoreMigration(str(old), new, old / "key")
    killed_after(3, new, tmp_path / "third", old / "key")
    other = tmp_path / "other"

    async def another() -> None:
        async with open_services(other) as services:
            await invited(services)

    asyncio.run(another())
    with pytest.raises(ValueError, match="one place must be a folder"):
        StoreMigration(str(old), str(other), old / "key")
    with pytest.raises(RuntimeError, match="is not the key of these tables"):
        StoreMigration(str(other), new, old / "key")


def test_changes_to_the_source_meanwhile_are_detected(old: Path, new: str) -> None:
    with StoreMigration(str(old), new, old / "key") as work:
        for number, _ in enumerate(work.copy()):
            if number == 7:
                with look_into(old) as file:
                    file.execute("UPDATE tables SET seen = seen + 1")
        assert [part for part, _, same in work.check() if not same] == ["tables"]


def test_rows_of_deleted_tables_are_left_out(old: Path, new: str) -> None:
    with look_into(old) as file:
        file.execute("""INSERT INTO dice VALUES ('gone', 0, 'closes', -1, '', NULL)""")
    with StoreMigration(str(old), new, old / "key") as work:
        assert list(work.copy())
        assert work.left_out() == 1
        assert all(same for _, _, same in work.check())


def test_by_the_command(old: Path, new: str) -> None:
    environment = dict(os.environ)
    words = ["host", "move", "--from", str(old), "--to", new]
    status, told, wrong = run_souk(words, environment)
    assert (status, wrong) == (0, "")
    assert "Copied and verified" in told
    status, _, wrong = run_souk(words, environment)
    assert (status, wrong.count("\n")) == (2, 1)
    assert "is not empty" in wrong
    listed = ["host", "people", "--store", new, "--key", str(old / "key")]
    status, told, wrong = run_souk(listed, environment)
    assert (status, wrong) == (0, "")
    assert "Ben" in told
