"""How far the vizier's secret choice in Basari can be exploited by somebody who knows it.

    python bench/secret.py [POSITIONS] [SECONDS]

In each position one seat is the vizier: it has a mixed strategy for itself and expects one of each other seat. What every combination of
choices is worth to everybody is then measured for itself, by a search from the position after the choices have been revealed. One opponent
learns the vizier's strategy and answers best, for whatever is best for that opponent. The figures are what they gain in win chance over what the vizier expects
of them, and what the vizier loses by it.
"""

import itertools
import os
import random
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
from measuring import worth_after

import souk
from souk.bots.compiled import Desk
from souk.bots.searcher import Search, Thinking
from souk.bots.tree import EDGE, NODE
from souk.core.compiling import target

_PLAYOUTS = 4000  # of each combination


def position(number: int) -> souk.Position:
    """A position in which all are to choose: one of a game between greedy bots, at a random point."""
    rng = random.Random(number)
    pos = souk.game("basari").start(3 + number % 2)
    rounds = rng.randrange(1, 20)
    bot = souk.bot(f"greedy:seed={number}")
    while not pos.over:
        if not pos.actors:
            pos.draw(rng)
        elif len(pos.actors) == pos.players and (rounds := rounds - 1) == 0:
            return pos
        else:
            pos.play(pos.actors[0], bot.choose(pos, pos.actors[0]).move)
    return position(number + 1_000_003)


def worth_of_choices(pos: souk.Position, playouts: int) -> np.ndarray[Any, Any]:
    """The win chance of every seat (last axis) after every combination of choices."""
    kernel = target("cpu").workshop(pos.game).compiled(worth_after)
    worth = np.zeros((*(3,) * pos.players, pos.players))
    settings = np.array([pos.game.insight.HORIZON if pos.game.insight else 0, True, Thinking().exploration], float)
    for number, choices in enumerate(itertools.product(range(3), repeat=pos.players)):
        desk = Desk(pos)
        tree = np.zeros(1 << (2 * playouts).bit_length(), NODE), np.zeros(24 * playouts, EDGE), np.zeros(2, np.int64)
        wanted = np.array(choices, np.int64)
        kernel(desk.states, wanted, np.uint64(number), playouts, *tree, settings, *desk.rooms, worth[choices])
    return worth / playouts


def strategies(pos: souk.Position, seat: int, seconds: float) -> list[np.ndarray[Any, Any]]:
    """What the vizier at a seat chooses how often, and what it expects of the others, by seat."""
    search = Search(pos, seat, Thinking(seconds=seconds), np.uint64(1), time.perf_counter())
    search.run()
    found = [search.strategy(each) for each in range(pos.players)]
    return [np.array([shares.get(action, 0.0) for action in ("dice", "points", "gems")]) for shares in found]


def expected(worth: np.ndarray[Any, Any], mixed: list[np.ndarray[Any, Any]]) -> float:
    """The mean of a table of worths over independent choices."""
    for strategy in reversed(mixed):
        worth = worth @ strategy
    return float(worth)


def exploited(worth: np.ndarray[Any, Any], mixed: list[np.ndarray[Any, Any]], vizier: int) -> tuple[float, float]:
    """The most any one opponent gains by answering best, and what the vizier loses by that answer."""
    found = []
    for seat in set(range(len(mixed))) - {vizier}:
        answers = [[np.eye(3)[k] if each == seat else mixed[each] for each in range(len(mixed))] for k in range(3)]
        best = max(answers, key=lambda answer: expected(worth[..., seat], answer))
        gain = expected(worth[..., seat], best) - expected(worth[..., seat], mixed)
        loss = expected(worth[..., vizier], mixed) - expected(worth[..., vizier], best)
        found.append((gain, loss))
    return max(found)


def measure_position(number: int, seconds: float) -> tuple[float, float, float]:
    """What an opponent gains against the vizier, what the vizier loses, and what one gains against even choices of all."""
    pos = position(number)
    vizier = number // 2 % pos.players
    worth = worth_of_choices(pos, _PLAYOUTS)
    even = [np.full(3, 1 / 3)] * pos.players
    return *exploited(worth, strategies(pos, vizier, seconds), vizier), exploited(worth, even, vizier)[0]


def exploitability(positions: int = 200, seconds: float = 0.05, processes: int | None = None) -> dict[str, Any]:
    souk.bots.prepare(souk.game("basari"))
    worth_of_choices(position(0), 1)  # compiles, before this process is forked
    with ProcessPoolExecutor(processes or os.cpu_count(), get_context("fork")) as pool:
        found = np.array(list(pool.map(measure_position, range(positions), [seconds] * positions)))
    gains, losses, even = found.T
    return {
        "bot": f"vizier:seconds={seconds:g}",
        "positions": positions,
        "mean": float(gains.mean()),
        "half": float(1.96 * gains.std(ddof=1) / np.sqrt(positions)),
        "p95": float(np.quantile(gains, 0.95)),
        "most": float(gains.max()),
        "above": int((gains > 0.05).sum()),
        "loss": float(losses.mean()),
        "loss_half": float(1.96 * losses.std(ddof=1) / np.sqrt(positions)),
        "even_mean": float(even.mean()),
    }


def main() -> None:
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0.05
    found = exploitability(positions, seconds)
    print(
        f"{found['bot']} in {found['positions']} positions of Basari: an opponent who knows its choice gains "
        f"{found['mean']:.2%} ± {found['half']:.2%} of win chance on average, {found['p95']:.2%} at the 95th percentile, "
        f"{found['most']:.2%} at most, more than 5 % in {found['above']}; the vizier loses {found['loss']:.2%} ± {found['loss_half']:.2%} "
        f"by it; against even choices of all {found['even_mean']:.2%} are gained"
    )


if __name__ == "__main__":
    main()
