"""Compiling what bots think with before they are asked: a bot that compiled while its clock ran would not be in time."""

import random
from collections.abc import Sequence
from functools import cache, partial

from rich.console import Console

from souk.bots.compiled import folder_of
from souk.bots.registry import bot
from souk.bots.searcher import play_end
from souk.core.game import Game
from souk.core.kernels import Work, work_with_progress

_SECONDS = 40  # what the bots of one game take to compile on a usual core; only said, never waited for


def is_prepared(game: Game) -> bool:
    """Whether all kernels of a game's bots are on disk, so that they load in a moment."""
    return (folder_of(game, "think") / "prepared").is_file()


@cache
def prepare(game: Game) -> None:
    """Compile all that a game's bots think with, or load what has been compiled before."""
    start = game.start(game.players[-1])
    rng = random.Random(0)
    while not start.actors:
        start.draw(rng)
    for name in ("search:playouts=1", "apprentice", "trader"):
        bot(name).choose(start, start.actors[0])
    play_end(start, 0)
    (folder_of(game, "think") / "prepared").touch()


def prepare_with_progress(console: Console, games: Sequence[Game]) -> None:
    """Compile what is not on disk yet behind a bar, and load the rest."""
    works = [
        Work(f"Compiling the bots of {game.title}", partial(prepare, game)) for game in games if not is_prepared(game)
    ]
    work_with_progress(console, works, _SECONDS)
    for game in games:
        prepare(game)
