"""`souk puzzles`: making the puzzles of the day, checking them, and printing those of a date."""

import datetime
from pathlib import Path
from typing import Annotated

import msgspec
import typer
from rich.console import Console
from rich.table import Table

from souk.core.game import Game
from souk.games import game as find_game
from souk.games import names
from souk.games.art.palette import LAMP, SAND
from souk.study.puzzles.year import (
    DAYS,
    PuzzleLine,
    day_of,
    file_of,
    games_with_puzzles,
    line_of,
    read_date,
    read_lines,
)

puzzles = typer.Typer(help="The puzzles of the day: print them, make a year of them, check them.", no_args_is_help=True)
console = Console(highlight=False)

Games = Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games; all if left out.")]
Place = Annotated[
    Path | None, typer.Option(metavar="DIR", help="A folder for GAME.jsonl; the games' own files if left out.")
]


def _file(game: Game, folder: Path | None) -> Path:
    return folder / f"{game.name}.jsonl" if folder else file_of(game)


def _wanted(given: list[str] | None) -> list[Game]:
    return [find_game(name) for name in given or names()]


@puzzles.command()
def today(
    date: Annotated[str | None, typer.Argument(metavar="[DATE]", help="As in 2026-11-16; today if left out.")] = None,
) -> None:
    """Print the puzzles of a day, without their answers."""
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
                f"[{SAND}]seat {line.position.seat}[/]", repr(pos), f"{len(line.position.weighed)} moves looked at"
            )
        console.print(table)


@puzzles.command()
def make(
    games: Games = None,
    first: Annotated[int, typer.Option(help="The day to begin with, from 1 to 366.")] = 1,
    days: Annotated[int, typer.Option(help="How many days to make, after December from January on.")] = DAYS,
    out: Place = None,
) -> None:
    """Make puzzles, day by day. Those that are there stay; Ctrl-C stops, the same command goes on."""
    from souk.cli.progress import counting_bars, prepare_with_progress
    from souk.study.puzzles.making import make_line

    if not 1 <= first <= DAYS or not 1 <= days <= DAYS:
        raise ValueError(f"first, days: must be from 1 to {DAYS}")
    found = _wanted(games)
    prepare_with_progress(console, [game for game in found if not game.puzzles.GRADES])
    with counting_bars(console) as bars:
        for game in found:
            file = _file(game, out)
            there = {line.day for line in read_lines(file)} if file.is_file() else set()
            task = bars.add_task(game.title, total=days)
            for day in (1 + (first - 1 + k) % DAYS for k in range(days)):
                if day not in there:
                    _add(file, make_line(game, day))
                bars.advance(task)
            _sort(file)


def _add(file: Path, line: PuzzleLine) -> None:
    """At the end, at once: what has been made is not lost where it is broken off."""
    with file.open("ab") as end:
        end.write(msgspec.json.encode(line) + b"\n")


def _sort(file: Path) -> None:
    lines = sorted(read_lines(file), key=lambda line: line.day)
    file.write_bytes(b"".join(msgspec.json.encode(line) + b"\n" for line in lines))


@puzzles.command()
def check(
    games: Games = None,
    playouts: Annotated[
        int | None,
        typer.Option(help="Of the search for the best move, 0 for none; as deep as they were made if left out."),
    ] = None,
    date: Annotated[str | None, typer.Option(help="Only the puzzles of this date.")] = None,
    out: Place = None,
) -> None:
    """Check puzzles: solve every errand again, and look for the best move of every position by a deep search with other seeds. Ends with 1 where
    something is wrong."""
    from souk.cli.progress import counting_bars
    from souk.study.puzzles.checking import faults
    from souk.study.puzzles.making import DEEP

    day, wrong = day_of(read_date(date)) if date else None, 0
    with counting_bars(console) as bars:
        for game in _wanted(games):
            file = _file(game, out)
            lines = [line for line in read_lines(file) if day in (None, line.day)] if file.is_file() else []
            task = bars.add_task(game.title, total=len(lines))
            for line in lines:
                for fault in faults(game, line, DEEP if playouts is None else playouts):
                    wrong += 1
                    bars.console.print(f"{game.name}, {fault}")
                bars.advance(task)
    console.print(f"{wrong} faults" if wrong else "Everything is in order.")
    if wrong:
        raise typer.Exit(1)
