"""Measures the search on one core: playouts/s, punctuality, and its effect on an event loop.

Playouts are compared with the same policy without a tree twice: to the end of the game, and at the
vizier's horizon with equally many events. (A bare playout to that horizon is no measure: from the
start of a turn of Suleika it makes no move at all.)
"""

import asyncio
import gc
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

import souk
from bench.support.kernels import bare_events, bare_playouts
from bench.support.kernels import search as search_kernel
from souk.bots.search import Search, Thinking
from souk.bots.workspace import Workspace
from souk.kernel.compiler import cpu_entry
from souk.lab.workers import Processes

_TO_THE_END = 1000  # a horizon no game reaches
_TICK, _LATE = 0.001, 0.005  # seconds between ticks, and from which one is late
_STRETCHES = 6  # with and without a thinking bot, alternating


def middle_of_a_game(name: str, players: int, seed: int) -> souk.Position:
    """A decision in the middle of a game between greedy bots."""
    rng, bot = random.Random(seed), souk.bot(f"greedy:seed={seed}")
    pos = souk.game(name).start(players)
    decisions = 40
    while decisions or not pos.actors or len(pos.move_codes(pos.actors[0], pos.game.widest)) < 2:
        if pos.actors:
            pos.play(pos.actors[0], bot.choose(pos, pos.actors[0]).move)
            decisions = max(0, decisions - 1)
        else:
            pos.draw(rng)
    return pos


def bare_rate(
    pos: souk.Position, kernel: Callable[..., None], length: int, seconds: float
) -> float:
    """Playouts/s without a tree."""
    work = cpu_entry(pos.game, kernel)
    workspace = Workspace(pos, pos.actors[0])
    work(workspace.states, workspace.array, workspace.lookup, 0, 1, length)
    begin, played = time.thread_time(), 0
    while (took := time.thread_time() - begin) < seconds:
        work(workspace.states, workspace.array, workspace.lookup, played, 1000, length)
        played += 1000
    return played / took


def events_in_playouts(pos: souk.Position, playouts: int) -> float:
    """Mean events per playout of a vizier's search."""
    work = cpu_entry(pos.game, search_kernel)
    search = Search(
        pos, pos.actors[0], Thinking(seconds=None, playouts=playouts), np.uint64(1), 0.0
    )
    workspace, sums = search.workspace, np.zeros(pos.players)
    arrays = workspace.states, workspace.array, search.nodes, search.edges
    events = work(*arrays, workspace.lookup, workspace.net, playouts, sums)
    return float(events / playouts)


def search_rate(pos: souk.Position, horizon: int, seconds: float) -> tuple[float, float]:
    """Playouts/s of a vizier's search, and the seconds it was late."""
    bot = souk.bot(f"search:seconds={seconds},horizon={horizon}")
    begin, worked = time.perf_counter(), time.thread_time()
    choice = bot.choose(pos, pos.actors[0])
    over = time.perf_counter() - begin - seconds
    return choice.playouts / (time.thread_time() - worked), over


async def delays(pos: souk.Position | None, seconds: float) -> list[float]:
    """Delays of a 1 ms tick in an event loop while a bot, if any, thinks in a thread."""
    late: list[float] = []

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_TICK)
            late.append(time.perf_counter() - before - _TICK)

    ticking = asyncio.create_task(tick())
    if pos is None:
        await asyncio.sleep(seconds)
    else:
        bot, end = souk.bot(f"vizier:seconds={seconds}"), time.perf_counter() + seconds
        while time.perf_counter() < end:  # a move that is settled is made early
            await asyncio.to_thread(bot.choose, pos, pos.actors[0])
    ticking.cancel()
    return late


def ticks(positions: list[souk.Position], seconds: float) -> dict[str, list[float]]:
    """Late ticks, all ticks and the longest delay in ms; idle too, as machines stall at times."""
    late: dict[str, list[float]] = {"thinking": [], "idle": []}
    for stretch in range(_STRETCHES):
        late["thinking"] += asyncio.run(delays(positions[stretch % len(positions)], seconds))
        late["idle"] += asyncio.run(delays(None, seconds))
    return {
        name: [sum(delay > _LATE for delay in delays), len(delays), 1000 * max(delays)]
        for name, delays in late.items()
    }


def longest_hold(pos: souk.Position, seconds: float) -> float:
    """The longest CPU time between two kernel calls, which run without the GIL.

    Unlike a gap in wall time, it does not count stalls of the machine.
    """
    marks = [time.thread_time()]
    search = Search(
        pos, pos.actors[0], Thinking(seconds=seconds), np.uint64(1), time.perf_counter()
    )
    kernel = search.work

    def work(*arguments: Any) -> None:
        marks.append(time.thread_time())
        kernel(*arguments)
        marks.append(time.thread_time())

    search.work = work
    search.run()
    marks.append(time.thread_time())
    return max(after - before for before, after in zip(marks[::2], marks[1::2], strict=True))


def rates(positions: list[souk.Position], horizon: int, seconds: float) -> dict[str, Any]:
    """Playouts/s with and without a tree, and events per playout."""
    rows = []
    for pos in positions:
        at_horizon = search_rate(pos, horizon, seconds)[0]
        events = events_in_playouts(pos, max(1, int(at_horizon * seconds)))
        row = [
            search_rate(pos, _TO_THE_END, seconds)[0],
            bare_rate(pos, bare_playouts, _TO_THE_END, seconds),
            at_horizon,
            bare_rate(pos, bare_events, round(1000 * events), seconds),
            bare_rate(pos, bare_playouts, horizon, seconds),
            events,
        ]
        rows.append(row)
    whole, whole_bare, own, own_bare, to_horizon, events = (
        float(mean) for mean in np.mean(rows, axis=0)
    )
    return {
        "whole": [whole, whole_bare],
        "own": [own, own_bare],
        "to_horizon": to_horizon,
        "events": events,
    }


def compile_kernels(name: str) -> None:
    """Compile a game's kernels to disk."""
    souk.bots.prepare(souk.game(name))
    pos = middle_of_a_game(name, souk.game(name).players[-1], 0)
    bare_rate(pos, bare_playouts, 0, 0)
    bare_rate(pos, bare_events, 0, 0)
    events_in_playouts(pos, 1)


def measure(seconds: float, games: Sequence[str]) -> list[dict[str, Any]]:
    rows = []
    with Processes() as workers:  # a core for each game
        list(workers.as_completed(compile_kernels, games))
    for name in games:
        game = souk.game(name)
        compile_kernels(name)
        for players in (max(2, game.players[0]), game.players[-1]):
            positions = [middle_of_a_game(name, players, seed) for seed in range(3)]
            own = game.heuristics.HORIZON if game.heuristics else 0
            row: dict[str, Any] = {"game": name, "players": players, "positions": len(positions)}
            row |= rates(positions, own, seconds)
            late = {
                budget: max(search_rate(pos, own, budget)[1] for pos in positions)
                for budget in (0.05, 0.2, 1.0)
            }
            gc.collect()
            gc.freeze()  # as servers do: collecting the compiler's leftovers takes long
            row |= {
                "late_ms": {str(budget): 1000 * over for budget, over in late.items()},
                "ticks": ticks(positions, 2 * seconds),
                "hold_ms": 1000 * max(longest_hold(pos, 2 * seconds) for pos in positions),
            }
            rows.append(row)
            show(row)
    return rows


def show(row: dict[str, Any]) -> None:
    late = ", ".join(f"{budget} s {over:+.1f} ms" for budget, over in row["late_ms"].items())
    (busy_late, busy, busy_most), (idle_late, idle, idle_most) = (
        row["ticks"][name] for name in ("thinking", "idle")
    )
    own, bare = row["own"]
    print(
        f"{row['game']}, {row['players']} players: {own:,.0f} playouts/s of {row['events']:.1f} "
        f"events, {bare:,.0f} without a tree; to the end {row['whole'][0]:,.0f} and "
        f"{row['whole'][1]:,.0f}; late by {late}; late ticks {busy_late} of {busy} (most "
        f"{busy_most:.1f} ms), idle {idle_late} of {idle} (most {idle_most:.1f} ms); "
        f"GIL held for {row['hold_ms']:.1f} ms at most",
        flush=True,
    )
