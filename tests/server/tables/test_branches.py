"""Tables that start elsewhere: branches of finished games, and positions sent by a page."""

import asyncio
import random
from pathlib import Path
from typing import Any

import httpx
import pytest

import souk
from souk.core.record import Record
from souk.server.admin.host_tools import SqliteHostTools
from souk.server.dice.fair_dice import verify
from souk.server.protocol.errors import RequestRefused
from souk.server.tables.setup.branches import position_after
from tests.server.support.clients import Person, Server, across_a_restart
from tests.support.random_games import whole_random_game

SHARE = "1" * 64


async def finished(person: Person, game: str, *seats: str) -> str:
    """A table with a finished game."""
    table, _ = await person.new_table(game, *seats)
    async with person.page(table) as page:
        await page.play(0, random.Random(4))
    return table


async def branch(person: Person, game: str, seats: Any = (), **begins: Any) -> httpx.Response:
    return await person.http.post(
        "/api/tables", json={"game": game, "seats": list(seats), "from": begins}
    )


def reason(answer: httpx.Response) -> str:
    return str(answer.json()["reason"][0]).removeprefix("table.refused.")


# ---------------------------------------------------------------- branches of finished games


def test_play_on_from_a_step(server: Server) -> None:
    """A branch starts where the game stood, against bots, and says so; its record and its rematch
    start there too.
    """

    async def run() -> None:
        async with Person(server) as person, Person(server) as other:
            old = await finished(person, "suleika", "me", "bot", "bot")
            game = Record.parse(await person.record(old))
            made = await branch(other, "suleika", table=old, step=40, seat=1, name="Bea")
            assert made.status_code == 200, made.text
            table = made.json()["table"]
            assert table != old
            async with other.page(table) as page:
                assert page.now["branch"] == {"table": old, "step": 40}
                assert page.now["mine"] == [1]
                assert [seat["kind"] for seat in page.seats] == ["bot", "person", "bot"]
                assert page.seats[1]["name"] == "Bea"
                assert [seat.get("level", "") for seat in page.seats] == ["random", "", "random"]
                first = page.now["lines"][0] if page.now["lines"] else None
                assert first is None or first["seq"] == 0
                await page.play(1, random.Random(1))
                result = await page.until(lambda message: message["is"] == "result")
                assert [sum(own.values()) for own in result["sources"]] == page.view["scores"]
                again = await page.ask("rematch")
                assert again["is"] == "done"
            record = Record.parse(await other.record(table))
            assert record.start == list(game.positions())[40]
            assert record.position.over
            assert verify(record).fair
            assert (
                "Not proved: what led to the position from which this game was played."
                in verify(record).lines
            )
            [card] = [each for each in (await other.lobby())["tables"] if each["table"] == table]
            assert card["branch"]
            next_table = next(m["table"] for m in page.heard if m["is"] == "rematch_ready")
            async with other.page(next_table) as page:
                assert page.now["branch"] == {"table": old, "step": 40}
            assert Record.parse(await other.record(next_table)).start == record.start
            assert [each["branch"] for each in (await person.lobby())["tables"]] == [False]

    asyncio.run(run())


def test_a_step_amid_hidden_choices_goes_back_before_them() -> None:
    """After any number of events a branch contains no secret choice, and everything else."""
    record = whole_random_game("basari", 3, {}, 5)
    positions = list(record.positions())
    went_back = 0
    for step in range(len(record.events)):
        start, found = position_after(record, step)
        assert start == positions[found]
        assert not start.has_secrets
        assert all(positions[each].has_secrets for each in range(found + 1, step + 1))
        went_back += found < step
        if found < step:
            assert start.to_json()["choices"] == [None] * 3
    assert went_back > 10
    for wrong in (-1, len(record.events) + 1, 10**20):
        with pytest.raises(RequestRefused, match="step_unknown"):
            position_after(record, wrong)
    with pytest.raises(RequestRefused, match="position_over"):
        position_after(record, len(record.events))


def test_hidden_choices_are_made_anew_and_that_is_said(server: Server) -> None:
    async def run() -> None:
        async with Person(server) as person:
            old = await finished(person, "basari", "me", "bot", "bot")
            game = Record.parse(await person.record(old))
            step = next(k for k, each in enumerate(game.positions()) if each.has_secrets)
            table = (await branch(person, "basari", table=old, step=step)).json()["table"]
            async with person.page(table) as page:
                assert page.now["branch"] == {"table": old, "step": step - 1, "back": 1}
                assert page.view["position"]["choices"] == [None] * 3

    asyncio.run(run())


def test_what_cannot_be_branched_from(server: Server) -> None:
    """Running games, unknown tables or steps, and seats for other people are refused."""

    async def run() -> None:
        async with Person(server) as person:
            old = await finished(person, "suleika", "me", "bot")
            running, _ = await person.new_table("suleika", "me", "bot")
            for begins, seats, key, status in (
                ({"table": running, "step": 0}, (), "branch_not_over", 409),
                ({"table": "x" * 16}, (), "table_unknown", 404),
                ({"table": "../etc"}, (), "table_unknown", 404),
                ({}, (), "table_unknown", 404),
                ({"table": old, "step": 10_000}, (), "step_unknown", 400),
                ({"table": old, "step": -1}, (), "step_unknown", 400),
                ({"table": old, "seat": 2}, (), "seat_unknown", 400),
                ({"table": old}, ({"who": "me"}, {"who": "link"}), "branch_seats", 400),
                ({"table": old}, ({"who": "me"}, {"who": "here"}), "branch_seats", 400),
                ({"table": old}, ({"who": "me"},), "branch_seats", 400),
                ({"table": old}, ({"who": "bot", "level": "random"},) * 2, "seat_for_me", 400),
                ({"table": old, "more": 1}, (), "unreadable", 400),
                ({"table": old, "step": 2**80}, (), "step_unknown", 400),
            ):
                answer = await branch(person, "suleika", seats, **begins)
                assert (reason(answer), answer.status_code) == (key, status), begins
            assert reason(await branch(person, "bazaar", table=old)) == "branch_not_over"
            lesson = (await person.http.post("/api/lessons", json={"game": "suleika"})).json()[
                "table"
            ]
            assert reason(await branch(person, "suleika", table=lesson)) == "branch_not_over"

    asyncio.run(run())


# ---------------------------------------------------------------- custom positions


def in_the_middle(game: str, players: int, steps: int) -> dict[str, Any]:
    dice, pos = random.Random(steps), souk.game(game).start(players=players)
    for _ in range(steps):
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0]) if pos.actors else pos.draw(dice)
    return pos.to_json()


@pytest.mark.parametrize(
    ("game", "players"), [("suleika", 2), ("basari", 3), ("basari-cards", 3), ("bazaar", 1)]
)
def test_play_on_from_a_position(server: Server, game: str, players: int) -> None:
    """Create the table with a dice share, as the page does."""
    position = in_the_middle(game, players, 12)

    async def run() -> None:
        async with Person(server) as person:
            made = await branch(person, game, position=position, seat=players - 1)
            assert made.status_code == 200, made.text
            async with person.page(made.json()["table"]) as page:
                assert page.now["branch"] == {}
                assert page.now["mine"] == [players - 1]
            record = Record.parse(await person.record(made.json()["table"]))
            assert record.start == souk.game(game).from_json(position)

    asyncio.run(run())


def test_positions_that_are_refused_name_what_is_wrong(server: Server) -> None:
    good = in_the_middle("basari", 3, 6)
    over = whole_random_game("basari", 3, {}, 5).position.to_json()
    hidden = good | {"choices": ["gems", None, None]}
    assert good["phase"] == "choose"

    async def run() -> None:
        async with Person(server) as person:
            for position, key, named in (
                (good | {"supply": [1, 2, 3]}, "position_wrong", "supply: "),
                (good | {"points": ["x", 0, 0]}, "position_wrong", "points"),
                (good | {"more": 1}, "position_wrong", "more"),
                (good | {"game": "suleika"}, "position_wrong", "game: "),
                (good | {"players": 10**30}, "position_wrong", "players: "),
                (good | {"options": {"board": "/etc/passwd"}}, "position_wrong", "options.board: "),
                (good | {"options": [1]}, "position_wrong", "options: "),
                ({}, "position_wrong", "game: "),
                (hidden, "position_secret", ""),
                (over, "position_over", ""),
            ):
                answer = await branch(person, "basari", position=position)
                assert reason(answer) == key, answer.text
                assert named in str(answer.json()["reason"][1])
            deep = (
                '{"game": "basari", "seats": [], "from": {"position": '
                + '{"a":' * 900
                + "1"
                + "}" * 902
            )
            answer = await person.http.post(
                "/api/tables", content=deep, headers={"content-type": "application/json"}
            )
            assert answer.status_code == 400
            answer = await branch(person, "basari", position=good | {"phase": "x" * 20_000})
            assert answer.status_code == 413

    asyncio.run(run())


# ---------------------------------------------------------------- storage


def test_a_branch_is_there_after_a_restart_and_is_well(tmp_path: Path) -> None:
    position = in_the_middle("suleika", 2, 30)

    async def before(server: Server) -> tuple[str, str, int]:
        async with Person(server) as person:
            table = (await branch(person, "suleika", position=position)).json()["table"]
            async with person.page(table) as page:
                while not page.view["moves"]:
                    await page.hear()
                await page.move(0, page.view["moves"][0])
                return person.cookie, table, page.seq

    async def after(server: Server, cookie: str, table: str, seq: int) -> None:
        async with Person(server, cookie) as person, person.page(table) as page:
            assert page.seq >= seq
            assert page.now["branch"] == {}
            await page.play(0, random.Random(2))
            assert Record.parse(await person.record(table)).start == souk.game("suleika").from_json(
                position
            )

    across_a_restart(tmp_path, before, after)
    with SqliteHostTools(tmp_path, Path("key")) as host:
        assert [fault for _, fault in host.check() if fault] == []
        [listed] = host.tables()
        assert "position: " in host.record(listed.id)[1]
