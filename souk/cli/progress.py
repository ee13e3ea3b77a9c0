"""Progress bars."""

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

from souk.bots.precompile import is_prepared, prepare
from souk.core.game import Game
from souk.core.messages import Words
from souk.kernel.batch_play import cpu_kernel
from souk.kernel.cache import is_ready
from souk.kernel.playouts import play_range

# Typical compile times of a game's rules and bots on one core, for the message only.
_RULES_SECONDS, _BOTS_SECONDS = 6, 20


@dataclass(frozen=True)
class Work:
    """A slow task and its description."""

    about: str
    do: Callable[[], object]


def work_with_progress(
    console: Console, works: Sequence[Work], seconds: int, language: str = "en"
) -> None:
    """Run tasks one after the other; `seconds` is the typical time of each."""
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
    """Compile the rules that are not cached yet, and load the rest."""
    missing = [game for game in games if not is_ready(game, play_range)]
    words = Words()
    works = [
        Work(words("terminal.compiling_rules", game=game.title), partial(cpu_kernel, game))
        for game in missing
    ]
    work_with_progress(console, works, _RULES_SECONDS)
    for game in games:
        cpu_kernel(game)


def prepare_with_progress(console: Console, games: Sequence[Game], language: str = "en") -> None:
    """Compile the bots that are not cached yet, and load the rest."""
    works, words = [], Words(language)
    for game in games:
        if not is_prepared(game):
            about = words("terminal.compiling_bots", game=game.title_in(language))
            works.append(Work(about, partial(prepare, game)))
    work_with_progress(console, works, _BOTS_SECONDS, language)
    for game in games:
        prepare(game)


def counting_bars(console: Console, *, transient: bool = False) -> Progress:
    """Bars that count games: task, done of total, time remaining."""
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
    )
    return Progress(*columns, console=console, transient=transient)
