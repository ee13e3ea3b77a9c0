"""Bot ladder: which games count, and how many wins reach the next rung."""

import asyncio
import random
import sqlite3
from contextlib import closing
from typing import Any

import pytest

import souk
from souk.server.common.config import LEVELS
from souk.server.ratings.ladder import LadderClimb, ladder_after, rungs
from souk.server.storage.rows import SeatRow
from souk.server.tables.game.game_state import GameState
from souk.server.tables.game.rating_eligibility import result_steps
from tests.server.support.clients import Person, Server

BOT = {"who": "bot", "level": "apprentice"}


def standing_after(players: int, *games: tuple[str, bool]) -> tuple[int, int]:
    """Rung reached after some games, and the wins counted on it so far."""
    ladder = ladder_after(
        "suleika", players, LEVELS, [LadderClimb("", "suleika", players, *game) for game in games]
    )
    assert [rung.climbed for rung in ladder.rungs] == [k < ladder.at for k in range(len(LEVELS))]
    return ladder.at, ladder.near


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
    assert standing_after(players, *((LEVELS[0], game == "w") for game in games)) == wanted


def test_only_the_rung_on_which_one_stands_counts_and_the_last_is_the_end() -> None:
    assert standing_after(4, (LEVELS[3], True)) == (0, 0)
    whole = [(level, True) for level in LEVELS]
    assert standing_after(4, *whole) == standing_after(4, *whole, *whole) == (len(LEVELS), 0)
    # A loss never takes a rung away.
    assert standing_after(4, *whole, (LEVELS[0], False)) == (len(LEVELS), 0)
    assert rungs(("vizier", "random", "trader")) == ["trader", "vizier"]


async def on_ladder(person: Person, table: str) -> dict[str, Any]:
    return (await person.http.get(f"/api/tables/{table}/ratings")).json()


async def ladder(person: Person, game: str, players: int) -> dict[str, Any]:
    ladders = (await person.http.get("/api/ladder")).json()["ladders"]
    return next(rungs for rungs in ladders if (rungs["game"], rungs["players"]) == (game, players))


def test_a_game_to_its_end_counts(server: Server) -> None:
    async def play() -> None:
        async with Person(server) as person, Person(server) as other:
            async with person.page_at_new_table("suleika", "me", BOT, BOT) as page:
                await page.play(0, random.Random(6))
                result = await on_ladder(person, page.table)
                won = 0 in page.view["winners"]
                assert (result["rated"], result["counted"], result["climbed"]) == (False, True, won)
                assert result["ladder"] == await ladder(person, "suleika", 3)
                assert result["ladder"]["rungs"][0] == {
                    "level": "apprentice",
                    "games": 1,
                    "wins": won,
                    "climbed": won,
                }
                # Other people do not see it.
                assert (await on_ladder(other, page.table))["ladder"] is None
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
                result = await on_ladder(person, page.table)
                assert (
                    result["counted"],
                    result["ladder"]["rungs"][0]["games"],
                    result["ladder"]["at"],
                ) == (True, 1, 0)

    asyncio.run(play())
    with closing(sqlite3.connect(server.data / "tables.sqlite")) as file:
        assert file.execute(
            "SELECT count(*) FROM result_seats JOIN results ON number = result "
            "WHERE kind = 'ladder' AND mu IS NOT NULL"
        ).fetchone() == (0,)


def test_a_game_that_was_helped_does_not_count() -> None:
    """Hints, stand-in bots, take-backs and imported positions all disqualify a game."""
    seats = [SeatRow(0, "person", "Me", player=b"me"), SeatRow(1, "bot", "Bilal", "trader")]

    def counts(
        status: str = "", taken_back: int = 0, elsewhere: bool = False, hinted: bool = False
    ) -> bool:
        state = GameState(souk.game("suleika").start(2), bytes(32))
        changes = [*status.split(","), "resigned 0", "left"] if status != "agreed" else ["agreed"]
        for change in changes:
            state.status = state.status.after(change) if change else state.status
        state.taken_back = taken_back
        return bool(result_steps("table", False, state, seats, elsewhere, hinted))

    assert counts()
    assert counts("paused 0,resumed 0")
    assert not counts("stand_in 0")
    assert not counts("agreed")
    assert not counts(taken_back=1)
    assert not counts(elsewhere=True)
    assert not counts(hinted=True)
