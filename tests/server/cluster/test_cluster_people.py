"""Several processes: invitations, presence at events, and work done once even if one dies."""

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.server.cluster.test_cluster import FLAGS, Pair, seated
from tests.server.lobby.test_meeting import in_lobby, invite, together
from tests.server.support.clients import Person, Server
from tests.server.support.databases import in_postgres
from tests.server.support.event_people import Guest, Now
from tests.support.postgres import Cluster


@pytest.fixture
def pair(cluster: Cluster, tmp_path: Path) -> Iterator[Pair]:
    with (
        in_postgres(tmp_path, cluster),
        Server(tmp_path, **FLAGS) as one,
        Server(tmp_path, **FLAGS) as other,
    ):
        yield one, other
        assert not one.troubles + other.troubles


def test_an_invitation_crosses_over_and_so_does_its_answer(pair: Pair) -> None:
    one, other = pair

    async def run() -> None:
        async with Person(one) as host, Person(other) as friend, in_lobby(friend) as lobby:
            common = await together(host, friend)
            table, _ = await host.new_table(
                "suleika", {"who": "me", "name": "Amira"}, "open", "open"
            )
            async with host.page(table) as page:
                assert (await invite(host, table, common, 1)).status_code == 200
                cards = await lobby.until(
                    lambda said: said["is"] == "invitations" and said["invitations"]
                )
                assert (cards["invitations"][0]["table"], cards["invitations"][0]["by"]) == (
                    table,
                    "Amira",
                )
                assert (
                    await friend.http.post(f"/api/tables/{table}/decline", json={})
                ).status_code == 200
                declined = [{"name": "Friend 1", "state": "declined"}]
                await page.until(
                    lambda said: said["is"] == "invited" and said["invited"] == declined
                )

    asyncio.run(run())


def test_presence_at_an_event_is_known_everywhere(pair: Pair) -> None:
    one, other = pair

    def here(now: Now) -> set[str]:
        return {each["name"] for each in now["entrants"] if each.get("here")}

    async def run() -> None:
        async with Guest(one) as host, Guest(other) as ann:
            event = await host.open_event("swiss", 2, "suleika", rounds=1)
            await host.enter(event, "Hanna")
            await ann.enter(event, "Ann")
            both = (
                guest.until(event, lambda now: here(now) == {"Hanna", "Ann"})
                for guest in (host, ann)
            )
            await asyncio.gather(*both)  # each polls a different server, as pages do

    asyncio.run(run())


@pytest.mark.parametrize("first", [0, 1])
def test_flags_fall_also_when_either_process_is_killed(pair: Pair, first: int) -> None:
    """Whichever process dies, the flag falls at the other, once."""
    killed, left = pair[first], pair[1 - first]

    async def run() -> None:
        async with Person(killed) as ann, Person(left) as ben:
            table = await seated(ann, ben, clock={"kind": "move", "seconds": 3, "flag": "lose"})
            async with ben.page(table) as page:
                async with ann.page(table) as gone:
                    await gone.until_begun()
                    killed.kill()
                await page.until(lambda said: said["is"] == "result")
                told = [message[0] for event in page.events for message in event["told"]]
                assert told.count("table.life.lost") == 1

    asyncio.run(run())
