"""Bots at tables: compilation, load, failures and sandboxed programs."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path

import pytest

from souk.bots import sandbox_exec
from souk.bots.simple import FallbackBot
from souk.games import game as find_game
from souk.games import names
from souk.server.app import make_app
from souk.server.common.config import ServerConfig
from souk.server.compute import precompile, scheduler
from souk.server.compute.precompile import Precompiler
from souk.server.compute.scheduler import BotRequest, BotScheduler
from tests.server.support.clients import Page, Person, Server, checked_server, page_at_new_table
from tests.support.processes import exists


@pytest.mark.parametrize("name", names())
def test_a_newcomer_plays_legal_moves_to_the_end(name: str) -> None:
    position, rng = find_game(name).start(find_game(name).players[-1]), random.Random(1)
    newcomer = FallbackBot("newcomer", seed=1)
    for _ in range(2000):
        if position.over:
            break
        if position.actors:
            seat = rng.choice(position.actors)
            position.play(seat, newcomer.choose(position, seat).move)
        else:
            position.draw(rng)
    assert position.over


def test_a_bot_that_fails_still_moves(monkeypatch: pytest.MonkeyPatch) -> None:
    failed = []
    monkeypatch.setattr(scheduler, "log_error", lambda event, *_, **__: failed.append(event))
    position = find_game("suleika").start(2, first=0)
    position.resolve(next(iter(position.chances())))

    async def ask() -> str:
        bots = BotScheduler(1, ())
        move = await bots.choose(BotRequest("here", "table", position, 0, "random:no such setting"))
        await bots.close()
        return move

    assert asyncio.run(ask()) in position.moves(0)
    assert failed == ["bot failed"]


COUNTING = """
import json, os, sys
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "counting"}), flush=True)
    elif request["type"] == "choose":
        reply = {"type": "move", "id": request["id"], "move": request["moves"][0]}
        print(json.dumps(reply), flush=True)
"""


def test_a_bot_is_kept_for_its_seat_and_closed_with_the_table(tmp_path: Path) -> None:
    """A host's program starts once per seat and ends when the table is empty."""
    program, started = tmp_path / "bot.py", tmp_path / "started"
    program.write_text(COUNTING)
    level = f"exec:{sys.executable} {program} {started}"

    async def play(server: Server) -> None:
        async with page_at_new_table(
            server, "suleika", "me", {"who": "bot", "level": level}
        ) as page:
            while page.seats[1].get("waking"):
                await page.hear()
            while sum(event["seat"] == 1 for event in page.events) < 4:
                if page.view["moves"]:
                    await page.move(0, page.view["moves"][0])
                else:
                    await page.hear()

    with checked_server(
        tmp_path / "data", games="suleika", levels=level, trust_bots=None
    ) as server:
        asyncio.run(play(server))
        [process] = [int(line) for line in started.read_text().split()]
        for _ in range(500):
            if not exists(process):
                break
            time.sleep(0.01)
        assert not exists(process)


def test_bots_wake_game_by_game(monkeypatch: pytest.MonkeyPatch) -> None:
    """Cached games come first, then requested ones; a game that fails to compile is skipped."""
    done: list[str] = []

    async def load(game: str) -> None:
        if game == "basari":
            raise RuntimeError("does not compile")
        done.append(game)

    monkeypatch.setattr(precompile, "is_prepared", lambda game: game.name == "bazaar")
    monkeypatch.setattr(precompile, "log_error", lambda *_, **__: None)
    monkeypatch.setattr(Precompiler, "_compile", lambda self, name: done.append(f"compile {name}"))

    async def compile_all() -> list[str]:
        compiled: list[str] = []
        bots = Precompiler(tuple(names()), load)
        bots.start(compiled.append)
        bots.prioritise("suleika")
        assert "suleika" not in bots.ready
        while len(compiled) < 3:
            await asyncio.sleep(0.01)
        assert "suleika" in bots.ready
        assert "basari" not in bots.ready
        bots.close()
        return compiled

    assert asyncio.run(compile_all()) == ["bazaar", "suleika", "basari-cards"]
    assert "compile suleika" in done


@pytest.mark.parametrize("game", names())
def test_bots_play_while_nothing_is_compiled(
    tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Bots that do not search need no compilation, and cause none."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    levels = "apprentice", "trader", "merchant"

    async def play(server: Server) -> None:
        bots = [{"who": "bot", "level": level} for level in levels]
        async with Person(server) as person, person.page_at_new_table(game, "me", *bots) as page:
            while {event["seat"] for event in page.events} < {1, 2, 3}:
                if page.view["moves"]:
                    await page.move(0, page.view["moves"][0])
                else:
                    await page.hear()
            assert not any(seat.get("waking") for seat in page.seats)

    with checked_server(tmp_path / "data", levels=",".join(levels)) as server:
        asyncio.run(play(server))
    assert not list((tmp_path / "cache").rglob("*.nb?"))


def test_a_bot_that_searches_wakes_and_says_when(tmp_path: Path) -> None:
    """Until the compiled code is loaded, the page is told how long that takes."""

    async def look(server: Server) -> None:
        async with page_at_new_table(
            server, "suleika", "me", {"who": "bot", "level": "search:playouts=50"}
        ) as page:
            while 0 in page.view["actors"]:
                await page.move(0, page.view["moves"][0])
            await page.until(
                lambda message: (
                    message["is"] == "seats" and message["seats"][1].get("waking", 0) > 0
                )
            )
            while page.seats[1].get("waking"):
                await page.hear()
            while not any(event["seat"] == 1 for event in page.events):
                await page.hear()

    with checked_server(tmp_path, levels="search:playouts=50") as server:
        asyncio.run(look(server))


def test_what_is_wanted_is_compiled_before_what_nobody_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Two compile at a time; the seconds left include everything ahead in the queue."""
    begun: list[str] = []
    monkeypatch.setattr(precompile, "is_prepared", lambda game: False)
    # With equal work, games finish in the order in which they begin.
    monkeypatch.setattr(precompile, "work_to_prepare", lambda game: 30_000)
    monkeypatch.setattr(Precompiler, "_compile", lambda *_: None)

    async def load(game: str) -> None:
        await asyncio.sleep(0.02)

    async def compile_all() -> None:
        bots = Precompiler(tuple(names()), load)
        bots.start(lambda _: None)
        first, *_, before_last, last = names()
        assert bots.seconds_left(before_last) > bots.seconds_left(first) > 0
        bots.prioritise(last)
        assert bots.seconds_left(before_last) >= bots.seconds_left(last) > bots.seconds_left(first)
        assert await bots.wait_until_ready(before_last)
        assert bots.seconds_left(before_last) == 0
        bots.close()

    monkeypatch.setattr(
        precompile,
        "log_info",
        lambda event, *, game: begun.append(game) if event == "compiling bots" else None,
    )
    asyncio.run(compile_all())
    assert begun == [*names()[:2], names()[-1], names()[-2]]


# ---------------------------------------------------------------- many tables at once

LONG = "search:seconds=2"
# Longer than any test waits.
LONGER = "search:seconds=600"


async def sit_down(server: Server, people: AsyncExitStack, *levels: str) -> Page:
    """Page of a person at a new table with bots, right after the person's turn."""
    person = await people.enter_async_context(Person(server))
    bots = [{"who": "bot", "level": level} for level in levels]
    page: Page = await people.enter_async_context(person.page_at_new_table("suleika", "me", *bots))
    while page.seats[1].get("waking"):
        await page.hear()
    while 0 in page.view["actors"]:
        await page.move(0, page.view["moves"][0])
    return page


def has_answered(page: Page) -> bool:
    """Whether a bot has moved."""
    return any(event["seat"] not in (None, 0) for event in page.events)


async def first_answer(page: Page) -> None:
    """Wait until a bot moves."""
    await page.until(lambda message: message["is"] == "event" and message["seat"] not in (None, 0))


@pytest.fixture
def busy(tmp_path: Path) -> Iterator[Server]:
    """A server with a single bot worker."""
    with checked_server(
        tmp_path, games="suleika", levels=f"random,apprentice,{LONG}", workers=1
    ) as server:
        yield server


def test_cheap_bots_do_not_wait_behind_dear_ones(tmp_path: Path) -> None:
    """An apprentice answers at once, however many viziers are thinking."""

    async def play(server: Server) -> None:
        async with AsyncExitStack() as people:
            pages = [await sit_down(server, people, LONGER, LONGER) for _ in range(6)]
            newcomer = await sit_down(server, people, "apprentice")
            assert newcomer.seats[1].get("waking") is None
            await newcomer.until_so(lambda: has_answered(newcomer))
            for page in pages:
                assert (await page.ask("ping"))["is"] == "pong"
                assert not has_answered(page)

    levels = f"apprentice,{LONGER}"
    with checked_server(
        tmp_path, games="suleika", levels=levels, workers=1, bot_wait=100_000
    ) as server:
        asyncio.run(play(server))


def test_where_many_play_bots_think_for_a_shorter_time_and_the_page_is_told(busy: Server) -> None:
    async def play() -> None:
        async with AsyncExitStack() as people:
            pages = [await sit_down(busy, people, LONG) for _ in range(5)]
            for page in pages[1:]:
                await page.until(
                    lambda message: (
                        message["is"] == "seats" and bool(message["seats"][1].get("hurried"))
                    )
                )
            later = await sit_down(busy, people, "apprentice")
            assert not later.seats[1].get("hurried")

    asyncio.run(play())


async def is_in_no_hurry(server: Server) -> None:
    """A bot at the only table takes all its time."""
    async with AsyncExitStack() as people:
        page = await sit_down(server, people, LONG)
        await first_answer(page)
        assert not page.seats[1].get("hurried")


def test_alone_a_bot_is_in_no_hurry(busy: Server) -> None:
    asyncio.run(is_in_no_hurry(busy))


def test_nobody_thinks_for_those_who_have_left(busy: Server) -> None:
    """Abandoning twelve tables with a minute of pending work frees the worker for the next one."""

    async def play() -> None:
        async with AsyncExitStack() as visitor:
            for _ in range(12):
                await sit_down(busy, visitor, LONG, LONG)
        await is_in_no_hurry(busy)

    asyncio.run(play())


def test_bots_wait_where_nobody_looks_on(tmp_path: Path) -> None:
    """They move again as soon as a page is open."""

    async def play(server: Server) -> None:
        async with Person(server) as person:
            table, _ = await person.new_table("suleika", "me", "bot")
            async with person.page(table) as page:
                while 0 in page.view["actors"]:
                    await page.move(0, page.view["moves"][0])
                last = page.seq
            await asyncio.sleep(4.0)
            async with person.page(table) as page:
                assert page.seq == last
                await first_answer(page)

    with checked_server(tmp_path, pace=2.0) as server:
        asyncio.run(play(server))


# ---------------------------------------------------------------- external programs

SPY = """
import json, os, sys
here = os.path.dirname(os.path.abspath(__file__))
def can_read():
    try:
        with open(os.path.join(here, "data", "tables.sqlite"), "rb") as file:
            return b"SQLite" in file.read(99)
    except OSError:
        return False
for line in sys.stdin:
    request = json.loads(line)
    if request["type"] == "hello":
        print(json.dumps({"type": "ready"}), flush=True)
    elif request["type"] == "choose":
        wanted = "left" if can_read() else "right"
        move = wanted if wanted in request["moves"] else request["moves"][0]
        print(json.dumps({"type": "move", "id": request["id"], "move": move}), flush=True)
"""


@pytest.mark.parametrize(("trust", "turned"), [({}, "right"), ({"trust_bots": None}, "left")])
def test_a_program_cannot_read_the_file_of_tables(
    tmp_path: Path, trust: dict[str, None], turned: str
) -> None:
    """The program turns left if it can read the database, as a trusted one can."""
    (tmp_path / "spy.py").write_text(SPY)
    level = f"exec:{sys.executable} -S {tmp_path / 'spy.py'}"

    async def play(server: Server) -> None:
        async with AsyncExitStack() as people:
            page = await sit_down(server, people, level)
            while not (moves := [event["move"] for event in page.events if event["seat"] == 1]):
                await page.hear()
            assert moves[0] == turned

    with checked_server(
        tmp_path / "data", games="suleika", levels=f"random,{level}", **trust
    ) as server:
        asyncio.run(play(server))


def test_without_a_cage_there_is_no_server_with_programs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sandbox_exec, "landlock_version", lambda: 0)
    programs = ServerConfig(data=tmp_path, levels=(f"exec:{sys.executable}",))
    with pytest.raises(ValueError, match="--trust-bots"):
        make_app(programs)
    assert not (tmp_path / "tables.sqlite").exists()


def test_ctrl_c_while_bots_are_compiled(tmp_path: Path) -> None:
    """Ctrl-C reaches every process of the terminal: server and compiler end without a traceback."""
    serve = ["-m", "souk.cli", "serve", "--port", "0", "--games", "suleika", "--data"]
    with subprocess.Popen(
        [sys.executable, *serve, str(tmp_path)],
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, XDG_CACHE_HOME=str(tmp_path)),
        start_new_session=True,
        # SIGINT is ignored when tests run in the background.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as server:
        assert server.stderr is not None
        while "compiling bots" not in server.stderr.readline():
            pass
        time.sleep(0.3)
        os.killpg(server.pid, signal.SIGINT)
        # Returns once every process that could write has ended, including the compiler.
        output = server.stderr.read()
    assert server.returncode in (0, 130)
    assert "Traceback" not in output
