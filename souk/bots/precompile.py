"""Compile bots ahead of time, so that no bot compiles while its clock is running."""

import random
from functools import cache

import numpy as np

from souk.bots.endgame import EndgameSearch
from souk.bots.kernels.endgame import solve_endgame
from souk.bots.kernels.one_ply import beginner_scores, likely_moves, look_ahead
from souk.bots.kernels.search import think
from souk.bots.kernels.simultaneous import improve_strategies
from souk.bots.kernels.tree import clear
from souk.bots.registry import bot
from souk.bots.simultaneous import SimultaneousSearch
from souk.core.game import Game
from souk.kernel.cache import is_ready, mark_ready
from souk.kernel.cache_key import reachable_rules
from souk.kernel.rule_clones import Function

KERNELS = (think, clear, look_ahead, likely_moves, beginner_scores, solve_endgame)
SECRET_CHOICE_KERNELS = (improve_strategies,)


def kernels(game: Game) -> tuple[Function, ...]:
    """All kernels that the bots of a game use."""
    return (*KERNELS, *(SECRET_CHOICE_KERNELS if game.secrets else ()), *game.heuristics.KERNELS)


def is_prepared(game: Game) -> bool:
    """Whether all kernels of a game's bots are cached on disk."""
    return is_ready(game, *kernels(game))


@cache
def work_to_prepare(game: Game) -> int:
    """Bytes of bytecode to compile; compile time is roughly proportional to it."""
    rules = {rule for entry in kernels(game) for rule in reachable_rules(game, entry)}
    return sum(len(rule.__code__.co_code) for rule in rules)


@cache
def prepare(game: Game) -> None:
    """Compile all kernels of a game's bots, or load them from the cache."""
    start = game.start(game.players[-1])
    rng = random.Random(0)
    while not start.actors:
        start.draw(rng)
    for name in ("search:playouts=1", "apprentice", "trader"):
        bot(name).choose(start, start.actors[0])
    EndgameSearch(start, 0).look(0)
    if game.secrets:
        SimultaneousSearch(start, start.actors[0], np.uint64(0)).look(0)
    mark_ready(game, *kernels(game))
