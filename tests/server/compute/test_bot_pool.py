"""The processes in which bots think: what crosses the pipe, and what happens when one crashes, wears out or is left alone."""

import asyncio
import os
import random
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from souk.bots.answering import Question, packed, question
from souk.bots.registry import named
from souk.core.position import Position
from souk.games import game as find_game
from souk.games import names
from souk.table import brains, processes, thinkers
from souk.table.brains import Brain
from souk.table.thinkers import Thinkers, Turn
from souk.table.waiting import LEAST
from tests.processes import exists
from tests.table.clients import PATIENCE, Person, Server

LEVELS = (
    "search:playouts=300,seed=3",
    "apprentice:seed=1",
    "trader:seed=2",
    "merchant:playouts=64,seed=4",
    "random:seed=5",
)


def a_position(name: str, seed: int = 1, turns: int = 6) -> Position:
    """Somewhere in a game, with somebody to move."""
    position, rng = find_game(name).start(find_game(name).players[-1]), random.Random(seed)
    moved = 0
    while moved < turns or not position.actors:
        if position.actors:
            seat = rng.choice(position.actors)
            position.play(seat, rng.choice(position.moves(seat)[:20]))
            moved += 1
        else:
            position.draw(rng)
    return position


def a_turn(level: str, table: str = "table", name: str = "suleika") -> Turn:
    position = a_position(name)
    return Turn("here", table, position, position.actors[0], level)


async def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < end, "it did not come to pass"
        await asyncio.sleep(0.02)


def with_thinkers(work: Callable[[Thinkers], Awaitable[None]], workers: int = 1) -> None:
    async def whole() -> None:
        awake: list[str] = []
        bots = Thinkers(workers, ("suleika",))
        bots.waking.start(awake.append)
        await until(lambda: bool(awake) and len(bots.brains.idle) == 2)
        try:
            await work(bots)
        finally:
            await bots.close()

    asyncio.run(whole())


# ---------------------------------------------------------------- what crosses the pipe


@pytest.mark.parametrize("name", names())
def test_a_bot_answers_in_a_process_as_it_does_here(name: str) -> None:
    async def ask() -> None:
        brain = Brain(None)
        await brain.start()
        await brain.prepare(name)
        for number in range(3):
            position = a_position(name, number, 5 + 4 * number)
            for level in LEVELS:
                for seat in position.actors:
                    reply = await brain.ask(position, seat, level, None, 10.0)
                    assert reply.move == named(level).choose(position, seat).move
        await brain.close()

    asyncio.run(ask())


def test_many_cheap_bots_are_asked_at_once_and_each_has_its_own_answer() -> None:
    async def work(bots: Thinkers) -> None:
        await bots.choose(a_turn("random"))  # from now on a process knows that such an answer takes no time
        turns = [a_turn(f"random:seed={number}", str(number)) for number in range(60)]
        asked = [asyncio.create_task(bots.choose(turn)) for turn in turns]
        await asyncio.sleep(0)
        most = 0
        while not all(each.done() for each in asked):
            most = max([most, *(brain.errands for brain in bots.brains.all)])
            await asyncio.sleep(0)
        assert 1 < most <= brains._MOST_AT_ONCE
        assert [each.result() for each in asked] == [
            named(turn.level).choose(turn.position, turn.seat).move for turn in turns
        ]
        assert len(bots.brains.idle) == 2
        assert not any(brain.errands for brain in bots.brains.all)

    with_thinkers(work)


def test_a_process_that_takes_its_time_is_asked_one_thing_at_a_time() -> None:
    brain = Brain(None)
    brain.heard(brains.Reply(1, seconds=LEAST))
    assert brain.has_room
    brain.errands = 1
    assert not brain.has_room


def secret_choices() -> Iterator[tuple[Position, Position, int]]:
    """Pairs of positions that differ in what one seat has chosen in secret, with another seat that is to move."""
    for name in names():
        if not find_game(name).secrets:
            continue
        for seed in range(12):
            position, rng = find_game(name).start(find_game(name).players[-1]), random.Random(seed)
            for _ in range(60):
                if len(position.actors) > 1 and len(moves := position.moves(position.actors[0])) > 1:
                    pair = position.copy(), position.copy()
                    for each, move in zip(pair, (moves[0], moves[-1]), strict=True):
                        each.play(position.actors[0], move)
                    if pair[0] != pair[1]:
                        yield *pair, position.actors[1]
                if position.over:
                    break
                if position.actors:
                    seat = rng.choice(position.actors)
                    position.play(seat, rng.choice(position.moves(seat)[:20]))
                else:
                    position.draw(rng)


def test_what_a_process_is_told_says_nothing_that_its_seat_may_not_know() -> None:
    """Whatever somebody else has chosen in secret, the same bytes go through the pipe."""
    pairs = 0
    for one, other, seat in secret_choices():
        told = [packed(question(1, each, seat, "vizier", None)) for each in (one, other)]
        assert told[0] == told[1]
        pairs += 1
    assert pairs > 50


def test_nothing_but_questions_is_written_to_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """No seed, no table, no name: a question has these fields, and what is written while a bot moves is that question."""
    written: list[Any] = []
    real = processes.packed
    monkeypatch.setattr(processes, "packed", lambda message: (written.append(message), real(message))[1])

    async def work(bots: Thinkers) -> None:
        written.clear()
        turn = a_turn("apprentice", table="the table's own name")
        assert await bots.choose(turn) in turn.position.moves(turn.seat)
        [asked] = written
        assert isinstance(asked, Question)
        assert asked.state == turn.position.seen_by(turn.seat).array.tobytes()
        assert b"own name" not in real(asked)

    with_thinkers(work)
    fields = [field.name for field in msgspec.structs.fields(Question)]
    assert fields == ["number", "game", "options", "state", "seat", "level", "at_most", "keep", "noticed", "weigh"]


# ---------------------------------------------------------------- crashes and leaks


def test_a_process_that_is_killed_while_it_thinks_costs_nothing_but_time(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[str] = []
    monkeypatch.setattr(thinkers, "trouble", lambda event, *_, **__: failed.append(event))

    async def work(bots: Thinkers) -> None:
        turn = a_turn("search:playouts=300000")
        asked = asyncio.create_task(bots.choose(turn))
        await asyncio.sleep(0.3)
        assert turn.errand is not None
        assert turn.errand.brain is not None
        killed = turn.errand.brain.pid
        os.kill(killed, signal.SIGKILL)
        assert await asked in turn.position.moves(turn.seat)
        assert failed == ["bot lost"]
        again = a_turn("apprentice")
        assert await bots.choose(again) in again.position.moves(again.seat)
        await until(lambda: len(bots.brains.idle) == 2)
        assert killed not in [brain.pid for brain in bots.brains.all]

    with_thinkers(work)


def test_where_processes_keep_dying_a_simple_move_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(thinkers, "trouble", lambda *_, **__: None)

    async def work(bots: Thinkers) -> None:
        turn = a_turn("search:playouts=1000000000")
        asked = asyncio.create_task(bots.choose(turn))
        killed = set()
        while not asked.done():
            errand = turn.errand
            if errand and errand.brain and errand.level == turn.level:
                errand.brain.kill()
                killed.add(errand.brain.pid)
            await asyncio.sleep(0.05)
        assert len(killed) == 2
        assert asked.result() in turn.position.moves(turn.seat)

    with_thinkers(work)


@pytest.mark.parametrize(("bound", "value"), [("MOST_ANSWERS", 3), ("MOST_MEMORY", 1)])
def test_a_process_is_replaced_before_it_wears_out(bound: str, value: int, monkeypatch: pytest.MonkeyPatch) -> None:
    async def work(bots: Thinkers) -> None:
        first = {brain.pid for brain in bots.brains.all}
        monkeypatch.setattr(brains, bound, value)
        for _ in range(6):
            turn = a_turn("apprentice")
            assert await bots.choose(turn) in turn.position.moves(turn.seat)
        await until(lambda: not any(exists(pid) for pid in first))
        assert not first & {brain.pid for brain in bots.brains.all}

    with_thinkers(work)


def test_an_illegal_answer_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[str] = []
    monkeypatch.setattr(thinkers, "trouble", lambda event, *_, **__: failed.append(event))

    async def work(bots: Thinkers) -> None:
        real = Brain.ask

        async def damaged(self: Brain, *words: Any) -> Any:
            reply = await real(self, *words)
            return msgspec.structs.replace(reply, move="nonsense") if words[2] == "apprentice" else reply

        monkeypatch.setattr(Brain, "ask", damaged)
        turn = a_turn("apprentice")
        assert await bots.choose(turn) in turn.position.moves(turn.seat)
        assert failed == ["bot failed"]

    with_thinkers(work)


# ---------------------------------------------------------------- what nobody waits for


def test_what_nobody_waits_for_is_not_thought_to_the_end() -> None:
    async def work(bots: Thinkers) -> None:
        running, waiting = (a_turn("search:playouts=1000000000", table) for table in ("one", "another"))
        asked = [asyncio.create_task(bots.choose(turn)) for turn in (running, waiting)]
        await asyncio.sleep(0.5)
        processes = {brain.pid for brain in bots.brains.all}
        assert bots.waiting == 1
        for turn in (running, waiting):
            bots.drop(turn)
        assert await asyncio.gather(*asked) == ["", ""]
        assert bots.waiting == 0
        await until(lambda: len(bots.brains.idle) == 2)
        assert {brain.pid for brain in bots.brains.all} == processes  # told, and not killed

    with_thinkers(work)


def test_one_who_stops_asking_leaves_nothing_behind() -> None:
    async def work(bots: Thinkers) -> None:
        asked = asyncio.create_task(bots.choose(a_turn("search:playouts=1000000000")))
        await asyncio.sleep(0.3)
        asked.cancel()
        await until(lambda: len(bots.brains.idle) == 2)

    with_thinkers(work)


# ---------------------------------------------------------------- who is left when the server has gone


def children(pid: int) -> set[int]:
    """The processes that one has started, and those they have."""
    found = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            child = int(status.parent.name)
            found |= {child, *children(child)}
    return found


STUBBORN = """
import json, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(json.dumps({"type": "ready"}), flush=True)
while True:
    line = sys.stdin.readline()
    if '"choose"' in line:
        asked = json.loads(line)
        print(json.dumps({"type": "move", "id": asked["id"], "move": asked["moves"][0]}), flush=True)
    elif not line:
        time.sleep(0.1)
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nobody_is_left_when_the_server_has_gone(tmp_path: Path, sign: signal.Signals) -> None:
    """Neither a process that thinks nor a program that will not end, however the server ends."""
    program = tmp_path / "stubborn.py"
    program.write_text(STUBBORN)
    level = f"exec:{sys.executable} -S {program}"

    async def play(server: Server) -> set[int]:
        async with (
            Person(server) as person,
            person.page_at_new_table("suleika", "me", {"who": "bot", "level": level}, "bot") as page,
        ):
            while not any(event["seat"] == 1 for event in page.events):
                if page.view["moves"] and not page.seats[1].get("waking"):
                    await page.move(0, page.view["moves"][0])
                else:
                    await page.hear()
            return children(server.pid)

    with Server(tmp_path / "data", games="suleika", levels=f"random,{level}") as server:
        left = asyncio.run(play(server))
        assert len(left) >= 4  # two that think, one that runs programs, and the program
        server._end(sign)
    asyncio.run(until(lambda: not any(exists(pid) for pid in left)))
