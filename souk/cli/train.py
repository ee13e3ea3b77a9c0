"""Training a mind on the command line: a bar for what is being done, a table of rounds, and how to go on after Ctrl-C."""

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

from souk.games import game as find_game
from souk.games.art.palette import BRASS, LAMP, SAND
from souk.lab.checks import check_whole
from souk.lab.training.annals import Annals, Curriculum, Round
from souk.lab.training.page import PAGE
from souk.lab.training.training import Progress, Training, check_curriculum, find_device
from souk.lab.wording import long_time, percent
from souk.lab.workers import Workers
from souk.minds import shelf

_USUAL_HOURS = 1.0
_SHOWN = 12  # rounds in the live table, so that the bar stays in sight


@dataclass(frozen=True)
class TrainingOrder:
    """How long to train, with what, and where to put what comes of it."""

    hours: float | None = None
    rounds: int | None = None
    device: str = "auto"
    out: Path | None = None
    into: Path | None = None


def train_with_progress(console: Console, settings: Curriculum, order: TrainingOrder, workers: Workers) -> bool:
    """Train, or go on with it, and show what came of it. Returns whether it was not stopped."""
    _check(settings, order)
    folder = order.out or Path(f"train-{settings.game}-{settings.players}")
    with _Blackboard(console) as blackboard, workers:
        training = Training(settings, folder, find_device(order.device), workers, blackboard)
        blackboard.look_at(training.state)
        _announce(console, training)
        stopped = not _train(training, order, blackboard)
    if training.state.rounds:
        if console.is_terminal:
            console.print(rounds_table(training.state.rounds))
        console.print(f"[dim]Written:[/] {escape(str(folder / PAGE))}, training.json and the minds", soft_wrap=True)
    if stopped:
        console.print(
            f"[bold {LAMP}]Stopped in round {len(training.state.rounds) + 1}.[/] What was done is kept; to go on:"
        )
        console.print(f"  {escape(shlex.join(['souk', *sys.argv[1:]]))}", soft_wrap=True)
    elif order.into:
        _hand_over(console, training, order.into)
    return not stopped


def _check(settings: Curriculum, order: TrainingOrder) -> None:
    """ValueError for what cannot be, before anything is begun."""
    game = check_curriculum(settings)
    if order.hours is not None and not 0 < order.hours < math.inf:
        raise ValueError(f"hours: must be more than 0, not {order.hours:g}")
    if order.rounds is not None:
        check_whole("rounds", order.rounds, 1, 1_000_000)
    if order.into and order.into.exists():
        shelf.all_minds(game, order.into)


def _train(training: Training, order: TrainingOrder, blackboard: "_Blackboard") -> bool:
    """All rounds that are wanted; returns whether it came to its end."""
    hours = _USUAL_HOURS if order.hours is None and order.rounds is None else order.hours
    try:
        for each in training.go_on(order.rounds, None if hours is None else 3600 * hours):
            blackboard.round_done(each)
    except KeyboardInterrupt:
        return False
    return True


def _announce(console: Console, training: Training) -> None:
    chosen, done = training.settings, len(training.state.rounds)
    console.print(
        f"[bold {LAMP}]{find_game(chosen.game).title}[/], {chosen.players} player{'s' * (chosen.players != 1)}, "
        f"seed {chosen.seed}: {chosen.positions:,} positions a round, learning on {training.device}"
    )
    if done:
        before = f"{done} round{'s' * (done != 1)} in {long_time(training.state.seconds)}"
        console.print(f"[{SAND}]Already done: {before}, in {escape(str(training.folder))}.[/]")


def _hand_over(console: Console, training: Training, path: Path) -> None:
    if not training.state.kept:
        console.print(f"[{SAND}]No new mind has won its match: {escape(str(path))} stays as it was.[/]", soft_wrap=True)
        return
    training.hand_over(path)
    players = training.settings.players
    console.print(
        f"[dim]The mind for {players} player{'s' * (players != 1)} is now in[/] {escape(str(path))}", soft_wrap=True
    )


# ---------------------------------------------------------------- while it learns


class _Blackboard(Progress):
    """The table of rounds with a bar for what is being done; where nobody looks (no terminal), a plain line for every round."""

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
        self._annals: Annals | None = None

    def __enter__(self) -> "_Blackboard":
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def look_at(self, annals: Annals) -> None:
        self._annals = annals
        if self._console.is_terminal:
            self._live.start()
            self._show()

    def tell(self, what: str, done: float, detail: str = "") -> None:
        if what != self._what:
            self._what = what
            self._bars.reset(self._task, total=1.0, visible=True, detail="")
            number = len(self._annals.rounds) + 1 if self._annals else 1
            self._bars.update(self._task, description=f"round {number}: [bold {LAMP}]{what}[/]")
        self._bars.update(self._task, completed=done, detail=detail)

    def round_done(self, each: Round) -> None:
        self._what = ""
        if self._console.is_terminal:
            self._show()
        else:
            self._console.print(_line(each), soft_wrap=True)

    def _show(self) -> None:
        rounds = self._annals.rounds[-_SHOWN:] if self._annals else []
        self._live.update(Group(rounds_table(rounds), self._bars) if rounds else self._bars)


def _interval(each: Round) -> str:
    return f"{percent(max(0.0, each.low))} – {percent(min(1.0, each.high))}"


def _line(each: Round) -> str:
    return (
        f"Round {each.number}: {each.positions:,} positions, wins {percent(each.share)} ({_interval(each)}) of {each.games:,} games, "
        f"{'kept' if each.kept else 'not kept'}, {long_time(sum(each.seconds.values()))}"
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
    for each in rounds:
        table.add_row(
            f"[{LAMP}]{each.number}[/]",
            f"{each.positions:,}",
            f"{each.chances:.3f} [dim]({each.chances_before:.3f})[/]",
            f"{each.score:.2f} [dim]({each.score_before:.2f})[/]",
            f"[bold]{percent(each.share)}[/]",
            _interval(each),
            f"{each.games:,}",
            long_time(sum(each.seconds.values())),
            "kept" if each.kept else "[dim]not kept[/]",
        )
    return table
