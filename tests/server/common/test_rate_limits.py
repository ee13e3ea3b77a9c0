"""Rate limits: excess commands, sockets and requests are refused, then disconnected."""

import asyncio
from collections.abc import Iterator

import httpx
import pytest
import websockets

from souk.server.common import rate_limits
from souk.server.common.rate_limits import PerClientLimits, PerClientSlots, TokenBucket
from tests.server.support.clients import Person, Server, checked_server, page_at_new_table


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    flags = {"message_rate": 5, "message_burst": 10, "request_rate": 1, "request_burst": 40}
    with checked_server(
        tmp_path_factory.mktemp("strict"), sockets=3, table_rate=0.01, table_burst=4, **flags
    ) as server:
        yield server


def test_a_bucket(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(rate_limits.time, "monotonic", lambda: now[0])
    bucket = TokenBucket(2, 3)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    now[0] = 0.5
    assert [bucket.take() for _ in range(2)] == [True, False]
    now[0] = 100
    assert bucket.full
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_buckets_forget_who_is_quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr(rate_limits.time, "monotonic", lambda: now[0])
    buckets = PerClientLimits(1, 1, most=10)
    for number in range(10):
        assert buckets.take(str(number))
    assert not buckets.take("3")
    now[0] = 60
    assert buckets.take("another")
    assert len(buckets._buckets) == 1


def test_slots() -> None:
    slots = PerClientSlots(2)
    assert [slots.enter("a"), slots.enter("a"), slots.enter("a"), slots.enter("b")] == [
        True,
        True,
        False,
        True,
    ]
    slots.leave("a")
    assert slots.enter("a")


def test_commands_over_the_limit(strict: Server) -> None:
    async def hurry() -> None:
        async with page_at_new_table(strict, "suleika", "me", "here") as page:
            for number in range(30):
                await page.say({"do": "ping", "id": number})
            refused = await page.until(lambda message: message["is"] == "refused")
            assert refused["reason"][0] == "table.refused.too_fast"
            with pytest.raises(websockets.ConnectionClosed) as closed:  # noqa: PT012
                for number in range(300):
                    await page.say({"do": "ping", "id": number})
                while True:
                    await page.hear()
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == 4429

    asyncio.run(hurry())


def test_sockets_over_the_limit(strict: Server) -> None:
    async def open_many() -> None:
        async with Person(strict) as person:
            table, _ = await person.new_table("suleika", "me", "here")
            async with person.page(table), person.page(table), person.page(table) as page:
                address = f"ws://{strict.address}/api/tables/{table}/socket"
                async with websockets.connect(address) as another:
                    assert "table.refused.too_many_sockets" in str(await another.recv())
                    with pytest.raises(websockets.ConnectionClosed):
                        await another.recv()
                assert (await page.ask("ping"))["is"] == "pong"

    asyncio.run(open_many())


def test_tables_and_requests_over_the_limit(strict: Server) -> None:
    async def ask() -> None:
        async with httpx.AsyncClient(base_url=f"http://{strict.address}") as client:
            new_table = {"game": "suleika", "seats": [{"who": "me"}, {"who": "here"}]}
            answers = [await client.post("/api/tables", json=new_table) for _ in range(6)]
            assert answers[-1].status_code == 429
            assert answers[-1].json()["reason"][0] == "table.refused.too_many_tables"
            answers = [await client.get("/api/lobby") for _ in range(50)]
            assert answers[-1].status_code == 429
            assert answers[-1].json()["reason"][0] == "table.refused.too_fast"
            assert (await client.get("/healthz")).status_code == 200

    asyncio.run(ask())
