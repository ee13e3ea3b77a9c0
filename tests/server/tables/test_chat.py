"""Chat: who may speak, how much, who reads it, where it is stored, and reports to the host."""

import asyncio
import io
import json
import random
import time
import zipfile
from pathlib import Path
from typing import Any

from souk.core.messages import languages, texts
from souk.games import names
from souk.server.admin.open_host_tools import open_host_tools
from souk.server.common.tokens import digest
from souk.server.storage.maintenance import NAMELESS, delete_table, execute_in_transaction
from souk.server.tables.chat.chat_log import phrases_of
from tests.server.net.test_fuzz import strange
from tests.server.support.clients import (
    Page,
    Person,
    Server,
    across_a_restart,
    checked_server,
    host_and_guest,
)
from tests.server.support.databases import address_of, in_both, look_into

DEAR = "suleika.phrases.dear"


def refused(answer: dict[str, Any]) -> str:
    assert answer["is"] == "refused", answer
    return str(answer["reason"][0]).removeprefix("table.refused.")


def test_every_game_has_twelve_things_to_say_in_every_language() -> None:
    """Includes a game without phrases of its own."""
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
    saying: dict[str, Any] = (await page.until(lambda message: message["is"] == "chat_message"))[
        "saying"
    ]
    return saying


async def table_of_two(host: Person, guest: Person, **more: Any) -> str:
    wish = {"game": "suleika", "seats": [{"who": "me"}, {"who": "link"}]} | more
    made = (await host.http.post("/api/tables", json=wish)).json()
    assert (await guest.sit(made["table"], made["invitations"]["1"], "Bilal")).status_code == 200
    table: str = made["table"]
    return table


async def open_table(host: Person) -> str:
    """A table with open seats and free text."""
    wish = {
        "game": "suleika",
        "seats": [{"who": "me"}, {"who": "open"}, {"who": "open"}],
        "free_talk": True,
    }
    return str((await host.http.post("/api/tables", json=wish)).json()["table"])


async def everything_of(person: Person) -> dict[str, Any]:
    """The chat lines in a player's data export."""
    answer = await person.http.get("/api/person/all")
    with zipfile.ZipFile(io.BytesIO(answer.content)) as file:
        found: dict[str, Any] = json.loads(file.read("souk.json"))
    return found


def test_phrases_are_told_by_their_keys_to_all_and_only_those_who_sit_there_speak(
    server: Server,
) -> None:
    async def run() -> None:
        async with host_and_guest(server) as (table, host, guest), Person(server) as stranger:
            async with (
                host.page(table) as one,
                guest.page(table) as two,
                stranger.page(table) as looking,
            ):
                talk = one.now["talk"]
                assert len(talk["phrases"]) == 12
                assert (talk["free"], talk["said"]) == (False, [])
                assert (await one.ask("say", seat=0, phrase=DEAR))["is"] == "done"
                for page in (two, looking):
                    saying = await heard(page)
                    assert (saying["number"], saying["seat"], saying["phrase"]) == (0, 0, DEAR)
                assert refused(await one.ask("say", seat=1, phrase=DEAR)) == "not_your_seat"
                assert refused(await looking.ask("say", seat=0, phrase=DEAR)) == "not_your_seat"
                assert (
                    refused(await one.ask("say", seat=0, phrase="basari.phrases.dear"))
                    == "phrase_unknown"
                )
                assert refused(await one.ask("say", seat=0, phrase="ui.talk")) == "phrase_unknown"
                assert refused(await one.ask("say", seat=0, text="hello")) == "no_free_talk"
                assert refused(await one.ask("say", seat=0)) == "unreadable"
                assert (
                    refused(await one.ask("say", seat=0, phrase=DEAR, text="both")) == "unreadable"
                )
            async with host.page_at_new_table("suleika", "me", "bot") as alone:
                assert alone.now["talk"] is None
                assert refused(await alone.ask("say", seat=0, phrase=DEAR)) == "no_talk"
            async with host.page_at_new_table("suleika", "me", "here") as shared:
                assert shared.now["talk"] is None  # two on one device can hear each other

    asyncio.run(run())


def test_words_of_ones_own_are_checked_like_names_and_stay_after_a_restart(tmp_path: Path) -> None:
    async def before(server: Server) -> tuple[str, str]:
        async with Person(server) as host, Person(server) as guest:
            table = await table_of_two(host, guest, free_talk=True)
            async with host.page(table) as one, guest.page(table) as two:
                assert one.now["talk"]["free"]
                assert (await one.ask("say", seat=0, text="  <b>Too\n dear</b>, {who}! "))[
                    "is"
                ] == "done"
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
            async with host.page(table) as page:  # deleting the account removes its lines
                assert [each["seat"] for each in page.now["talk"]["said"]] == [1]

    across_a_restart(tmp_path, before, after)
    with open_host_tools(tmp_path, Path("key"), address_of(tmp_path)) as file:
        [table] = [each.id for each in file.tables()]
        assert file.connection.execute("SELECT count(*) FROM chat").fetchone() == (1,)
        execute_in_transaction(file.connection, delete_table(table))
        assert file.connection.execute("SELECT count(*) FROM chat").fetchone() == (0,)


async def heard_before(page: Page) -> dict[str, Any]:
    """The messages that came before the reply."""
    saying: dict[str, Any] = [message for message in page.heard if message["is"] == "chat_message"][
        -1
    ]["saying"]
    return saying


@in_both
def test_who_says_too_much_has_to_wait_and_reports_reach_the_host(tmp_path: Path) -> None:
    async def run(server: Server) -> bytes:
        async with Person(server) as host, Person(server) as guest, Person(server) as stranger:
            table = await table_of_two(host, guest, free_talk=True)
            async with (
                host.page(table) as one,
                guest.page(table) as two,
                stranger.page(table) as looking,
            ):
                assert (await two.ask("say", seat=1, text="You are a goat."))["is"] == "done"
                answers = [await two.ask("say", seat=1, phrase=DEAR) for _ in range(3)]
                assert [refused(each) for each in answers[2:]] == [
                    "too_much_talk"
                ]  # the burst, counted over all pages of a player
                assert refused(await looking.ask("report_chat", number=0)) == "not_your_table"
                assert (
                    refused(await two.ask("report_chat", number=0)) == "nothing_to_report"
                )  # of their own
                assert refused(await one.ask("report_chat", number=99)) == "nothing_to_report"
                for _ in range(2):
                    assert (await one.ask("report_chat", number=0))["is"] == "done"
            return digest(guest.cookie)

    with Server(tmp_path, talk_rate=0, talk_burst=3) as server:
        offender = asyncio.run(run(server))
        assert server.stop() == 0
        assert not server.troubles
        assert "goat" not in "".join(server.lines)
    with open_host_tools(tmp_path, Path("key"), address_of(tmp_path)) as file:
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
            rows = [(table, number, 1, DEAR, "", 1.0, None, NAMELESS) for number in range(600)]
            with look_into(tmp_path) as file:
                file.executemany("INSERT INTO chat VALUES (?, ?, ?, ?, ?, ?, ?, ?)", rows)
            return table, host.cookie

    async def after(server: Server, table: str, cookie: str) -> None:
        async with Person(server, cookie) as host, host.page(table) as page:
            assert [each["number"] for each in page.now["talk"]["said"]] == list(range(540, 600))
            assert (await page.ask("say", seat=0, phrase=DEAR))["is"] == "done"

    across_a_restart(tmp_path, before, after)
    with open_host_tools(tmp_path, Path("key"), address_of(tmp_path)) as file:
        assert file.connection.execute("SELECT min(number), max(number) FROM chat").fetchone() == (
            101,
            600,
        )


async def insult_and_leave(person: Person, table: str) -> None:
    async with person.page(table) as page:
        assert (await page.ask("say", seat=1, text="You are all goats."))["is"] == "done"
        assert (await page.ask("leave_table"))["is"] == "done"


@in_both
def test_words_belong_to_who_said_them_whoever_has_the_seat_by_now(tmp_path: Path) -> None:
    """A seat changes hands after somebody has written, even under the same name."""

    async def run(server: Server) -> None:
        async with Person(server) as host, Person(server) as mallory, Person(server) as victim:
            table = await open_table(host)
            assert (await mallory.sit(table, "", "Kim")).status_code == 200
            async with host.page(table) as page:
                await insult_and_leave(mallory, table)
                assert (await victim.sit(table, "", "Kim")).status_code == 200
                async with victim.page(table) as own:
                    [saying] = own.now["talk"]["said"]
                    assert (saying["name"], own.now["seats"][1]["name"]) == ("Kim", "Kim 2")
                    assert (await own.ask("report_chat", number=0))[
                        "is"
                    ] == "done"  # they are not the victim's lines
                assert (await page.ask("report_chat", number=0))["is"] == "done"
                assert "goats" in str(await everything_of(mallory))
                assert "goats" not in str(await everything_of(victim))
                await victim.http.post("/api/forget", json={})
                async with host.page(table) as again:
                    assert [each["text"] for each in again.now["talk"]["said"]] == [
                        "You are all goats."
                    ]
                await mallory.http.post("/api/forget", json={})
                async with host.page(table) as again:
                    assert again.now["talk"]["said"] == []

    with checked_server(tmp_path) as server:
        asyncio.run(run(server))


@in_both
def test_a_host_can_ban_and_forget_who_said_something_and_got_up(tmp_path: Path) -> None:
    async def run(server: Server) -> bytes:
        async with Person(server) as host, Person(server) as mallory, Person(server) as victim:
            table = await open_table(host)
            assert (await mallory.sit(table, "", "Mallory")).status_code == 200
            await insult_and_leave(mallory, table)
            assert (await victim.sit(table, "", "Victim")).status_code == 200
            for person in (host, victim):
                async with person.page(table) as page:
                    for _ in range(2):
                        assert (await page.ask("report_chat", number=0))["is"] == "done"
            return digest(mallory.cookie)

    with Server(tmp_path) as server:
        offender = asyncio.run(run(server))
        assert server.stop() == 0
    with open_host_tools(tmp_path, Path("key"), address_of(tmp_path)) as file:
        [report] = file.reports()
        assert (report.name, report.person, report.reporters) == ("Mallory", offender, 2)
        assert file.ban_name(offender.hex()[:12]) == f"person {offender.hex()}"
        assert file.find_person("Mallory") == offender
        file.forget(offender)
        assert file.connection.execute("SELECT count(*) FROM chat").fetchone() == (0,)
        [report] = file.reports()
        assert (report.said, report.name, report.person) == ("You are all goats.", NAMELESS, None)


@in_both
def test_nobody_pushes_out_what_others_report(tmp_path: Path) -> None:
    """Accounts flood the reports: 50 of each are kept, and another player's only report stays."""

    async def run(server: Server) -> None:
        async with Person(server) as host, Person(server) as guest:
            table = await table_of_two(host, guest, free_talk=True)
            then = time.time() - 2000
            puppets = [
                (
                    f"puppets{number:09}",
                    number,
                    then + number,
                    "x",
                    "Bo",
                    b"bo",
                    b"puppet %d" % (number % 30),
                )
                for number in range(1500)
            ]
            real = (
                "long before",
                0,
                then - 1,
                "You are all goats.",
                "Mallory",
                b"mallory",
                b"victim",
            )
            with look_into(tmp_path) as file:
                file.executemany(
                    "INSERT INTO reports VALUES (?, ?, ?, ?, ?, ?, ?)", [real, *puppets]
                )
            async with host.page(table) as one, guest.page(table) as two:
                assert (await two.ask("say", seat=1, text="Goat!"))["is"] == "done"
                assert (await one.ask("report_chat", number=0))["is"] == "done"

    with Server(tmp_path) as server:
        asyncio.run(run(server))
        assert server.stop() == 0
    with open_host_tools(tmp_path, Path("key"), address_of(tmp_path)) as file:
        reports = file.reports()
        assert len(reports) == 1000
        assert (reports[0].said, reports[-1].said) == ("Goat!", "You are all goats.")
        asked = "SELECT count(*) FROM reports GROUP BY reporter ORDER BY 1"
        counts = [row[0] for row in file.connection.execute(asked)]
        assert counts[:2] == [1, 1]
        assert max(counts) <= 50


def test_nonsense_said_and_asked_for(server: Server) -> None:
    """Every odd message is refused or carried out, and the server stays healthy."""
    rng = random.Random(3)
    good: list[dict[str, Any]] = [
        {"do": "say", "id": 1, "seat": 0, "text": "well"},
        {"do": "say", "id": 1, "seat": 0, "phrase": DEAR},
        {"do": "report_chat", "id": 1, "number": 0},
        {"do": "page_visibility", "id": 1, "visible": False},
    ]
    device = {
        "endpoint": "https://push.example.org/x",
        "p256dh": "AA",
        "auth": "AA",
        "language": "en",
    }

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
