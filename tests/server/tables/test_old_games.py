"""Tables played by other rules: viewable, with records, but not playable."""

import asyncio
import json
import sqlite3
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
import websockets

from souk.core.record import Record
from tests.server.storage.test_migrations import COOKIE, OURS, TABLES, write
from tests.server.support.clients import Person, Server, checked_server

OLD = f"UPDATE tables SET rules = 0 WHERE id {OURS}"
# Without texts, which nobody can reconstruct for unknown rules.
UNREAD = f"""UPDATE events SET text = 'fly away', told = X'' WHERE kind = 'move' AND seq > 3
    AND "table" = '{TABLES["bazaar"]}'"""


def at_old_tables(
    folder: Path, work: Callable[[Server, Person], Awaitable[None]], *changes: str
) -> None:
    """A server whose tables were all played by rules of version 0."""
    write(folder, OLD, *changes)

    async def run(server: Server) -> None:
        async with Person(server, COOKIE) as person:
            await work(server, person)

    with checked_server(folder) as server:
        asyncio.run(run(server))


async def first_message(server: Server, table: str) -> tuple[dict[str, Any], int]:
    """The first messages of a socket, and its close code."""
    address = f"ws://{server.address}/api/tables/{table}/socket"
    async with websockets.connect(
        address, additional_headers={"cookie": f"souk={COOKIE}"}
    ) as socket:
        found = json.loads(await asyncio.wait_for(socket.recv(), 20))
        await asyncio.wait_for(socket.wait_closed(), 20)
        assert socket.close_code is not None
        return found, socket.close_code


@pytest.mark.parametrize("game", TABLES)
def test_a_table_that_still_replays_is_shown_and_marked(tmp_path: Path, game: str) -> None:
    async def work(_server: Server, person: Person) -> None:
        async with person.page(TABLES[game]) as page:
            assert page.now["old"]
            assert (page.now["mine"], page.now["seat"]) == ([], -1)
            assert page.view["moves"] == []
            assert len(page.now["lines"]) == page.seq + 1

    at_old_tables(tmp_path, work)


def test_it_cannot_be_played_on_and_the_refusal_says_why(tmp_path: Path) -> None:
    async def work(_server: Server, person: Person) -> None:
        async with person.page(TABLES["basari"]) as page:
            before = page.seq
            for command in (
                {"do": "move", "seat": 1, "move": "gems", "after": before},
                {"do": "take_back", "seat": 0, "after": before},
                {"do": "stand_in", "seat": 0, "level": "random"},
                {"do": "check_legality", "seat": 1, "move": "gems"},
                {"do": "rematch"},
            ):
                answer = await page.ask(**command)
                assert (answer["is"], answer["reason"][0]) == (
                    "refused",
                    "table.refused.other_rules",
                )
            assert (await page.ask("ping"))["is"] == "pong"
        answer = await person.sit(TABLES["basari"], "whatever")
        assert (answer.status_code, answer.json()["reason"][0]) == (
            409,
            "table.refused.other_rules",
        )

    at_old_tables(tmp_path, work)


def test_the_lobby_marks_it(tmp_path: Path) -> None:
    async def work(_server: Server, person: Person) -> None:
        cards = (await person.lobby())["tables"]
        assert {card["game"]: card["old"] for card in cards} == {
            game: game != "suleika" for game in TABLES
        }  # a game of today's rules

    at_old_tables(tmp_path, work, f"UPDATE tables SET rules = 1 WHERE id = '{TABLES['suleika']}'")


@pytest.mark.parametrize("game", TABLES)
def test_its_record_names_its_own_rules(tmp_path: Path, game: str) -> None:
    records: list[str] = []

    async def work(_server: Server, person: Person) -> None:
        records.append(await person.record(TABLES[game]))

    at_old_tables(tmp_path, work)
    with pytest.raises(ValueError, match="played with rules version '0'"):
        Record.parse(records[0])
    (tmp_path / "today").mkdir()
    write(tmp_path / "today")

    async def look(server: Server) -> str:
        async with Person(server, COOKIE) as person:
            return await person.record(TABLES[game])

    with Server(tmp_path / "today") as server:
        todays = asyncio.run(look(server))
    assert _without_checks(records[0]) == _without_checks(todays).replace(
        "rules: 1\n", "rules: 0\n"
    )


def _without_checks(record: str) -> str:
    """A record without the checksums at the ends of lines."""
    return "".join(f"{line.rpartition('#')[0].rstrip()}\n" for line in record.splitlines())


@pytest.mark.parametrize("rules", [0, 1])
def test_moves_that_the_rules_no_longer_read_are_told_in_words(tmp_path: Path, rules: int) -> None:
    """Includes tables of today's version with damaged rows."""
    table = TABLES["bazaar"]
    write(tmp_path, f"UPDATE tables SET rules = {rules} WHERE id {OURS}", UNREAD)

    async def work(server: Server) -> None:
        found, code = await first_message(server, table)
        assert (found["is"], found["game"], found["rules"], code) == ("old", "bazaar", rules, 4404)
        assert (found["over"], found["scores"], found["winners"]) == (True, [5], [0])
        assert found["lines"][-1]["told"] == [
            ["told.core.moves", {"move": "fly away", "who": {"seat": 0}}]
        ]
        async with Person(server, COOKIE) as person:
            record = await person.record(table)
            assert "fly away" in record
            assert f"rules: {rules} " in record
            assert "end: scores 5, won by 0" in record
            assert (await person.http.get(f"/api/tables/{table}/aside")).status_code == 409
            assert (await person.sit(table, "whatever")).status_code == 409
            assert (await person.http.get("/api/lobby")).status_code == 200

    with Server(tmp_path) as server:
        asyncio.run(work(server))
        assert server.stop() == 0
        assert bool(server.troubles) == (rules == 1)  # only damage is logged


def test_a_game_that_is_no_longer_here_is_told_in_words(tmp_path: Path) -> None:
    async def work(server: Server, person: Person) -> None:
        found, _ = await first_message(server, TABLES["suleika"])
        assert (found["is"], found["game"]) == ("old", "senet")
        assert "game: senet" in await person.record(TABLES["suleika"])
        assert any(
            card["game"] == "senet" and card["old"] for card in (await person.lobby())["tables"]
        )

    at_old_tables(
        tmp_path, work, f"UPDATE tables SET game = 'senet' WHERE id = '{TABLES['suleika']}'"
    )


def test_the_file_is_not_touched_by_looking(tmp_path: Path) -> None:
    async def work(server: Server, _person: Person) -> None:
        await first_message(server, TABLES["bazaar"])

    at_old_tables(tmp_path, work, UNREAD)
    connection = sqlite3.connect(tmp_path / "tables.sqlite")
    assert connection.execute(f"SELECT DISTINCT rules FROM tables WHERE id {OURS}").fetchall() == [
        (0,)
    ]
    connection.close()
