"""Games that are looked back at elsewhere: a queue in PostgreSQL, who is next there, and what becomes of a game whose student is lost."""

import asyncio
import time
from pathlib import Path
from signal import SIGKILL
from typing import Any

import msgspec
import psutil
import pytest

from souk.games import game as find_game
from souk.study.inquiring import Inquiry
from souk.table import lookbacks
from souk.table.errands import MOST_TRIES, edition_of
from souk.table.lookbacks import AskedLookback, name_of
from souk.table.postgres_line import PostgresLine
from souk.table.scholar import Found
from souk.table.settings import Settings
from souk.table.studies import STAGES
from souk.table.turnings import Album
from tests.table.clients import Person, Server
from tests.table.places import address_of, look_into
from tests.table.test_errands import end, house, line, think  # noqa: F401  two are fixtures
from tests.table.test_studies import a_game, all_of, study, taken

EDITION = edition_of(find_game("suleika"))


def wish(text: str, address: str = "here", playouts: int = 150) -> AskedLookback:
    return AskedLookback(name_of(text, playouts), address, "suleika", EDITION, text, playouts)


def begun(line: PostgresLine, name: str = "anybody") -> str | None:  # noqa: F811
    found = lookbacks.take(line, name, [EDITION])
    return found.record if found else None


def look(line: PostgresLine, text: str, known: int = 0) -> lookbacks.SoFar:  # noqa: F811
    return lookbacks.ask(line, wish(text), known)


# ---------------------------------------------------------------- the queue


def test_a_game_is_one_however_often_it_is_asked_and_is_taken_once(line: PostgresLine) -> None:  # noqa: F811
    for _ in range(2):
        assert not look(line, "a game").taken
    assert [begun(line), begun(line)] == ["a game", None]
    assert look(line, "a game").taken
    assert lookbacks.take(line, "anybody", ["another edition"]) is None


def test_whose_games_are_fewest_under_way_is_next(line: PostgresLine) -> None:  # noqa: F811
    for number in range(4):
        lookbacks.ask(line, wish(f"greedy {number}", "greedy"), 0)
    lookbacks.ask(line, wish("modest", "modest"), 0)
    assert [begun(line) for _ in range(3)] == ["greedy 0", "modest", "greedy 1"]


def test_what_is_found_is_told_once_and_grows(line: PostgresLine) -> None:  # noqa: F811
    look(line, "a game")
    begun(line)
    which = wish("a game").id
    assert lookbacks.report(line, "anybody", which, Found(0, 3, 7, b"three"))
    assert not lookbacks.report(line, "somebody else", which, Found(0, 7, 7, b"not theirs"))
    first = look(line, "a game")
    assert (first.done, first.of, first.content, first.is_done) == (3, 7, b"three", False)
    assert look(line, "a game", first.version).content == b""
    assert not lookbacks.report(line, "anybody", which, Found(0, 7, 7, b"all"))
    assert look(line, "a game", first.version).is_done
    lookbacks.let_go(line, "anybody", [which])
    assert begun(line) is None


def test_what_somebody_was_lost_over_is_another_s_until_several_were(line: PostgresLine) -> None:  # noqa: F811
    look(line, "deadly")
    for _ in range(5):  # whoever ends in peace is not counted
        assert begun(line) == "deadly"
        lookbacks.let_go(line, "anybody", [wish("deadly").id])
    for _ in range(MOST_TRIES):
        assert begun(line) == "deadly"
        lookbacks.let_go(line, "anybody", [wish("deadly").id], lost=True)
    assert begun(line) is None
    look(line, "of one who was killed")
    assert begun(line) == "of one who was killed"
    line.execute(
        "UPDATE lookbacks SET until = now() - interval '1 s' WHERE taken_by = 'anybody'"
    )  # they said nothing for long
    assert begun(line, "another") == "of one who was killed"


def test_what_nobody_waits_for_is_left_alone_and_swept_away(line: PostgresLine) -> None:  # noqa: F811
    look(line, "a game")
    begun(line)
    line.execute("UPDATE lookbacks SET wanted = now() - interval '30 s'")
    assert not lookbacks.report(line, "anybody", wish("a game").id, Found(0, 3, 7, b"three"))
    lookbacks.let_go(line, "anybody", [wish("a game").id])
    assert begun(line) is None
    line.execute("UPDATE lookbacks SET wanted = now() - interval '90 s'")
    lookbacks.sweep(line)
    assert line.execute("SELECT count(*) FROM lookbacks").fetchone() == (0,)


# ---------------------------------------------------------------- a server, and whoever studies


def far_server(house: Path, **flags: Any) -> Server:  # noqa: F811
    return Server(house, study_workers=0, study_rate=1000, study_burst=1000, **flags)


def test_it_is_found_elsewhere_what_would_be_found_here(house: Path) -> None:  # noqa: F811
    """Byte for byte; and the queue knows nobody's name."""
    record = a_game("bazaar", 2)

    async def look_back(server: Server) -> bytes:
        async with Person(server) as person:
            name = await taken(person, record)
            found, _ = await all_of(person, name)
            assert found.playouts == STAGES[0]
            return msgspec.json.encode(found.study)

    with far_server(house, think_wait=60) as server:
        thinker = think(address_of(house))
        there = asyncio.run(look_back(server))
        with look_into(house) as file:
            [(kept, address)] = file.execute("SELECT record, address FROM lookbacks").fetchall()
        assert end(*thinker) == 0
        assert server.stop() == 0
        assert not server.troubles
    inquiry = Inquiry(record)
    while inquiry.done(STAGES[0]) < inquiry.of:
        inquiry.go_on(STAGES[0], 60.0)
    assert there == msgspec.json.encode(Album(inquiry).lookback())
    assert "Player" not in kept
    assert "127.0.0.1" not in address


def test_a_student_is_killed_and_another_takes_over(house: Path) -> None:  # noqa: F811
    record = a_game("suleika", 2)
    thinkers = []

    async def look_back(server: Server) -> None:
        async with Person(server) as person:
            name = await taken(person, record)
            while not (found := await study(person, name)).done:
                await asyncio.sleep(0.05)
            assert found.done < found.of
            students = psutil.Process(thinkers[0][0].pid).children(recursive=True)
            end(*thinkers[0], SIGKILL)
            for each in students:
                each.kill()
            thinkers.append(think(address_of(house)))
            await all_of(person, name)

    with far_server(house, think_wait=60) as server:
        thinkers.append(think(address_of(house)))
        asyncio.run(look_back(server))
        assert end(*thinkers[1]) == 0
        assert server.stop() == 0
        assert not server.troubles


def test_where_nobody_studies_that_is_said_and_can_be_tried_again(house: Path) -> None:  # noqa: F811
    async def look_back(server: Server) -> None:
        async with Person(server) as person:
            name = await taken(person, a_game("suleika", 2))
            limit = time.monotonic() + 30
            while (answer := await person.http.get(f"/api/tables/{name}/study")).status_code == 200:
                assert time.monotonic() < limit
                await asyncio.sleep(0.1)
            assert (answer.status_code, answer.json()["reason"][0]) == (503, "table.refused.study_nobody")
            assert (await study(person, name)).of == 0

    with far_server(house, think_wait=0.5) as server:
        asyncio.run(look_back(server))


def test_nobody_can_be_asked_where_tables_are_in_a_file() -> None:
    with pytest.raises(ValueError, match="study_workers: must be at least 1; 0 only with --store postgresql"):
        Settings(study_workers=0)
