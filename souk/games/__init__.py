"""The games, one room each. A room with a box in it is a game and has a `GAME`; nothing else need be told of it."""

import importlib
from functools import cache
from pathlib import Path

from souk.core import shelf
from souk.core.errors import suggestion
from souk.core.game import Game


@cache
def names() -> tuple[str, ...]:
    """The names of all games, in alphabetical order."""
    rooms = [box.parent.name for place in __path__ for box in Path(place).glob("*/box.py")]
    return tuple(sorted(room.replace("_", "-") for room in rooms))


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


def rooms() -> dict[str, Path]:
    """The folders of the rooms by name: those of the games, and of what several games share."""
    folders = [folder for place in __path__ for folder in Path(place).iterdir() if (folder / "__init__.py").is_file()]
    return {folder.name.replace("_", "-"): folder for folder in sorted(folders)}


shelf.add(shelf.Shelf(game, rooms))
