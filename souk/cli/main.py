"""The command `souk`.

Commands import what they need when they run, so that `souk --help` starts quickly.
"""

import inspect
import json as jsonlib
import re
import secrets
import sqlite3
import sys
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

import souk
from souk.cli import host_events, host_move, lab_commands  # noqa: F401  more `souk host` commands
from souk.cli.host import host
from souk.cli.options import (
    GameName,
    GameOptions,
    Language,
    Players,
    SavedGame,
    Seed,
    choose_language,
    read_options,
)
from souk.cli.puzzles import puzzles
from souk.core.errors import suggestion
from souk.core.rule_clauses import Clause, clauses, other_sections
from souk.drawing.palette import BRASS, LAMP, SAND
from souk.games import game as find_game
from souk.games import names as game_names

app = typer.Typer(
    help="Four bazaar board games: play them, read their rules, replay, analyse and simulate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
console = Console(highlight=False)


def show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"souk {souk.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    """Options of `souk` itself."""


@app.command()
def games() -> None:
    """List the games with their player numbers, options and data sources."""
    for name in game_names():
        game = find_game(name)
        low, high = game.players[0], game.players[-1]
        console.print(f"[bold {LAMP}]{name}[/]  {game.title}, {low} to {high} players")
        console.print(Padding(f"[{SAND}]{game.about}[/]", (0, 0, 0, 4)))
        options = [
            f"{option}={jsonlib.dumps(value)}" for option, value in game.options(high).items()
        ]
        console.print(Padding(f"[dim]Options: {escape(', '.join(options))}[/]", (0, 0, 0, 4)))
        if about := game.about_box(game.options(high)):
            console.print(Padding(f"[dim]{escape(about)}[/]", (0, 0, 0, 4)))
        console.print()


@app.command()
def rules(
    game: GameName,
    wanted: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CLAUSE]...", help="Only these clauses, such as S13."),
    ] = None,
) -> None:
    """Show the rules of a game, clause by clause."""
    from rich.markdown import Markdown

    found_game = find_game(game)
    by_id = {clause.id: clause for clause in clauses(found_game.name)}
    for word in wanted or []:
        if word.upper() not in by_id:
            raise ValueError(
                f"clause: {found_game.title} has no {word!r}. {suggestion(word.upper(), by_id)}"
            )
    chosen = {word.upper() for word in wanted or by_id}
    console.print(f"[bold {LAMP}]{found_game.title}[/]\n[{SAND}]{found_game.about}[/]")
    console.print(_clause_table(clause for clause in by_id.values() if clause.id in chosen))
    if not wanted:
        console.print()
        console.print(Markdown(other_sections(found_game.name)))
    if about := found_game.about_box(found_game.options(found_game.players[-1])):
        console.print(f"\n[dim]{escape(about)}[/]")


def _clause_table(shown: Iterable[Clause]) -> Table:
    """Clauses under the headings of their sections."""
    section = None
    table = Table.grid(padding=(0, 2))
    for clause in shown:
        if clause.section != section:
            section = clause.section
            table.add_row("", f"\n[bold {BRASS}]{escape(section)}[/]")
        text = (
            escape(clause.text)
            .replace("**\\[", f"[{SAND}]\\[")
            .replace("]**", "][/]")
            .replace("**", "")
            .replace("`", "")
        )
        table.add_row(f"[{LAMP}]{clause.id}[/]", text)
    return table


@app.command()
def play(
    game: Annotated[
        str | None, typer.Argument(metavar="[GAME]", help="The game; you are asked if left out.")
    ] = None,
    players: Players = None,
    seed: Seed = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", "-a", metavar="BOT", help="Opponent; repeat for each seat."),
    ] = None,
    option: GameOptions = None,
    language: Language = None,
) -> None:
    """Play in the terminal against bots: apprentice, trader, merchant or vizier."""
    from souk.cli.terminal import play_in_terminal

    dice_seed = secrets.randbits(64) if seed is None else seed
    play_in_terminal(
        console,
        game,
        players,
        dice_seed,
        read_options(option),
        against or ["merchant:quick"],
        choose_language(language),
    )


@app.command()
def bots(language: Language = None) -> None:
    """List the bots with their settings, and the value nets of the games."""
    from souk.cli.bots import list_bots

    list_bots(console, choose_language(language))


@app.command()
def replay(
    file: SavedGame,
    at: Annotated[
        int | None, typer.Option(help="Show only the position after this many events.")
    ] = None,
    boards: Annotated[
        bool, typer.Option("--boards", help="Draw the position after every event.")
    ] = False,
    language: Language = None,
) -> None:
    """Tell a saved game in words and show how it ended."""
    from souk.cli.terminal import replay as replay_in_terminal
    from souk.core.record import load

    replay_in_terminal(console, load(file, files=True), at, boards, choose_language(language))


@app.command()
def analyse(
    file: SavedGame,
    playouts: Annotated[
        int | None, typer.Option(help="Playouts per decision; default: 2000.")
    ] = None,
    seconds: Annotated[
        float | None, typer.Option(help="Seconds per decision, instead of playouts.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed and playouts, same analysis.")] = 0,
    html: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write a self-contained page.")
    ] = None,
    json: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the whole analysis as JSON.")
    ] = None,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Accept a game that is not over.")
    ] = False,
    processes: Annotated[
        int | None, typer.Option(help="Parallel processes; default: all cores.")
    ] = None,
    language: Language = None,
) -> None:
    """Analyse a saved game: turning points, better moves, and how much was luck."""
    from souk.cli.analyse import AnalysisRequest, analyse_with_progress

    request = AnalysisRequest(file, playouts, seconds, seed, unfinished, processes, html, json)
    analyse_with_progress(console, request, choose_language(language))


for _command in (
    lab_commands.simulate,
    lab_commands.tournament,
    lab_commands.train,
    lab_commands.report,
    lab_commands.export,
    lab_commands.bench,
):
    _is_train = _command is lab_commands.train
    app.command(cls=lab_commands.RenamingCommand if _is_train else None)(_command)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A game saved from a table.")],
    digest: Annotated[
        str, typer.Option(metavar="HEX", help="The digest that the page showed before the game.")
    ] = "",
    share: Annotated[
        str, typer.Option(metavar="HEX", help="The seed share that your browser contributed.")
    ] = "",
) -> None:
    """Verify the dice of a saved game by recomputing its seed and every outcome.

    Exit status: 0 if the dice were fair, 1 if something differs, 2 if it cannot be verified.
    """
    from souk.core.record import load
    from souk.server.dice.fair_dice import verify as verify_dice

    for name, value in (("digest", digest), ("share", share)):
        if value and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
            raise ValueError(f"{name}: must be 64 hexadecimal digits, not {value!r}")
    verdict = verify_dice(load(file, files=True), digest, share)
    for line in verdict.lines:
        console.print(line, soft_wrap=True)
    if not verdict.fair:
        raise typer.Exit(2 if verdict.fair is None else 1)


def _with_settings(command: Callable[..., None]) -> Callable[..., None]:
    """Add a flag, with its environment variable, for every server setting."""
    from souk.server.common.config import flags

    parameters = [
        parameter
        for parameter in inspect.signature(command).parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD
    ]
    for name, kind, default, about in flags():
        option = typer.Option(
            f"--{name.replace('_', '-')}", envvar=f"SOUK_{name.upper()}", help=about
        )
        annotation: Any = Annotated[kind, option]
        parameters.append(
            inspect.Parameter(
                name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation
            )
        )
    command.__signature__ = inspect.Signature(parameters)  # type: ignore[attr-defined]
    return command


@app.command()
@_with_settings
def serve(
    open_browser: Annotated[
        bool, typer.Option("--open", help="Open the lobby in the browser.")
    ] = False,
    **given: Any,
) -> None:
    """Run the server. Each setting is a flag or an environment variable."""
    from souk.server.common.shutdown import use_default_signals

    use_default_signals()
    from souk.server.common.config import from_flags
    from souk.server.run import serve as run

    run(from_flags(given), open_browser)


app.add_typer(host, name="host")
app.add_typer(puzzles, name="puzzles")


def main() -> None:
    """Run the command line; user errors are reported in one line, without a traceback."""
    try:
        app()
    except (ValueError, OSError, RuntimeError, sqlite3.Error) as error:
        Console(stderr=True, highlight=False).print(
            f"[red]souk:[/] {escape(str(error))}", soft_wrap=True
        )
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
