"""A report or an export on the command line: what is asked for is checked first, then played behind a bar, then written."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from souk.cli.progress import compile_with_progress, prepare_with_progress
from souk.games import game as find_game
from souk.games.art.palette import LAMP
from souk.lab.report.gathering import RANDOM, Hands, Table, check_games, check_table
from souk.lab.report.measure import Measured, measure, room
from souk.lab.report.page import at_table, page
from souk.lab.report.parts import Card

GAMES = {
    RANDOM: 1000,
    "vizier": 100,
    "search": 100,
    "uct": 100,
}  # looked at, where no number is given; 1000 of all others
SIMULATED = 1_000_000  # random games that give the results
SECONDS = 0.05  # for a move


@dataclass(frozen=True)
class Order:
    """What a report is to tell of."""

    tables: dict[int, list[Table]]  # by the number of players, the kinds of play
    games: int | None  # to look at, of each kind; None: as many as is usual for the kind
    simulated: int
    command: list[str]  # that makes the report again

    def games_of(self, table: Table) -> int:
        return self.games or GAMES.get(table.bot.partition(":")[0], 1000)


def split_plays(text: str) -> list[str]:
    """Names with commas between. A name may have commas of its own, in its settings: "vizier:playouts=500,seed=3"."""
    found: list[str] = []
    for part in (each.strip() for each in text.split(",")):
        if found and "=" in part and ":" not in part and ":" in found[-1]:
            found[-1] += f",{part}"
        else:
            found.append(part)
    return found


def split_players(text: str | None, game: str) -> list[int]:
    """Numbers with commas between; None: every number the game is for."""
    if text is None:
        return list(find_game(game).players)
    try:
        found = [int(part) for part in text.split(",")]
    except ValueError:
        raise ValueError(f'players: must be numbers with commas between, such as "2,3,4", not {text!r}') from None
    if len(set(found)) < len(found):
        raise ValueError(f"players: {text} names a number twice")
    return found


def check_order(
    game: str,
    players: str | None = None,
    play: str = "random,merchant,vizier",
    *,
    games: int | None = None,
    simulated: int = SIMULATED,
    seconds: float = SECONDS,
    seed: int = 0,
    options: Mapping[str, Any] | None = None,
) -> Order:
    """A report that can be made; ValueError says what cannot be."""
    name, bots = find_game(game).name, split_plays(play)
    if games is not None:
        check_games(games)
    if not 1 <= simulated <= 100_000_000:
        raise ValueError(f"simulated: must be a whole number from 1 to 100000000, not {simulated}")
    if len(set(bots)) < len(bots):
        raise ValueError(f"play: {play} names a bot twice")
    tables: dict[int, list[Table]] = {}
    for count in split_players(players, name):
        chosen = (room(name).OPTIONS if count > 1 else {}) | dict(options or {})
        tables[count] = [check_table(name, count, bot, seconds=seconds, seed=seed, options=chosen) for bot in bots]
    words = ["souk", "report", name, "--players", ",".join(map(str, tables)), "--play", ",".join(bots)]
    words += ["--games", str(games)] if games else []
    words += ["--simulated", str(simulated)] if simulated != SIMULATED else []
    words += ["--seconds", f"{seconds:g}"] if seconds != SECONDS else []
    words += ["--seed", str(seed)]
    for option, value in (options or {}).items():
        words += ["--option", f"{option}={json.dumps(value)}"]
    return Order(tables, games, simulated, words)


def prepare(console: Console, tables: Sequence[Table]) -> None:
    """Compile what the tables need that is not on disk yet."""
    games = [find_game(tables[0].game)]
    compile_with_progress(console, games)
    if any(table.thinking for table in tables):
        prepare_with_progress(console, games)


def bars(console: Console) -> Progress:
    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=console)


def make_report(console: Console, order: Order, processes: int | None, out: Path) -> None:
    """Play what an order asks for and write the page, all of it or nothing."""
    check_place(out, ".html")
    every = [table for tables in order.tables.values() for table in tables]
    prepare(Console(stderr=True), every)
    measured: dict[int, list[Measured]] = {}
    with Hands(processes) as hands, bars(Console(stderr=True)) as progress:
        asides = {players: besides(tables[0], hands) for players, tables in order.tables.items()}
        for players, tables in order.tables.items():
            measured[players] = []
            for table in tables:
                games = order.games_of(table)
                task = progress.add_task(f"{at_table(players)}, {escape(table.bot)}", total=games)
                report = _advance(progress, task)
                measured[players].append(measure(table, games, order.simulated, hands, report))
    draft = out.with_name(out.name + ".part")
    try:
        draft.write_text(page(every[0].game, measured, order.command, asides), encoding="utf-8")
        draft.replace(out)
    finally:
        draft.unlink(missing_ok=True)
    console.print(f"[bold {LAMP}]Written:[/] {escape(str(out))}", soft_wrap=True)


def export_decisions(console: Console, table: Table, games: int, processes: int | None, out: Path) -> None:
    """Play games and write every decision of them to a Parquet file."""
    from souk.lab.report.export import check_pyarrow, export

    check_games(games)
    check_place(out, ".parquet")
    check_pyarrow()
    prepare(Console(stderr=True), [table])
    with bars(Console(stderr=True)) as progress:
        task = progress.add_task(f"{at_table(table.players)}, {escape(table.bot)}", total=games)
        rows = export(table, games, out, processes, _advance(progress, task))
    console.print(f"[bold {LAMP}]Written:[/] {escape(str(out))}, {rows:,} rows", soft_wrap=True)


def besides(table: Table, hands: Hands) -> list[Card]:
    """What a game's room has to tell that no play is needed for."""
    tell = getattr(room(table.game), "aside", None)
    return tell(table, hands) if tell else []


def _advance(progress: Progress, task: Any) -> Callable[[int], None]:
    return lambda games: progress.advance(task, games)


def check_place(out: Path, suffix: str) -> None:
    """Before anything is played: a file can be written there."""
    if out.is_dir():
        raise ValueError(f"out: {out} is a folder; name a file, such as {out / f'souk{suffix}'}")
    if not out.absolute().parent.is_dir():
        raise ValueError(f"out: there is no folder {out.absolute().parent}")
