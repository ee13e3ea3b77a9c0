"""Plays many random games: interpreted, on all cores, or on a GPU.

Game i of a seed is the same game on every target.
"""

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from souk.kernel.cache import mark_ready
from souk.kernel.game_spec import Options, Playable
from souk.kernel.playouts import play_range, whole_game
from souk.kernel.state import StateArray

# Games per task: large enough to hide the overhead, small enough to balance the load.
_CHUNK = 4096


@dataclass
class Results:
    """Results by game: scores by seat, winners as a bit set, and the number of events."""

    scores: np.ndarray[Any, np.dtype[np.int32]]
    winners: np.ndarray[Any, np.dtype[np.uint8]]
    lengths: np.ndarray[Any, np.dtype[np.int32]]

    @classmethod
    def allocate(cls, games: int, players: int) -> "Results":
        return cls(
            np.zeros((games, players), np.int32),
            np.zeros(games, np.uint8),
            np.zeros(games, np.int32),
        )

    def part(self, begin: int, end: int) -> "Results":
        """A view of the games from `begin` up to `end`."""
        return Results(self.scores[begin:end], self.winners[begin:end], self.lengths[begin:end])


@cache
def cpu_kernel(game: Playable) -> Callable[..., None]:
    """The kernel for one game, loaded from disk or compiled now (takes seconds)."""
    from souk.kernel.compiler import cpu_entry

    kernel = cpu_entry(game, play_range)

    def run(blank: StateArray, results: Results, states: StateArray, seed: int, first: int) -> None:
        lists = np.zeros((2, game.widest), np.int32)
        arrays = results.scores, results.winners, results.lengths
        kernel(blank, states, np.uint64(seed), np.uint64(first), *arrays, *lists)

    blank = np.zeros(1, game.dtype)
    run(blank, Results.allocate(0, 1), blank, 0, 0)
    mark_ready(game, play_range)
    return run


def _play_interpreted(
    game: Playable, blank: StateArray, results: Results, states: StateArray, seed: int, first: int
) -> None:
    lists = [0] * game.widest, [0] * game.widest
    for i in range(len(results.lengths)):
        array = blank.copy()
        state = game.state(array)
        results.lengths[i] = whole_game(state, seed, first + i, *lists)
        results.winners[i] = game.rules.write_scores(state, results.scores[i])
        if i < len(states):
            states[i] = array[0]


def _play_compiled(
    game: Playable,
    blank: StateArray,
    results: Results,
    states: StateArray,
    seed: int,
    first: int,
    threads: int,
    report: Callable[[int], None],
) -> None:
    """Play the games in chunks on several threads. Results do not depend on the thread."""
    run = cpu_kernel(game)

    def play(begin: int) -> int:
        part = results.part(begin, begin + _CHUNK)
        kept = states[begin : begin + _CHUNK] if len(states) else np.zeros(1, game.dtype)
        run(blank, part, kept, seed, first + begin)
        return len(part.lengths)

    with ThreadPoolExecutor(threads) as pool:
        for played in pool.map(play, range(0, len(results.lengths), _CHUNK)):
            report(played)


def play_games(
    game: Playable,
    players: int,
    options: Options,
    games: int,
    seed: int,
    *,
    target: str = "cpu",
    threads: int | None = None,
    first: int = 0,
    keep: bool = False,
    report: Callable[[int], None] = lambda _: None,
) -> tuple[Results, StateArray, float]:
    """Play random games of a seed, from number `first` on.

    Returns the results, the final states (if `keep`), and the seconds spent playing, without
    compiling. `report` is called with the number of further games played.
    """
    blank = game.blank(players, options)
    results = Results.allocate(games, players)
    states = np.zeros(games if keep else 0, game.dtype)
    if target == "cuda":
        from souk.kernel import cuda

        # One game, so that compiling is not timed.
        cuda.play_games(game, blank, Results.allocate(1, players), states[:0], seed, first)
    elif target == "cpu":
        cpu_kernel(game)
    begin = time.perf_counter()
    if target == "cuda":
        cuda.play_games(game, blank, results, states, seed, first)
        report(games)
    elif target == "cpu":
        _play_compiled(
            game, blank, results, states, seed, first, threads or os.cpu_count() or 1, report
        )
    else:
        _play_interpreted(game, blank, results, states, seed, first)
        report(games)
    return results, states, time.perf_counter() - begin
