"""No engine help in running games: not through custom positions, branches, or records with a
made-up end.
"""

import asyncio
import random
from typing import Any

import httpx

import souk
from souk.core.record import Record
from tests.server.ratings.test_ratings import play_on, rated
from tests.server.support.clients import Page, Person, Server
from tests.server.support.event_people import Guest, tables_of

FAR = 12  # moves of each player, after which no other game of Suleika looks alike
NONE = "none"


def reason(answer: httpx.Response) -> str:
    """The reason of a refusal, or "none"."""
    said = answer.json().get("reason") or answer.json().get("fault") or ["x." + NONE]
    return str(said[0]).rpartition(".")[2]


async def advise(person: Person, position: dict[str, Any]) -> str:
    turn = position.get("turn") or 0
    wish = {"game": position["game"], "position": position, "seat": turn}
    return reason(await person.http.post("/api/positions/advise", json=wish))


async def begin_at(person: Person, position: dict[str, Any]) -> httpx.Response:
    wish = {"game": position["game"], "seats": [], "from": {"position": position}}
    return await person.http.post("/api/tables", json=wish)


async def study(person: Person, record: Record) -> str:
    return reason(await person.http.post("/api/studies", json={"record": str(record)}))


def another(game: str = "suleika", players: int = 2) -> dict[str, Any]:
    """A position in the middle of another game."""
    record, rng = souk.Record(game, players), random.Random(7)
    while len(record.events) < 40 or not record.position.actors:
        now = record.position
        record.play(
            now.actors[0], rng.choice(now.moves(now.actors[0]))
        ) if now.actors else record.draw(rng)
    return record.position.to_json()


async def with_an_end(person: Person, table: str) -> Record:
    """The record of a running game, with any end."""
    record, rng = Record.parse(await person.record(table)), random.Random(3)
    fresh = Record(record.game.name, record.start.players, **record.start.options)
    for seat, text in record.events:
        fresh.resolve(text) if seat is None else fresh.play(seat, text)
    while not (now := fresh.position).over:
        fresh.play(
            now.actors[0], rng.choice(now.moves(now.actors[0]))
        ) if now.actors else fresh.draw(rng)
    return fresh


async def newest(pages: list[Page]) -> dict[str, Any]:
    """The public position."""
    for page in pages:
        await page.ask("ping")
    return dict(max(pages, key=lambda page: page.seq).view["position"])


def test_whoever_plays_a_rated_game_gets_no_advice_on_that_game(any_server: Server) -> None:
    async def run() -> None:
        async with (
            Person(any_server) as stranger,
            rated(any_server, 2) as (table, (host, guest), pages),
        ):
            await play_on(pages, FAR)
            there, elsewhere = await newest(pages), another()
            for person in (host, guest):
                assert await advise(person, there) == "advice_counts"
                assert await advise(person, elsewhere) == "advice_counts"
                for position in (there, elsewhere):
                    assert reason(await begin_at(person, position)) == "advice_counts"
                assert await study(person, await with_an_end(person, table)) == "advice_counts"
            assert await advise(host, another("bazaar")) == NONE
            assert await advise(stranger, elsewhere) == NONE
            assert (await pages[1].ask("resign"))["is"] == "done"
            for person in (host, guest):
                assert await advise(person, there) == NONE

    asyncio.run(run())


def test_hints_at_a_table_from_a_position_stop_when_a_rated_game_begins(server: Server) -> None:
    async def run() -> None:
        async with Person(server) as host, Person(server) as guest:
            own = (await begin_at(host, another())).json()["table"]
            async with host.page(own) as page:
                await page.until_so(lambda: bool(page.view["moves"]))
                seat = page.view["actors"][0]
                assert (await page.ask("hint", seat=seat, after=page.seq))["is"] == "advice"
                seats = [{"who": "me"}, {"who": "open"}]
                wish = {
                    "game": "suleika",
                    "seats": seats,
                    "rated": True,
                    "clock": {"kind": "move", "seconds": 600.0},
                }
                table = (await host.http.post("/api/tables", json=wish)).json()["table"]
                assert (await page.ask("hint", seat=seat, after=page.seq))["is"] == "advice"
                assert (await guest.sit(table, "")).status_code == 200
                async with host.page(table) as rated_page:
                    await rated_page.until_begun()
                    for do, more in (("hint", {}), ("check_move", {"move": page.view["moves"][0]})):
                        answer = await page.ask(do, seat=seat, after=page.seq, **more)
                        assert answer["reason"][0] == "table.refused.advice_counts"

    asyncio.run(run())


def test_the_position_of_an_unrated_table_is_asked_about_at_that_table(any_server: Server) -> None:
    """Disguises (other options, a coin more, renumbered rugs) do not help; all other positions are
    free.
    """

    async def run() -> None:
        async with Person(any_server) as host, Person(any_server) as guest:
            table, invitations = await host.new_table("suleika", "me", "link")
            assert (await guest.sit(table, invitations["1"])).status_code == 200
            async with host.page(table) as one, guest.page(table) as two:
                await one.until_begun()
                await two.until_begun()
                assert await advise(host, await newest([one, two])) == NONE  # it has hardly begun
                await play_on([one, two], FAR)
                there = await newest([one, two])
                rich = [there["money"][0] + 1, there["money"][1] - 1]
                first = 1 - there["options"]["first"]
                disguised = [
                    there,
                    there | {"options": there["options"] | {"turn_at_end": True, "first": first}},
                    there | {"money": rich},
                    there
                    | {"board": [[_renamed(field) for field in row] for row in there["board"]]},
                ]
                for position in disguised:
                    assert await advise(host, position) == "advice_running"
                    assert reason(await begin_at(guest, position)) == "advice_running"
                assert await study(guest, await with_an_end(guest, table)) == "advice_running"
                elsewhere = another()
                assert await advise(host, elsewhere) == NONE
                assert (await begin_at(host, elsewhere)).status_code == 200
                assert (await one.ask("resign"))["is"] == "done"
                assert await advise(host, there) == NONE

    asyncio.run(run())


def _renamed(field: str) -> str:
    """Swap the numbers of a colour's first two rugs."""
    return field[:1] + {"1": "2", "2": "1"}.get(field[1:], field[1:])


def test_the_position_of_a_game_on_the_ladder_is_asked_about_there(server: Server) -> None:
    """A table where the coach may be asked notes that. Games from custom positions are on no
    ladder.
    """

    async def run() -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "bot", first=0)
            async with person.page(table) as page:
                await page.play(0, random.Random(1), moves=2 * FAR)
                there = await newest([page])
                assert await advise(person, there) == "advice_running"
                assert reason(await begin_at(person, there)) == "advice_running"
                await page.until_so(lambda: bool(page.view["moves"]))
                assert (await page.ask("hint", seat=0, after=page.seq))["is"] == "advice"
            elsewhere = another()
            own = (await begin_at(person, elsewhere)).json()["table"]
            async with person.page(own) as page:
                assert await advise(person, elsewhere) == NONE

    asyncio.run(run())


def test_whoever_plays_at_an_event_gets_no_advice_on_that_game(server: Server) -> None:
    async def run() -> None:
        async with Guest(server) as host, Guest(server) as ann:
            event = await host.open_event("swiss", 2, "suleika", bots=3, pause=None)
            number = await ann.enter(event, "Ann")
            await host.start(event)
            now = await ann.until(event, lambda now: all(each["table"] for each in tables_of(now)))
            [mine] = [each["table"] for each in tables_of(now) if number in each["seats"]]
            async with ann.page(mine) as page:
                await page.begin()
                assert await advise(ann, another()) == "advice_counts"
                assert await advise(host, another()) == NONE
            assert (await host.control(event, "delete")).status_code == 200

    asyncio.run(run())
