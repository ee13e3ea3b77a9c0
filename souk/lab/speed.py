"""How fast random games run: each target of one game in the same run, one after the other."""

import os
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

from souk.cli.progress import compile_with_progress
from souk.core.game import Game
from souk.games.art.palette import BRASS, LAMP
from souk.kernel.batches import play_games

_ROUNDS = 3


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


def position_events_per_second(game: Game, players: int, seconds: float) -> float:
    """Random play as a Python program does it: through `Position`, with texts."""
    rng = random.Random(1)
    begin, events = time.perf_counter(), 0
    position = game.start(players)
    while (took := time.perf_counter() - begin) < seconds:
        if position.over:
            position = game.start(players)
        if actors := position.actors:
            listed = position.move_codes(actors[0], max(9, game.widest))
            position.play(actors[0], game.notation.move_text(position.state, rng.choice(listed)))
        else:
            position.draw(rng)
        events += 1
    return events / took


def measure(game: Game, players: int, seconds: float, gpu: bool) -> Speed:
    """Each speed in turn, several times over, and the best of each: what else a machine does comes and goes."""
    cores, found = os.cpu_count() or 1, []
    for _ in range(_ROUNDS):
        interpreted = events_per_second(game, players, seconds / _ROUNDS, target="python")
        one_core = events_per_second(game, players, seconds / _ROUNDS)
        all_cores = events_per_second(game, players, seconds / _ROUNDS, threads=cores)
        found.append((interpreted, one_core, all_cores))
    on_gpu = events_per_second(game, players, seconds, target="cuda", at_least=1 << 20) if gpu else None
    interpreted, one_core, all_cores = (max(speeds) for speeds in zip(*found, strict=True))
    return Speed(game.name, players, interpreted, one_core, all_cores, on_gpu)


def bench(console: Console, games: Sequence[Game], seconds: float, gpu: bool) -> list[Speed]:
    """Measure and show. Kernels are compiled before, with a bar; with a warm cache that takes no time."""
    begin = time.perf_counter()
    compile_with_progress(Console(stderr=True), games)
    cores = os.cpu_count() or 1
    console.print(
        f"[dim]Ready after {time.perf_counter() - begin:.1f} s. Random play, moves and chance outcomes a second:[/]"
    )
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2))
    headings = ["game", "players", "interpreted", "one core", "× interpreted", f"{cores} cores", "× one core"]
    for heading in headings + ["GPU"] * gpu:
        table.add_column(heading, justify="left" if heading == "game" else "right")
    found = []
    for game in games:
        speed = measure(game, game.players[-1], seconds, gpu)
        found.append(speed)
        row = [
            f"[{LAMP}]{game.name}[/]",
            str(speed.players),
            f"{speed.interpreted:,.0f}",
            f"{speed.one_core / 1e6:.1f} M",
        ]
        row += [
            f"{speed.one_core / speed.interpreted:,.0f}",
            f"{speed.all_cores / 1e6:.1f} M",
            f"{speed.all_cores / speed.one_core:.2f}",
        ]
        table.add_row(*row, *([f"{speed.gpu / 1e9:.2f} G"] if speed.gpu else []))
    console.print(table)
    return found
