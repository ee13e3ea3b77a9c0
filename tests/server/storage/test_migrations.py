"""A file of an earlier version: its tables are told anew in today's words, and played on as if nothing had been."""

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
from souk.core.message import Message, sentence, texts
from souk.core.record import Record
from souk.table import schema
from souk.table.fairness import verify
from souk.table.refusals import Refuse
from souk.table.schema import SCHEMA_VERSION
from souk.table.sealing import Seal, read_key
from souk.table.sqlite import SqliteStore
from souk.table.tables import Tables
from souk.table.thinkers import Thinkers
from tests.core.test_message import from_json
from tests.forked import run_python
from tests.play import PLACES
from tests.table.clients import Person, Server

BEFORE_RESULTS = 11  # the version of a file
KEPT = Path(__file__).parent.parent / "golden" / "tables-1.dump"
COOKIE = "YWNexEGTNIH_rNzpujSWgKRnwYMriHWp"  # of the browser that all its seats belong to
TABLES = {
    "suleika": "64PYDJ4Kx8D5E0G-",
    "basari": "kj72U6qHBDd9w8qk",
    "basari-cards": "TU4kdxUYaWF0LOje",
    "bazaar": "lsALA5QQyLWkPPFF",
}


def write(folder: Path, *changes: str) -> Path:
    """A file of version 1, as it was kept, with some changes."""
    file = folder / "tables.sqlite"
    connection = sqlite3.connect(file)
    connection.executescript(KEPT.read_text(encoding="utf-8"))
    for change in changes:
        connection.execute(change)
    connection.commit()
    connection.close()
    return file


def ask(file: Path, question: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(file)
    try:
        return connection.execute(question).fetchall()
    finally:
        connection.close()


@pytest.fixture
def upgraded(tmp_path: Path) -> Iterator[Server]:
    """A server of today at a file of version 1."""
    write(tmp_path)
    with Server(tmp_path) as server:
        yield server
        assert server.stop() == 0
        assert not server.troubles


def at_table(server: Server, game: str, work: Callable[[Person, Any], Awaitable[None]], seat: int | None = 0) -> None:
    async def run() -> None:
        async with Person(server, COOKIE) as person, person.page(TABLES[game], seat) as page:
            await work(person, page)

    asyncio.run(run())


def said(line: dict[str, Any], language: str = "en") -> str:
    return sentence([from_json(message) for message in line["told"]], PLACES, language)


def lines_of(server: Server, game: str, seat: int | None = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []

    async def look(_: Person, page: Any) -> None:
        found.extend(page.now["lines"])

    at_table(server, game, look, seat)
    return found


def keys_of(told: Any) -> Iterator[str]:
    """Every key within what was told."""
    if isinstance(told, Message):
        yield told.key
        for value in told.values.values():
            yield from keys_of(value)
    elif isinstance(told, list):
        for each in told:
            yield from keys_of(each)


def log_of(file: Path, game: str) -> list[str]:
    """What the log should say, by the events as they were kept: played, and taken back, one after the other."""
    asked = f"""SELECT kind, seat, text FROM events WHERE "table" = '{TABLES[game]}' ORDER BY seq"""
    [(players, options)] = ask(file, f"SELECT players, options FROM tables WHERE id = '{TABLES[game]}'")
    start = souk.game(game).start(players, **json.loads(options))
    found, events = [], list[tuple[int | None, str]]()
    for kind, seat, text in ask(file, asked):
        if kind == "back":
            assert events.pop() == (seat, text)
            found.append(f"{{{seat}}} takes the last move back.")
            continue
        pos, facts = start.copy(), []
        for event in [*events, (seat, text)]:
            facts.clear()
            pos.resolve(event[1], facts.append) if event[0] is None else pos.play(*event, facts.append)
        events.append((seat, text))
        found.append(sentence(pos.game.tell(facts), PLACES))
    return found


# ---------------------------------------------------------------- the log


@pytest.mark.parametrize("game", TABLES)
def test_the_whole_log_is_told_in_new_words(tmp_path: Path, game: str) -> None:
    wanted = log_of(write(tmp_path), game)
    with Server(tmp_path) as server:
        lines = lines_of(server, game)
        assert [line["seq"] for line in lines] == list(range(len(wanted)))
        assert [said(line) for line in lines] == wanted
        for line in lines:
            assert set(keys_of([from_json(message) for message in line["told"]])) <= set(texts("en"))
            assert all(said(line, language) for language in ("de", "nl"))
        assert not server.troubles


def test_what_it_says(upgraded: Server) -> None:
    """Some of it, word by word."""
    suleika, basari, cards, bazaar = ([said(line) for line in lines_of(upgraded, game)] for game in TABLES)
    assert suleika[4] == "The die shows 1: Omar walks to b3. {1} pays {0} 2: their carpet has 2 fields."
    assert suleika[14:17] == [
        "{1} lays a rug on b2 and c2.",
        "{1} takes the last move back.",
        "{1} lays a rug on b2 and a2.",
    ]
    assert suleika[21] == "The die shows 3: Omar walks to c3, onto {0}'s own rug."
    assert basari[23] == "All have chosen: {0} Points, {1} Points and {2} Points. Three wanted points: nobody gets any."
    assert basari[27:] == [
        "{2} has chosen.",
        "{0} has chosen.",
        "{0} takes the last move back.",
        "{0} has chosen.",
    ]
    assert cards[7:10] == ["{2} has chosen.", "{2} takes the last move back.", "{2} has chosen."]
    assert cards[68].startswith("{1} takes 1 green gem. Deal 1 is over. ")
    assert (
        bazaar[-1] == "{0} buys the card (3 white and 2 red) after 5 actions. The puzzle is solved. The game is over."
    )


def test_only_what_somebody_opens_is_told_anew(tmp_path: Path) -> None:
    file = write(tmp_path)
    with Server(tmp_path) as server:
        assert ask(file, "PRAGMA user_version") == [(SCHEMA_VERSION,)]
        assert ask(file, "SELECT DISTINCT told FROM events") == [(b"",)]
        lines_of(server, "basari")
        told = dict(ask(file, 'SELECT "table", min(length(told)) FROM events GROUP BY "table"'))
        assert {table for table, shortest in told.items() if shortest} == {TABLES["basari"]}
        assert server.stop() == 0


def test_moves_outcomes_and_seats_are_left_as_they_were(tmp_path: Path) -> None:
    file = write(tmp_path)
    asked = [
        'SELECT "table", seq, kind, seat, at FROM events',
        'SELECT "table", seat, kind, name, level, player, invitation, stand_in FROM seats',
        "SELECT id, game, changed FROM tables",
    ]
    before, texts_and_seeds = [ask(file, question) for question in asked], texts_and_seeds_of(file)
    with Server(tmp_path) as server:
        for game in TABLES:
            lines_of(server, game)
        assert server.stop() == 0
    assert [ask(file, question) for question in asked] == before
    seal = read_key(tmp_path / "key")
    assert texts_and_seeds_of(file, seal) == texts_and_seeds
    maker = "SELECT player FROM seats WHERE \"table\" = id AND kind = 'person' AND invitation IS NULL"
    assert ask(file, f"SELECT count(*) FROM tables WHERE host IS NOT ({maker})") == [(0,)]


def texts_and_seeds_of(file: Path, seal: Seal | None = None) -> list[Any]:
    """What may be sealed in a file, opened."""
    what = "coalesce(sealed, text)" if seal else "text"
    texts = ask(file, f'SELECT "table", seq, {what} FROM events')
    seeds = ask(file, "SELECT id, seed FROM tables")
    if seal is None:
        return [texts, seeds]
    opened = [
        (table, seq, text if isinstance(text, str) else seal.unseal(text, "event", table, seq).decode())
        for table, seq, text in texts
    ]
    return [opened, [(table, seal.unseal(seed, "seed", table)) for table, seed in seeds]]


# ---------------------------------------------------------------- secrets


def test_nothing_is_told_of_choices_that_are_not_revealed(tmp_path: Path) -> None:
    """The same file with other choices in secret: a spectator and the third seat are told the same to the letter."""
    seen = []
    for name, choice in (("one", "points"), ("other", "dice")):
        (tmp_path / name).mkdir()
        change = f"""UPDATE events SET text = '{choice}' WHERE "table" = '{TABLES["basari"]}' AND seq = 30"""
        write(tmp_path / name, change)
        with Server(tmp_path / name) as server:
            seen.append([lines_of(server, "basari", seat) for seat in (-1, 1)])
            assert server.stop() == 0
    assert seen[0] == seen[1]


# ---------------------------------------------------------------- playing on


def test_a_table_is_played_on(tmp_path: Path) -> None:
    """The last choice reveals all; the log goes on; and a server that starts again has all of it."""
    write(tmp_path)

    async def choose(_: Person, page: Any) -> None:
        assert not page.view.get("can_take_back")
        answer = await page.move(1, "gems")
        assert answer["is"] == "done", answer
        [event, *_] = page.events
        assert said(event).startswith("All have chosen: {0} Points, {1} Gems and {2} Dice.")
        assert event["facts"][0] == {"is": "revealed", "choices": ["points", "gems", "dice"]}
        assert event["seq"] == 31

    with Server(tmp_path) as server:
        at_table(server, "basari", choose, seat=1)
        lines = lines_of(server, "basari")
        assert server.stop() == 0
    assert [line["seq"] for line in lines][:32] == list(range(32))
    with Server(tmp_path) as server:
        assert lines_of(server, "basari")[: len(lines)] == lines
        assert server.stop() == 0
        assert not server.troubles


def test_what_could_be_taken_back_still_can(upgraded: Server) -> None:
    async def take_back(_: Person, page: Any) -> None:
        assert page.view["can_take_back"]
        answer = await page.ask("take_back", seat=0, after=page.seq)
        assert answer["is"] == "done", answer
        assert said(page.events[-1]) == "{0} takes the last move back."
        assert page.view["moves"] == ["dice", "points", "gems"]

    at_table(upgraded, "basari", take_back)


def test_a_game_that_was_over_has_its_result_and_its_record(upgraded: Server) -> None:
    async def look(person: Person, page: Any) -> None:
        assert page.view["over"]
        result = await page.until(lambda message: message["is"] == "result")
        assert result["sources"] == [{"rolls": 2, "trades": 3}]
        record = Record.parse(await person.record(TABLES["bazaar"]))
        assert (record.position.scores, record.position.winners) == ([5], (0,))
        assert record.shares is None  # the server alone drew its seed
        assert not result["dice"]["together"]
        verdict = verify(record, result["dice"]["digest"])
        assert verdict.fair
        assert verdict.lines[1:] == ["The server alone drew this seed: it could have chosen it."]

    at_table(upgraded, "bazaar", look)


def test_the_lobby_lists_them(upgraded: Server) -> None:
    async def look() -> None:
        async with Person(upgraded, COOKIE) as person:
            tables = (await person.lobby())["tables"]
            assert {card["game"]: card["table"] for card in tables} == TABLES

    asyncio.run(look())


# ---------------------------------------------------------------- what goes wrong


def test_a_table_that_cannot_be_told_anew_is_refused_and_can_be_asked_for_again(tmp_path: Path) -> None:
    file = write(tmp_path)

    async def run() -> None:
        store, thinkers = SqliteStore(file), Thinkers(1, ())
        tables, full = Tables(store, thinkers, 0), store._writer._connection
        full.execute("VACUUM")
        [(pages,)] = full.execute("PRAGMA page_count")
        full.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(Refuse) as refused:
            await tables.take(TABLES["basari-cards"])
        assert (refused.value.status, refused.value.reason[0]) == (503, "table.refused.not_kept")
        full.execute("PRAGMA max_page_count = 100000")
        table = await tables.take(TABLES["basari-cards"])
        assert table.course.seq == 73
        assert all(event.told for event in await store.events(table.id))
        tables.put_back(table)
        await thinkers.close()
        await store.close()

    asyncio.run(run())


def start_at(folder: Path) -> subprocess.CompletedProcess[str]:
    """`souk serve` at a folder whose file it cannot use."""
    return run_python(["-m", "souk.cli", "serve", "--port", "0", "--data", str(folder)])


def test_a_file_of_a_newer_version_is_refused_in_a_line(tmp_path: Path) -> None:
    file = write(tmp_path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = ask(file, "SELECT * FROM events")
    done = start_at(tmp_path)
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert f"tables.sqlite was written by a newer version of souk (schema {SCHEMA_VERSION + 1}" in done.stderr
    assert ask(file, "SELECT * FROM events") == before


@pytest.mark.parametrize("content", [b"Dear diary, " * 100, b"souk record 1\n"], ids=["text", "short"])
def test_a_file_that_is_no_database_is_refused_in_a_line(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "tables.sqlite").write_bytes(content)
    done = start_at(tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "tables.sqlite" in done.stderr
    assert (tmp_path / "tables.sqlite").read_bytes() == content


def test_a_database_of_something_else_is_refused_in_a_line_and_left_alone(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "tables.sqlite")
    connection.execute("CREATE TABLE events (what TEXT)")
    connection.close()
    done = start_at(tmp_path)
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "tables.sqlite" in done.stderr
    assert ask(tmp_path / "tables.sqlite", "SELECT name FROM sqlite_master") == [("events",)]


# ---------------------------------------------------------------- results


def test_games_of_before_are_not_rated_and_who_had_resigned_cannot_win(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file of the version before results were kept: nothing of it counts, and of a game that goes on the log says who resigned."""
    file = write(tmp_path)
    running = TABLES["suleika"]
    with monkeypatch.context() as earlier:
        earlier.setattr(schema, "SCHEMA_VERSION", BEFORE_RESULTS)
        with closing(schema.open_file(file, tmp_path / "key")[0]) as connection:
            change = 'UPDATE seats SET resigned = 3 WHERE "table" = ? AND seat = 1'
            connection.execute(change, (running,))
    events = ask(file, f"SELECT count(*) FROM events WHERE \"table\" = '{running}'")[0][0]
    with Server(tmp_path) as server:
        [*_, last] = lines_of(server, "suleika")
        assert (last["seq"], said(last)) == (events, "{1} has resigned and cannot win any more.")
        lost: list[Any] = []

        async def look(_: Person, page: Any) -> None:
            lost.append((page.view["lost"], page.now["rated"]))

        at_table(server, "suleika", look)
        assert lost == [([1], False)]
        assert server.stop() == 0
        assert not server.troubles
    assert ask(file, "SELECT count(*) FROM results") == [(0,)]
