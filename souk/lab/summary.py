"""Simulations on the command line: progress while they run, then figures with intervals."""

import math
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from souk.core.kernels import compile_with_progress
from souk.games import game as find_game
from souk.games.palette import BRASS, LAMP, SEATS
from souk.lab.simulate import Simulation, simulate

_Z = 1.959964  # 95 %


def share_interval(share: float, n: int) -> tuple[float, float]:
    """The 95 % interval of a share seen in n games (Wilson)."""
    middle = (share + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
    half = _Z * math.sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n)) / (1 + _Z * _Z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def mean_interval(values: np.ndarray[Any, Any]) -> tuple[float, float]:
    """The mean of a sample, and half the width of its 95 % interval."""
    spread = float(values.std(ddof=1)) if len(values) > 1 else 0.0
    return float(values.mean()), _Z * spread / math.sqrt(len(values))


def _at_table(players: int) -> str:
    return f"{players} players" if players > 1 else "alone"


def simulate_with_progress(
    game: str, players: int, games: int, seed: int, threads: int | None, target: str, options: dict[str, Any]
) -> Simulation:
    console = Console(stderr=True)
    found = find_game(game)
    found.start(players, **options)  # refuses nonsense before anything is compiled
    if target == "cpu":
        compile_with_progress(console, [found])
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task(f"{found.title}, {_at_table(players)}", total=games)

        def report(played: int) -> None:
            progress.advance(task, played)

        return simulate(game, players, games, seed, threads, target=target, report=report, **options)


def show_summary(console: Console, result: Simulation) -> None:
    title = find_game(result.game).title
    console.print(f"[bold {LAMP}]{title}[/], {_at_table(result.players)}, {result.games:,} games of random play")
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2))
    for heading in ("seat", "mean score", "wins", "95 % interval"):
        table.add_column(heading, justify="right")
    alone = result.winners.sum(axis=1)
    for seat in range(result.players):
        mean, half = mean_interval(result.scores[:, seat])
        won = float(result.winners[:, seat].mean())
        low, high = share_interval(won, result.games)
        table.add_row(f"[{SEATS[seat]}]{seat}[/]", f"{mean:.2f} ± {half:.2f}", f"{won:.2%}", f"{low:.2%} – {high:.2%}")
    console.print(table)
    shared = float((alone > 1).mean())
    mean, half = mean_interval(result.lengths)
    shortest, longest = int(result.lengths.min()), int(result.lengths.max())
    console.print(f"Wins shared in {shared:.2%} of the games; a shared win counts for each.")
    console.print(f"Length: {mean:.1f} ± {half:.1f} moves and outcomes, from {shortest} to {longest}.")
    speed = result.events / result.seconds / 1e6 if result.seconds else 0.0
    console.print(f"[dim]{result.events:,} events in {result.seconds:.2f} s: {speed:.1f} million a second.[/]")
