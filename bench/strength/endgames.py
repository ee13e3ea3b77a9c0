"""Counts the last turns of Suleika that the vizier plays exactly, by its time per move."""

import random
import time
from collections.abc import Sequence
from functools import partial
from itertools import takewhile
from statistics import median_low
from typing import Any

import souk
from souk.bots.endgame import SHARE, endgame_search
from souk.lab.workers import Workers

BUDGETS = (0.05, 1.0, 6.0)  # seconds per move
_POSITIONS = 20_000  # between looks at the clock


def last_turns(players: int, seed: int) -> list[souk.Position]:
    """Positions before each turn of a game of greedy bots, the last first."""
    rng, bot = random.Random(seed), souk.bot(f"greedy:seed={seed}")
    pos = souk.game("suleika").start(players)
    positions = []
    while not pos.over:
        if not pos.actors:
            pos.draw(rng)
            continue
        if pos.to_json()["phase"] == "turn":
            positions.append(pos.copy())
        pos.play(pos.actors[0], bot.choose(pos, pos.actors[0]).move)
    return positions[::-1]


def is_exact(pos: souk.Position, seconds: float) -> bool:
    """True if a position is solved within the time after which the vizier searches instead."""
    endgame, begin = endgame_search(pos, seconds), time.process_time()
    if endgame is None:
        return False
    while not endgame.look(_POSITIONS):
        if time.process_time() - begin > SHARE * seconds:
            return False
    return True


def exact_turns(budgets: Sequence[float], table: tuple[int, int]) -> list[int]:
    """Exact last turns of one game, for each time per move."""
    souk.bots.prepare(souk.game("suleika"))
    turns = last_turns(*table)
    return [
        sum(1 for _ in takewhile(partial(is_exact, seconds=seconds), turns)) for seconds in budgets
    ]


def measure(workers: Workers, games: int) -> list[dict[str, Any]]:
    """Minimum and median over games, by number of players."""
    rows = []
    for players in souk.game("suleika").players:
        tables = [(players, seed) for seed in range(games)]
        exact = workers.in_order(partial(exact_turns, BUDGETS), tables)
        by_budget = {
            f"{seconds:g}": turns
            for seconds, turns in zip(BUDGETS, zip(*exact, strict=True), strict=True)
        }
        least = {seconds: min(turns) for seconds, turns in by_budget.items()}
        usual = {seconds: median_low(turns) for seconds, turns in by_budget.items()}
        rows.append({"players": players, "games": games, "turns": least, "usual": usual})
        texts = (
            f"{n} turns in {seconds} s (median {usual[seconds]})" for seconds, n in least.items()
        )
        print(f"{players} players: {', '.join(texts)}", flush=True)
    return rows
