"""A database copied without its key reveals neither dice seeds nor secret choices."""

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from souk.core.record import Record
from souk.server.dice.fair_dice import digest_of
from souk.server.storage.encryption import Cipher, DecryptionFailed, load_or_create_key, read_key
from souk.server.storage.sqlite_schema import SCHEMA_VERSION
from souk.server.storage.sqlite_store import SqliteStore
from tests.server.storage.test_durability import walk_to_choices
from tests.server.storage.test_migrations import COOKIE, TABLES, ask, reveal_as, start_at, write
from tests.server.support.clients import Person, Server, page_at_new_table
from tests.server.support.databases import everything, in_both, look_into
from tests.server.tables.test_old_games import first_message
from tests.support.forked import run_python


def all_bytes(folder: Path) -> bytes:
    """Contents of all files beside the key."""
    return b"".join(path.read_bytes() for path in folder.iterdir() if path.name != "key")


# ---------------------------------------------------------------- the cipher


@given(st.binary(max_size=200), st.text(max_size=10), st.integers())
def test_a_ciphertext_decrypts_only_in_its_own_context(
    content: bytes, table: str, seq: int
) -> None:
    cipher = Cipher(b"k" * 32)
    encrypted = cipher.encrypt(content, "event", table, seq)
    assert cipher.decrypt(encrypted, "event", table, seq) == content
    for other in (("event", table, seq + 1), ("seed", table, seq), ("event", table + "x", seq)):
        with pytest.raises(DecryptionFailed):
            cipher.decrypt(encrypted, *other)
    with pytest.raises(DecryptionFailed):
        Cipher(b"K" * 32).decrypt(encrypted, "event", table, seq)
    with pytest.raises(DecryptionFailed):
        cipher.decrypt(encrypted[:-1], "event", table, seq)


def test_a_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    load_or_create_key(tmp_path / "key")
    before = (tmp_path / "key").read_text()
    load_or_create_key(tmp_path / "key")
    assert (tmp_path / "key").read_text() == before
    assert (tmp_path / "key").stat().st_mode & 0o777 == 0o600
    assert [path.name for path in tmp_path.iterdir()] == ["key"]


# ---------------------------------------------------------------- the database


@in_both
def test_the_file_tells_neither_seeds_nor_choices(tmp_path: Path) -> None:
    """Secret choices and the seed are stored encrypted only, also for a move taken back."""

    async def play(server: Server) -> str:
        async with page_at_new_table(server, "basari", "me", "here", "here") as page:
            await walk_to_choices(page)
            assert (await page.move(0, "gems"))["is"] == "done"
            assert (await page.ask("take_back", seat=0, after=page.seq))["is"] == "done"
            assert (await page.move(0, "gems"))["is"] == "done"
            assert (await page.move(1, "points"))["is"] == "done"
            return page.table

    with Server(tmp_path) as server:
        table = asyncio.run(play(server))
        server.kill()
    with look_into(tmp_path) as connection:
        query = 'SELECT seq, text, sealed, told FROM events WHERE "table" = ? ORDER BY seq'
        secret = connection.execute(query, (table,)).fetchall()[-4:]
        [(encrypted_seed, digest)] = connection.execute(
            "SELECT seed, digest FROM tables WHERE id = ?", (table,)
        )
    assert all(text == "" and len(sealed) > 28 for _, text, sealed, _ in secret)
    assert all(
        set(dict(json.loads(told))) <= {"told.core.has_chosen", "table.takes_back"}
        for *_, told in secret
    )
    content = all_bytes(tmp_path) + everything(tmp_path).encode()
    assert b'"gems"' not in content
    cipher = read_key(tmp_path / "key")
    assert [cipher.decrypt(sealed, "event", table, seq) for seq, _, sealed, _ in secret] == [
        b"gems"
    ] * 3 + [b"points"]
    seed = cipher.decrypt(encrypted_seed, "seed", table)
    assert digest_of(seed) == digest
    assert seed not in content
    assert seed.hex().encode() not in content


@in_both
def test_a_server_that_starts_again_knows_the_choices(tmp_path: Path) -> None:
    async def choose(server: Server) -> tuple[str, str]:
        async with (
            Person(server) as person,
            person.page_at_new_table("basari", "me", "here", "here") as page,
        ):
            await walk_to_choices(page)
            for seat, choice in ((0, "gems"), (1, "points")):
                assert (await page.move(seat, choice))["is"] == "done"
            return page.table, person.cookie

    async def reveal(server: Server, table: str, cookie: str) -> str:
        async with Person(server, cookie) as person, person.page(table, 2) as page:
            assert (await page.move(2, "dice"))["is"] == "done"
            assert page.events[0]["facts"][0] == {
                "is": "revealed",
                "choices": ["gems", "points", "dice"],
            }
            return await person.record(table)

    with Server(tmp_path) as server:
        table, cookie = asyncio.run(choose(server))
        server.kill()
    with Server(tmp_path) as server:
        record = Record.parse(asyncio.run(reveal(server, table, cookie)))
        assert (1, "points") in record.events


@in_both
def test_a_snapshot_tells_nothing(tmp_path: Path) -> None:
    """A snapshot is encrypted as a whole."""

    async def play(server: Server) -> None:
        async with page_at_new_table(server, "suleika", "me", "here") as page:
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
    assert read_key(tmp_path / "key").decrypt(content, "snapshot", table, seq, rules)


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
def test_without_its_key_a_server_does_not_start(
    tmp_path: Path, change: object, wanted: str
) -> None:
    with Server(tmp_path) as server:
        assert server.stop() == 0
    change(tmp_path / "key")  # type: ignore[operator]
    before = (tmp_path / "tables.sqlite").read_bytes()
    process = start_at(tmp_path)
    assert process.returncode == 2
    assert process.stderr.count("\n") == 1
    assert wanted in process.stderr
    assert (tmp_path / "tables.sqlite").read_bytes() == before


def test_the_key_may_be_elsewhere(tmp_path: Path) -> None:
    with Server(tmp_path / "data", key=tmp_path / "secrets" / "souk.key") as server:
        assert server.stop() == 0
    assert not (tmp_path / "data" / "key").exists()
    assert (tmp_path / "secrets" / "souk.key").stat().st_mode & 0o777 == 0o600
    with Server(tmp_path / "data", key=tmp_path / "secrets" / "souk.key") as server:
        assert server.stop() == 0


# ---------------------------------------------------------------- the previous schema


async def _open_and_close(file: Path) -> None:
    await SqliteStore(file).close()


def _dump(file: Path) -> list[str]:
    with closing(sqlite3.connect(file)) as connection:
        return list(connection.iterdump())


def _layout(file: Path) -> list[list[tuple[object, ...]]]:
    """Columns and indexes of all tables; the texts of CREATE TABLE differ after a rename."""
    tables = ask(file, "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")
    indexes = "SELECT tbl_name, name, sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL"
    columns = [
        ask(file, f"SELECT '{name}', * FROM pragma_table_xinfo('{name}')") for (name,) in tables
    ]
    return [*columns, sorted((*names, sql.strip()) for *names, sql in ask(file, indexes))]


def test_a_migrated_file_is_laid_out_like_a_new_one(tmp_path: Path) -> None:
    (tmp_path / "new").mkdir()
    asyncio.run(_open_and_close(tmp_path / "new" / "tables.sqlite"))
    file = write(tmp_path)
    asyncio.run(_open_and_close(file))
    assert ask(file, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
    assert _layout(file) == _layout(tmp_path / "new" / "tables.sqlite")


def test_a_second_start_changes_nothing(tmp_path: Path) -> None:
    file = write(tmp_path)
    asyncio.run(_open_and_close(file))
    before = _dump(file)
    asyncio.run(_open_and_close(file))
    assert _dump(file) == before


def test_secret_choices_of_unreadable_games_are_left_out(tmp_path: Path) -> None:
    """Current rules cannot replay the game, so it is unknown which choices were revealed."""
    table = TABLES["basari"]
    write(tmp_path, f"UPDATE tables SET rules = 0 WHERE id = '{table}'", reveal_as(table, 2, "fly"))

    async def look(server: Server) -> None:
        shown, _ = await first_message(server, table)
        assert "points" not in json.dumps(shown["lines"][27:])
        async with Person(server, COOKIE) as person:
            record = await person.record(table)
            assert "27 chance 4" in record
            assert "28 seat" not in record

    with Server(tmp_path) as server:
        asyncio.run(look(server))


def test_help_names_the_key() -> None:
    assert "--key" in run_python(["-m", "souk.cli", "serve", "--help"]).stdout
