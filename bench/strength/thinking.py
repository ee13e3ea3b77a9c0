"""How bots think: playouts a second beside the bare playouts, how well they keep to their time, and whether they are in anybody's way.

    python bench/thinking.py [SECONDS] [GAME ...]

All of it on one core; playouts are counted by the second of processor time. Bare playouts are made by the same policy from the same position, without a tree. They are compared with the search twice: with
playouts to the end of the game; and at the vizier's own short horizon, where the bare playouts make as many events (moves, dice and cards) as those of the search
make on their way through the tree and beyond it, and are then judged as those are.

A bare playout to the same horizon is no measure: from the start of a turn of Suleika it makes no move at all, while a playout of the search goes
through several turns of the tree first. Its rate is given nonetheless.
"""

import argparse
import asyncio
import gc
import random
import time
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from measuring import bare_events, bare_playouts, searched

import souk
from souk.bots.desk import Desk
from souk.bots.searcher import Search, Thinking
from souk.games import names
from souk.kernel.compiling import cpu_entry
from souk.lab.workers import Processes

_TO_THE_END = 1000  # quiet positions: more than any game has
_TICK = 0.001  # seconds between the ticks of the task that shares the event loop
_LATE = 0.005  # seconds after which a tick is late
_STRETCHES = 6  # with a thinking bot, and as many without, in turn


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


def bare_rate(pos: souk.Position, kernel: Callable[..., None], length: int, seconds: float) -> float:
    """Playouts a second without a tree, by a kernel that is told how far they go."""
    work = cpu_entry(pos.game, kernel)
    desk = Desk(pos, pos.actors[0])
    work(desk.states, desk.array, desk.lore, 0, 1, length)
    begin, played = time.thread_time(), 0
    while (took := time.thread_time() - begin) < seconds:
        work(desk.states, desk.array, desk.lore, played, 1000, length)
        played += 1000
    return played / took


def events_in_playouts(pos: souk.Position, playouts: int) -> float:
    """How many events a playout of the vizier's search makes on average, in a search of so many."""
    work = cpu_entry(pos.game, searched)
    search = Search(pos, pos.actors[0], Thinking(seconds=None, playouts=playouts), np.uint64(1), 0.0)
    desk, sums = search.desk, np.zeros(pos.players)
    return float(
        work(desk.states, desk.array, search.nodes, search.edges, desk.lore, desk.mind, playouts, sums) / playouts
    )


def search_rate(pos: souk.Position, horizon: int, seconds: float) -> tuple[float, float]:
    """Playouts a second in the vizier's search, and how many seconds it took over its time."""
    bot = souk.bot(f"search:seconds={seconds},horizon={horizon}")
    begin, worked = time.perf_counter(), time.thread_time()
    choice = bot.choose(pos, pos.actors[0])
    over = time.perf_counter() - begin - seconds
    return choice.playouts / (time.thread_time() - worked), over


async def delays(pos: souk.Position | None, seconds: float) -> list[float]:
    """How much longer than it asked for a task which ticks every millisecond had to wait each time, while a bot thinks in a thread (or nobody)."""
    found: list[float] = []

    async def tick() -> None:
        while True:
            before = time.perf_counter()
            await asyncio.sleep(_TICK)
            found.append(time.perf_counter() - before - _TICK)

    ticking = asyncio.create_task(tick())
    if pos is None:
        await asyncio.sleep(seconds)
    else:
        bot, end = souk.bot(f"vizier:seconds={seconds}"), time.perf_counter() + seconds
        while time.perf_counter() < end:  # a move that is settled is made early
            await asyncio.to_thread(bot.choose, pos, pos.actors[0])
    ticking.cancel()
    return found


def ticks(positions: list[souk.Position], seconds: float) -> dict[str, list[float]]:
    """With a thinking bot and without, in turn, since the machine itself stands still now and then: how many ticks were late, of how many,
    and by how many milliseconds the latest."""
    found: dict[str, list[float]] = {"thinking": [], "idle": []}
    for stretch in range(_STRETCHES):
        found["thinking"] += asyncio.run(delays(positions[stretch % len(positions)], seconds))
        found["idle"] += asyncio.run(delays(None, seconds))
    return {who: [sum(late > _LATE for late in all_), len(all_), 1000 * max(all_)] for who, all_ in found.items()}


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


def rates(positions: list[souk.Position], horizon: int, seconds: float) -> dict[str, Any]:
    """Playouts a second in the search and beside it, and how many events they make."""
    found = []
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
        found.append(row)
    whole, whole_bare, own, own_bare, to_horizon, events = (float(each) for each in np.mean(found, axis=0))
    return {"whole": [whole, whole_bare], "own": [own, own_bare], "to_horizon": to_horizon, "events": events}


def compile_kernels(name: str) -> None:
    """All that is measured here of a game, so that it is on disk."""
    souk.bots.prepare(souk.game(name))
    pos = middle_of_a_game(name, souk.game(name).players[-1], 0)
    bare_rate(pos, bare_playouts, 0, 0)
    bare_rate(pos, bare_events, 0, 0)
    events_in_playouts(pos, 1)


def measure(seconds: float = 0.5, games: Sequence[str] = ()) -> list[dict[str, Any]]:
    found = []
    with Processes() as workers:  # a core for each game
        list(workers.each(compile_kernels, games or names()))
    for name in games or names():
        game = souk.game(name)
        compile_kernels(name)
        for players in (max(2, game.players[0]), game.players[-1]):
            positions = [middle_of_a_game(name, players, seed) for seed in range(3)]
            own = game.insight.HORIZON if game.insight else 0
            row: dict[str, Any] = {"game": name, "players": players, "positions": len(positions)}
            row |= rates(positions, own, seconds)
            late = {budget: max(search_rate(pos, own, budget)[1] for pos in positions) for budget in (0.05, 0.2, 1.0)}
            gc.collect()
            gc.freeze()  # as servers do: what the compiler has left behind takes long to look through
            row |= {
                "late_ms": {str(budget): 1000 * over for budget, over in late.items()},
                "ticks": ticks(positions, 2 * seconds),
                "hold_ms": 1000 * max(longest_hold(pos, 2 * seconds) for pos in positions),
            }
            found.append(row)
            show(row)
    return found


def show(row: dict[str, Any]) -> None:
    late = ", ".join(f"{budget} s {over:+.1f} ms" for budget, over in row["late_ms"].items())
    whole, own = row["whole"], row["own"]
    (late_ticks, all_ticks, latest), (idle_late, idle_ticks, idle_latest) = (
        row["ticks"][who] for who in ("thinking", "idle")
    )
    print(
        f"{row['game']}, {row['players']} players: whole games {whole[0]:,.0f} playouts/s in search, {whole[1]:,.0f} bare "
        f"({whole[0] / whole[1]:.0%}); at its own horizon {own[0]:,.0f}, {own[1]:,.0f} with as many events, {row['events']:.1f} "
        f"({own[0] / own[1]:.0%}), {row['to_horizon']:,.0f} to the horizon alone; over time: {late}; "
        f"ticks more than 5 ms late: {late_ticks} of {all_ticks}, the latest {latest:.1f} ms "
        f"(idle {idle_late} of {idle_ticks}, {idle_latest:.1f} ms), lock held for {row['hold_ms']:.1f} ms at most",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("seconds", nargs="?", type=float, default=0.5)
    parser.add_argument("games", metavar="GAME", nargs="*")
    given = parser.parse_args()
    measure(given.seconds, given.games)


if __name__ == "__main__":
    main()
