"""Turns a second of our PettingZoo environments on one core, beside PettingZoo's own tic-tac-toe in the same run.

    pip install souk[lab] pygame; python bench/environments.py [SECONDS]

Both are driven as `pettingzoo.test.performance_benchmark` does it: `last()`, any allowed action, `step()`, `reset()` at the end. Rounds alternate, and the
median of three is shown.
"""

import importlib.util
import random
import statistics
import sys
import time
from typing import Any

import numpy as np

from souk.games import game, names
from souk.lab.pettingzoo import env

_ROUNDS = 3


def turns_per_second(table: Any, seconds: float) -> float:
    table.reset()
    turns, begin = 0, time.perf_counter()
    while (took := time.perf_counter() - begin) < seconds:
        for _ in table.agent_iter(100):
            observation, _, terminated, truncated, _ = table.last()
            mask = observation["action_mask"]
            table.step(None if terminated or truncated else random.choice(np.flatnonzero(mask).tolist()))
            turns += 1
            if all(table.terminations.values()):
                table.reset()
    return turns / took


def main() -> None:
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 3.0
    random.seed(1)
    tables: dict[str, Any] = {name: env(name, players=game(name).players[-1]) for name in names()}
    if importlib.util.find_spec("pygame"):
        from pettingzoo.classic import tictactoe_v3

        tables["PettingZoo's tic-tac-toe"] = tictactoe_v3.env()
    for table in tables.values():
        turns_per_second(table, 0.2)  # compiles
    rounds = [{name: turns_per_second(table, seconds) for name, table in tables.items()} for _ in range(_ROUNDS)]
    for name in tables:
        print(f"{name}: {statistics.median(each[name] for each in rounds):,.0f} turns/s")


if __name__ == "__main__":
    main()
