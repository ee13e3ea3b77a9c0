"""Tables: links, several pages, reconnecting, take-backs, stand-ins, pace."""

import asyncio
import random
import signal
from pathlib import Path
from typing import Any

import pytest
import websockets

from souk.core.record import Record
from souk.server.protocol import lobby as lobby_protocol
from souk.server.protocol.table import VERSION
from tests.server.cluster.test_two_servers import ANN, open_services
from tests.server.support.clients import (
    PATIENCE,
    Page,
    Person,
    Server,
    across_a_restart,
    host_and_guest,
    page_at_new_table,
    two_pages,
    watch_whose_turn_it_is,
)


def reason(message: dict[str, Any]) -> str:
    return str(message["reason"][0])


async def seen(page: Page, test: Any) -> None:
    """Wait until the seats of a page are as wanted."""
    while not test(page.seats):
        await page.hear()


def test_the_lobby(server: Server) -> None:
    async def visit() -> None:
        async with Person(server) as person, Person(server) as other:
            table, invitations = await person.new_table(
                "basari", {"who": "me", "name": "  Nasrin   K. "}, "link", "bot"
            )
            lobby = await person.lobby()
            _, basari, _, bazaar = lobby["games"]  # in order of introduction
            assert [game["game"] for game in lobby["games"]] == [
                "suleika",
                "basari",
                "basari-cards",
                "bazaar",
            ]
            assert [game["usual"] for game in lobby["games"]] == [4, 4, 4, 3]
            assert basari["options"]["3"] == {"board": "souk", "first": 0}
            assert set(bazaar["choices"]) == {"rates", "ware"}
            assert len(lobby["names"]) == 6  # by the figures of seats
            assert all(len(set(fitting)) == len(fitting) >= 5 for fitting in lobby["names"])
            [card] = lobby["tables"]
            assert card["table"] == table
            assert card["seats"][0] == "Nasrin K."
            assert (card["mine"], card["my_turn"], card["waiting"], card["over"]) == (
                [0],
                False,
                True,
                False,
            )
            assert list(invitations) == ["1"]
            assert (await other.lobby())["tables"] == []

    asyncio.run(visit())


def test_a_seat_is_taken_by_whoever_has_the_link(server: Server) -> None:
    async def sit() -> None:
        async with Person(server) as host, Person(server) as guest, Person(server) as late:
            table, invitations = await host.new_table("suleika", "me", "link")
            async with host.page(table) as page:
                assert page.seats[1]["kind"] == "free"
                wrong = await guest.sit(table, "no such secret")
                assert (wrong.status_code, reason(wrong.json())) == (
                    404,
                    "table.refused.invitation_unknown",
                )
                assert (await guest.sit(table, invitations["1"], "Faruk")).json()["seat"] == 1
                await seen(page, lambda seats: seats[1]["name"] == "Faruk")
                await seen(
                    page,
                    lambda seats: seats[1] == {"name": "Faruk", "kind": "person", "away": True},
                )
                async with guest.page(table):
                    await seen(page, lambda seats: "away" not in seats[1])
                await seen(page, lambda seats: seats[1].get("away"))
                assert (await guest.sit(table, invitations["1"], "Faruk")).json()[
                    "seat"
                ] == 1  # again: still there
                taken = await late.sit(table, invitations["1"], "Mallory")
                assert (taken.status_code, reason(taken.json())) == (
                    409,
                    "table.refused.seat_taken",
                )

    asyncio.run(sit())


def test_nobody_moves_for_another(server: Server) -> None:
    async def play() -> None:
        async with Person(server) as host, Person(server) as guest, Person(server) as stranger:
            table, invitations = await host.new_table("suleika", "me", "link")
            await guest.sit(table, invitations["1"])
            for person, seat in ((guest, 0), (stranger, 0), (stranger, -1), (host, 1), (host, 7)):
                async with person.page(table) as page:
                    answers = [
                        await page.move(seat, "left"),
                        await page.ask("check_legality", seat=seat, move="left"),
                        await page.ask("take_back", seat=seat, after=page.seq),
                    ]
                    assert {reason(answer) for answer in answers} == {"table.refused.not_your_seat"}
            async with stranger.page(table) as page:
                assert (
                    reason(await page.ask("stand_in", seat=1, level="random"))
                    == "table.refused.not_your_table"
                )
                assert reason(await page.ask("rematch")) == "table.refused.not_your_table"
                await page.say({"do": "watch", "version": VERSION, "seat": 0})
                assert reason(await page.hear()) == "table.refused.not_your_seat"

    asyncio.run(play())


def test_refusals_of_the_rules_name_the_clause(server: Server) -> None:
    async def play() -> None:
        async with page_at_new_table(server, "suleika", "me", "here", "bot") as page:
            asked = await page.ask("check_legality", seat=0, move="rug a1 a2")
            assert (asked["is"], asked["legal"], asked["clause"]) == ("answer", False, "S10")
            refused = await page.move(0, "rug a1 a2")
            assert (refused["is"], refused["clause"]) == ("refused", "S10")
            assert (await page.ask("check_legality", seat=0, move=" LEFT"))["legal"]
            assert page.seq == -1  # nothing has changed

    asyncio.run(play())


def test_coming_back_picks_up_where_it_was(server: Server) -> None:
    async def play() -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("bazaar", "me", "here")
            async with person.page(table) as first:
                await first.move(first.view["actors"][0], "roll")
                known = first.seq
                assert [line["seq"] for line in first.now["lines"]] == list(
                    range(first.now["seq"] + 1)
                )
            async with person.page(table, seat=1) as other:
                seat = other.view["actors"][0]
                await other.move(seat, (await position_moves(person, table, seat))[0])
                later = other.seq
            async with person.page(table, after=known) as again:
                assert again.now["seq"] == later
                assert [line["seq"] for line in again.now["lines"]] == list(
                    range(known + 1, later + 1)
                )
                assert again.now["view"]["position"] == other.view["position"]

    asyncio.run(play())


async def position_moves(person: Person, table: str, seat: int) -> list[str]:
    async with person.page(table, seat=seat) as page:
        return list(page.view["moves"])


def test_two_pages_of_a_seat_stay_in_step(server: Server) -> None:
    async def play() -> None:
        async with two_pages(server) as (one, two):
            for _ in range(3):
                seat = await watch_whose_turn_it_is(one, two)
                assert (await one.move(seat, one.view["moves"][0]))["is"] == "done"
                await two.until(
                    lambda message: message["is"] == "event" and message["seq"] == one.seq
                )
                assert one.view == two.view
                assert one.events == two.events

    asyncio.run(play())


def test_a_move_is_acknowledged_before_it_is_shown(server: Server) -> None:
    async def play() -> None:
        async with two_pages(server) as (page, _):
            for _ in range(3):
                seat = await watch_whose_turn_it_is(page)
                done = await page.move(seat, page.view["moves"][0])
                since = page.heard[page.heard.index(done) :]
                assert (
                    next(message["seq"] for message in since if message["is"] == "event")
                    == done["seq"]
                )

    asyncio.run(play())


MOST_TABLES = 5


@pytest.mark.parametrize("game", ["basari", "basari-cards"])
def test_one_person_takes_back_what_bots_have_answered(server: Server, game: str) -> None:
    """Possible until a die, card or choice is revealed; a bot's answer is undone with the move it
    answers.
    """

    async def play() -> None:
        answered = 0
        async with Person(server) as person:
            for table in range(
                MOST_TABLES
            ):  # dice decide how often a bot answers before anything comes to light
                if answered < 2:
                    answered += await once(person, random.Random(table))
        assert answered >= 2

    async def once(person: Person, rng: random.Random) -> int:
        """Play a game, taking bots' answers back twice where possible. Returns how often."""
        answered, before = 0, None
        async with person.page_at_new_table(game, "me", "bot", "bot") as page:
            await page.until_begun()
            while answered < 2 and not page.view["over"]:
                if not page.view["moves"]:
                    await page.hear()
                    continue
                if page.view.get("can_take_back") and page.events[-1]["seat"] != 0:
                    known = len(page.events)
                    assert (await page.ask("take_back", seat=0, after=page.seq))["is"] == "done"
                    backs = page.events[known:]
                    assert [bool(each["told"]) for each in backs] == [False] * (len(backs) - 1) + [
                        True
                    ]
                    assert page.view["position"] == before
                    answered += 1
                before = page.view["position"]
                raising = [move for move in page.view["moves"] if move not in ("pass", "accept")]
                await page.move(
                    0, (raising or page.view["moves"])[0 if len(raising) != 3 else rng.randrange(3)]
                )
            await page.play(0, rng)
            record = Record.parse(await person.record(page.table))
            assert record.position.over
        return answered

    asyncio.run(play())


@pytest.mark.parametrize(
    ("game", "seats"), [("suleika", ("me", "bot", "here")), ("bazaar", ("me", "bot", "here"))]
)
def test_among_several_people_nothing_goes_back_that_was_answered(
    server: Server, game: str, seats: tuple[str, ...]
) -> None:
    async def play() -> None:
        async with page_at_new_table(server, game, *seats, first=0) as page:
            await page.until_begun()
            while not (page.events and page.events[-1]["seat"] not in (0, None)):
                if page.view["moves"]:
                    await page.move(0, page.view["moves"][0])
                else:
                    await page.hear()
            answer = await page.ask("take_back", seat=0, after=page.seq)
            assert reason(answer).endswith("cannot_take_back")

    asyncio.run(play())


def test_bots_follow_the_pace_of_those_who_sit_there(tmp_path: Path) -> None:
    """The usual pause exceeds the test's patience, so bots move only at the pace "instant".
    Spectators want the opposite.
    """

    async def play(server: Server) -> None:
        async with Person(server) as person:
            slow, fast = [
                (await person.new_table("bazaar", "me", "bot", first=1))[0] for _ in range(2)
            ]
            async with (
                person.page(slow, pace="relaxed") as waiting,
                person.page(slow, seat=-1, pace="instant"),
                person.page(fast, pace="instant") as page,
                person.page(fast, seat=-1, pace="relaxed"),
            ):
                await waiting.until_begun()
                await page.until_so(lambda: bool(page.events))
                assert (await waiting.ask("ping"))["is"] == "pong"
                assert waiting.events == []

    with Server(tmp_path, pace=10 * PATIENCE) as server:
        asyncio.run(play(server))


def test_taking_back(server: Server) -> None:
    async def play() -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("basari", "me", "here", "here")
            async with person.page(table) as page:
                before = page.view
                await page.move(0, "arch 3")
                assert page.view["can_take_back"]
                done = await page.ask("take_back", seat=0, after=page.seq)
                assert done["is"] == "done"
                assert page.view == before
                assert page.events[-1]["taken_back"]
                assert reason(await page.ask("take_back", seat=0, after=page.seq)).endswith(
                    "cannot_take_back"
                )
                await page.move(0, "arch 4")
                await page.move(1, "arch 5")
                assert reason(await page.ask("take_back", seat=0, after=page.seq)).endswith(
                    "cannot_take_back"
                )
                assert (await page.ask("take_back", seat=1, after=page.seq))["is"] == "done"
                await page.move(1, "arch 6")
                await page.move(2, "arch 7")  # the dice roll
                assert "can_take_back" not in page.view
                assert reason(await page.ask("take_back", seat=2, after=page.seq)).endswith(
                    "cannot_take_back"
                )
            record = Record.parse(await person.record(table))
            assert record.events[:3] == [(0, "arch 4"), (1, "arch 6"), (2, "arch 7")]
            async with person.page(table) as page:
                backs = [line["seq"] for line in page.now["lines"] if line.get("taken_back")]
                assert backs == [1, 4]

    asyncio.run(play())


async def to_the_choice(person: Person, game: str) -> str:
    """A table where all three choose in secret; all seats belong to one person."""
    table, _ = await person.new_table(game, "me", "here", "here")
    async with person.page(table) as page:
        while page.view["position"]["phase"] != "choose":
            seat = page.view["actors"][0]
            await page.move(seat, (await position_moves(person, table, seat))[0])
    return table


def test_secret_choices(server: Server) -> None:
    """They do not outdate each other, can be taken back until somebody else chooses, and the last
    reveals all.
    """

    async def play() -> None:
        async with Person(server) as person, Person(server) as stranger:
            table = await to_the_choice(person, "basari")
            async with person.page(table, seat=0) as mine, stranger.page(table) as public:
                known = mine.seq
                assert (await mine.move(1, "gems", after=known))["is"] == "done"
                assert (await mine.move(2, "points", after=known))["is"] == "done"
                assert reason(await mine.move(1, "dice", after=known)).endswith("stale")
                assert [event["move"] for event in mine.events] == [None, None]
                assert mine.view["position"]["choices"] == [None, None, None]
                record = Record.parse(await person.record(table))
                assert record.position.to_json()["ready"] == [False, False, False]
                assert reason(await mine.ask("take_back", seat=1, after=mine.seq)).endswith(
                    "cannot_take_back"
                )
                assert (await mine.ask("take_back", seat=2, after=mine.seq))["is"] == "done"
                assert mine.events[-1]["move"] is None
                assert (await mine.move(2, "dice", after=known + 3))["is"] == "done"
                done = await mine.move(0, "gems", after=known)
                assert done["is"] == "done"
                reveal = next(event for event in mine.events if event["seq"] == done["seq"])
                assert reveal["move"] == "gems"
                assert reveal["view"]["position"]["choices"] == ["gems", "gems", "dice"]
                assert reason(await mine.ask("take_back", seat=0, after=mine.seq)).endswith(
                    "cannot_take_back"
                )
                await public.until(lambda message: message.get("seq") == mine.seq)
                assert [event["move"] for event in public.events[:4]] == [None, None, None, None]

    asyncio.run(play())


def test_a_bot_stands_in_until_the_person_returns(server: Server) -> None:
    async def play() -> None:
        async with host_and_guest(server) as (table, host, guest), host.page(table) as page:
            async with guest.page(table):
                await seen(page, lambda seats: not seats[1].get("away"))
                assert reason(await page.ask("stand_in", seat=1, level="random")).endswith(
                    "not_away"
                )
            await seen(page, lambda seats: seats[1].get("away"))
            assert reason(await page.ask("stand_in", seat=1, level="exec:true")).endswith(
                "level_unknown"
            )
            assert (await page.ask("stand_in", seat=1, level="random"))["is"] == "done"
            assert page.seats[1]["stand_in"] == "random"
            for _ in range(2):  # direction and rug; then the bot moves
                await page.move(0, page.view["moves"][0])
            while page.view["actors"] != [0]:
                await page.hear()
            assert any(event["seat"] == 1 for event in page.events)
            async with guest.page(table) as back:
                await seen(page, lambda seats: "stand_in" not in seats[1])
                assert back.now["seats"][1] == {"name": "Guest", "kind": "person"}

    asyncio.run(play())


def test_a_rematch(server: Server) -> None:
    async def play() -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("bazaar", "me", rates=[1, 2], ware="WWWRR")
            async with person.page(table) as page:
                assert reason(await page.ask("rematch")).endswith("not_over")
                while not page.view["over"]:
                    moves = page.view["moves"]
                    await page.move(
                        0, next((move for move in moves if move.startswith("buy")), moves[0])
                    )
                assert (await page.ask("rematch"))["is"] == "done"
                found = next(
                    message["table"] for message in page.heard if message["is"] == "rematch_ready"
                )
                await page.ask("rematch")
                assert [
                    message["table"] for message in page.heard if message["is"] == "rematch_ready"
                ] == [found, found]
            async with person.page(found) as page:
                assert page.now["mine"] == [0]
                assert page.view["position"]["options"] == {"rates": [1, 2], "ware": "WWWRR"}
            async with person.page(table) as page:
                assert page.now["rematch"] == found
                assert page.now["dice"]["seed"]

    asyncio.run(play())


@pytest.mark.parametrize(
    "sign", [signal.SIGTERM, signal.SIGHUP], ids=["asked to", "the terminal is closed"]
)
def test_pages_are_told_when_the_server_stops(tmp_path: Path, sign: signal.Signals) -> None:
    async def look(server: Server) -> int | None:
        async with page_at_new_table(server, "suleika", "me", "bot") as page:
            stopped = asyncio.create_task(asyncio.to_thread(server.stop, sign))
            with pytest.raises(websockets.ConnectionClosed) as closed:  # noqa: PT012
                while True:
                    await page.hear()
            assert await stopped == 0
            return closed.value.rcvd.code if closed.value.rcvd else None

    with Server(tmp_path) as server:
        assert asyncio.run(look(server)) == 1012


def test_a_table_goes_on_after_a_restart(tmp_path: Path) -> None:
    async def before(server: Server) -> tuple[str, str, Page]:
        async with (
            Person(server) as person,
            person.page_at_new_table("basari-cards", "me", "here", "bot") as page,
        ):
            await page.move(0, "A")
            return page.table, person.cookie, page

    async def after(server: Server, table: str, cookie: str, old: Page) -> None:
        async with Person(server, cookie) as person:
            async with person.page(table) as page:
                assert page.now["seq"] >= old.seq
                assert page.view["position"]["choices"][0] == "A"
                assert page.now["dice"] == old.now["dice"]
                assert (await page.move(1, "B"))["is"] == "done"
            assert [each["table"] for each in (await person.lobby())["tables"]] == [table]

    across_a_restart(tmp_path, before, after)


def test_bots_that_have_moved_for_long_hurry(tmp_path: Path) -> None:
    """Two haggling bots may make thirty moves; once a person moves the pace is normal again."""

    async def work() -> None:
        async with open_services(tmp_path) as services:
            wish = lobby_protocol.NewTable("bazaar", [lobby_protocol.SeatRequest("me")])
            made = await services.table_factory.new_table(wish, ANN, "here")
            async with services.tables.at(made.table) as table:
                pauses, person = [], table.seats[0]
                for bots in (True,) * 9 + (False,):
                    table.seats[0] = person._replace(stand_in="random" if bots else "")
                    await table.play(0, table.position.moves(0)[0], table.state.seq)
                    pauses.append(table.bot_pause(1.0))
                assert pauses == [1.0] * 7 + [0.25] * 2 + [1.0]

    asyncio.run(work())
