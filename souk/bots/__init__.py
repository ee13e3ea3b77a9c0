"""Who plays: levels from apprentice to vizier, plain bots, and programs of others.

`souk.bot` finds one by its name, `souk.bots()` has the names."""

import sys
from types import ModuleType

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.registry import bot, names
from souk.core.game import Game

__all__ = ["Bot", "Choice", "Considered", "bot", "names", "prepare"]


def prepare(game: Game) -> None:
    """Compile all that a game's bots think with, or load what has been compiled before."""
    from souk.bots.preparing import prepare as compile_all

    compile_all(game)


class _Callable(ModuleType):
    """`souk.bots` is this package and, as the public face has it, also the function that lists the bots."""

    def __call__(self) -> list[str]:
        return names()


sys.modules[__name__].__class__ = _Callable
