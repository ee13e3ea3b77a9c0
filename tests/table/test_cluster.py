"""Several processes of one house: real servers, real sockets, one PostgreSQL. Whichever process a page is connected to, it sees the same."""

import asyncio
import random
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.postgres import Cluster
from tests.table.clients import Page, Person, Server
from tests.table.places import in_postgres

FLAGS: dict[str, Any] = {"away_time": 0.3, "public_lobby": None}


@pytest.fixture(scope="module")
def pair(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Server, Server]]:
    """Two servers that share nothing but the database, and the key to what is sealed there."""
    folder = tmp_path_factory.mktemp("cluster")
    with in_postgres(folder, cluster), Server(folder, **FLAGS) as one, Server(folder, **FLAGS) as other:
        yield one, other
        assert (one.stop(), other.stop()) == (0, 0)
        assert not one.troubles + other.troubles


def elsewhere(person: Person, server: Server) -> Person:
    """The same person with a browser at another server."""
    return Person(server, person.cookie)


async def until(page: Page, seen: Callable[[], bool]) -> None:
    while not seen():
        await page.hear()


def test_one_table_watched_from_two_processes_sees_every_event_in_order(pair: tuple[Server, Server]) -> None:
    one, other = pair

    async def run() -> None:
        async with Person(one) as ann, Person(other) as ben:
            table, links = await ann.new_table("suleika", "me", "link")
            assert (await ben.sit(table, links["1"], "Ben")).status_code == 200
            async with ann.page(table) as first, ben.page(table) as second, elsewhere(ann, other).page(table) as third:
                rng = random.Random(1)
                await asyncio.gather(
                    first.play(0, rng), second.play(1, rng), until(third, lambda: third.view.get("over", False))
                )
                for page in (first, second, third):
                    last = page.seq
                    while not any(message["is"] == "result" for message in page.heard):
                        await page.hear()
                    begun = next(m["seq"] for m in page.heard if m["is"] == "table" and m["view"])
                    assert [event["seq"] for event in page.events if event["seq"] > begun] == list(
                        range(begun + 1, last + 1)
                    )
                told = [{e["seq"]: (e["told"], e["facts"], e["move"]) for e in page.events} for page in (first, third)]
                both = told[0].keys() & told[1].keys()
                assert len(both) > 20
                assert all(told[0][seq] == told[1][seq] for seq in both)
                assert first.view["scores"] == second.view["scores"] == third.view["scores"]

    asyncio.run(run())
