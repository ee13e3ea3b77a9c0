"""`souk bench`: a table of the speeds of random games."""

import os
import time
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from souk.cli.progress import compile_with_progress
from souk.core.game import Game
from souk.drawing.palette import BRASS, LAMP
from souk.lab.simulate.speed import Speed, measure_speed


def show_speeds(console: Console, games: Sequence[Game], seconds: float, gpu: bool) -> list[Speed]:
    """Measure and show the speeds. Kernels are compiled first, with a progress bar."""
    begin = time.perf_counter()
    compile_with_progress(Console(stderr=True), games)
    ready = f"Ready after {time.perf_counter() - begin:.1f} s."
    console.print(f"[dim]{ready} Random play, moves and chance outcomes per second:[/]")
    cores = os.cpu_count() or 1
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 2))
    headings = [
        "game",
        "players",
        "interpreted",
        "one core",
        "× interpreted",
        f"{cores} cores",
        "× one core",
    ]
    for heading in headings + ["GPU"] * gpu:
        table.add_column(heading, justify="left" if heading == "game" else "right")
    speeds = [measure_speed(game, game.players[-1], seconds, gpu) for game in games]
    for speed in speeds:
        table.add_row(*_row(speed))
    console.print(table)
    return speeds


def _row(speed: Speed) -> list[str]:
    return [
        f"[{LAMP}]{speed.game}[/]",
        str(speed.players),
        f"{speed.interpreted:,.0f}",
        f"{speed.one_core / 1e6:.1f} M",
        f"{speed.one_core / speed.interpreted:,.0f}",
        f"{speed.all_cores / 1e6:.1f} M",
        f"{speed.all_cores / speed.one_core:.2f}",
        *([f"{speed.gpu / 1e9:.2f} G"] if speed.gpu else []),
    ]
