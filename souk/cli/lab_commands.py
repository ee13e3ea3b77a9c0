"""Commands for many games: simulations, tournaments, training, reports, exports and benchmarks."""

from pathlib import Path
from typing import Annotated, Any

import typer
import typer.core
from rich.console import Console

from souk.cli.options import (
    FixedSeed,
    GameName,
    GameOptions,
    MoveTime,
    Players,
    ProcessCount,
    RayAddress,
    WhereToRun,
    read_options,
)
from souk.games import game as find_game
from souk.games import names as game_names

console = Console(highlight=False)


def simulate(
    game: GameName,
    players: Players = None,
    games: Annotated[int, typer.Option("--games", "-n", help="Number of games.")] = 100_000,
    seed: Annotated[int, typer.Option(help="Same seed, same games.")] = 0,
    threads: Annotated[
        int | None, typer.Option(help="Threads, or Ray workers; default: all cores.")
    ] = None,
    target: Annotated[str, typer.Option(help="cpu, cuda (a GPU) or python (interpreted).")] = "cpu",
    on: WhereToRun = "here",
    address: RayAddress = None,
    option: GameOptions = None,
) -> None:
    """Play many games at random and summarize the results."""
    from souk.cli.simulate import show_summary, simulate_with_progress
    from souk.lab.simulate.job import check_simulation

    count = find_game(game).players[-1] if players is None else players
    order = check_simulation(
        game,
        count,
        games,
        seed,
        threads,
        target=target,
        on=on,
        address=address,
        **read_options(option),
    )
    show_summary(console, simulate_with_progress(order))


def tournament(
    game: GameName,
    entrants: Annotated[
        list[str],
        typer.Argument(metavar="BOT...", help="Two or more, such as vizier or uct:playouts=500."),
    ],
    players: Annotated[
        int | None,
        typer.Option("--players", "-p", help="Seats; default: one for each entrant, if possible."),
    ] = None,
    games: Annotated[
        int, typer.Option("--games", "-n", help="Number of games, rounded up to full rotations.")
    ] = 400,
    seconds: Annotated[
        float | None, typer.Option(help="Seconds per move, for bots whose name sets no limit.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same dice, cards and pairings.")] = 0,
    processes: ProcessCount = None,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Output folder; default: named after the settings."),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Save a record of every game.")] = False,
    on: WhereToRun = "here",
    address: RayAddress = None,
    option: GameOptions = None,
) -> None:
    """Let bots play each other, with rotated seats and the same dice in each rotation.

    Ctrl-C stops; run the same command again to resume.
    """
    from souk.cli.tournament import run_tournament
    from souk.lab.tournament import check_tournament
    from souk.lab.workers import make_workers

    table = check_tournament(
        game, entrants, players=players, seed=seed, seconds=seconds, options=read_options(option)
    )
    if not run_tournament(console, table, games, make_workers(processes, on, address), out, keep):
        raise typer.Exit(130)


class RenamingCommand(typer.core.TyperCommand):
    """`souk train`: understands former names of its options, with a note about the new ones."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        from souk.lab.training.settings import FORMER_NAMES

        renamed = {
            f"--{prefix}{former}": f"--{prefix}{name.replace('_', '-')}"
            for former, name in FORMER_NAMES.items()
            for prefix in ("", "no-")
        }
        for k, word in enumerate(args):
            option, equals, value = word.partition("=")
            if option in renamed:
                typer.echo(f"souk: {option} is now called {renamed[option]}", err=True)
                args[k] = renamed[option] + equals + value
        return super().parse_args(ctx, args)


def train(
    game: GameName,
    players: Players = None,
    hours: Annotated[
        float | None,
        typer.Option(
            help="Start no new round after this many hours; default: 1, unless --rounds is given."
        ),
    ] = None,
    rounds: Annotated[int | None, typer.Option(help="Stop after this many rounds.")] = None,
    device: Annotated[str, typer.Option(help="Where to train: cuda, cpu or auto.")] = "auto",
    gpu_games: Annotated[
        bool,
        typer.Option("--gpu-games", help="Play the training games on a GPU instead of CPU cores."),
    ] = False,
    processes: ProcessCount = None,
    seed: Annotated[int, typer.Option(help="Same seed, same weights.")] = 0,
    out: Annotated[
        Path | None,
        typer.Option(metavar="DIR", help="Output folder; default: train-GAME-PLAYERS."),
    ] = None,
    initial_net: Annotated[
        str,
        typer.Option(metavar="NET", help="Initial net: none, own (the game's net), or a file."),
    ] = "none",
    positions: Annotated[int, typer.Option(help="Training positions per round.")] = 1_000_000,
    random_opening: Annotated[
        int, typer.Option(help="Open each game with up to this many random decisions.")
    ] = 32,
    playouts: Annotated[int, typer.Option(help="Playouts per training position.")] = 24,
    search_weight: Annotated[
        float,
        typer.Option(help="Weight (0 to 1) of search results against game results as targets."),
    ] = 0.0,
    bootstrap_passes: Annotated[
        int,
        typer.Option(help="Retrain this many times on the net's own values of later positions."),
    ] = 2,
    td_lambda: Annotated[
        float, typer.Option(help="Weight (0 to 1) of still later positions in these passes.")
    ] = 0.4,
    correction_scale: Annotated[
        float, typer.Option(help="Scale (0 to 1) of the net's score corrections in the end.")
    ] = 1.0,
    win_head: Annotated[
        bool,
        typer.Option(
            "--win-head/--no-win-head",
            help="Let win chances depend on more than the expected scores.",
        ),
    ] = True,
    pairs: Annotated[int, typer.Option(help="Maximum number of game pairs in a match.")] = 2000,
    into: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE", help="Save the best net here; nets for other player numbers are kept."
        ),
    ] = None,
    gate: Annotated[
        bool,
        typer.Option("--gate/--no-gate", help="A new net must beat the best one to replace it."),
    ] = True,
) -> None:
    """Train a value net by self-play; a new net is kept if it wins a match.

    Ctrl-C stops; run the same command again to resume.
    """
    from souk.cli.train import TrainingRequest, train_with_progress
    from souk.lab.training.settings import TrainingSettings
    from souk.lab.workers import make_workers

    settings = TrainingSettings(
        game=game,
        players=find_game(game).players[-1] if players is None else players,
        seed=seed,
        positions=positions,
        random_opening=random_opening,
        playouts=playouts,
        gpu_games=gpu_games,
        search_weight=search_weight,
        bootstrap_passes=bootstrap_passes,
        td_lambda=td_lambda,
        correction_scale=correction_scale,
        win_head=win_head,
        most_pairs=pairs,
        gated=gate,
        initial_net="" if initial_net == "own" else initial_net,
    )
    request = TrainingRequest(hours, rounds, device, out, into)
    if not train_with_progress(console, settings, request, make_workers(processes)):
        raise typer.Exit(130)


def report(
    game: GameName,
    players: Annotated[
        str | None,
        typer.Option("--players", "-p", help="Player numbers, such as 2,3,4; default: all."),
    ] = None,
    play: Annotated[
        str, typer.Option(metavar="BOT,...", help="Bots to compare.")
    ] = "random,merchant,vizier",
    games: Annotated[
        int | None,
        typer.Option("--games", "-n", help="Games per bot; default: depends on the bot."),
    ] = None,
    simulated: Annotated[
        int, typer.Option(help="Games simulated for the results of random play.")
    ] = 1_000_000,
    seconds: MoveTime = 0.05,
    seed: FixedSeed = 0,
    processes: ProcessCount = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Output file; default: GAME.html.")
    ] = None,
    option: GameOptions = None,
) -> None:
    """Write a page of statistics: wins by seat, length, scores, and how often each rule matters."""
    from souk.cli.reports import make_report
    from souk.lab.report.plan import check_plan

    outline = check_plan(
        game,
        players,
        play,
        games=games,
        simulated=simulated,
        seconds=seconds,
        seed=seed,
        options=read_options(option),
    )
    make_report(console, outline, processes, out or Path(f"{find_game(game).name}.html"))


def export(
    game: GameName,
    players: Players = None,
    play: Annotated[str, typer.Option(metavar="BOT", help="The bot in every seat.")] = "random",
    games: Annotated[int, typer.Option("--games", "-n", help="Number of games.")] = 1000,
    seconds: MoveTime = 0.05,
    seed: FixedSeed = 0,
    processes: ProcessCount = None,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Output file; default: GAME.parquet.")
    ] = None,
    option: GameOptions = None,
) -> None:
    """Export every decision of many games to a Parquet file."""
    from souk.cli.reports import export_decisions
    from souk.lab.table_spec import check_table

    table = check_table(
        game, players, play, seconds=seconds, seed=seed, options=read_options(option)
    )
    export_decisions(console, table, games, processes, out or Path(f"{table.game}.parquet"))


def bench(
    game: Annotated[
        list[str] | None, typer.Argument(metavar="[GAME]...", help="Games; default: all.")
    ] = None,
    seconds: Annotated[float, typer.Option(help="Seconds per measurement.")] = 1.0,
    gpu: Annotated[bool, typer.Option("--gpu", help="Measure a GPU, too.")] = False,
) -> None:
    """Measure the speed of random games: interpreted, compiled on one core, and on all cores."""
    from souk.cli.bench import show_speeds

    show_speeds(console, [find_game(name) for name in game or game_names()], seconds, gpu)
