"""Compiling what bots think with before they are asked: a bot that compiled while its clock ran would not be in time."""

import random
from functools import cache

import numpy as np

from souk.bots.ending import Ending
from souk.bots.kernels.exact import play_out_in_full
from souk.bots.kernels.one_ply import glance, temptations, whims
from souk.bots.kernels.search import think
from souk.bots.kernels.together import weigh_together
from souk.bots.kernels.tree import clear
from souk.bots.registry import bot
from souk.bots.together import Together
from souk.core.game import Game
from souk.kernel.cache import is_ready, mark_ready
from souk.kernel.ingredients import reached
from souk.kernel.twins import Function

KERNELS = (think, clear, glance, whims, temptations, play_out_in_full)
TOGETHER = (weigh_together,)  # besides, for games with secret choices


def kernels(game: Game) -> tuple[Function, ...]:
    """All that a game's bots think with."""
    return (*KERNELS, *(TOGETHER if game.secrets else ()), *game.insight.KERNELS)


def is_prepared(game: Game) -> bool:
    """Whether all kernels of a game's bots are on disk, so that they load in a moment."""
    return is_ready(game, *kernels(game))


@cache
def work_to_prepare(game: Game) -> int:
    """How much there is to compile, in bytes of what Python compiles first: what it takes is nearly in proportion."""
    rules = {rule for entry in kernels(game) for rule in reached(game, entry)}
    return sum(len(rule.__code__.co_code) for rule in rules)


@cache
def prepare(game: Game) -> None:
    """Compile all that a game's bots think with, or load what has been compiled before."""
    start = game.start(game.players[-1])
    rng = random.Random(0)
    while not start.actors:
        start.draw(rng)
    for name in ("search:playouts=1", "apprentice", "trader"):
        bot(name).choose(start, start.actors[0])
    Ending(start, 0).look(0)
    if game.secrets:
        Together(start, start.actors[0], np.uint64(0)).look(0)
    mark_ready(game, *kernels(game))
