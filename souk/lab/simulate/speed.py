"""Measures the speed of random play on each target, in one run."""

import os
from dataclasses import dataclass

from souk.core.game import Game
from souk.kernel.batch_play import play_games

ROUNDS = 3


@dataclass(frozen=True)
class Speed:
    """Moves and chance outcomes per second."""

    game: str
    players: int
    interpreted: float
    one_core: float
    all_cores: float
    gpu: float | None = None


def events_per_second(
    game: Game,
    players: int,
    seconds: float,
    *,
    target: str = "cpu",
    threads: int = 1,
    at_least: int = 8,
) -> float:
    """Play growing batches for about `seconds`; return the speed of the last and longest."""
    games, options = at_least, game.start(players).options
    while True:
        results, _, elapsed = play_games(
            game, players, options, games, 1, target=target, threads=threads
        )
        if elapsed >= seconds / 2 or games >= 1 << 24:
            return float(results.lengths.sum()) / elapsed
        games = min(1 << 24, max(2 * games, int(games * seconds / max(elapsed, 1e-6))))


def measure_speed(game: Game, players: int, seconds: float, gpu: bool) -> Speed:
    """The best of several rounds for each target, as background load comes and goes."""
    cores, rounds = os.cpu_count() or 1, []
    for _ in range(ROUNDS):
        interpreted = events_per_second(game, players, seconds / ROUNDS, target="python")
        one_core = events_per_second(game, players, seconds / ROUNDS)
        all_cores = events_per_second(game, players, seconds / ROUNDS, threads=cores)
        rounds.append((interpreted, one_core, all_cores))
    on_gpu = (
        events_per_second(game, players, seconds, target="cuda", at_least=1 << 20) if gpu else None
    )
    interpreted, one_core, all_cores = (max(speeds) for speeds in zip(*rounds, strict=True))
    return Speed(game.name, players, interpreted, one_core, all_cores, on_gpu)
