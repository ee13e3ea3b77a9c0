"""Rated tables, and the ratings, leaderboards and profiles that follow: over real sockets, in a house whose time the test sets; and in any order of events."""

import asyncio
import io
import json
import random
import sqlite3
import zipfile
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

import souk
from souk.core.verdicts import places, winners
from souk.table import chores
from souk.table.database import Line
from souk.table.leaders import AT_ONCE
from souk.table.ratings import LADDER, RATED, SURE, Book, CountedGame, CountedSeat, keep_result, shown
from souk.table.schema import FileLine, open_file
from souk.table.seating import digest
from souk.table.store import Deed, Statement
from tests.forked import start_python
from tests.table.clients import Page, Person, Server
from tests.table.places import address_of, in_both, look_into, store_at
from tests.table.test_life import House, reason

CLOCK = {"kind": "move", "seconds": 60.0}
PEOPLE = [bytes([number]) * 32 for number in range(6)]


@pytest.fixture(scope="module")
def place(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[House, Server]]:
    house = House(tmp_path_factory.mktemp("ratings"))
    with pytest.MonkeyPatch.context() as patch, house.open(patch) as server:
        yield house, server
        assert server.stop() == 0
        assert not server.troubles


# ---------------------------------------------------------------- who came in where


def test_whoever_resigned_or_lost_on_time_is_behind_all_others() -> None:
    """Whatever their points: the rules' winner cannot win, and has the last place with all who have lost."""
    record = souk.Record("basari", 4)
    rng = random.Random(5)
    while not record.position.over:
        now = record.position
        record.play(now.actors[0], rng.choice(now.moves(now.actors[0])[:3])) if now.actors else record.draw(rng)
    end = record.position
    best = end.winners[0]
    order = sorted(range(4), key=lambda seat: (seat not in end.winners, -end.scores[seat]))
    assert [places(end)[seat] for seat in order] == [1, 2, 3, 4]
    assert best not in winners(end, [best])
    assert [places(end, [best])[seat] for seat in order] == [4, 1, 2, 3]
    assert [places(end, order[:2])[seat] for seat in order] == [3, 3, 1, 2]
    assert places(end, ended="no_result") == ()
    assert places(souk.game("basari").start(4)) == ()


# ---------------------------------------------------------------- live and worked out again


def new_file(folder: Path) -> FileLine:
    return open_file(folder / "tables.sqlite", folder / "key")[0]


def end_game(
    connection: Line, number: int, game: str, people: list[int], came_in: list[int], kind: str = RATED
) -> None:
    """A game of some people is over, as a server writes it down."""
    seats = [
        CountedSeat(seat, PEOPLE[who], f"Person {who}", place, 0, place == 1)
        for seat, (who, place) in enumerate(zip(people, came_in, strict=True))
    ]
    ended = CountedGame(f"table-{number:010}", game, len(people), kind, "", float(number), seats)
    row = (
        "INSERT INTO tables (id, game, rules, players, options, seed, digest, created, changed, over, actors, scores, winners, rematch) \
        VALUES (?, ?, 1, 2, '{}', ?, '', 0, 0, TRUE, '[]', '[]', '[]', '')"
    )
    chores.carry_out(
        connection, [Statement(row, (ended.table, game, b"")), Deed(lambda line: keep_result(line, ended))]
    )


GAMES = st.tuples(
    st.just("game"),
    st.sampled_from(["one", "two"]),
    st.permutations(range(len(PEOPLE))),
    st.lists(st.integers(1, 3), min_size=2, max_size=5),
    st.sampled_from([RATED, RATED, LADDER]),
)
FORGETTING = st.tuples(st.just("forget"), st.integers(0, len(PEOPLE) - 1))
DELETING = st.tuples(st.just("delete"), st.integers(0, 30))


@settings(max_examples=40)
@given(st.lists(st.one_of(GAMES, GAMES, GAMES, FORGETTING, DELETING), max_size=30))
def test_ratings_worked_out_again_are_those_that_were_kept(
    tmp_path_factory: pytest.TempPathFactory, story: list[tuple[Any, ...]]
) -> None:
    """Whatever happens between, and by openskill alone too. Nobody's rating is changed by who is forgotten or what is deleted."""
    model, own = PlackettLuce(), dict[tuple[str, int], tuple[float, float]]()
    ids = list(range(len(PEOPLE)))  # who somebody is by now: one who was forgotten comes back as another
    with closing(new_file(tmp_path_factory.mktemp("book"))) as file:
        for number, (what, *about) in enumerate(story):
            before = file.execute("SELECT * FROM ratings").fetchall()
            if what == "game":
                game, order, came_in, kind = about
                people = list(order)[: len(came_in)]
                end_game(file, number, game, people, came_in, kind)
                if kind == RATED:
                    keys = [(game, ids[who]) for who in people]
                    new = model.rating()
                    known = [own.get(key, (new.mu, new.sigma)) for key in keys]
                    teams = [[model.rating(mu=mu, sigma=sigma)] for mu, sigma in known]
                    for key, (team,) in zip(keys, model.rate(teams, ranks=list(map(float, came_in))), strict=True):
                        own[key] = team.mu, team.sigma
                continue
            if what == "forget":
                chores.carry_out(file, chores.forgetting(PEOPLE[about[0]]))
                ids[about[0]] = 100 * (number + 1) + about[0]
            else:
                file.execute("DELETE FROM tables WHERE id = ?", (f"table-{about[0]:010}",))
            assert file.execute("SELECT * FROM ratings").fetchall() == before
        book = Book().follow(file)
        assert book.differing(file) == 0
        assert sorted((game, *strength.rating) for (game, _), strength in book.now.items()) == sorted(
            (game, *rating) for (game, _), rating in own.items()
        )
        assert sum(strength.games for strength in book.now.values()) == len(book.after)


@in_both
def test_what_was_tampered_with_is_found_and_put_right(tmp_path: Path) -> None:
    asyncio.run(store_at(tmp_path).close())
    with look_into(tmp_path) as file:
        for number in range(5):
            end_game(file, number, "suleika", [number % 3, 3], [1, 2])
        kept = file.execute("SELECT * FROM ratings ORDER BY contestant").fetchall()
        file.execute("UPDATE ratings SET mu = mu + 1e-12 WHERE contestant = 1")
        file.execute("DELETE FROM ratings WHERE contestant = 2")
        file.execute("UPDATE result_seats SET sigma = NULL WHERE result = 3")
    for words, status in ((["--check"], 1), ([], 0), (["--check"], 0)):
        place = ["--data", str(tmp_path), "--store", address_of(tmp_path)]
        process, told = start_python(["-m", "souk.cli", "host", "ratings", *words, *place], {})
        told.close()
        assert process.wait(20) == status
    with look_into(tmp_path) as file:
        assert file.execute("SELECT * FROM ratings ORDER BY contestant").fetchall() == kept


# ---------------------------------------------------------------- rated tables


async def ask_for(person: Person, *seats: str, game: str = "suleika", **fields: Any) -> Any:
    wishes = [{"who": seat} | ({"level": "random"} if seat == "bot" else {}) for seat in seats]
    return await person.http.post("/api/tables", json={"game": game, "seats": wishes, "rated": True} | fields)


@asynccontextmanager
async def rated(
    server: Server, people: int, game: str = "suleika", **fields: Any
) -> AsyncIterator[tuple[str, list[Person], list[Page]]]:
    """So many people at a rated table, each with a page, in the order of their seats."""
    async with AsyncExitStack() as stack:
        persons = [await stack.enter_async_context(Person(server)) for _ in range(people)]
        answer = await ask_for(persons[0], "me", *["open"] * (people - 1), game=game, clock=CLOCK, **fields)
        table = answer.json()["table"]
        for number, person in enumerate(persons[1:], 1):
            assert (await person.sit(table, "", f"Guest {number}")).status_code == 200
        pages = [await stack.enter_async_context(person.page(table)) for person in persons]
        for page in pages:
            await page.until_begun()
        yield table, persons, pages


async def ratings_at(person: Person, table: str) -> dict[str, Any]:
    return (await person.http.get(f"/api/tables/{table}/ratings")).json()


def check_book(server: Server) -> None:
    """What is kept is what the results give."""
    with closing(sqlite3.connect(server.data / "tables.sqlite")) as file:
        assert Book().follow(file).differing(file) == 0


def test_what_cannot_be_rated_is_refused(place: tuple[House, Server]) -> None:
    async def ask() -> None:
        async with Person(place[1]) as person:
            wrong: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
                ("rated_clock", ("me", "open"), {}),
                ("rated_people", ("me", "bot"), {"clock": CLOCK}),
                ("rated_people", ("me", "here"), {"clock": CLOCK}),
                ("rated_people", ("me",), {"clock": CLOCK, "game": "bazaar"}),
                ("rated_options", ("me", "open"), {"clock": CLOCK, "options": {"turn_at_end": True}}),
                ("rated_options", ("me", "open"), {"clock": CLOCK, "options": {"nonsense": 1}}),
                (
                    "rated_options",
                    ("me", "open", "open"),
                    {"clock": CLOCK, "game": "basari", "options": {"board": "[box]"}},
                ),
                ("rated_elsewhere", (), {"clock": CLOCK, "from": {"table": "x", "step": 1}}),
            ]
            for why, seats, fields in wrong:
                answer = await ask_for(person, *seats, **fields)
                assert answer.status_code == 400, (why, answer.text)
                assert answer.json()["reason"][0] == f"table.refused.{why}"
            assert (await person.lobby())["tables"] == []

    asyncio.run(ask())


def test_a_rated_table_helps_nobody_and_says_what_it_is(place: tuple[House, Server]) -> None:
    async def play() -> None:
        async with Person(place[1]) as host, Person(place[1]) as guest:
            fixed = {"clock": CLOCK | {"flag": "stand_in"}, "free_talk": True}  # whatever is asked for
            made = (await ask_for(host, "me", "link", "link", **fixed)).json()
            table, secrets = made["table"], made["invitations"]
            assert (await host.lobby())["tables"][0]["rated"]
            assert (await guest.sit(table, secrets["1"])).status_code == 200
            again = await guest.sit(table, secrets["2"])
            assert (again.status_code, again.json()["reason"][0]) == (409, "table.refused.rated_once")
            async with host.page(table) as page:
                assert reason(await page.ask("start")) == "rated_people"
                assert reason(await page.ask("stand_in", seat=2, level="random")) == "rated_unaided"
                assert (page.now["rated"], page.now["coach"]) == (True, None)
                assert page.now["life"]["clocks"]["terms"]["flag"] == "lose"
                assert not page.now["talk"]["free"]
        async with rated(place[1], 2) as (_, _, pages):
            seat = pages[0].view["actors"][0]
            page, other = pages[seat], pages[1 - seat]
            assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"
            assert not page.view.get("can_take_back")
            assert reason(await page.ask("take_back", seat=seat, after=page.seq)) == "rated_unaided"
            assert reason(await page.ask("hint", seat=seat, after=page.seq)) == "rated_unaided"
            assert reason(await page.ask("agree", seat=seat, agrees=True)) == "rated_unaided"
            asked = {"seat": seat, "after": page.seq}
            assert reason(await page.ask("propose", what="take_back", **asked)) == "rated_unaided"
            away = {"seat": seat, "about": 1 - seat, "choice": "end"}
            assert reason(await page.ask("decide_away", **away)) == "rated_clock_decides"
            assert (await page.ask("propose", what="pause", **asked))["is"] == "done"
            answered = {"seat": 1 - seat, "number": 1, "agrees": True}
            assert (await other.ask("respond", **answered))["is"] == "done"
            assert any(event["told"][0][0] == "table.life.paused" for event in other.events)

    asyncio.run(play())


def test_who_resigns_is_last_and_a_game_of_two_is_over(place: tuple[House, Server]) -> None:
    async def play() -> None:
        async with rated(place[1], 2) as (table, (host, guest), (one, two)):
            before = await ratings_at(host, table)
            assert (before["rated"], before["counted"]) == (True, False)
            assert [each["before"]["rating"] for each in before["seats"]] == [1500, 1500]
            assert (await one.ask("resign"))["is"] == "done"
            await two.until(lambda message: message["is"] == "result")
            assert (two.view["over"], two.view["ended"], two.view["winners"], two.view["lost"]) == (
                True,
                "left",
                [1],
                [0],
            )
            record = souk.Record.parse(await guest.record(table))
            assert (list(record.resigned), record.lost, record.ended) == ([0], (0,), "left")
            after = await ratings_at(guest, table)
            lost, won = (each["after"]["rating"] for each in after["seats"])
            assert after["counted"]
            assert lost < 1500 < won
            card = (await guest.lobby())["tables"][0]
            assert (card["rated"], card["winners"]) == (True, [1])
            board = (await guest.http.get("/api/leaders/suleika?provisional=1")).json()
            assert board["mine"]["now"] == {"rating": won, "off": board["mine"]["now"]["off"], "provisional": True}
            assert (await guest.http.get("/api/leaders/suleika")).json()["leaders"] == []
            profile = (await host.http.get(f"/api/people/{after['seats'][1]['public']}")).json()
            assert (profile["name"], profile["mine"], len(profile["games"][0]["history"])) == ("Guest 1", False, 1)
            [game] = profile["recent"]
            assert (game["table"], game["look"], game["place"], game["after"]) == (table, False, 1, won)
            everything = await guest.http.get("/api/person/all")
            with zipfile.ZipFile(io.BytesIO(everything.content)) as file:
                [result] = json.loads(file.read("souk.json"))["results"]
            assert (result["table"], result["counts_for"], result["place"], result["won"]) == (table, "rated", 1, True)
            assert result["mu"] > 25
            assert (await one.ask("rematch"))["is"] == "refused"
            assert (await two.ask("rematch"))["is"] == "done"
            again = (await guest.lobby())["tables"][0]
            assert (again["rated"], again["waiting"]) == (True, False)

    asyncio.run(play())
    check_book(place[1])


def test_time_lost_with_three_is_the_last_place_though_a_bot_plays_on(place: tuple[House, Server]) -> None:
    house, server = place

    async def play() -> None:
        async with rated(server, 3) as (table, people, pages):
            slow = pages[0].view["actors"][0]
            gives_up, wins = [seat for seat in range(3) if seat != slow]
            house.pass_by(90)
            await pages[wins].until(
                lambda message: message["is"] == "event" and message["seat"] == slow
            )  # a bot's move
            assert (pages[wins].view["lost"], pages[wins].view["over"]) == ([slow], False)
            assert (await pages[gives_up].ask("resign"))["is"] == "done"
            await pages[wins].until(lambda message: message["is"] == "result")
            assert pages[wins].view["winners"] == [wins]
            seats = (await ratings_at(people[0], table))["seats"]
            assert seats[slow]["after"] == seats[gives_up]["after"]
            assert seats[slow]["after"]["rating"] < 1500 < seats[wins]["after"]["rating"]
            [game] = (await people[slow].http.get("/api/people/me")).json()["recent"]
            assert (game["place"], game["players"]) == (2, 3)

    asyncio.run(play())
    check_book(server)


def test_a_game_that_all_end_early_rates_nobody(place: tuple[House, Server]) -> None:
    async def play() -> None:
        async with rated(place[1], 2) as (table, (host, _), (one, two)):
            assert (await one.ask("propose", seat=0, what="end", after=one.seq))["is"] == "done"
            assert (await two.ask("respond", seat=1, number=1, agrees=True))["is"] == "done"
            assert (two.view["over"], two.view["ended"], two.view["winners"]) == (True, "no_result", [])
            assert not (await ratings_at(host, table))["counted"]
            refused = await host.http.get("/api/people/me")
            assert (refused.status_code, refused.json()["reason"][0]) == (404, "table.refused.no_rated_game")

    asyncio.run(play())
    check_book(place[1])


def test_who_is_forgotten_or_not_listed_is_seen_by_nobody(place: tuple[House, Server]) -> None:
    async def play() -> None:
        async with rated(place[1], 2) as (table, (host, guest), (one, two)):
            assert (await one.ask("resign"))["is"] == "done"
            await two.until(lambda message: message["is"] == "result")
            mine = (await host.http.get("/api/people/me")).json()
            theirs = (await guest.http.get("/api/people/me")).json()
            me, them = (f"/api/people/{each['public']}" for each in (mine, theirs))
            assert digest(host.cookie).hex()[:16] != mine["public"]
            hidden = (await host.http.post("/api/people/me/listed", json={"listed": False})).json()
            assert (hidden["listed"], hidden["games"][0]["place"]) == (False, 0)
            assert (await guest.http.get(me)).status_code == 404
            assert (await host.http.get(me)).status_code == 200
            assert (await guest.http.get("/api/people/me")).json()["recent"][0]["others"][0]["name"] == "—"
            board = (await guest.http.get("/api/leaders/suleika?provisional=1")).json()
            assert mine["public"] not in [each["public"] for each in board["leaders"]]
            assert (await host.http.post("/api/people/me/listed", json={"listed": True})).json()["listed"]
            assert (await guest.http.get(me)).status_code == 200
            kept = (await guest.http.get(them)).json()["games"]
            assert (await host.http.post("/api/forget", json={})).status_code == 200
            assert (await guest.http.get(me)).status_code == 404
            after = (await guest.http.get(them)).json()
            assert [each["now"] for each in after["games"]] == [each["now"] for each in kept]
            assert after["recent"][0]["others"] == [{"name": "—", "public": "", "place": 2}]
            assert [each["public"] for each in (await ratings_at(guest, table))["seats"]] == ["", theirs["public"]]

    asyncio.run(play())
    check_book(place[1])


# ---------------------------------------------------------------- leaderboards


@in_both
def test_a_leaderboard_page_by_page(tmp_path: Path) -> None:
    """The strongest first, those who are sure apart, each on one page; and my own place on whichever page I look."""
    people = 2 * AT_ONCE + 20
    rng = random.Random(4)
    asyncio.run(store_at(tmp_path).close())
    with look_into(tmp_path) as file:
        for who in range(1, people + 1):
            secret, sigma = digest(f"{who:032}"), SURE - 0.01 if who > 10 else SURE + 0.01
            row = (who, secret, f"{who:016x}", f"Person {who}", who != 50)
            file.execute("INSERT INTO contestants VALUES (?, ?, ?, ?, ?)", row)
            file.execute(
                "INSERT INTO ratings VALUES ('bazaar', ?, ?, ?, 3, 1)", (who, rng.choice([20.0, 21.5, 30.25]), sigma)
            )
        wanted = file.execute(
            "SELECT contestant FROM ratings WHERE contestant > 10 AND contestant != 50 ORDER BY mu DESC, contestant"
        ).fetchall()

    async def look(server: Server) -> None:
        async with Person(server, f"{77:032}") as person:
            found: list[dict[str, Any]] = []
            for page in range(3):
                board = (await person.http.get(f"/api/leaders/bazaar?page={page}")).json()
                assert (board["page"], board["pages"], board["people"]) == (page, 3, people - 11)
                found += board["leaders"]
                assert board["mine"]["name"] == "Person 77"
            assert [each["place"] for each in found] == list(range(1, people - 10))
            assert [int(each["public"], 16) for each in found] == [number for (number,) in wanted]
            assert [each for each in found if each["mine"]] == [board["mine"]]
            beyond = (await person.http.get("/api/leaders/bazaar?page=99999")).json()
            assert beyond["page"] == 2
            apart = (await person.http.get("/api/leaders/bazaar?provisional=1")).json()
            assert (len(apart["leaders"]), apart["mine"]) == (10, None)
            assert (await person.http.get("/api/leaders/bazaar?page=-1")).status_code == 400
            assert (await person.http.get("/api/leaders/chess")).status_code == 404
            assert (await person.http.get("/api/leaders/suleika")).json()["leaders"] == []

    with Server(tmp_path) as server:
        asyncio.run(look(server))
        assert server.stop() == 0
        assert not server.troubles


def test_how_ratings_are_shown() -> None:
    start = souk.core.skill.unknown()
    assert shown(start) == (1500, 500)
    assert shown(start._replace(mu=start.mu + 10, sigma=SURE)) == (1800, 375)
