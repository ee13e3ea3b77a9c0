"""A game looked back at on the command line: behind a bar, then its turning points and everybody's luck and skill."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rich.console import Console, Group
from rich.markup import escape
from rich.padding import Padding
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from souk.cli.progress import counting_bars, prepare_with_progress
from souk.cli.reports import check_out
from souk.core.message import Words
from souk.core.record import BadRecord, Record, load
from souk.games.art.palette import BAD, BRASS, FAINT, GOOD, LAMP, SAND, SEATS
from souk.lab.workers import Processes
from souk.study.alone import study_alone
from souk.study.analysing import check, check_effort, effort_for, put_together, result_for
from souk.study.looking import Look, look_at, pieces
from souk.study.study import Study
from souk.study.telling import Teller

_SHOWN = 8  # turning points
_WIDE = 100  # columns from which on they are a table
_WIDE_SEATS = 120  # and from which on each seat has a row: below, German and Dutch headings would be cut
_MARKS = {"inaccuracy": LAMP, "mistake": BRASS, "blunder": BAD}


@dataclass(frozen=True)
class StudyOrder:
    """What is asked for: a game, how hard to think, and where to write what is found."""

    file: Path
    playouts: int | None = None
    seconds: float | None = None
    seed: int = 0
    unfinished: bool = False
    processes: int | None = None
    html: Path | None = None
    json: Path | None = None


def look_back(console: Console, order: StudyOrder, language: str = "en") -> None:
    """Look back at a saved game, say what was found, and write it where it is wished for."""
    for path, suffix in ((order.html, ".html"), (order.json, ".json")):
        if path is not None:
            check_out(path, suffix)
            if path.suffix != suffix:
                raise ValueError(f"{suffix[1:]}: the name must end in {suffix}, not {path.name!r}")
    record = _loaded(order.file)
    check(record, order.unfinished)
    check_effort(order.playouts, order.seconds, order.seed)
    workers = Processes(order.processes)
    study = study_alone(record, order.seed) if record.start.players == 1 else _studied(record, order, workers, language)
    show_study(console, study, language)
    for path in filter(None, (order.html, order.json)):
        study.save(path, language)
        console.print(f"[{LAMP}]{escape(Words(language)('study.page.written', file=str(path)))}[/]", soft_wrap=True)


def _loaded(file: Path) -> Record:
    try:
        return load(file)
    except BadRecord as error:
        raise ValueError(f"{file.name}, {error}") from None


def _studied(record: Record, order: StudyOrder, workers: Processes, language: str) -> Study:
    """The pieces of a game are looked at by several at once, and put together here."""
    aside = Console(stderr=True)
    prepare_with_progress(aside, [record.game], language)
    effort, cut = effort_for(record, order.playouts, order.seconds, order.seed), pieces(record)
    looks: list[Look] = []
    with workers, counting_bars(aside, transient=True) as progress:
        task = progress.add_task(Words(language)("study.page.working"), total=len(cut))
        for found in workers.in_order(partial(look_at, effort=effort), cut):
            looks += found
            progress.advance(task)
    return put_together(record, cut, looks, result_for(record, effort), effort)


# ---------------------------------------------------------------- what is shown


def show_study(console: Console, study: Study, language: str = "en") -> None:
    """The turning points of a game, and what it came to for everybody."""
    teller = Teller(study, language)
    words = teller.words
    console.print(Rule(f"[bold {LAMP}]{escape(teller.title)}[/]", style=BRASS))
    console.print(f"[{SAND}]{escape(teller.result())}[/] [{FAINT}]{escape(teller.effort())}[/]\n")
    points = sorted(teller.turning_points(_SHOWN))
    console.print(f"[bold {BRASS}]{escape(words('study.page.turning_points'))}[/]")
    if not points:
        console.print(f"[{FAINT}]{escape(words('study.page.none'))}[/]")
    elif console.width >= _WIDE:
        console.print(_points_table(teller, points))
    else:
        console.print(Group(*(_point(teller, number) for number in points)))
    console.print(f"\n[bold {BRASS}]{escape(words('study.page.luck_and_skill'))}[/]")
    console.print(_seats_table(teller, console.width))
    console.print(f"[{FAINT}]{escape(teller.sum_note())} {escape(teller.accuracy_note())}[/]")


def _points_table(teller: Teller, points: list[int]) -> Table:
    table = Table(box=None, header_style=f"bold {FAINT}", padding=(0, 2, 1, 0))
    table.add_column(teller.words("study.page.step"), justify="right", no_wrap=True)
    table.add_column(teller.words("study.page.who"), min_width=8)
    for heading, ratio in (("what", 4), ("better", 3), ("came_to", 2)):
        table.add_column(teller.words(f"study.page.{heading}"), ratio=ratio)
    for number in points:
        better = Text(teller.better(number), GOOD)
        if why := teller.why(number):
            better.append(f"\n{why}", FAINT)
        table.add_row(
            f"[dim]{number}[/]", _who(teller, number), Text(teller.what(number)), better, _outcome(teller, number)
        )
    return table


def _point(teller: Teller, number: int) -> Padding:
    """A turning point where there is no room for a table."""
    words, step = teller.words, teller.step(number)
    lines = [
        Text.from_markup(f"[dim]{escape(words('study.page.number', n=number))}[/]  ") + _who(teller, number),
        Text(teller.what(number)),
    ]
    if better := teller.better(number):
        lines.append(
            Text(words("study.page.mixed_is" if step.mix else "study.page.better_is", what=better), style=GOOD)
        )
    if why := teller.why(number):
        lines.append(Text(why, FAINT))
    return Padding(Group(*lines, _outcome(teller, number)), (0, 0, 1, 1))


def _who(teller: Teller, number: int) -> Text:
    seat = teller.step(number).seat
    return (
        Text(teller.words("study.page.nobody"), FAINT)
        if seat is None
        else Text(teller.names[seat], f"bold {SEATS[seat]}")
    )


def _outcome(teller: Teller, number: int) -> Text:
    """What a step came to: the mark, what was given away, and the luck."""
    parts = []
    if mark := teller.mark(number):
        parts.append(Text(mark, f"bold {_MARKS[teller.step(number).mark]}"))
    if cost := teller.cost(number):
        parts.append(Text(teller.words("study.page.given_away", what=cost)))
    if effect := teller.effect(number):
        parts.append(Text(teller.words("study.page.effect_was", what=effect), FAINT))
    if fortune := teller.fortune(number):
        parts.append(Text(teller.words("study.page.luck_was", what=fortune), SAND))
    return Text("\n").join(parts)


def _seats_table(teller: Teller, width: int) -> Table:
    """A row for each seat, or where that is too wide a column."""
    headings = ["start", "luck", "own", *([] if teller.alone else ["others"]), "result", "accuracy", "seat_marks"]
    columns = [
        [Text("")] + [Text(teller.words(f"study.page.{heading}"), f"bold {FAINT}") for heading in headings],
        *(_seat(teller, seat) for seat in teller.seats),
    ]
    wide = width >= _WIDE_SEATS
    table = Table(box=None, show_header=False, padding=(0, 2 if wide else 1, 0, 0))
    for k in range(len(columns[0] if wide else columns)):
        table.add_column(justify="right" if k else "left", max_width=18 if wide or k else 22)
    for row in columns if wide else zip(*columns, strict=True):
        table.add_row(*row)
    return table


def _seat(teller: Teller, seat: int) -> list[Text]:
    balance = teller.study.seats[seat]
    start, result = (Text(teller.figure(abs(value), sign=False)) for value in (balance.start, balance.result))
    changes = [balance.luck, balance.own, *([] if teller.alone else [balance.others])]
    name, marks = Text(teller.names[seat], f"bold {SEATS[seat]}"), Text(" · ".join(map(str, teller.marks(seat))))
    accuracy = Text(teller.accuracy(seat), f"bold {LAMP}")
    return [name, start, *(_signed(teller, value) for value in changes), result, accuracy, marks]


def _signed(teller: Teller, value: float) -> Text:
    return Text(teller.figure(value), GOOD if value > 0.0005 else BAD if value < -0.0005 else FAINT)
