"""The games, one room each. A room is a package here with a `GAME`; nothing else need be told of it."""

import importlib
import pkgutil
from functools import cache

from souk.core.errors import suggestion
from souk.core.game import Game


@cache
def names() -> tuple[str, ...]:
    """The names of all games, in alphabetical order."""
    rooms = [module.name for module in pkgutil.iter_modules(__path__) if module.ispkg]
    return tuple(room.replace("_", "-") for room in sorted(rooms))


@cache
def _game(name: str) -> Game:
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    found: Game = module.GAME
    return found


def game(name: str) -> Game:
    """A game by its name: "suleika", "basari", "basari-cards" or "bazaar"."""
    if not isinstance(name, str) or name not in names():
        raise ValueError(f"game: there is no game {name!r}. {suggestion(name, names())}")
    return _game(name)
