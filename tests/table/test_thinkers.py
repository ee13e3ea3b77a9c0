"""Bots at tables: while what they think with is compiled, and when something goes wrong."""

import asyncio
import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from souk.bots.simple import Newcomer
from souk.games import game as find_game
from souk.games import names
from souk.table import thinkers
from souk.table.thinkers import SeatBots, Thinkers
from tests.processes import exists
from tests.table.clients import Person, Server


@pytest.mark.parametrize("name", names())
def test_a_newcomer_plays_legal_moves_to_the_end(name: str) -> None:
    position, rng = find_game(name).start(find_game(name).players[-1]), random.Random(1)
    newcomer = Newcomer("newcomer", seed=1)
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
    monkeypatch.setattr(thinkers, "trouble", lambda event, *_, **__: failed.append(event))
    position = find_game("suleika").start(2, first=0)
    position.resolve(next(iter(position.chances())))

    async def ask() -> str:
        bots = Thinkers(1, ())
        move = await bots.choose(SeatBots(), position, 0, "random:no such setting")
        await bots.close()
        return move

    assert asyncio.run(ask()) in position.moves(0)
    assert failed == ["bot failed"]


COUNTING = """
import json, os, sys
with open(sys.argv[1], "a") as file:
    file.write(f"{os.getpid()}\\n")
for line in sys.stdin:
    asked = json.loads(line)
    if asked["type"] == "hello":
        print(json.dumps({"type": "ready", "name": "counting"}), flush=True)
    elif asked["type"] == "choose":
        print(json.dumps({"type": "move", "id": asked["id"], "move": asked["moves"][0]}), flush=True)
"""


def test_a_bot_is_kept_for_its_seat_and_closed_with_the_table(tmp_path: Path) -> None:
    """A host's own program is started once for a seat, however many moves it makes, and ends when nobody is at the table any more."""
    program, started = tmp_path / "bot.py", tmp_path / "started"
    program.write_text(COUNTING)
    level = f"exec:{sys.executable} {program} {started}"

    async def play(server: Server) -> None:
        async with (
            Person(server) as person,
            person.page_at_new_table("suleika", "me", {"who": "bot", "level": level}) as page,
        ):
            while page.seats[1].get("waking"):
                await page.hear()
            while sum(event["seat"] == 1 for event in page.events) < 4:
                if page.view["moves"]:
                    await page.move(0, page.view["moves"][0])
                else:
                    await page.hear()

    with Server(tmp_path / "data", games="suleika", levels=level) as server:
        asyncio.run(play(server))
        [process] = [int(line) for line in started.read_text().split()]
        for _ in range(500):
            if not exists(process):
                break
            time.sleep(0.01)
        assert not exists(process)
        assert server.stop() == 0
        assert not server.troubles


def test_bots_wake_one_game_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is on disk first; what somebody wants before the others; a game that fails is passed over."""
    done: list[str] = []

    def prepare(game: object) -> None:
        if "basari'" in repr(game):
            raise RuntimeError("does not compile")
        done.append(repr(game))

    monkeypatch.setattr(thinkers, "is_prepared", lambda game: game.name == "bazaar")
    monkeypatch.setattr(thinkers, "prepare", prepare)
    monkeypatch.setattr(thinkers, "trouble", lambda *_, **__: None)
    monkeypatch.setattr(Thinkers, "_compile", lambda self, name: done.append(f"compile {name}"))

    async def wake() -> list[str]:
        woken: list[str] = []
        bots = Thinkers(1, tuple(names()))
        bots.start(woken.append)
        await asyncio.sleep(0)
        bots.wanted("suleika")
        assert not bots.awake(find_game("suleika"))
        while len(woken) < 3:
            await asyncio.sleep(0.01)
        assert bots.awake(find_game("suleika"))
        assert not bots.awake(find_game("basari"))
        await bots.close()
        return woken

    assert asyncio.run(wake()) == ["bazaar", "suleika", "basari-cards"]
    assert "compile suleika" in done


def test_until_they_are_awake_the_page_is_told(server: Server) -> None:
    async def look() -> None:
        async with (
            Person(server) as person,
            person.page_at_new_table("suleika", "me", {"who": "bot", "level": "apprentice"}) as page,
        ):
            assert page.seats[1]["waking"]
            for _ in range(2):
                await page.move(0, page.view["moves"][0])
            while not page.view["moves"]:
                await page.hear()
            assert any(event["seat"] == 1 for event in page.events)

    asyncio.run(look())


def test_compiled_bots_play(tmp_path: Path) -> None:
    """What tests find compiled is loaded in a moment."""

    async def look(server: Server) -> None:
        async with (
            Person(server) as person,
            person.page_at_new_table("suleika", "me", {"who": "bot", "level": "apprentice"}) as page,
        ):
            while page.seats[1].get("waking"):
                await page.hear()
            for _ in range(2):
                await page.move(0, page.view["moves"][0])
            while not page.view["moves"]:
                await page.hear()
            assert any(event["seat"] == 1 for event in page.events)

    with Server(tmp_path, games="suleika") as server:
        asyncio.run(look(server))
        assert server.stop() == 0
        assert not server.troubles


def test_ctrl_c_while_bots_are_compiled(tmp_path: Path) -> None:
    """A terminal sends it to all that runs in it. The server ends without a complaint, and the compiler with it."""
    with subprocess.Popen(
        [sys.executable, "-m", "souk.cli", "serve", "--port", "0", "--data", str(tmp_path), "--games", "suleika"],
        stderr=subprocess.PIPE,
        text=True,
        env=dict(os.environ, XDG_CACHE_HOME=str(tmp_path)),
        start_new_session=True,
        preexec_fn=lambda: signal.signal(
            signal.SIGINT, signal.SIG_DFL
        ),  # where tests run in the background it is ignored
    ) as server:
        assert server.stderr is not None
        while "compiling bots" not in server.stderr.readline():
            pass
        time.sleep(0.3)
        os.killpg(server.pid, signal.SIGINT)
        written = server.stderr.read()  # ends when nobody is left who could write: the compiler too
    assert server.returncode in (0, 130)
    assert "Traceback" not in written
