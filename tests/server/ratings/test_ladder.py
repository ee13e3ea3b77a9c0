"""The ladder against the bots: which games count, and how many wins lead to the next rung."""

import asyncio
import random
import sqlite3
from contextlib import closing
from typing import Any

import pytest

import souk
from souk.table.course import Course
from souk.table.ladders import Climb, climbed, rungs
from souk.table.outcomes import kept_with_end
from souk.table.settings import LEVELS
from souk.table.store import SeatRow
from tests.table.clients import Person, Server

BOT = {"who": "bot", "level": "apprentice"}


def stands(players: int, *games: tuple[str, bool]) -> tuple[int, int]:
    """On which rung somebody stands after some games, and how many wins count by then."""
    found = climbed("suleika", players, LEVELS, [Climb("", "suleika", players, *each) for each in games])
    assert [rung.climbed for rung in found.rungs] == [k < found.at for k in range(len(LEVELS))]
    return found.at, found.near


@pytest.mark.parametrize(
    ("players", "games", "wanted"),
    [
        (2, "", (0, 0)),
        (2, "w", (0, 1)),
        (2, "ww", (1, 0)),
        (2, "wlw", (1, 0)),
        (2, "wll", (0, 0)),
        (2, "wllw", (0, 1)),
        (2, "wllww", (1, 0)),
        (3, "lll", (0, 0)),
        (3, "lw", (1, 0)),
        (4, "w", (1, 0)),
    ],
)
def test_wins_that_lead_to_the_next_rung(players: int, games: str, wanted: tuple[int, int]) -> None:
    assert stands(players, *((LEVELS[0], each == "w") for each in games)) == wanted


def test_only_the_rung_on_which_one_stands_counts_and_the_last_is_the_end() -> None:
    assert stands(4, (LEVELS[3], True)) == (0, 0)
    whole = [(level, True) for level in LEVELS]
    assert stands(4, *whole) == stands(4, *whole, *whole) == (len(LEVELS), 0)
    assert stands(4, *whole, (LEVELS[0], False)) == (len(LEVELS), 0)  # nobody falls
    assert rungs(("vizier", "random", "trader")) == ["trader", "vizier"]


async def on_ladder(person: Person, table: str) -> dict[str, Any]:
    return (await person.http.get(f"/api/tables/{table}/ratings")).json()


async def ladder(person: Person, game: str, players: int) -> dict[str, Any]:
    found = (await person.http.get("/api/ladder")).json()["ladders"]
    return next(each for each in found if (each["game"], each["players"]) == (game, players))


def test_a_game_to_its_end_counts(server: Server) -> None:
    async def play() -> None:
        async with Person(server) as person, Person(server) as other:
            async with person.page_at_new_table("suleika", "me", BOT, BOT) as page:
                await page.play(0, random.Random(6))
                found = await on_ladder(person, page.table)
                won = 0 in page.view["winners"]
                assert (found["rated"], found["counted"], found["climbed"]) == (False, True, won)
                assert found["ladder"] == await ladder(person, "suleika", 3)
                assert found["ladder"]["rungs"][0] == {"level": "apprentice", "games": 1, "wins": won, "climbed": won}
                assert (await on_ladder(other, page.table))["ladder"] is None  # it is nobody else's
            for seats, options in (
                (["me", BOT, "bot"], {}),
                (["me", "here", BOT], {}),
                (["me", BOT], {"turn_at_end": True}),
            ):
                async with person.page_at_new_table("suleika", *seats, **options) as page:
                    assert (await page.ask("resign"))["is"] == "done"
                    assert not (await on_ladder(person, page.table))["counted"]
            async with person.page_at_new_table("suleika", "me", BOT) as page:
                assert (await page.ask("resign"))["is"] == "done"
                assert page.view["winners"] == [1]
                found = await on_ladder(person, page.table)
                assert (found["counted"], found["ladder"]["rungs"][0]["games"], found["ladder"]["at"]) == (True, 1, 0)

    asyncio.run(play())
    with closing(sqlite3.connect(server.data / "tables.sqlite")) as file:
        assert file.execute(
            "SELECT count(*) FROM ratings JOIN results USING (game) WHERE kind = 'ladder'"
        ).fetchone() == (0,)


def test_a_game_that_was_helped_does_not_count() -> None:
    """By a coach, by a bot that stood in, by a move that was taken back; nor one that began elsewhere."""
    seats = [SeatRow(0, "person", "Me", player=b"me"), SeatRow(1, "bot", "Bilal", "trader")]

    def counts(fate: str = "", taken_back: int = 0, elsewhere: bool = False, hinted: bool = False) -> bool:
        course = Course(souk.game("suleika").start(2), bytes(32))
        for each in [*fate.split(","), "resigned 0", "left"] if fate != "agreed" else ["agreed"]:
            course.fate = course.fate.after(each) if each else course.fate
        course.taken_back = taken_back
        return bool(kept_with_end("table", False, course, seats, elsewhere, hinted))

    assert counts()
    assert counts("paused 0,resumed 0")
    assert not counts("stand_in 0")
    assert not counts("agreed")
    assert not counts(taken_back=1)
    assert not counts(elsewhere=True)
    assert not counts(hinted=True)
