"""How bots think: playouts a second beside the bare playouts, how well they keep to their time, and whether they are in anybody's way.

    python bench/thinking.py [SECONDS]

All of it on one core. The bare rate is the same playout policy to the same horizon from the same position, without a tree; first with playouts to the
end of the game, then to the short horizon of the vizier.
"""

import asyncio
import gc
import random
import sys
import time
from typing import Any

import numpy as np
from measuring import bare_playouts

import souk
from souk.bots.compiled import Desk
from souk.bots.searcher import Search, Thinking
from souk.core.compiling import target
from souk.games import names

_TO_THE_END = 1000  # quiet positions: more than any game has
_TICK = 0.001  # seconds between the ticks of the task that shares the event loop


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


def bare_rate(pos: souk.Position, horizon: int, seconds: float) -> float:
    """Playouts a second without a tree."""
    kernel = target("cpu").workshop(pos.game).compiled(bare_playouts)
    desk = Desk(pos)
    rooms = desk.out, desk.weights, desk.lore, desk.scores, desk.values, desk.wins
    kernel(desk.states, 0, 1, horizon, *rooms)
    begin, played = time.perf_counter(), 0
    while (took := time.perf_counter() - begin) < seconds:
        kernel(desk.states, played, 1000, horizon, *rooms)
        played += 1000
    return played / took


def search_rate(pos: souk.Position, horizon: int, seconds: float) -> tuple[float, float]:
    """Playouts a second in the vizier's search, and how many seconds it took over its time."""
    bot = souk.bot(f"search:seconds={seconds},horizon={horizon}")
    begin = time.perf_counter()
    choice = bot.choose(pos, pos.actors[0])
    took = time.perf_counter() - begin
    return choice.playouts / took, took - seconds


async def longest_gap(pos: souk.Position | None, seconds: float) -> float:
    """The longest that a task which ticks every millisecond had to wait beyond that, while a bot thinks in a thread (or nothing)."""
    gaps: list[float] = []

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_TICK)
            gaps.append(time.perf_counter() - before - _TICK)

    ticking = asyncio.create_task(tick())
    if pos is None:
        await asyncio.sleep(seconds)
    else:
        bot = souk.bot(f"vizier:seconds={seconds}")
        await asyncio.to_thread(bot.choose, pos, pos.actors[0])
    ticking.cancel()
    return max(gaps)


def longest_hold(pos: souk.Position, seconds: float) -> float:
    """The longest that a thinking bot can keep Python's lock: the processor time of its thread between two calls of its kernel, which
    runs without the lock. Unlike a gap this is not longer where the machine itself stands still for a moment."""
    marks = [time.thread_time()]
    search = Search(pos, pos.actors[0], Thinking(seconds=seconds), np.uint64(1), time.perf_counter())
    kernel = search.work

    def work(*arguments: Any) -> None:
        marks.append(time.thread_time())
        kernel(*arguments)
        marks.append(time.thread_time())

    search.work = work
    search.run()
    marks.append(time.thread_time())
    return max(after - before for before, after in zip(marks[::2], marks[1::2], strict=True))


def measure(seconds: float = 0.5) -> list[dict[str, Any]]:
    found = []
    for name in names():
        game = souk.game(name)
        souk.bots.prepare(game)
        for players in (max(2, game.players[0]), game.players[-1]):
            positions = [middle_of_a_game(name, players, seed) for seed in range(3)]
            own = game.insight.HORIZON if game.insight else 0
            rates = {
                horizon: [
                    float(np.mean([search_rate(pos, horizon, seconds)[0] for pos in positions])),
                    float(np.mean([bare_rate(pos, horizon, seconds) for pos in positions])),
                ]
                for horizon in (own, _TO_THE_END)
            }
            late = {budget: max(search_rate(pos, own, budget)[1] for pos in positions) for budget in (0.05, 0.2, 1.0)}
            gc.collect()
            gc.freeze()  # as servers do: what the compiler has left behind takes long to look through
            found.append(
                {
                    "game": name,
                    "players": players,
                    "whole": rates[_TO_THE_END],
                    "own": rates[own],
                    "late_ms": {str(budget): 1000 * over for budget, over in late.items()},
                    "gap_ms": 1000 * max(asyncio.run(longest_gap(pos, 1.0)) for pos in positions),
                    "hold_ms": 1000 * max(longest_hold(pos, 1.0) for pos in positions),
                    "idle_gap_ms": 1000 * max(asyncio.run(longest_gap(None, 1.0)) for _ in positions),
                }
            )
            show(found[-1])
    return found


def show(row: dict[str, Any]) -> None:
    late = ", ".join(f"{budget} s {over:+.1f} ms" for budget, over in row["late_ms"].items())
    whole, own = row["whole"], row["own"]
    print(
        f"{row['game']}, {row['players']} players: whole games {whole[0]:,.0f} playouts/s in search, {whole[1]:,.0f} bare "
        f"({whole[0] / whole[1]:.0%}); at its own horizon {own[0]:,.0f}, {own[1]:,.0f} ({own[0] / own[1]:.0%}); over time: {late}; "
        f"longest gap in the event loop {row['gap_ms']:.1f} ms (idle {row['idle_gap_ms']:.1f}), "
        f"lock held for {row['hold_ms']:.1f} ms at most",
        flush=True,
    )


if __name__ == "__main__":
    measure(float(sys.argv[1]) if len(sys.argv) > 1 else 0.5)
