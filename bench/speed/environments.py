"""Turns a second of our PettingZoo environments on one core, beside PettingZoo's own tic-tac-toe in the same run.

    pip install souk[lab] pygame; python bench/environments.py [SECONDS] [--json FILE]

Both are driven as `pettingzoo.test.performance_benchmark` does it: `last()`, any allowed action, `step()`, `reset()` at the end. Rounds alternate, and the
median of three is shown.
"""

import importlib.util
import random
import statistics
import time
from typing import Any

import numpy as np
from pedigree import settings, write_figures

from souk.games import game, names
from souk.lab.pettingzoo import env

_ROUNDS = 3
_THEIRS = "PettingZoo's tic-tac-toe"


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
    parser = settings(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    given = parser.parse_args()
    random.seed(1)
    tables: dict[str, Any] = {name: env(name, players=game(name).players[-1]) for name in names()}
    if importlib.util.find_spec("pygame"):
        from pettingzoo.classic import tictactoe_v3

        tables[_THEIRS] = tictactoe_v3.env()
    for table in tables.values():
        turns_per_second(table, 0.2)  # compiles
    rounds = [{name: turns_per_second(table, given.seconds) for name, table in tables.items()} for _ in range(_ROUNDS)]
    found = {name: statistics.median(each[name] for each in rounds) for name in tables}
    for name, speed in found.items():
        print(f"{name}: {speed:,.0f} turns/s")
    if given.json:
        rows = [{"game": name, "players": game(name).players[-1], "turns_per_second": found[name]} for name in names()]
        write_figures(given.json, {"tictactoe": found.get(_THEIRS), "rows": rows}, n=_ROUNDS, of="rounds")


if __name__ == "__main__":
    main()
