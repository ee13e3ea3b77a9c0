"""`souk puzzles`: print, generate and check the daily puzzles."""

import datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from souk.analysis.puzzles.daily import (
    DAYS,
    PuzzleLine,
    day_of,
    file_of,
    games_with_puzzles,
    line_of,
    read_date,
    read_lines,
)
from souk.core.game import Game
from souk.drawing.palette import LAMP, SAND
from souk.games import game as find_game
from souk.games import names

puzzles = typer.Typer(
    help="The daily puzzles: print, generate and check them.",
    no_args_is_help=True,
)
console = Console(highlight=False)

Games = Annotated[
    list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; default: all.")
]
Place = Annotated[
    Path | None,
    typer.Option(metavar="DIR", help="Folder with GAME.jsonl; default: the games' own files."),
]
Playouts = Annotated[
    int | None,
    typer.Option(help="Playouts per search, 0 for no search; default: as many as for generating."),
]
OnlyDate = Annotated[str | None, typer.Option(help="Only the puzzles of this date.")]


def _file(game: Game, folder: Path | None) -> Path:
    return folder / f"{game.name}.jsonl" if folder else file_of(game)


def _wanted(given: list[str] | None) -> list[Game]:
    return [find_game(name) for name in given or names()]


@puzzles.command()
def today(
    date: Annotated[
        str | None, typer.Argument(metavar="[DATE]", help="Such as 2026-11-16; default: today.")
    ] = None,
) -> None:
    """Print the puzzles of a day, without the answers."""
    when = read_date(date) if date else datetime.date.today()
    console.print(f"[bold {LAMP}]{when}[/]")
    for name in games_with_puzzles():
        game, line = find_game(name), line_of(name, when)
        console.print(f"\n[bold]{game.title}[/]")
        table = Table.grid(padding=(0, 2))
        for grade, solo in line.solos.items():
            chosen = ", ".join(f"{option} {value}" for option, value in solo.options.items())
            table.add_row(f"[{SAND}]{grade}[/]", f"{chosen}; dice: {' '.join(solo.coming)}")
        if line.position:
            pos = line.position.start(game)
            table.add_row(
                f"[{SAND}]seat {line.position.seat}[/]",
                repr(pos),
                f"{len(line.position.weighed)} moves ranked",
            )
        console.print(table)


@puzzles.command()
def make(
    games: Games = None,
    first: Annotated[int, typer.Option(help="First day of the year, 1 to 366.")] = 1,
    days: Annotated[
        int, typer.Option(help="Number of days; continues in January after December.")
    ] = DAYS,
    out: Place = None,
) -> None:
    """Generate puzzles, day by day, keeping existing ones.

    Ctrl-C stops; run the same command again to resume.
    """
    from souk.analysis.puzzles.generate import make_line
    from souk.cli.progress import counting_bars, prepare_with_progress

    if not 1 <= first <= DAYS or not 1 <= days <= DAYS:
        raise ValueError(f"first, days: must be from 1 to {DAYS}")
    wanted = _wanted(games)
    prepare_with_progress(console, [game for game in wanted if not game.puzzles.GRADES])
    with counting_bars(console) as bars:
        for game in wanted:
            file = _file(game, out)
            existing = {line.day for line in read_lines(file)} if file.is_file() else set()
            task = bars.add_task(game.title, total=days)
            for day in (1 + (first - 1 + k) % DAYS for k in range(days)):
                if day not in existing:
                    _add(file, make_line(game, day))
                bars.advance(task)
            _sort(file)


def _add(file: Path, line: PuzzleLine) -> None:
    """Append a line at once, so that nothing is lost on Ctrl-C."""
    with file.open("ab") as end:
        end.write(msgspec.json.encode(line) + b"\n")


def _sort(file: Path) -> None:
    lines = sorted(read_lines(file), key=lambda line: line.day)
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


@puzzles.command()
def check(
    games: Games = None, playouts: Playouts = None, date: OnlyDate = None, out: Place = None
) -> None:
    """Check puzzles: solve every solitaire puzzle and search every position again.

    Exit status 1 if there are faults.
    """
    from souk.analysis.puzzles.generate import DEEP
    from souk.analysis.puzzles.verify import find_faults
    from souk.cli.progress import counting_bars

    day, wrong = day_of(read_date(date)) if date else None, 0
    with counting_bars(console) as bars:
        for game in _wanted(games):
            file = _file(game, out)
            lines = (
                [line for line in read_lines(file) if day in (None, line.day)]
                if file.is_file()
                else []
            )
            task = bars.add_task(game.title, total=len(lines))
            for line in lines:
                for fault in find_faults(game, line, DEEP if playouts is None else playouts):
                    wrong += 1
                    bars.console.print(f"{game.name}, {fault}")
                bars.advance(task)
    console.print(f"{wrong} faults" if wrong else "No faults found.")
    if wrong:
        raise typer.Exit(1)
