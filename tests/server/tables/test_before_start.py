"""Tables before the start: open seats, starting, leaving, cancelling, resigning, and players'
lists.
"""

import asyncio
import random
import re
from contextlib import AbstractAsyncContextManager
from html import unescape
from pathlib import Path
from typing import Any

import souk
from souk.server.lobby.my_tables import PAGE_SIZE
from souk.server.protocol import lobby as lobby_protocol
from tests.server.cluster.test_two_servers import ANN, BEN, invited, open_services
from tests.server.support.clients import Page, Person, Server, several, watch_whose_turn_it_is
from tests.server.support.databases import look_into


def reason(answer: dict[str, Any]) -> str:
    """The reason of a refusal."""
    assert answer.get("is", "refused") == "refused", answer
    return str(answer["reason"][0]).removeprefix("table.refused.")


def people(server: Server, count: int) -> AbstractAsyncContextManager[list[Person]]:
    return several(Person, server, count)


async def together(host: Person, friend: Person, *seats: str) -> str:
    """A Basari table at which both sit."""
    table, _ = await host.new_table("basari", *seats)
    assert (await friend.sit(table, "", "Ben")).status_code == 200
    return table


async def kinds(page: Page) -> list[str]:
    """The seats as the server shows them now."""
    now = await page.watch(None, page.seq)
    return ["open" if seat.get("open") else str(seat["kind"]) for seat in now["seats"]]


def test_whoever_comes_first_by_the_address_sits_and_two_never_share_a_seat(
    any_server: Server,
) -> None:
    async def crowd() -> None:
        async with people(any_server, 7) as (host, *guests):
            table, invitations = await host.new_table("bazaar", "me", "open", "open", "open")
            assert not invitations
            answers = await asyncio.gather(
                *(guest.sit(table, "", f"Guest {n}") for n, guest in enumerate(guests))
            )
            seated = [answer.json()["seat"] for answer in answers if answer.status_code == 200]
            assert sorted(seated) == [1, 2, 3]
            refused = {reason(answer.json()) for answer in answers if answer.status_code != 200}
            assert refused <= {"no_open_seat", "begun"}
            first = answers[0].json()["seat"] if answers[0].status_code == 200 else None
            again = await guests[0].sit(table, "", "Me again")
            assert (
                (again.json()["seat"] == first) if first is not None else (again.status_code == 409)
            )
            async with host.page(table) as page:
                await page.until_begun()
                assert [seat["kind"] for seat in page.seats] == ["person"] * 4
                assert page.now["host"] == 0
                assert len({seat["name"] for seat in page.seats}) == 4

    asyncio.run(crowd())


def test_bots_take_the_seats_that_nobody_took_when_the_host_starts(server: Server) -> None:
    async def play() -> None:
        async with people(server, 3) as (host, friend, late):
            made = await host.http.post(
                "/api/tables",
                json={
                    "game": "suleika",
                    "seats": [
                        {"who": "me", "name": "Ann"},
                        *[{"who": "open"}] * 2,
                        {"who": "link"},
                    ],
                    "fill": "apprentice",
                },
            )
            table, secret = made.json()["table"], made.json()["invitations"]["3"]
            assert (await friend.sit(table, "", "Ben")).json()["seat"] == 1
            async with (
                host.page(table) as page,
                friend.page(table) as other,
                late.page(table) as third,
            ):
                assert page.now["fill"] == "apprentice"
                assert [seat.get("open", False) for seat in page.seats] == [
                    False,
                    False,
                    True,
                    False,
                ]
                assert reason(await other.ask("start_game")) == "not_host"
                assert reason(await third.ask("start_game")) == "not_host"
                assert reason(await other.ask("stand_in", seat=2, level="random")) == "open_seat"
                assert (await page.ask("start_game"))["is"] == "done"
                await page.until_begun()
                assert [(seat["kind"], seat.get("level", "")) for seat in page.seats[:3]] == [
                    ("person", ""),
                    ("person", ""),
                    ("bot", "apprentice"),
                ]
                assert page.seats[3]["stand_in"] == "apprentice"
                assert reason(await page.ask("start_game")) == "begun"
                assert reason((await late.sit(table, "", "Cid")).json()) == "begun"
            assert (await late.sit(table, secret, "Cid")).json()[
                "seat"
            ] == 3  # a personal link still leads to its seat

    asyncio.run(play())


def test_a_used_link_says_so_before_anybody_types_a_name(server: Server) -> None:
    async def link() -> None:
        async with people(server, 3) as (host, friend, other):
            table, invitations = await host.new_table("suleika", "me", "link")

            async def state(person: Person, secret: str) -> dict[str, Any]:
                return (
                    await person.http.post(
                        f"/api/tables/{table}/invitation", json={"secret": secret}
                    )
                ).json()

            assert await state(friend, invitations["1"]) == {"seat": 1, "state": "free"}
            assert (await friend.sit(table, invitations["1"])).status_code == 200
            assert (await state(friend, invitations["1"]))["state"] == "mine"
            assert (await state(other, invitations["1"]))["state"] == "taken"
            assert reason(await state(other, "nonsense")) == "invitation_unknown"
            assert reason((await other.sit(table, invitations["1"])).json()) == "seat_taken"

    asyncio.run(link())


def test_guests_get_up_again_and_only_the_host_cancels(any_server: Server) -> None:
    async def before_the_game() -> None:
        async with people(any_server, 4) as (host, friend, linked, stranger):
            table, invitations = await host.new_table(
                "suleika", "me", "open", "link", commitment="0" * 64
            )
            assert (await friend.sit(table, "", "Ben", "1" * 64)).status_code == 200
            async with (
                host.page(table) as page,
                friend.page(table) as other,
                stranger.page(table) as third,
            ):
                assert await kinds(page) == ["person", "person", "free"]
                assert [share["seat"] for share in page.dice["shares"]] == [0, 1]
                assert reason(await page.ask("leave_table")) == "host_leaves"
                for each in (other, third):
                    assert reason(await each.ask("cancel_table")) == "not_host"
                assert reason(await third.ask("leave_table")) == "not_your_table"
                assert (await other.ask("leave_table"))["is"] == "done"
                assert await kinds(page) == ["person", "open", "free"]
                assert [share["seat"] for share in page.dice["shares"]] == [0]
                assert not (await friend.lobby())["tables"]
                assert reason(await other.ask("leave_table")) == "not_your_table"
                assert (await stranger.sit(table, "", "Cid")).json()["seat"] == 1
                assert (await linked.sit(table, invitations["2"], "Dee")).json()["seat"] == 2
                for each in (page, third):
                    await each.until(
                        lambda message: message["is"] == "dice" and message["dice"]["closed"]
                    )
                    assert reason(await each.ask("leave_table")) == "begun"
                assert reason(await page.ask("cancel_table")) == "begun"

    asyncio.run(before_the_game())


def test_nobody_sits_down_and_gets_up_for_ever(server: Server) -> None:
    async def restless() -> None:
        async with people(server, 2) as (host, friend):
            table, _ = await host.new_table("suleika", "me", "open", "open", commitment="0" * 64)
            async with friend.page(table) as page:
                for _ in range(60):
                    sat = await friend.sit(table, "", "Ben", "1" * 64)
                    if sat.status_code != 200 or (await page.ask("leave_table"))["is"] != "done":
                        break
            assert sat.status_code == 409
            assert reason(sat.json()) == "restless"

    asyncio.run(restless())


def test_a_cancelled_table_is_gone_for_everybody(server: Server) -> None:
    async def cancelled() -> None:
        async with people(server, 2) as (host, friend):
            table = await together(host, friend, "me", "open", "open")
            async with host.page(table) as page, friend.page(table) as other:
                assert (await page.ask("cancel_table"))["is"] == "done"
                told = await other.until(lambda message: message["is"] == "refused")
                assert (reason(told), told["id"]) == ("cancelled", None)
                assert reason(await other.ask("leave_table")) == "deleted"
            assert reason((await friend.sit(table, "", "Ben")).json()) == "table_unknown"
            assert not (await host.lobby())["tables"]
            assert not (await friend.lobby())["tables"]

    asyncio.run(cancelled())


def test_cancelling_and_sitting_down_at_the_same_moment(any_server: Server) -> None:
    """Either the guest sits and hears of the cancellation, or the table is gone; nothing remains of
    it.
    """

    async def race() -> None:
        async with people(any_server, 2) as (host, friend):
            for _ in range(8):
                table, _ = await host.new_table("suleika", "me", "open", commitment="0" * 64)
                async with host.page(table) as page:
                    said, sat = await asyncio.gather(
                        page.ask("cancel_table"), friend.sit(table, "", "Ben")
                    )
                    if said["is"] == "done":
                        assert sat.status_code in (200, 404)
                        assert (
                            await host.http.get(f"/api/tables/{table}/record")
                        ).status_code == 404
                    else:
                        assert reason(said) == "begun"
                        assert sat.status_code == 200

    asyncio.run(race())
    with look_into(any_server.data) as file:
        for part in ("seats", "dice", "events", "hidden"):
            left = f'SELECT count(*) FROM {part} WHERE "table" NOT IN (SELECT id FROM tables)'
            assert file.execute(left).fetchone() == (0,), part


def test_a_table_that_is_cancelled_as_it_begins_is_let_go(tmp_path: Path) -> None:
    """A table that cannot start is not retried for ever, which would use a whole core."""

    async def race() -> None:
        async with open_services(tmp_path) as services:
            made = await invited(services)
            table = await services.tables.pin(made.table)
            await services.table_factory.sit_down(
                made.table, lobby_protocol.TakeSeat(made.invitations[1], "Ben"), BEN
            )
            await services.waiting_tables.cancel(table, ANN)
            services.due_work.run(table)  # as when a page comes or goes
            assert table.deleted
            assert table.is_complete()
            for _ in range(1000):
                if not services.due_work._tasks:
                    return
                await asyncio.sleep(0.001)
            raise AssertionError("it is still about to begin")

    asyncio.run(race())


def test_who_resigns_is_played_for_and_looks_on(any_server: Server) -> None:
    async def game() -> str:
        async with people(any_server, 2) as (host, friend):
            table = await together(host, friend, "me", "open", "bot")
            async with host.page(table) as page, friend.page(table) as other:
                for each in (page, other):
                    await each.until_begun()
                assert (
                    await host.http.post(f"/api/tables/{table}/hide", json={"hidden": True})
                ).status_code == 409
                assert (await other.ask("resign"))["is"] == "done"
                assert other.view.get("moves", []) == []
                assert other.now["mine"] == [1]
                assert (await other.watch(None, other.seq))["mine"] == []
                assert reason(await other.move(1, "arch 3")) == "not_your_seat"
                await other.say(
                    {"do": "watch", "version": page.now["version"], "seat": 1, "after": -1}
                )
                assert (
                    reason(await other.until(lambda message: message["is"] == "refused"))
                    == "not_your_seat"
                )
                assert reason(await other.ask("resign")) == "not_your_table"
                await page.until(
                    lambda message: message["is"] == "seats" and message["seats"][1].get("resigned")
                )
                assert page.seats[1]["stand_in"] == "random"
                await page.play(0, random.Random(3))
                mine, theirs = (
                    (await host.lobby())["tables"][0],
                    (await friend.lobby())["tables"][0],
                )
                assert (mine["resigned"], theirs["resigned"], theirs["mine"]) == (False, True, [])
                assert reason(await other.ask("rematch")) == "not_your_table"
            numbers = (await friend.http.get("/api/me")).json()["games"]
            assert not any(each["won"] for card in numbers for each in card["played"])
            return await host.record(table)

    text = asyncio.run(game())
    assert re.search(r"^resigned 1: \d+ ", text, re.MULTILINE)
    record = souk.Record.parse(text)
    assert list(record.resigned) == [1]
    assert str(record) == text


def test_a_secret_choice_of_the_bot_that_plays_on_is_not_shown_to_who_resigned(
    server: Server,
) -> None:
    async def game() -> None:
        async with people(server, 3) as (host, friend, third):
            table, _ = await host.new_table("basari", "me", "open", "open")
            for guest in (friend, third):
                assert (await guest.sit(table, "", "Guest")).status_code == 200
            async with host.page(table) as page, friend.page(table) as other:
                await page.until_begun()
                while page.view["position"]["phase"] == "start":
                    seat = page.view["actors"][0]
                    person = (host, friend, third)[seat]
                    async with person.page(table) as own:
                        assert (await own.move(seat, own.view["moves"][0]))["is"] == "done"
                    await page.watch(None, page.seq)
                await other.watch(None, other.seq)
                other.heard.clear()
                assert (await other.ask("resign"))["is"] == "done"
                await page.until(lambda message: message["is"] == "event" and message["seat"] == 1)
                now = await other.watch(None, -1)
                assert now["view"]["position"]["ready"][1]
                assert now["view"]["position"]["choices"][1] is None
                assert all(
                    event.get("move") is None for event in other.events if event["seat"] == 1
                )

    asyncio.run(game())


def test_a_list_of_my_own_page_by_page(any_server: Server) -> None:
    async def tables() -> None:
        async with people(any_server, 2) as (person, other):
            made = [
                (await person.new_table("suleika", "me", "bot"))[0] for _ in range(PAGE_SIZE + 3)
            ]
            first = (await person.http.get("/api/tables")).json()
            rest = (await person.http.get("/api/tables", params={"after": first["next"]})).json()
            listed = [card["table"] for card in first["tables"] + rest["tables"]]
            assert (len(first["tables"]), rest["next"]) == (PAGE_SIZE, "")
            assert sorted(listed) == sorted(made)
            assert (
                await person.http.get("/api/tables", params={"after": "nonsense"})
            ).status_code == 400
            hide = f"/api/tables/{made[4]}/hide"
            assert (await other.http.post(hide, json={"hidden": True})).status_code == 403
            for hidden, count in (
                (True, PAGE_SIZE + 2),
                (True, PAGE_SIZE + 2),
                (False, PAGE_SIZE + 3),
                (True, PAGE_SIZE + 2),
            ):
                assert (await person.http.post(hide, json={"hidden": hidden})).json()[
                    "hidden"
                ] is hidden
                assert len((await person.lobby())["tables"]) == count
            async with other.page(made[4]) as page:
                assert page.view  # the address still works
            assert (await other.http.get("/api/tables")).json() == {"tables": [], "next": ""}

    asyncio.run(tables())


def test_an_address_that_is_sent_says_whose_table_it_is(server: Server) -> None:
    async def preview() -> None:
        async with people(server, 2) as (host, friend):
            seats = [{"who": "me", "name": '<b>"Ann"</b>'}, "open"]
            table, _ = await host.new_table("suleika", *seats)

            async def head(language: str, path: str = f"/t/{table}") -> str:
                answer = await friend.http.get(path, headers={"accept-language": language})
                assert answer.status_code == 200
                return answer.text.partition("</head>")[0]

            said = await head("de-AT,de;q=0.9,en;q=0.8")
            assert "<b>" not in said
            assert (
                said.count("og:title")
                == said.count("<title>")
                == said.count('name="description"')
                == 1
            )
            assert 'lädt dich ein: Suleika" />' in unescape(said)
            assert "1 Platz frei" in said
            assert f'content="http://{server.address}/previews/suleika.png"' in said
            picture = await friend.http.get("/previews/suleika.png")
            assert picture.headers["content-type"] == "image/png"
            assert len(picture.content) < 200_000
            assert (await friend.sit(table, "", "Ben")).status_code == 200
            assert "1 seat free" not in await head("en")
            for elsewhere in ("/", "/t/nosuchtable12345", f"/t/{table}/more"):
                assert "Suleika, Basari" in await head("en", elsewhere)

    asyncio.run(preview())


def test_a_turn_is_watched_by_those_who_sit(server: Server) -> None:
    """The page of somebody who takes a seat was open before and becomes a player's page."""

    async def game() -> None:
        async with people(server, 2) as (host, friend):
            table, _ = await host.new_table("suleika", "me", "open")
            async with friend.page(table) as other:
                assert other.now["mine"] == []
                assert (await friend.sit(table, "", "Ben")).status_code == 200
                await other.until(
                    lambda message: message["is"] == "seats" and message["mine"] == [1]
                )
                async with host.page(table) as page:
                    await page.until_begun()
                    await other.watch(None, -1)
                    seat = page.view["actors"][0]
                    mover = (page, other)[seat]
                    assert await watch_whose_turn_it_is(mover) == seat
                    assert (await mover.move(seat, mover.view["moves"][0]))["is"] == "done"

    asyncio.run(game())
