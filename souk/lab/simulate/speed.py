"""How fast random games run: each target of one game in the same run, one after the other."""

import os
from dataclasses import dataclass

from souk.core.game import Game
from souk.kernel.batches import play_games

ROUNDS = 3


@dataclass(frozen=True)
class Speed:
    """Moves and chance outcomes a second."""

    game: str
    players: int
    interpreted: float
    one_core: float
    all_cores: float
    gpu: float | None = None


def events_per_second(
    game: Game, players: int, seconds: float, *, target: str = "cpu", threads: int = 1, at_least: int = 8
) -> float:
    """Play for about this long, in growing batches; the last and longest counts."""
    games, options = at_least, game.start(players).options
    while True:
        results, _, took = play_games(game, players, options, games, 1, target=target, threads=threads)
        if took >= seconds / 2 or games >= 1 << 24:
            return float(results.lengths.sum()) / took
        games = min(1 << 24, max(2 * games, int(games * seconds / max(took, 1e-6))))


def measure_speed(game: Game, players: int, seconds: float, gpu: bool) -> Speed:
    """Each speed in turn, several times over, and the best of each: what else a machine does comes and goes."""
    cores, found = os.cpu_count() or 1, []
    for _ in range(ROUNDS):
        interpreted = events_per_second(game, players, seconds / ROUNDS, target="python")
        one_core = events_per_second(game, players, seconds / ROUNDS)
        all_cores = events_per_second(game, players, seconds / ROUNDS, threads=cores)
        found.append((interpreted, one_core, all_cores))
    on_gpu = events_per_second(game, players, seconds, target="cuda", at_least=1 << 20) if gpu else None
    interpreted, one_core, all_cores = (max(speeds) for speeds in zip(*found, strict=True))
    return Speed(game.name, players, interpreted, one_core, all_cores, on_gpu)
