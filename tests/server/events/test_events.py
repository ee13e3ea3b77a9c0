"""Events over HTTP and sockets: every form, permissions, leaving and joining late, and killed
servers.
"""

import asyncio
import json
import random
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from souk.server.common.tokens import digest
from souk.server.protocol.events import ControlEvent, EventSettings, NewEvent
from souk.server.protocol.table import ClockTerms
from tests.cli.test_cli import souk
from tests.server.cluster.test_two_servers import ANN, open_services, with_two
from tests.server.support.clients import PATIENCE, Server, checked_server
from tests.server.support.databases import in_both, look_into
from tests.server.support.event_people import Guest, Now, tables_of

FORMS = {"swiss": (3, 2), "round_robin": (2, 2), "knock_out": (4, 0)}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a short wait for absent players."""
    with checked_server(tmp_path_factory.mktemp("events"), event_wait=1, dice_time=0.05) as server:
        yield server


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


# ---------------------------------------------------------------- whole events


@pytest.mark.parametrize("form", FORMS)
def test_whole_event(server: Server, form: str) -> None:
    size, rounds = FORMS[form]

    async def work(host: Guest, ann: Guest) -> None:
        event = await host.open_event(form, size, "basari-cards", "suleika", bots=5, rounds=rounds)
        mine, number = await host.enter(event, "Hanna"), await ann.enter(event, "Ann")
        await host.start(event)
        players = (
            host.take_part(event, mine, random.Random(1)),
            ann.take_part(event, number, random.Random(2)),
        )
        await asyncio.gather(*players)
        now = await ann.now(event)
        assert [each["number"] for each in now["entrants"]] == [1, 2, 3, 4, 5, 6, 7]
        check_rounds([await round_of(ann, event, turn + 1) for turn in range(now["round"])], now)
        assert now["rounds"] in (0, now["round"])

    at(server, work)


async def round_of(guest: Guest, event: str, turn: int) -> dict[str, Any]:
    answer = await guest.http.get(f"/api/events/{event}/rounds/{turn}")
    assert answer.status_code == 200, answer.text
    return dict(answer.json())


def check_rounds(rounds: list[dict[str, Any]], now: Now) -> None:
    """Games alternate, everybody in a round sits once, and the standings follow from the tables."""
    assert [each["game"] for each in rounds] == [
        ("basari-cards", "suleika")[turn % 2] for turn in range(len(rounds))
    ]
    total = dict.fromkeys((each["number"] for each in now["entrants"]), 0.0)
    still_in = set(total)
    for each in rounds:
        assert sorted(number for table in each["tables"] for number in table["seats"]) == sorted(
            still_in
        )
        for table in each["tables"]:
            assert table["outcome"] == "played"
            assert sum(table["points"]) == pytest.approx(len(table["seats"]) / 2, abs=0.01)
            for number, points in zip(table["seats"], table["points"], strict=True):
                total[number] += points
        if now["terms"]["form"] == "knock_out":
            still_in = {number for table in each["tables"] for number in table.get("on", [])}
    assert {each["number"]: each["points"] for each in now["standings"]} == pytest.approx(
        total, abs=0.01
    )
    if now["terms"]["form"] == "knock_out":
        [final] = rounds[-1]["tables"]
        assert final["ranks"][final["seats"].index(now["standings"][0]["number"])] == 1
        assert "on" not in final
        assert [each["place"] for each in now["standings"]] == list(range(1, 8))


def test_event_goes_on_without_absent_players(server: Server) -> None:
    """Bots play for absent players until they come. When time is called, running tables count as
    they stand, and tables not begun are ties.
    """

    async def work(host: Guest, ann: Guest) -> None:
        event = await host.open_event("swiss", 4, bots=3, rounds=2, pause=None)
        await ann.enter(event, "Ann")
        await host.start(event)
        now = await host.until(event, lambda now: now["state"] == "between")
        assert [each["outcome"] for each in tables_of(now)] == ["played"]
        refused(await host.control(event, "end_round"), "event_not_now")
        assert (await host.control(event, "next")).status_code == 200
        assert (await host.control(event, "finish")).status_code == 200
        now = await host.until(event, over)
        assert now["round"] == 2
        [table] = tables_of(now)
        assert table["outcome"] in ("level", "stood")
        assert (await host.http.get("/api/events")).json()["events"][0]["state"] == "over"

    at(server, work)


def test_calling_time_scores_tables_as_they_stand(server: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        event = await host.open_event("knock_out", 2, "suleika", bots=3)
        number = await ann.enter(event, "Ann")
        await host.start(event)
        now = await ann.until(
            event,
            lambda now: any(number in each["seats"] and each["table"] for each in tables_of(now)),
        )
        [mine] = [each["table"] for each in tables_of(now) if number in each["seats"]]
        async with ann.page(mine) as page:
            assert page.now["event"] == event
            await page.begin()
            refused_hint = await page.ask("hint", seat=page.now["mine"][0], after=page.seq)
            assert refused_hint["reason"][0].endswith("coach_none")
            assert (await host.control(event, "finish")).status_code == 200
            await page.until(
                lambda message: (
                    message["is"] == "event" and message["view"].get("ended") == "called"
                )
            )
        now = await host.until(event, over)
        assert {each["table"]: each["outcome"] for each in tables_of(now)}[mine] == "stood"
        assert "end: called" in await ann.record(mine)

    at(server, work)


# ---------------------------------------------------------------- permissions


def test_strangers_can_neither_control_nor_sit_down(server: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        event = await host.open_event("swiss", 2, "suleika", bots=3, pause=None)
        number = await host.enter(event, "Hanna")
        for do in ("start", "next", "end_round", "finish", "delete", "bots", "remove"):
            refused(
                await ann.control(event, do, number=number, count=2, level="random"),
                "not_event_host",
            )
        refused(await ann.leave(event), "not_entered")
        refused(
            await ann.http.post(f"/api/events/{event}/host", json={"secret": ""}), "not_event_host"
        )
        foreign = {"origin": "https://elsewhere.example"}
        refused(
            await host.http.post(
                f"/api/events/{event}/control", json={"do": "start"}, headers=foreign
            ),
            "foreign_page",
        )
        await host.start(event)
        now = await host.until(event, lambda now: all(each["table"] for each in tables_of(now)))
        for each in tables_of(now):
            refused(
                await ann.sit(each["table"], ""),
                "begun" if number not in each["seats"] else "no_open_seat",
            )
        [mine] = [each["table"] for each in tables_of(now) if number in each["seats"]]
        async with ann.page(mine) as page:
            for do in ("start_game", "leave_table", "cancel_table", "resign"):
                assert (await page.ask(do))["is"] == "refused"
        async with host.page(mine) as page:
            for do, key in (
                ("leave_table", "event_seat"),
                ("cancel_table", "not_host"),
                ("start_game", "not_host"),
            ):
                answer = await page.ask(do)
                assert answer.get("reason", ["done"])[0] in (
                    f"table.refused.{key}",
                    "table.refused.begun",
                )
        assert (await host.control(event, "delete")).json()["gone"]
        assert (await ann.http.get(f"/api/events/{event}")).status_code == 404
        assert mine in await host.record(mine) or await host.record(mine)  # tables are kept

    at(server, work)


def test_coming_late_leaving_and_being_removed(server: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        event = await host.open_event("swiss", 2, "suleika", bots=4, pause=None, rounds=3)
        async with Guest(server) as ben, Guest(server) as cat:
            number, bens = await ann.enter(event, "Ann"), await ben.enter(event, "Ben")
            assert (await ann.join(event, "Other")).json()["number"] == number  # only once
            assert (await host.control(event, "remove", number=bens)).status_code == 200
            refused(await ben.join(event, "Ben"), "event_removed")
            assert (await ben.http.get(f"/api/events/{event}/me")).json()["number"] is None
            await host.start(event)
            now = await host.until(event, lambda now: all(each["table"] for each in tables_of(now)))
            assert not any(bens in each["seats"] for each in tables_of(now))
            cats = await cat.enter(event, "ann")
            assert (await ann.leave(event)).status_code == 200
            now = await host.until(event, lambda now: now["state"] == "between")
            names = {
                each["number"]: (each["name"], each.get("left", False)) for each in now["entrants"]
            }
            assert names[number] == ("Ann", True)
            assert names[cats] == ("ann 2", False)
            assert (await host.control(event, "next")).status_code == 200
            now = await host.now(event)
            assert sorted(n for each in tables_of(now) for n in each["seats"]) == [1, 2, 3, 4, cats]

    at(server, work)


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ({"name": " "}, "event_name"),
        ({"name": "x" * 41}, "event_name_long"),
        ({"games": ["chess"]}, "game_unknown"),
        ({"games": []}, "game_unknown"),
        ({"size": 9}, "event_size"),
        ({"size": 1}, "event_size"),
        ({"rounds": 64}, "event_rounds"),
        ({"form": "knock_out", "advance": 4}, "event_advance"),
        ({"minutes": -1}, "event_minutes"),
        ({"pause": 1e9}, "unreadable"),
        ({"pause": 4000}, "event_pause"),
        ({"clock": {"kind": "days", "seconds": 86400}}, "event_clock"),
        ({"clock": {"kind": "game", "seconds": 1}}, "clock_seconds"),
        ({"form": "league"}, "unreadable"),
        ({"bots": 65}, "event_full"),
        ({"bots": -1}, "event_full"),
        ({"level": "god", "bots": 2}, "level_unknown"),
    ],
)
def test_invalid_events_are_refused(server: Server, change: dict[str, Any], key: str) -> None:
    wish: dict[str, Any] = {"name": "x", "bots": 0, "level": "random"}
    clock = {"kind": "game", "seconds": 600}
    wish["terms"] = {"form": "swiss", "games": ["suleika"], "size": 4, "clock": clock}
    for name, value in change.items():
        (wish if name in wish else wish["terms"])[name] = value
    if change.get("games") == []:
        key = "event_games"

    async def work(host: Guest, _: Guest) -> None:
        refused(await host.http.post("/api/events", json=wish), key)

    at(server, work)


def moves_at(server: Server, event: str, but: str = "") -> int:
    """Moves made at all tables of an event but one."""
    asked = """SELECT count(*) FROM events JOIN event_tables USING ("table")
        WHERE event = ? AND kind = 'move' AND "table" != ?"""
    with look_into(server.data) as file:
        return int(file.execute(asked, (event, but)).fetchone()[0])


def tables_made(server: Server, event: str) -> int:
    with look_into(server.data) as file:
        asked = "SELECT count(*) FROM event_tables WHERE event = ? AND made"
        return int(file.execute(asked, (event,)).fetchone()[0])


@in_both
def test_bots_play_only_while_somebody_watches(tmp_path: Path) -> None:
    """An event of bots only pauses while nobody watches, even throughout another event, and resumes
    when somebody opens its page or a table.
    """

    async def work(host: Guest, ann: Guest) -> None:
        event = await host.open_event("swiss", 4, "basari-cards", bots=12, rounds=1)
        await host.start(event)
        async with asyncio.timeout(PATIENCE):
            while tables_made(server, event) < 3:
                await asyncio.sleep(0.03)
        other = await ann.open_event("swiss", 4, "basari-cards", bots=3, rounds=1)
        number = await ann.enter(other, "Ann")
        await ann.start(other)
        await ann.take_part(other, number, random.Random(1))
        assert moves_at(server, other) > 0
        assert moves_at(server, event) == 0
        with look_into(server.data) as file:
            [table] = file.execute(
                'SELECT "table" FROM event_tables WHERE event = ? AND number = 1', (event,)
            ).fetchone()
        async with (
            ann.page(table, pace="relaxed"),
            asyncio.timeout(PATIENCE),
        ):  # lets the others begin first
            while not moves_at(server, event, but=table):
                await asyncio.sleep(0.03)
        await host.until(event, over)

    with checked_server(tmp_path, event_wait=1, dice_time=0.05) as server:
        at(server, work)


def test_one_event_of_bots_at_a_time(server: Server) -> None:
    """Per person and per address; an event with people may run at the same time."""

    async def work(host: Guest, ann: Guest) -> None:
        first, second = [
            await host.open_event("swiss", 4, bots=4, pause=None, rounds=9) for _ in range(2)
        ]
        others = await ann.open_event("swiss", 4, bots=4, pause=None)
        await host.start(first)
        refused(await host.control(second, "start"), "event_of_bots")
        refused(await ann.control(others, "start"), "event_of_bots")
        await ann.enter(others, "Ann")
        await ann.start(others)
        assert (await host.control(first, "delete")).status_code == 200
        await host.start(second)
        for each, event in ((host, second), (ann, others)):
            assert (await each.control(event, "delete")).status_code == 200

    at(server, work)


def test_limits(server: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        events = [await host.open_event("swiss", 4) for _ in range(5)]
        refused(await host.request_event("swiss", 4), "too_many_events")
        refused(await host.control(events[0], "start"), "event_too_few")
        assert (await host.control(events[0], "bots", count=64, level="random")).status_code == 200
        refused(await ann.join(events[0], "Ann"), "event_full")
        names = [each["name"] for each in (await ann.now(events[0]))["entrants"]]
        assert len(set(names)) == 64
        for each in events:
            assert (await host.control(each, "delete")).status_code == 200

    at(server, work)


# ---------------------------------------------------------------- long polling


def test_long_polls_are_answered_alike(server: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        event = await host.open_event("swiss", 4, bots=3)
        first = await host.http.get(f"/api/events/{event}")
        tag = first.headers["etag"].strip('"')
        waiting = [
            asyncio.create_task(each.http.get(f"/api/events/{event}", params={"known": tag}))
            for each in (host, ann)
        ]
        await asyncio.sleep(0.2)
        assert not any(task.done() for task in waiting)
        await ann.enter(event, "Ann")
        answers = await asyncio.gather(*waiting)
        assert {answer.status_code for answer in answers} == {200}
        assert len({answer.content for answer in answers}) == 1
        assert answers[0].json()["entrants"][-1]["name"] == "Ann"

    at(server, work)


# ---------------------------------------------------------------- server-side hosting


def test_events_by_the_host_alone(tmp_path: Path) -> None:
    with checked_server(tmp_path, events="host") as server:

        async def work(host: Guest, ann: Guest) -> None:
            refused(await ann.request_event("swiss", 4), "events_host")
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
            told = await asyncio.to_thread(
                souk, *words, "--address", "http://souk", "--data", str(tmp_path)
            )
            event, secret = (
                told.split("#host=")[0].rpartition("/")[2],
                told.split("#host=")[1].strip(),
            )
            assert f"http://souk/events/{event}" in told
            refused(
                await ann.http.post(f"/api/events/{event}/host", json={"secret": secret[:-1]}),
                "not_event_host",
            )
            claimed = await host.http.post(f"/api/events/{event}/host", json={"secret": secret})
            assert claimed.json()["host"]
            await ann.enter(event, "Ann")
            await host.start(event)
            await asyncio.to_thread(
                souk, "host", "delete-event", event, "--yes", "--data", str(tmp_path)
            )
            assert (await host.http.get(f"/api/events/{event}")).status_code == 404

        at(server, work)
        wrong = souk("host", "event", "x", "--size", "9", "--data", str(tmp_path), code=2)
        assert "Tables for these games have 2 to 4 seats" in wrong


def test_deleting_an_account_leaves_the_event(server: Server) -> None:
    async def work(host: Guest, ann: Guest) -> None:
        event = await host.open_event("swiss", 4, bots=4)
        await ann.enter(event, "Ann")
        assert (await ann.http.post("/api/forget", json={})).status_code == 200
        now = await host.now(event)
        assert "Ann" not in str(now)
        await host.start(event)
        assert (await host.control(event, "delete")).status_code == 200

    at(server, work)


def test_deleting_an_account_deletes_titles(server: Server) -> None:
    """A title may reveal its author; the event goes on without."""

    async def work(host: Guest, ann: Guest) -> None:
        event = (await host.request_event("swiss", 4, bots=4, name="Zyxwvut's evening")).json()[
            "event"
        ]
        await ann.enter(event, "Ann")
        own = (await ann.request_event("swiss", 4, name="Ann's evening")).json()["event"]
        assert (await host.http.post("/api/forget", json={})).status_code == 200
        now = await ann.now(event)
        assert "Zyxwvut" not in str(now)
        mine = (await ann.http.get("/api/events")).json()["events"]
        assert {each["event"]: each["name"] for each in mine} == {event: "", own: "Ann's evening"}

    at(server, work)


def test_forbidden_names_are_refused(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("swindle*\n")
    with Server(tmp_path, forbidden=tmp_path / "words") as server:

        async def work(host: Guest, ann: Guest) -> None:
            refused(await host.request_event("swiss", 4, name="Swindlers' night"), "name_forbidden")
            refused(await ann.join(await host.open_event("swiss", 4), "Swindle"), "name_forbidden")

        at(server, work)


# ---------------------------------------------------------------- killed servers


def rows(folder: Path, question: str, *values: Any) -> list[tuple[Any, ...]]:
    with look_into(folder) as connection:
        return connection.execute(question, values).fetchall()


def check_nothing_twice(folder: Path, event: str) -> None:
    """Every table exists once, and nobody sits twice in a round."""
    named = [
        row[0] for row in rows(folder, """SELECT "table" FROM event_tables WHERE "table" != ''""")
    ]
    made = [
        row[0]
        for row in rows(folder, "SELECT id FROM tables WHERE host = ?", f"event {event}".encode())
    ]
    assert sorted(named) == sorted(made)
    seating = [
        (turn, number)
        for turn, seats in rows(folder, "SELECT round, seats FROM event_tables")
        for number in json.loads(seats)
    ]
    assert len(seating) == len(set(seating))


@in_both
def test_killed_server_resumes(tmp_path: Path) -> None:
    """Killed once with a round drawn and no table made, then at arbitrary moments: the event
    resumes.
    """
    wish = NewEvent(
        "x",
        EventSettings("swiss", ["suleika"], 2, ClockTerms("game", 600.0), 2, pause=0),
        5,
        "random",
    )
    cookie = "a" * 32

    async def draw() -> str:
        async with open_services(tmp_path) as services:
            event: str = (await services.event_service.open(wish, digest(cookie), "")).event
            await services.event_service.join(event, "Ann", digest(cookie))
            await services.event_service.control(event, ControlEvent("start"), digest(cookie), "")
        assert rows(tmp_path, "SELECT count(*) FROM event_tables WHERE made") == [(0,)]
        return event

    async def play(server: Server, seconds: float) -> None:
        async with Guest(server, cookie) as ann:
            playing = asyncio.create_task(ann.take_part(event, 6, random.Random(1)))
            await asyncio.wait([playing], timeout=seconds)
            if seconds == PATIENCE:
                assert over(await ann.now(event))
            else:
                server.kill()
                await playing

    event = asyncio.run(draw())
    for seconds in (0.4, 1.0, PATIENCE):
        with Server(tmp_path, event_wait=3, dice_time=0.05) as server:
            asyncio.run(play(server, seconds))
    check_nothing_twice(tmp_path, event)
    assert rows(tmp_path, "SELECT state, round FROM hosted_events") == [("over", 2)]
    assert all("played" in row[0] for row in rows(tmp_path, "SELECT result FROM event_tables"))


@in_both
def test_two_servers_draw_once_and_make_each_table_once(tmp_path: Path) -> None:
    """Between rounds, and while tables are being made."""
    wish = NewEvent(
        "x",
        EventSettings("swiss", ["suleika"], 2, ClockTerms("game", 600.0), 2, pause=0),
        6,
        "random",
    )

    async def work(one: Any, other: Any) -> None:
        event = (await one.event_service.open(wish, ANN, "")).event
        await one.event_service.control(event, ControlEvent("start"), ANN, "")
        for services in (one, other):
            services.tables.watched_events.add(event)
        await asyncio.gather(*(services.event_runner._advance(event) for services in (one, other)))
        async with asyncio.timeout(30):
            while (await one.event_runner._event_storage.find(event)).state != "over":
                await asyncio.gather(
                    *(services.event_runner._advance(event) for services in (one, other))
                )
                await asyncio.sleep(0.02)
        check_nothing_twice(tmp_path, event)

    with_two(tmp_path, work)
