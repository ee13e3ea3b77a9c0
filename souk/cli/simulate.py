"""`souk simulate`: progress while games run, then figures with confidence intervals."""

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from rich.console import Console
from rich.table import Table

from souk.cli.progress import compile_with_progress, counting_bars
from souk.drawing.palette import BRASS, LAMP, SEATS
from souk.games import game as find_game
from souk.lab.formatting import plus_minus
from souk.lab.ray_cluster import Cluster
from souk.lab.simulate.job import SimulationJob
from souk.lab.simulate.summary import Summary, run_census


def _at_table(players: int) -> str:
    return f"{players} players" if players > 1 else "alone"


@contextlib.contextmanager
def open_cluster(console: Console, address: str | None, workers: int | None) -> Iterator[Cluster]:
    """A Ray cluster as a context, with a message while it starts."""
    cluster = Cluster(address, workers)
    with console.status(
        "Starting Ray, which takes about ten seconds" if cluster.alone else "Connecting to Ray"
    ):
        cluster.open()
    with cluster:
        yield cluster


def simulate_with_progress(order: SimulationJob) -> Summary:
    """Simulate the games of an order with a progress bar."""
    console, found = Console(stderr=True), find_game(order.table.game)
    with contextlib.ExitStack() as stack:
        if order.on == "ray":
            order = replace(
                order, on=stack.enter_context(open_cluster(console, order.address, order.threads))
            )
        if order.target == "cpu":
            compile_with_progress(console, [found])
        progress = stack.enter_context(counting_bars(console, transient=True))
        task = progress.add_task(
            f"{found.title}, {_at_table(order.table.players)}", total=order.games
        )
        return run_census(order, lambda played: progress.advance(task, played))


def show_summary(console: Console, result: Summary) -> None:
    title, games = find_game(result.game).title, result.games
    # The more games, the narrower the intervals and the more digits are significant.
    digits = 2 + max(0, len(str(games)) - 6) // 2
    console.print(
        f"[bold {LAMP}]{title}[/], {_at_table(result.players)}, {games:,} games of random play"
    )
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2))
    for heading in ("seat", "mean score", "wins", "95 % interval"):
        table.add_column(heading, justify="right")
    for seat in range(result.players):
        won = result.win_share(seat)
        interval = f"{won.low:.{digits}%} – {won.high:.{digits}%}"
        score = plus_minus(result.mean_score(seat), digits)
        table.add_row(f"[{SEATS[seat]}]{seat}[/]", score, f"{won.value:.{digits}%}", interval)
    console.print(table)
    length = plus_minus(result.mean_length, digits - 1)
    console.print(
        f"Wins shared in {result.shared / games:.{digits}%} of the games; "
        "a shared win counts for each."
    )
    console.print(
        f"Length: {length} moves and outcomes, from {result.shortest} to {result.longest}."
    )
    speed = result.events / result.seconds / 1e6 if result.seconds else 0.0
    console.print(
        f"[dim]{result.events:,} events in {result.seconds:.2f} s: "
        f"{speed:.1f} million per second.[/]"
    )
