"""`souk report` and `souk export`: check the request, play with a progress bar, write the file."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from souk.cli.progress import compile_with_progress, counting_bars, prepare_with_progress
from souk.drawing.palette import LAMP
from souk.games import game as find_game
from souk.lab.report.html import at_table, page
from souk.lab.report.measure import Measurement, extra_cards, measure
from souk.lab.report.plan import ReportPlan
from souk.lab.report.sampling import check_games
from souk.lab.table_spec import TableSpec
from souk.lab.workers import Processes


def prepare(console: Console, tables: Sequence[TableSpec]) -> None:
    """Compile what the tables need and is not cached yet."""
    games = [find_game(tables[0].game)]
    compile_with_progress(console, games)
    if any(table.needs_kernels for table in tables):
        prepare_with_progress(console, games)


def make_report(console: Console, outline: ReportPlan, processes: int | None, out: Path) -> None:
    """Play the games of an outline and write the page atomically."""
    check_out(out, ".html")
    all_tables = [table for tables in outline.tables.values() for table in tables]
    prepare(Console(stderr=True), all_tables)
    measured: dict[int, list[Measurement]] = {}
    with Processes(processes) as workers, counting_bars(Console(stderr=True)) as progress:
        known = {
            players: extra_cards(tables[0], workers) for players, tables in outline.tables.items()
        }
        for players, tables in outline.tables.items():
            measured[players] = []
            for table in tables:
                games = outline.games_of(table)
                task = progress.add_task(f"{at_table(players)}, {escape(table.bot)}", total=games)
                report = partial(progress.advance, task)
                measured[players].append(measure(table, games, outline.simulated, workers, report))
    draft = out.with_name(out.name + ".part")
    try:
        draft.write_text(
            page(all_tables[0].game, measured, outline.command, known), encoding="utf-8"
        )
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
    console.print(f"[bold {LAMP}]Written:[/] {escape(str(out))}", soft_wrap=True)


def export_decisions(
    console: Console, table: TableSpec, games: int, processes: int | None, out: Path
) -> None:
    """Play games and write every decision to a Parquet file."""
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
    """Raise ValueError if the output file cannot be written, before anything is played."""
    if out.is_dir():
        raise ValueError(f"out: {out} is a folder; name a file such as {out / f'souk{suffix}'}")
    if not out.absolute().parent.is_dir():
        raise ValueError(f"out: there is no folder {out.absolute().parent}")
