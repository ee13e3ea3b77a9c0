"""Exports every decision of many games as a Parquet file: a row per move and chance outcome.

Row groups are written as games arrive, so memory use stays low. The file gets its final name once
it is complete. docs/research/reports.md describes the columns.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from souk.kernel.distribution import install_command
from souk.lab.report.sampling import GameRange, course, prepare, ranges
from souk.lab.table_spec import TableSpec
from souk.lab.workers import Workers, open_workers

# rows per row group
_ROWS = 20_000
# Type (pyarrow's name) and description by column.
COLUMNS: dict[str, tuple[str, str]] = {
    "game": ("int32", "number of the game, from 0"),
    "event": ("int32", "number of the event in its game, from 0"),
    "seat": ("int8", "seat that moved; null for a die or card"),
    "bot": ("string", "bot that chose; null for a die or card"),
    "phase": ("string", "phase of the position before the event"),
    "legal": ("int32", "number of legal moves, or of possible outcomes"),
    "move": ("string", "the move or outcome as text"),
    "scores": ("list<int32>", "running scores by seat before the event"),
    "position": (
        "string",
        "the position before the event as JSON, as seen by the seat; by a spectator for chance",
    ),
    "final_score": ("int32", "the seat's score at the end; null for a die or card"),
    "win": (
        "float",
        "the seat's fraction of the win: 1, less if shared, 0; null for a die or card",
    ),
}
# values by column
Rows = dict[str, list[Any]]


def decisions(games: GameRange) -> Rows:
    """The decisions of some games as columns; runs in a worker."""
    columns: Rows = {name: [] for name in COLUMNS}
    for number in games.numbers:
        game = course(games.table, number)
        final, winners = game[-1].after.scores, game[-1].after.winners
        for n, (before, seat, text, *_) in enumerate(game):
            chance = seat is None
            view = before.to_json(seat=-1 if chance else seat)
            row = {
                "game": number,
                "event": n,
                "seat": seat,
                "bot": None if chance else games.table.bot,
                "phase": view["phase"],
                "legal": len(before.chances()) if seat is None else len(before.move_codes(seat)),
                "move": text,
                "scores": before.scores,
                "position": json.dumps(view, separators=(",", ":")),
                "final_score": None if seat is None else final[seat],
                "win": None if chance else (seat in winners) / max(1, len(winners)),
            }
            for name, value in row.items():
                columns[name].append(value)
    return columns


def export(
    table: TableSpec,
    games: int,
    out: Path,
    processes: Workers | int | None = None,
    report: Callable[[int], None] = lambda _: None,
) -> int:
    """Play games and write them to a file; return the number of rows.

    `report` is called with the number of games written since the last call.
    """
    arrow, parquet = check_pyarrow()
    schema = _schema(arrow, table, games)
    part_file, rows = out.with_name(out.name + ".part"), 0
    try:
        with (
            parquet.ParquetWriter(part_file, schema, compression="zstd") as file,
            open_workers(processes) as workers,
        ):
            for columns in _in_groups(_played(table, games, workers, report)):
                rows += len(columns["game"])
                file.write_table(arrow.table(columns, schema=schema), row_group_size=_ROWS)
        part_file.replace(out)
    finally:
        part_file.unlink(missing_ok=True)
    return rows


def _played(
    table: TableSpec, games: int, workers: Workers, report: Callable[[int], None]
) -> Iterator[Rows]:
    game_ranges = list(ranges(table, games))
    for game_range, columns in zip(
        game_ranges, workers.in_order(decisions, game_ranges, prepare=prepare), strict=True
    ):
        yield columns
        report(len(game_range.numbers))


def _in_groups(parts: Iterator[Rows]) -> Iterator[Rows]:
    """Combine columns into row groups."""
    group: Rows = {name: [] for name in COLUMNS}
    for columns in parts:
        for name, values in columns.items():
            group[name] += values
        if len(group["game"]) >= _ROWS:
            yield group
            group = {name: [] for name in COLUMNS}
    if group["game"]:
        yield group


def _schema(arrow: Any, table: TableSpec, games: int) -> Any:
    types = {"list<int32>": arrow.list_(arrow.int32()), "float": arrow.float32()}
    fields = [
        arrow.field(
            name, types.get(kind) or getattr(arrow, kind)(), metadata={"description": about}
        )
        for name, (kind, about) in COLUMNS.items()
    ]
    settings = {
        "game": table.game,
        "players": table.players,
        "options": table.options,
        "bot": table.bot,
    }
    seeds = {"seconds": table.seconds, "seed": table.seed, "games": games}
    return arrow.schema(fields, metadata={"souk": json.dumps(settings | seeds)})


def check_pyarrow() -> tuple[Any, Any]:
    """Import pyarrow; RuntimeError tells how to install it."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise RuntimeError(f"a Parquet file needs pyarrow: {install_command('lab')}") from None
    return pyarrow, pyarrow.parquet
