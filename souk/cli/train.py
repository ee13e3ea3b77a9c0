"""`souk train`: a progress bar, a table of rounds, and how to resume after Ctrl-C."""

import math
import shlex
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import BarColumn, TaskProgressColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bars
from rich.table import Table

from souk.drawing.palette import BRASS, LAMP, SAND
from souk.games import game as find_game
from souk.lab.formatting import long_time, percent
from souk.lab.training.history import History, Round
from souk.lab.training.html import PAGE
from souk.lab.training.loop import Progress, Training, check_settings, find_device
from souk.lab.training.settings import TrainingSettings
from souk.lab.validation import check_whole
from souk.lab.workers import Workers
from souk.nets import loader

_USUAL_HOURS = 1.0
_SHOWN = 12  # rounds in the live table, so that the bar stays visible


@dataclass(frozen=True)
class TrainingRequest:
    """How long to train, on what, and where to save the result."""

    hours: float | None = None
    rounds: int | None = None
    device: str = "auto"
    out: Path | None = None
    into: Path | None = None


def train_with_progress(
    console: Console, settings: TrainingSettings, request: TrainingRequest, workers: Workers
) -> bool:
    """Train or resume, and show the result; return False if interrupted."""
    _check(settings, request)
    folder = request.out or Path(f"train-{settings.game}-{settings.players}")
    with _ProgressView(console) as view, workers:
        training = Training(settings, folder, find_device(request.device), workers, view)
        view.start(training.state)
        _announce(console, training)
        stopped = not _train(training, request, view)
    if training.state.rounds:
        if console.is_terminal:
            console.print(rounds_table(training.state.rounds))
        console.print(
            f"[dim]Written:[/] {escape(str(folder / PAGE))}, training.json and the nets",
            soft_wrap=True,
        )
    if stopped:
        console.print(
            f"[bold {LAMP}]Stopped in round {len(training.state.rounds) + 1}.[/] "
            "Finished rounds are saved; to resume:"
        )
        console.print(f"  {escape(shlex.join(['souk', *sys.argv[1:]]))}", soft_wrap=True)
    elif request.into:
        _hand_over(console, training, request.into)
    return not stopped


def _check(settings: TrainingSettings, request: TrainingRequest) -> None:
    """Raise ValueError for invalid settings before anything starts."""
    game = check_settings(settings)
    if request.hours is not None and not 0 < request.hours < math.inf:
        raise ValueError(f"hours: must be more than 0, not {request.hours:g}")
    if request.rounds is not None:
        check_whole("rounds", request.rounds, 1, 1_000_000)
    if request.into and request.into.exists():
        loader.all_nets(game, request.into)


def _train(training: Training, request: TrainingRequest, view: "_ProgressView") -> bool:
    """Run the rounds; return False if interrupted."""
    hours = _USUAL_HOURS if request.hours is None and request.rounds is None else request.hours
    try:
        for finished in training.run(request.rounds, None if hours is None else 3600 * hours):
            view.round_done(finished)
    except KeyboardInterrupt:
        return False
    return True


def _announce(console: Console, training: Training) -> None:
    chosen, done = training.settings, len(training.state.rounds)
    console.print(
        f"[bold {LAMP}]{find_game(chosen.game).title}[/], "
        f"{chosen.players} player{'s' * (chosen.players != 1)}, seed {chosen.seed}: "
        f"{chosen.positions:,} positions per round, training on {training.device}"
    )
    if done:
        before = f"{done} round{'s' * (done != 1)} in {long_time(training.state.seconds)}"
        console.print(f"[{SAND}]Already done: {before}, in {escape(str(training.folder))}.[/]")


def _hand_over(console: Console, training: Training, path: Path) -> None:
    if not training.state.kept:
        console.print(
            f"[{SAND}]No new net has won its match: {escape(str(path))} is unchanged.[/]",
            soft_wrap=True,
        )
        return
    training.export_best(path)
    players = training.settings.players
    console.print(
        f"[dim]The net for {players} player{'s' * (players != 1)} is now in[/] {escape(str(path))}",
        soft_wrap=True,
    )


# ---------------------------------------------------------------- while it learns


class _ProgressView(Progress):
    """A live table of rounds with a progress bar; without a terminal, one line per round."""

    def __init__(self, console: Console) -> None:
        columns = (
            TextColumn("{task.description}"),
            BarColumn(complete_style=LAMP, finished_style=LAMP),
            TaskProgressColumn(),
            TextColumn("[dim]{task.fields[detail]}[/]"),
            TimeElapsedColumn(),
        )
        self._bars = Bars(*columns, console=console)
        self._task = self._bars.add_task("", total=1.0, visible=False, detail="")
        self._live = Live(console=console, transient=True, refresh_per_second=4)
        self._console, self._what = console, ""
        self._history: History | None = None

    def __enter__(self) -> "_ProgressView":
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def start(self, history: History) -> None:
        self._history = history
        if self._console.is_terminal:
            self._live.start()
            self._show()

    def tell(self, what: str, done: float, detail: str = "") -> None:
        if what != self._what:
            self._what = what
            self._bars.reset(self._task, total=1.0, visible=True, detail="")
            number = len(self._history.rounds) + 1 if self._history else 1
            self._bars.update(self._task, description=f"round {number}: [bold {LAMP}]{what}[/]")
        self._bars.update(self._task, completed=done, detail=detail)

    def round_done(self, finished: Round) -> None:
        self._what = ""
        if self._console.is_terminal:
            self._show()
        else:
            self._console.print(_line(finished), soft_wrap=True)

    def _show(self) -> None:
        rounds = self._history.rounds[-_SHOWN:] if self._history else []
        self._live.update(Group(rounds_table(rounds), self._bars) if rounds else self._bars)


def _interval(finished: Round) -> str:
    return f"{percent(max(0.0, finished.low))} – {percent(min(1.0, finished.high))}"


def _line(finished: Round) -> str:
    return (
        f"Round {finished.number}: {finished.positions:,} positions, "
        f"wins {percent(finished.share)} ({_interval(finished)}) of {finished.games:,} games, "
        f"{'kept' if finished.kept else 'not kept'}, {long_time(sum(finished.seconds.values()))}"
    )


def rounds_table(rounds: Iterable[Round]) -> Table:
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 1))
    for heading in (
        "round",
        "positions",
        "chances",
        "score",
        "wins",
        "95 % interval",
        "games",
        "time",
        "",
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for finished in rounds:
        table.add_row(
            f"[{LAMP}]{finished.number}[/]",
            f"{finished.positions:,}",
            f"{finished.chances:.3f} [dim]({finished.chances_before:.3f})[/]",
            f"{finished.score:.2f} [dim]({finished.score_before:.2f})[/]",
            f"[bold]{percent(finished.share)}[/]",
            _interval(finished),
            f"{finished.games:,}",
            long_time(sum(finished.seconds.values())),
            "kept" if finished.kept else "[dim]not kept[/]",
        )
    return table
