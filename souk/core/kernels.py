"""Compiling ahead, with a bar that says what is happening and how long it takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from souk.core.batches import cpu_kernel, kernel_folder

if TYPE_CHECKING:
    from souk.core.game import Game

_SECONDS = 10  # what the rules of one game take to compile on a usual core; only said, never waited for


@dataclass(frozen=True)
class Work:
    """Something that takes a while, and what to say meanwhile."""

    about: str
    do: Callable[[], None]


def work_with_progress(console: Console, works: Sequence[Work], seconds: int) -> None:
    """Do one thing after the other, each taking about so many seconds."""
    if not works:
        return
    about = f"(once, about {seconds * len(works)} s)"
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(works))
        for work in works:
            progress.update(task, description=f"{work.about} {about}")
            work.do()
            progress.advance(task)


def is_compiled(game: "Game") -> bool:
    """Whether a game's kernel is on disk, so that it loads at once."""
    return (kernel_folder(game) / "compiled").is_file()


def _compile(game: "Game") -> None:
    cpu_kernel(game)
    (kernel_folder(game) / "compiled").touch()


def compile_with_progress(console: Console, games: Sequence["Game"]) -> None:
    """Compile what is not on disk yet, and load the rest."""
    missing = [game for game in games if not is_compiled(game)]
    works = [Work(f"Compiling the rules of {game.title}", partial(_compile, game)) for game in missing]
    work_with_progress(console, works, _SECONDS)
    for game in games:
        cpu_kernel(game)
