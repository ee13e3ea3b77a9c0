"""The command line: `souk` with everything that can be asked of it, and the table in the terminal."""

import inspect
import json
import os
import re
import secrets
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.markup import escape
from rich.padding import Padding
from rich.table import Table

from souk.cli import host_events, host_move  # noqa: F401  more commands of `souk host`
from souk.cli.host import host
from souk.cli.puzzles import puzzles
from souk.core.errors import suggestion
from souk.core.message import languages
from souk.games import game as find_game
from souk.games import names as game_names
from souk.games.art.palette import BRASS, LAMP, SAND

app = typer.Typer(
    help="Four bazaar games on one source of rules: play them, read their rules, replay and simulate them.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
console = Console(highlight=False)

GameName = Annotated[str, typer.Argument(metavar="GAME", help=", ".join(game_names()))]
Players = Annotated[int | None, typer.Option("--players", "-p", help="How many play.")]
Seed = Annotated[int | None, typer.Option(help="The same seed gives the same dice and cards.")]
Choices = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="An option of the game, such as turn_at_end=true."),
]
FixedSeed = Annotated[int, typer.Option(help="The same seed gives the same dice and cards.")]
MoveTime = Annotated[float, typer.Option(help="Time for a move, for bots whose name says none.")]
AtOnce = Annotated[int | None, typer.Option(help="Games played at once; as many as cores if left out.")]
Place = Annotated[str, typer.Option(metavar="PLACE", help="here, or ray: by the workers of a Ray cluster.")]
Spoken = Annotated[
    str | None,
    typer.Option(
        "--language", "-l", metavar="CODE", help=f"{', '.join(languages())}; your terminal's own if left out."
    ),
]
Address = Annotated[
    str | None,
    typer.Option(metavar="HOST:PORT", help="The Ray cluster; RAY_ADDRESS, or one of this machine if left out."),
]


def spoken(wish: str | None) -> str:
    """The language that is wished for; else the one the environment names, where we speak it, else English."""
    if wish is None:
        named = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
        wish = re.split("[_.@]", named)[0].lower()
        return wish if wish in languages() else "en"
    if wish not in languages():
        raise ValueError(f"language: there is no {wish!r}. {suggestion(wish, languages())}")
    return wish


def read_options(given: list[str] | None) -> dict[str, Any]:
    """Options as written on the command line: JSON values, or plain text."""
    options: dict[str, Any] = {}
    for text in given or []:
        name, equals, value = text.partition("=")
        if not equals:
            raise ValueError(f"option: write {text!r} as NAME=VALUE")
        try:
            options[name] = json.loads(value)
        except ValueError:
            options[name] = value
    return options


@app.command()
def games() -> None:
    """The games, with their players, their options and where their data come from."""
    for name in game_names():
        game = find_game(name)
        low, high = game.players[0], game.players[-1]
        console.print(f"[bold {LAMP}]{name}[/]  {game.title}, {low} to {high} players")
        console.print(Padding(f"[{SAND}]{game.about}[/]", (0, 0, 0, 4)))
        chosen = [f"{option}={json.dumps(value)}" for option, value in game.options(high).items()]
        console.print(Padding(f"[dim]Options: {escape(', '.join(chosen))}[/]", (0, 0, 0, 4)))
        if about := game.about_box(game.options(high)):
            console.print(Padding(f"[dim]{escape(about)}[/]", (0, 0, 0, 4)))
        console.print()


@app.command()
def rules(
    game: GameName,
    wanted: Annotated[
        list[str] | None, typer.Argument(metavar="[CLAUSE]...", help="Only these clauses, such as S13.")
    ] = None,
) -> None:
    """The rules of a game, clause by clause, in our own words."""
    from rich.markdown import Markdown

    from souk.core.clauses import clauses, other_sections

    found = find_game(game)
    known = {clause.id: clause for clause in clauses(found.name)}
    for word in wanted or []:
        if word.upper() not in known:
            raise ValueError(f"clause: {found.title} has no {word!r}. {suggestion(word.upper(), known)}")
    section = None
    table = Table.grid(padding=(0, 2))
    for clause in known.values():
        if wanted and clause.id not in {word.upper() for word in wanted}:
            continue
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
    console.print(f"[bold {LAMP}]{found.title}[/]\n[{SAND}]{found.about}[/]")
    console.print(table)
    if not wanted:
        console.print()
        console.print(Markdown(other_sections(found.name)))
    if about := found.about_box(found.options(found.players[-1])):
        console.print(f"\n[dim]{escape(about)}[/]")


@app.command()
def play(
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Which game; asked for if left out.")] = None,
    players: Players = None,
    seed: Seed = None,
    against: Annotated[
        list[str] | None,
        typer.Option("--against", "-a", metavar="BOT", help="Who sits across; may be given for each seat."),
    ] = None,
    option: Choices = None,
    language: Spoken = None,
) -> None:
    """Play in the terminal against bots: apprentice, trader, merchant or vizier."""
    from souk.cli.terminal import sit_down

    dice = secrets.randbits(64) if seed is None else seed
    sit_down(console, game, players, dice, read_options(option), against or ["merchant:quick"], spoken(language))


@app.command()
def bots(language: Spoken = None) -> None:
    """The bots: four levels and the methods behind them, with their settings; and the minds that were learned."""
    from souk.cli.bots import list_bots

    list_bots(console, spoken(language))


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A saved game.")],
    at: Annotated[int | None, typer.Option(help="Only the position after this many events.")] = None,
    boards: Annotated[bool, typer.Option("--boards", help="Draw the position after every event.")] = False,
    language: Spoken = None,
) -> None:
    """Tell a saved game in words, and show how it ended."""
    from souk.cli.terminal import replay as tell
    from souk.core.record import load

    tell(console, load(file), at, boards, spoken(language))


@app.command()
def analyse(
    file: Annotated[Path, typer.Argument(help="A saved game.")],
    playouts: Annotated[int | None, typer.Option(help="Playouts for each decision; 2000 if nothing is said.")] = None,
    seconds: Annotated[float | None, typer.Option(help="Time for each decision, instead of playouts.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed and playouts give the same study.")] = 0,
    html: Annotated[Path | None, typer.Option(metavar="FILE", help="Write one page that holds everything.")] = None,
    json: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the whole study as JSON.")] = None,
    unfinished: Annotated[bool, typer.Option("--unfinished", help="Also a game that is not over.")] = False,
    processes: Annotated[int | None, typer.Option(help="How many work at once; as many as cores if left out.")] = None,
    language: Spoken = None,
) -> None:
    """Look back at a saved game: the moments it turned, what would have been better, and how much was luck."""
    from souk.cli.studies import StudyOrder, look_back

    order = StudyOrder(file, playouts, seconds, seed, unfinished, processes, html, json)
    look_back(console, order, spoken(language))


@app.command()
def simulate(
    game: GameName,
    players: Players = None,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 100_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads, or workers on Ray; all cores if left out.")] = None,
    target: Annotated[str, typer.Option(help="cpu, cuda (a GPU) or python (interpreted).")] = "cpu",
    on: Place = "here",
    address: Address = None,
    option: Choices = None,
) -> None:
    """Play many games at random, and say what came of them."""
    from souk.cli.simulations import show_summary, simulate_with_progress
    from souk.lab.simulate.order import check_order

    count = find_game(game).players[-1] if players is None else players
    order = check_order(
        game, count, games, seed, threads, target=target, on=on, address=address, **read_options(option)
    )
    show_summary(console, simulate_with_progress(order))


@app.command()
def tournament(
    game: GameName,
    entrants: Annotated[
        list[str], typer.Argument(metavar="BOT...", help="Two or more, such as vizier or uct:playouts=500.")
    ],
    players: Annotated[
        int | None, typer.Option("--players", "-p", help="Seats; as many as entrants, if that can be.")
    ] = None,
    games: Annotated[int, typer.Option("--games", "-n", help="How many games, rounded up to whole rotations.")] = 400,
    seconds: Annotated[float | None, typer.Option(help="Time for a move, for bots whose name says none.")] = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same dice, cards and line-ups.")] = 0,
    processes: AtOnce = None,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where it is kept; named after the settings if left out.")
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Also keep a record of every game.")] = False,
    on: Place = "here",
    address: Address = None,
    option: Choices = None,
) -> None:
    """Let bots play each other: rotated seats, the same dice for each rotation. Ctrl-C stops; the same command resumes."""
    from souk.cli.tournaments import hold_tournament
    from souk.lab.tournament import check_tournament
    from souk.lab.workers import hire

    table = check_tournament(game, entrants, players=players, seed=seed, seconds=seconds, options=read_options(option))
    if not hold_tournament(console, table, games, hire(processes, on, address), out, keep):
        raise typer.Exit(130)


@app.command()
def train(
    game: GameName,
    players: Players = None,
    hours: Annotated[
        float | None, typer.Option(help="Begin no more rounds after so long; one hour if nothing else is said.")
    ] = None,
    rounds: Annotated[int | None, typer.Option(help="Stop after so many rounds, if that comes first.")] = None,
    device: Annotated[
        str, typer.Option(help="Where the net learns: cuda, cpu, or auto for whichever is there.")
    ] = "auto",
    gpu_games: Annotated[
        bool,
        typer.Option("--gpu-games", help="Play the games to learn from on a GPU, and not on cores."),
    ] = False,
    processes: AtOnce = None,
    seed: Annotated[int, typer.Option(help="The same seed gives the same weights.")] = 0,
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where it is kept; train-GAME-PLAYERS if left out.")
    ] = None,
    begin: Annotated[
        str, typer.Option(metavar="MIND", help="Whose games to begin with: none, own (the game's mind), or a file.")
    ] = "none",
    positions: Annotated[int, typer.Option(help="Positions to learn from, a round.")] = 1_000_000,
    scramble: Annotated[
        int, typer.Option(help="At most so many decisions at the beginning of a game are just any moves.")
    ] = 32,
    playouts: Annotated[int, typer.Option(help="Of the search at a position that is learned from.")] = 24,
    trust: Annotated[
        float, typer.Option(help="How much, from 0 to 1, what that search found counts against how games ended.")
    ] = 0.0,
    reviews: Annotated[
        int, typer.Option(help="How often the net is taught again, by what it says itself of later positions.")
    ] = 2,
    hindsight: Annotated[
        float, typer.Option(help="How much, from 0 to 1, what came still later counts beside that.")
    ] = 0.4,
    belief: Annotated[
        float, typer.Option(help="How much, from 0 to 1, of its corrections of scores counts in the end.")
    ] = 1.0,
    tilts: Annotated[
        bool, typer.Option("--tilts/--no-tilts", help="Whether who wins may follow from more than the scores.")
    ] = True,
    pairs: Annotated[int, typer.Option(help="At most so many pairs of games in a match.")] = 2000,
    into: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Put the best mind there, beside those for other numbers.")
    ] = None,
    gate: Annotated[
        bool, typer.Option("--gate/--no-gate", help="Whether a new mind must beat the best to play on.")
    ] = True,
) -> None:
    """Train a mind for a game: it plays itself, learns, and is kept if it wins. Ctrl-C stops; the same command resumes."""
    from souk.cli.training import TrainingOrder, train_with_progress
    from souk.lab.training.annals import Curriculum
    from souk.lab.workers import hire

    settings = Curriculum(
        game=game, players=find_game(game).players[-1] if players is None else players, seed=seed, positions=positions,
        scramble=scramble, playouts=playouts, gpu_games=gpu_games, trust=trust, reviews=reviews, hindsight=hindsight, belief=belief, tilts=tilts,
        most_pairs=pairs, gated=gate, begin="" if begin == "own" else begin,
    )  # fmt: skip
    if not train_with_progress(console, settings, TrainingOrder(hours, rounds, device, out, into), hire(processes)):
        raise typer.Exit(130)


@app.command()
def report(
    game: GameName,
    players: Annotated[
        str | None, typer.Option("--players", "-p", help="How many play, such as 2,3,4; all numbers if left out.")
    ] = None,
    play: Annotated[str, typer.Option(metavar="BOT,...", help="Kinds of play to compare.")] = "random,merchant,vizier",
    games: Annotated[
        int | None, typer.Option("--games", "-n", help="Games of each to look at; as is usual for the bot if left out.")
    ] = None,
    simulated: Annotated[int, typer.Option(help="Games that give the results of random play.")] = 1_000_000,
    seconds: MoveTime = 0.05,
    seed: FixedSeed = 0,
    processes: AtOnce = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where the page is written; GAME.html if left out.")
    ] = None,
    option: Choices = None,
) -> None:
    """Write a page about a game: wins by seat, length, scores, and how often each rule matters, for several kinds of play."""
    from souk.cli.reports import make_report
    from souk.lab.report.outline import check_outline

    outline = check_outline(
        game, players, play, games=games, simulated=simulated, seconds=seconds, seed=seed, options=read_options(option)
    )
    make_report(console, outline, processes, out or Path(f"{find_game(game).name}.html"))


@app.command()
def export(
    game: GameName,
    players: Players = None,
    play: Annotated[str, typer.Option(metavar="BOT", help="Who sits in every seat.")] = "random",
    games: Annotated[int, typer.Option("--games", "-n", help="How many games.")] = 1000,
    seconds: MoveTime = 0.05,
    seed: FixedSeed = 0,
    processes: AtOnce = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Where it is written; GAME.parquet if left out.")
    ] = None,
    option: Choices = None,
) -> None:
    """Write every decision of many games to a Parquet file, for your own analysis."""
    from souk.cli.reports import export_decisions
    from souk.lab.table_spec import check_table

    table = check_table(game, players, play, seconds=seconds, seed=seed, options=read_options(option))
    export_decisions(console, table, games, processes, out or Path(f"{table.game}.parquet"))


@app.command()
def bench(
    game: Annotated[list[str] | None, typer.Argument(metavar="[GAME]...", help="Only these games.")] = None,
    seconds: Annotated[float, typer.Option(help="How long to measure each speed.")] = 1.0,
    gpu: Annotated[bool, typer.Option("--gpu", help="Also on a GPU.")] = False,
) -> None:
    """Measure how fast random games run: interpreted, compiled on one core, on all cores."""
    from souk.cli.speeds import show_speeds

    show_speeds(console, [find_game(name) for name in game or game_names()], seconds, gpu)


@app.command()
def verify(
    file: Annotated[Path, typer.Argument(help="A game saved from a table.")],
    digest: Annotated[str, typer.Option(metavar="HEX", help="The digest that the page showed before the game.")] = "",
    share: Annotated[str, typer.Option(metavar="HEX", help="The share that your own browser gave.")] = "",
) -> None:
    """Check that the dice of a saved game were fair: make its seed again and draw every outcome from it. Ends with 1 where something differs."""
    from souk.core.record import load
    from souk.table.fairness import verify as check

    for name, value in (("digest", digest), ("share", share)):
        if value and not re.fullmatch(r"[0-9a-fA-F]{64}", value):
            raise ValueError(f"{name}: must be 64 hexadecimal digits, not {value!r}")
    verdict = check(load(file), digest, share)
    for line in verdict.lines:
        console.print(line, soft_wrap=True)
    if not verdict.fair:
        raise typer.Exit(2 if verdict.fair is None else 1)


def _with_settings(command: Callable[..., None], only: Sequence[str] = ()) -> Callable[..., None]:
    """A command with a flag, and a variable of the environment, for every setting of a server, or only for some."""
    from souk.table.settings import flags

    own = [each for each in inspect.signature(command).parameters.values() if each.kind is not each.VAR_KEYWORD]
    more = []
    for name, kind, default, about in flags():
        if only and name not in only:
            continue
        option = typer.Option(f"--{name.replace('_', '-')}", envvar=f"SOUK_{name.upper()}", help=about)
        annotation: Any = Annotated[kind, option]
        more.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=annotation))
    command.__signature__ = inspect.Signature([*own, *more])  # type: ignore[attr-defined]
    return command


def _with_settings_of_thinkers(command: Callable[..., None]) -> Callable[..., None]:
    from souk.table.settings import THINKING

    return _with_settings(command, THINKING)


@app.command()
@_with_settings
def serve(
    open_browser: Annotated[bool, typer.Option("--open", help="Open the lobby in the browser.")] = False, **given: Any
) -> None:
    """Serve tables to browsers. Each setting is a flag or a variable of the environment."""
    from souk.table.serving import serve as run
    from souk.table.settings import from_flags

    run(from_flags(given), open_browser)


@app.command()
@_with_settings_of_thinkers
def think(**given: Any) -> None:
    """Let the bots of servers elsewhere think on this machine, whose tables are in PostgreSQL (--store)."""
    from souk.table.settings import from_flags
    from souk.table.stores import check_installed

    settings = from_flags(given)
    if not settings.store or not settings.workers:
        raise ValueError(
            "think: needs --store postgresql://... of the servers to think for, and at least one of --workers"
        )
    check_installed()
    from souk.table.thinking import think as run

    run(settings)


app.add_typer(host, name="host")
app.add_typer(puzzles, name="puzzles")


def main() -> None:
    """The command `souk`. What a user can get wrong is told in one line, without a traceback."""
    try:
        app()
    except (ValueError, OSError, RuntimeError, sqlite3.Error) as error:
        Console(stderr=True, highlight=False).print(f"[red]souk:[/] {escape(str(error))}", soft_wrap=True)
        sys.exit(2)
    except KeyboardInterrupt:
        sys.exit(130)
