"""HTTP: pages, languages, headers and refusals."""

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest
import websockets

from souk.core.messages import languages, texts
from souk.games import names
from souk.server.common.tokens import digest
from tests.server.support.clients import Person, Server

ME = [{"who": "me"}]
BOT = {"who": "bot", "level": "random"}


def get(server: Server, path: str, **headers: str) -> httpx.Response:
    return httpx.get(f"http://{server.address}{path}", headers=headers)


def post(server: Server, path: str, **arguments: Any) -> httpx.Response:
    return httpx.post(f"http://{server.address}{path}", **arguments)


def test_health(server: Server) -> None:
    assert get(server, "/healthz").text == "ok\n"


@pytest.mark.parametrize(
    "path", ["/", "/new", "/t/abcdefgh", "/api/lobby", "/languages.json", "/nothing.js", "/api/x"]
)
def test_every_answer_carries_the_guarding_headers(server: Server, path: str) -> None:
    headers = get(server, path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "server" not in headers


def test_pages_and_what_is_none(server: Server) -> None:
    for path in ("/", "/new", "/t/abcdefgh"):
        page = get(server, path)
        assert (page.status_code, page.headers["content-type"]) == (200, "text/html; charset=utf-8")
        assert page.headers["cache-control"] == "no-cache"
    for path in (
        "/nothing.js",
        "/../protocol.py",
        "/assets/../../protocol.py",
        "/api/nothing",
        "/languages/xx.json",
    ):
        found = get(server, path)
        assert found.status_code == 404
        assert found.json()["reason"][0].startswith("table.refused.")


def test_languages(server: Server) -> None:
    cards = get(server, "/languages.json").json()["languages"]
    assert [card["code"] for card in cards] == languages()
    for card in cards:
        found = get(
            server,
            f"/languages/{card['code']}.json?v={card['digest']}",
            **{"accept-encoding": "gzip"},
        )
        assert found.headers["content-encoding"] == "gzip"
        assert "immutable" in found.headers["cache-control"]
        assert (
            found.json()["told"]["core"]["has_chosen"]
            == texts(card["code"])["told.core.has_chosen"]
        )
        again = get(
            server, f"/languages/{card['code']}.json", **{"if-none-match": found.headers["etag"]}
        )
        assert again.status_code == 304
        rules = get(server, f"/languages/{card['code']}/rules.json?v={card['digest']}")
        assert "immutable" in rules.headers["cache-control"]
        assert sorted(rules.json()) == sorted(names())


def test_the_cookie_is_kept_from_scripts(server: Server) -> None:
    cookie = get(server, "/api/lobby").headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Lax" in cookie
    assert "Secure" not in cookie  # plain http
    assert len(cookie.split(";")[0].split("=")[1]) == 32


REFUSED = [
    ({"game": "chess", "seats": ME}, "game_unknown"),
    ({"game": "suleika", "seats": [BOT, BOT]}, "seat_for_me"),
    ({"game": "suleika", "seats": [*ME, *ME]}, "seat_for_me"),
    ({"game": "suleika", "seats": [*ME, {"who": "king"}]}, "seat_unknown"),
    ({"game": "suleika", "seats": [*ME, {"who": "bot", "level": "exec:rm"}]}, "level_unknown"),
    (
        {"game": "suleika", "seats": [*ME, {"who": "bot", "level": "search:playouts=1000000"}]},
        "level_unknown",
    ),
    ({"game": "suleika", "seats": [{"who": "me", "name": "x" * 21}, BOT]}, "name_too_long"),
    ({"game": "suleika", "seats": [{"who": "me", "name": "a\u202eb"}, BOT]}, "name_unprintable"),
    ({"game": "suleika", "seats": ME, "more": 1}, "unreadable"),
    ({"game": "suleika"}, "unreadable"),
    ([], "unreadable"),
    ("suleika", "unreadable"),
]


@pytest.mark.parametrize(("wish", "key"), REFUSED)
def test_tables_that_cannot_be(server: Server, wish: Any, key: str) -> None:
    answer = post(server, "/api/tables", json=wish)
    assert answer.status_code == 400
    assert answer.json()["reason"][0] == f"table.refused.{key}"


@pytest.mark.parametrize(
    ("game", "seats", "options", "named"),
    [
        ("suleika", 1, {}, "players"),
        ("suleika", 3, {"first": 7}, "first"),
        ("suleika", 2, {"nonsense": 1}, "nonsense"),
        ("bazaar", 2, {"rates": [[1], {}]}, "rates"),
        ("bazaar", 2, {"rates": ["a/b"]}, "rates"),
    ],
)
def test_options_that_make_no_sense_are_named(
    server: Server, game: str, seats: int, options: dict[str, Any], named: str
) -> None:
    wish = {"game": game, "seats": [*ME, *[BOT] * (seats - 1)], "options": options}
    answer = post(server, "/api/tables", json=wish)
    assert answer.status_code == 400, answer.text
    assert answer.json()["reason"][0].startswith(f"{named}: ")


def test_only_our_own_pages_may_post(server: Server) -> None:
    wish = {"game": "suleika", "seats": [*ME, BOT]}
    foreign = post(
        server, "/api/tables", json=wish, headers={"origin": "https://elsewhere.example"}
    )
    assert (foreign.status_code, foreign.json()["reason"][0]) == (403, "table.refused.foreign_page")
    assert (
        post(
            server, "/api/tables", json=wish, headers={"origin": f"http://{server.address}"}
        ).status_code
        == 200
    )
    other_scheme = post(
        server, "/api/tables", json=wish, headers={"origin": f"https://{server.address}"}
    )
    assert (other_scheme.status_code, other_scheme.json()["reason"][0]) == (
        403,
        "table.refused.foreign_page",
    )
    with pytest.raises(websockets.InvalidStatus, match="403"):
        asyncio.run(_handshake(server, server.address, f"https://{server.address}"))
    form = post(
        server, "/api/tables", content='{"game": "suleika"}', headers={"content-type": "text/plain"}
    )
    assert form.status_code == 415


def test_bodies_that_are_too_large(server: Server) -> None:
    answer = post(
        server, "/api/tables", content=b"[" * 20_000, headers={"content-type": "application/json"}
    )
    assert (answer.status_code, answer.json()["reason"][0]) == (413, "table.refused.too_large")


def test_tables_cannot_be_guessed(server: Server) -> None:
    async def visit() -> None:
        async with Person(server) as person:
            tables = [(await person.new_table("bazaar", "me"))[0] for _ in range(3)]
            assert len(set(tables)) == 3
            assert all(len(table) == 16 for table in tables)  # 96 bits
            for table in ("1", "a" * 16, tables[0][:-1], tables[0] + "x"):
                for question in ("record", "aside"):
                    answer = await person.http.get(f"/api/tables/{table}/{question}")
                    assert (answer.status_code, answer.json()["reason"][0]) == (
                        404,
                        "table.refused.table_unknown",
                    )

    asyncio.run(visit())


def test_secrets_are_not_in_the_log_nor_in_the_file(server: Server) -> None:
    async def visit() -> tuple[str, str]:
        async with Person(server) as person, Person(server) as guest:
            table, invitations = await person.new_table("suleika", "me", "link")
            await guest.sit(table, invitations["1"])
            return person.cookie, invitations["1"]

    secrets = asyncio.run(visit())
    kept = (
        b"".join(path.read_bytes() for path in server.data.iterdir())
        + "".join(server.lines).encode()
    )
    for secret in secrets:
        assert digest(secret) in kept
        assert secret.encode() not in kept


def test_a_foreign_name_that_leads_here_is_turned_away(server: Server) -> None:
    """Otherwise any page could act in its visitors' name under a host that resolves here (DNS
    rebinding).
    """
    port = server.address.rpartition(":")[2]
    for name in (f"localhost:{port}", server.address, "127.0.0.1", f"[::1]:{port}"):
        assert get(server, "/api/lobby", host=name).status_code == 200
    for name in (
        "rebound.example",
        f"rebound.example:{port}",
        "127.0.0.1.rebound.example",
        "localhost.rebound.example",
        "",
        f":{port}",
    ):
        refused = get(server, "/api/lobby", host=name)
        assert (refused.status_code, refused.json()["reason"][0]) == (
            421,
            "table.refused.other_host",
        )
        if name.strip(f":{port}"):
            with pytest.raises(websockets.InvalidStatus, match="421"):
                asyncio.run(_handshake(server, name))


async def _handshake(server: Server, host: str, origin: str | None = None) -> None:
    address = f"ws://{host}/api/tables/{'a' * 16}/socket"
    own, _, port = server.address.rpartition(":")
    given = websockets.Origin(origin) if origin else None
    async with websockets.connect(address, host=own, port=int(port), origin=given):
        pass


def test_a_server_answers_to_the_names_it_was_given(tmp_path: Path) -> None:
    with Server(tmp_path, hosts="Souk.example,table.example") as named:
        for name, status in (
            ("souk.example", 200),
            ("table.example:80", 200),
            ("localhost", 200),
            ("x.example", 421),
        ):
            assert get(named, "/api/lobby", host=name).status_code == status
    with Server(
        tmp_path, proxies="127.0.0.1"
    ) as behind:  # a proxy passes on the host it was reached by
        assert get(behind, "/api/lobby", host="anything.example").status_code == 200


def test_behind_tls_the_cookie_is_of_this_host_alone(tmp_path: Path) -> None:
    secure = {"x-forwarded-proto": "https"}
    with Server(tmp_path, proxies="127.0.0.1") as behind:
        given = get(behind, "/api/lobby", **secure).headers["set-cookie"]
        assert given.startswith("__Host-souk=")
        assert "; Secure" in given
        mine = given.partition(";")[0]
        for cookies in (mine, f"souk={'x' * 32}; {mine}", f"{mine}; souk={'x' * 32}"):
            made = httpx.post(
                f"http://{behind.address}/api/tables",
                json={"game": "suleika", "seats": [*ME, BOT]},
                headers=secure | {"cookie": cookies},
            )
            assert made.status_code == 200
        assert len(get(behind, "/api/lobby", cookie=mine).json()["tables"]) == 3
        assert (
            "set-cookie" not in get(behind, "/api/lobby", cookie=f"souk={'y' * 32}").headers
        )  # a cookie from before TLS
        for scheme, status in (
            ("https", 200),
            ("http", 403),
        ):  # the page came over TLS, whatever the proxy uses
            origin = {"origin": f"{scheme}://{behind.address}"}
            assert (
                post(
                    behind,
                    "/api/tables",
                    json={"game": "suleika", "seats": [*ME, BOT]},
                    headers=secure | origin,
                ).status_code
                == status
            )


def test_no_guest_takes_the_name_of_somebody_at_the_table(server: Server) -> None:
    async def sit(name: str) -> str:
        async with Person(server) as host, Person(server) as guest:
            table, links = await host.new_table("suleika", {"who": "me", "name": "Leila"}, "link")
            assert (await guest.sit(table, links["1"], name)).status_code == 200
            async with guest.page(table) as page:
                return str(page.seats[1]["name"])

    asked_for = ("Leila", "LEILA", "\uff2ceila", "L\u0435ila", "Lei1a")
    for asked, called in (*((name, f"{name} 2") for name in asked_for), ("Lena", "Lena")):
        assert asyncio.run(sit(asked)) == called
