"""Being called: Web Push to a service of our own on loopback, which unseals what comes; who is called, when, how often, and where never."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from souk.table.posting import WrongAddress, address_of, is_in_the_world, post
from tests.table.clients import Page, Person, Server
from tests.table.places import in_both, look_into
from tests.table.push_service import PushService, Subscribed, check_signature


@asynccontextmanager
async def two(server: Server) -> AsyncIterator[tuple[str, Person, Person, Page]]:
    """A table of Suleika where it is the guest's turn, and the host looks on."""
    async with Person(server) as host, Person(server) as guest:
        wish = {"game": "suleika", "seats": [{"who": "me"}, {"who": "link"}], "options": {"first": 0}}
        made = (await host.http.post("/api/tables", json=wish)).json()
        assert (await guest.sit(made["table"], made["invitations"]["1"])).status_code == 200
        async with host.page(made["table"]) as page:
            await page.until_begun()
            yield made["table"], host, guest, page


async def end_turn(page: Page, seat: int = 0) -> None:
    """Play until it is somebody else's turn."""
    while seat in page.view["actors"]:
        assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"


async def call(person: Person, wish: dict[str, str]) -> httpx.Response:
    return await person.http.post("/api/push", json=wish)


def rows(data: Path, question: str) -> list[tuple[Any, ...]]:
    with look_into(data) as file:
        return file.execute(question).fetchall()


def test_whoever_does_not_look_is_called_once_a_turn_and_nothing_secret_is_in_it(tmp_path: Path) -> None:
    async def run(server: Server, service: PushService) -> tuple[str, str, str]:
        async with two(server) as (table, host, guest, page):
            key = (await host.http.get("/api/push")).json()["key"]
            device, other = Subscribed(service, "/one"), Subscribed(service, "/two")
            service.answers["/one"] = [503]  # then it is tried again
            assert (await call(guest, device.wish("de"))).json() == {"key": key}
            assert (await call(guest, other.wish("xx"))).status_code == 200
            assert (await call(host, Subscribed(service, "/host").wish())).status_code == 200
            async with guest.page(table) as looking:
                assert (await looking.ask("sight", visible=False))["is"] == "done"  # another tab is in front
                await end_turn(page)
                _, (path, headers, body) = await asyncio.to_thread(service.posts, "/one", 2)
            assert device.read(body) == {"title": "Suleika", "body": "Du bist am Zug.", "table": table}
            assert len(body) == len(service.posts("/two", 1)[0][2])  # however long it is
            assert other.read(service.posts("/two", 1)[0][2])["body"] == "It is your turn."
            claims = check_signature(headers["Authorization"], service.origin, key)
            assert claims["sub"] == "mailto:host@example.org"
            assert (headers["Content-Encoding"], path) == ("aes128gcm", "/one")
            assert int(headers["TTL"]) > 0
            assert table not in str(headers)  # whoever has that may look on
            return table, host.cookie, guest.cookie

    async def again(server: Server, service: PushService, table: str, *cookies: str) -> None:
        host, guest = (Person(server, cookie) for cookie in cookies)
        async with host, guest, host.page(table) as page, guest.page(table) as playing:
            await end_turn(playing, 1)
            await page.until_so(lambda: 0 in page.view["actors"])
            await end_turn(page)  # the guest has the page before them
            await asyncio.sleep(0.4)

    flags = {"call_after": 0.1, "push_local": None, "push_contact": "mailto:host@example.org"}
    with PushService() as service:
        with Server(tmp_path, **flags) as server:
            found = asyncio.run(run(server, service))
            assert server.stop() == 0
            assert not server.troubles
        assert service.origin.encode() not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
        with Server(tmp_path, **flags) as server:  # which knows for which turns somebody was called
            asyncio.run(again(server, service, *found))
        assert sorted(each[0] for each in service.came) == ["/one", "/one", "/two"]


@in_both
def test_devices_that_are_gone_forgotten_or_too_many_are_deleted(tmp_path: Path) -> None:
    count = "SELECT count(*) FROM devices"

    async def run(server: Server, service: PushService) -> None:
        async with two(server) as (table, host, guest, page), Person(server) as nobody:
            assert (await call(nobody, Subscribed(service, "/x").wish())).json()["reason"][0].endswith("no_seat_yet")
            for number in range(7):
                assert (await call(guest, Subscribed(service, f"/{number}").wish())).status_code == 200
            assert rows(tmp_path, count) == [(5,)]
            ended = {"endpoint": f"{service.origin}/6"}
            await host.http.post("/api/push/end", json=ended)  # somebody else's
            assert rows(tmp_path, count) == [(5,)]
            await guest.http.post("/api/push/end", json=ended)
            assert rows(tmp_path, count) == [(4,)]
            service.answers = {"/2": [410], "/3": [404], "/4": [400]}
            begin = time.perf_counter()
            await end_turn(page)
            assert time.perf_counter() - begin < 5  # no move waits for a call
            for number in (2, 3, 4, 5):
                await asyncio.to_thread(service.posts, f"/{number}", 1)
            while rows(tmp_path, count) != [(2,)]:
                await asyncio.sleep(0.02)
            assert (await guest.http.post("/api/forget", json={})).status_code == 200
            assert rows(tmp_path, count) == [(0,)]
            assert table

    with PushService() as service, Server(tmp_path, call_after=0, push_local=None) as server:
        asyncio.run(run(server, service))
        assert server.stop() == 0
        assert not server.troubles


def test_bots_move_on_between_people_who_have_closed_their_pages(tmp_path: Path) -> None:
    async def run(server: Server, service: PushService) -> None:
        async with Person(server) as host, Person(server) as guest:
            seats = [{"who": "me"}, {"who": "bot", "level": "random"}, {"who": "link"}]
            wish = {"game": "suleika", "seats": seats, "options": {"first": 0}}
            made = (await host.http.post("/api/tables", json=wish)).json()
            assert (await guest.sit(made["table"], made["invitations"]["2"])).status_code == 200
            device = Subscribed(service, "/guest")
            assert (await call(guest, device.wish("nl"))).status_code == 200
            async with host.page(made["table"]) as page:
                await page.until_begun()
                await end_turn(page)
            [(_, _, body)] = await asyncio.to_thread(service.posts, "/guest", 1)
            assert device.read(body)["body"] == "Jij bent aan de beurt."

    with PushService() as service, Server(tmp_path, call_after=0, push_local=None, pace=0.3) as server:
        asyncio.run(run(server, service))
        assert server.stop() == 0
        assert not server.troubles


@pytest.mark.parametrize(
    "endpoint",
    [
        "http://push.example.org/x",
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://2130706433/x",
        "https://127.1/x",
        "https://localhost/x",
        "https://push.example.org:8443/x",
        "https://user@push.example.org/x",
        "https://push.example.org/x y",
        "https://push.example.org/\u00fc",
        "https://push.example.org/" + "x" * 1000,
        "file:///etc/passwd",
        "https://[::1/x",
        "https://push.example.org:99999/",
        "",
    ],
)
def test_addresses_that_are_no_push_service_are_refused(server: Server, endpoint: str) -> None:
    async def run() -> None:
        async with Person(server) as person:
            await person.new_table("suleika", "me", "bot")
            with PushService() as service:
                good = Subscribed(service, "/").wish()
            answer = await call(person, good | {"endpoint": endpoint})
            assert (answer.status_code, answer.json()["reason"][0]) == (400, "table.refused.device_wrong")
            for bad in (
                {"p256dh": "AAAA"},
                {"auth": "AAAA"},
                {"p256dh": "ä"},
                {"p256dh": good["p256dh"][:-4] + "AAAA"},
            ):
                answer = await call(person, good | {"endpoint": "https://push.example.org/x"} | bad)
                assert answer.json()["reason"][0] == "table.refused.device_wrong"

    asyncio.run(run())


def test_a_name_that_leads_into_our_own_network_is_not_followed(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = ["127.0.0.1", "10.1.2.3", "169.254.169.254", "100.64.0.1", "::1", "fe80::1", "fd00::1", "::ffff:10.0.0.1"]
    inside += ["64:ff9b::a00:1", "2002:a00:1::1", "224.0.0.1", "0.0.0.0"]
    assert not any(map(is_in_the_world, inside))
    assert all(map(is_in_the_world, ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"]))
    found = [(2, 1, 6, "", ("1.1.1.1", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)  # as the host's resolver would answer
    with pytest.raises(WrongAddress):
        post("https://rebound.example/x", {}, b"")
    assert address_of("https://push.example.org/x").hostname == "push.example.org"
