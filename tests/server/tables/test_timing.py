"""Clocks, agreements and somebody who is away, over real sockets, in a house whose time the test sets."""

import asyncio
import random
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
import websockets

from souk import Record
from tests.table.clients import BOT, Page, Person, Server
from tests.table.places import in_both

DAY = 86_400.0
CLOCK = {"kind": "game", "seconds": 60.0, "increment": 2.0}


class House:
    """A server, and its time."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "time"
        self.data = folder / "data"
        self.at = 1000.0
        self.set(self.at)

    def set(self, at: float) -> None:
        self.at = at
        draft = self._file.with_suffix(".new")
        draft.write_text(repr(at))
        draft.replace(self._file)

    def pass_by(self, seconds: float) -> None:
        self.set(self.at + seconds)

    def open(self, monkeypatch: pytest.MonkeyPatch) -> Server:
        monkeypatch.setenv("SOUK_TIME", str(self._file))
        return Server(self.data, program="tests.table.leaping", away_time=30)


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Server]]:
    house = House(tmp_path_factory.mktemp("life"))
    with pytest.MonkeyPatch.context() as patch, house.open(patch) as server:
        yield house, server
        assert server.stop() == 0
        assert not server.troubles


def reason(answer: dict[str, Any]) -> str:
    return answer["reason"][0].rpartition(".")[2] if answer["is"] == "refused" else "done"


@asynccontextmanager
async def company(
    server: Server, people: int, clock: dict[str, Any] | None = None, game: str = "suleika", bots: int = 0
) -> AsyncIterator[tuple[list[Person], list[Page]]]:
    """So many people at a new table, each with a page, in the order of their seats; the first begins."""
    async with AsyncExitStack() as stack:
        persons = [await stack.enter_async_context(Person(server)) for _ in range(people)]
        seats = [{"who": "me"}, *[{"who": "link"}] * (people - 1), *[{"who": "bot", "level": BOT}] * bots]
        wish = {"game": game, "seats": seats, "options": {"first": 0}} | ({"clock": clock} if clock else {})
        made = (await persons[0].http.post("/api/tables", json=wish)).json()
        for seat, person in enumerate(persons[1:], 1):
            await person.sit(made["table"], made["invitations"][str(seat)])
        pages = [await stack.enter_async_context(person.page(made["table"])) for person in persons]
        for page in pages:
            await page.until_begun()
        yield persons, pages


def life(page: Page) -> dict[str, Any]:
    """The last that was told of it."""
    said = [each if each["is"] == "life" else each["life"] for each in page.heard if each["is"] in ("life", "table")]
    return said[-1]


async def settle(page: Page) -> dict[str, Any]:
    """Hear all that has been said by now."""
    await page.ask("ping")
    return life(page)


async def first_move(page: Page, seat: int = 0) -> dict[str, Any]:
    return await page.move(seat, page.view["moves"][0])


# ---------------------------------------------------------------- clocks


def test_a_clock_runs_for_whoever_thinks_and_is_told_to_all(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with company(server, 2, CLOCK) as (_, (one, two)):
            assert (await settle(one))["clocks"]["running"] == [0]
            house.pass_by(10)
            assert (await first_move(one))["is"] == "done"
            for page in (one, two):
                told = (await settle(page))["clocks"]
                assert 52.0 <= told["left"][0] <= 52.5  # what was thought, less the lag, and the increment
                assert told["left"][1] == 60.0

    asyncio.run(play())


class SlowLine:
    """A line that passes on everything later."""

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
        await asyncio.sleep(2 * self._delay)  # what is still under way is passed on to nobody

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
    place: tuple[House, Server], delay: float, least: float, most: float
) -> None:
    """A time that stands still shows it to the digit: ten seconds are thought, and the line takes a while besides."""
    house, server = place

    async def play() -> None:
        async with company(server, 2, {"kind": "game", "seconds": 60.0}) as ([host, _], [near, _]):
            table = near.table
            await near.socket.close()
            async with SlowLine(server.address, delay) as address:
                headers = {"cookie": f"souk={host.cookie}"}
                at = f"ws://{address}/api/tables/{table}/socket"
                async with websockets.connect(at, additional_headers=headers, compression=None) as socket:
                    page = Page(table, socket)
                    await page.watch(None, -1)
                    await settle(page)  # by then the line has been measured
                    house.pass_by(10)
                    assert (await first_move(page))["is"] == "done"
                    assert least <= 60.0 - (await settle(page))["clocks"]["left"][0] <= most

    asyncio.run(play())


def test_a_bot_stands_in_when_time_is_up_until_the_person_returns(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with company(server, 2, {"kind": "move", "seconds": 30.0}) as (_, (one, two)):
            house.pass_by(29)
            assert (await settle(one))["clocks"]["running"] == [0]
            house.pass_by(2)
            await one.until(lambda said: said["is"] == "event" and said["told"][0][0] == "table.life.stand_in")
            await two.until(lambda said: said["is"] == "event" and said["seat"] == 0)  # the bot has moved
            assert two.seats[0]["stand_in"]
            assert reason(await two.ask("come_back", seat=0)) == "not_your_seat"
            assert reason(await one.ask("come_back", seat=0)) == "done"
            await settle(one)
            assert "stand_in" not in one.seats[0]

    asyncio.run(play())


def test_a_move_that_comes_too_late_is_refused_and_by_the_game_nobody_returns(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with company(server, 2, CLOCK) as ([host, _], (one, two)):
            house.pass_by(60.6)
            assert reason(await first_move(one)) in ("time_up", "seat_out")
            await two.until(lambda said: said["is"] == "event" and said["told"][0][0] == "table.life.out")
            assert reason(await one.ask("come_back", seat=0)) == "seat_out"
            async with host.page(one.table) as again:  # nor by opening the page again
                assert again.seats[0]["stand_in"]
                assert again.now["life"]["out"] == [0]
                assert reason(await again.ask("propose", seat=0, what="pause", after=again.seq)) == "no_voice"

    asyncio.run(play())


def test_who_loses_on_time_cannot_win_and_the_others_play_on(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        clock = {"kind": "move", "seconds": 30.0, "flag": "lose"}
        async with company(server, 2, clock, "bazaar") as ([host, _], (one, two)):  # of two, one is left
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
        async with company(server, 1, clock, bots=2) as ([host], [page]):
            house.pass_by(31)
            await page.until(lambda said: said["is"] == "result")
            assert "ended" not in page.view
            assert page.view["lost"] == [0]
            assert 0 not in page.view["winners"]
            record = Record.parse(await host.record(page.table))
            assert record.position.over
            assert str(record).splitlines()[-1].split(" won by ")[1][0] != "0"

    asyncio.run(play())


def test_a_correspondence_game_over_days(place: tuple[House, Server]) -> None:
    """Nobody is there all the time. In the end one stays away, and the other finds that the game went on."""
    house, server = place
    rng = random.Random(1)

    async def visit(person: Person, table: str, seat: int) -> None:
        async with person.page(table) as page:
            while seat in page.view["actors"]:
                assert (await page.move(seat, rng.choice(page.view["moves"])))["is"] == "done"

    async def play() -> None:
        async with company(server, 2, {"kind": "days", "seconds": 3 * DAY}, "bazaar") as (people, pages):
            table = pages[0].table
            for page in pages:
                await page.socket.close()
            for round_ in range(6):
                house.pass_by(2.5 * DAY)
                await visit(people[round_ % 2], table, round_ % 2)
            async with people[1].page(table) as page:
                assert page.now["life"]["away"] == []  # which is nothing that anybody has to decide about
                [waited] = page.now["life"]["clocks"]["running"]
            house.pass_by(3.1 * DAY)
            async with people[1 - waited].page(table) as page:
                while not page.seats[waited].get("stand_in") or waited in page.view["actors"]:
                    await page.hear()
            house.pass_by(DAY)
            async with people[waited].page(table) as page:  # who comes back plays on
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
            await asyncio.sleep(1.0)  # by then the house has kept how late it is
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


# ---------------------------------------------------------------- what is agreed


def test_a_pause_holds_everything_until_somebody_goes_on(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with company(server, 2, CLOCK, bots=1) as (_, (one, two)):
            assert reason(await two.ask("propose", seat=1, what="pause", after=two.seq)) == "done"
            asked = (await settle(one))["proposal"]
            assert (asked["what"], asked["seat"], asked["missing"]) == ("pause", 1, [0])
            assert reason(await two.ask("respond", seat=1, number=asked["number"], agrees=True)) == "done"
            assert not (await settle(two))["paused"]  # one's own word is not the other's
            assert reason(await two.ask("respond", seat=0, number=asked["number"], agrees=True)) == "not_your_seat"
            assert reason(await one.ask("respond", seat=0, number=asked["number"], agrees=True)) == "done"
            assert (await settle(two))["paused"]
            house.pass_by(500)
            assert reason(await first_move(one)) == "paused"
            assert (await settle(one))["clocks"]["running"] == []
            assert reason(await two.ask("resume", seat=1)) == "done"
            told = await settle(one)
            assert (told["paused"], told["clocks"]["running"], told["clocks"]["left"]) == (False, [0], [60.0] * 3)
            assert reason(await two.ask("resume", seat=1)) == "not_paused"
            assert reason(await first_move(one)) == "done"

    asyncio.run(play())


def test_taking_back_has_to_be_asked_for(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with company(server, 3, game="bazaar") as (_, (one, two, three)):
            before = one.view["position"]
            move = next(each for each in one.view["moves"] if each != "roll") if len(one.view["moves"]) > 1 else "roll"
            if move == "roll":  # a die cannot be taken back
                await one.move(0, move)
                assert reason(await one.ask("propose", seat=0, what="take_back", after=one.seq)) == "cannot_take_back"
                return
            await one.move(0, move)
            assert reason(await one.ask("take_back", seat=0, after=one.seq)) == "ask_first"
            assert reason(await one.ask("propose", seat=0, what="take_back", after=one.seq)) == "done"
            assert reason(await two.ask("propose", seat=1, what="end", after=two.seq)) == "asked_already"
            number = (await settle(two))["proposal"]["number"]
            assert reason(await two.ask("respond", seat=1, number=number, agrees=True)) == "done"
            assert reason(await two.ask("respond", seat=1, number=number + 1, agrees=True)) == "not_asked"
            assert reason(await three.ask("respond", seat=2, number=number, agrees=False)) == "done"
            assert (await settle(one))["proposal"] is None
            assert reason(await one.ask("propose", seat=0, what="take_back", after=one.seq)) == "asked_before"
            house.pass_by(31)
            assert reason(await one.ask("propose", seat=0, what="take_back", after=one.seq)) == "done"
            for seat, page in ((1, two), (2, three)):
                assert reason(await page.ask("respond", seat=seat, number=number + 1, agrees=True)) == "done"
            await settle(one)
            assert one.view["position"] == before

    asyncio.run(play())


def test_what_is_asked_lapses(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with company(server, 2) as (_, (one, two)):
            assert reason(await one.ask("propose", seat=0, what="end", after=one.seq)) == "done"
            house.pass_by(61)
            assert reason(await two.ask("respond", seat=1, number=1, agrees=True)) == "not_asked"
            assert reason(await two.ask("propose", seat=1, what="end", after=two.seq)) == "done"
            await first_move(one)  # that is an answer too
            assert reason(await one.ask("respond", seat=0, number=2, agrees=True)) == "not_asked"
            assert (await settle(two))["proposal"] is None

    asyncio.run(play())


def test_a_game_that_all_want_to_end_ends_as_it_stands(place: tuple[House, Server]) -> None:
    _, server = place

    async def play() -> None:
        async with company(server, 2) as ([host, guest], (one, two)):
            await first_move(one)
            assert reason(await one.ask("propose", seat=0, what="end", after=one.seq)) == "done"
            assert reason(await two.ask("respond", seat=1, number=1, agrees=True)) == "done"
            await one.until(lambda said: said["is"] == "result")
            scores = one.view["scores"]
            assert (one.view["over"], one.view["ended"], one.view["actors"]) == (True, "agreed", [])
            assert one.view["winners"] == [seat for seat, score in enumerate(scores) if score == max(scores)]
            record = Record.parse(await guest.record(one.table))
            assert record.ended == "agreed"
            assert "end: agreed, scores" in str(record)
            assert reason(await two.ask("propose", seat=1, what="pause", after=two.seq)) == "ended"
            study = await host.http.get(f"/api/tables/{one.table}/study")
            assert study.json()["reason"][0] == "table.refused.study_ended"
            assert not any(card["played"] for card in (await host.http.get("/api/me")).json()["games"])
            assert reason(await one.ask("rematch")) == "done"
        async with company(server, 1, bots=1) as (_, [alone]):
            assert reason(await alone.ask("propose", seat=0, what="end", after=alone.seq)) == "end_alone"
            assert reason(await alone.ask("propose", seat=0, what="pause", after=alone.seq)) == "done"
            assert (await settle(alone))["paused"]

    asyncio.run(play())


def test_who_looks_on_has_no_say(place: tuple[House, Server]) -> None:
    _, server = place

    async def play() -> None:
        async with company(server, 2) as (_, (one, _two)), Person(server) as stranger, stranger.page(one.table) as page:
            await one.ask("propose", seat=0, what="pause", after=one.seq)
            for do, more in {
                "propose": {"what": "end", "after": page.seq},
                "respond": {"number": 1, "agrees": True},
                "resume": {},
                "come_back": {},
                "decide_away": {"about": 0, "choice": "end"},
            }.items():
                for seat in (0, 1, -1, 7):
                    assert reason(await page.ask(do, seat=seat, **more)) == "not_your_seat"

    asyncio.run(play())


# ---------------------------------------------------------------- somebody away


def test_those_present_decide_about_somebody_away(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with company(server, 4) as (people, (gone, two, three, four)):
            await settle(gone)
            await gone.socket.close()
            await two.until(lambda said: said["is"] == "life" and bool(said["away"]))
            [away] = life(two)["away"]
            assert (away["seat"], away["decide_in"], away["voices"]) == (0, 30.0, [1, 2, 3])
            wish = {"about": 0, "choice": "stand_in", "level": BOT}
            assert reason(await two.ask("stand_in", seat=0, level=BOT)) == "decide_together"
            assert reason(await two.ask("decide_away", seat=1, **wish)) == "away_not_yet"
            house.pass_by(31)
            assert reason(await two.ask("decide_away", seat=1, **wish)) == "done"
            assert reason(await two.ask("decide_away", seat=1, **wish)) == "done"  # twice is once
            assert reason(await three.ask("decide_away", seat=1, **wish)) == "not_your_seat"
            [away] = (await settle(four))["away"]
            assert away["votes"] == {"1": "stand_in"}
            assert not four.seats[0].get("stand_in")
            assert reason(await three.ask("decide_away", seat=2, **wish | {"choice": "wait"})) == "done"
            assert reason(await four.ask("decide_away", seat=3, **wish | {"choice": "wait"})) == "done"
            [away] = (await settle(four))["away"]
            assert (away["decide_in"], away["votes"]) == (30.0, {})
            house.pass_by(31)
            for seat, page in ((2, three), (3, four)):
                assert reason(await page.ask("decide_away", seat=seat, **wish | {"level": "nobody"})) == "level_unknown"
                assert reason(await page.ask("decide_away", seat=seat, **wish)) == "done"
            await four.until(lambda said: said["is"] == "event" and said["seat"] == 0)
            async with people[0].page(gone.table) as back:
                assert not back.seats[0].get("stand_in")
            for page in (two, three, four):
                await settle(page)  # a line on which much waits is slow to close

    asyncio.run(play())


def test_who_is_left_decides_alone_and_may_end_it_without_result(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with company(server, 2) as ([_, guest], (gone, two)):
            await gone.socket.close()
            await two.until(lambda said: said["is"] == "life" and bool(said["away"]))
            house.pass_by(31)
            assert reason(await two.ask("decide_away", seat=1, about=0, choice="end")) == "done"
            await two.until(lambda said: said["is"] == "result")
            assert (two.view["over"], two.view["ended"], two.view["winners"]) == (True, "no_result", [])
            assert "end: no_result" in await guest.record(two.table)

    asyncio.run(play())
