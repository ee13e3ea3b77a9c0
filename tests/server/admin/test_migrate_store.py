"""A house moves from a file into PostgreSQL and back: nothing is lost on the way, whatever happens meanwhile."""

import asyncio
import os
from pathlib import Path

import pytest

from souk.table import lobby_protocol, moving
from souk.table.evening_protocol import EveningTerms, NewEvening
from souk.table.hosting import HostFile
from souk.table.house import House
from souk.table.moving import PARTS, HouseMove
from souk.table.people import choosing
from souk.table.postgres import PostgresStore
from souk.table.postgres_line import PostgresLine
from souk.table.protocol import ClockTerms
from souk.table.sqlite import SqliteStore
from souk.table.store import Face
from tests.forked import run_souk
from tests.postgres import Cluster
from tests.table.places import everything, look_into
from tests.table.test_two_servers import ANN, BEN, finished, invited, open_house

KILLED = 9
TERMS = EveningTerms("swiss", ["suleika"], 4, ClockTerms("game", 600.0, returns=False))


@pytest.fixture
def old(tmp_path: Path) -> Path:
    """A folder with a house in which something has happened."""
    folder = tmp_path / "old"

    async def live(house: House) -> None:
        await finished(house)
        made = await invited(house)
        await house.reception.sit_down(made.table, lobby_protocol.SitDown(made.invitations[1], "Ben"), BEN)
        await house._store.carry_out(choosing(BEN, Face("Ben", "cat", "jade")))

    async def run() -> None:
        async with open_house(folder) as house:
            await live(house)

    asyncio.run(run())
    with HostFile(folder, Path("key")) as desk:
        desk.announce("Welcome")
        desk.ban("address 203.0.113.7", None)
        desk.open_evening(NewEvening("Friday", TERMS, 2, "apprentice"))
    return folder


@pytest.fixture
def new(cluster: Cluster) -> str:
    return cluster.address(cluster.new_name())


@pytest.fixture(autouse=True)
def few_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(moving, "AT_ONCE", 5)


def lines(text: str) -> list[str]:
    """All values there are, in an order of their own; yes and no as SQLite has them."""
    return sorted({"True": "1", "False": "0"}.get(line, line) for line in text.splitlines())


def all_at(address: str) -> list[str]:
    line = PostgresLine(address)
    rows = [row for part in (*PARTS, "house", "counts") for row in line.execute(f"SELECT * FROM {part}")]
    line.close()
    return lines("\n".join(str(each.hex() if isinstance(each, bytes) else each) for row in rows for each in row))


def move(source: str | Path, target: str | Path, key: Path, anew: bool = False) -> int:
    """All of it; returns in how many pieces."""
    with HouseMove(str(source), str(target), key, anew) as work:
        pieces = list(work.copy())
        assert all(same for _, _, same in work.check())
        work.finish()
    return len(pieces)


def killed_after(pieces: int, source: str | Path, target: str | Path, key: Path) -> None:
    """Begin to move, in a process of its own that is gone in the middle."""
    if os.fork() == 0:
        with HouseMove(str(source), str(target), key) as work:
            for number, _ in enumerate(work.copy()):
                if number == pieces:
                    os._exit(KILLED)
        os._exit(0)
    _, status = os.wait()
    assert os.waitstatus_to_exitcode(status) == KILLED


def test_there_and_back_is_the_same_house(old: Path, new: str, tmp_path: Path) -> None:
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
    with HostFile(again, Path("key")) as desk:
        assert [fault for _, fault in desk.check() if fault] == []


@pytest.mark.parametrize("pieces", [0, 1, 7, 20])
def test_killed_in_the_middle_it_goes_on(old: Path, new: str, pieces: int) -> None:
    whole = lines(everything(old))
    killed_after(pieces, old, new, old / "key")
    with pytest.raises(RuntimeError, match="is an unfinished copy"):
        PostgresStore(new, old / "key")
    with HouseMove(str(old), new, old / "key") as work:
        left = list(work.copy())
        assert all(same for _, _, same in work.check())
        work.finish()
    assert all_at(new) == whole
    with HouseMove(str(old), new, old / "key", anew=True) as work:
        assert len(list(work.copy())) == len(left) + pieces + 1


def test_back_into_a_folder_too(old: Path, new: str, tmp_path: Path) -> None:
    move(old, new, old / "key")
    killed_after(7, new, tmp_path / "again", old / "key")
    with pytest.raises(RuntimeError, match="is an unfinished copy"):
        SqliteStore(tmp_path / "again" / "tables.sqlite")
    move(new, tmp_path / "again", old / "key")
    assert lines(everything(tmp_path / "again")) == lines(everything(old))


def test_what_is_there_already_is_left_alone(old: Path, new: str, tmp_path: Path) -> None:
    move(old, new, old / "key")
    with pytest.raises(ValueError, match="is not empty; --anew"):
        HouseMove(str(old), new, old / "key")
    killed_after(3, new, tmp_path / "third", old / "key")
    other = tmp_path / "other"

    async def another() -> None:
        async with open_house(other) as house:
            await invited(house)

    asyncio.run(another())
    with pytest.raises(ValueError, match="from a folder to postgresql"):
        HouseMove(str(old), str(other), old / "key")
    with pytest.raises(RuntimeError, match="is not the key of these tables"):
        HouseMove(str(other), new, old / "key")


def test_who_changes_it_meanwhile_is_found_out(old: Path, new: str) -> None:
    with HouseMove(str(old), new, old / "key") as work:
        for number, _ in enumerate(work.copy()):
            if number == 7:
                with look_into(old) as file:
                    file.execute("UPDATE tables SET seen = seen + 1")
        assert [part for part, _, same in work.check() if not same] == ["tables"]


def test_what_belongs_to_no_table_stays_behind(old: Path, new: str) -> None:
    with look_into(old) as file:
        file.execute("""INSERT INTO dice VALUES ('gone', 0, 'closes', -1, '', NULL)""")
    with HouseMove(str(old), new, old / "key") as work:
        assert list(work.copy())
        assert work.left_out() == 1
        assert all(same for _, _, same in work.check())


def test_by_the_command(old: Path, new: str) -> None:
    environment = dict(os.environ)
    words = ["host", "move", "--from", str(old), "--to", new]
    status, told, wrong = run_souk(words, environment)
    assert (status, wrong) == (0, "")
    assert "checked all of them" in told
    status, _, wrong = run_souk(words, environment)
    assert (status, wrong.count("\n")) == (2, 1)
    assert "is not empty" in wrong
    listed = ["host", "people", "--store", new, "--key", str(old / "key")]
    status, told, wrong = run_souk(listed, environment)
    assert (status, wrong) == (0, "")
    assert "Ben" in told
