"""Writes of a process that died before announcing them are seen by the others."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from souk.server.tables.peer_processes import SECONDS_BETWEEN_HEARTBEATS, SECONDS_TO_LIVE
from tests.server.support.clients import Page, Person, Server, checked_server

CLOCK = {"kind": "move", "seconds": 600, "flag": "lose"}


@pytest.fixture(scope="module")
def survivor(folder: Path) -> Iterator[Server]:
    with checked_server(folder) as found:
        yield found


@pytest.fixture
def mute(folder: Path, survivor: Server) -> Iterator[Server]:
    """A server that dies before announcing any write; the survivor has made the tables."""
    with Server(folder, program="tests.server.support.silent_bus") as found:
        yield found


class Play(NamedTuple):
    """A table where Ann is to move, at the server that will die, and Ben watches at the other."""

    table: str
    ann: Person
    first: Page
    second: Page

    async def move(self) -> int:
        """Ann moves; returns the number of the last event once it is stored."""
        assert (await self.first.move(0, self.first.view["moves"][0]))["is"] == "done"
        return self.first.seq


@asynccontextmanager
async def playing(mute: Server, survivor: Server, **options: Any) -> Any:
    async with AsyncExitStack() as stack:
        ann, ben = (
            await stack.enter_async_context(Person(mute)),
            await stack.enter_async_context(Person(survivor)),
        )
        wish = {
            "game": "suleika",
            "seats": [{"who": "me", "name": "Ann"}, {"who": "link"}],
        } | options
        made = (await ann.http.post("/api/tables", json=wish)).json()
        assert (await ben.sit(made["table"], made["invitations"]["1"], "Ben")).status_code == 200
        first = await stack.enter_async_context(ann.page(made["table"]))
        await first.until_begun()
        second = await stack.enter_async_context(ben.page(made["table"]))
        while first.view["actors"] != [0]:
            await second.until_so(lambda: bool(second.view["moves"]))
            seq = (await second.move(1, second.view["moves"][0]))["seq"]
            await first.until_so(lambda seq=seq: first.seq >= seq)
        await first.until_so(lambda: bool(first.view["moves"]))
        assert first.seq == second.seq
        yield Play(made["table"], ann, first, second)


@pytest.mark.parametrize("options", [{}, {"clock": CLOCK}], ids=["no clock", "a clock"])
def test_last_move_of_a_dead_server_is_shown_at_the_other(
    mute: Server, survivor: Server, options: dict[str, Any]
) -> None:
    async def run() -> None:
        async with playing(mute, survivor, **options) as play:
            seq = await play.move()
            mute.kill()
            await play.second.until_so(lambda: play.second.seq >= seq)
            actors = play.first.view["actors"]
            assert play.second.view["actors"] == actors
            if options:
                life = await play.second.until(lambda said: said["is"] == "timing")
                assert life["clocks"]["running"] == actors
            # The game goes on without reloading a page.
            async with Person(survivor, play.ann.cookie).page(play.table) as again:
                pages = {0: again, 1: play.second}
                [actor] = actors
                await pages[actor].until_so(lambda: bool(pages[actor].view["moves"]))
                assert (await pages[actor].move(actor, pages[actor].view["moves"][0]))[
                    "is"
                ] == "done"

    asyncio.run(run())


def test_a_dead_peer_is_noticed_within_three_seconds() -> None:
    """Peers are checked with every heartbeat; after a timeout there is time left to read their
    writes.
    """
    assert SECONDS_TO_LIVE + SECONDS_BETWEEN_HEARTBEATS <= 2.5


@pytest.mark.parametrize("behind", [0, 1], ids=["that knows it", "that does not"])
def test_a_page_is_shown_unannounced_writes(mute: Server, survivor: Server, behind: int) -> None:
    async def run() -> None:
        async with playing(mute, survivor) as play:
            seq = await play.move()
            async with Person(survivor, play.ann.cookie).page(
                play.table, after=seq - behind
            ) as again:
                assert again.seq == seq
                assert again.view["actors"] == play.first.view["actors"]
                assert [line["seq"] for line in again.now["lines"]] == list(
                    range(seq - behind + 1, seq + 1)
                )
            await play.second.until_so(lambda: play.second.seq >= seq)

    asyncio.run(run())
