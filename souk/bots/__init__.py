"""Who plays: bots by name (`souk.bot`), and their names (`souk.bots()`)."""

import sys
from types import ModuleType

from souk.bots.bot import Bot, Choice, Considered
from souk.bots.registry import bot, names

__all__ = ["Bot", "Choice", "Considered", "bot", "names"]


class _Callable(ModuleType):
    """`souk.bots` is this package and, as the public face has it, also the function that lists the bots."""

    def __call__(self) -> list[str]:
        return names()


sys.modules[__name__].__class__ = _Callable
