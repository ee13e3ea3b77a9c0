"""Whole games over real sockets, up to result and record."""

import asyncio
import random

import msgspec
import pytest

from souk.core.record import Record
from souk.server.dice.fair_dice import verify
from tests.server.support.clients import Page, Person, Server

GAMES = [
    ("suleika", 2),
    ("suleika", 4),
    ("basari", 3),
    ("basari-cards", 4),
    ("bazaar", 1),
    ("bazaar", 3),
]


def check_ending(page: Page, result: dict[str, object], record: str) -> None:
    """The result adds up, and the record has the same events with fair dice."""
    assert [sum(each.values()) for each in result["sources"]] == page.view["scores"]  # type: ignore[attr-defined]
    told = Record.parse(record)
    assert told.position.over
    assert told.position.scores == page.view["scores"]
    assert list(told.position.winners) == page.view["winners"]
    assert verify(told).fair
    numbers = [event["seq"] for event in page.events]
    assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
    facts = [msgspec.json.decode(msgspec.json.encode(each)) for each in told.facts()]
    assert [event["facts"] for event in page.events] == [facts[number] for number in numbers]


async def result_of(page: Page) -> dict[str, object]:
    found = [message for message in page.heard if message["is"] == "result"]
    return found[0] if found else await page.until(lambda message: message["is"] == "result")


@pytest.mark.parametrize(("game", "players"), GAMES)
def test_a_whole_game_against_bots(server: Server, game: str, players: int) -> None:
    async def play() -> None:
        async with Person(server) as person:
            table, _ = await person.new_table(game, "me", *["bot"] * (players - 1))
            async with person.page(table) as page:
                await page.play(0, random.Random(1))
                check_ending(page, await result_of(page), await person.record(table))
            [card] = [each for each in (await person.lobby())["tables"] if each["table"] == table]
            assert (card["over"], card["scores"]) == (True, page.view["scores"])

    asyncio.run(play())


@pytest.mark.parametrize(
    ("game", "players"), [("suleika", 3), ("basari", 4), ("basari-cards", 3), ("bazaar", 2)]
)
def test_a_whole_game_among_people(server: Server, game: str, players: int) -> None:
    """Each player has a browser; a spectator sees the same public facts."""

    async def sit_and_play(table: str, secret: str, seat: int) -> Page:
        async with Person(server) as guest:
            assert (await guest.sit(table, secret, f"Guest {seat}")).json() == {
                "table": table,
                "seat": seat,
            }
            async with guest.page(table) as page:
                assert (page.now["seat"], page.now["mine"]) == (seat, [seat])
                await page.play(seat, random.Random(seat))
                await result_of(page)
                return page

    async def look_on(table: str) -> Page:
        async with Person(server) as spectator, spectator.page(table) as page:
            assert (page.now["seat"], page.now["mine"]) == (-1, [])
            await result_of(page)
            return page

    async def play() -> None:
        async with Person(server) as host:
            table, invitations = await host.new_table(game, "me", *["link"] * (players - 1))
            async with host.page(table) as page:
                others = [
                    sit_and_play(table, secret, int(seat)) for seat, secret in invitations.items()
                ]
                work = asyncio.gather(look_on(table), *others, page.play(0, random.Random(0)))
                spectator, *guests = (await work)[:-1]
                check_ending(page, await result_of(page), await host.record(table))
            assert all(not event["view"]["moves"] for event in spectator.events)
            for other in (*guests, spectator):
                assert other.view["scores"] == page.view["scores"]

    asyncio.run(play())
