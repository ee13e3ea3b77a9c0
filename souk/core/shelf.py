"""Where games are found by name. The core knows none itself: whoever has games says so here, as `souk.games` does when it is imported."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from souk.core.game import Game


class Shelf(NamedTuple):
    """Games, and the folders of their rooms, which hold their texts."""

    game: Callable[[str], "Game"]  # ValueError where there is none of that name
    rooms: Callable[[], Mapping[str, Path]]  # every folder that may hold texts, by the name under which they are found


_shelves: list[Shelf] = []


def add(shelf: Shelf) -> None:
    """Let the games of a shelf be found."""
    _shelves.append(shelf)


def find_game(name: str) -> "Game":
    """A game by its name; ValueError says which there are."""
    return _shelves[0].game(name)


def rooms() -> dict[str, Path]:
    """The folders of all rooms."""
    return {name: folder for shelf in _shelves for name, folder in shelf.rooms().items()}
