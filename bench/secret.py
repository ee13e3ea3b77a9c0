"""How far the vizier's secret choice in Basari can be exploited by somebody who knows it.

    python bench/secret.py [POSITIONS] [SECONDS] [PROCESSES]

In each position one seat is the vizier: it has a mixed strategy for itself and expects one of each other seat. One opponent learns the
vizier's strategy and answers best, for whatever is best for that opponent. The figures are what they gain in win chance over what the vizier
expects of them, and what the vizier loses by it.

What a combination of choices is worth to everybody is judged by searches from the position after the choices have been revealed. A
haggle may settle in one way or another, and a search that is stopped early has not looked far into it: by one search of 4,000 playouts some combinations
are worth 15 % more or less than by the next. So every combination that matters is judged by several long searches, and only the later half of
each counts.
"""

import argparse
import functools
import itertools
import os
import random
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any

import numpy as np
from measuring import searched

import souk
from souk.bots.desk import Desk
from souk.bots.kernels.tree import EDGE, NODE
from souk.bots.searcher import Search, Thinking, manner_of
from souk.kernel.compiling import cpu_entry

CHOICES = ("dice", "points", "gems")
_NOBODY = -1  # the seat for whom dice are shared between moves: here for none
_SEARCHES = 3  # of a combination that comes up often,
_PLAYOUTS = 64_000  # each of so many: with 16,000 some are still 15 % off what 200,000 say
_SELDOM = 0.05  # a combination less likely than this, whatever one opponent answers, is judged by one search,
_FEW = 4_000  # of so many playouts


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


def judged(pos: souk.Position, choices: tuple[int, ...], searches: int, playouts: int) -> np.ndarray[Any, Any]:
    """The win chance of every seat after these choices."""
    kernel = cpu_entry(pos.game, searched)
    after = pos.copy()
    for seat, choice in enumerate(choices):
        after.play(seat, CHOICES[choice])
    sums = np.zeros(pos.players)
    for number in range(searches):
        desk = Desk(after, _NOBODY, number, mind="")
        manner = manner_of(pos.game, pos.players, desk.mind)
        desk["horizon"], desk["exploration"], desk["patience"] = manner.horizon, manner.exploration, manner.patience
        desk["guided"] = True
        nodes, edges = np.zeros(1 << (2 * playouts).bit_length(), NODE), np.zeros(24 * playouts, EDGE)
        kernel(desk.states, desk.array, nodes, edges, desk.lore, desk.mind, playouts, sums)
    return np.divide(sums, searches * (playouts // 2))


def worth_of_choices(pos: souk.Position, likely: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The win chance of every seat (last axis) after every combination of choices that may come up; those that are `likely` are
    judged with more care."""
    worth = np.zeros((*(3,) * pos.players, pos.players))
    for choices in itertools.product(range(3), repeat=pos.players):
        if likely[choices] > 0:
            often = likely[choices] >= _SELDOM
            worth[choices] = judged(pos, choices, _SEARCHES if often else 1, _PLAYOUTS if often else _FEW)
    return worth


def likelihood(mixed: list[np.ndarray[Any, Any]], vizier: int) -> np.ndarray[Any, Any]:
    """How likely every combination of choices is, at most: if all choose as expected, or one opponent anything else."""
    found = np.zeros((3,) * len(mixed))
    for seat in set(range(len(mixed))) - {vizier}:
        parts = [np.ones(3) if each == seat else strategy for each, strategy in enumerate(mixed)]
        found = np.maximum(found, functools.reduce(np.multiply.outer, parts))
    return found


def strategies(pos: souk.Position, seat: int, seconds: float) -> list[np.ndarray[Any, Any]]:
    """What the vizier at a seat chooses how often, and what it expects of the others, by seat."""
    search = Search(pos, seat, Thinking(seconds=seconds), np.uint64(1), time.perf_counter())
    search.run()
    found = [search.root.strategy(each) for each in range(pos.players)]
    return [np.array([shares.get(action, 0.0) for action in CHOICES]) for shares in found]


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


def measure_position(number: int, seconds: float) -> tuple[float, float]:
    """What an opponent gains against the vizier, and what the vizier loses by it."""
    pos = position(number)
    vizier = number // 2 % pos.players
    mixed = strategies(pos, vizier, seconds)
    return exploited(worth_of_choices(pos, likelihood(mixed, vizier)), mixed, vizier)


def measure_even_choices(number: int) -> float:
    """What an opponent gains who knows that all others choose evenly."""
    pos = position(number)
    even = [np.full(3, 1 / 3)] * pos.players
    return exploited(worth_of_choices(pos, np.full((3,) * pos.players, _SELDOM / 2)), even, number // 2 % pos.players)[
        0
    ]


def exploitability(paces: Sequence[float], positions: int = 200, processes: int | None = None) -> list[dict[str, Any]]:
    """The figures for viziers that think for so many seconds."""
    souk.bots.prepare(souk.game("basari"))
    judged(position(0), (0, 0, 0), 1, 2)  # compiles, before this process is forked
    with ProcessPoolExecutor(processes or os.cpu_count(), get_context("fork")) as pool:
        even = float(np.mean(list(pool.map(measure_even_choices, range(positions)))))
        return [
            figures(seconds, list(pool.map(measure_position, range(positions), [seconds] * positions)), even)
            for seconds in paces
        ]


def figures(seconds: float, found: list[tuple[float, float]], even: float) -> dict[str, Any]:
    """What was found in all positions, as a row of docs/strength.md."""
    gains, losses = np.array(found).T
    half = 1.96 / np.sqrt(len(found))
    return {
        "bot": f"vizier:seconds={seconds:g}",
        "positions": len(found),
        "mean": float(gains.mean()),
        "half": float(half * gains.std(ddof=1)),
        "p95": float(np.quantile(gains, 0.95)),
        "most": float(gains.max()),
        "above": int((gains > 0.05).sum()),
        "loss": float(losses.mean()),
        "loss_half": float(half * losses.std(ddof=1)),
        "even_mean": even,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", nargs="?", type=int, default=200)
    parser.add_argument("seconds", nargs="?", type=float, default=0.05)
    parser.add_argument("processes", nargs="?", type=int)
    given = parser.parse_args()
    [found] = exploitability([given.seconds], given.positions, given.processes)
    print(
        f"{found['bot']} in {found['positions']} positions of Basari: an opponent who knows its choice gains "
        f"{found['mean']:.2%} ± {found['half']:.2%} of win chance on average, {found['p95']:.2%} at the 95th percentile, "
        f"{found['most']:.2%} at most, more than 5 % in {found['above']}; the vizier loses {found['loss']:.2%} ± {found['loss_half']:.2%} "
        f"by it; against even choices of all {found['even_mean']:.2%} are gained"
    )


if __name__ == "__main__":
    main()
