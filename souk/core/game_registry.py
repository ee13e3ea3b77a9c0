"""Game registry. The core imports no game: `souk.games` registers its games here on import."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from souk.core.game import Game


class GameSource(NamedTuple):
    """Looks up games by name; raises ValueError for unknown names."""

    game: Callable[[str], "Game"]
    # Folders that may hold texts, by name.
    folders: Callable[[], Mapping[str, Path]]


_sources: list[GameSource] = []


def register(source: GameSource) -> None:
    """Make the games of a source known to `find_game`."""
    _sources.append(source)


def find_game(name: str) -> "Game":
    """Return a game by name. The ValueError for an unknown name lists all games."""
    return _sources[0].game(name)


def text_folders() -> dict[str, Path]:
    """Folders of all game packages, by name."""
    return {name: folder for source in _sources for name, folder in source.folders().items()}
