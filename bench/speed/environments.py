"""Measures turns/s of our PettingZoo environments beside PettingZoo's own tic-tac-toe.

    python -m bench.speed.environments [SECONDS] [--json FILE]

One core, driven as by `pettingzoo.test.performance_benchmark`; medians of three alternating rounds.
Needs pip install '.[lab]' pygame.
"""

import importlib.util
import random
import statistics
import time
from typing import Any

import numpy as np

from bench.support.provenance import figures_parser, write_figures
from souk.games import game, names
from souk.lab.pettingzoo import env

_ROUNDS = 3
_TICTACTOE = "PettingZoo's tic-tac-toe"


def turns_per_second(table: Any, seconds: float) -> float:
    table.reset()
    turns, begin = 0, time.perf_counter()
    while (took := time.perf_counter() - begin) < seconds:
        for _ in table.agent_iter(100):
            observation, _, terminated, truncated, _ = table.last()
            mask = observation["action_mask"]
            table.step(
                None if terminated or truncated else random.choice(np.flatnonzero(mask).tolist())
            )
            turns += 1
            if all(table.terminations.values()):
                table.reset()
    return turns / took


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("seconds", nargs="?", type=float, default=3.0)
    args = parser.parse_args()
    random.seed(1)
    tables: dict[str, Any] = {name: env(name, players=game(name).players[-1]) for name in names()}
    if importlib.util.find_spec("pygame"):
        from pettingzoo.classic import tictactoe_v3

        tables[_TICTACTOE] = tictactoe_v3.env()
    for table in tables.values():
        turns_per_second(table, 0.2)  # compiles
    rounds = [
        {name: turns_per_second(table, args.seconds) for name, table in tables.items()}
        for _ in range(_ROUNDS)
    ]
    medians = {name: statistics.median(speeds[name] for speeds in rounds) for name in tables}
    for name, speed in medians.items():
        print(f"{name}: {speed:,.0f} turns/s")
    if args.json:
        rows = [
            {"game": name, "players": game(name).players[-1], "turns_per_second": medians[name]}
            for name in names()
        ]
        write_figures(
            args.json, {"tictactoe": medians.get(_TICTACTOE), "rows": rows}, n=_ROUNDS, of="rounds"
        )


if __name__ == "__main__":
    main()
