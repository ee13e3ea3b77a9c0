"""Rated tables, ratings, leaderboards and profiles, over real sockets with a simulated clock."""

import asyncio
import io
import json
import random
import sqlite3
import zipfile
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openskill.models import PlackettLuce

import souk
from souk.core.results import places, winners
from souk.server.common.tokens import digest
from souk.server.ratings.leaderboards import PAGE_SIZE
from souk.server.ratings.ratings import (
    ESTABLISHED_SIGMA,
    LADDER,
    MOST_A_DAY,
    RATED,
    REPEATED,
    SHORT,
    CountedGame,
    CountedSeat,
    RatingBook,
    displayed_rating,
    store_result,
)
from souk.server.storage import maintenance
from souk.server.storage.connection import Connection
from souk.server.storage.rows import Statement, TransactionStep
from souk.server.storage.sqlite_schema import SqliteConnection, open_file
from tests.server.support.clients import Page, Person, Server, checked_server
from tests.server.support.controlled_uptime import House, reason
from tests.server.support.databases import address_of, in_both, look_into, store_at
from tests.support.forked import start_python

CLOCK = {"kind": "move", "seconds": 60.0}
PEOPLE = [bytes([number]) * 32 for number in range(6)]
DAY = 86_400.0


# ---------------------------------------------------------------- places


def test_players_who_resign_or_lose_on_time_rank_last() -> None:
    """Whatever their points: even the winner by the rules shares last place after resigning."""
    record = souk.Record("basari", 4)
    rng = random.Random(5)
    while not record.position.over:
        now = record.position
        record.play(
            now.actors[0], rng.choice(now.moves(now.actors[0])[:3])
        ) if now.actors else record.draw(rng)
    end = record.position
    best = end.winners[0]
    order = sorted(range(4), key=lambda seat: (seat not in end.winners, -end.scores[seat]))
    assert [places(end)[seat] for seat in order] == [1, 2, 3, 4]
    assert best not in winners(end, [best])
    assert [places(end, [best])[seat] for seat in order] == [4, 1, 2, 3]
    assert [places(end, order[:2])[seat] for seat in order] == [3, 3, 1, 2]
    assert places(end, ended="no_result") == ()
    assert places(souk.game("basari").start(4)) == ()


# ---------------------------------------------------------------- stored and recomputed ratings


def new_file(folder: Path) -> SqliteConnection:
    return open_file(folder / "tables.sqlite", folder / "key")[0]


def end_game(
    connection: Connection,
    number: int,
    game: str,
    people: list[int],
    ranks: list[int],
    kind: str = RATED,
    at: float = 0.0,
) -> None:
    """Store a finished game as the server does.

    In a short game the last-ranked players left at once. Games without `at` are a day apart.
    """
    seats = [
        CountedSeat(seat, PEOPLE[who], f"Person {who}", place, 0, place == 1)
        for seat, (who, place) in enumerate(zip(people, ranks, strict=True))
    ]
    left = [seat.seat for seat in seats if kind == SHORT and seat.place == max(ranks)]
    counted, when = RATED if kind == SHORT else kind, at or DAY * (number + 1)
    ended = CountedGame(f"table-{number:010}", game, len(people), counted, "", when, seats, left, 1)
    row = (
        "INSERT INTO tables (id, game, rules, players, options, seed, digest, created, changed,"
        " over, actors, scores, winners, rematch)"
        " VALUES (?, ?, 1, 2, '{}', ?, '', 0, 0, TRUE, '[]', '[]', '[]', '')"
    )
    maintenance.execute_in_transaction(
        connection,
        [
            Statement(row, (ended.table, game, b"")),
            TransactionStep(lambda connection: store_result(connection, ended)),
        ],
    )


GAMES = st.tuples(
    st.just("game"),
    st.sampled_from(["one", "two"]),
    st.permutations(range(len(PEOPLE))),
    st.lists(st.integers(1, 3), min_size=2, max_size=5),
    st.sampled_from([RATED, RATED, SHORT, LADDER]),
)
Key, Strength = tuple[str, int], tuple[float, float]
FORGETTING = st.tuples(st.just("forget"), st.integers(0, len(PEOPLE) - 1))
DELETING = st.tuples(st.just("delete"), st.integers(0, 30))


@settings(max_examples=40)
@given(st.lists(st.one_of(GAMES, GAMES, GAMES, FORGETTING, DELETING), max_size=30))
def test_ratings_worked_out_again_are_those_that_were_kept(
    tmp_path_factory: pytest.TempPathFactory, story: list[tuple[Any, ...]]
) -> None:
    """Stored ratings equal those recomputed from the results, and those openskill gives.

    Forgetting a player or deleting a table changes nobody's rating.
    """
    model, own = PlackettLuce(), dict[Key, Strength]()
    # Current identity of each person: a forgotten person returns as a new one.
    ids = list(range(len(PEOPLE)))
    with closing(new_file(tmp_path_factory.mktemp("book"))) as file:
        for number, (step, *arguments) in enumerate(story):
            before = file.execute("SELECT * FROM ratings").fetchall()
            if step == "game":
                game, order, ranks, kind = arguments
                people = list(order)[: len(ranks)]
                end_game(file, number, game, people, ranks, kind)
                keys, new = [(game, ids[who]) for who in people], model.rating()
                before_game = {key: own.get(key, (new.mu, new.sigma)) for key in keys}

                def rated(
                    ranking: list[tuple[Key, int]], before: dict[Key, Strength] = before_game
                ) -> dict[Key, Strength]:
                    teams = [
                        [model.rating(mu=before[key][0], sigma=before[key][1])]
                        for key, _ in ranking
                    ]
                    after = model.rate(teams, ranks=[float(place) for _, place in ranking])
                    return {
                        key: (team.mu, team.sigma)
                        for (key, _), (team,) in zip(ranking, after, strict=True)
                    }

                ranking = list(zip(keys, ranks, strict=True))
                if kind == RATED:
                    own |= rated(ranking)
                elif kind == SHORT:
                    stayed = [(key, place) for key, place in ranking if place != max(ranks)]
                    everybody = rated(ranking)
                    own |= rated(stayed) if len(stayed) > 1 else {}
                    for key in keys:
                        if key not in dict(stayed):
                            own[key] = (
                                min(before_game[key][0], everybody[key][0]),
                                everybody[key][1],
                            )
                continue
            [index] = arguments
            if step == "forget":
                maintenance.execute_in_transaction(file, maintenance.forget_player(PEOPLE[index]))
                ids[index] = 100 * (number + 1) + index
            else:
                file.execute("DELETE FROM tables WHERE id = ?", (f"table-{index:010}",))
            assert file.execute("SELECT * FROM ratings").fetchall() == before
        book = RatingBook().follow(file)
        assert book.differing(file) == 0
        assert sorted(
            (game, *strength.rating) for (game, _), strength in book.now.items()
        ) == sorted((game, *rating) for (game, _), rating in own.items())
        assert sum(strength.games for strength in book.now.values()) == len(book.after)


@in_both
def test_the_same_two_people_are_rated_three_times_a_day(tmp_path: Path) -> None:
    """Per game and day; a table with a new third player is rated in any case."""

    def kinds(file: Connection) -> list[str]:
        return [
            kind for (kind,) in file.execute("SELECT kind FROM results ORDER BY number").fetchall()
        ]

    asyncio.run(store_at(tmp_path).close())
    with look_into(tmp_path) as file:
        for number in range(MOST_A_DAY + 2):
            end_game(file, number, "suleika", [0, 1], [1, 2], at=DAY + number)
        assert kinds(file) == [RATED] * MOST_A_DAY + [REPEATED] * 2
        before = file.execute("SELECT * FROM ratings ORDER BY contestant").fetchall()
        assert [games for *_, games, _ in before] == [MOST_A_DAY] * 2
        end_game(file, 10, "bazaar", [0, 1], [1, 2], at=DAY + 10)
        end_game(file, 11, "suleika", [0, 1, 2], [1, 2, 3], at=DAY + 11)
        end_game(file, 12, "suleika", [0, 1], [2, 1], at=2 * DAY + 12)
        assert kinds(file)[-3:] == [RATED] * 3
        assert RatingBook().follow(file).differing(file) == 0


@in_both
def test_leaving_early_never_pays(tmp_path: Path) -> None:
    """Players who leave early lose rating, even the weaker of two.

    The remaining players are rated among themselves; a single one is not rated.
    """

    def strengths(file: Connection) -> dict[str, float]:
        query = "SELECT name, mu FROM ratings JOIN contestants ON number = contestant"
        return dict(file.execute(query).fetchall())

    asyncio.run(store_at(tmp_path).close())
    with look_into(tmp_path) as file:
        end_game(file, 0, "suleika", [0, 1], [1, 2], SHORT)
        assert list(strengths(file)) == ["Person 1"]
        assert strengths(file)["Person 1"] < 25
        # Person 2 is strong, person 3 is weak.
        for number in range(1, 7):
            end_game(file, number, "suleika", [2, 3], [1, 2])
        before = strengths(file)
        end_game(file, 7, "suleika", [0, 2, 3], [1, 2, 2], SHORT)
        after = strengths(file)
        assert "Person 0" not in after
        assert after["Person 2"] < before["Person 2"]
        assert after["Person 3"] <= before["Person 3"]
        end_game(file, 8, "suleika", [0, 4, 1], [1, 2, 3], SHORT)
        last = strengths(file)
        assert last["Person 1"] < after["Person 1"]
        assert last["Person 4"] < 25 < last["Person 0"]
        assert RatingBook().follow(file).differing(file) == 0


@in_both
def test_what_was_tampered_with_is_found_and_put_right(tmp_path: Path) -> None:
    asyncio.run(store_at(tmp_path).close())
    with look_into(tmp_path) as file:
        for number in range(5):
            end_game(file, number, "suleika", [number % 3, 3], [1, 2])
        stored = file.execute("SELECT * FROM ratings ORDER BY contestant").fetchall()
        file.execute("UPDATE ratings SET mu = mu + 1e-12 WHERE contestant = 1")
        file.execute("DELETE FROM ratings WHERE contestant = 2")
        file.execute("UPDATE result_seats SET sigma = NULL WHERE result = 3")
    for flags, status in ((["--check"], 1), ([], 0), (["--check"], 0)):
        location = ["--data", str(tmp_path), "--store", address_of(tmp_path)]
        process, log = start_python(["-m", "souk.cli", "host", "ratings", *flags, *location], {})
        log.close()
        assert process.wait(20) == status
    with look_into(tmp_path) as file:
        assert file.execute("SELECT * FROM ratings ORDER BY contestant").fetchall() == stored


# ---------------------------------------------------------------- rated tables


async def ask_for(person: Person, *seats: str, game: str = "suleika", **fields: Any) -> Any:
    requests = [{"who": seat} | ({"level": "random"} if seat == "bot" else {}) for seat in seats]
    return await person.http.post(
        "/api/tables", json={"game": game, "seats": requests, "rated": True} | fields
    )


@asynccontextmanager
async def rated(
    server: Server, people: int, game: str = "suleika", **fields: Any
) -> AsyncIterator[tuple[str, list[Person], list[Page]]]:
    """A rated table of `people` persons, each with a page, in seat order."""
    async with AsyncExitStack() as stack:
        persons = [await stack.enter_async_context(Person(server)) for _ in range(people)]
        answer = await ask_for(
            persons[0], "me", *["open"] * (people - 1), game=game, clock=CLOCK, **fields
        )
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
    """Stored ratings match those recomputed from the results."""
    with closing(sqlite3.connect(server.data / "tables.sqlite")) as file:
        assert RatingBook().follow(file).differing(file) == 0


def test_what_cannot_be_rated_is_refused(house: House) -> None:
    async def ask() -> None:
        async with Person(house.server) as person:
            wrong: list[tuple[str, tuple[str, ...], dict[str, Any]]] = [
                ("rated_clock", ("me", "open"), {}),
                ("rated_people", ("me", "bot"), {"clock": CLOCK}),
                ("rated_people", ("me", "here"), {"clock": CLOCK}),
                ("rated_people", ("me",), {"clock": CLOCK, "game": "bazaar"}),
                (
                    "rated_options",
                    ("me", "open"),
                    {"clock": CLOCK, "options": {"turn_at_end": True}},
                ),
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


def test_a_rated_table_helps_nobody_and_says_what_it_is(house: House) -> None:
    async def play() -> None:
        async with Person(house.server) as host, Person(house.server) as guest:
            # A rated table ignores both.
            unrated_options = {"clock": CLOCK | {"flag": "stand_in"}, "free_talk": True}
            answer = await ask_for(host, "me", "link", "link", **unrated_options)
            table, secrets = answer.json()["table"], answer.json()["invitations"]
            assert (await host.lobby())["tables"][0]["rated"]
            assert (await guest.sit(table, secrets["1"])).status_code == 200
            again = await guest.sit(table, secrets["2"])
            assert (again.status_code, again.json()["reason"][0]) == (
                409,
                "table.refused.rated_once",
            )
            async with host.page(table) as page:
                assert reason(await page.ask("start_game")) == "rated_people"
                assert reason(await page.ask("stand_in", seat=2, level="random")) == "rated_unaided"
                assert (page.now["rated"], page.now["coach"]) == (True, None)
                assert page.now["life"]["clocks"]["terms"]["flag"] == "lose"
                assert not page.now["talk"]["free"]
        async with rated(house.server, 2) as (_, _, pages):
            seat = pages[0].view["actors"][0]
            page, other = pages[seat], pages[1 - seat]
            assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"
            assert not page.view.get("can_take_back")
            assert reason(await page.ask("take_back", seat=seat, after=page.seq)) == "rated_unaided"
            assert reason(await page.ask("hint", seat=seat, after=page.seq)) == "rated_unaided"
            assert (
                reason(await page.ask("consent_to_coach", seat=seat, agrees=True))
                == "rated_unaided"
            )
            now = {"seat": seat, "after": page.seq}
            assert reason(await page.ask("propose", what="take_back", **now)) == "rated_unaided"
            away = {"seat": seat, "about": 1 - seat, "choice": "end"}
            assert reason(await page.ask("vote_on_absence", **away)) == "rated_clock_decides"
            assert (await page.ask("propose", what="pause", **now))["is"] == "done"
            agreement = {"seat": 1 - seat, "number": 1, "agrees": True}
            assert (await other.ask("respond", **agreement))["is"] == "done"
            assert any(event["told"][0][0] == "table.life.paused" for event in other.events)

    asyncio.run(play())


async def play_on(pages: list[Page], moves: int) -> None:
    """Play until every seat has made `moves` moves."""
    by_seat = {page.now["mine"][0]: page for page in pages}  # a browser may have drawn the seats
    made = dict.fromkeys(by_seat, 0)
    while min(made.values()) < moves:
        await asyncio.gather(*(page.ask("ping") for page in pages))
        seat = max(pages, key=lambda page: page.seq).view["actors"][0]
        page = by_seat[seat]
        await page.until_so(lambda page=page: bool(page.view["moves"]))
        assert (await page.move(seat, page.view["moves"][0]))["is"] == "done"
        made[seat] += 1


ENOUGH = souk.game("suleika").box.rated_from(2)


@pytest.mark.parametrize("moves", [0, ENOUGH - 2])
def test_nobody_gains_by_a_game_that_is_left_at_once(any_server: Server, moves: int) -> None:
    """Fifteen such wins change nothing for the winner; resigning costs rating, as in any game."""

    async def play() -> None:
        async with AsyncExitStack() as stack:
            farmer = await stack.enter_async_context(Person(any_server))
            for _ in range(15 if not moves else 1):
                puppet = await stack.enter_async_context(Person(any_server))
                table = (await ask_for(farmer, "me", "open", clock=CLOCK)).json()["table"]
                assert (await puppet.sit(table, "", "Puppet")).status_code == 200
                async with farmer.page(table) as one, puppet.page(table) as two:
                    await one.until_begun()
                    await two.until_begun()
                    await play_on([one, two], moves)
                    assert (await two.ask("resign"))["is"] == "done"
                    await one.until(lambda message: message["is"] == "result")
                    result = await ratings_at(farmer, table)
                    assert (result["counted"], result["limited"]) == (True, "short")
                    won, lost = result["seats"]
                    assert won.get("after") is None
                    assert lost["after"]["rating"] < 1500
            refused = await farmer.http.get("/api/people/me")
            assert (refused.status_code, refused.json()["reason"][0]) == (
                404,
                "table.refused.no_rated_game",
            )

    asyncio.run(play())


def test_who_resigns_is_last_and_a_game_of_two_is_over(house: House) -> None:
    async def play() -> None:
        async with rated(house.server, 2) as (table, (host, guest), (one, two)):
            await play_on([one, two], ENOUGH)
            before = await ratings_at(host, table)
            assert (before["rated"], before["counted"]) == (True, False)
            assert [seat["before"]["rating"] for seat in before["seats"]] == [1500, 1500]
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
            lost, won = (seat["after"]["rating"] for seat in after["seats"])
            assert after["counted"]
            assert lost < 1500 < won
            card = (await guest.lobby())["tables"][0]
            assert (card["rated"], card["winners"]) == (True, [1])
            board = (await guest.http.get("/api/leaders/suleika?provisional=1")).json()
            assert board["mine"]["now"] == {
                "rating": won,
                "off": board["mine"]["now"]["off"],
                "provisional": True,
            }
            assert (await guest.http.get("/api/leaders/suleika")).json()["leaders"] == []
            profile = (await host.http.get(f"/api/people/{after['seats'][1]['public']}")).json()
            assert (profile["name"], profile["mine"], len(profile["games"][0]["history"])) == (
                "Guest 1",
                False,
                1,
            )
            [game] = profile["recent"]
            assert (game["table"], game["look"], game["place"], game["after"]) == (
                table,
                False,
                1,
                won,
            )
            everything = await guest.http.get("/api/person/all")
            with zipfile.ZipFile(io.BytesIO(everything.content)) as file:
                [result] = json.loads(file.read("souk.json"))["results"]
            assert (result["table"], result["counts_for"], result["place"], result["won"]) == (
                table,
                "rated",
                1,
                True,
            )
            assert result["mu"] > 25
            assert (await one.ask("rematch"))["is"] == "refused"
            assert (await two.ask("rematch"))["is"] == "done"
            again = (await guest.lobby())["tables"][0]
            assert (again["rated"], again["waiting"]) == (True, False)

    asyncio.run(play())
    check_book(house.server)


def test_time_lost_with_three_is_the_last_place_though_a_bot_plays_on(house: House) -> None:
    async def play() -> None:
        async with rated(house.server, 3) as (table, people, pages):
            await play_on(pages, ENOUGH)
            slow = max(pages, key=lambda page: page.seq).view["actors"][0]
            gives_up, wins = [seat for seat in range(3) if seat != slow]
            house.pass_by(90)
            # A bot moves for the slow player.
            await pages[wins].until(
                lambda message: message["is"] == "event" and message["seat"] == slow
            )
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
    check_book(house.server)


def test_a_game_that_all_end_early_rates_nobody(house: House) -> None:
    async def play() -> None:
        async with rated(house.server, 2) as (table, (host, _), (one, two)):
            assert (await one.ask("propose", seat=0, what="end", after=one.seq))["is"] == "done"
            assert (await two.ask("respond", seat=1, number=1, agrees=True))["is"] == "done"
            assert (two.view["over"], two.view["ended"], two.view["winners"]) == (
                True,
                "no_result",
                [],
            )
            assert not (await ratings_at(host, table))["counted"]
            refused = await host.http.get("/api/people/me")
            assert (refused.status_code, refused.json()["reason"][0]) == (
                404,
                "table.refused.no_rated_game",
            )

    asyncio.run(play())
    check_book(house.server)


def test_who_is_forgotten_or_not_listed_is_seen_by_nobody(house: House) -> None:
    async def play() -> None:
        async with rated(house.server, 2) as (table, (host, guest), (one, two)):
            await play_on([one, two], ENOUGH)
            assert (await one.ask("resign"))["is"] == "done"
            await two.until(lambda message: message["is"] == "result")
            mine = (await host.http.get("/api/people/me")).json()
            theirs = (await guest.http.get("/api/people/me")).json()
            me, them = (f"/api/people/{profile['public']}" for profile in (mine, theirs))
            assert digest(host.cookie).hex()[:16] != mine["public"]
            hidden = (await host.http.post("/api/people/me/listed", json={"listed": False})).json()
            assert (hidden["listed"], hidden["games"][0]["place"]) == (False, 0)
            assert (await guest.http.get(me)).status_code == 404
            assert (await host.http.get(me)).status_code == 200
            assert (await guest.http.get("/api/people/me")).json()["recent"][0]["others"][0][
                "name"
            ] == "—"
            board = (await guest.http.get("/api/leaders/suleika?provisional=1")).json()
            assert mine["public"] not in [leader["public"] for leader in board["leaders"]]
            assert (await host.http.post("/api/people/me/listed", json={"listed": True})).json()[
                "listed"
            ]
            assert (await guest.http.get(me)).status_code == 200
            games = (await guest.http.get(them)).json()["games"]
            assert (await host.http.post("/api/forget", json={})).status_code == 200
            assert (await guest.http.get(me)).status_code == 404
            after = (await guest.http.get(them)).json()
            assert [game["now"] for game in after["games"]] == [game["now"] for game in games]
            assert after["recent"][0]["others"] == [{"name": "—", "public": "", "place": 2}]
            assert [seat["public"] for seat in (await ratings_at(guest, table))["seats"]] == [
                "",
                theirs["public"],
            ]

    asyncio.run(play())
    check_book(house.server)


# ---------------------------------------------------------------- leaderboards


@in_both
def test_a_leaderboard_page_by_page(tmp_path: Path) -> None:
    """Sorted by strength, provisional ratings apart, with my own place on every page."""
    people = 2 * PAGE_SIZE + 20
    rng = random.Random(4)
    asyncio.run(store_at(tmp_path).close())
    with look_into(tmp_path) as file:
        for who in range(1, people + 1):
            secret, sigma = (
                digest(f"{who:032}"),
                ESTABLISHED_SIGMA - 0.01 if who > 10 else ESTABLISHED_SIGMA + 0.01,
            )
            row = (who, secret, f"{who:016x}", f"Person {who}", who != 50)
            file.execute("INSERT INTO contestants VALUES (?, ?, ?, ?, ?)", row)
            file.execute(
                "INSERT INTO ratings VALUES ('bazaar', ?, ?, ?, 3, 1)",
                (who, rng.choice([20.0, 21.5, 30.25]), sigma),
            )
        wanted = file.execute(
            "SELECT contestant FROM ratings WHERE contestant > 10 AND contestant != 50 "
            "ORDER BY mu DESC, contestant"
        ).fetchall()

    async def look(server: Server) -> None:
        async with Person(server, f"{77:032}") as person:
            leaders: list[dict[str, Any]] = []
            for page in range(3):
                board = (await person.http.get(f"/api/leaders/bazaar?page={page}")).json()
                assert (board["page"], board["pages"], board["people"]) == (page, 3, people - 11)
                leaders += board["leaders"]
                assert board["mine"]["name"] == "Person 77"
            assert [leader["place"] for leader in leaders] == list(range(1, people - 10))
            assert [int(leader["public"], 16) for leader in leaders] == [
                number for (number,) in wanted
            ]
            assert [leader for leader in leaders if leader["mine"]] == [board["mine"]]
            beyond = (await person.http.get("/api/leaders/bazaar?page=99999")).json()
            assert beyond["page"] == 2
            provisional = (await person.http.get("/api/leaders/bazaar?provisional=1")).json()
            assert (len(provisional["leaders"]), provisional["mine"]) == (10, None)
            assert (await person.http.get("/api/leaders/bazaar?page=-1")).status_code == 400
            assert (await person.http.get("/api/leaders/chess")).status_code == 404
            assert (await person.http.get("/api/leaders/suleika")).json()["leaders"] == []

    with checked_server(tmp_path) as server:
        asyncio.run(look(server))


def test_how_ratings_are_shown() -> None:
    start = souk.core.skill_rating.initial_rating()
    assert displayed_rating(start) == (1500, 500)
    assert displayed_rating(start._replace(mu=start.mu + 10, sigma=ESTABLISHED_SIGMA)) == (
        1800,
        375,
    )
