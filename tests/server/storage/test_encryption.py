"""A copy of the file of tables alone tells neither the seeds of dice nor choices that are not revealed."""

import asyncio
import json
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souk.core.record import Record
from souk.table.fairness import digest_of
from souk.table.schema import SCHEMA_VERSION
from souk.table.sealing import Seal, Unsealable, make_key, read_key
from souk.table.sqlite import SqliteStore
from tests.forked import run_python
from tests.table.clients import Person, Server
from tests.table.places import everything, in_both, look_into
from tests.table.test_old_rules import first_message
from tests.table.test_truth import all_walked
from tests.table.test_upgrade import COOKIE, TABLES, ask, start_at, write

GOLDEN = Path(__file__).parent.parent / "golden"


def all_bytes(folder: Path) -> bytes:
    """Everything that lies beside the key."""
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.name != "key")


# ---------------------------------------------------------------- the seal


@given(st.binary(max_size=200), st.text(max_size=10), st.integers())
def test_what_is_sealed_opens_where_it_was_sealed_and_nowhere_else(content: bytes, table: str, seq: int) -> None:
    seal = Seal(b"k" * 32)
    sealed = seal.seal(content, "event", table, seq)
    assert seal.unseal(sealed, "event", table, seq) == content
    for other in (("event", table, seq + 1), ("seed", table, seq), ("event", table + "x", seq)):
        with pytest.raises(Unsealable):
            seal.unseal(sealed, *other)
    with pytest.raises(Unsealable):
        Seal(b"K" * 32).unseal(sealed, "event", table, seq)
    with pytest.raises(Unsealable):
        seal.unseal(sealed[:-1], "event", table, seq)


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    make_key(tmp_path / "key")
    before = (tmp_path / "key").read_text()
    make_key(tmp_path / "key")
    assert (tmp_path / "key").read_text() == before
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


# ---------------------------------------------------------------- the file


@in_both
def test_the_file_tells_neither_seeds_nor_choices(tmp_path: Path) -> None:
    """Two games with other secret choices; the seed is known once a game is over, and then it was nowhere in the file."""

    async def play(server: Server) -> str:
        async with Person(server) as person, person.page_at_new_table("basari", "me", "here", "here") as page:
            await all_walked(page)
            assert (await page.move(0, "gems"))["is"] == "done"
            assert (await page.ask("take_back", seat=0, after=page.seq))["is"] == "done"
            assert (await page.move(0, "gems"))["is"] == "done"
            assert (await page.move(1, "points"))["is"] == "done"
            return page.table

    with Server(tmp_path) as server:
        table = asyncio.run(play(server))
        server.kill()
    with look_into(tmp_path) as connection:
        asked = 'SELECT seq, text, sealed, told FROM events WHERE "table" = ? ORDER BY seq'
        secret = connection.execute(asked, (table,)).fetchall()[-4:]
        [(own, digest)] = connection.execute("SELECT seed, digest FROM tables WHERE id = ?", (table,))
    assert all(text == "" and len(sealed) > 28 for _, text, sealed, _ in secret)
    assert all(set(dict(json.loads(told))) <= {"told.core.has_chosen", "table.takes_back"} for *_, told in secret)
    content = all_bytes(tmp_path) + everything(tmp_path).encode()
    assert b'"gems"' not in content
    seal = read_key(tmp_path / "key")
    assert [seal.unseal(sealed, "event", table, seq) for seq, _, sealed, _ in secret] == [b"gems"] * 3 + [b"points"]
    seed = seal.unseal(own, "seed", table)
    assert digest_of(seed) == digest
    assert seed not in content
    assert seed.hex().encode() not in content


@in_both
def test_a_server_that_starts_again_knows_the_choices(tmp_path: Path) -> None:
    async def choose(server: Server) -> tuple[str, str]:
        async with Person(server) as person, person.page_at_new_table("basari", "me", "here", "here") as page:
            await all_walked(page)
            for seat, choice in ((0, "gems"), (1, "points")):
                assert (await page.move(seat, choice))["is"] == "done"
            return page.table, person.cookie

    async def reveal(server: Server, table: str, cookie: str) -> str:
        async with Person(server, cookie) as person, person.page(table, 2) as page:
            assert (await page.move(2, "dice"))["is"] == "done"
            assert page.events[0]["facts"][0] == {"is": "revealed", "choices": ["gems", "points", "dice"]}
            return await person.record(table)

    with Server(tmp_path) as server:
        table, cookie = asyncio.run(choose(server))
        server.kill()
    with Server(tmp_path) as server:
        record = Record.parse(asyncio.run(reveal(server, table, cookie)))
        assert (1, "points") in record.events


@in_both
def test_a_snapshot_tells_nothing(tmp_path: Path) -> None:
    """Its content is sealed as a whole."""

    async def play(server: Server) -> None:
        async with Person(server) as person, person.page_at_new_table("suleika", "me", "here") as page:
            while page.seq < 70:
                seat = page.view["actors"][0]
                await page.watch(seat, page.seq)
                assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"

    with Server(tmp_path) as server:
        asyncio.run(play(server))
        assert server.stop() == 0
    with look_into(tmp_path) as connection:
        [(table, seq, rules, content)] = connection.execute("SELECT * FROM snapshots")
    assert seq >= 64
    assert read_key(tmp_path / "key").unseal(content, "snapshot", table, seq, rules)


# ---------------------------------------------------------------- without the key


@pytest.mark.parametrize(
    ("change", "wanted"),
    [
        (lambda key: key.unlink(), "cannot be read"),
        (lambda key: key.write_text("a" * 64), "is not the key of these tables"),
        (lambda key: key.write_text("once upon a time"), "is no key"),
        (lambda key: key.write_bytes(b"\xff" * 64), "is no key"),
    ],
    ids=["missing", "another", "no key", "no text"],
)
def test_without_its_key_a_server_does_not_start(tmp_path: Path, change: object, wanted: str) -> None:
    with Server(tmp_path) as server:
        assert server.stop() == 0
    change(tmp_path / "key")  # type: ignore[operator]
    before = (tmp_path / "tables.sqlite").read_bytes()
    done = start_at(tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert wanted in done.stderr
    assert (tmp_path / "tables.sqlite").read_bytes() == before


def test_the_key_may_be_elsewhere(tmp_path: Path) -> None:
    with Server(tmp_path / "data", key=tmp_path / "secrets" / "souk.key") as server:
        assert server.stop() == 0
    assert not (tmp_path / "data" / "key").exists()
    assert (tmp_path / "secrets" / "souk.key").stat().st_mode & 0o777 == 0o600
    with Server(tmp_path / "data", key=tmp_path / "secrets" / "souk.key") as server:
        assert server.stop() == 0


# ---------------------------------------------------------------- files of earlier versions


def brought_forward(folder: Path, version: int) -> Path:
    """A file of an earlier version, opened by today's."""
    folder.mkdir(exist_ok=True)
    file = folder / "tables.sqlite"
    connection = sqlite3.connect(file)
    connection.executescript((GOLDEN / f"tables-{version}.dump").read_text(encoding="utf-8"))
    connection.close()
    asyncio.run(_open_and_close(file))
    return file


async def _open_and_close(file: Path) -> None:
    await SqliteStore(file).close()


@pytest.mark.parametrize("version", [1, 2])
def test_a_file_of_an_earlier_version_is_sealed(tmp_path: Path, version: int) -> None:
    file = brought_forward(tmp_path, version)
    assert ask(file, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
    unfinished = "SELECT DISTINCT typeof(sealed), text FROM events JOIN tables ON \"table\" = id WHERE NOT over AND kind != 'chance'"
    assert ask(file, unfinished) == [("blob", "")]
    seal = read_key(tmp_path / "key")
    for table, seed, digest in ask(file, "SELECT id, seed, digest FROM tables"):
        assert digest_of(seal.unseal(seed, "seed", table)) == digest
        assert seal.unseal(seed, "seed", table) not in all_bytes(tmp_path)


@pytest.mark.parametrize("version", [1, 2])
def test_it_is_laid_out_like_a_new_one(tmp_path: Path, version: int) -> None:
    (tmp_path / "new").mkdir()
    asyncio.run(_open_and_close(tmp_path / "new" / "tables.sqlite"))
    layout = "SELECT type, name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite%' ORDER BY name"
    assert ask(brought_forward(tmp_path, version), layout) == ask(tmp_path / "new" / "tables.sqlite", layout)


@pytest.mark.parametrize("version", [1, 2])
def test_a_second_start_changes_nothing(tmp_path: Path, version: int) -> None:
    file = brought_forward(tmp_path, version)
    before = list(_dump(file))
    asyncio.run(_open_and_close(file))
    assert list(_dump(file)) == before


def _dump(file: Path) -> list[str]:
    connection = sqlite3.connect(file)
    try:
        return list(connection.iterdump())
    finally:
        connection.close()


def test_a_step_that_fails_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    file = write(tmp_path, "CREATE TABLE bans (mine TEXT)")  # so that the last step cannot be taken
    before = _dump(file)
    done = start_at(tmp_path)
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "tables.sqlite" in done.stderr
    assert _dump(file) == before
    assert ask(file, "PRAGMA user_version") == [(1,)]


def test_what_a_dump_of_before_had_in_plain_is_left_out_where_nobody_can_tell(tmp_path: Path) -> None:
    """Choices of a game that today's rules do not read, from a file that did not say which were secret."""
    table = TABLES["basari"]
    write(
        tmp_path,
        "UPDATE tables SET rules = 0",
        f"""UPDATE events SET text = 'fly' WHERE "table" = '{table}' AND seq = 2""",
    )

    async def look(server: Server) -> None:
        found, _ = await first_message(server, table)
        assert "points" not in json.dumps(found["lines"][27:])
        async with Person(server, COOKIE) as person:
            record = await person.record(table)
            assert "27 chance 4" in record
            assert "28 seat" not in record

    with Server(tmp_path) as server:
        asyncio.run(look(server))


def test_help_names_the_key() -> None:
    shown = run_python(["-m", "souk.cli", "serve", "--help"]).stdout
    assert "--key" in shown
