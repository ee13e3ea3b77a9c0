"""Meeting people: the public lobby, matchmaking, invitations and forbidden words."""

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets

from tests.cli.test_cli import souk
from tests.server.net.test_fuzz import nonsense
from tests.server.support.clients import PATIENCE, Hearer, Person, Server, checked_server
from tests.server.support.event_people import terms
from tests.server.support.push_service import PushService, Subscribed
from tests.server.tables.test_before_start import people, reason

WORDS = "badword\n*anywhere*\nbegin*\n# only a remark\nWörd\n"


@pytest.fixture(scope="module")
def clock(tmp_path_factory: pytest.TempPathFactory) -> Path:
    file = tmp_path_factory.mktemp("house") / "time"
    file.write_text("1000")
    return file


@pytest.fixture(scope="module")
def public(tmp_path_factory: pytest.TempPathFactory, clock: Path) -> Iterator[Server]:
    """A public server with forbidden words, whose clock the test sets."""
    words = clock.with_name("words")
    words.write_text(WORDS)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("SOUK_TIME", str(clock))
        flags = {
            "public_lobby": None,
            "forbidden": words,
            "dice_time": 1,
            "push_local": None,
            "grace": 1,
        }
        with checked_server(
            tmp_path_factory.mktemp("public"), program="tests.server.support.fake_time", **flags
        ) as found:
            yield found


class LobbyPage(Hearer):
    """A page in the lobby."""

    def __init__(self, socket: Any) -> None:
        self.socket, self.heard, self._ids = socket, list[dict[str, Any]](), 0
        self.board: dict[str, dict[str, Any]] = {}
        self.counts: dict[str, Any] = {}

    async def hear(self) -> dict[str, Any]:
        message: dict[str, Any] = json.loads(await asyncio.wait_for(self.socket.recv(), PATIENCE))
        self.heard.append(message)
        board = (
            message.get("board")
            if message["is"] == "hello"
            else message
            if message["is"] == "board"
            else None
        )
        if board:
            for name in board.get("gone", []):
                del self.board[name]
            self.board |= {each["table"]: each for each in board["tables"]}
            self.counts = board["counts"]
        return message

    async def until_is(self, kind: str) -> dict[str, Any]:
        return await self.until(lambda message: message["is"] == kind)

    async def ask(self, do: str, **fields: Any) -> dict[str, Any]:
        self._ids += 1
        await self.socket.send(json.dumps({"do": do, "id": self._ids} | fields))
        return await self.until(lambda message: message.get("id") == self._ids)

    async def until_board(self, wanted: Callable[[dict[str, dict[str, Any]]], bool]) -> None:
        await self.until_so(lambda: wanted(self.board))


@asynccontextmanager
async def in_lobby(person: Person) -> AsyncIterator[LobbyPage]:
    address = f"ws://{person.address}/api/lobby/socket"
    headers = {"cookie": f"souk={person.cookie}"}
    async with websockets.connect(address, additional_headers=headers, compression=None) as socket:
        lobby_pages = LobbyPage(socket)
        assert (await lobby_pages.hear())["is"] == "hello"
        yield lobby_pages


async def new_table(
    person: Person, *seats: str, public: bool = True, name: str = "Host", **more: Any
) -> Any:
    wishes = [{"who": seat, "name": name if seat == "me" else ""} for seat in seats]
    return await person.http.post(
        "/api/tables", json={"game": "suleika", "seats": wishes, "public": public} | more
    )


# ---------------------------------------------------------------- the public board


def test_private_server_has_no_board_and_no_public_tables(server: Server) -> None:
    async def visit() -> None:
        async with people(server, 1) as (person,), in_lobby(person) as lobby:
            assert lobby.heard[0]["board"] is None
            assert not (await person.lobby())["public"]
            answer = await new_table(person, "me", "open")
            assert (answer.status_code, reason(answer.json())) == (409, "not_public")
            assert (
                reason(await lobby.ask("find_players", game="suleika", players=2)) == "not_public"
            )

    asyncio.run(visit())


def test_board_shows_public_tables_only(public: Server) -> None:
    async def story() -> None:
        async with people(public, 4) as (host, guest, late, looker), in_lobby(looker) as lobby:
            table = (await new_table(host, "me", "open")).json()["table"]
            private = (await new_table(host, "me", "open", public=False)).json()["table"]
            async with host.page(table) as page, host.page(private):
                assert page.now["public"]
                await lobby.until_board(lambda board: table in board)
                shown = lobby.board[table]
                assert (shown["names"], shown["game"], shown.get("begun")) == (
                    ["Host", ""],
                    "suleika",
                    None,
                )
                assert lobby.counts["open"] == 1
                assert lobby.counts["here"] == 2
                answers = await asyncio.gather(
                    guest.sit(table, "", "Ann"), late.sit(table, "", "Ben")
                )
                assert sorted(each.status_code for each in answers) == [200, 409]
                await page.until_begun()
                await lobby.until_board(lambda board: board[table].get("begun", False))
                assert lobby.counts["playing"] == 1
                async with in_lobby(guest) as second:
                    assert set(second.board) == {table}
                async with looker.page(table) as watching:
                    assert watching.now["seat"] == -1
                    assert (
                        reason(await watching.ask("say", seat=0, text="hello")) == "not_your_seat"
                    )
            await lobby.until_board(lambda board: not board)
            assert not [each for each in lobby.heard if private in json.dumps(each)]

    asyncio.run(story())


def test_a_public_table_has_no_free_talk_and_a_rematch_of_it_stays_public(public: Server) -> None:
    async def story() -> None:
        async with people(public, 1) as (host,):
            answer = await new_table(host, "me", "open", free_talk=True)
            assert (answer.status_code, reason(answer.json())) == (400, "public_talk")
            seats = [{"who": "me"}, {"who": "bot", "level": "random"}]
            answer = await host.http.post(
                "/api/tables", json={"game": "suleika", "seats": seats, "public": True}
            )
            async with host.page(answer.json()["table"]) as page:
                await page.play(0, random.Random(1))
                assert (await page.ask("rematch"))["is"] == "done"
            async with host.page(
                next(each["table"] for each in page.heard if each["is"] == "rematch_ready")
            ) as again:
                assert again.now["public"]

    asyncio.run(story())


# ---------------------------------------------------------------- matchmaking


def test_two_equal_searches_are_matched_at_once(public: Server) -> None:
    async def meet() -> None:
        async with people(public, 3) as (one, two, other), AsyncExitStack() as stack:
            pages = [await stack.enter_async_context(in_lobby(each)) for each in (one, two, other)]
            assert (await pages[2].ask("find_players", game="suleika", players=3))["is"] == "done"
            assert (
                await pages[0].ask(
                    "find_players", game="suleika", players=2, clock="move", name="Ann"
                )
            )["is"] == "done"
            await pages[2].until(lambda message: pages[2].counts.get("finding") == {"suleika": 2})
            assert pages[0].heard[-2]["looking"]["there"] == 1
            assert (
                await pages[1].ask(
                    "find_players", game="suleika", players=2, clock="move", name="Ann"
                )
            )["is"] == "done"
            tables = {
                (await page.until_is("players_found") if not found else found[0])["table"]
                for page in pages[:2]
                for found in [[each for each in page.heard if each["is"] == "players_found"]]
            }
            [table] = tables
            async with one.page(table) as first, two.page(table) as second:
                await first.until_begun()
                assert sorted(seat["name"] for seat in first.seats) == ["Ann", "Ann 2"]
                assert second.now["mine"] != first.now["mine"]
                assert first.now["public"]
                assert first.now["life"]["clocks"]["terms"]["seconds"] == 60
            assert not [each for each in pages[2].heard if each["is"] == "players_found"]

    asyncio.run(meet())


def test_bots_fill_up_after_the_chosen_time_unless_refused(public: Server, clock: Path) -> None:
    async def wait() -> None:
        async with people(public, 2) as (one, two), in_lobby(one) as first, in_lobby(two) as second:
            await second.ask("find_players", game="bazaar", players=4, patience=0, name="Purist")
            await first.ask("find_players", game="bazaar", players=4, patience=30, name="Ann")
            assert (
                next(each for each in first.heard if each["is"] == "searching")["looking"]["there"]
                == 2
            )
            clock.write_text(str(float(clock.read_text()) + 29))
            assert (await first.ask("ping"))["is"] == "pong"
            await asyncio.sleep(1.2)  # the server matches every second
            assert not [each for each in first.heard if each["is"] == "players_found"]
            clock.write_text(str(float(clock.read_text()) + 2))
            table = (await first.until_is("players_found"))["table"]
            async with one.page(table) as page:
                await page.until_begun()
                assert sorted(seat["kind"] for seat in page.seats) == [
                    "bot",
                    "bot",
                    "bot",
                    "person",
                ]
            await second.until(
                lambda message: message["is"] == "searching" and message["looking"]["there"] == 1
            )
            assert (await second.ask("stop_search"))["is"] == "done"

    asyncio.run(wait())


def test_closing_the_page_ends_the_search_and_a_person_searches_once(public: Server) -> None:
    async def come_and_go() -> None:
        async with people(public, 2) as (one, two), in_lobby(two) as other:
            async with in_lobby(one) as page:
                await page.ask("find_players", game="basari", players=3)
                await page.ask("find_players", game="basari", players=4)
                await other.until_so(lambda: other.counts.get("finding") == {"basari": 1})
            async with in_lobby(one) as page:  # a dropped connection
                assert page.heard[0]["looking"]["players"] == 4
            await other.until_so(lambda: other.counts.get("finding") == {})
            async with in_lobby(one) as page:
                assert page.heard[0]["looking"] is None
                for wrong in (
                    {"players": 7},
                    {"players": 1},
                    {"patience": -1},
                    {"patience": 10**6},
                    {"game": "chess"},
                ):
                    wish = {"game": "basari", "players": 3} | wrong
                    assert (await page.ask("find_players", **wish))["is"] == "refused"
                await page.socket.send(
                    json.dumps(
                        {
                            "do": "find_players",
                            "id": 9,
                            "game": "basari",
                            "players": 3,
                            "clock": "days",
                        }
                    )
                )
                assert reason(await page.until_is("refused")) == "unreadable"

    asyncio.run(come_and_go())


# ---------------------------------------------------------------- invitations


async def together(host: Person, *guests: Person, commitment: str = "") -> str:
    """A table of two people who have played before."""
    seats = [{"who": "me", "name": "Host"}, *(["open"] * len(guests))]
    table, _ = await host.new_table("suleika", *seats, commitment=commitment)
    for number, guest in enumerate(guests):
        assert (await guest.sit(table, "", f"Friend {number + 1}", commitment)).status_code == 200
    return table


async def invite(host: Person, table: str, common: str, seat: int) -> Any:
    return await host.http.post(f"/api/tables/{table}/invite", json={"table": common, "seat": seat})


def test_past_players_are_invited_and_come_or_decline(any_server: Server) -> None:
    async def story() -> None:
        async with (
            people(any_server, 4) as (host, friend, other, stranger),
            in_lobby(friend) as lobby,
        ):
            common = await together(host, friend, other)
            table, _ = await host.new_table(
                "suleika", {"who": "me", "name": "Amira"}, "open", "open"
            )
            known = (await host.http.get(f"/api/fellows?table={table}")).json()["fellows"]
            assert {(each["name"], each["seat"], each["state"]) for each in known} == {
                ("Friend 1", 1, ""),
                ("Friend 2", 2, ""),
            }
            assert set(known[0]) == {"table", "seat", "name", "game", "at", "state"}
            for wrong in ((common, 0), (common, 5), (table, 0), ("x" * 16, 1)):
                assert reason((await invite(host, table, *wrong)).json()) == "fellow_unknown"
            assert reason((await invite(stranger, table, common, 1)).json()) == "not_host"
            assert reason((await invite(friend, table, common, 2)).json()) == "not_host"
            async with host.page(table) as page:
                assert (await invite(host, table, common, 1)).status_code == 200
                card = (await lobby.until_is("invitations"))["invitations"][0]
                assert (card["table"], card["by"], card["again"]) == (table, "Amira", False)
                assert reason((await invite(host, table, common, 1)).json()) == "invited_already"
                assert (await invite(host, table, common, 2)).status_code == 200
                assert (await friend.sit(table, "", "Me")).status_code == 200
                asked = {"name": "Friend 2", "state": "asked"}
                await page.until(
                    lambda each: each["is"] == "invited" and each["invited"][-1:] == [asked]
                )
                decline = f"/api/tables/{table}/decline"
                assert (await other.http.post(decline, json={})).json()["invitations"] == []
                declined = [{"name": "Friend 2", "state": "declined"}]
                await page.until(
                    lambda each: each["is"] == "invited" and each["invited"] == declined
                )
                assert reason((await other.http.post(decline, json={})).json()) == "not_invited"
                assert reason((await stranger.http.post(decline, json={})).json()) == "not_invited"
            assert reason((await invite(host, table, common, 2)).json()) == "invite_declined"
            another, _ = await host.new_table("suleika", "me", "open", "open")
            assert reason((await invite(host, another, common, 2)).json()) == "invite_unwanted"
            off = await friend.http.post("/api/invitations", json={"wanted": False})
            assert off.json() == {"is": "invitations", "invitations": [], "wanted": False}
            assert reason((await invite(host, another, common, 1)).json()) == "invite_unwanted"
            assert (await friend.http.post("/api/invitations", json={"wanted": True})).json()[
                "wanted"
            ]
            assert (await invite(host, another, common, 1)).status_code == 200

    asyncio.run(story())


def test_invitations_are_limited(any_server: Server) -> None:
    async def story() -> None:
        async with people(any_server, 2) as (host, friend):
            common = await together(host, friend)
            answers = []
            for _ in range(14):
                table, _ = await host.new_table("suleika", "me", "open")
                answers.append(await invite(host, table, common, 1))
            refused = [reason(each.json()) for each in answers if each.status_code != 200]
            assert [each.status_code for each in answers[:8]] == [200] * 8
            assert set(refused) == {"invite_unwanted", "too_many_invitations"}
            async with in_lobby(friend) as lobby:
                assert len(lobby.heard[0]["invitations"]["invitations"]) == 8
            assert (await friend.http.post("/api/forget", json={})).status_code == 200
            assert (await host.http.get("/api/fellows")).json() == {"fellows": []}

    asyncio.run(story())


def test_a_rematch_invites_everybody_wherever_they_are(public: Server) -> None:
    async def story() -> None:
        async with people(public, 3) as (host, friend, other), in_lobby(friend) as lobby:
            table = await together(host, friend, other, commitment="0" * 64)
            elsewhere, _ = await other.new_table("suleika", "me", "here")
            async with host.page(table) as page, other.page(elsewhere) as away:
                async with friend.page(table) as one, other.page(table) as two:
                    rng = random.Random(1)
                    await asyncio.gather(page.play(0, rng), one.play(1, rng), two.play(2, rng))
                assert (await page.ask("rematch", commitment="1" * 64))["is"] == "done"
                new = next(each for each in page.heard if each["is"] == "rematch_ready")["table"]
                wanted = await away.until(lambda each: each["is"] == "invited_elsewhere")
                assert (wanted["table"], wanted["by"], wanted["again"]) == (new, "Host", True)
                cards = await lobby.until(
                    lambda each: each["is"] == "invitations" and each["invitations"]
                )
                assert cards["invitations"][0]["again"]
                assert (
                    await friend.http.post(f"/api/tables/{new}/decline", json={})
                ).status_code == 200
                async with host.page(new) as there, other.page(new) as here:
                    assert (await here.ask("ping"))["is"] == "pong"  # their arrival is known now
                    assert [seat["kind"] for seat in there.seats] == ["person", "free", "person"]
            async with in_lobby(other) as back:
                assert back.heard[0]["invitations"]["invitations"] == []

    asyncio.run(story())


def test_lobby_is_told_of_changes_its_list_shows(server: Server) -> None:
    async def story() -> None:
        async with people(server, 2) as (host, friend), in_lobby(friend) as lobby:
            table = await together(host, friend)
            await lobby.until_is("tables_changed")
            async with host.page(table) as page:
                await page.until_begun()
                while page.view["actors"] == [0]:
                    assert (await page.move(0, page.view["moves"][0]))["is"] == "done"
                await lobby.until_is("tables_changed")
                stirred = len(lobby.heard)
                async with friend.page(table) as other:
                    assert other.view["actors"] == [1]
                assert (await lobby.ask("ping"))["is"] == "pong"
                assert len(lobby.heard) == stirred + 1

    asyncio.run(story())


def test_absent_people_are_notified_of_invitations(public: Server) -> None:
    async def story(service: PushService) -> None:
        async with people(public, 2) as (host, friend), in_lobby(host) as watching:
            common = await together(host, friend)
            device = Subscribed(service, "/friend")
            assert (await friend.http.post("/api/push", json=device.wish("de"))).status_code == 200
            async with in_lobby(friend) as lobby:
                table, _ = await host.new_table("bazaar", "me", "open")
                assert (await invite(host, table, common, 1)).status_code == 200
                await lobby.until_is("invitations")
                await watching.until_board(lambda _: watching.counts["here"] == 2)
            await watching.until_board(lambda _: watching.counts["here"] == 1)
            table, _ = await host.new_table("bazaar", "me", "open")
            assert (await invite(host, table, common, 1)).status_code == 200
            [(_, _, body)] = await asyncio.to_thread(
                service.posts, "/friend", 1
            )  # not for the first: they saw it
            said = {
                "title": "Bazaar",
                "body": "Jemand, den du kennst, lädt dich an einen Tisch ein.",
                "table": table,
            }
            assert device.read(body) == said

    with PushService() as service:
        asyncio.run(story(service))


# ---------------------------------------------------------------- forbidden words


def test_forbidden_names_and_texts_are_refused_without_being_repeated(public: Server) -> None:
    async def names() -> None:
        async with people(public, 2) as (host, guest), in_lobby(guest) as lobby:
            for name in (
                "badword",
                "B.a.d w0rd".replace(" ", ""),
                "Bädwörd",
                "so anywhere",
                "AnywHerE2",
                "beginner",
                "b a d w o r d",
            ):
                answer = await new_table(host, "me", "open", name=name)
                assert (answer.status_code, reason(answer.json())) == (400, "name_forbidden"), name
                assert name not in answer.text
            table = (
                await new_table(host, "me", "open", name="Badwords", public=False, free_talk=True)
            ).json()["table"]
            assert reason((await guest.sit(table, "", "Word")).json()) == "name_forbidden"
            assert (
                reason(await lobby.ask("find_players", game="suleika", players=2, name="word"))
                == "name_forbidden"
            )
            wish = {
                "name": "Badword night",
                "terms": terms("swiss", 3),
                "bots": 0,
                "level": "random",
            }
            assert (
                reason((await host.http.post("/api/events", json=wish)).json()) == "name_forbidden"
            )
            made = (await host.http.post("/api/events", json=wish | {"name": "A night"})).json()[
                "event"
            ]
            joining = await guest.http.post(f"/api/events/{made}/join", json={"name": "Badword"})
            assert reason(joining.json()) == "name_forbidden"
            assert (await guest.sit(table, "", "Sword")).status_code == 200
            async with host.page(table) as page:
                assert (
                    reason(await page.ask("say", seat=0, text="You B A D W O R D!"))
                    == "saying_forbidden"
                )
                assert (await page.ask("say", seat=0, text="a good word is fine"))[
                    "is"
                ] == "refused"
                assert (await page.ask("say", seat=0, text="good words"))["is"] == "done"
        assert not [line for line in public.lines if "adword" in line]

    asyncio.run(names())


def test_a_host_lists_reads_again_and_takes_names_away(public: Server, clock: Path) -> None:
    def host(*words: str) -> str:
        return souk("host", "forbidden", *words, "--data", str(public.data))

    async def story() -> None:
        async with people(public, 1) as (person,):
            table = (await new_table(person, "me", "open", name="Rascal")).json()["table"]
            clock.with_name("words").write_text(WORDS + "rascal\n")
            await asyncio.to_thread(host, "--reload")
            while (await new_table(person, "me", "open", name="Rascal")).status_code == 200:
                await asyncio.sleep(0.2)
            listed = await asyncio.to_thread(host, "--rename", "--yes")
            assert "rascal" in listed
            assert re.search("5 words; [1-9][0-9]* seats with forbidden names, now guests", listed)
            async with person.page(table) as page:
                assert page.seats[0]["name"] == "Guest 1"

    asyncio.run(story())


def test_a_list_that_cannot_be_read_is_refused_in_a_line(tmp_path: Path) -> None:
    said = souk("serve", "--data", str(tmp_path / "data"), "--forbidden", str(tmp_path), code=2)
    assert "cannot be read: Is a directory" in " ".join(said.split())


def test_the_log_never_says_who_chose_what(public: Server) -> None:
    """After all the above: no names, moves, chat texts or ids of people in the log."""
    told = {
        "time",
        "level",
        "event",
        "address",
        "data",
        "table",
        "game",
        "players",
        "lesson",
        "seat",
        "people",
        "bots",
    }
    told |= {"event_id", "form"}

    async def story() -> None:
        async with people(public, 2) as (one, two), in_lobby(one) as first, in_lobby(two) as second:
            await first.ask("find_players", game="suleika", players=2, name="Ann")
            await second.ask("find_players", game="suleika", players=2, name="Ben")
            table = await together(one, two)
            async with one.page(table) as page:
                await page.until_begun()
                assert (await page.move(0, page.view["moves"][0]))["is"] == "done"

    asyncio.run(story())
    for line in public.lines:
        assert set(json.loads(line)) <= told | {"number", "what", "seats", "over", "tables"}, line
        assert not re.search(
            r"\b(Ann|Ben|Host|Friend|Amira|Rascal|good words?|straight|rug [a-g])\b", line
        ), line
        assert not re.search(r"\b[0-9a-f]{64}\b", line), line
    assert {"new table", "sat down", "matched"} <= {
        json.loads(line)["event"] for line in public.lines
    }


# ---------------------------------------------------------------- invalid input


GOOD: list[dict[str, Any]] = [
    {
        "do": "find_players",
        "id": 1,
        "game": "suleika",
        "players": 2,
        "clock": "none",
        "patience": 0,
        "name": "x",
        "commitment": "",
    },
    {"do": "stop_search", "id": 1},
    {"do": "ping", "id": 1},
]


def test_nonsense_in_the_lobby(public: Server) -> None:
    rng = random.Random(4)

    async def babble() -> None:
        async with people(public, 1) as (person,):
            for _ in range(4):
                try:
                    async with in_lobby(person) as lobby:
                        for _ in range(100):
                            await lobby.socket.send(nonsense(rng, GOOD))
                        await lobby.socket.send('{"do":"ping","id":77}')
                        await lobby.until(lambda message: message.get("id") == 77)
                except websockets.ConnectionClosed:
                    pass
            for path in (
                "/api/invitations",
                f"/api/tables/{'x' * 16}/invite",
                f"/api/tables/{'x' * 16}/decline",
            ):
                for _ in range(30):
                    answer = await person.http.post(
                        path,
                        content=nonsense(
                            rng, [{"table": "x" * 16, "seat": 0}, {"wanted": True}, {}]
                        ),
                        headers={"content-type": "application/json"},
                    )
                    assert answer.status_code < 500
            assert (
                await person.http.get("/api/fellows?table=%00%ff" + "x" * 100)
            ).status_code == 200
            async with in_lobby(person) as lobby:
                assert (await lobby.ask("ping"))["is"] == "pong"
        assert not public.troubles

    asyncio.run(babble())
