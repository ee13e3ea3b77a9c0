"""Bot worker processes: the pipe protocol, crashes, replacement, cancellation and shutdown."""

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

from souk.bots.registry import make_bot
from souk.bots.worker import MoveRequest, encode_message, move_request
from souk.core.position import Position
from souk.games import game as find_game
from souk.games import names
from souk.server.compute import bot_pool, scheduler, worker_process
from souk.server.compute.bot_pool import BotWorker
from souk.server.compute.fair_queue import MIN_SECONDS
from souk.server.compute.scheduler import BotRequest, BotScheduler
from tests.server.support.clients import PATIENCE, Server, page_at_new_table
from tests.support.processes import exists

LEVELS = (
    "search:playouts=300,seed=3",
    "apprentice:seed=1",
    "trader:seed=2",
    "merchant:playouts=64,seed=4",
    "random:seed=5",
)


def a_position(name: str, seed: int = 1, turns: int = 6) -> Position:
    """Position after `turns` random moves, with at least one seat to move."""
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


def a_request(level: str, table: str = "table", name: str = "suleika") -> BotRequest:
    position = a_position(name)
    return BotRequest("here", table, position, position.actors[0], level)


async def until(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < end, "condition not met in time"
        await asyncio.sleep(0.02)


async def busy_worker(request: BotRequest) -> BotWorker:
    """Wait until a worker runs the request, and return that worker."""
    await until(lambda: request.job is not None and request.job.worker is not None)
    assert request.job is not None
    assert request.job.worker is not None
    return request.job.worker


def with_scheduler(work: Callable[[BotScheduler], Awaitable[None]], workers: int = 1) -> None:
    async def run() -> None:
        ready: list[str] = []
        bots = BotScheduler(workers, ("suleika",))
        bots.precompiler.start(ready.append)
        await until(lambda: bool(ready) and len(bots.pool.idle) == 2)
        try:
            await work(bots)
        finally:
            await bots.close()

    asyncio.run(run())


# ---------------------------------------------------------------- the pipe protocol


@pytest.mark.parametrize("name", names())
def test_a_bot_answers_in_a_process_as_it_does_here(name: str) -> None:
    async def ask() -> None:
        worker = BotWorker(None)
        await worker.start()
        await worker.prepare(name)
        for number in range(3):
            position = a_position(name, number, 5 + 4 * number)
            for level in LEVELS:
                for seat in position.actors:
                    reply = await worker.request_move(position, seat, level, None, 10.0)
                    assert reply.move == make_bot(level).choose(position, seat).move
        await worker.close()

    asyncio.run(ask())


def test_many_cheap_bots_are_asked_at_once_and_each_has_its_own_answer() -> None:
    async def work(bots: BotScheduler) -> None:
        # The first answer tells the worker that such requests are cheap.
        await bots.choose(a_request("random"))
        requests = [a_request(f"random:seed={number}", str(number)) for number in range(60)]
        answers = [asyncio.create_task(bots.choose(request)) for request in requests]
        await asyncio.sleep(0)
        max_jobs = 0
        while not all(answer.done() for answer in answers):
            max_jobs = max([max_jobs, *(worker.jobs for worker in bots.pool.all)])
            await asyncio.sleep(0)
        assert 1 < max_jobs <= bot_pool._MAX_CONCURRENT
        assert [answer.result() for answer in answers] == [
            make_bot(request.level).choose(request.position, request.seat).move
            for request in requests
        ]
        assert len(bots.pool.idle) == 2
        assert not any(worker.jobs for worker in bots.pool.all)

    with_scheduler(work)


def test_a_process_that_takes_its_time_is_asked_one_thing_at_a_time() -> None:
    worker = BotWorker(None)
    worker.on_reply(bot_pool.Reply(1, seconds=MIN_SECONDS))
    assert worker.has_room
    worker.jobs = 1
    assert not worker.has_room


def secret_choices() -> Iterator[tuple[Position, Position, int]]:
    """Pairs of positions that differ in one seat's secret choice, and another seat to move."""
    for name in names():
        if not find_game(name).secrets:
            continue
        for seed in range(12):
            position, rng = find_game(name).start(find_game(name).players[-1]), random.Random(seed)
            for _ in range(60):
                if (
                    len(position.actors) > 1
                    and len(moves := position.moves(position.actors[0])) > 1
                ):
                    pair = position.copy(), position.copy()
                    for copy, move in zip(pair, (moves[0], moves[-1]), strict=True):
                        copy.play(position.actors[0], move)
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
    """Other seats' secret choices do not change the bytes sent through the pipe."""
    pairs = 0
    for one, other, seat in secret_choices():
        messages = [
            encode_message(move_request(1, position, seat, "vizier", None))
            for position in (one, other)
        ]
        assert messages[0] == messages[1]
        pairs += 1
    assert pairs > 50


def test_nothing_but_questions_is_written_to_a_process(monkeypatch: pytest.MonkeyPatch) -> None:
    """A move request has no seed, table or name, and is the only message sent for a move."""
    written: list[Any] = []
    real = worker_process.encode_message
    monkeypatch.setattr(
        worker_process,
        "encode_message",
        lambda message: (written.append(message), real(message))[1],
    )

    async def work(bots: BotScheduler) -> None:
        written.clear()
        request = a_request("apprentice", table="the table's own name")
        assert await bots.choose(request) in request.position.moves(request.seat)
        [message] = written
        assert isinstance(message, MoveRequest)
        assert message.state == request.position.seen_by(request.seat).array.tobytes()
        assert b"own name" not in real(message)

    with_scheduler(work)
    fields = [field.name for field in msgspec.structs.fields(MoveRequest)]
    assert fields == [
        "number",
        "game",
        "options",
        "state",
        "seat",
        "level",
        "at_most",
        "keep",
        "noticed",
        "weigh",
    ]


# ---------------------------------------------------------------- crashes and leaks


def test_a_process_that_is_killed_while_it_thinks_costs_nothing_but_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed: list[str] = []
    monkeypatch.setattr(scheduler, "log_error", lambda event, *_, **__: failed.append(event))

    async def work(bots: BotScheduler) -> None:
        request = a_request("search:playouts=300000")
        choosing = asyncio.create_task(bots.choose(request))
        killed = (await busy_worker(request)).pid
        os.kill(killed, signal.SIGKILL)
        assert await choosing in request.position.moves(request.seat)
        assert failed == ["bot lost"]
        again = a_request("apprentice")
        assert await bots.choose(again) in again.position.moves(again.seat)
        await until(lambda: len(bots.pool.idle) == 2)
        assert killed not in [worker.pid for worker in bots.pool.all]

    with_scheduler(work)


def test_where_processes_keep_dying_a_simple_move_is_played(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scheduler, "log_error", lambda *_, **__: None)

    async def work(bots: BotScheduler) -> None:
        request = a_request("search:playouts=1000000000")
        choosing = asyncio.create_task(bots.choose(request))
        killed = set()
        while not choosing.done():
            job = request.job
            if job and job.worker and job.level == request.level:
                job.worker.kill()
                killed.add(job.worker.pid)
            await asyncio.sleep(0.05)
        assert len(killed) == 2
        assert choosing.result() in request.position.moves(request.seat)

    with_scheduler(work)


@pytest.mark.parametrize(("bound", "value"), [("MAX_REPLIES", 3), ("MAX_MEMORY", 1)])
def test_a_process_is_replaced_before_it_wears_out(
    bound: str, value: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def work(bots: BotScheduler) -> None:
        first = {worker.pid for worker in bots.pool.all}
        monkeypatch.setattr(bot_pool, bound, value)
        for _ in range(6):
            request = a_request("apprentice")
            assert await bots.choose(request) in request.position.moves(request.seat)
        await until(lambda: not any(exists(pid) for pid in first))
        assert not first & {worker.pid for worker in bots.pool.all}

    with_scheduler(work)


def test_an_illegal_answer_is_not_played(monkeypatch: pytest.MonkeyPatch) -> None:
    failed: list[str] = []
    monkeypatch.setattr(scheduler, "log_error", lambda event, *_, **__: failed.append(event))

    async def work(bots: BotScheduler) -> None:
        real = BotWorker.request_move

        async def damaged(self: BotWorker, *arguments: Any) -> Any:
            reply = await real(self, *arguments)
            return (
                msgspec.structs.replace(reply, move="nonsense")
                if arguments[2] == "apprentice"
                else reply
            )

        monkeypatch.setattr(BotWorker, "request_move", damaged)
        request = a_request("apprentice")
        assert await bots.choose(request) in request.position.moves(request.seat)
        assert failed == ["bot failed"]

    with_scheduler(work)


# ---------------------------------------------------------------- cancelled requests


def test_what_nobody_waits_for_is_not_thought_to_the_end() -> None:
    async def work(bots: BotScheduler) -> None:
        running, waiting = (
            a_request("search:playouts=1000000000", table) for table in ("one", "another")
        )
        answers = [asyncio.create_task(bots.choose(request)) for request in (running, waiting)]
        await busy_worker(running)
        await until(lambda: bots.waiting == 1)
        processes = {worker.pid for worker in bots.pool.all}
        for request in (running, waiting):
            bots.drop(request)
        assert await asyncio.gather(*answers) == ["", ""]
        assert bots.waiting == 0
        await until(lambda: len(bots.pool.idle) == 2)
        # The workers were told to stop, not killed.
        assert {worker.pid for worker in bots.pool.all} == processes

    with_scheduler(work)


def test_one_who_stops_asking_leaves_nothing_behind() -> None:
    async def work(bots: BotScheduler) -> None:
        request = a_request("search:playouts=1000000000")
        choosing = asyncio.create_task(bots.choose(request))
        await busy_worker(request)
        choosing.cancel()
        await until(lambda: len(bots.pool.idle) == 2)

    with_scheduler(work)


# ---------------------------------------------------------------- after the server has gone


def children(pid: int) -> set[int]:
    """All descendants of a process."""
    descendants = set()
    for status in Path("/proc").glob("[0-9]*/stat"):
        try:
            parent = int(status.read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == pid:
            child = int(status.parent.name)
            descendants |= {child, *children(child)}
    return descendants


STUBBORN = """
import json, signal, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
print(json.dumps({"type": "ready"}), flush=True)
while True:
    line = sys.stdin.readline()
    if '"choose"' in line:
        request = json.loads(line)
        reply = {"type": "move", "id": request["id"], "move": request["moves"][0]}
        print(json.dumps(reply), flush=True)
    elif not line:
        time.sleep(0.1)
"""


@pytest.mark.parametrize("sign", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_nobody_is_left_when_the_server_has_gone(tmp_path: Path, sign: signal.Signals) -> None:
    """Neither a bot worker nor a stubborn program survives, however the server ends."""
    program = tmp_path / "stubborn.py"
    program.write_text(STUBBORN)
    level = f"exec:{sys.executable} -S {program}"

    async def play(server: Server) -> set[int]:
        async with page_at_new_table(
            server, "suleika", "me", {"who": "bot", "level": level}, "bot"
        ) as page:
            while not any(event["seat"] == 1 for event in page.events):
                if page.view["moves"] and not page.seats[1].get("waking"):
                    await page.move(0, page.view["moves"][0])
                else:
                    await page.hear()
            return children(server.pid)

    with Server(tmp_path / "data", games="suleika", levels=f"random,{level}") as server:
        processes = asyncio.run(play(server))
        # Two bot workers, the worker that runs programs, and the program.
        assert len(processes) >= 4
        server._end(sign)
    asyncio.run(until(lambda: not any(exists(pid) for pid in processes)))
