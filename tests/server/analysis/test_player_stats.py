"""My numbers: only mine, counted right, of games that count, and never more than a hundred."""

import asyncio
import random
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from souk.study.study import Balance
from souk.table.schema import connect
from souk.table.shelves import VERSION
from souk.table.study_protocol import GameTally, Lookback, MyNumbers, Turning
from souk.table.tallies import MOST_GAMES, against, glean, kind_of
from tests.table.clients import Person, Server
from tests.table.test_studies import all_of, finished_table, study

MINE = Balance(0.5, 0.1, -0.25, 0.65, 1.0)


@pytest.fixture(scope="module")
def at(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with Server(tmp_path_factory.mktemp("tallies"), study_workers=1) as server:
        yield server
        assert server.stop() == 0
        assert not server.troubles


def step(seat: int | None, move: str, mark: str = "", loss: float = 0.0, kind: str = "move") -> Turning:
    return Turning(seat, kind, [], [], [], loss=loss, mark=mark, move=move)


def a_study() -> bytes:
    """One in which seat 0 errs with two of three trades, and in a secret choice; and the other seat more often."""
    steps = [step(0, "trade W>BBG", "blunder", 0.12), step(1, "buy 1", "blunder", 0.3), step(None, "", kind="chance")]
    steps += [
        step(0, "trade G>RYY", "mistake", 0.06),
        step(0, "trade Y>RR"),
        step(0, "gems", "inaccuracy", 0.02, "secret"),
    ]
    return msgspec.json.encode(Lookback([0.5, 0.5], [MINE, Balance(0.5, -0.1, -0.65, 0.25, 0.0)], steps))


def kept(data: Path, *statements: tuple[str, tuple[Any, ...]]) -> None:
    """Change the file of a server."""
    connection = connect(data / "tables.sqlite")
    for statement in statements:
        connection.execute(*statement)
    connection.close()


def shelved(table: str, content: bytes) -> tuple[str, tuple[Any, ...]]:
    return "INSERT OR REPLACE INTO studies VALUES (?, ?, ?, ?, ?)", (table, VERSION, 150, 9, zlib.compress(content))


async def numbers(person: Person) -> list[GameTally]:
    answer = await person.http.get("/api/me")
    assert answer.status_code == 200, answer.text
    return msgspec.json.decode(answer.content, type=MyNumbers).games


async def played(person: Person, *others: str | dict[str, str]) -> tuple[str, bool]:
    """A game of Bazaar against bots to its end, and whether it was won."""
    async with person.page_at_new_table("bazaar", "me", *others) as page:
        await page.play(0, random.Random(3))
        return page.table, 0 in page.view["winners"]


def test_games_wins_luck_and_errors_are_counted(at: Server) -> None:
    async def ask() -> None:
        async with Person(at) as person, Person(at) as stranger:
            assert await numbers(person) == []
            table, won = await played(person, "bot")
            other, won_again = await played(person, "bot", {"who": "bot", "level": "apprentice"})
            kept(at.data, shelved(table, a_study()))
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
            again = await study(person, table)  # which was kept before there was accuracy
            assert again.study is not None
            assert (len(again.study.seats), again.study.accuracy) == (2, [])

    asyncio.run(ask())


def test_a_puzzle_alone_is_counted_apart_with_what_its_study_says(at: Server) -> None:
    async def ask() -> None:
        async with Person(at) as person:
            table = await finished_table(person)
            [before] = await numbers(person)
            assert (before.alone, before.played[0].balance, before.slips) == (
                True,
                None,
                [],
            )  # nothing is begun unasked
            found, _ = await all_of(person, table)
            assert found.study is not None
            [card] = await numbers(person)
            assert card.played[0].balance == found.study.seats[0]
            assert sum(slip.moves for slip in card.slips) == sum(each.seat == 0 for each in found.study.steps)
            marks = sum(slip.inaccuracy + slip.mistake + slip.blunder for slip in card.slips)
            assert marks == sum(bool(each.mark) for each in found.study.steps)
            await person.http.post("/api/forget", json={})
            assert await numbers(person) == []

    asyncio.run(ask())


def test_only_games_that_count_and_of_those_the_newest(at: Server) -> None:
    async def ask() -> None:
        async with Person(at) as person:
            table, _ = await played(person, "bot")
            await person.new_table("suleika", "me", "bot")  # not over
            await person.http.post("/api/lessons", json={"game": "bazaar"})
            others = {"branch": "opening = 'x'", "both": "id = id", "running": "over = 0"}
            for name, change in others.items():
                kept(at.data, *copies(table, name), (f"UPDATE tables SET {change} WHERE id = ?", (name,)))
            kept(
                at.data,
                (
                    'UPDATE seats SET player = (SELECT player FROM seats WHERE "table" = ? AND seat = 0) WHERE "table" = ?',
                    (table, "both"),
                ),
            )
            kept(
                at.data,
                ("UPDATE tables SET over = 1 WHERE id IN (SELECT \"table\" FROM seats WHERE level = 'lesson')", ()),
            )
            [card] = await numbers(person)
            assert [each.table for each in card.played] == [table]
            for number in range(MOST_GAMES):
                kept(at.data, *copies(table, f"copy-{number}", later=number + 1))
            [card] = await numbers(person)
            assert [each.table for each in card.played] == [f"copy-{number}" for number in range(MOST_GAMES)]
            kept(at.data, shelved("copy-5", b"damaged"))
            [card] = await numbers(person)
            assert card.played[5].balance is None

    asyncio.run(ask())


def copies(table: str, name: str, later: int = 0) -> list[tuple[str, tuple[Any, ...]]]:
    """The same game once more, under another name."""
    rest = "game, rules, players, options, seed, digest, created, changed, over, actors, scores, winners, rematch, seen, opening"
    return [
        (f"INSERT INTO tables (id, {rest}) SELECT ?, {rest.replace('changed', 'changed + ?')} FROM tables WHERE id = ?", (name, later, table)),
        ('INSERT INTO seats ("table", seat, kind, name, level, player, stand_in) SELECT ?, seat, kind, name, level, player, stand_in FROM seats WHERE "table" = ?', (name, table)),
    ]  # fmt: skip


def test_whom_a_game_was_played_against() -> None:
    person, vizier = ("person", ""), ("bot", "vizier")
    assert against([]) == "alone"
    assert against([person, ("free", "")]) == "people"
    assert against([person, ("bot", "trader"), vizier, ("bot", "vizier:quick"), ("bot", "uct")]) == "vizier"


def test_kinds_of_moves_and_studies_that_cannot_be_read() -> None:
    assert [kind_of("move", text) for text in ("rug e5 e6", "left", "", ">")] == ["rug", "left", "secret", "secret"]
    assert kind_of("secret", "dice") == "secret"
    assert glean(b"{", 0) is None
    assert glean(a_study(), 2) is None
