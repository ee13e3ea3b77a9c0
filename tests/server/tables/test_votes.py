"""Proposals and votes about absent players, on a server whose uptime the test controls."""

import asyncio

from souk import Record
from tests.server.support.clients import BOT, Person
from tests.server.support.controlled_uptime import (
    CLOCK,
    House,
    company,
    first_move,
    life,
    reason,
    settle,
)

# ---------------------------------------------------------------- proposals


def test_a_pause_holds_everything_until_somebody_goes_on(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 2, CLOCK, bots=1) as (_, (one, two)):
            assert reason(await two.ask("propose", seat=1, what="pause", after=two.seq)) == "done"
            asked = (await settle(one))["proposal"]
            assert (asked["what"], asked["seat"], asked["missing"]) == ("pause", 1, [0])
            assert (
                reason(await two.ask("respond", seat=1, number=asked["number"], agrees=True))
                == "done"
            )
            assert not (await settle(two))["paused"]  # one player's agreement is not the other's
            assert (
                reason(await two.ask("respond", seat=0, number=asked["number"], agrees=True))
                == "not_your_seat"
            )
            assert (
                reason(await one.ask("respond", seat=0, number=asked["number"], agrees=True))
                == "done"
            )
            assert (await settle(two))["paused"]
            house.pass_by(500)
            assert reason(await first_move(one)) == "paused"
            assert (await settle(one))["clocks"]["running"] == []
            assert reason(await two.ask("resume", seat=1)) == "done"
            told = await settle(one)
            assert (told["paused"], told["clocks"]["running"], told["clocks"]["left"]) == (
                False,
                [0],
                [60.0] * 3,
            )
            assert reason(await two.ask("resume", seat=1)) == "not_paused"
            assert reason(await first_move(one)) == "done"

    asyncio.run(play())


def test_taking_back_has_to_be_asked_for(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 3, game="bazaar") as (_, (one, two, three)):
            before = one.view["position"]
            move = (
                next(each for each in one.view["moves"] if each != "roll")
                if len(one.view["moves"]) > 1
                else "roll"
            )
            if move == "roll":  # a die roll cannot be taken back
                await one.move(0, move)
                assert (
                    reason(await one.ask("propose", seat=0, what="take_back", after=one.seq))
                    == "cannot_take_back"
                )
                return
            await one.move(0, move)
            assert reason(await one.ask("take_back", seat=0, after=one.seq)) == "ask_first"
            assert (
                reason(await one.ask("propose", seat=0, what="take_back", after=one.seq)) == "done"
            )
            assert (
                reason(await two.ask("propose", seat=1, what="end", after=two.seq))
                == "asked_already"
            )
            number = (await settle(two))["proposal"]["number"]
            assert reason(await two.ask("respond", seat=1, number=number, agrees=True)) == "done"
            assert (
                reason(await two.ask("respond", seat=1, number=number + 1, agrees=True))
                == "not_asked"
            )
            assert reason(await three.ask("respond", seat=2, number=number, agrees=False)) == "done"
            assert (await settle(one))["proposal"] is None
            assert (
                reason(await one.ask("propose", seat=0, what="take_back", after=one.seq))
                == "asked_before"
            )
            house.pass_by(31)
            assert (
                reason(await one.ask("propose", seat=0, what="take_back", after=one.seq)) == "done"
            )
            for seat, page in ((1, two), (2, three)):
                assert (
                    reason(await page.ask("respond", seat=seat, number=number + 1, agrees=True))
                    == "done"
                )
            await settle(one)
            assert one.view["position"] == before

    asyncio.run(play())


def test_what_is_asked_lapses(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 2) as (_, (one, two)):
            assert reason(await one.ask("propose", seat=0, what="end", after=one.seq)) == "done"
            house.pass_by(61)
            assert reason(await two.ask("respond", seat=1, number=1, agrees=True)) == "not_asked"
            assert reason(await two.ask("propose", seat=1, what="end", after=two.seq)) == "done"
            await first_move(one)  # that is an answer too
            assert reason(await one.ask("respond", seat=0, number=2, agrees=True)) == "not_asked"
            assert (await settle(two))["proposal"] is None

    asyncio.run(play())


def test_a_game_that_all_want_to_end_ends_as_it_stands(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 2) as ([host, guest], (one, two)):
            await first_move(one)
            assert reason(await one.ask("propose", seat=0, what="end", after=one.seq)) == "done"
            assert reason(await two.ask("respond", seat=1, number=1, agrees=True)) == "done"
            await one.until(lambda said: said["is"] == "result")
            scores = one.view["scores"]
            assert (one.view["over"], one.view["ended"], one.view["actors"]) == (True, "agreed", [])
            assert one.view["winners"] == [
                seat for seat, score in enumerate(scores) if score == max(scores)
            ]
            record = Record.parse(await guest.record(one.table))
            assert record.ended == "agreed"
            assert "end: agreed, scores" in str(record)
            assert reason(await two.ask("propose", seat=1, what="pause", after=two.seq)) == "ended"
            study = await host.http.get(f"/api/tables/{one.table}/study")
            assert study.json()["reason"][0] == "table.refused.study_ended"
            assert not any(
                card["played"] for card in (await host.http.get("/api/me")).json()["games"]
            )
            assert reason(await one.ask("rematch")) == "done"
        async with company(house.server, 1, bots=1) as (_, [alone]):
            assert (
                reason(await alone.ask("propose", seat=0, what="end", after=alone.seq))
                == "end_alone"
            )
            assert (
                reason(await alone.ask("propose", seat=0, what="pause", after=alone.seq)) == "done"
            )
            assert (await settle(alone))["paused"]

    asyncio.run(play())


def test_who_looks_on_has_no_say(house: House) -> None:
    async def play() -> None:
        async with (
            company(house.server, 2) as (_, (one, _two)),
            Person(house.server) as stranger,
            stranger.page(one.table) as page,
        ):
            await one.ask("propose", seat=0, what="pause", after=one.seq)
            for do, more in {
                "propose": {"what": "end", "after": page.seq},
                "respond": {"number": 1, "agrees": True},
                "resume": {},
                "replace_bot": {},
                "vote_on_absence": {"about": 0, "choice": "end"},
            }.items():
                for seat in (0, 1, -1, 7):
                    assert reason(await page.ask(do, seat=seat, **more)) == "not_your_seat"

    asyncio.run(play())


# ---------------------------------------------------------------- absence


def test_those_present_decide_about_somebody_away(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 4) as (people, (gone, two, three, four)):
            await settle(gone)
            await gone.socket.close()
            await two.until(lambda said: said["is"] == "timing" and bool(said["away"]))
            [away] = life(two)["away"]
            assert (away["seat"], away["decide_in"], away["voices"]) == (0, 30.0, [1, 2, 3])
            wish = {"about": 0, "choice": "stand_in", "level": BOT}
            assert reason(await two.ask("stand_in", seat=0, level=BOT)) == "decide_together"
            assert reason(await two.ask("vote_on_absence", seat=1, **wish)) == "away_not_yet"
            house.pass_by(31)
            assert reason(await two.ask("vote_on_absence", seat=1, **wish)) == "done"
            assert (
                reason(await two.ask("vote_on_absence", seat=1, **wish)) == "done"
            )  # voting twice counts once
            assert reason(await three.ask("vote_on_absence", seat=1, **wish)) == "not_your_seat"
            [away] = (await settle(four))["away"]
            assert away["votes"] == {"1": "stand_in"}
            assert not four.seats[0].get("stand_in")
            assert (
                reason(await three.ask("vote_on_absence", seat=2, **wish | {"choice": "wait"}))
                == "done"
            )
            assert (
                reason(await four.ask("vote_on_absence", seat=3, **wish | {"choice": "wait"}))
                == "done"
            )
            [away] = (await settle(four))["away"]
            assert (away["decide_in"], away["votes"]) == (30.0, {})
            house.pass_by(31)
            for seat, page in ((2, three), (3, four)):
                assert (
                    reason(
                        await page.ask("vote_on_absence", seat=seat, **wish | {"level": "nobody"})
                    )
                    == "level_unknown"
                )
                assert reason(await page.ask("vote_on_absence", seat=seat, **wish)) == "done"
            await four.until(lambda said: said["is"] == "event" and said["seat"] == 0)
            async with people[0].page(gone.table) as back:
                assert not back.seats[0].get("stand_in")
            for page in (two, three, four):
                await settle(page)  # a connection with a backlog is slow to close

    asyncio.run(play())


def test_who_is_left_decides_alone_and_may_end_it_without_result(house: House) -> None:
    async def play() -> None:
        async with company(house.server, 2) as ([_, guest], (gone, two)):
            await gone.socket.close()
            await two.until(lambda said: said["is"] == "timing" and bool(said["away"]))
            house.pass_by(31)
            assert reason(await two.ask("vote_on_absence", seat=1, about=0, choice="end")) == "done"
            await two.until(lambda said: said["is"] == "result")
            assert (two.view["over"], two.view["ended"], two.view["winners"]) == (
                True,
                "no_result",
                [],
            )
            assert "end: no_result" in await guest.record(two.table)

    asyncio.run(play())
