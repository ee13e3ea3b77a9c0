"""Player statistics: correct, private, complete games only, and capped at 100."""

import asyncio
import random
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from souk.analysis.study import Balance
from souk.server.analysis.player_stats import MAX_GAMES, against, kind_of, summarise
from souk.server.analysis.storage import VERSION
from souk.server.protocol.analysis import AnalysedStep, AnalysisView, GameStats, MyStats
from souk.server.storage.sqlite_schema import connect
from tests.server.analysis.test_analysis import all_of, finished_table, study
from tests.server.support.clients import Person, Server, checked_server

MINE = Balance(0.5, 0.1, -0.25, 0.65, 1.0)


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with checked_server(tmp_path_factory.mktemp("tallies"), study_workers=1) as server:
        yield server


def step(
    seat: int | None, move: str, mark: str = "", loss: float = 0.0, kind: str = "move"
) -> AnalysedStep:
    return AnalysedStep(seat, kind, [], [], [], loss=loss, mark=mark, move=move)


def analysis_json() -> bytes:
    """Seat 0 errs in two of three trades and in a secret choice; the other seat errs more."""
    steps = [
        step(0, "trade W>BBG", "blunder", 0.12),
        step(1, "buy 1", "blunder", 0.3),
        step(None, "", kind="chance"),
    ]
    steps += [
        step(0, "trade G>RYY", "mistake", 0.06),
        step(0, "trade Y>RR"),
        step(0, "gems", "inaccuracy", 0.02, "secret"),
    ]
    return msgspec.json.encode(
        AnalysisView([0.5, 0.5], [MINE, Balance(0.5, -0.1, -0.65, 0.25, 0.0)], steps)
    )


def change_database(data: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    """Change the server's database."""
    connection = connect(data / "tables.sqlite")
    for statement in statements:
        connection.execute(*statement)
    connection.close()


def store_analysis(table: str, content: bytes) -> tuple[str, tuple[Any, ...]]:
    return "INSERT OR REPLACE INTO analyses VALUES (?, ?, ?, ?, ?)", (
        table,
        VERSION,
        150,
        9,
        zlib.compress(content),
    )


async def numbers(person: Person) -> list[GameStats]:
    answer = await person.http.get("/api/me")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=MyStats).games


async def played(person: Person, *others: str | dict[str, str]) -> tuple[str, bool]:
    """Play a game of Bazaar against bots; returns the table and whether seat 0 won."""
    async with person.page_at_new_table("bazaar", "me", *others) as page:
        await page.play(0, random.Random(3))
        return page.table, 0 in page.view["winners"]


def test_games_wins_luck_and_errors_are_counted(at: Server) -> None:
    async def ask() -> None:
        async with Person(at) as person, Person(at) as stranger:
            assert await numbers(person) == []
            table, won = await played(person, "bot")
            other, won_again = await played(person, "bot", {"who": "bot", "level": "apprentice"})
            change_database(at.data, store_analysis(table, analysis_json()))
            [card] = await numbers(person)
            assert (card.game, card.alone) == ("bazaar", False)
            assert [(one.level, one.games, one.wins) for one in card.against] == [
                ("random", 1, won),
                ("apprentice", 1, won_again),
            ]
            assert [(one.table, one.won, one.balance) for one in card.played] == [
                (table, won, MINE),
                (other, won_again, None),
            ]
            trades, secret = card.slips
            assert (trades.kind, trades.moves, trades.blunder, trades.mistake) == ("trade", 3, 1, 1)
            assert trades.lost == pytest.approx(0.18)
            assert (secret.kind, secret.moves, secret.inaccuracy) == ("secret", 1, 1)
            assert await numbers(stranger) == []
            again = await study(person, table)  # stored without accuracy
            assert again.study is not None
            assert (len(again.study.seats), again.study.accuracy) == (2, [])

    asyncio.run(ask())


def test_a_puzzle_alone_is_counted_apart_with_what_its_study_says(at: Server) -> None:
    async def ask() -> None:
        async with Person(at) as person:
            table = await finished_table(person)
            [before] = await numbers(person)
            # no analysis starts by itself
            assert (before.alone, before.played[0].balance, before.slips) == (True, None, [])
            found = await all_of(person, table)
            assert found.study is not None
            [card] = await numbers(person)
            assert card.played[0].balance == found.study.seats[0]
            assert sum(slip.moves for slip in card.slips) == sum(
                each.seat == 0 for each in found.study.steps
            )
            marks = sum(slip.inaccuracy + slip.mistake + slip.blunder for slip in card.slips)
            assert marks == sum(bool(each.mark) for each in found.study.steps)
            await person.http.post("/api/forget", json={})
            assert await numbers(person) == []

    asyncio.run(ask())


def test_only_games_that_count_and_of_those_the_newest(at: Server) -> None:
    async def ask() -> None:
        async with Person(at) as person:
            table, _ = await played(person, "bot")
            await person.new_table("suleika", "me", "bot")  # still running
            await person.http.post("/api/lessons", json={"game": "bazaar"})
            others = {"branch": "opening = 'x'", "both": "id = id", "running": "over = 0"}
            for name, change in others.items():
                change_database(
                    at.data,
                    *copies(table, name),
                    (f"UPDATE tables SET {change} WHERE id = ?", (name,)),
                )
            change_database(
                at.data,
                (
                    'UPDATE seats SET player = (SELECT player FROM seats WHERE "table" = ?'
                    ' AND seat = 0) WHERE "table" = ?',
                    (table, "both"),
                ),
            )
            change_database(
                at.data,
                (
                    "UPDATE tables SET over = 1 WHERE id IN"
                    " (SELECT \"table\" FROM seats WHERE level = 'lesson')",
                    (),
                ),
            )
            [card] = await numbers(person)
            assert [each.table for each in card.played] == [table]
            for number in range(MAX_GAMES):
                change_database(at.data, *copies(table, f"copy-{number}", later=number + 1))
            [card] = await numbers(person)
            assert [each.table for each in card.played] == [
                f"copy-{number}" for number in range(MAX_GAMES)
            ]
            change_database(at.data, store_analysis("copy-5", b"damaged"))
            [card] = await numbers(person)
            assert card.played[5].balance is None

    asyncio.run(ask())


def copies(table: str, name: str, later: int = 0) -> list[tuple[str, tuple[Any, ...]]]:
    """Statements that copy a game under another id."""
    rest = (
        "game, rules, players, options, seed, digest, created, changed, over, actors, scores,"
        " winners, rematch, seen, opening"
    )
    copied = rest.replace("changed", "changed + ?")
    seats = "seat, kind, name, level, player, stand_in"
    return [
        (
            f"INSERT INTO tables (id, {rest}) SELECT ?, {copied} FROM tables WHERE id = ?",
            (name, later, table),
        ),
        (
            f'INSERT INTO seats ("table", {seats}) SELECT ?, {seats} FROM seats WHERE "table" = ?',
            (name, table),
        ),
    ]


def test_whom_a_game_was_played_against() -> None:
    person, vizier = ("person", ""), ("bot", "vizier")
    assert against([]) == "alone"
    assert against([person, ("free", "")]) == "people"
    assert (
        against([person, ("bot", "trader"), vizier, ("bot", "vizier:quick"), ("bot", "uct")])
        == "vizier"
    )


def test_kinds_of_moves_and_studies_that_cannot_be_read() -> None:
    assert [kind_of("move", text) for text in ("rug e5 e6", "left", "", ">")] == [
        "rug",
        "left",
        "secret",
        "secret",
    ]
    assert kind_of("secret", "dice") == "secret"
    assert summarise(b"{", 0) is None
    assert summarise(analysis_json(), 2) is None
