"""Kills the server during a hundred busy games: nothing acknowledged is lost or duplicated."""

import asyncio
import random
from pathlib import Path
from typing import NamedTuple

import websockets

from souk.games import game as find_game
from souk.server.storage.encryption import read_key
from souk.server.storage.table_reader import TableReader
from tests.server.support.clients import Person, Server, checked_server
from tests.server.support.databases import in_both, look_into

TABLES = 100
ENOUGH = 400  # acknowledged moves before the kill
GAMES = [("suleika", 3), ("basari", 3), ("basari-cards", 3), ("bazaar", 2)]


class Kept(NamedTuple):
    """Acknowledged moves of one client: seat and move by number."""

    table: str
    promised: dict[int, tuple[int, str]]


async def busy(person: Person, number: int, kept: Kept) -> None:
    """Play all seats of a table as fast as the server answers, until it is gone."""
    game, _ = GAMES[number % len(GAMES)]
    rng = random.Random(number)
    try:
        async with person.page(kept.table) as page:
            position = find_game(game).from_json(page.view["position"])
            while not page.view["over"]:
                seat = rng.choice(page.view["actors"])
                move = rng.choice(position.moves(seat)[:3])
                answer = await page.move(seat, move)
                if answer["is"] == "done":
                    kept.promised[answer["seq"]] = seat, move
                whole = page.view["position"]
                if "choose" not in whole["phase"] or not any(whole.get("ready", [])):
                    position = find_game(game).from_json(whole)
                else:
                    position.play(seat, move)
    except (websockets.ConnectionClosed, OSError):
        pass


async def play_and_kill(server: Server) -> tuple[list[Kept], str]:
    async with Person(server) as person:
        wanted = [GAMES[number % len(GAMES)] for number in range(TABLES)]
        made = [
            await person.new_table(game, "me", *["here"] * (players - 1))
            for game, players in wanted
        ]
        kept = [Kept(table, {}) for table, _ in made]
        games = asyncio.gather(*(busy(person, number, each) for number, each in enumerate(kept)))
        while sum(len(each.promised) for each in kept) < ENOUGH:
            await asyncio.sleep(0.01)
        server.kill()
        await games
        return kept, person.cookie


async def check_table(person: Person, kept: Kept, rows: list[tuple[int, int | None, str]]) -> None:
    """The log has no gap, no duplicate and every acknowledged move; its replay is the position; the
    game can go on.
    """
    assert [seq for seq, _, _ in rows] == list(range(len(rows)))
    log = {seq: (seat, text) for seq, seat, text in rows}
    for seq, (seat, move) in kept.promised.items():
        assert log[seq] == (seat, move)
    async with person.page(kept.table) as page:
        assert page.seq == len(rows) - 1
        assert [line["seq"] for line in page.now["lines"]] == list(log)
        if page.view["moves"]:
            assert (await page.move(0, page.view["moves"][0]))["is"] == "done"
            assert page.seq >= len(rows)


@in_both
def test_killed_in_the_middle_of_a_hundred_games(tmp_path: Path) -> None:
    async def check(server: Server, found: list[Kept], cookie: str) -> None:
        with look_into(tmp_path) as connection:
            reader = TableReader(connection, read_key(tmp_path / "key"))
            rows = {
                kept.table: [(row.seq, row.seat, row.text) for row in reader.events(kept.table)]
                for kept in found
            }
        async with Person(server, cookie) as person:
            await asyncio.gather(*(check_table(person, kept, rows[kept.table]) for kept in found))

    with Server(tmp_path) as server:
        found, cookie = asyncio.run(play_and_kill(server))
    assert len(found) == TABLES
    assert sum(len(kept.promised) for kept in found) >= ENOUGH
    with checked_server(tmp_path) as server:
        asyncio.run(check(server, found, cookie))
