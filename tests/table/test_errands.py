"""Bots that think elsewhere: a queue in PostgreSQL, who is next there, and what becomes of an errand whose thinker is lost."""

import asyncio
import contextlib
import json
import signal
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path
from typing import IO, Any

import httpx
import psutil
import pytest

from souk.bots.answering import Reply
from souk.core.position import Position
from souk.games import game as find_game
from souk.table import errands
from souk.table.asking import FarThinkers, wanted
from souk.table.errand_line import ErrandLine
from souk.table.errands import AskedErrand, ThinkerRow, edition_of
from souk.table.postgres_line import PostgresLine
from souk.table.sealing import Seal, read_key
from souk.table.settings import Settings
from souk.table.thinkers import Turn
from tests.forked import Forked, start_python
from tests.postgres import Cluster
from tests.table.clients import Page, Person, Server
from tests.table.places import address_of, in_postgres, look_into, store_at
from tests.table.test_brains import secret_choices

SEAL = Seal(bytes(32))
SULEIKA = find_game("suleika")
AWAKE = ThinkerRow("anybody", 1, {"suleika": 0})


@pytest.fixture
def house(tmp_path: Path, cluster: Cluster) -> Iterator[Path]:
    """A folder whose tables are in PostgreSQL."""
    with in_postgres(tmp_path, cluster):
        yield tmp_path


@pytest.fixture
def line(house: Path) -> Iterator[PostgresLine]:
    asyncio.run(store_at(house).close())  # which lays it out
    found = PostgresLine(address_of(house))
    yield found
    found.close()


def to_move(seed: int = 0) -> Position:
    position = SULEIKA.start(2, first=0)
    position.resolve(list(position.chances())[seed % 2])
    return position


def errand(table: str, address: str = "here", level: str = "vizier", after: int = 3) -> AskedErrand:
    return wanted(Turn(address, table, to_move(), 0, level, after=after), level, SEAL)


def ask(line: PostgresLine, *several: AskedErrand) -> None:
    for each in several:
        errands.ask(line, each, 1.0)


def taken(line: PostgresLine, dear: bool = True, thinker: ThinkerRow = AWAKE) -> errands.TakenErrand | None:
    return errands.take(line, thinker, [edition_of(SULEIKA)], dear, 1.0)


# ---------------------------------------------------------------- the queue


def test_an_errand_is_one_however_often_it_is_asked_and_is_taken_once(line: PostgresLine) -> None:
    ask(line, errand("one"), errand("one"), errand("one", after=4))
    first, second = taken(line), taken(line)
    assert first
    assert second
    assert first.id != second.id
    assert taken(line) is None
    errands.answer(line, first.id, Reply(0, "a move"))
    errands.answer(line, first.id, Reply(0, "another"))  # by one who was taken for lost
    [found] = errands.look(line, [first.id])
    assert found.reply
    assert found.reply.move == "a move"


def test_whoever_has_had_least_is_next(line: PostgresLine) -> None:
    """Somebody asks for eight tables at once, and then somebody else for one: the second is the second."""
    ask(line, *(errand(f"greedy {number}", "greedy") for number in range(8)), errand("modest", "modest"))
    order = [found.address for _ in range(9) if (found := taken(line))]
    modest = SEAL.name_for("address", "modest")
    assert len(order) == 9
    assert order.index(modest) == 1


def test_of_one_address_every_table_has_its_share(line: PostgresLine) -> None:
    ask(line, *(errand("many", after=number) for number in range(4)), errand("one"))
    order = [found.table for _ in range(5) if (found := taken(line))]
    assert order.index(SEAL.name_for("table", "one")) == 1


def test_where_many_wait_everybody_thinks_for_less_time(line: PostgresLine) -> None:
    errands.sign_in(line, AWAKE)
    ask(line, errand("alone"))
    alone = taken(line)
    assert alone
    assert alone.allowed is None
    ask(line, *(errand(f"table {number}", f"address {number}") for number in range(9)))
    found = taken(line)
    assert found
    assert found.allowed
    assert found.allowed < 0.2  # ten tables share about a second
    errands.answer(line, found.id, Reply(0, "a move"))
    assert errands.look(line, [found.id])[0].hurried


def test_cheap_ones_have_places_of_their_own(line: PostgresLine) -> None:
    ask(line, errand("dear"), errand("cheap", level="apprentice"))
    cheap = taken(line, dear=False)
    assert cheap
    assert cheap.question.level == "apprentice"
    assert taken(line, dear=False) is None


def test_too_many_are_turned_away_from_whoever_asks_most(line: PostgresLine) -> None:
    ask(line, errand("modest", "modest"))
    greedy = [errand(f"table {number}", "greedy") for number in range(100)]
    ask(line, *greedy)
    away = [found.id for found in errands.look(line, [each.id for each in greedy]) if found.turned_away]
    assert away == [greedy[-1].id]


def test_one_whose_bots_are_asleep_takes_what_does_not_search(line: PostgresLine) -> None:
    asleep = ThinkerRow("asleep", 1, {"suleika": 20})
    ask(line, errand("one"), errand("two", level="apprentice"))
    assert errands.wanted_games(line) == {"suleika"}
    assert taken(line, thinker=asleep) is None
    assert taken(line, dear=False, thinker=asleep)
    assert taken(line)


def test_one_with_other_rules_takes_nothing(line: PostgresLine) -> None:
    ask(line, errand("one"))
    assert errands.take(line, AWAKE, ["another edition"], True, 1.0) is None


def test_who_is_lost_loses_the_errand_and_the_third_is_the_last(
    line: PostgresLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    ask(line, errand("one"))
    for name in ("first", "second", "third"):
        monkeypatch.setattr(errands, "LEASE", 600.0)
        found = taken(line, thinker=AWAKE._replace(name=name))
        assert found
        assert taken(line) is None  # it is somebody's
        monkeypatch.setattr(errands, "LEASE", 0.0)
        assert errands.renew(line, name, [found.id]) == {found.id}  # for the last time, and for no time at all
    assert errands.renew(line, "second", [found.id]) == set()
    assert taken(line) is None
    [lost] = errands.look(line, [found.id])
    assert (lost.taken, lost.tries) == (False, errands.MOST_TRIES)


def test_what_nobody_waits_for_is_left_alone(line: PostgresLine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(errands, "_DROPPED", 0.0)
    one, other = errand("one"), errand("other")
    ask(line, one, other)
    found = taken(line)
    assert found
    assert found.id == one.id
    errands.drop(line, one.id)
    errands.drop(line, other.id)
    assert errands.renew(line, AWAKE.name, [one.id]) == set()
    assert taken(line) is None
    errands.look(line, [other.id])  # another server still waits for that one
    assert taken(line)


def test_whoever_signs_out_leaves_the_errand_to_others_at_once(line: PostgresLine) -> None:
    errands.sign_in(line, AWAKE)
    ask(line, errand("one"))
    first = taken(line)
    assert errands.thinkers(line) == [AWAKE]
    errands.sign_out(line, AWAKE.name)
    again = taken(line)
    assert errands.thinkers(line) == []
    assert first
    assert again
    assert first.id == again.id


# ---------------------------------------------------------------- what an errand tells


def test_an_errand_says_nothing_that_its_seat_may_not_know() -> None:
    """Whatever somebody else has chosen in secret, the same row is written."""
    pairs = 0
    for one, other, seat in secret_choices():
        rows = [
            wanted(Turn("1.2.3.4", "a table", each, seat, "vizier", after=7), "vizier", SEAL) for each in (one, other)
        ]
        assert rows[0] == rows[1]
        pairs += 1
    assert pairs > 50


def test_nothing_secret_is_in_the_queue(house: Path) -> None:
    """Not the seed, the table, the address or a name: looked for in all that is written there."""

    async def play(server: Server) -> tuple[str, str]:
        async with Person(server) as person:
            table, _ = await person.new_table("basari", {"who": "me", "name": "Scheherazade"}, "bot", "bot")
            async with person.page(table) as page:
                await page.until_begun()
                if page.view["moves"]:  # else it is a bot's turn already
                    await page.move(0, page.view["moves"][0])
                await until(lambda: _rows(house, "errands"))
            return table, person.cookie

    with Server(house, workers=0, think_wait=60) as server:
        table, cookie = asyncio.run(play(server))
        rows = _rows(house, "errands")
    with look_into(house) as line:
        [(seed,)] = line.execute("SELECT seed FROM tables WHERE id = ?", (table,))
    opened = read_key(house / "key").unseal(bytes(seed), "seed", table)
    told = b"\n".join(each if isinstance(each, bytes) else str(each).encode() for row in rows for each in row)
    assert rows
    for secret in (bytes(seed), opened, opened.hex().encode(), table.encode(), cookie.encode()):
        assert secret not in told
    assert b"Scheherazade" not in told
    assert b"127.0.0.1" not in told


def _rows(folder: Path, name: str) -> list[Any]:
    with look_into(folder) as line:
        return line.execute(f"SELECT * FROM {name}").fetchall()


def test_a_thinker_needs_no_right_to_anything_else(line: PostgresLine, house: Path) -> None:
    """The rights that docs/hosting.md gives a thinker are enough, and no table can be read with them."""
    [(schema,)] = line.execute("SELECT current_schema()")
    role = f"thinker_{schema}"
    for right in (
        f"CREATE ROLE {role} LOGIN",
        f"GRANT USAGE ON SCHEMA {schema} TO {role}",
        f"GRANT SELECT ON layout TO {role}",
        f"GRANT SELECT, INSERT, UPDATE, DELETE ON errands, lookbacks, thinkers TO {role}",
    ):
        line.execute(right)
    process, told = think(address_of(house).replace("postgres@", f"{role}@"))
    metrics = json.loads(told.readline())["address"]
    assert "souk_errands_under_way" in httpx.get(metrics).text
    assert "souk_lookbacks_under_way" in httpx.get(metrics).text
    while not errands.thinkers(line):
        time.sleep(0.02)
    ask(line, one := errand("one", level="random"))
    while not (found := errands.look(line, [one.id]))[0].reply:
        time.sleep(0.02)
    assert end(process, told) == 0
    assert found[0].reply
    assert found[0].reply.move in to_move().moves(0)
    line.execute(f"SET ROLE {role}")
    for name in ("tables", "seats", "events", "house"):
        with pytest.raises(Exception, match="permission denied"):
            line.execute(f"SELECT * FROM {name}")


# ---------------------------------------------------------------- two servers


@contextlib.asynccontextmanager
async def asking(house: Path, **flags: Any) -> AsyncIterator[FarThinkers]:
    address = address_of(house)
    settings = Settings(data=house, store=address, workers=0, games=(), **flags)
    found = FarThinkers(settings, ErrandLine(address), SEAL)
    found.start(lambda _game: None)
    try:
        yield found
    finally:
        await found.close()


async def until(happened: Callable[[], Any]) -> Any:
    while not (found := await asyncio.to_thread(happened)):
        await asyncio.sleep(0.02)
    return found


def with_asking(house: Path, work: Callable[..., Awaitable[None]], count: int = 1, **flags: Any) -> None:
    async def run() -> None:
        async with contextlib.AsyncExitStack() as stack:
            await work(*[await stack.enter_async_context(asking(house, **flags)) for _ in range(count)])

    asyncio.run(run())


def test_two_servers_that_ask_for_one_turn_have_one_errand(line: PostgresLine, house: Path) -> None:
    async def work(one: FarThinkers, other: FarThinkers) -> None:
        turns = [Turn("here", "table", to_move(), 0, "vizier", after=5) for _ in range(2)]
        asked = [asyncio.create_task(each.choose(turn)) for each, turn in zip((one, other), turns, strict=True)]
        found = await until(lambda: taken(line))
        move = to_move().moves(0)[-1]
        assert len(_rows(house, "errands")) == 1
        await asyncio.to_thread(errands.answer, line, found.id, Reply(0, move))
        assert await asyncio.gather(*asked) == [move, move]
        assert len(_rows(house, "errands")) == 1

    with_asking(house, work, 2, think_wait=60.0)


def test_an_errand_that_is_lost_with_the_database_is_asked_again(line: PostgresLine, house: Path) -> None:
    async def work(server: FarThinkers) -> None:
        asked = asyncio.create_task(server.choose(Turn("here", "table", to_move(), 0, "vizier", after=5)))
        first = await until(lambda: taken(line))
        await asyncio.to_thread(line.execute, "TRUNCATE errands, thinkers")  # as a crash does: both are UNLOGGED
        again = await until(lambda: taken(line))
        assert (first.id, first.question) == (again.id, again.question)
        move = to_move().moves(0)[0]
        await asyncio.to_thread(errands.answer, line, again.id, Reply(0, move))
        assert await asked == move

    with_asking(house, work, think_wait=60.0)


def test_a_bot_that_fails_elsewhere_is_played_for_here(line: PostgresLine, house: Path) -> None:
    async def work(server: FarThinkers) -> None:
        for reply in (Reply(0, error="it has no idea"), Reply(0, "no move at all")):
            turn = Turn("here", "table", to_move(), 0, "vizier", after=len(reply.error))
            asked = asyncio.create_task(server.choose(turn))
            found = await until(lambda: taken(line))
            await asyncio.to_thread(errands.answer, line, found.id, reply)
            assert await asked in to_move().moves(0)

    with_asking(house, work, think_wait=60.0)


# ---------------------------------------------------------------- whole processes


def think(address: str) -> tuple[Forked, IO[str]]:
    words = ["think", "--store", address, "--workers", "1", "--games", "", "--log", "json", "--metrics", "127.0.0.1:0"]
    return start_python(["-m", "souk.cli", *words])


def end(process: Forked, told: IO[str], sign: signal.Signals = signal.SIGTERM) -> int:
    process.send_signal(sign)
    status = process.wait(20.0)
    told.close()
    return status


async def bots_turn(page: Page) -> None:
    """Make one's moves, and hear what the bot does."""
    while not page.view["moves"]:
        await page.hear()
    before = len(page.events)
    while page.view["moves"]:
        await page.move(0, page.view["moves"][0])
    while not any(event["seat"] == 1 for event in page.events[before:]):
        await page.hear()


async def counted(server: Server, name: str) -> float:
    [line] = [line for line in server.lines if '"metrics"' in line]
    address = line.partition('"address": "')[2].partition('"')[0]
    async with httpx.AsyncClient() as client:
        text = (await client.get(address)).text
    [found] = [each.split()[1] for each in text.splitlines() if each.startswith(f"{name} ")]
    return float(found)


def test_bots_move_with_and_without_a_thinker_and_when_it_is_killed_in_mid_thought(house: Path) -> None:
    thinkers: list[tuple[Forked, IO[str]]] = []

    async def play(server: Server) -> None:
        async with Person(server) as person, person.page_at_new_table("suleika", "me", "bot") as page:
            await page.until_begun()
            await bots_turn(page)  # nobody is there to think
            assert await counted(server, "souk_bots_stood_in_total") >= 1
            assert any("no thinker for a turn" in line for line in server.lines)
            thinkers.append(think(address_of(house)))
            while not await counted(server, "souk_thinkers"):
                await asyncio.sleep(0.02)
            before = await counted(server, "souk_bots_stood_in_total")
            await bots_turn(page)
            await _kill_in_mid_thought(page)
            assert await counted(server, "souk_bots_stood_in_total") == before

    async def _kill_in_mid_thought(page: Page) -> None:
        first = psutil.Process(thinkers[0][0].pid)
        held = first.children(recursive=True)
        for brain in held:
            brain.suspend()
        turn = asyncio.create_task(bots_turn(page))
        [row] = await until(lambda: [row for row in _open(house) if row[1]])
        thinkers.append(think(address_of(house)))
        await until(lambda: len({row[0] for row in _rows(house, "thinkers")}) == 2)
        end(*thinkers[0], signal.SIGKILL)
        for brain in held:
            brain.kill()
        await turn
        with look_into(house) as line:
            [(tries, by)] = line.execute("SELECT tries, taken_by FROM errands WHERE id = ?", (row[0],))
        assert tries == 2
        assert by != row[1]

    with Server(house, workers=0, think_wait=1.0, metrics="127.0.0.1:0") as server:
        asyncio.run(play(server))
        assert end(*thinkers[1]) == 0
        assert server.stop() == 0
        assert not server.troubles


def _open(house: Path) -> list[Any]:
    """Those that somebody still waits for."""
    asked = "SELECT id, taken_by FROM errands WHERE done IS NULL AND wanted > now() - make_interval(secs => ?)"
    with look_into(house) as line:
        return line.execute(asked, (errands.WANTED - errands._DROPPED,)).fetchall()
