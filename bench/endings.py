"""How many turns before the end of Suleika the vizier plays exactly, by its time for a move: as much of a processor's as it would spend before it gave up.

python bench/endings.py [--games N] [--seconds S ...] [--processes N]
"""

import argparse
import random
import time
from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from statistics import median_low
from typing import Any

import souk
from souk.bots.ending import SHARE, ending_in
from souk.lab.workers import Processes, Workers

_BUDGETS = (0.05, 1.0, 6.0)
_GAMES = 10
_AT_A_TIME = 20_000  # positions between looks at the clock


def last_turns(players: int, seed: int) -> list[souk.Position]:
    """The positions of a game between greedy bots in which Omar is to be turned, the last one first."""
    rng, bot = random.Random(seed), souk.bot(f"greedy:seed={seed}")
    pos = souk.game("suleika").start(players)
    found = []
    while not pos.over:
        if not pos.actors:
            pos.draw(rng)
            continue
        if pos.to_json()["phase"] == "turn":
            found.append(pos.copy())
        pos.play(pos.actors[0], bot.choose(pos, pos.actors[0]).move)
    return found[::-1]


def is_exact(pos: souk.Position, seconds: float) -> bool:
    """Whether a position is played out in full before so much time is used up that the vizier searches instead."""
    ending, begin = ending_in(pos, seconds), time.process_time()
    if ending is None:
        return False
    while not ending.look(_AT_A_TIME):
        if time.process_time() - begin > SHARE * seconds:
            return False
    return True


def exact_turns_by_time(budgets: Sequence[float], table: tuple[int, int]) -> list[int]:
    """In how many of the last turns of one game the answer is exact, for each time for a move."""
    souk.bots.prepare(souk.game("suleika"))
    turns = last_turns(*table)
    return [sum(1 for _ in takewhile(partial(is_exact, seconds=seconds), turns)) for seconds in budgets]


def how_far_back(workers: Workers, games: int = _GAMES, budgets: Sequence[float] = _BUDGETS) -> list[dict[str, Any]]:
    found = []
    for players in souk.game("suleika").players:
        tables = [(players, seed) for seed in range(games)]
        exact = workers.in_order(partial(exact_turns_by_time, budgets), tables)
        by_budget = dict(zip([f"{seconds:g}" for seconds in budgets], zip(*exact, strict=True), strict=True))
        turns = {seconds: min(far) for seconds, far in by_budget.items()}
        usual = {seconds: median_low(far) for seconds, far in by_budget.items()}
        found.append({"players": players, "games": games, "turns": turns, "usual": usual})
        told = (f"{n} turns with {seconds} s (median {usual[seconds]})" for seconds, n in turns.items())
        print(f"{players} players: " + ", ".join(told), flush=True)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=_GAMES)
    parser.add_argument("--seconds", type=float, nargs="+", default=_BUDGETS)
    parser.add_argument("--processes", type=int)
    given = parser.parse_args()
    souk.bots.prepare(souk.game("suleika"))
    with Processes(given.processes) as workers:
        how_far_back(workers, given.games, given.seconds)


if __name__ == "__main__":
    main()
