"""Two processes on one PostgreSQL, with real sockets: every page sees the same, wherever it
connects.
"""

import asyncio
import random
from collections.abc import Iterator
from itertools import permutations
from typing import Any

import pytest
import websockets

from tests.server.admin.test_host_command import host_meanwhile
from tests.server.lobby.test_meeting import in_lobby, new_table
from tests.server.support.clients import Page, Person, Server
from tests.server.support.databases import address_of, in_postgres
from tests.support.postgres import Cluster

Pair = tuple[Server, Server]
FLAGS: dict[str, Any] = {"away_time": 0.3, "public_lobby": None}


@pytest.fixture(scope="module")
def pair(cluster: Cluster, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pair]:
    """Two servers sharing only the database and its encryption key."""
    folder = tmp_path_factory.mktemp("cluster")
    with (
        in_postgres(folder, cluster),
        Server(folder, **FLAGS) as one,
        Server(folder, **FLAGS) as other,
    ):
        yield one, other
        assert (one.stop(), other.stop()) == (0, 0)
        assert not one.troubles + other.troubles


def elsewhere(person: Person, server: Server) -> Person:
    """The same person with a browser at another server."""
    return Person(server, person.cookie)


def test_one_table_watched_from_two_processes_sees_every_event_in_order(pair: Pair) -> None:
    one, other = pair

    async def run() -> None:
        async with Person(one) as ann, Person(other) as ben:
            table, links = await ann.new_table("suleika", "me", "link")
            assert (await ben.sit(table, links["1"], "Ben")).status_code == 200
            async with (
                ann.page(table) as first,
                ben.page(table) as second,
                elsewhere(ann, other).page(table) as third,
            ):
                rng = random.Random(1)
                await asyncio.gather(
                    first.play(0, rng),
                    second.play(1, rng),
                    third.until_so(lambda: third.view.get("over", False)),
                )
                for page in (first, second, third):
                    last = page.seq
                    while not any(message["is"] == "result" for message in page.heard):
                        await page.hear()
                    begun = next(m["seq"] for m in page.heard if m["is"] == "table" and m["view"])
                    assert [event["seq"] for event in page.events if event["seq"] > begun] == list(
                        range(begun + 1, last + 1)
                    )
                told = [
                    {e["seq"]: (e["told"], e["facts"], e["move"]) for e in page.events}
                    for page in (first, third)
                ]
                both = told[0].keys() & told[1].keys()
                assert len(both) > 20
                assert all(told[0][seq] == told[1][seq] for seq in both)
                assert first.view["scores"] == second.view["scores"] == third.view["scores"]

    asyncio.run(run())


def test_bots_move_once_where_two_processes_have_the_table_open(pair: Pair) -> None:
    one, other = pair

    async def run() -> None:
        async with Person(one) as ann:
            table, _ = await ann.new_table("suleika", "me", "bot", "bot")
            async with ann.page(table) as first, elsewhere(ann, other).page(table) as second:
                watching = second.until_so(lambda: second.view["over"])
                await asyncio.gather(first.play(0, random.Random(5)), watching)
                assert first.seq == second.seq

    def refused() -> int:
        """Writes that lost the race."""
        return sum("write rejected" in line for server in pair for line in server.lines)

    before = refused()
    asyncio.run(run())
    assert refused() - before <= 2  # before the processes knew of each other


async def seated(ann: Person, *others: Person, game: str = "suleika", **options: Any) -> str:
    """A table of several people."""
    seats = [{"who": "me", "name": "Ann"}, *({"who": "link"} for _ in others)]
    wish = {"game": game, "seats": seats} | options
    made = (await ann.http.post("/api/tables", json=wish)).json()
    for seat, person in enumerate(others, 1):
        assert (
            await person.sit(made["table"], made["invitations"][str(seat)], f"Guest{seat}")
        ).status_code == 200
    return str(made["table"])


def test_two_secret_choices_at_the_same_moment_by_two_processes_both_count(pair: Pair) -> None:
    one, other = pair

    async def choose(ann: Person, ben: Person, cat: Person) -> None:
        table = await seated(ann, ben, cat, game="basari")
        async with ann.page(table) as first, ben.page(table) as second, cat.page(table) as third:
            pages = [first, second, third]
            for page in pages:
                await page.until_begun()
            while len(first.view["actors"]) == 1:  # figures' start
                mover = pages[first.view["actors"][0]]
                await mover.until_so(lambda page=mover: bool(page.view["moves"]))
                assert (await mover.move(pages.index(mover), mover.view["moves"][0]))[
                    "is"
                ] == "done"
                for page in pages:
                    await page.until_so(lambda page=page, seq=mover.seq: page.seq >= seq)
            for page in pages:
                await page.until_so(lambda page=page: bool(page.view["moves"]))
            seq = first.seq
            moves = [page.move(seat, page.view["moves"][0]) for seat, page in enumerate(pages)]
            assert [answer["is"] for answer in await asyncio.gather(*moves)] == ["done"] * 3
            for page in pages:
                await page.until_so(lambda page=page: page.seq >= seq + 3)
                assert [
                    event["seat"] for event in page.events if seq < event["seq"] <= seq + 3
                ] in ([list(order) for order in permutations(range(3))])
            late = await first.move(0, "points", after=seq)
            assert late["reason"][0] == "table.refused.stale", late

    async def run() -> None:
        async with Person(one) as ann, Person(other) as ben, Person(one) as cat:
            await asyncio.gather(*(choose(ann, ben, cat) for _ in range(4)))

    asyncio.run(run())


def test_chat_presence_and_votes_are_shared(pair: Pair) -> None:
    one, other = pair

    async def run() -> None:
        async with Person(one) as ann, Person(other) as ben, Person(one) as cat:
            table = await seated(ann, ben, cat, free_talk=True)
            async with ben.page(table) as second, cat.page(table) as third:
                async with ann.page(table) as first:
                    await first.until_begun()
                    await second.until(
                        lambda said: (
                            said["is"] == "seats" and not any(s.get("away") for s in said["seats"])
                        )
                    )
                    assert (await second.ask("say", seat=1, text="hello there"))["is"] == "done"
                    said = await third.until(lambda said: said["is"] == "chat_message")
                    assert said["saying"]["text"] == "hello there"
                    mover = first.view["actors"][0]
                pages = {1: second, 2: third}
                for (
                    page
                ) in pages.values():  # they learn that Ann's page at the first server is closed
                    await page.until(
                        lambda said: said["is"] == "seats" and bool(said["seats"][0].get("away"))
                    )
                while mover != 0:
                    page = pages[mover]
                    await page.until_so(lambda page=page: bool(page.view and page.view["moves"]))
                    assert (await page.move(mover, page.view["moves"][0]))["is"] == "done"
                    await page.until_so(lambda page=page: bool(page.view["actors"]))
                    mover = page.view["actors"][0]
                for page in pages.values():
                    await page.until(
                        lambda said: (
                            said["is"] == "timing"
                            and bool(said["away"])
                            and said["away"][0]["voices"] == [1, 2]
                        )
                    )
                await asyncio.sleep(FLAGS["away_time"] + 0.1)
                wish = {"about": 0, "choice": "stand_in", "level": "random"}
                answers = await asyncio.gather(
                    *(
                        page.ask("vote_on_absence", seat=seat, **wish)
                        for seat, page in pages.items()
                    )
                )
                assert [answer["is"] for answer in answers] == ["done", "done"], answers
                for page in pages.values():
                    await page.until(lambda said: said["is"] == "event" and said["seat"] == 0)

    asyncio.run(run())


def test_clocks_are_the_same_everywhere(pair: Pair) -> None:
    one, other = pair

    async def run() -> None:
        async with Person(one) as ann, Person(other) as ben:
            clock = {"kind": "game", "seconds": 600, "returns": False}
            table = await seated(ann, ben, clock=clock)
            async with ann.page(table) as first, ben.page(table) as second:
                for page in (first, second):
                    await page.until_begun()
                for _ in range(6):
                    mover = first.view["actors"][0]
                    page = (first, second)[mover]
                    await page.until_so(lambda page=page: bool(page.view["moves"]))
                    assert (await page.move(mover, page.view["moves"][0]))["is"] == "done"
                    for each in (first, second):
                        await each.until_so(lambda each=each, seq=page.seq: each.seq >= seq)
                async with ann.page(table) as here, elsewhere(ben, other).page(table) as there:
                    lefts = [each.now["life"]["clocks"]["left"] for each in (here, there)]
                for mine, theirs in zip(*lefts, strict=True):
                    assert abs(mine - theirs) < 1.0
                    assert 580 < mine <= 600

    asyncio.run(run())


def test_a_flag_falls_once(pair: Pair) -> None:
    one, other = pair

    async def run() -> None:
        async with Person(one) as ann, Person(other) as ben:
            table = await seated(ann, ben, clock={"kind": "move", "seconds": 3, "flag": "lose"})
            async with ann.page(table) as first, ben.page(table) as second:
                for page in (first, second):
                    await page.until(lambda said: said["is"] == "result")
                    told = [message[0] for event in page.events for message in event["told"]]
                    assert told.count("table.life.lost") == 1
                assert first.seq == second.seq

    asyncio.run(run())


def test_signing_out_and_bans_reach_all_processes_at_once(pair: Pair) -> None:
    one, other = pair

    async def closed(page: Page) -> int:
        try:
            while True:
                await page.hear()
        except websockets.ConnectionClosed as ended:
            return ended.rcvd.code if ended.rcvd else 0

    async def run() -> None:
        async with Person(one) as ann, Person(other) as phone:
            table, _ = await ann.new_table("suleika", {"who": "me", "name": "Banished"}, "here")
            code = (await ann.http.post("/api/devices/link", json={})).json()["code"]
            assert (
                await phone.http.post("/api/devices/sign-in", json={"code": code})
            ).status_code == 200
            async with phone.page(table, 0) as page:
                assert (
                    await ann.http.post("/api/devices/sign-out", json={"scope": "others"})
                ).status_code == 200
                assert await closed(page) == 4401
            async with ann.page(table) as here, elsewhere(ann, other).page(table) as there:
                await host_meanwhile(
                    one, "ban", "Banished", "--yes", "--store", address_of(one.data)
                )
                assert (await closed(here), await closed(there)) == (4403, 4403)

    asyncio.run(run())


def test_matchmaking_and_counts_span_processes(pair: Pair) -> None:
    one, other = pair

    async def run() -> None:
        async with (
            Person(one) as ann,
            Person(other) as ben,
            in_lobby(ann) as here,
            in_lobby(ben) as there,
        ):
            await here.until_so(lambda: here.counts.get("here") == 2)
            await there.until_so(lambda: there.counts.get("here") == 2)
            wish = {"game": "suleika", "players": 2, "patience": 0}
            assert (await here.ask("find_players", **wish))["is"] == "done"
            await there.until_so(lambda: there.counts.get("finding", {}).get("suleika") == 1)
            assert (await there.ask("find_players", **wish))["is"] == "done"
            tables = [(await lobby.until_is("players_found"))["table"] for lobby in (here, there)]
            assert tables[0] == tables[1]
            async with ann.page(tables[0]) as first, ben.page(tables[0]) as second:
                await first.until_begun()
                await second.until_begun()
            public = (await new_table(ann, "me", "open")).json()["table"]
            async with ann.page(public):
                await there.until_board(lambda board: public in board)
            await there.until_board(lambda board: public not in board)

    asyncio.run(run())
