"""Bots: the levels from apprentice to vizier, the methods behind them, and external programs.

`souk.bot` makes one by name, `souk.bots()` lists the names.
"""

import sys
from types import ModuleType

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.registry import bot
from souk.bots.registry import names as _bot_names
from souk.core.game import Game

__all__ = ["Bot", "Choice", "Considered", "bot", "prepare"]


def prepare(game: Game) -> None:
    """Compile every kernel the bots of a game use, or load it from the cache."""
    from souk.bots.precompile import prepare as compile_all

    compile_all(game)


class _Callable(ModuleType):
    """Makes `souk.bots` both this package and the public function that lists the bots."""

    def __call__(self) -> list[str]:
        return _bot_names()


sys.modules[__name__].__class__ = _Callable
