"""Lessons: each is played to its end on a real server with right and wrong moves; left, continued,
repeated.
"""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest

import souk
from souk.core.lessons import MAX_STEPS, MIN_STEPS, Lesson
from souk.core.messages import Message, languages, texts
from souk.games import names
from souk.server.admin.host_tools import SqliteHostTools
from souk.server.dice.fair_dice import verify
from tests.server.support.clients import Page, Person, Server, across_a_restart

LESSONS = [game for game in names() if souk.game(game).lesson]


def lesson_of(game: str) -> Lesson:
    found = souk.game(game).lesson
    assert found is not None
    return found


async def learn(person: Person, game: str, again: bool = False) -> str:
    made = await person.http.post(
        "/api/lessons", json={"game": game, "name": "Ada", "again": again}
    )
    assert made.status_code == 200, made.text
    return str(made.json()["table"])


async def next_page(page: Page) -> dict[str, Any]:
    """The page after the others have moved: the last, which waits for a move or ends the lesson."""
    while not page.view["lesson"]["pages"]:
        await page.hear()
    last: dict[str, Any] = page.view["lesson"]["pages"][-1]
    return last


def all_pages(page: Page) -> list[str]:
    return [each["text"][0] for each in page.view["lesson"]["pages"]]


# ---------------------------------------------------------------- lesson files


def test_all_four_games_have_one() -> None:
    assert {"basari", "basari-cards", "bazaar", "suleika"} <= set(LESSONS)


@pytest.mark.parametrize("game", LESSONS)
def test_it_can_be_taken_in(game: str) -> None:
    """Few steps, no repeats, each with two or three sentences in every language."""
    lesson = lesson_of(game)
    assert MIN_STEPS <= len(lesson.steps) <= MAX_STEPS
    said = [step.name for step in lesson.steps]
    assert len(set(said)) == len(said)
    used = {*said, *(name for step in lesson.steps for name in step.wrong.values())}
    for language in languages():
        own = {
            key: text for key, text in texts(language).items() if key.startswith(f"{game}.lesson.")
        }
        assert {key.rpartition(".")[2] for key in own} == used
        assert not [key for key, text in own.items() if len(text) > 260]
    assert lesson.steps[0].moves == () or lesson.steps[0].name == "goal"
    assert not lesson.steps[-1].moves


WRONG_FILES = {
    "players = 3": ("players = 'three'", "Expected `int`, got `str` - at `[$].players`"),
    "names =": ("options = { first = 9 }\nnames =", "first"),
    "seat 1 right": ("seat 0 right", "of another seat"),
    "chance 2": ("chance 7", "event 1"),
    'moves = ["straight"]': ('moves = ["sideways"]', "step turn"),
    'at = ["board suleika"]': ('at = ["suleika"]', "must be a kind and a name"),
    'name = "goal"': ('name = "gaol"', "there is no text suleika.lesson.gaol"),
    'wrong = { "*" = "lay_else" }': ("", "step lay: wrong: must explain any other move"),
    'names = ["Tarik", "Samira"]': ('names = ["Tarik"]', "names"),
}


@pytest.mark.parametrize("line", WRONG_FILES)
def test_what_is_wrong_in_a_file_is_named(line: str, tmp_path: Path) -> None:
    game = souk.game("suleika")
    text = (game.folder / "texts" / "lesson.toml").read_text(encoding="utf-8")
    changed, problem = WRONG_FILES[line]
    assert line in text
    file = tmp_path / "lesson.toml"
    file.write_text(text.replace(line, changed, 1), encoding="utf-8")
    with pytest.raises(ValueError, match=problem):
        Lesson(game, file)


# ---------------------------------------------------------------- at the table


@pytest.mark.parametrize("game", LESSONS)
def test_it_is_played_to_its_end(server: Server, game: str) -> None:
    """Every right move works; before it, every other legal move is refused with its explanation and
    changes nothing.
    """
    lesson = lesson_of(game)

    async def go_through() -> None:
        async with Person(server) as person, person.page(await learn(person, game)) as page:
            said: list[str] = []
            while True:
                due = await next_page(page)
                said += all_pages(page)
                if page.view["lesson"]["over"]:
                    break
                await refuse_others(page, lesson, due["move"])
                assert (await page.move(lesson.seat, due["move"]))["is"] == "done"
            assert said == [f"{game}.lesson.{step.name}" for step in lesson.steps]
            assert page.seq + 1 == len(lesson.events)
            refused = await page.move(
                lesson.seat, page.view["moves"][0] if page.view["moves"] else "x"
            )
            assert refused["is"] == "refused"

    asyncio.run(go_through())


async def refuse_others(page: Page, lesson: Lesson, right: str) -> None:
    before = page.seq, page.view
    step = next(
        each
        for each in lesson.steps
        if page.view["lesson"]["pages"][-1]["text"][0].endswith(f".{each.name}")
    )
    for move in page.view["moves"]:
        if move in step.moves:
            continue
        refused = await page.move(lesson.seat, move)
        assert refused["is"] == "refused"
        key, values = refused["reason"]
        assert key.rpartition(".")[2] in step.wrong.values()
        for language in languages():
            assert Message(key, **values).text(language=language) != key
    assert (page.seq, page.view) == before
    assert page.view["lesson"]["pages"][-1]["move"] == right


def test_it_is_left_and_gone_on_with(tmp_path: Path) -> None:
    """After a reload and after a restart the table is the same."""

    async def begin(server: Server) -> tuple[str, str, dict[str, Any]]:
        async with Person(server) as person:
            table = await learn(person, "suleika")
            async with person.page(table) as page:
                assert (await page.move(0, "straight"))["is"] == "done"
                await next_page(page)
                lesson = page.view["lesson"]
            [card] = (await person.lobby())["tables"]
            assert (card["lesson"], card["over"], card["my_turn"]) == (True, False, True)
            return table, person.cookie, lesson

    async def go_on(server: Server, table: str, cookie: str, lesson: dict[str, Any]) -> None:
        async with Person(server, cookie) as person:
            assert await learn(person, "suleika") == table
            async with person.page(table) as page:
                assert page.view["lesson"] == lesson
                assert (await page.move(0, "rug d5 e5"))["is"] == "done"

    across_a_restart(tmp_path, begin, go_on)
    with SqliteHostTools(tmp_path, Path("key")) as file:
        assert {fault for _, fault in file.check()} == {""}


def test_it_is_repeated(server: Server) -> None:
    """A fresh lesson replaces the earlier table."""

    async def twice() -> None:
        async with Person(server) as person:
            first = await learn(person, "suleika")
            async with person.page(first) as page:
                await page.move(0, "straight")
            second = await learn(person, "suleika", again=True)
            assert second != first
            assert [card["table"] for card in (await person.lobby())["tables"]] == [second]
            async with person.page(second) as page:
                assert page.view["lesson"]["passed"] == 0

    asyncio.run(twice())


def test_nothing_is_promised_of_known_dice(server: Server) -> None:
    """No dice shares; the record is marked; no take-backs and no stand-ins."""

    async def look() -> None:
        async with Person(server) as person:
            table = await learn(person, "suleika")
            async with person.page(table) as page:
                assert not page.dice["digest"]
                assert not page.dice["shares"]
                assert not page.dice["together"]
                assert [seat["kind"] for seat in page.seats] == ["person", "bot", "bot"]
                await page.move(0, "straight")
                assert (await page.ask("take_back", seat=0, after=page.seq))["is"] == "refused"
                assert (await page.ask("stand_in", seat=0, level="random"))["is"] == "refused"
                assert (await page.ask("rematch"))["is"] == "refused"
            record = souk.Record.parse(await person.record(table))
            assert record.dice is None
            assert verify(record).fair is None

    asyncio.run(look())


def test_a_spectator_is_not_taught(server: Server) -> None:
    async def look() -> None:
        async with Person(server) as person, Person(server) as other:
            table = await learn(person, "suleika")
            async with other.page(table) as page:
                assert "lesson" not in page.view
                assert page.now["mine"] == []

    asyncio.run(look())


def test_what_cannot_be_learned(server: Server) -> None:
    async def ask() -> None:
        async with Person(server) as person:
            for wish, status in [
                ({"game": "chess"}, 400),
                ({}, 400),
                ({"game": "suleika", "name": "x" * 21}, 400),
            ]:
                assert (await person.http.post("/api/lessons", json=wish)).status_code == status
            assert (await person.lobby())["tables"] == []

    asyncio.run(ask())


def test_a_lesson_that_was_rewritten_is_begun_anew(tmp_path: Path) -> None:
    """A lesson by an earlier version can be viewed, and *Learn* creates a new table."""

    async def begin(server: Server) -> tuple[str, str]:
        async with Person(server) as person:
            return await learn(person, "suleika"), person.cookie

    async def come_back(server: Server, table: str, cookie: str) -> None:
        async with Person(server, cookie) as person:
            async with person.page(table) as page:
                assert page.now["old"]
                assert "lesson" not in page.view
            assert await learn(person, "suleika") != table
            assert len((await person.lobby())["tables"]) == 1

    with Server(tmp_path) as server:
        begun = asyncio.run(begin(server))
        server.stop()
    with sqlite3.connect(tmp_path / "tables.sqlite") as file:
        file.execute("UPDATE dice SET value = 'another' WHERE kind = 'known'")
    with Server(tmp_path) as server:
        asyncio.run(come_back(server, *begun))
        assert not server.troubles
