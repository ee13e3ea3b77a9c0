"""What people say to each other: who may speak, how much, who hears it, where it is kept, and how the host learns of it."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

from souk.core.message import languages, texts
from souk.games import names
from souk.table.chores import carry_out, deletion
from souk.table.desks import open_desk
from souk.table.sayings import phrases_of
from souk.table.seating import digest
from tests.table.clients import Page, Person, Server, across_a_restart, host_and_guest
from tests.table.places import address_of, in_both, look_into
from tests.table.test_fuzz import strange

DEAR = "suleika.phrases.dear"


def refused(answer: dict[str, Any]) -> str:
    assert answer["is"] == "refused", answer
    return str(answer["reason"][0]).removeprefix("table.refused.")


def test_every_game_has_twelve_things_to_say_in_every_language() -> None:
    """Also one that brings no phrases of its own."""
    for game in (*names(), "pig"):
        phrases = phrases_of(game)
        assert len(phrases) == 12
        assert sum(key.startswith("talk.face.") for key in phrases) == 4
        assert any(key.startswith(f"{game}.") for key in phrases) == (game != "pig")
        for language in languages():
            said = [texts(language)[key] for key in phrases]
            assert len(set(said)) == 12
            assert max(map(len, said)) <= 30


async def heard(page: Page) -> dict[str, Any]:
    saying: dict[str, Any] = (await page.until(lambda message: message["is"] == "said"))["saying"]
    return saying


async def table_of_two(host: Person, guest: Person, **more: Any) -> str:
    wish = {"game": "suleika", "seats": [{"who": "me"}, {"who": "link"}]} | more
    made = (await host.http.post("/api/tables", json=wish)).json()
    assert (await guest.sit(made["table"], made["invitations"]["1"], "Bilal")).status_code == 200
    table: str = made["table"]
    return table


def test_phrases_are_told_by_their_keys_to_all_and_only_those_who_sit_there_speak(server: Server) -> None:
    async def run() -> None:
        async with host_and_guest(server) as (table, host, guest), Person(server) as stranger:
            async with host.page(table) as one, guest.page(table) as two, stranger.page(table) as looking:
                talk = one.now["talk"]
                assert len(talk["phrases"]) == 12
                assert (talk["free"], talk["said"]) == (False, [])
                assert (await one.ask("say", seat=0, phrase=DEAR))["is"] == "done"
                for page in (two, looking):
                    saying = await heard(page)
                    assert (saying["number"], saying["seat"], saying["phrase"]) == (0, 0, DEAR)
                assert refused(await one.ask("say", seat=1, phrase=DEAR)) == "not_your_seat"
                assert refused(await looking.ask("say", seat=0, phrase=DEAR)) == "not_your_seat"
                assert refused(await one.ask("say", seat=0, phrase="basari.phrases.dear")) == "phrase_unknown"
                assert refused(await one.ask("say", seat=0, phrase="ui.talk")) == "phrase_unknown"
                assert refused(await one.ask("say", seat=0, text="hello")) == "no_free_talk"
                assert refused(await one.ask("say", seat=0)) == "unreadable"
                assert refused(await one.ask("say", seat=0, phrase=DEAR, text="both")) == "unreadable"
            async with host.page_at_new_table("suleika", "me", "bot") as alone:
                assert alone.now["talk"] is None
                assert refused(await alone.ask("say", seat=0, phrase=DEAR)) == "no_talk"
            async with host.page_at_new_table("suleika", "me", "here") as shared:
                assert shared.now["talk"] is None  # two at one device hear each other

    asyncio.run(run())


def test_words_of_ones_own_are_checked_like_names_and_stay_after_a_restart(tmp_path: Path) -> None:
    async def before(server: Server) -> tuple[str, str]:
        async with Person(server) as host, Person(server) as guest:
            table = await table_of_two(host, guest, free_talk=True)
            async with host.page(table) as one, guest.page(table) as two:
                assert one.now["talk"]["free"]
                assert (await one.ask("say", seat=0, text="  <b>Too\n dear</b>, {who}! "))["is"] == "done"
                assert (await heard(two))["text"] == "<b>Too dear</b>, {who}!"
                for bad in ("\u202e", "a\u0007b", "\u3164", " \u2800 "):
                    assert refused(await one.ask("say", seat=0, text=bad)) == "saying_unprintable"
                assert refused(await one.ask("say", seat=0, text="x" * 201)) == "saying_too_long"
                assert (await two.ask("say", seat=1, text="ü" * 200))["is"] == "done"
            return table, host.cookie

    async def after(server: Server, table: str, cookie: str) -> None:
        async with Person(server, cookie) as host:
            async with host.page(table) as page:
                assert [each["seat"] for each in page.now["talk"]["said"]] == [0, 1]
                assert (await page.ask("say", seat=0, text="again"))["is"] == "done"
                assert (await heard_before(page))["number"] == 2
            await host.http.post("/api/forget", json={})
            async with host.page(table) as page:  # what I have said is gone with my name
                assert [each["seat"] for each in page.now["talk"]["said"]] == [1]

    across_a_restart(tmp_path, before, after)
    with open_desk(tmp_path, Path("key"), address_of(tmp_path)) as file:
        [table] = [each.id for each in file.tables()]
        assert file.connection.execute("SELECT count(*) FROM said").fetchone() == (1,)
        carry_out(file.connection, deletion(table))
        assert file.connection.execute("SELECT count(*) FROM said").fetchone() == (0,)


async def heard_before(page: Page) -> dict[str, Any]:
    """What was said before the answer to it came."""
    saying: dict[str, Any] = [message for message in page.heard if message["is"] == "said"][-1]["saying"]
    return saying


@in_both
def test_who_says_too_much_has_to_wait_and_reports_reach_the_host(tmp_path: Path) -> None:
    async def run(server: Server) -> bytes:
        async with Person(server) as host, Person(server) as guest, Person(server) as stranger:
            table = await table_of_two(host, guest, free_talk=True)
            async with host.page(table) as one, guest.page(table) as two, stranger.page(table) as looking:
                assert (await two.ask("say", seat=1, text="You are a goat."))["is"] == "done"
                answers = [await two.ask("say", seat=1, phrase=DEAR) for _ in range(3)]
                assert [refused(each) for each in answers[2:]] == [
                    "too_much_talk"
                ]  # three at once, on any page of theirs
                assert refused(await looking.ask("report", number=0)) == "not_your_table"
                assert refused(await two.ask("report", number=0)) == "nothing_to_report"  # of one's own
                assert refused(await one.ask("report", number=99)) == "nothing_to_report"
                for _ in range(2):
                    assert (await one.ask("report", number=0))["is"] == "done"
            return digest(guest.cookie)

    with Server(tmp_path, talk_rate=0, talk_burst=3) as server:
        offender = asyncio.run(run(server))
        assert server.stop() == 0
        assert not server.troubles
        assert "goat" not in "".join(server.lines)
    with open_desk(tmp_path, Path("key"), address_of(tmp_path)) as file:
        [report] = file.reports()
        assert (report.said, report.name, report.person) == ("You are a goat.", "Bilal", offender)
        file.forget(offender)
        assert (file.reports()[0].said, file.reports()[0].person) == ("You are a goat.", None)
        file.clear_reports()
        assert file.reports() == []


@in_both
def test_of_a_long_talk_the_latest_is_kept(tmp_path: Path) -> None:
    async def before(server: Server) -> tuple[str, str]:
        async with Person(server) as host, Person(server) as guest:
            table = await table_of_two(host, guest)
            rows = [(table, number, 1, DEAR, "", 1.0) for number in range(600)]
            with look_into(tmp_path) as file:
                file.executemany("INSERT INTO said VALUES (?, ?, ?, ?, ?, ?)", rows)
            return table, host.cookie

    async def after(server: Server, table: str, cookie: str) -> None:
        async with Person(server, cookie) as host, host.page(table) as page:
            assert [each["number"] for each in page.now["talk"]["said"]] == list(range(540, 600))
            assert (await page.ask("say", seat=0, phrase=DEAR))["is"] == "done"

    across_a_restart(tmp_path, before, after)
    with open_desk(tmp_path, Path("key"), address_of(tmp_path)) as file:
        assert file.connection.execute("SELECT min(number), max(number) FROM said").fetchone() == (101, 600)


def test_nonsense_said_and_asked_for(server: Server) -> None:
    """With something strange in each message: it is refused or carried out, and the server stays well."""
    rng = random.Random(3)
    good: list[dict[str, Any]] = [
        {"do": "say", "id": 1, "seat": 0, "text": "well"},
        {"do": "say", "id": 1, "seat": 0, "phrase": DEAR},
        {"do": "report", "id": 1, "number": 0},
        {"do": "sight", "id": 1, "visible": False},
    ]
    device = {"endpoint": "https://push.example.org/x", "p256dh": "AA", "auth": "AA", "language": "en"}

    async def run() -> None:
        async with Person(server) as host, Person(server) as guest:
            table = await table_of_two(host, guest, free_talk=True)
            async with host.page(table) as page:
                for _ in range(150):
                    message = dict(rng.choice(good))
                    message[rng.choice([*message])] = strange(rng)
                    await page.say(message)
                    answer = await page.until(lambda message: message["is"] in ("done", "refused"))
                    assert answer["is"] == "done" or "reason" in answer
                assert (await page.ask("ping"))["is"] == "pong"
            for _ in range(60):
                wish = device | {rng.choice([*device]): strange(rng)}
                body = json.dumps(wish).encode()
                answered = await host.http.post(
                    rng.choice(["/api/push", "/api/push/end"]),
                    content=body,
                    headers={"content-type": "application/json"},
                )
                assert answered.status_code < 500

    asyncio.run(run())
    assert not server.troubles
