"""A report or an export on the command line: what is asked for is checked first, then played behind a bar, then written."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from souk.cli.progress import compile_with_progress, counting_bars, prepare_with_progress
from souk.games import game as find_game
from souk.games.art.palette import LAMP
from souk.lab.report.gathering import check_games
from souk.lab.report.measuring import Measured, besides, measure
from souk.lab.report.outline import Outline
from souk.lab.report.page import at_table, page
from souk.lab.table_spec import TableSpec
from souk.lab.workers import Processes


def prepare(console: Console, tables: Sequence[TableSpec]) -> None:
    """Compile what the tables need that is not on disk yet."""
    games = [find_game(tables[0].game)]
    compile_with_progress(console, games)
    if any(table.thinking for table in tables):
        prepare_with_progress(console, games)


def make_report(console: Console, outline: Outline, processes: int | None, out: Path) -> None:
    """Play what an outline asks for and write the page, all of it or nothing."""
    check_out(out, ".html")
    every = [table for tables in outline.tables.values() for table in tables]
    prepare(Console(stderr=True), every)
    measured: dict[int, list[Measured]] = {}
    with Processes(processes) as workers, counting_bars(Console(stderr=True)) as progress:
        known = {players: besides(tables[0], workers) for players, tables in outline.tables.items()}
        for players, tables in outline.tables.items():
            measured[players] = []
            for table in tables:
                games = outline.games_of(table)
                task = progress.add_task(f"{at_table(players)}, {escape(table.bot)}", total=games)
                report = partial(progress.advance, task)
                measured[players].append(measure(table, games, outline.simulated, workers, report))
    draft = out.with_name(out.name + ".part")
    try:
        draft.write_text(page(every[0].game, measured, outline.command, known), encoding="utf-8")
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
    console.print(f"[bold {LAMP}]Written:[/] {escape(str(out))}", soft_wrap=True)


def export_decisions(console: Console, table: TableSpec, games: int, processes: int | None, out: Path) -> None:
    """Play games and write every decision of them to a Parquet file."""
    from souk.lab.report.export import check_pyarrow, export

    check_games(games)
    check_out(out, ".parquet")
    check_pyarrow()
    prepare(Console(stderr=True), [table])
    with counting_bars(Console(stderr=True)) as progress:
        task = progress.add_task(f"{at_table(table.players)}, {escape(table.bot)}", total=games)
        rows = export(table, games, out, processes, partial(progress.advance, task))
    console.print(f"[bold {LAMP}]Written:[/] {escape(str(out))}, {rows:,} rows", soft_wrap=True)


def check_out(out: Path, suffix: str) -> None:
    """Before anything is played: a file can be written there."""
    if out.is_dir():
        raise ValueError(f"out: {out} is a folder; name a file, such as {out / f'souk{suffix}'}")
    if not out.absolute().parent.is_dir():
        raise ValueError(f"out: there is no folder {out.absolute().parent}")
