"""`souk analyse`: analyse a game with a progress bar, then show turning points and luck."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console, Group
from rich.markup import escape
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from souk.analysis.analyse import assemble, check, check_effort, effort_for, result_for
from souk.analysis.events import EventAnalysis, analysis_tasks, run_task
from souk.analysis.narration import Narrator
from souk.analysis.solitaire import analyse_solitaire
from souk.analysis.study import Study
from souk.cli.progress import counting_bars, prepare_with_progress
from souk.cli.reports import check_out
from souk.core.messages import Words
from souk.core.record import BadRecord, Record, load
from souk.drawing.palette import BAD, BRASS, FAINT, GOOD, LAMP, SAND, SEATS
from souk.lab.workers import Processes

_SHOWN = 8  # turning points
_WIDE = 100  # minimum width for a table of turning points
_WIDE_SEATS = 120  # minimum width for one row per seat: German and Dutch headings are long
_MARKS = {"inaccuracy": LAMP, "mistake": BRASS, "blunder": BAD}


@dataclass(frozen=True)
class AnalysisRequest:
    """A game to analyse, the effort, and the files to write."""

    file: Path
    playouts: int | None = None
    seconds: float | None = None
    seed: int = 0
    unfinished: bool = False
    processes: int | None = None
    html: Path | None = None
    json: Path | None = None


def analyse_with_progress(console: Console, request: AnalysisRequest, language: str = "en") -> None:
    """Analyse a saved game, show the result, and write the requested files."""
    for path, suffix in ((request.html, ".html"), (request.json, ".json")):
        if path is not None:
            check_out(path, suffix)
            if path.suffix != suffix:
                raise ValueError(f"{suffix[1:]}: the name must end in {suffix}, not {path.name!r}")
    record = _loaded(request.file)
    check(record, request.unfinished)
    check_effort(request.playouts, request.seconds, request.seed)
    workers = Processes(request.processes)
    study = (
        analyse_solitaire(record, request.seed)
        if record.start.players == 1
        else _studied(record, request, workers, language)
    )
    show_study(console, study, language)
    for path in filter(None, (request.html, request.json)):
        study.save(path, language)
        console.print(
            f"[{LAMP}]{escape(Words(language)('study.page.written', file=str(path)))}[/]",
            soft_wrap=True,
        )


def _loaded(file: Path) -> Record:
    try:
        return load(file, files=True)
    except BadRecord as error:
        raise ValueError(f"{file.name}, {error}") from None


def _studied(record: Record, order: AnalysisRequest, workers: Processes, language: str) -> Study:
    """Analyse the tasks of a game in parallel and assemble the study."""
    stderr = Console(stderr=True)
    prepare_with_progress(stderr, [record.game], language)
    effort, tasks = (
        effort_for(record, order.playouts, order.seconds, order.seed),
        analysis_tasks(record),
    )
    analyses: list[EventAnalysis] = []
    with workers, counting_bars(stderr, transient=True) as progress:
        task = progress.add_task(Words(language)("study.page.working"), total=len(tasks))
        for results in workers.in_order(partial(run_task, effort=effort), tasks):
            analyses += results
            progress.advance(task)
    return assemble(record, tasks, analyses, result_for(record, effort), effort)


# ---------------------------------------------------------------- what is shown


def show_study(console: Console, study: Study, language: str = "en") -> None:
    """Show the turning points and everybody's balance."""
    narrator = Narrator(study, language)
    words = narrator.words
    console.print(Rule(f"[bold {LAMP}]{escape(narrator.title)}[/]", style=BRASS))
    console.print(
        f"[{SAND}]{escape(narrator.result())}[/] [{FAINT}]{escape(narrator.effort())}[/]\n"
    )
    points = sorted(narrator.turning_points(_SHOWN))
    console.print(f"[bold {BRASS}]{escape(words('study.page.turning_points'))}[/]")
    if not points:
        console.print(f"[{FAINT}]{escape(words('study.page.none'))}[/]")
    elif console.width >= _WIDE:
        console.print(_points_table(narrator, points))
    else:
        console.print(Group(*(_point(narrator, number) for number in points)))
    console.print(f"\n[bold {BRASS}]{escape(words('study.page.luck_and_skill'))}[/]")
    console.print(_seats_table(narrator, console.width))
    console.print(f"[{FAINT}]{escape(narrator.sum_note())} {escape(narrator.accuracy_note())}[/]")


def _points_table(narrator: Narrator, points: list[int]) -> Table:
    table = Table(box=None, header_style=f"bold {FAINT}", padding=(0, 2, 1, 0))
    table.add_column(narrator.words("study.page.step"), justify="right", no_wrap=True)
    table.add_column(narrator.words("study.page.who"), min_width=8)
    for heading, ratio in (("what", 4), ("better", 3), ("came_to", 2)):
        table.add_column(narrator.words(f"study.page.{heading}"), ratio=ratio)
    for number in points:
        better = Text(narrator.better(number), GOOD)
        if why := narrator.why(number):
            better.append(f"\n{why}", FAINT)
        table.add_row(
            f"[dim]{number}[/]",
            _who(narrator, number),
            Text(narrator.what(number)),
            better,
            _outcome(narrator, number),
        )
    return table


def _point(narrator: Narrator, number: int) -> Padding:
    """A turning point without a table, for narrow terminals."""
    words, step = narrator.words, narrator.step(number)
    lines = [
        Text.from_markup(f"[dim]{escape(words('study.page.number', n=number))}[/]  ")
        + _who(narrator, number),
        Text(narrator.what(number)),
    ]
    if better := narrator.better(number):
        lines.append(
            Text(
                words("study.page.mixed_is" if step.mix else "study.page.better_is", what=better),
                style=GOOD,
            )
        )
    if why := narrator.why(number):
        lines.append(Text(why, FAINT))
    return Padding(Group(*lines, _outcome(narrator, number)), (0, 0, 1, 1))


def _who(narrator: Narrator, number: int) -> Text:
    seat = narrator.step(number).seat
    return (
        Text(narrator.words("study.page.nobody"), FAINT)
        if seat is None
        else Text(narrator.names[seat], f"bold {SEATS[seat]}")
    )


def _outcome(narrator: Narrator, number: int) -> Text:
    """The effect of a step: mark, loss, effect on others, luck."""
    parts = []
    if mark := narrator.mark(number):
        parts.append(Text(mark, f"bold {_MARKS[narrator.step(number).mark]}"))
    if cost := narrator.cost(number):
        parts.append(Text(narrator.words("study.page.given_away", what=cost)))
    if effect := narrator.effect(number):
        parts.append(Text(narrator.words("study.page.effect_was", what=effect), FAINT))
    if fortune := narrator.fortune(number):
        parts.append(Text(narrator.words("study.page.luck_was", what=fortune), SAND))
    return Text("\n").join(parts)


def _seats_table(narrator: Narrator, width: int) -> Table:
    """One row per seat, or one column in a narrow terminal."""
    headings = [
        "start",
        "luck",
        "own",
        *([] if narrator.alone else ["others"]),
        "result",
        "accuracy",
        "seat_marks",
    ]
    columns = [
        [Text("")]
        + [Text(narrator.words(f"study.page.{heading}"), f"bold {FAINT}") for heading in headings],
        *(_seat(narrator, seat) for seat in narrator.seats),
    ]
    wide = width >= _WIDE_SEATS
    table = Table(box=None, show_header=False, padding=(0, 2 if wide else 1, 0, 0))
    for k in range(len(columns[0] if wide else columns)):
        table.add_column(justify="right" if k else "left", max_width=18 if wide or k else 22)
    for row in columns if wide else zip(*columns, strict=True):
        table.add_row(*row)
    return table


def _seat(narrator: Narrator, seat: int) -> list[Text]:
    balance = narrator.study.seats[seat]
    start, result = (
        Text(narrator.figure(abs(value), sign=False)) for value in (balance.start, balance.result)
    )
    changes = [balance.luck, balance.own, *([] if narrator.alone else [balance.others])]
    name, marks = (
        Text(narrator.names[seat], f"bold {SEATS[seat]}"),
        Text(" · ".join(map(str, narrator.marks(seat)))),
    )
    accuracy = Text(narrator.accuracy(seat), f"bold {LAMP}")
    return [name, start, *(_signed(narrator, value) for value in changes), result, accuracy, marks]


def _signed(narrator: Narrator, value: float) -> Text:
    return Text(
        narrator.figure(value), GOOD if value > 0.0005 else BAD if value < -0.0005 else FAINT
    )
