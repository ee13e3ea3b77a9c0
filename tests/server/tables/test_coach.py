"""The coach on a real server: who gets hints and warnings, what is stored, and that they reveal no
secrets.
"""

import asyncio
import random
from pathlib import Path
from typing import Any

import souk
from souk.analysis.advice import advise
from souk.bots.judgement import JudgedMove, Judgement
from souk.core.record import Record
from souk.server.storage.rows import CoachNote, EventRow
from souk.server.tables.coach.coach_log import coached_steps
from tests.server.support.clients import (
    Page,
    Person,
    Server,
    across_a_restart,
    checked_server,
    page_at_new_table,
)


async def my_turn(page: Page) -> None:
    while not page.view.get("moves"):
        await page.hear()


async def hint(page: Page, seat: int = 0, **fields: Any) -> dict[str, Any]:
    return await page.ask("hint", seat=seat, after=fields.pop("after", page.seq), **fields)


def refused(answer: dict[str, Any]) -> str:
    assert answer["is"] == "refused", answer
    return str(answer["reason"][0]).removeprefix("table.refused.")


# ---------------------------------------------------------------- hints


def test_a_hint_names_the_best_moves_and_stands_in_the_record(server: Server) -> None:
    async def run() -> None:
        async with Person(server) as person, Person(server) as other:
            table, _ = await person.new_table("suleika", "me", "bot")
            async with person.page(table) as page, other.page(table) as spectator:
                assert page.now["coach"] == {
                    "open": True,
                    "persons": [0],
                    "agreed": [],
                    "hints": [0, 0],
                }
                await my_turn(page)
                advice = await hint(page)
                assert advice["is"] == "advice"
                assert advice["seq"] == page.seq
                assert len(advice["moves"]) == 2
                assert {each["move"] for each in advice["moves"]} <= set(page.view["moves"])
                best, second = advice["moves"]
                assert 0 <= second["win"] <= 1
                assert 0 <= best["win"] <= 1
                assert best["loss"] == 0 <= second["loss"]
                assert best["reasons"]
                assert best["told"]
                assert best["name"][0].startswith("suleika.heading.")
                spoken = advice["spoken"]
                said = spoken.get("sentence")
                if spoken.get("equal"):
                    assert said[0] == "lead_in.equal"
                elif said:
                    assert said[0] == "lead_in.concession" or said[0].startswith("suleika.why.")
                assert advice["rough"]  # nothing is compiled on this server
                assert advice["asked"] is None
                heard = await spectator.until(lambda message: message["is"] == "coach")
                assert heard["coach"]["hints"] == [1, 0]
                assert not any(message["is"] == "advice" for message in spectator.heard)
                assert (
                    Record.parse(await person.record(table)).coached == ()
                )  # nothing has been played on it
                await page.move(0, best["move"])
                await my_turn(page)
                await page.move(0, page.view["moves"][0])
            record = Record.parse(await person.record(table))
            mine = [number for number, (seat, _) in enumerate(record.events) if seat == 0]
            assert record.coached == (mine[0],)

    asyncio.run(run())


def test_who_may_not_ask(server: Server) -> None:
    """Refused: spectators, out of turn, stale questions, lessons, tables without agreement, and
    parallel questions.
    """

    async def run() -> None:
        async with Person(server) as person, Person(server) as guest:
            table, invitations = await person.new_table("suleika", "me", "link")
            async with person.page(table) as page:
                assert refused(await hint(page, after=-1)) == "not_begun"
                await guest.sit(table, invitations["1"])
                await page.until_begun()
                seat = page.view["actors"][0]
                mover, other = (person, guest) if seat == 0 else (guest, person)
                async with mover.page(table) as moving, other.page(table) as waiting:
                    assert refused(await hint(moving, seat)) == "coach_not_agreed"
                    assert refused(await hint(waiting, seat)) == "not_your_seat"
                    for each, place in ((moving, seat), (waiting, 1 - seat)):
                        done = await each.ask("consent_to_coach", seat=place, agrees=True)
                        assert done["is"] == "done"
                    told = await moving.until(
                        lambda message: message["is"] == "coach" and message["coach"]["open"]
                    )
                    assert told["coach"]["agreed"] == [0, 1]
                    assert refused(await hint(waiting, 1 - seat)) == "coach_not_turn"
                    assert (
                        refused(await waiting.ask("consent_to_coach", seat=seat, agrees=False))
                        == "not_your_seat"
                    )
                    assert refused(await hint(moving, seat, after=moving.seq - 1)) == "stale"
                    both = await asyncio.gather(hint(moving, seat), _second(mover, table, seat))
                    assert both[0]["is"] == "advice"
                    assert refused(both[1]) == "coach_busy"
                    await waiting.ask("consent_to_coach", seat=1 - seat, agrees=False)
                    await moving.until(
                        lambda message: message["is"] == "coach" and not message["coach"]["open"]
                    )
                    assert refused(await hint(moving, seat)) == "coach_not_agreed"
            lesson = (await person.http.post("/api/lessons", json={"game": "suleika"})).json()[
                "table"
            ]
            async with person.page(lesson) as page:
                assert page.now["coach"] is None
                assert refused(await hint(page)) == "coach_none"

    async def _second(person: Person, table: str, seat: int) -> dict[str, Any]:
        async with person.page(table) as page:
            return await hint(page, seat)

    asyncio.run(run())


def test_a_secret_choice_is_a_mix_that_knows_nothing_of_the_others(server: Server) -> None:
    """A hint for a secret choice sums to 1 and contains no choice of others."""

    async def run() -> None:
        async with page_at_new_table(server, "basari", "me", "bot", "bot") as page:
            while (
                page.view.get("position", {}).get("phase") != "choose"
                or len(page.view["actors"]) > 1
            ):
                if page.view and page.view["moves"] and page.view["position"]["phase"] != "choose":
                    await page.move(0, page.view["moves"][0])
                else:
                    await page.hear()
            advice = await hint(page)
            assert advice["mixed"]
            assert abs(sum(each["share"] for each in advice["moves"]) - 1) < 0.05
            assert {each["move"] for each in advice["moves"]} <= {"dice", "points", "gems"}
            assert all(not each["told"] for each in advice["moves"])

    asyncio.run(run())


def test_advice_is_the_same_whatever_others_have_chosen() -> None:
    """Advice depends only on the seat's view: equal views and seeds give equal thoughts."""
    pos, dice = souk.game("basari").start(players=3), random.Random(1)
    while len(pos.actors) < 3:
        pos.play(pos.actors[0], pos.moves(pos.actors[0])[0]) if pos.actors else pos.draw(dice)
    found = []
    for choice in ("dice", "gems"):
        other = pos.copy()
        other.play(0, choice)
        found.append(advise(other.seen_by(1), 1, "", lambda: souk.bot("greedy:seed=3")))
    assert found[0] == found[1]


# ---------------------------------------------------------------- warnings


def test_a_warning_before_a_move_that_gives_away_much(tmp_path: Path) -> None:
    """At the end of a game, Omar on the large carpet loses and any other square wins. Uses a
    compiled bot.
    """
    board = [["" for _ in range(7)] for _ in range(7)]
    for row in range(3):
        for column in range(7):
            board[row][column] = f"y{4 * row + column // 2 + 1}"
    position = souk.game("suleika").start(players=3).to_json() | {
        "board": board,
        "omar": {"at": "d4", "facing": "n"},
        "money": [80, 20, 20],
        "left": [2, 2, 2],
        "turn": 0,
        "phase": "turn",
    }

    async def run(server: Server) -> None:
        async with Person(server) as person:
            made = await person.http.post(
                "/api/tables", json={"game": "suleika", "seats": [], "from": {"position": position}}
            )
            table = made.json()["table"]
            async with person.page(table) as page:
                fine = await page.ask("check_move", seat=0, after=page.seq, move="right")
                assert (fine["is"], fine["moves"], fine["asked"]) == ("advice", [], None), fine
                warned = await page.ask("check_move", seat=0, after=page.seq, move="straight")
                assert warned["asked"]["move"] == "straight"
                assert warned["asked"]["loss"] > 0.05
                assert warned["moves"][0]["move"] == "right"
                assert warned["moves"][0]["reasons"]
                assert warned["spoken"]["sentence"][0] == "lead_in.warning"
                assert warned["spoken"]["sentence"][1]["why"][0].startswith("suleika.why.way_")
                assert all(mark.startswith("field ") for mark in warned["spoken"]["sentence"][2])
                assert not warned["rough"]
                bold = await page.ask(
                    "check_move", seat=0, after=page.seq, move="straight", threshold=1.0
                )
                assert bold["asked"] is None
                for threshold in (0, -1, 2):
                    answer = await page.ask(
                        "check_move", seat=0, after=page.seq, move="left", threshold=threshold
                    )
                    assert refused(answer) == "unreadable"
                answer = await page.ask("check_move", seat=0, after=page.seq, move="back")
                assert answer["is"] == "refused"
                assert answer["clause"] == "S10"
                await page.move(0, "straight")
            assert len(Record.parse(await person.record(table)).coached) == 1

    with checked_server(tmp_path, games="suleika", levels="random,vizier:quick") as server:
        asyncio.run(_until_awake(server))
        asyncio.run(run(server))


async def _until_awake(server: Server) -> None:
    async with asyncio.timeout(300):
        while not any('"bots ready"' in line for line in server.lines):
            await asyncio.sleep(0.2)


def test_a_move_that_no_bot_thinks_of_is_looked_at_too() -> None:
    """A foolish offer that the search would skip is judged when asked about."""
    pos, dice = souk.game("basari").start(players=3), random.Random(4)
    while pos.to_json()["phase"] != "haggle":
        pos.play(
            pos.actors[-1], pos.moves(pos.actors[-1])[-1 if len(pos.actors) > 1 else 0]
        ) if pos.actors else pos.draw(dice)
    seat = pos.actors[0]
    foolish = pos.moves(seat)[-1]
    found = advise(pos.seen_by(seat), seat, foolish, lambda: souk.bot("search:playouts=300,seed=1"))
    weighed = found.of(foolish)
    assert weighed is not None
    assert weighed.loss >= 0
    assert weighed.reasons


# ---------------------------------------------------------------- storage


def test_notes_are_about_the_next_move_that_stands() -> None:
    def row(seq: int, kind: str, seat: int | None) -> EventRow:
        return EventRow(seq, kind, seat, "x", b"")

    rows = [
        row(0, "chance", None),
        row(1, "move", 0),
        row(2, "move", 1),
        row(3, "back", 1),
        row(4, "back", 0),
    ]
    rows += [row(5, "move", 0), row(6, "move", 1), row(7, "move", 0)]
    hints = [CoachNote(0, "hint", 0, 0), CoachNote(1, "agrees", 1, 0)]
    assert coached_steps(rows, hints) == (
        1,
    )  # taken back and played again: the hint still belongs to it
    assert coached_steps(rows, [CoachNote(0, "warning", 0, 5)]) == (3,)
    assert coached_steps(rows, [CoachNote(0, "hint", 1, 6)]) == ()


def test_what_was_agreed_and_told_is_there_after_a_restart(tmp_path: Path) -> None:
    async def before(server: Server) -> tuple[str, str]:
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "here")
            async with person.page(table) as page:
                for seat in (0, 1):
                    assert (await page.ask("consent_to_coach", seat=seat, agrees=True))[
                        "is"
                    ] == "done"
                seat = page.view["actors"][0]
                assert (await hint(page, seat))["is"] == "advice"
            return person.cookie, table

    async def after(server: Server, cookie: str, table: str) -> None:
        async with Person(server, cookie) as person, person.page(table) as page:
            assert page.now["coach"]["open"]
            assert page.now["coach"]["agreed"] == [0, 1]
            assert sum(page.now["coach"]["hints"]) == 1

    across_a_restart(tmp_path, before, after)


def test_questions_are_limited(tmp_path: Path) -> None:
    async def run(server: Server) -> None:
        async with page_at_new_table(server, "suleika", "me", "bot") as page:
            await my_turn(page)
            answers = [await hint(page) for _ in range(3)]
            assert [each["is"] for each in answers] == ["advice", "advice", "refused"]
            assert refused(answers[2]) == "coach_busy"

    with Server(tmp_path, hint_rate=0.0, hint_burst=2) as server:
        asyncio.run(run(server))


def test_a_judgement_knows_its_moves() -> None:
    weighed = JudgedMove("left", 0.0, 0.5, 30.0, 0.0, 0.01)
    judgement = Judgement([weighed], False, False, 100)
    assert judgement.of("left") is weighed
    assert judgement.of("right") is None
