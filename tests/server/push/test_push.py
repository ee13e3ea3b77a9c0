"""Web Push against a local push service that decrypts messages: who is notified, when, and where
never.
"""

import asyncio
import socket
import ssl
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from souk.server.push import webpush as webpush
from souk.server.push.webpush import EndpointNotAllowed, is_public_address, parse_endpoint, post
from tests.server.support.clients import PATIENCE, Page, Person, Server, checked_server
from tests.server.support.databases import in_both, look_into
from tests.server.support.push_service import PushService, Subscribed, check_signature

ROOT = Path(__file__).parents[3]


@asynccontextmanager
async def guests_turn(server: Server) -> AsyncIterator[tuple[str, Person, Person, Page]]:
    """A table of Suleika where it is the guest's turn while the host looks on."""
    async with Person(server) as host, Person(server) as guest:
        wish = {
            "game": "suleika",
            "seats": [{"who": "me"}, {"who": "link"}],
            "options": {"first": 0},
        }
        made = (await host.http.post("/api/tables", json=wish)).json()
        assert (await guest.sit(made["table"], made["invitations"]["1"])).status_code == 200
        async with host.page(made["table"]) as page:
            await page.until_begun()
            yield made["table"], host, guest, page


async def end_turn(page: Page, seat: int = 0) -> None:
    """Play until it is another seat's turn."""
    while seat in page.view["actors"]:
        assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"


async def subscribe(person: Person, wish: dict[str, str]) -> httpx.Response:
    return await person.http.post("/api/push", json=wish)


def rows(data: Path, question: str) -> list[tuple[Any, ...]]:
    with look_into(data) as file:
        return file.execute(question).fetchall()


def test_absent_players_are_notified_once_a_turn_without_secrets(tmp_path: Path) -> None:
    async def run(server: Server, service: PushService) -> tuple[str, str, str]:
        async with guests_turn(server) as (table, host, guest, page):
            key = (await host.http.get("/api/push")).json()["key"]
            device, other = Subscribed(service, "/one"), Subscribed(service, "/two")
            service.answers["/one"] = [503]  # so there is a retry
            assert (await subscribe(guest, device.wish("de"))).json() == {"key": key}
            assert (await subscribe(guest, other.wish("xx"))).status_code == 200
            assert (await subscribe(host, Subscribed(service, "/host").wish())).status_code == 200
            async with guest.page(table) as looking:
                # another tab is in front
                hidden = await looking.ask("page_visibility", visible=False)
                assert hidden["is"] == "done"
                await end_turn(page)
                _, (path, headers, body) = await asyncio.to_thread(service.posts, "/one", 2)
            assert device.read(body) == {
                "title": "Suleika",
                "body": "Du bist dran.",
                "table": table,
            }
            assert len(body) == len(service.posts("/two", 1)[0][2])  # padded to equal length
            assert other.read(service.posts("/two", 1)[0][2])["body"] == "It is your turn."
            claims = check_signature(headers["Authorization"], service.origin, key)
            assert claims["sub"] == "mailto:host@example.org"
            assert (headers["Content-Encoding"], path) == ("aes128gcm", "/one")
            assert int(headers["TTL"]) > 0
            assert table not in str(headers)  # the id alone lets anyone watch
            return table, host.cookie, guest.cookie

    async def again(server: Server, service: PushService, table: str, *cookies: str) -> None:
        host, guest = (Person(server, cookie) for cookie in cookies)
        async with host, guest, host.page(table) as page, guest.page(table) as playing:
            await end_turn(playing, 1)
            await page.until_so(lambda: 0 in page.view["actors"])
            await end_turn(page)  # the guest's page is visible
            await asyncio.sleep(0.4)

    flags = {"call_after": 0.1, "push_local": None, "push_contact": "mailto:host@example.org"}
    with PushService() as service:
        with checked_server(tmp_path, **flags) as server:
            found = asyncio.run(run(server, service))
        assert service.origin.encode() not in b"".join(
            path.read_bytes() for path in tmp_path.iterdir()
        )
        with Server(tmp_path, **flags) as server:  # remembers the turns notified
            asyncio.run(again(server, service, *found))
        assert sorted(each[0] for each in service.came) == ["/one", "/one", "/two"]


@in_both
def test_gone_forgotten_and_surplus_subscriptions_are_deleted(tmp_path: Path) -> None:
    count = "SELECT count(*) FROM push_subscriptions"

    async def run(server: Server, service: PushService) -> None:
        async with guests_turn(server) as (table, host, guest, page), Person(server) as nobody:
            assert (
                (await subscribe(nobody, Subscribed(service, "/x").wish()))
                .json()["reason"][0]
                .endswith("no_seat_yet")
            )
            for number in range(7):
                assert (
                    await subscribe(guest, Subscribed(service, f"/{number}").wish())
                ).status_code == 200
            assert rows(tmp_path, count) == [(5,)]
            ended = {"endpoint": f"{service.origin}/6"}
            await host.http.post("/api/push/end", json=ended)  # another person's
            assert rows(tmp_path, count) == [(5,)]
            await guest.http.post("/api/push/end", json=ended)
            assert rows(tmp_path, count) == [(4,)]
            service.answers = {"/2": [410], "/3": [404], "/4": [400]}
            begin = time.perf_counter()
            await end_turn(page)
            assert time.perf_counter() - begin < 5  # no move waits for a notification
            for number in (2, 3, 4, 5):
                await asyncio.to_thread(service.posts, f"/{number}", 1)
            while rows(tmp_path, count) != [(2,)]:
                await asyncio.sleep(0.02)
            assert (await guest.http.post("/api/forget", json={})).status_code == 200
            assert rows(tmp_path, count) == [(0,)]
            assert table

    with (
        PushService() as service,
        checked_server(tmp_path, call_after=0, push_local=None) as server,
    ):
        asyncio.run(run(server, service))


def test_bots_move_on_between_people_who_have_closed_their_pages(tmp_path: Path) -> None:
    async def run(server: Server, service: PushService) -> None:
        async with Person(server) as host, Person(server) as guest:
            seats = [{"who": "me"}, {"who": "bot", "level": "random"}, {"who": "link"}]
            wish = {"game": "suleika", "seats": seats, "options": {"first": 0}}
            made = (await host.http.post("/api/tables", json=wish)).json()
            assert (await guest.sit(made["table"], made["invitations"]["2"])).status_code == 200
            device = Subscribed(service, "/guest")
            assert (await subscribe(guest, device.wish("nl"))).status_code == 200
            async with host.page(made["table"]) as page:
                await page.until_begun()
                await end_turn(page)
            [(_, _, body)] = await asyncio.to_thread(service.posts, "/guest", 1)
            assert device.read(body)["body"] == "Jij bent aan de beurt."

    with (
        PushService() as service,
        checked_server(tmp_path, call_after=0, push_local=None, pace=0.3) as server,
    ):
        asyncio.run(run(server, service))


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
def test_invalid_endpoints_are_refused(server: Server, endpoint: str) -> None:
    async def run() -> None:
        async with Person(server) as person:
            await person.new_table("suleika", "me", "bot")
            with PushService() as service:
                good = Subscribed(service, "/").wish()
            answer = await subscribe(person, good | {"endpoint": endpoint})
            assert (answer.status_code, answer.json()["reason"][0]) == (
                400,
                "table.refused.device_wrong",
            )
            for bad in (
                {"p256dh": "AAAA"},
                {"auth": "AAAA"},
                {"p256dh": "ä"},
                {"p256dh": good["p256dh"][:-4] + "AAAA"},
            ):
                answer = await subscribe(
                    person, good | {"endpoint": "https://push.example.org/x"} | bad
                )
                assert answer.json()["reason"][0] == "table.refused.device_wrong"

    asyncio.run(run())


@asynccontextmanager
async def subscribed_at(server: Server, service: PushService, *paths: str) -> AsyncIterator[None]:
    """A person subscribed at these paths whose turn has come."""
    async with guests_turn(server) as (_, _, guest, page):
        for path in paths:
            assert (await subscribe(guest, Subscribed(service, path).wish())).status_code == 200
        await end_turn(page)
        yield


async def until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not holds():
            await asyncio.sleep(0.02)


def drips(*persons: int) -> list[list[str]]:
    return [[f"/drip/{person}/{device}" for device in range(5)] for person in persons]


def test_slow_service_delays_neither_other_notifications_nor_shutdown(tmp_path: Path) -> None:
    async def run(server: Server, service: PushService) -> None:
        first, second = drips(1, 2)
        async with subscribed_at(server, service, *first), subscribed_at(server, service, *second):
            await until(lambda: service.dripping >= 4)  # two messages are in progress for each
            async with subscribed_at(server, service, "/other"):
                await asyncio.to_thread(service.posts, "/other", 1)
            assert (service.dripping, service.hung_up) == (4, 0)
            assert await asyncio.to_thread(server.stop) == 0

    with PushService() as service, Server(tmp_path, call_after=0, push_local=None) as server:
        asyncio.run(run(server, service))
        assert not server.troubles


def test_a_post_has_one_deadline(tmp_path: Path) -> None:
    async def run(server: Server, service: PushService) -> None:
        [one] = drips(1)
        async with subscribed_at(server, service, *one):
            await until(lambda: service.hung_up >= 5)  # so the others get their turn

    flags = {"home": ROOT, "program": "tests.server.support.impatient_server"}
    with (
        PushService() as service,
        checked_server(tmp_path, **flags, call_after=0, push_local=None) as server,
    ):
        asyncio.run(run(server, service))


def test_invalid_retry_after_is_ignored(tmp_path: Path) -> None:
    async def run(server: Server, service: PushService) -> None:
        async with subscribed_at(server, service, "/one"):
            await asyncio.to_thread(service.posts, "/one", 2)

    with (
        PushService() as service,
        checked_server(tmp_path, call_after=0, push_local=None) as server,
    ):
        service.answers, service.later = {"/one": [503]}, "\u00b2"
        asyncio.run(run(server, service))


@pytest.mark.parametrize(
    ("said", "answer"),
    [
        (b"HTTP/1.1 201 Created\r\nContent-Length: 5\r\n\r\nhello", (201, None)),
        (b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 410 Gone\r\n\r\n", (410, None)),
        (b"HTTP/1.1 429 Slow down\r\nretry-after:  7 \r\n\r\n", (429, 7)),
        (b"HTTP/1.1 503 Later\r\nRetry-After: \xb2\r\n\r\n", (503, None)),
        (b"HTTP/1.1 503 Later\r\nRetry-After: Wed, 18 Nov 2026 12:00:00 GMT\r\n\r\n", (503, None)),
        (b"HTTP/1.1 503 Later\r\nRetry-After: " + b"9" * 5000 + b"\r\n\r\n", (503, None)),
        (b"HTTP/1.1 201 Created\r\n" + b"Long: x\r\n" * 5000 + b"\r\n", None),
        (b"HTTP/1.1 100 Continue\r\n\r\n" * 5000 + b"HTTP/1.1 201 Created\r\n\r\n", None),
        (b"220 mail.example.org ESMTP\r\n\r\n", None),
        (b"HTTP/1.1 201 Created\r\n", None),
        (b"", None),
    ],
)
def test_only_response_headers_count(said: bytes, answer: tuple[int, float | None] | None) -> None:
    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        assert (await reader.readuntil(b"\r\n\r\n")).startswith(
            b"POST /x?y=1 HTTP/1.1\r\nHost: 127.0.0.1:"
        )
        assert await reader.readexactly(4) == b"body"
        writer.write(said)
        writer.close()

    async def run() -> tuple[int, float | None]:
        async with await asyncio.start_server(serve, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            return await post(f"http://127.0.0.1:{port}/x?y=1", {"TTL": "1"}, b"body", local=True)

    if answer is None:
        with pytest.raises(OSError, match="no answer"):
            asyncio.run(run())
    else:
        assert asyncio.run(run()) == answer


def certificate_of(name: str, folder: Path) -> Path:
    """A self-signed certificate with its key."""
    key, now = ec.generate_private_key(ec.SECP256R1()), datetime.now(UTC)
    who = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, name)])
    builder = x509.CertificateBuilder(who, who, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(1)).not_valid_after(now + timedelta(1))
    builder = builder.add_extension(
        x509.SubjectAlternativeName([x509.DNSName(name)]), critical=False
    )
    found = builder.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
    signed = found.sign(key, hashes.SHA256()).public_bytes(Encoding.PEM)
    path = folder / f"{name}.pem"
    path.write_bytes(signed + key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return path


@pytest.mark.parametrize("name", ["push.example.org", "other.example.org"])
def test_a_service_shows_a_certificate_of_its_name(
    tmp_path: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str | None] = []
    tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    tls.load_cert_chain(certificate_of(name, tmp_path))
    tls.sni_callback = lambda _line, host, _tls: asked.append(host)

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 201 Created\r\n\r\n")

    async def run() -> tuple[int, float | None]:
        async with await asyncio.start_server(serve, "127.0.0.1", 0, ssl=tls) as server:
            port = server.sockets[0].getsockname()[1]
            return await post(f"https://push.example.org:{port}/x", {}, b"", local=True)

    monkeypatch.setenv("SSL_CERT_FILE", str(tmp_path / f"{name}.pem"))
    found = socket.getaddrinfo
    monkeypatch.setattr("socket.getaddrinfo", lambda _host, *rest: found("127.0.0.1", *rest))
    webpush._tls.cache_clear()
    if name == "push.example.org":
        assert asyncio.run(run()) == (201, None)
    else:
        with pytest.raises(ssl.SSLCertVerificationError):
            asyncio.run(run())
    webpush._tls.cache_clear()
    assert asked == ["push.example.org"]


def test_names_resolving_into_our_own_network_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    inside = [
        "127.0.0.1",
        "10.1.2.3",
        "169.254.169.254",
        "100.64.0.1",
        "::1",
        "fe80::1",
        "fd00::1",
        "::ffff:10.0.0.1",
    ]
    inside += ["64:ff9b::a00:1", "2002:a00:1::1", "224.0.0.1", "0.0.0.0"]
    assert not any(map(is_public_address, inside))
    assert all(map(is_public_address, ["1.1.1.1", "2606:4700::1111", "::ffff:1.1.1.1"]))
    found = [(2, 1, 6, "", ("1.1.1.1", 443)), (2, 1, 6, "", ("10.0.0.1", 443))]
    monkeypatch.setattr("socket.getaddrinfo", lambda *_, **__: found)
    with pytest.raises(EndpointNotAllowed):
        asyncio.run(post("https://rebound.example/x", {}, b""))
    monkeypatch.undo()
    with pytest.raises(EndpointNotAllowed):
        asyncio.run(post(f"https://{'a' * 64}.example/x", {}, b""))  # too long for a host name
    assert parse_endpoint("https://push.example.org/x").hostname == "push.example.org"
