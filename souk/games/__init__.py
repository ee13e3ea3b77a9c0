"""The games, one package each.

A folder with a `box.py` is a game and has a `GAME`; no other registration is needed.
"""

import importlib
from functools import cache
from pathlib import Path

from souk.core import game_registry
from souk.core.errors import suggestion
from souk.core.game import Game


@cache
def names() -> tuple[str, ...]:
    """Names of all games, in alphabetical order."""
    folders = [box.parent.name for root in __path__ for box in Path(root).glob("*/box.py")]
    return tuple(sorted(folder.replace("_", "-") for folder in folders))


@cache
def _game(name: str) -> Game:
    module = importlib.import_module(f"{__name__}.{name.replace('-', '_')}")
    loaded: Game = module.GAME
    return loaded


def game(name: str) -> Game:
    """A game by name: "suleika", "basari", "basari-cards" or "bazaar"."""
    if not isinstance(name, str) or name not in names():
        raise ValueError(f"game: there is no game {name!r}. {suggestion(name, names())}")
    return _game(name)


def packages() -> dict[str, Path]:
    """Package folders by name: those of the games and of code that games share."""
    folders = [
        folder
        for root in __path__
        for folder in Path(root).iterdir()
        if (folder / "__init__.py").is_file()
    ]
    return {folder.name.replace("_", "-"): folder for folder in sorted(folders)}


game_registry.register(game_registry.GameSource(game, packages))
