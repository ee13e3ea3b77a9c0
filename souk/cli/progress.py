"""Bars for whoever waits: what is happening, how far it is, and how long it takes."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    SpinnerColumn,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from souk.bots.preparing import is_prepared, prepare
from souk.core.game import Game
from souk.core.message import Words
from souk.kernel.batches import cpu_kernel
from souk.kernel.cache import is_ready
from souk.kernel.playouts import play_range

# What the rules of one game, and its bots, take to compile on a usual core; only said, never waited for.
_RULES_SECONDS, _BOTS_SECONDS = 6, 20


@dataclass(frozen=True)
class Work:
    """Something that takes a while, and what to say meanwhile."""

    about: str
    do: Callable[[], object]


def work_with_progress(console: Console, works: Sequence[Work], seconds: int, language: str = "en") -> None:
    """Do one thing after the other, each taking about so many seconds."""
    if not works:
        return
    about = Words(language)("terminal.once", n=seconds * len(works))
    columns = SpinnerColumn(), TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn()
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("", total=len(works))
        for work in works:
            progress.update(task, description=f"{work.about} {about}")
            work.do()
            progress.advance(task)


def compile_with_progress(console: Console, games: Sequence[Game]) -> None:
    """Compile the rules that are not on disk yet, and load the rest."""
    missing = [game for game in games if not is_ready(game, play_range)]
    words = Words()
    works = [Work(words("terminal.compiling_rules", game=game.title), partial(cpu_kernel, game)) for game in missing]
    work_with_progress(console, works, _RULES_SECONDS)
    for game in games:
        cpu_kernel(game)


def prepare_with_progress(console: Console, games: Sequence[Game], language: str = "en") -> None:
    """Compile the bots that are not on disk yet, and load the rest."""
    works, words = [], Words(language)
    for game in games:
        if not is_prepared(game):
            about = words("terminal.compiling_bots", game=game.title_in(language))
            works.append(Work(about, partial(prepare, game)))
    work_with_progress(console, works, _BOTS_SECONDS, language)
    for game in games:
        prepare(game)


def counting_bars(console: Console, *, transient: bool = False) -> Progress:
    """Bars for games that are played: what, how many of how many, and how long the rest takes."""
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=console, transient=transient)
