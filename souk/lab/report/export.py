"""Every decision of many games as one Parquet file, a row for each move and each chance outcome, for one's own analysis.

Rows are written as the games come in, a row group at a time, so that memory stays small; the file appears under its name when it
is whole. docs/reports.md tells of the columns.
"""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from souk.lab.report.gathering import GameRange, course, prepare, ranges
from souk.lab.table_spec import TableSpec
from souk.lab.workers import Workers, hired

_ROWS = 20_000  # of a row group
# By name: the type, as pyarrow calls it, and what it means.
COLUMNS: dict[str, tuple[str, str]] = {
    "game": ("int32", "number of the game, from 0"),
    "event": ("int32", "number of the event in its game, from 0"),
    "seat": ("int8", "who moved; null where a die or card decided"),
    "bot": ("string", "which bot chose; null where a die or card decided"),
    "phase": ("string", "phase of the position before the event"),
    "legal": ("int32", "how many legal moves there were to choose from, or outcomes that could come up"),
    "move": ("string", "the move, or what came up, as text"),
    "scores": ("list<int32>", "running scores by seat before the event"),
    "position": ("string", "the position before the event as JSON, as the seat saw it; by chance, as a spectator did"),
    "final_score": ("int32", "the seat's score at the end; null where a die or card decided"),
    "win": ("float", "the seat's part of the win: 1, less where it was shared, 0; null where a die or card decided"),
}
Rows = dict[str, list[Any]]  # column by column


def decisions(some: GameRange) -> Rows:
    """Some games as columns: what a worker does."""
    columns: Rows = {name: [] for name in COLUMNS}
    for number in some.numbers:
        game = course(some.table, number)
        final, winners = game[-1].after.scores, game[-1].after.winners
        for n, (before, seat, text, *_) in enumerate(game):
            chance = seat is None
            view = before.to_json(seat=-1 if chance else seat)
            row = {
                "game": number,
                "event": n,
                "seat": seat,
                "bot": None if chance else some.table.bot,
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
    """Play games and write them to a file; returns how many rows there are. `report` is told how many more games are written."""
    arrow, parquet = check_pyarrow()
    schema = _schema(arrow, table, games)
    draft, rows = out.with_name(out.name + ".part"), 0
    try:
        with parquet.ParquetWriter(draft, schema, compression="zstd") as file, hired(processes) as workers:
            for columns in _in_groups(_played(table, games, workers, report)):
                rows += len(columns["game"])
                file.write_table(arrow.table(columns, schema=schema), row_group_size=_ROWS)
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
    return rows


def _played(table: TableSpec, games: int, workers: Workers, report: Callable[[int], None]) -> Iterator[Rows]:
    every = list(ranges(table, games))
    for some, columns in zip(every, workers.in_order(decisions, every, prepare=prepare), strict=True):
        yield columns
        report(len(some.numbers))


def _in_groups(parts: Iterator[Rows]) -> Iterator[Rows]:
    """The same rows, about as many at a time as a row group holds."""
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
        arrow.field(name, types.get(kind) or getattr(arrow, kind)(), metadata={"description": about})
        for name, (kind, about) in COLUMNS.items()
    ]
    settings = {"game": table.game, "players": table.players, "options": table.options, "bot": table.bot}
    more = {"seconds": table.seconds, "seed": table.seed, "games": games}
    return arrow.schema(fields, metadata={"souk": json.dumps(settings | more)})


def check_pyarrow() -> tuple[Any, Any]:
    """pyarrow and its Parquet; RuntimeError says what to install where it is missing."""
    try:
        import pyarrow
        import pyarrow.parquet
    except ModuleNotFoundError:
        raise RuntimeError("a Parquet file needs pyarrow: pip install souk[lab]") from None
    return pyarrow, pyarrow.parquet
