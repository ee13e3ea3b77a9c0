"""Simulations on the command line: progress while they run, then figures with intervals."""

import contextlib
import math
from dataclasses import replace

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from souk.cli.progress import compile_with_progress
from souk.games import game as find_game
from souk.games.art.palette import BRASS, LAMP, SEATS
from souk.lab.on_ray import open_cluster
from souk.lab.simulate.census import Census, take_census
from souk.lab.simulate.simulate import Order

_Z = 1.959964  # 95 %


def share_interval(share: float, n: float) -> tuple[float, float]:
    """The 95 % interval of a share seen in n games (Wilson)."""
    middle = (share + _Z * _Z / (2 * n)) / (1 + _Z * _Z / n)
    half = _Z * math.sqrt(share * (1 - share) / n + _Z * _Z / (4 * n * n)) / (1 + _Z * _Z / n)
    return max(0.0, middle - half), min(1.0, middle + half)


def plus_minus(mean_and_spread: tuple[float, float], n: int, digits: int) -> str:
    """A mean over n games with half the width of its 95 % interval."""
    mean, spread = mean_and_spread
    return f"{mean:.{digits}f} ± {_Z * spread / math.sqrt(n):.{digits}f}"


def _at_table(players: int) -> str:
    return f"{players} players" if players > 1 else "alone"


def simulate_with_progress(order: Order) -> Census:
    """Have the games of an order played and counted, with a bar that shows how many have been."""
    console, found = Console(stderr=True), order.start.game
    with contextlib.ExitStack() as stack:
        if order.on == "ray":
            order = replace(order, on=stack.enter_context(open_cluster(console, order.address, order.threads)))
        if order.target == "cpu":
            compile_with_progress(console, [found])
        columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
        progress = stack.enter_context(Progress(*columns, console=console, transient=True))
        task = progress.add_task(f"{found.title}, {_at_table(order.start.players)}", total=order.games)
        return take_census(order, lambda played: progress.advance(task, played))


def show_summary(console: Console, result: Census) -> None:
    title, games = find_game(result.game).title, result.games
    digits = 2 + max(0, len(str(games)) - 6) // 2  # of scores and percentages: as many as the intervals are narrow
    console.print(f"[bold {LAMP}]{title}[/], {_at_table(result.players)}, {games:,} games of random play")
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2))
    for heading in ("seat", "mean score", "wins", "95 % interval"):
        table.add_column(heading, justify="right")
    for seat in range(result.players):
        won = int(result.wins[seat]) / games
        low, high = share_interval(won, games)
        score, interval = plus_minus(result.score(seat), games, digits), f"{low:.{digits}%} – {high:.{digits}%}"
        table.add_row(f"[{SEATS[seat]}]{seat}[/]", score, f"{won:.{digits}%}", interval)
    console.print(table)
    length = plus_minus(result.length, games, digits - 1)
    console.print(f"Wins shared in {result.shared / games:.{digits}%} of the games; a shared win counts for each.")
    console.print(f"Length: {length} moves and outcomes, from {result.shortest} to {result.longest}.")
    speed = result.events / result.seconds / 1e6 if result.seconds else 0.0
    console.print(f"[dim]{result.events:,} events in {result.seconds:.2f} s: {speed:.1f} million a second.[/]")
