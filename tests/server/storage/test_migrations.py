"""Databases of the previous schema are migrated, and their games go on."""

import asyncio
import json
import sqlite3
import subprocess
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

import souk
from souk.core.messages import Message, sentence, texts
from souk.core.record import Record
from souk.server.dice.fair_dice import verify
from souk.server.storage.encryption import Cipher
from souk.server.storage.postgres_connection import PostgresConnection
from souk.server.storage.postgres_schema import POSTGRES_VERSION, open_database
from souk.server.storage.postgres_store import PostgresStore
from souk.server.storage.sqlite_schema import SCHEMA_VERSION
from souk.server.storage.sqlite_store import SqliteStore
from tests.core.test_messages import from_json
from tests.server.support.clients import Person, Server, checked_server
from tests.support.forked import run_python
from tests.support.play import PLACES
from tests.support.postgres import Cluster

GOLDEN = Path(__file__).parents[2] / "golden"
VERSION_BEFORE = 17
KEY = "17" * 32
NEW_NAMES = {
    "house": "settings",
    "studies": "analyses",
    "life": "timing",
    "said": "chat",
    "devices": "push_subscriptions",
    "doors": "sessions",
    "evenings": "hosted_events",
    "sittings": "event_tables",
}
TABLE_NAMES = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'"
# Four tables, one of each game, all seats of which belong to one browser.
COOKIE = "YWNexEGTNIH_rNzpujSWgKRnwYMriHWp"
TABLES = {
    "suleika": "64PYDJ4Kx8D5E0G-",
    "basari": "kj72U6qHBDd9w8qk",
    "basari-cards": "TU4kdxUYaWF0LOje",
    "bazaar": "lsALA5QQyLWkPPFF",
}
OURS = f"IN {tuple(TABLES.values())}"
# A finished rated game, a running game with a clock and free chat, and an event.
RATED = "KGvxq8vwEPT_c0j4"
RATED_HOST = "ems_mo9YIznk340381W9MRlMYdqqzDat"
RUNNING = "n94PC0kOPLeU_vO9"
ANN = "Fnqx4ZAxsd1EbYopmsUs4jT0FNVST4Ai"
EVENT = "KzBDWa_4Sn9z9C0I"
EVENT_HOST = "BRpS5x4uUbxJoxu9yKB-PtVeyCpsrt4X"


def write(folder: Path, *changes: str) -> Path:
    """Write the golden file, with some changes, and its key."""
    file = folder / "tables.sqlite"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript((GOLDEN / "tables-17.dump").read_text(encoding="utf-8"))
        for change in changes:
            connection.execute(change)
        connection.commit()
    (folder / "key").write_text(KEY)
    return file


def ask(file: Path, query: str) -> list[tuple[Any, ...]]:
    with closing(sqlite3.connect(file)) as connection:
        return connection.execute(query).fetchall()


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[Server]:
    """A server that has migrated the golden file."""
    write(tmp_path)
    with checked_server(tmp_path) as server:
        yield server


def at_table(
    server: Server, game: str, work: Callable[[Person, Any], Awaitable[None]], seat: int | None = 0
) -> None:
    async def run() -> None:
        async with Person(server, COOKIE) as person, person.page(TABLES[game], seat) as page:
            await work(person, page)

    asyncio.run(run())


def said(line: dict[str, Any], language: str = "en") -> str:
    return sentence([from_json(message) for message in line["told"]], PLACES, language)


def lines_of(server: Server, game: str, seat: int | None = 0) -> list[dict[str, Any]]:
    lines: list[dict[str, Any]] = []

    async def look(_: Person, page: Any) -> None:
        lines.extend(page.now["lines"])

    at_table(server, game, look, seat)
    return lines


def keys_of(messages: Any) -> Iterator[str]:
    """All message keys of an event's log line."""
    if isinstance(messages, Message):
        yield messages.key
        for value in messages.values.values():
            yield from keys_of(value)
    elif isinstance(messages, list):
        for message in messages:
            yield from keys_of(message)


def events_of(file: Path, table: str) -> list[tuple[str, int | None, str]]:
    """Kind, seat and text of each event, secret ones decrypted."""
    cipher = Cipher(bytes.fromhex(KEY))
    query = (
        f"SELECT seq, kind, seat, text, sealed FROM events WHERE \"table\" = '{table}' ORDER BY seq"
    )
    return [
        (kind, seat, cipher.decrypt(sealed, "event", table, seq).decode() if sealed else text)
        for seq, kind, seat, text, sealed in ask(file, query)
    ]


def log_of(file: Path, game: str) -> list[str]:
    """Expected log, from replaying the events."""
    [(players, options)] = ask(
        file, f"SELECT players, options FROM tables WHERE id = '{TABLES[game]}'"
    )
    start = souk.game(game).start(players, **json.loads(options))
    log, events = [], list[tuple[int | None, str]]()
    for kind, seat, text in events_of(file, TABLES[game]):
        if kind == "back":
            assert events.pop() == (seat, text)
            log.append(f"{{{seat}}} takes the last move back.")
            continue
        pos, facts = start.copy(), []
        for event in [*events, (seat, text)]:
            facts.clear()
            pos.resolve(event[1], facts.append) if event[0] is None else pos.play(
                *event, facts.append
            )
        events.append((seat, text))
        log.append(sentence(pos.game.describe(facts), PLACES))
    return log


def reveal_as(table: str, seq: int, text: str) -> str:
    """A change to the golden file: another text of an encrypted event."""
    encrypted = Cipher(bytes.fromhex(KEY)).encrypt(text.encode(), "event", table, seq)
    return f"""UPDATE events SET sealed = X'{encrypted.hex()}'
        WHERE "table" = '{table}' AND seq = {seq}"""


# ---------------------------------------------------------------- the log


@pytest.mark.parametrize("game", TABLES)
def test_log_is_that_of_the_events(tmp_path: Path, game: str) -> None:
    wanted = log_of(write(tmp_path), game)
    with Server(tmp_path) as server:
        lines = lines_of(server, game)
        assert [line["seq"] for line in lines] == list(range(len(wanted)))
        assert [said(line) for line in lines] == wanted
        for line in lines:
            assert set(keys_of([from_json(message) for message in line["told"]])) <= set(
                texts("en")
            )
            assert all(said(line, language) for language in ("de", "nl"))
        assert not server.troubles


def test_log_word_by_word(upgraded: Server) -> None:
    suleika, basari, cards, bazaar = (
        [said(line) for line in lines_of(upgraded, game)] for game in TABLES
    )
    assert (
        suleika[4]
        == "The die shows 1: Omar walks to b3. {1} pays {0} 2: their carpet has 2 squares."
    )
    assert suleika[14:17] == [
        "{1} places a rug on b2 and c2.",
        "{1} takes the last move back.",
        "{1} places a rug on b2 and a2.",
    ]
    assert suleika[21] == "The die shows 3: Omar walks to c3, onto {0}'s own rug."
    assert (
        basari[23] == "Everyone has chosen: {0} Points, {1} Points and {2} Points. "
        "Three wanted points: nobody gets any."
    )
    assert basari[27:] == [
        "{2} has chosen.",
        "{0} has chosen.",
        "{0} takes the last move back.",
        "{0} has chosen.",
    ]
    assert cards[7:10] == ["{2} has chosen.", "{2} takes the last move back.", "{2} has chosen."]
    assert cards[68].startswith("{1} takes 1 green gem. Deal 1 is over. ")
    assert (
        bazaar[-1] == "{0} buys the card (3 white and 2 red) after 5 actions. "
        "The puzzle is solved. The game is over."
    )


def test_events_without_words_are_shown_as_they_are_stored(tmp_path: Path) -> None:
    """Schema 17 may have tables that were last opened under schema 4."""
    write(tmp_path, f"UPDATE events SET told = X'' WHERE \"table\" = '{TABLES['suleika']}'")
    with checked_server(tmp_path) as server:
        lines = lines_of(server, "suleika")
        assert [line["told"][0][0] for line in lines[:2]] == [
            "told.core.has_chosen",
            "told.core.comes_up",
        ]


# ---------------------------------------------------------------- nothing is lost


def rows_of(connection: Any, tables: list[str]) -> dict[str, list[str]]:
    return {
        table: sorted(map(repr, connection.execute(f"SELECT * FROM {table}").fetchall()))
        for table in tables
    }


def renamed(rows: dict[str, list[str]]) -> dict[str, list[str]]:
    """Rows as after the migration: tables and the hosts of events' tables have new names."""
    return {
        NEW_NAMES.get(name, name): [row.replace("b'evening ", "b'event ") for row in rows[name]]
        for name in rows
    }


EXTRA = (
    "INSERT INTO doors VALUES (X'01', X'02', NULL, 'Firefox', 1.0, 2.0)",
    "INSERT INTO devices VALUES (X'03', X'02', X'04', 1.0)",
    f"INSERT INTO studies VALUES ('{TABLES['bazaar']}', 1, 2, 3, X'05')",
)


def test_all_rows_are_kept(tmp_path: Path) -> None:
    file = write(tmp_path, *EXTRA)
    with closing(sqlite3.connect(file)) as connection:
        names = [name for (name,) in connection.execute(TABLE_NAMES)]
        before = rows_of(connection, names)
    assert any("b'evening " in row for row in before["tables"])
    asyncio.run(SqliteStore(file).close())
    with closing(sqlite3.connect(file)) as connection:
        after = rows_of(connection, [NEW_NAMES.get(name, name) for name in names])
        assert len(connection.execute(TABLE_NAMES).fetchall()) == len(names)
    assert after == renamed(before)
    assert all(after[name] for name in NEW_NAMES.values())


def test_looking_changes_no_events_or_seats(tmp_path: Path) -> None:
    file = write(tmp_path)
    queries = [
        f'SELECT * FROM events WHERE "table" {OURS}',
        f'SELECT * FROM seats WHERE "table" {OURS}',
        f"SELECT id, game, seed, changed FROM tables WHERE id {OURS}",
    ]
    before = [ask(file, query) for query in queries]
    with Server(tmp_path) as server:
        for game in TABLES:
            lines_of(server, game)
        assert server.stop() == 0
    assert [ask(file, query) for query in queries] == before


# ---------------------------------------------------------------- secrets


def test_unrevealed_choices_stay_secret(tmp_path: Path) -> None:
    """Two files that differ in a secret choice look alike to a spectator and to another seat."""
    seen = []
    for name, choice in (("one", "points"), ("other", "dice")):
        (tmp_path / name).mkdir()
        write(tmp_path / name, reveal_as(TABLES["basari"], 30, choice))
        with Server(tmp_path / name) as server:
            seen.append([lines_of(server, "basari", seat) for seat in (-1, 1)])
            assert server.stop() == 0
    assert seen[0] == seen[1]


# ---------------------------------------------------------------- playing on


def test_game_goes_on(tmp_path: Path) -> None:
    """The last choice reveals all, the log continues, and a restarted server shows the same."""
    write(tmp_path)

    async def choose(_: Person, page: Any) -> None:
        assert not page.view.get("can_take_back")
        answer = await page.move(1, "gems")
        assert answer["is"] == "done", answer
        [event, *_] = page.events
        assert said(event).startswith("Everyone has chosen: {0} Points, {1} Gems and {2} Dice.")
        assert event["facts"][0] == {"is": "revealed", "choices": ["points", "gems", "dice"]}
        assert event["seq"] == 31

    with Server(tmp_path) as server:
        at_table(server, "basari", choose, seat=1)
        lines = lines_of(server, "basari")
        assert server.stop() == 0
    assert [line["seq"] for line in lines][:32] == list(range(32))
    with checked_server(tmp_path) as server:
        assert lines_of(server, "basari")[: len(lines)] == lines


def test_take_back_is_still_possible(upgraded: Server) -> None:
    async def take_back(_: Person, page: Any) -> None:
        assert page.view["can_take_back"]
        answer = await page.ask("take_back", seat=0, after=page.seq)
        assert answer["is"] == "done", answer
        assert said(page.events[-1]) == "{0} takes the last move back."
        assert page.view["moves"] == ["dice", "points", "gems"]

    at_table(upgraded, "basari", take_back)


def test_finished_game_has_its_result_and_record(upgraded: Server) -> None:
    async def look(person: Person, page: Any) -> None:
        assert page.view["over"]
        result = await page.until(lambda message: message["is"] == "result")
        assert result["sources"] == [{"rolls": 2, "trades": 3}]
        record = Record.parse(await person.record(TABLES["bazaar"]))
        assert (record.position.scores, record.position.winners) == ([5], (0,))
        # The server alone drew the seed.
        assert record.shares is None
        assert not result["dice"]["together"]
        verdict = verify(record, result["dice"]["digest"])
        assert verdict.fair
        assert verdict.lines[1:] == ["The server alone drew this seed: it could have chosen it."]

    at_table(upgraded, "bazaar", look)


def test_lobby_lists_the_tables(upgraded: Server) -> None:
    async def look() -> None:
        async with Person(upgraded, COOKIE) as person:
            tables = (await person.lobby())["tables"]
            assert {card["game"]: card["table"] for card in tables} == TABLES

    asyncio.run(look())


async def look_at_company(server: Server) -> None:
    """Check that ratings, chat, clocks, profiles and events are unchanged."""
    async with Person(server, RATED_HOST) as host, Person(server, ANN) as ann:
        ratings = (await host.http.get(f"/api/tables/{RATED}/ratings")).json()
        assert (ratings["rated"], ratings["counted"]) == (True, True)
        assert (await ann.http.get("/api/person")).json()["name"] == "Ann"
        async with ann.page(RUNNING, 0) as page:
            assert [line["text"] for line in page.now["talk"]["said"]] == ["Hello Ben", "Hello Ann"]
            assert page.now["life"]["clocks"]["terms"]["seconds"] == 259200
            assert (await page.ask("say", seat=0, text="Back again"))["is"] == "done"
            if page.view["moves"]:
                assert (await page.move(0, page.view["moves"][0]))["is"] == "done"
    async with Person(server, EVENT_HOST) as host:
        event = (await host.http.get(f"/api/events/{EVENT}")).json()
        assert (event["name"], event["state"], event["round"]) == ("Games night", "playing", 1)
        assert "Ann" in [entrant["name"] for entrant in event["entrants"]]
        assert (await host.http.get(f"/api/events/{EVENT}/me")).json()["host"]


def test_ratings_chat_clocks_and_events_go_on(upgraded: Server) -> None:
    asyncio.run(look_at_company(upgraded))


# ---------------------------------------------------------------- PostgreSQL


def write_postgres(cluster: Cluster, folder: Path, *changes: str) -> str:
    """Lay out version 5 of PostgreSQL with the rows of the golden file; returns the address."""
    schema = cluster.new_name()
    with (
        closing(PostgresConnection(cluster.address(schema))) as connection,
        closing(sqlite3.connect(write(folder, *changes))) as source,
    ):
        connection.execute(f"CREATE SCHEMA {schema}")
        connection.raw.execute((GOLDEN / "postgres-5.sql").read_text(encoding="utf-8"))
        connection.execute("INSERT INTO layout VALUES (5)")
        connection.execute("DELETE FROM counts")
        names = [name for (name,) in source.execute(TABLE_NAMES)]
        # First `tables`, to which the others refer.
        for name in sorted(names, key="tables".__ne__):
            copy_rows(source, connection, name)
        for name in ("contestants", "results", "notices"):
            connection.execute(
                f"SELECT setval(pg_get_serial_sequence('{name}', 'number'), max(number)) "
                f"FROM {name}"
            )
    return cluster.address(schema)


def copy_rows(source: sqlite3.Connection, target: PostgresConnection, name: str) -> None:
    query = """SELECT data_type = 'boolean' FROM information_schema.columns
        WHERE table_schema = current_schema() AND table_name = ? ORDER BY ordinal_position"""
    flags = [flag for (flag,) in target.execute(query, (name,))]
    rows = [
        [bool(value) if flag else value for value, flag in zip(row, flags, strict=True)]
        for row in source.execute(f"SELECT * FROM {name}")
    ]
    if rows:
        target.executemany(f"INSERT INTO {name} VALUES ({', '.join('?' * len(flags))})", rows)


def layout_of(connection: PostgresConnection) -> list[Any]:
    queries = [
        """SELECT table_name, column_name, data_type, is_nullable, column_default
            FROM information_schema.columns WHERE table_schema = current_schema()
            AND column_default IS DISTINCT FROM 'nextval' ORDER BY table_name, ordinal_position""",
        "SELECT indexname, replace(indexdef, current_schema(), '') FROM pg_indexes "
        "WHERE schemaname = current_schema() ORDER BY indexname",
        """SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = current_schema()::regnamespace AND contype != 'n'
            ORDER BY conname""",
    ]
    return [connection.execute(query).fetchall() for query in queries]


def test_postgres_keeps_all_rows_and_is_laid_out_like_a_new_one(
    cluster: Cluster, tmp_path: Path
) -> None:
    address, new = write_postgres(cluster, tmp_path, *EXTRA), cluster.address(cluster.new_name())
    open_database(new, tmp_path / "key")
    with (
        closing(PostgresConnection(address)) as connection,
        closing(PostgresConnection(new)) as other,
    ):
        query = "SELECT tablename FROM pg_tables WHERE schemaname = current_schema()"
        names = [name for (name,) in connection.execute(query) if name != "layout"]
        before = rows_of(connection, names)
        asyncio.run(PostgresStore(address, tmp_path / "key").close())
        assert connection.execute("SELECT version FROM layout").fetchall() == [(POSTGRES_VERSION,)]
        after = rows_of(connection, [NEW_NAMES.get(name, name) for name in names])
        assert layout_of(connection) == layout_of(other)
    assert after == renamed(before)


def test_postgres_games_go_on(cluster: Cluster, tmp_path: Path) -> None:
    address = write_postgres(cluster, tmp_path)

    async def choose(_: Person, page: Any) -> None:
        assert (await page.move(1, "gems"))["is"] == "done"
        assert page.events[0]["facts"][0]["choices"] == ["points", "gems", "dice"]

    with checked_server(tmp_path, store=address) as server:
        at_table(server, "basari", choose, seat=1)
        asyncio.run(look_at_company(server))


def test_early_postgres_layouts_are_refused(cluster: Cluster, tmp_path: Path) -> None:
    address = write_postgres(cluster, tmp_path)
    with closing(PostgresConnection(address)) as connection:
        connection.execute("UPDATE layout SET version = 4")
        with pytest.raises(RuntimeError, match=r"an early version of souk \(layout 4\)"):
            PostgresStore(address, tmp_path / "key")
        assert connection.execute("SELECT version FROM layout").fetchall() == [(4,)]


# ---------------------------------------------------------------- refused files


def start_at(folder: Path) -> subprocess.CompletedProcess[str]:
    """Run `souk serve` on a folder whose file it cannot use."""
    return run_python(["-m", "souk.cli", "serve", "--port", "0", "--data", str(folder)])


@pytest.mark.parametrize(
    ("version", "reason"),
    [
        (SCHEMA_VERSION + 1, f"a newer version of souk (schema {SCHEMA_VERSION + 1}, here"),
        (VERSION_BEFORE - 1, f"an early version of souk (schema {VERSION_BEFORE - 1}), which"),
    ],
    ids=["newer", "older"],
)
def test_files_of_other_versions_are_refused_in_one_line(
    tmp_path: Path, version: int, reason: str
) -> None:
    file = write(tmp_path, f"PRAGMA user_version = {version}")
    before = ask(file, "SELECT * FROM events")
    process = start_at(tmp_path)
    assert process.returncode == 2
    assert process.stdout == ""
    assert process.stderr.count("\n") == 1
    assert f"tables.sqlite was written by {reason}" in process.stderr
    assert ask(file, "SELECT * FROM events") == before


def test_a_failed_migration_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    # Makes the last rename fail.
    file = write(tmp_path, "CREATE TABLE event_tables (mine TEXT)")
    with closing(sqlite3.connect(file)) as connection:
        before = list(connection.iterdump())
    process = start_at(tmp_path)
    assert (process.returncode, process.stderr.count("\n")) == (2, 1)
    assert "tables.sqlite" in process.stderr
    with closing(sqlite3.connect(file)) as connection:
        assert list(connection.iterdump()) == before
    assert ask(file, "PRAGMA user_version") == [(VERSION_BEFORE,)]


@pytest.mark.parametrize(
    "content", [b"Dear diary, " * 100, b"souk record 1\n"], ids=["text", "short"]
)
def test_a_file_that_is_no_database_is_refused_in_one_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tables.sqlite").write_bytes(content)
    process = start_at(tmp_path)
    assert process.returncode == 2
    assert process.stderr.count("\n") == 1
    assert "tables.sqlite" in process.stderr
    assert (tmp_path / "tables.sqlite").read_bytes() == content


def test_a_database_of_something_else_is_refused_and_left_alone(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "tables.sqlite")) as connection:
        connection.execute("CREATE TABLE events (what TEXT)")
    process = start_at(tmp_path)
    assert process.returncode == 2
    assert process.stderr.count("\n") == 1
    assert "tables.sqlite" in process.stderr
    assert ask(tmp_path / "tables.sqlite", "SELECT name FROM sqlite_master") == [("events",)]
