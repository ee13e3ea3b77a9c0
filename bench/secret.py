"""How far the vizier's secret choice in Basari can be exploited by somebody who knows it.

    python bench/secret.py [POSITIONS] [SECONDS]

In each position all seats ask the vizier for its mixed strategy. What every combination of choices is worth to everybody is then
measured apart from the vizier's own search, by playouts to the end of the game. One opponent learns the strategies of all others and
answers best: what that wins them, in win chance, over playing the vizier's own mixed strategy is the figure.
"""

import itertools
import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from typing import Any

import numpy as np
from measuring import worth_after

import souk
from souk.bots.compiled import Desk
from souk.core.compiling import target

_PLAYOUTS = 1500  # of each combination


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
    desk = Desk(pos)
    shape = (3,) * pos.players
    worth = np.zeros((*shape, pos.players))
    for choices in itertools.product(range(3), repeat=pos.players):
        rooms = desk.out, desk.weights, desk.lore, desk.scores, desk.values, desk.wins
        kernel(desk.states, np.array(choices, np.int64), np.uint64(1), playouts, *rooms, worth[choices])
    return worth / playouts


def strategies(pos: souk.Position, bot: str) -> list[np.ndarray[Any, Any]]:
    """What each seat would choose how often, if it were the bot."""
    actions = ("dice", "points", "gems")
    found = []
    for seat in range(pos.players):
        shares = {each.move: each.share for each in souk.bot(bot).choose(pos, seat).considered}
        found.append(np.array([shares.get(action, 0.0) for action in actions]))
    return found


def expected(worth: np.ndarray[Any, Any], mixed: list[np.ndarray[Any, Any]]) -> float:
    """The mean of a table of worths over independent choices."""
    for strategy in reversed(mixed):
        worth = worth @ strategy
    return float(worth)


def exploited(worth: np.ndarray[Any, Any], mixed: list[np.ndarray[Any, Any]]) -> float:
    """The most any one seat wins by answering the others' strategies best instead of playing its own."""
    gains = []
    for seat in range(len(mixed)):
        own = worth[..., seat]
        pure = [[np.eye(3)[k] if each == seat else mixed[each] for each in range(len(mixed))] for k in range(3)]
        gains.append(max(expected(own, answer) for answer in pure) - expected(own, mixed))
    return max(gains)


def measure_position(number: int, bot: str) -> tuple[float, float]:
    """How far the bot, and for comparison one that chooses evenly, can be exploited in a position."""
    pos = position(number)
    worth = worth_of_choices(pos, _PLAYOUTS)
    even = [np.full(3, 1 / 3)] * pos.players
    return exploited(worth, strategies(pos, bot)), exploited(worth, even)


def exploitability(positions: int = 200, seconds: float = 0.05, processes: int | None = None) -> dict[str, Any]:
    bot = f"vizier:seconds={seconds:g}"
    souk.bots.prepare(souk.game("basari"))
    with ProcessPoolExecutor(processes or os.cpu_count()) as pool:
        found = np.array(list(pool.map(measure_position, range(positions), [bot] * positions)))
    gains, even = found[:, 0], found[:, 1]
    return {
        "bot": bot,
        "positions": positions,
        "playouts": _PLAYOUTS,
        "mean": float(gains.mean()),
        "half": float(1.96 * gains.std(ddof=1) / np.sqrt(positions)),
        "p95": float(np.quantile(gains, 0.95)),
        "most": float(gains.max()),
        "above": int((gains > 0.05).sum()),
        "even_mean": float(even.mean()),
    }


def main() -> None:
    positions = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 0.05
    found = exploitability(positions, seconds)
    print(
        f"{found['bot']} in {found['positions']} positions of Basari: an opponent who knows it gains "
        f"{found['mean']:.2%} ± {found['half']:.2%} of win chance on average, {found['p95']:.2%} at the 95th percentile, "
        f"{found['most']:.2%} at most, more than 5 % in {found['above']}; against even choices {found['even_mean']:.2%}"
    )


if __name__ == "__main__":
    main()
