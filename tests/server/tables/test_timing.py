"""Clocks over real sockets, on a server whose uptime the test controls."""

import asyncio
import random
from contextlib import suppress
from pathlib import Path

import pytest
import websockets

from souk import Record
from tests.server.support.clients import Page, Person, Server
from tests.server.support.controlled_uptime import (
    CLOCK,
    DAY,
    House,
    company,
    first_move,
    reason,
    settle,
)
from tests.server.support.databases import in_both


def test_a_clock_runs_for_whoever_thinks_and_is_told_to_all(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 2, CLOCK) as (_, (one, two)):
            assert (await settle(one))["clocks"]["running"] == [0]
            house.pass_by(10)
            assert (await first_move(one))["is"] == "done"
            for page in (one, two):
                told = (await settle(page))["clocks"]
                assert (
                    52.0 <= told["left"][0] <= 52.5
                )  # what was thought, less the lag, and the increment
                assert told["left"][1] == 60.0

    asyncio.run(play())


class SlowLine:
    """A connection that delays everything."""

    def __init__(self, target: str, delay: float) -> None:
        self._target, self._delay = target.split(":"), delay

    async def __aenter__(self) -> str:
        self._writers: list[asyncio.StreamWriter] = []
        self._server = await asyncio.start_server(self._connected, "127.0.0.1", 0)
        return f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"

    async def __aexit__(self, *_: object) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.sleep(2 * self._delay)  # whatever is still under way is dropped

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        far_reader, far_writer = await asyncio.open_connection(*self._target)
        self._writers += [writer, far_writer]
        await asyncio.gather(self._pass(reader, far_writer), self._pass(far_reader, writer))

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with suppress(ConnectionError):
            while data := await reader.read(65536):
                await asyncio.sleep(self._delay)
                writer.write(data)
        writer.close()


@pytest.mark.parametrize(("delay", "least", "most"), [(0.06, 9.5, 9.88), (0.3, 9.5, 9.5)])
def test_lag_is_given_back_but_not_more_than_half_a_second(
    house: House, delay: float, least: float, most: float
) -> None:
    """With stopped time the result is exact: ten seconds of thought, of which the lag is given
    back.
    """

    async def play() -> None:
        async with company(house.server, 2, {"kind": "game", "seconds": 60.0}) as (
            [host, _],
            [near, _],
        ):
            table = near.table
            await near.socket.close()
            async with SlowLine(house.server.address, delay) as address:
                headers = {"cookie": f"souk={host.cookie}"}
                at = f"ws://{address}/api/tables/{table}/socket"
                async with websockets.connect(
                    at, additional_headers=headers, compression=None
                ) as socket:
                    page = Page(table, socket)
                    await page.watch(None, -1)
                    await settle(page)  # by then the lag has been measured
                    house.pass_by(10)
                    assert (await first_move(page))["is"] == "done"
                    assert least <= 60.0 - (await settle(page))["clocks"]["left"][0] <= most

    asyncio.run(play())


def test_a_bot_stands_in_when_time_is_up_until_the_person_returns(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 2, {"kind": "move", "seconds": 30.0}) as (_, (one, two)):
            house.pass_by(29)
            assert (await settle(one))["clocks"]["running"] == [0]
            house.pass_by(2)
            await one.until(
                lambda said: said["is"] == "event" and said["told"][0][0] == "table.life.stand_in"
            )
            await two.until(
                lambda said: said["is"] == "event" and said["seat"] == 0
            )  # the bot has moved
            assert two.seats[0]["stand_in"]
            assert reason(await two.ask("replace_bot", seat=0)) == "not_your_seat"
            assert reason(await one.ask("replace_bot", seat=0)) == "done"
            await settle(one)
            assert "stand_in" not in one.seats[0]

    asyncio.run(play())


def test_a_move_that_comes_too_late_is_refused_and_by_the_game_nobody_returns(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 2, CLOCK) as ([host, _], (one, two)):
            house.pass_by(60.6)
            assert reason(await first_move(one)) in ("time_up", "seat_out")
            await two.until(
                lambda said: said["is"] == "event" and said["told"][0][0] == "table.life.out"
            )
            assert reason(await one.ask("replace_bot", seat=0)) == "seat_out"
            async with host.page(one.table) as again:  # nor by reopening the page
                assert again.seats[0]["stand_in"]
                assert again.now["life"]["out"] == [0]
                assert (
                    reason(await again.ask("propose", seat=0, what="pause", after=again.seq))
                    == "no_voice"
                )

    asyncio.run(play())


def test_who_loses_on_time_cannot_win_and_the_others_play_on(house: House) -> None:
    async def play() -> None:
        clock = {"kind": "move", "seconds": 30.0, "flag": "lose"}
        async with company(house.server, 2, clock, "bazaar") as (
            [host, _],
            (one, two),
        ):  # of two, one is left
            house.pass_by(31)
            await two.until(lambda said: said["is"] == "result")
            assert (two.view["over"], two.view["winners"], two.view["ended"], two.view["lost"]) == (
                True,
                [1],
                "left",
                [0],
            )
            record = Record.parse(await host.record(two.table))
            assert (record.ended, record.lost) == ("left", (0,))
            assert str(record) == await host.record(two.table)
            [card] = (await host.lobby())["tables"]
            assert (card["over"], card["winners"]) == (True, [1])
            assert reason(await one.move(0, "roll")) in ("ended", "seat_out")
        async with company(house.server, 1, clock, bots=2) as ([host], [page]):
            house.pass_by(31)
            await page.until(lambda said: said["is"] == "result")
            assert "ended" not in page.view
            assert page.view["lost"] == [0]
            assert 0 not in page.view["winners"]
            record = Record.parse(await host.record(page.table))
            assert record.position.over
            assert str(record).splitlines()[-1].split(" won by ")[1][0] != "0"

    asyncio.run(play())


def test_a_correspondence_game_over_days(house: House) -> None:
    """Days per move: nobody needs to be present. When one stays away, the game goes on for the
    other.
    """
    rng = random.Random(1)

    async def visit(person: Person, table: str, seat: int) -> None:
        async with person.page(table) as page:
            while seat in page.view["actors"]:
                assert (await page.move(seat, rng.choice(page.view["moves"])))["is"] == "done"

    async def play() -> None:
        async with company(house.server, 2, {"kind": "days", "seconds": 3 * DAY}, "bazaar") as (
            people,
            pages,
        ):
            table = pages[0].table
            for page in pages:
                await page.socket.close()
            for round_ in range(6):
                house.pass_by(2.5 * DAY)
                await visit(people[round_ % 2], table, round_ % 2)
            async with people[1].page(table) as page:
                assert page.now["life"]["away"] == []  # nobody has to vote about that
                [waited] = page.now["life"]["clocks"]["running"]
            house.pass_by(3.1 * DAY)
            async with people[1 - waited].page(table) as page:
                while not page.seats[waited].get("stand_in") or waited in page.view["actors"]:
                    await page.hear()
            house.pass_by(DAY)
            async with people[waited].page(table) as page:  # the returning player plays on
                assert "stand_in" not in page.seats[waited]

    asyncio.run(play())


@in_both
def test_a_restart_takes_nobodys_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    house = House(tmp_path)

    async def before(server: Server) -> tuple[str, str]:
        async with company(server, 2, CLOCK) as ([host, _], [page, _]):
            house.pass_by(7)
            seat = page.view["actors"][0]
            await first_move(page, seat)
            await settle(page)
            house.pass_by(5)
            await asyncio.sleep(1.0)  # by then the uptime has been stored
            return page.table, host.cookie

    async def after(server: Server, table: str, cookie: str) -> None:
        async with Person(server, cookie) as host, host.page(table) as page:
            left = page.now["life"]["clocks"]["left"]
            assert sum(left) == pytest.approx(
                60.0 + 62.0 - 7.0 - 5.0, abs=0.6
            )  # the increment of one move, and its lag

    with house.open(monkeypatch) as server:
        found = asyncio.run(before(server))
        server.kill()
    house.pass_by(50_000)  # while nobody was here
    with house.open(monkeypatch) as server:
        asyncio.run(after(server, *found))
        assert server.stop() == 0
