"""Compiling ahead, with a bar that says what is happening and how long it takes."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from souk.core.batches import cpu_kernel, kernel_folder

if TYPE_CHECKING:
    from souk.core.game import Game

_SECONDS = 10  # what one game takes to compile on a usual core; only said, never waited for


def is_compiled(game: "Game") -> bool:
    """Whether a game's kernel is on disk, so that it loads at once."""
    return (kernel_folder(game) / "compiled").is_file()


def compile_with_progress(console: Console, games: Sequence["Game"]) -> None:
    """Compile what is not on disk yet, and load the rest."""
    missing = [game for game in games if not is_compiled(game)]
    if missing:
        about = f"(once, about {_SECONDS * len(missing)} s)"
        columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
        with Progress(*columns, console=console, transient=True) as progress:
            task = progress.add_task(f"Compiling the rules {about}", total=len(missing))
            for game in missing:
                progress.update(task, description=f"Compiling the rules of {game.title} {about}")
                cpu_kernel(game)
                (kernel_folder(game) / "compiled").touch()
                progress.advance(task)
    for game in games:
        cpu_kernel(game)
