"""`souk tournament`: live standings while it runs, then the results and the files written."""

import shlex
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from rich.console import Console, Group
from rich.live import Live
from rich.markup import escape
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table

from souk.cli.progress import prepare_with_progress
from souk.drawing.palette import BRASS, LAMP, SAND
from souk.games import game as find_game
from souk.lab.formatting import percent, plus_minus
from souk.lab.play_game import GameResult
from souk.lab.table_spec import TableSpec
from souk.lab.tournament.csv_export import write_games, write_standings
from souk.lab.tournament.html import write_page
from souk.lab.tournament.journal import digest
from souk.lab.tournament.ratings import Ratings
from souk.lab.tournament.results import GameResults
from souk.lab.tournament.schedule import deals_for
from souk.lab.tournament.standings import Standing, against_even, head_to_head, standings
from souk.lab.tournament.tournament import Tournament
from souk.lab.workers import Workers

_EVERY = 0.5  # minimum seconds between updates of the standings
_SHARE_OF_TIME = 0.05  # maximum share of time spent on updates


def run_tournament(
    console: Console, table: TableSpec, games: int, workers: Workers, out: Path | None, keep: bool
) -> bool:
    """Play or resume a tournament and show the results; return False if interrupted."""
    deals = deals_for(games, table.players)
    folder = out or Path(f"tournament-{table.game}-{digest(table)}")
    tournament = Tournament(table, folder, keep=keep)
    total = len(tournament) + len(tournament.missing(deals))
    _announce(console, tournament, games, len(deals) * table.players)
    if workers.about and len(tournament) < total:
        console.print(f"[{SAND}]{workers.about}[/]")
    stopped = False
    try:
        if table.needs_kernels and len(tournament) < total:
            prepare_with_progress(Console(stderr=True), [find_game(table.game)])
        with workers, _LiveStandings(console, tournament, total) as board:
            tournament.play(deals, workers, board.report)
    except KeyboardInterrupt:
        stopped = True
    if len(tournament):
        _show_results(console, tournament)
        _write_results(console, tournament, folder)
    if stopped:
        command = shlex.join(["souk", *sys.argv[1:]])
        console.print(
            f"[bold {LAMP}]Stopped after {len(tournament)} of {total} games.[/] "
            "They are saved; to resume:"
        )
        console.print(f"  {escape(command)}", soft_wrap=True)
    return not stopped


def _announce(console: Console, tournament: Tournament, asked: int, games: int) -> None:
    table, players = tournament.table, tournament.table.players
    console.print(
        f"[bold {LAMP}]{find_game(table.game).title}[/], {players} players, "
        f"{len(table.bots)} entrants, seed {table.seed}: {games // players:,} deals, "
        f"each played {players} times with rotated seats and the same dice"
    )
    if games != asked:
        console.print(
            f"[{SAND}]{games:,} games instead of {asked:,}: "
            f"only full rotations of {players} are played.[/]"
        )
    if len(tournament):
        console.print(
            f"[{SAND}]Already played: {len(tournament):,} games, "
            f"in {escape(str(tournament.folder))}.[/]"
        )


# ---------------------------------------------------------------- while it is played


class _LiveStandings:
    """The live standings with a progress bar; blank without a terminal."""

    def __init__(self, console: Console, tournament: Tournament, total: int) -> None:
        columns = (
            BarColumn(complete_style=LAMP, finished_style=LAMP),
            MofNCompleteColumn(),
            TextColumn("games"),
            TimeElapsedColumn(),
            TextColumn("[dim]to go[/]"),
            TimeRemainingColumn(),
        )
        self._progress = Progress(*columns, console=console)
        self._task = self._progress.add_task("", total=total, completed=len(tournament))
        self._live = Live(console=console, transient=True, refresh_per_second=4)
        self._shown, self._names = console.is_terminal, tournament.table.bots
        self._ratings, self._next = Ratings(len(self._names)), 0.0

    def __enter__(self) -> "_LiveStandings":
        if self._shown:
            self._live.start()
            self._live.update(self._progress)
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def report(self, tournament: Tournament, _: GameResult) -> None:
        """Count a game, and update the standings if they are due."""
        self._progress.advance(self._task)
        begin = time.monotonic()
        if self._shown and begin >= self._next:
            results = tournament.results
            self._ratings.follow(results.contiguous())
            rows = standings(results, self._names, self._ratings)
            self._live.update(Group(standings_table(rows), self._progress))
            now = time.monotonic()
            self._next = now + max(_EVERY, (now - begin) / _SHARE_OF_TIME)


# ---------------------------------------------------------------- results


def standings_table(rows: Iterable[Standing]) -> Table:
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 1))
    headings = (
        "",
        "entrant",
        "games",
        "wins",
        "95 % interval",
        "fair share",
        "rating",
        "mean score",
        "ms/move",
    )
    for heading in headings:
        table.add_column(
            heading,
            justify="left" if heading in ("", "entrant") else "right",
            no_wrap=heading != "entrant",
        )
    for place, row in enumerate(rows, 1):
        if not row.games:
            table.add_row(f"[dim]{place}[/]", f"[{LAMP}]{escape(row.name)}[/]", "0")
            continue
        table.add_row(
            f"[dim]{place}[/]",
            f"[{LAMP}]{escape(row.name)}[/]",
            f"{row.games:,}",
            f"[bold]{percent(row.share.value)}[/]",
            f"{percent(row.share.low)} – {percent(row.share.high)} {against_even(row)}",
            percent(row.even),
            f"{row.rating.mu:.1f} ± {2 * row.rating.sigma:.1f}",
            plus_minus(row.score),
            f"{1000 * row.move_seconds:.1f}",
        )
    return table


def meetings_table(ledger: GameResults, rows: list[Standing]) -> Table:
    """Head to head: how often the row finished ahead of the column, in percent."""
    table = Table(box=None, header_style=f"bold {BRASS}", padding=(0, 1))
    table.add_column("ahead of …, in %")
    met = head_to_head(ledger, len(rows))
    for place, _ in enumerate(rows, 1):
        table.add_column(str(place), justify="right")
    for place, one in enumerate(rows, 1):
        against = [met.get((one.entrant, other.entrant)) for other in rows]
        shares = [f"{100 * meeting.ahead.value:.0f}" if meeting else "–" for meeting in against]
        table.add_row(f"[dim]{place}[/] [{LAMP}]{escape(one.name)}[/]", *shares)
    return table


def _show_results(console: Console, tournament: Tournament) -> None:
    results = tournament.results
    rows = standings(results, tournament.table.bots)
    console.print(standings_table(rows))
    console.print()
    console.print(meetings_table(results, rows))
    console.print(
        "[dim]▲ above and ▼ below a fair share, "
        f"by 95 % intervals over {len(set(results.deals))} deals.[/]"
    )
    for row in rows:
        if row.fallbacks:
            console.print(
                f"[{SAND}]{escape(row.name)} failed at {row.fallbacks:,} of {row.moves:,} moves; "
                "another bot made them.[/]"
            )


def _write_results(console: Console, tournament: Tournament, folder: Path) -> None:
    results, names = tournament.results, tournament.table.bots
    write_games(folder / "games.csv", results, names)
    write_standings(folder / "standings.csv", standings(results, names))
    write_page(folder / "tournament.html", tournament)
    console.print(
        f"[dim]Written:[/] {escape(str(folder / 'tournament.html'))}, standings.csv, games.csv",
        soft_wrap=True,
    )
