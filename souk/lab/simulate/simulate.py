"""Random play of many games, kept game by game."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.kernel.batch_play import Results, play_games
from souk.lab.simulate.job import HERE, Chunk, OnProgress, check_simulation, run_job

if TYPE_CHECKING:
    from souk.lab.workers import Workers

# Games per chunk: about half a second.
_CHUNK = {"cpu": 1 << 15, "cuda": 1 << 22, "python": 1 << 8}


@dataclass(frozen=True)
class Simulation:
    """The results of many games.

    `scores` and `winners` have a row for each game and a column for each seat.
    """

    game: str
    players: int
    games: int
    # playing time without compiling
    seconds: float
    scores: np.ndarray[Any, np.dtype[np.int32]]
    winners: np.ndarray[Any, np.dtype[np.bool_]]
    # events in each game
    lengths: np.ndarray[Any, np.dtype[np.int32]]

    @cached_property
    def events(self) -> int:
        """Moves and chance outcomes of all games."""
        return int(self.lengths.sum(dtype=np.int64))


def simulate(
    game: str,
    players: int | None = None,
    games: int = 100_000,
    seed: int = 0,
    threads: int | None = None,
    *,
    target: str = "cpu",
    on: "str | Workers" = HERE,
    address: str | None = None,
    report: OnProgress = lambda _: None,
    **options: Any,
) -> Simulation:
    """Play many compiled games with uniformly random moves.

    The same seed gives the same arrays, whatever the number of threads (None: one per core), the
    target ("cpu", "cuda" or "python"), and whether the games are played here or on a Ray cluster
    (on="ray", see souk.lab.ray_cluster; `threads` is then the number of workers).
    """
    job = check_simulation(
        game, players, games, seed, threads, target=target, on=on, address=address, **options
    )
    table, size = job.table, job.games if on == HERE else _CHUNK[target]
    results, seconds = Results.allocate(0 if on == HERE else job.games, table.players), 0.0
    for chunk, played, elapsed in run_job(job, play_chunk, size, report):
        if chunk.games == job.games:
            results = played
        else:
            part = results.part(chunk.first, chunk.first + chunk.games)
            part.scores[:], part.winners[:], part.lengths[:] = (
                played.scores,
                played.winners,
                played.lengths,
            )
        seconds += elapsed
    won = (results.winners[:, None] >> np.arange(table.players)) & 1 == 1
    return Simulation(
        table.game, table.players, games, seconds, results.scores, won, results.lengths
    )


def play_chunk(chunk: Chunk, report: OnProgress = lambda _: None) -> tuple[Results, float]:
    """Play a chunk; return its results and the playing time."""
    start, seed = chunk.start, chunk.table.seed
    results, _, seconds = play_games(
        start.game,
        start.players,
        start.options,
        chunk.games,
        seed,
        target=chunk.target,
        threads=chunk.threads,
        first=chunk.first,
        report=report,
    )
    return results, seconds
