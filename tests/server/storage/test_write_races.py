"""Races for the next event number, within one server and between two on one database."""

import asyncio
from pathlib import Path

import pytest

from tests.server.support.clients import (
    Person,
    Server,
    page_at_new_table,
    two_pages,
    watch_whose_turn_it_is,
)
from tests.server.support.databases import in_both


def test_two_clients_race_for_the_same_number(server: Server) -> None:
    async def race() -> None:
        async with two_pages(server) as (one, two):
            for _ in range(10):
                seat = await watch_whose_turn_it_is(one, two)
                after, moves = one.seq, one.view["moves"]
                both = one.move(seat, moves[0], after), two.move(seat, moves[-1], after)
                answers = await asyncio.gather(*both)
                assert sorted(answer["is"] for answer in answers) == ["done", "refused"]
                refused = next(answer for answer in answers if answer["is"] == "refused")
                assert refused["reason"][0] == "table.refused.stale"
                done = next(answer for answer in answers if answer["is"] == "done")
                winner = one if answers[0]["is"] == "done" else two
                [event] = [
                    event for event in winner.events if event["seq"] == done["seq"] == after + 1
                ]
                assert event["move"] == (moves[0] if winner is one else moves[-1])

    asyncio.run(race())


def test_one_page_says_the_same_twice(server: Server) -> None:
    """A command repeated after a dropped connection is executed once."""

    async def repeat() -> None:
        async with page_at_new_table(server, "basari", "me", "here", "here") as page:
            for number in (1, 2):
                await page.say(
                    {"do": "move", "id": number, "seat": 0, "after": -1, "move": "arch 1"}
                )
            first = await page.until(lambda message: message.get("id") == 1)
            second = await page.until(lambda message: message.get("id") == 2)
            assert (first["is"], second["is"]) == ("done", "refused")
            assert page.seq == 0

    asyncio.run(repeat())


@in_both
def test_two_servers_cannot_both_write_a_number(tmp_path: Path) -> None:
    """The slower server refuses, loads the other's event and shows it."""

    async def race(first: Server, second: Server) -> None:
        async with Person(first) as person:
            table, _ = await person.new_table("suleika", "me", "here")
            same_person = Person(second, person.cookie)
            async with same_person, person.page(table) as one, same_person.page(table) as two:
                assert (await one.move(0, "left"))["is"] == "done"
                refused = await two.move(0, "right")
                assert refused["reason"][0] == "table.refused.stale"
                assert two.view["position"] == one.view["position"]
                assert two.seq == one.seq
                done = await two.move(0, two.view["moves"][0])
                assert done["is"] == "done"
                assert (await one.move(0, one.view["moves"][-1]))["is"] == "refused"
                assert one.view["position"] == two.view["position"]

    with Server(tmp_path) as first, Server(tmp_path) as second:
        asyncio.run(race(first, second))
        assert (first.stop(), second.stop()) == (0, 0)
        assert not first.troubles + second.troubles


@pytest.mark.parametrize("game", ["basari", "basari-cards"])
def test_secret_choices_at_the_same_moment_are_all_taken(server: Server, game: str) -> None:
    from tests.server.tables.test_tables import to_the_choice

    async def choose() -> None:
        async with Person(server) as person:
            table = await to_the_choice(person, game)
            pages = [person.page(table, seat=seat) for seat in range(3)]
            async with pages[0] as a, pages[1] as b, pages[2] as c:
                last = a.seq
                answers = await asyncio.gather(
                    *(
                        page.move(seat, page.view["moves"][0], last)
                        for seat, page in enumerate((a, b, c))
                    )
                )
                assert [answer["is"] for answer in answers] == ["done"] * 3
                assert sorted(answer["seq"] for answer in answers) == [last + 1, last + 2, last + 3]

    asyncio.run(choose())
