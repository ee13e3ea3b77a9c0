"""Many games of random play, and what came of them."""

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from souk.core.batches import play_games
from souk.core.fields import is_whole, shown
from souk.games import game as find_game

MOST_GAMES = 1_000_000_000


@dataclass(frozen=True)
class Simulation:
    """What came of many games. `scores` and `winners` have a row for each game and a column for each seat."""

    game: str
    players: int
    games: int
    seconds: float  # playing only, without compiling
    scores: np.ndarray[Any, np.dtype[np.int32]]
    winners: np.ndarray[Any, np.dtype[np.bool_]]
    lengths: np.ndarray[Any, np.dtype[np.int32]]  # events in each game

    @cached_property
    def events(self) -> int:
        """Moves and chance outcomes of all games together."""
        return int(self.lengths.sum(dtype=np.int64))


def simulate(
    game: str,
    players: int | None = None,
    games: int = 100_000,
    seed: int = 0,
    threads: int | None = None,
    *,
    target: str = "cpu",
    report: Callable[[int], None] = lambda _: None,
    **options: Any,
) -> Simulation:
    """Play many games with random moves, compiled. The same seed gives the same arrays, whatever the number of threads
    (None: one for each core) and whatever the target ("cpu", "cuda" or "python")."""
    found = find_game(game)
    start = found.start(players, **options)
    _check_whole("games", games, 1, MOST_GAMES)
    _check_whole("seed", seed, 0, 2**64 - 1)
    _check_whole("threads", threads if threads is not None else 1, 1, 1024)
    if target not in ("cpu", "cuda", "python"):
        raise ValueError(f'target: must be "cpu", "cuda" or "python", not {shown(target)}')
    results, _, seconds = play_games(
        found,
        start.players,
        start.options,
        games,
        seed,
        target=target,
        threads=threads or os.cpu_count(),
        report=report,
    )
    won = (results.winners[:, None] >> np.arange(start.players)) & 1 == 1
    return Simulation(found.name, start.players, games, seconds, results.scores, won, results.lengths)


def _check_whole(name: str, value: object, low: int, high: int) -> None:
    if not is_whole(value) or not low <= value <= high:  # type: ignore[operator]
        raise ValueError(f"{name}: must be a whole number from {low} to {high}, not {shown(value)}")
