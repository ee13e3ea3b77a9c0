"""Accounts: profiles, several devices, passkeys, data export and deletion."""

import asyncio
import io
import json
import random
import zipfile
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from souk.drawing import palette
from souk.server.accounts.profiles import COLOURS, FIGURES
from souk.server.accounts.sessions import MAX_SESSIONS, device_name
from souk.server.admin.host_tools import SqliteHostTools
from souk.server.common.tokens import digest
from souk.server.net.connection import SIGNED_OUT
from tests.server.net.test_fuzz import nonsense
from tests.server.storage.test_migrations import COOKIE, TABLES, write
from tests.server.support.authenticator import Authenticator
from tests.server.support.clients import (
    Person,
    Server,
    checked_server,
    several,
    watch_whose_turn_it_is,
)
from tests.server.support.databases import in_both, look_into
from tests.server.support.push_service import url_safe
from tests.server.tables.test_before_start import reason

ART = Path(palette.__file__).parent


class Device(Person):
    """A browser that addresses the server by host name, as passkeys require."""

    def __init__(self, server: Server, cookie: str = "") -> None:
        super().__init__(server, cookie)
        self.origin = f"http://localhost:{server.address.rpartition(':')[2]}"
        self.http.base_url = httpx.URL(self.origin)

    async def post(self, path: str, **wish: Any) -> httpx.Response:
        return await self.http.post(f"/api/{path}", json=wish, headers={"origin": self.origin})

    async def ok(self, path: str, **wish: Any) -> dict[str, Any]:
        answer = await self.post(path, **wish)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    async def refused(self, path: str, **wish: Any) -> str:
        answer = await self.post(path, **wish)
        assert answer.status_code >= 400, answer.text
        return reason(answer.json())

    async def myself(self) -> dict[str, Any]:
        found: dict[str, Any] = (await self.http.get("/api/person")).json()
        return found

    async def tables(self) -> set[str]:
        found = (await self.http.get("/api/tables")).json()["tables"]
        return {each["table"] for each in found}

    async def new_passkey(self) -> Authenticator:
        made = Authenticator(self.origin)
        await self.ok("passkeys/add", **made.make(await self.ok("passkeys/creation-options")))
        return made

    async def enter(self, passkey: Authenticator) -> dict[str, Any]:
        return await self.ok(
            "passkeys/sign-in", **passkey.answer(await self.ok("passkeys/request-options"))
        )

    async def come_to(self, other: "Device") -> None:
        """Link this device to a person."""
        await self.ok("devices/sign-in", code=(await other.ok("devices/link"))["code"])


def devices(server: Server, count: int) -> AbstractAsyncContextManager[list[Device]]:
    return several(Device, server, count)


def change(server: Server, statement: str, *values: Any) -> list[Any]:
    """Query or change the database directly."""
    with look_into(server.data) as connection:
        found = connection.execute(statement, values)
        return found.fetchall() if found.description else []


# ---------------------------------------------------------------- profiles


def test_every_figure_is_drawn_and_every_colour_is_in_the_palette_and_no_seats() -> None:
    assert {path.stem for path in (ART / "people").glob("*.svg")} == set(FIGURES)
    assert len(FIGURES) == 12
    for colour in COLOURS:
        assert palette.BY_NIGHT[f"person-{colour}"] not in palette.SEATS


def test_profile_is_kept_and_shown_at_tables(any_server: Server) -> None:
    async def story() -> None:
        async with devices(any_server, 2) as (ann, ben):
            assert not (await ann.myself())["name"]
            await ann.ok("person", name="  Ann  ", figure="owl", colour="jade")
            found = await ann.myself()
            assert (found["name"], found["figure"], found["colour"]) == ("Ann", "owl", "jade")
            table, invitations = await ann.new_table("suleika", {"who": "me"}, "link")
            await ben.ok("person", name="Ben", figure="cat")
            assert (await ben.sit(table, invitations["1"], name="")).status_code == 200
            async with ann.page(table) as page:
                faces = [
                    (each["name"], each.get("figure"), each.get("colour")) for each in page.seats
                ]
                assert faces == [("Ann", "owl", "jade"), ("Ben", "cat", None)]
                await ben.ok("person", name="Benjamin", figure="snake", colour="plum")
                now = await page.until(
                    lambda message: message["is"] == "seats" and "snake" in json.dumps(message)
                )
                assert (now["seats"][1]["name"], now["seats"][1]["colour"]) == (
                    "Ben",
                    "plum",
                )  # the name known at the table stays
            for wrong in (
                {"figure": "dragon"},
                {"colour": "seat-0"},
                {"colour": "red"},
                {"figure": "../owl"},
            ):
                assert await ann.refused("person", **{"name": "Ann"} | wrong) == "face_unknown"
            assert await ann.refused("person", name="A" * 21) == "name_too_long"
            assert await ann.refused("person", name="\u3164") == "name_unprintable"
            assert (await ann.myself())["figure"] == "owl"

    asyncio.run(story())


def test_only_own_seat_shows_the_profile(server: Server) -> None:
    async def story() -> None:
        async with devices(server, 1) as [ann]:
            table, _ = await ann.new_table("suleika", "here", "me", "bot")
            await ann.ok("person", name="Ann", figure="owl", colour="jade")
            other, _ = await ann.new_table("suleika", "here", "me", "bot")
            await ann.ok("person", name="Ann", figure="fish", colour="sky")
            async with ann.page(other) as page:
                assert [each.get("figure", "") for each in page.seats] == ["", "fish", ""]
            async with ann.page(table) as page:
                assert [each.get("figure", "") for each in page.seats].count("fish") == 1

    asyncio.run(story())


def test_browsers_are_named_in_words() -> None:
    webkit = "AppleWebKit/537.36 (KHTML, like Gecko)"
    iphone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15"
    for agent, name in {
        f"Mozilla/5.0 (X11; Linux x86_64) {webkit} Chrome/142.0.0.0 Safari/537.36": "Chrome, Linux",
        "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/142.0 "
        "Safari/537.36 Edg/142.0": "Edge, Windows",
        f"{iphone} Version/18.0 Safari/604.1": "Safari, iPhone",
        "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0": "Firefox, Android",
        "curl/8": "",
        "\x00<b>": "",
    }.items():
        assert device_name(agent) == name


# ---------------------------------------------------------------- devices


def test_two_devices_at_one_table_see_one_seat_and_both_may_move(any_server: Server) -> None:
    async def story() -> None:
        async with devices(any_server, 3) as (laptop, phone, guest):
            table, invitations = await laptop.new_table(
                "suleika", {"who": "me", "name": "Ann"}, "link"
            )
            await guest.sit(table, invitations["1"])
            own, _ = await phone.new_table("bazaar", "me", "bot")
            code = (await laptop.ok("devices/link"))["code"]
            ahead = await phone.ok("devices/preview", code=code)
            assert (ahead["name"], ahead["same"], ahead["tables"]) == ("Ann", False, 1)
            assert await guest.ok("devices/preview", code=code[:-1]) | {
                "works": False
            } == await guest.ok("devices/preview", code="")
            before = phone.cookie
            found = await phone.ok("devices/sign-in", code=code)
            assert phone.cookie != before
            assert [each["current"] for each in found["devices"]] == [False, True]
            assert found["before"] == 1
            assert await phone.tables() == await laptop.tables() == {table}
            async with (
                laptop.page(table) as one,
                phone.page(table) as two,
                guest.page(table) as three,
            ):
                for page in (one, two, three):
                    await page.until_begun()
                assert one.now["mine"] == two.now["mine"] == [0]
                by = {0: iter((one, two)), 1: iter([three] * 9)}
                for _ in range(9):
                    seat = one.view["actors"][0]
                    if (mover := next(by[seat], None)) is None:
                        break
                    answer = await mover.move(
                        seat, (await mover.watch(None, mover.seq))["view"]["moves"][0]
                    )
                    assert answer["is"] == "done", answer
                    for page in (one, two, three):
                        await page.watch(None, page.seq)
                assert next(by[0], None) is None  # both have moved
            await phone.ok("devices/sign-out", scope="here")
            assert await phone.tables() == {own}  # its previous person is restored

    asyncio.run(story())


def test_signing_out_elsewhere_ends_what_is_open_there_at_once(server: Server) -> None:
    """Also the first device: its cookie's session can be revoked like any other."""

    async def story() -> None:
        async with devices(server, 2) as (first, phone):
            table, _ = await first.new_table("suleika", "me", "here")
            await phone.come_to(first)
            async with first.page(table) as page, phone.page(table) as other:
                found = await phone.ok("devices/sign-out", scope="others")
                assert [each["current"] for each in found["devices"]] == [True]
                said = await page.until(
                    lambda message: message["is"] == "refused" and message["id"] is None
                )
                assert reason(said) == "signed_out"
                with pytest.raises(websockets.ConnectionClosed) as closed:
                    await page.hear()
                assert closed.value.rcvd is not None
                assert closed.value.rcvd.code == SIGNED_OUT
                seat = await watch_whose_turn_it_is(other)
                assert (await other.move(seat, other.view["moves"][0]))["is"] == "done"
            async with first.page(table) as page:
                assert page.now["mine"] == []
                assert reason(await page.move(0, "left")) == "not_your_seat"
            assert not await first.tables()
            assert (await first.myself())["has_cookie"] is False
            assert await first.refused("devices/sign-out", scope="others") == "signed_out"
            assert (await first.http.get("/api/person/all")).status_code == 403
            lobby = await first.http.get("/api/lobby")
            assert lobby.json()["tables"] == []
            assert "set-cookie" in lobby.headers  # a new person

    asyncio.run(story())


def test_above_the_limit_the_least_recently_used_device_is_signed_out(any_server: Server) -> None:
    async def story() -> None:
        async with devices(any_server, MAX_SESSIONS + 1) as (first, *others):
            table, _ = await first.new_table("suleika", "me", "here")
            for each in others[:3]:
                await each.come_to(first)
            found = [each for each in (await first.myself())["devices"] if not each["current"]]
            await first.ok("devices/sign-out", scope="one", id=found[0]["id"])
            assert [await each.tables() for each in others[:3]] == [set(), {table}, {table}]
            assert (
                await first.refused("devices/sign-out", scope="one", id=found[0]["id"])
                == "device_unknown"
            )
            assert (
                await others[1].refused("devices/sign-out", scope="one", id="") == "device_unknown"
            )
            assert await others[2].tables() == {table}  # others[1] is now the least recently used
            for each in [*others[3:], others[0]]:
                await each.come_to(first)
            found = (await first.myself())["devices"]
            assert len(found) == MAX_SESSIONS
            assert [await each.tables() for each in (others[1], others[2])] == [set(), {table}]

    asyncio.run(story())


def test_a_ban_holds_for_all_device_sessions(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        async with devices(server, 2) as (first, phone):
            table, _ = await first.new_table("suleika", "me", "here")
            await phone.come_to(first)
            passkey = await phone.new_passkey()
            async with phone.page(table) as page:
                with SqliteHostTools(tmp_path, Path("key")) as file:
                    file.ban(file.ban_name(digest(first.cookie).hex()), None)
                said = await page.until(
                    lambda message: message["is"] == "refused" and message["id"] is None
                )
                assert reason(said) == "banned"
            for device in (first, phone):
                assert (await device.http.get("/api/tables")).status_code == 403
            async with devices(server, 1) as [another]:
                await another.enter(passkey)  # a new session of a banned person is banned too
                assert (await another.http.get("/api/tables")).status_code == 403

    with Server(tmp_path) as server:
        asyncio.run(story(server))


@in_both
def test_sessions_are_reloaded_by_another_server(tmp_path: Path) -> None:
    async def story(one: Server, other: Server) -> None:
        async with devices(one, 2) as (first, phone):
            table, _ = await first.new_table("suleika", "me", "here")
            code = (await first.ok("devices/link"))["code"]
            async with Device(other, phone.cookie) as there:
                answers = await asyncio.gather(
                    phone.post("devices/sign-in", code=code),
                    there.post("devices/sign-in", code=code),
                )
                assert sorted(each.status_code for each in answers) == [
                    200,
                    404,
                ]  # works once on either server
                inside = phone if answers[0].status_code == 200 else there
                elsewhere = Device(other if inside is phone else one, inside.cookie)
                while await elsewhere.tables() != {table}:
                    await asyncio.sleep(0.2)
                await first.ok("devices/sign-out", scope="others")
                while await elsewhere.tables():
                    await asyncio.sleep(0.2)
                await elsewhere.http.aclose()

    with Server(tmp_path) as one, Server(tmp_path) as other:
        asyncio.run(asyncio.wait_for(story(one, other), 20))


# ---------------------------------------------------------------- passkeys


def test_a_passkey_lets_in_when_all_cookies_are_lost(any_server: Server) -> None:
    async def story() -> None:
        async with devices(any_server, 2) as (ann, new):
            table, _ = await ann.new_table("suleika", "me", "here")
            passkey = await ann.new_passkey()
            assert len((await ann.myself())["passkeys"]) == 1
            new.http.cookies.clear()
            assert (await new.enter(passkey))["has_cookie"]
            assert await new.tables() == {table}
            await new.enter(passkey)  # signed in already: no new session
            assert len((await new.myself())["devices"]) == 2
            synced = (
                await ann.new_passkey()
            )  # a passkey without a counter, as synchronised ones are
            for _ in range(2):
                request = await new.ok("passkeys/request-options")
                await new.ok("passkeys/sign-in", **synced.answer(request, counted=False))
            known = (await ann.myself())["passkeys"]
            await ann.ok("passkeys/remove", id=known[0]["id"])
            request = await new.ok("passkeys/request-options")
            assert (
                await new.refused("passkeys/sign-in", **passkey.answer(request))
                == "passkey_unknown"
            )
            assert await new.refused("passkeys/remove", id=known[0]["id"]) == "passkey_unknown"

    asyncio.run(story())


def test_passkeys_are_asked_for_by_name_and_from_this_page(server: Server) -> None:
    async def story() -> None:
        async with devices(server, 1) as [ann], Person(server) as by_number:
            answer = await by_number.http.post("/api/passkeys/creation-options", json={})
            assert reason(answer.json()) == "passkey_number"
            options = await ann.ok("passkeys/creation-options")
            for wrong in (
                Authenticator(ann.origin).make(options, origin="https://souk.example.org"),
                Authenticator(ann.origin).make(
                    options, origin=ann.origin.replace("localhost", "127.0.0.1")
                ),
                Authenticator(ann.origin).make(options, origin=ann.origin + "0"),
                Authenticator(ann.origin).make(options, rp="example.org"),
                Authenticator(ann.origin).make(options) | {"id": "AAAA"},
                Authenticator(ann.origin).make(options) | {"attestation": "AAAA"},
                Authenticator(ann.origin).make(options) | {"client_data": "e30"},
                Authenticator(ann.origin).make(options) | {"client_data": "?"},
                Authenticator(ann.origin).make(options)
                | {"client_data": url_safe(b'{"a":' + b"[" * 10_000)},
                {"id": "", "client_data": "", "attestation": ""},
            ):
                assert await ann.refused("passkeys/add", **wrong) in (
                    "passkey_wrong",
                    "passkey_old",
                )
            assert not (await ann.myself())["passkeys"]
            foreign = await ann.http.post(
                "/api/passkeys/creation-options", json={}, headers={"origin": "https://example.org"}
            )
            assert reason(foreign.json()) == "foreign_page"

    asyncio.run(story())


# ---------------------------------------------------------------- data export


def test_data_export_is_complete_and_private(any_server: Server) -> None:
    async def story() -> None:
        async with devices(any_server, 2) as (ann, ben):
            await ann.ok("person", name="Ann", figure="owl", colour="jade")
            async with ann.page_at_new_table("suleika", "me", "bot") as page:
                await page.play(0, random.Random(1))
                over = page.table
            table, invitations = await ann.new_table("suleika", "me", "link")
            await ben.sit(table, invitations["1"], "Ben")
            async with ann.page(table) as mine, ben.page(table) as his:
                await mine.ask("say", seat=0, phrase=mine.now["talk"]["phrases"][0], text="")
                await his.ask("say", seat=1, phrase=mine.now["talk"]["phrases"][1], text="")
            await ann.new_passkey()
            answer = await ann.http.get("/api/person/all")
            assert answer.headers["content-disposition"].startswith("attachment")
            with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
                found = json.loads(file.read("souk.json"))
                [record] = [name for name in file.namelist() if name.endswith(".souk")]
                assert file.read(record).decode() == await ann.record(over)
            assert found["person"]["name"] == "Ann"
            assert {each["table"]: each["my_seats"] for each in found["tables"]} == {
                over: [0],
                table: [0],
            }
            assert len(found["said"]) == len(found["passkeys"]) == len(found["devices"]) == 1
            secrets = [
                ann.cookie,
                digest(ben.cookie).hex(),
                invitations["1"],
                digest(invitations["1"]).hex(),
            ]
            assert not any(secret in json.dumps(found) for secret in secrets)
            for _ in range(2):
                await ann.http.get("/api/person/all")
            assert (await ann.http.get("/api/person/all")).status_code == 429

    asyncio.run(story())


def test_deleting_an_account_leaves_nothing(any_server: Server) -> None:
    async def story() -> None:
        async with devices(any_server, 2) as (ann, phone):
            own, _ = await phone.new_table("suleika", "me", "here")
            await ann.ok("person", name="Ann", figure="owl", colour="jade")
            table, _ = await ann.new_table("suleika", "me", "here")
            await phone.come_to(ann)
            passkey = await phone.new_passkey()
            code = (await ann.ok("devices/link"))["code"]
            player = digest(ann.cookie)
            async with phone.page(table) as page:
                await ann.ok("forget")
                said = await page.until(
                    lambda message: message["is"] == "refused" and message["id"] is None
                )
                assert reason(said) == "signed_out"
            for part, column in {
                "people": "player",
                "sessions": "player",
                "passkeys": "player",
                "codes": "player",
                "seats": "player",
            }.items():
                assert not change(any_server, f"SELECT 1 FROM {part} WHERE {column} = ?", player)
            assert not change(
                any_server,
                "SELECT 1 FROM seats WHERE \"table\" = ? AND (figure != '' OR colour != '')",
                table,
            )
            assert await phone.tables() == {own}
            assert await phone.refused("devices/sign-in", code=code) == "code_old"
            request = await phone.ok("passkeys/request-options")
            assert (
                await phone.refused("passkeys/sign-in", **passkey.answer(request))
                == "passkey_unknown"
            )

    asyncio.run(story())


def test_an_address_asks_only_so_often(tmp_path: Path) -> None:
    async def story(server: Server) -> None:
        async with devices(server, 1) as [ann]:
            answers = [
                (await ann.post("devices/sign-in", code="x" * 32)).status_code for _ in range(6)
            ]
            assert answers == [404] * 5 + [429]

    with Server(tmp_path, person_rate=0.001, person_burst=5) as server:
        asyncio.run(story(server))


def test_nonsense_about_people_is_refused(server: Server) -> None:
    rng = random.Random(16)

    async def fuzz() -> None:
        async with devices(server, 1) as [ann]:
            passkey = await ann.new_passkey()
            good: dict[str, dict[str, Any]] = {
                "person": {"name": "Ann", "figure": "owl", "colour": "jade"},
                "devices/link": {},
                "devices/preview": {"code": "x" * 32},
                "devices/sign-in": {"code": "x" * 32},
                "devices/sign-out": {"scope": "one", "id": "00"},
                "passkeys/creation-options": {},
                "passkeys/add": Authenticator(ann.origin).make(
                    await ann.ok("passkeys/creation-options")
                ),
                "passkeys/request-options": {},
                "passkeys/sign-in": passkey.answer(
                    await ann.ok("passkeys/request-options"), rp="elsewhere"
                ),
                "passkeys/remove": {"id": "AAAA"},
            }
            for _ in range(150):
                path = rng.choice(list(good))
                content = nonsense(rng, [good[path]])
                body = (
                    content
                    if isinstance(content, bytes)
                    else content.encode("utf-8", "surrogatepass")
                )
                headers = {"content-type": "application/json"}
                answer = await ann.http.post(f"/api/{path}", content=body, headers=headers)
                assert answer.status_code < 500
            assert await ann.myself()

    asyncio.run(fuzz())
    assert not server.troubles


def test_people_of_an_old_database_get_profiles_devices_and_passkeys(tmp_path: Path) -> None:
    write(tmp_path)

    async def story(server: Server) -> None:
        async with Device(server, COOKIE) as old, Device(server) as phone:
            tables = await old.tables()
            assert tables == set(TABLES.values())
            assert (await old.myself())["devices"] == []
            await old.ok("person", name="Ann", figure="owl", colour="jade")
            await phone.come_to(old)
            await old.new_passkey()
            assert await phone.tables() == tables

    with checked_server(tmp_path) as server:
        asyncio.run(story(server))
