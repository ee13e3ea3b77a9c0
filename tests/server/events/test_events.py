"""Evenings over HTTP and sockets: each form to its end, who may do what, who leaves and comes late, and a server that is killed in the middle."""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from souk.table.evening_protocol import EveningTerms, NewEvening, SteerEvening
from souk.table.protocol import ClockTerms
from souk.table.seating import digest
from tests.table.clients import PATIENCE, Server
from tests.table.evening_people import Guest, Now, tables_of
from tests.table.places import in_both, look_into
from tests.table.test_two_servers import ANN, open_house, with_two
from tests.test_cli import souk

FORMS = {"swiss": (3, 2), "round_robin": (2, 2), "knock_out": (4, 0)}


@pytest.fixture(scope="module")
def hall(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server that waits a moment for those who do not come."""
    with Server(tmp_path_factory.mktemp("evenings"), event_wait=1, dice_time=0.05) as server:
        yield server
        assert server.stop() == 0
        assert not server.troubles


def at(server: Server, work: Callable[[Guest, Guest], Awaitable[None]]) -> None:
    async def run() -> None:
        async with Guest(server) as host, Guest(server) as ann:
            await work(host, ann)

    asyncio.run(run())


def over(now: Now) -> bool:
    return bool(now["state"] == "over")


def refused(answer: Any, *keys: str) -> None:
    assert answer.status_code >= 400
    assert answer.json()["reason"][0] in {f"table.refused.{key}" for key in keys}, answer.text


# ---------------------------------------------------------------- from the beginning to the end


@pytest.mark.parametrize("form", FORMS)
def test_an_evening_to_its_end(hall: Server, form: str) -> None:
    size, rounds = FORMS[form]

    async def work(host: Guest, ann: Guest) -> None:
        evening = await host.open_evening(form, size, "basari-cards", "suleika", bots=5, rounds=rounds)
        mine, number = await host.enter(evening, "Hanna"), await ann.enter(evening, "Ann")
        await host.start(evening)
        players = (host.take_part(evening, mine, random.Random(1)), ann.take_part(evening, number, random.Random(2)))
        await asyncio.gather(*players)
        now = await ann.now(evening)
        assert [each["number"] for each in now["entrants"]] == [1, 2, 3, 4, 5, 6, 7]
        check_rounds([await round_of(ann, evening, turn + 1) for turn in range(now["round"])], now)
        assert now["rounds"] in (0, now["round"])

    at(hall, work)


async def round_of(guest: Guest, evening: str, turn: int) -> dict[str, Any]:
    answer = await guest.http.get(f"/api/events/{evening}/rounds/{turn}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def check_rounds(rounds: list[dict[str, Any]], now: Now) -> None:
    """The games take turns, everybody who is in a round sits once, and the standings are what the tables gave."""
    assert [each["game"] for each in rounds] == [("basari-cards", "suleika")[turn % 2] for turn in range(len(rounds))]
    total = dict.fromkeys((each["number"] for each in now["entrants"]), 0.0)
    still_in = set(total)
    for each in rounds:
        assert sorted(number for table in each["tables"] for number in table["seats"]) == sorted(still_in)
        for table in each["tables"]:
            assert table["outcome"] == "played"
            assert sum(table["points"]) == pytest.approx(len(table["seats"]) / 2, abs=0.01)
            for number, points in zip(table["seats"], table["points"], strict=True):
                total[number] += points
        if now["terms"]["form"] == "knock_out":
            still_in = {number for table in each["tables"] for number in table.get("on", [])}
    assert {each["number"]: each["points"] for each in now["standings"]} == pytest.approx(total, abs=0.01)
    if now["terms"]["form"] == "knock_out":
        [final] = rounds[-1]["tables"]
        assert final["ranks"][final["seats"].index(now["standings"][0]["number"])] == 1
        assert "on" not in final
        assert [each["place"] for each in now["standings"]] == list(range(1, 8))


def test_nobody_comes_and_the_evening_goes_on(hall: Server) -> None:
    """A bot plays for whoever does not come, until they do; time that is called counts as it stands, and tables that have not begun are level."""

    async def work(host: Guest, ann: Guest) -> None:
        evening = await host.open_evening("swiss", 4, bots=3, rounds=2, pause=None)
        await ann.enter(evening, "Ann")
        await host.start(evening)
        now = await host.until(evening, lambda now: now["state"] == "between")
        assert [each["outcome"] for each in tables_of(now)] == ["played"]
        refused(await host.steer(evening, "end_round"), "evening_not_now")
        assert (await host.steer(evening, "next")).status_code == 200
        assert (await host.steer(evening, "finish")).status_code == 200
        now = await host.until(evening, over)
        assert now["round"] == 2
        [table] = tables_of(now)
        assert table["outcome"] in ("level", "stood")
        assert (await host.http.get("/api/events")).json()["evenings"][0]["state"] == "over"

    at(hall, work)


def test_time_that_is_called_counts_as_it_stands(hall: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        evening = await host.open_evening("knock_out", 2, "suleika", bots=3)
        number = await ann.enter(evening, "Ann")
        await host.start(evening)
        now = await ann.until(
            evening, lambda now: any(number in each["seats"] and each["table"] for each in tables_of(now))
        )
        [mine] = [each["table"] for each in tables_of(now) if number in each["seats"]]
        async with ann.page(mine) as page:
            assert page.now["evening"] == evening
            await page.say({"do": "commit", "id": 900, "seat": page.now["mine"][0], "commitment": "0" * 64})
            await page.until_begun()
            refused_hint = await page.ask("hint", seat=page.now["mine"][0], after=page.seq)
            assert refused_hint["reason"][0].endswith("coach_none")
            assert (await host.steer(evening, "finish")).status_code == 200
            await page.until(lambda message: message["is"] == "event" and message["view"].get("ended") == "called")
        now = await host.until(evening, over)
        assert {each["table"]: each["outcome"] for each in tables_of(now)}[mine] == "stood"
        assert "end: called" in await ann.record(mine)

    at(hall, work)


# ---------------------------------------------------------------- who may do what


def test_strangers_neither_steer_nor_sit_down(hall: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        evening = await host.open_evening("swiss", 2, "suleika", bots=3, pause=None)
        number = await host.enter(evening, "Hanna")
        for do in ("start", "next", "end_round", "finish", "delete", "bots", "remove"):
            refused(await ann.steer(evening, do, number=number, count=2, level="random"), "not_evening_host")
        refused(await ann.leave(evening), "not_entered")
        refused(await ann.http.post(f"/api/events/{evening}/host", json={"secret": ""}), "not_evening_host")
        foreign = {"origin": "https://elsewhere.example"}
        refused(
            await host.http.post(f"/api/events/{evening}/steer", json={"do": "start"}, headers=foreign), "foreign_page"
        )
        await host.start(evening)
        now = await host.until(evening, lambda now: all(each["table"] for each in tables_of(now)))
        for each in tables_of(now):
            refused(await ann.sit(each["table"], ""), "begun" if number not in each["seats"] else "no_open_seat")
        [mine] = [each["table"] for each in tables_of(now) if number in each["seats"]]
        async with ann.page(mine) as page:
            for do in ("start", "leave", "cancel", "resign"):
                assert (await page.ask(do))["is"] == "refused"
        async with host.page(mine) as page:
            for do, key in (("leave", "evening_seat"), ("cancel", "not_host"), ("start", "not_host")):
                answer = await page.ask(do)
                assert answer.get("reason", ["done"])[0] in (f"table.refused.{key}", "table.refused.begun")
        assert (await host.steer(evening, "delete")).json()["gone"]
        assert (await ann.http.get(f"/api/events/{evening}")).status_code == 404
        assert mine in await host.record(mine) or await host.record(mine)  # the table stays

    at(hall, work)


def test_coming_late_leaving_and_being_removed(hall: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        evening = await host.open_evening("swiss", 2, "suleika", bots=4, pause=None, rounds=3)
        async with Guest(hall) as ben, Guest(hall) as cat:
            number, bens = await ann.enter(evening, "Ann"), await ben.enter(evening, "Ben")
            assert (await ann.join(evening, "Other")).json()["number"] == number  # once is enough
            assert (await host.steer(evening, "remove", number=bens)).status_code == 200
            refused(await ben.join(evening, "Ben"), "evening_removed")
            assert (await ben.http.get(f"/api/events/{evening}/me")).json()["number"] is None
            await host.start(evening)
            now = await host.until(evening, lambda now: all(each["table"] for each in tables_of(now)))
            assert not any(bens in each["seats"] for each in tables_of(now))
            cats = await cat.enter(evening, "ann")
            assert (await ann.leave(evening)).status_code == 200
            now = await host.until(evening, lambda now: now["state"] == "between")
            names = {each["number"]: (each["name"], each.get("left", False)) for each in now["entrants"]}
            assert names[number] == ("Ann", True)
            assert names[cats] == ("ann 2", False)
            assert (await host.steer(evening, "next")).status_code == 200
            now = await host.now(evening)
            assert sorted(n for each in tables_of(now) for n in each["seats"]) == [1, 2, 3, 4, cats]

    at(hall, work)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"name": " "}, "evening_name"),
        ({"name": "x" * 41}, "evening_name_long"),
        ({"games": ["chess"]}, "game_unknown"),
        ({"games": []}, "game_unknown"),
        ({"size": 9}, "evening_size"),
        ({"size": 1}, "evening_size"),
        ({"rounds": 64}, "evening_rounds"),
        ({"form": "knock_out", "advance": 4}, "evening_advance"),
        ({"minutes": -1}, "evening_minutes"),
        ({"pause": 1e9}, "unreadable"),
        ({"pause": 4000}, "evening_pause"),
        ({"clock": {"kind": "days", "seconds": 86400}}, "evening_clock"),
        ({"clock": {"kind": "game", "seconds": 1}}, "clock_seconds"),
        ({"form": "league"}, "unreadable"),
        ({"bots": 65}, "evening_full"),
        ({"bots": -1}, "evening_full"),
        ({"level": "god", "bots": 2}, "level_unknown"),
    ],
)
def test_evenings_that_cannot_be(hall: Server, change: dict[str, Any], key: str) -> None:
    wish: dict[str, Any] = {"name": "x", "bots": 0, "level": "random"}
    clock = {"kind": "game", "seconds": 600}
    wish["terms"] = {"form": "swiss", "games": ["suleika"], "size": 4, "clock": clock}
    for name, value in change.items():
        (wish if name in wish else wish["terms"])[name] = value
    if change.get("games") == []:
        key = "evening_games"

    async def work(host: Guest, _: Guest) -> None:
        refused(await host.http.post("/api/events", json=wish), key)

    at(hall, work)


def test_limits(hall: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        evenings = [await host.open_evening("swiss", 4) for _ in range(5)]
        refused(await host.ask_for_evening("swiss", 4), "too_many_evenings")
        refused(await host.steer(evenings[0], "start"), "evening_too_few")
        assert (await host.steer(evenings[0], "bots", count=64, level="random")).status_code == 200
        refused(await ann.join(evenings[0], "Ann"), "evening_full")
        names = [each["name"] for each in (await ann.now(evenings[0]))["entrants"]]
        assert len(set(names)) == 64
        for each in evenings:
            assert (await host.steer(each, "delete")).status_code == 200

    at(hall, work)


# ---------------------------------------------------------------- news


def test_who_waits_is_told_and_all_are_told_the_same(hall: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        evening = await host.open_evening("swiss", 4, bots=3)
        first = await host.http.get(f"/api/events/{evening}")
        tag = first.headers["etag"].strip('"')
        waiting = [
            asyncio.create_task(each.http.get(f"/api/events/{evening}", params={"known": tag})) for each in (host, ann)
        ]
        await asyncio.sleep(0.2)
        assert not any(task.done() for task in waiting)
        await ann.enter(evening, "Ann")
        answers = await asyncio.gather(*waiting)
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert answers[0].json()["entrants"][-1]["name"] == "Ann"

    at(hall, work)


# ---------------------------------------------------------------- the server's host


def test_events_by_the_host_alone(tmp_path: Path) -> None:
    with Server(tmp_path, events="host") as server:

        async def work(host: Guest, ann: Guest) -> None:
            refused(await ann.ask_for_evening("swiss", 4), "evenings_host")
            words = (
                "host",
                "event",
                "Club night",
                "--form",
                "round-robin",
                "--game",
                "suleika",
                "--size",
                "2",
                "--bots",
                "3",
            )
            told = await asyncio.to_thread(souk, *words, "--address", "http://souk", "--data", str(tmp_path))
            evening, secret = told.split("#host=")[0].rpartition("/")[2], told.split("#host=")[1].strip()
            assert f"http://souk/events/{evening}" in told
            refused(
                await ann.http.post(f"/api/events/{evening}/host", json={"secret": secret[:-1]}), "not_evening_host"
            )
            claimed = await host.http.post(f"/api/events/{evening}/host", json={"secret": secret})
            assert claimed.json()["host"]
            await ann.enter(evening, "Ann")
            await host.start(evening)
            await asyncio.to_thread(souk, "host", "delete-event", evening, "--yes", "--data", str(tmp_path))
            assert (await host.http.get(f"/api/events/{evening}")).status_code == 404

        at(server, work)
        wrong = souk("host", "event", "x", "--size", "9", "--data", str(tmp_path), code=2)
        assert "Tables of these games have 2 to 4 seats" in wrong
        assert server.stop() == 0
        assert not server.troubles


def test_who_is_forgotten_takes_part_no_longer(hall: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        evening = await host.open_evening("swiss", 4, bots=4)
        await ann.enter(evening, "Ann")
        assert (await ann.http.post("/api/forget", json={})).status_code == 200
        now = await host.now(evening)
        assert "Ann" not in str(now)
        await host.start(evening)
        assert (await host.steer(evening, "delete")).status_code == 200

    at(hall, work)


def test_names_that_the_host_forbids(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("swindle*\n")
    with Server(tmp_path, forbidden=tmp_path / "words") as server:

        async def work(host: Guest, ann: Guest) -> None:
            refused(await host.ask_for_evening("swiss", 4, name="Swindlers' night"), "name_forbidden")
            refused(await ann.join(await host.open_evening("swiss", 4), "Swindle"), "name_forbidden")

        at(server, work)


# ---------------------------------------------------------------- in the middle


def rows(folder: Path, question: str, *values: Any) -> list[tuple[Any, ...]]:
    with look_into(folder) as connection:
        return connection.execute(question, values).fetchall()


def check_nothing_twice(folder: Path, evening: str) -> None:
    """Every table of the evening is there once, and everybody sits once in a round."""
    named = [row[0] for row in rows(folder, """SELECT "table" FROM sittings WHERE "table" != ''""")]
    made = [row[0] for row in rows(folder, "SELECT id FROM tables WHERE host = ?", f"evening {evening}".encode())]
    assert sorted(named) == sorted(made)
    sitting = [
        (turn, number)
        for turn, seats in rows(folder, "SELECT round, seats FROM sittings")
        for number in json.loads(seats)
    ]
    assert len(sitting) == len(set(sitting))


@in_both
def test_a_server_that_is_killed_in_the_middle(tmp_path: Path) -> None:
    """Once when a round was drawn and none of its tables made, and then wherever it happened to be: it goes on after its start."""
    wish = NewEvening("x", EveningTerms("swiss", ["suleika"], 2, ClockTerms("game", 600.0), 2, pause=0), 5, "random")
    cookie = "a" * 32

    async def draw() -> str:
        async with open_house(tmp_path) as house:
            evening: str = (await house.evenings.open(wish, digest(cookie), "")).evening
            await house.evenings.join(evening, "Ann", digest(cookie))
            await house.evenings.steer(evening, SteerEvening("start"), digest(cookie))
        assert rows(tmp_path, "SELECT count(*) FROM sittings WHERE made") == [(0,)]
        return evening

    async def play(server: Server, seconds: float) -> None:
        async with Guest(server, cookie) as ann:
            playing = asyncio.create_task(ann.take_part(evening, 6, random.Random(1)))
            await asyncio.wait([playing], timeout=seconds)
            if seconds == PATIENCE:
                assert over(await ann.now(evening))
            else:
                server.kill()
                await playing

    evening = asyncio.run(draw())
    for seconds in (0.4, 1.0, PATIENCE):
        with Server(tmp_path, event_wait=3, dice_time=0.05) as server:
            asyncio.run(play(server, seconds))
    check_nothing_twice(tmp_path, evening)
    assert rows(tmp_path, "SELECT state, round FROM evenings") == [("over", 2)]
    assert all("played" in row[0] for row in rows(tmp_path, "SELECT result FROM sittings"))


@in_both
def test_two_servers_draw_once_and_make_each_table_once(tmp_path: Path) -> None:
    """Between the end of a round and the tables of the next, and while they are made."""
    wish = NewEvening("x", EveningTerms("swiss", ["suleika"], 2, ClockTerms("game", 600.0), 2, pause=0), 6, "random")

    async def work(one: Any, other: Any) -> None:
        evening = (await one.evenings.open(wish, ANN, "")).evening
        await one.evenings.steer(evening, SteerEvening("start"), ANN)
        await asyncio.gather(*(house.organiser._look_at(evening) for house in (one, other)))
        async with asyncio.timeout(30):
            while (await one.organiser._shelf.find(evening)).state != "over":
                await asyncio.gather(*(house.organiser._look_at(evening) for house in (one, other)))
                await asyncio.sleep(0.02)
        check_nothing_twice(tmp_path, evening)

    with_two(tmp_path, work)
