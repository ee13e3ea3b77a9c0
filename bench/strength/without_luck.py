"""Measures which of two bots plays better, with the luck of dice and cards removed.

    python -m bench.strength.without_luck GAME PLAYERS ONE OTHER [--games N] [--journals DIR] ...
    python -m bench.strength.without_luck GAME PLAYERS BOT BOT --seconds S ...

The first form compares searches by playouts (`playouts=5000,net=none`; also `weighs`,
`exploration`, `patience`, `horizon`), the second bots by the clock, as at a table. Games are played
in pairs with the same random numbers and swapped seats. With --journals the same command continues
a match later.
"""

import json
import re
import time
from argparse import ArgumentParser
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.strength.strength import merge_rows
from bench.support.luck import PLAYOUTS, compile_luck, luck_in, play_measuring_luck, tally_type
from bench.support.provenance import commit, figures_parser, write_figures
from souk.games import names
from souk.kernel.interpreter import load_kernel
from souk.lab.play_game import Fixture, play_fixture
from souk.lab.statistics import Figure, mean_over
from souk.lab.table_spec import TableSpec, prepare_bots
from souk.lab.tournament import check_tournament
from souk.lab.training.selfplay import SelfPlayTask, Side, kernel_arguments, line_ups
from souk.lab.training.settings import SelfPlaySettings
from souk.lab.workers import Processes, Workers


class Result(NamedTuple):
    """The first side's share of the win minus its share of the seats, and its luck."""

    surplus: float
    luck: float


INTEGERS, FLOATS = {"playouts", "patience", "horizon", "weighs"}, {"exploration"}


def parse_side(text: str) -> Side:
    settings: dict[str, Any] = {"net": ""}
    for part in text.split(","):
        name, _, value = part.partition("=")
        name = "net" if name == "mind" else name  # its former name
        convert = int if name in INTEGERS else float if name in FLOATS else str
        settings[name] = convert(value)
    return Side(**settings)


def alternating(players: int, pair: int) -> list[tuple[int, ...]]:
    """The sides sit alternately, as far as possible."""
    return [tuple((seat + pair + game) % 2 for seat in range(players)) for game in range(2)]


def side_by_side(players: int, pair: int) -> list[tuple[int, ...]]:
    """The seats of a side are neighbours, rotated from pair to pair."""
    first = [int((seat + pair) % players >= players // 2) for seat in range(players)]
    return [tuple(first), tuple(1 - side for side in first)]


SEATS: dict[str, Callable[[int, int], list[tuple[int, ...]]]] = {
    "any": line_ups,
    "turns": alternating,
    "sides": side_by_side,
}


def play_searches(task: SelfPlayTask) -> Result:
    """Play a game of searches in a kernel."""
    pos, (states, workspace, nodes, edges, lookup, nets, plan, *_) = kernel_arguments(task)
    tally = np.zeros(1, tally_type(pos.game.widest, pos.game.players[-1]))
    play = load_kernel(pos.game, play_measuring_luck)
    play(states, workspace, nodes, edges, lookup, nets, plan, tally, task.number)
    mine = np.array(task.seats) == 0
    won, luck = (tally[field][0, : pos.players][mine].sum() for field in ("wins", "luck"))
    return Result(float(won - mine.mean()), float(luck))


@dataclass(frozen=True)
class BotGame:
    """A game of two bots at a table."""

    table: TableSpec
    fixture: Fixture


def play_bots(task: BotGame) -> Result:
    """Play a game of bots by the clock."""
    game, record = play_fixture(task.table, task.fixture)
    if any(game.fallbacks):
        raise RuntimeError(f"game {game.game}: a bot failed and was replaced")
    mine = [seat for seat, side in enumerate(task.fixture.seats) if side == 0]
    winners, luck = record.position.winners, luck_in(record)
    won = sum(seat in winners for seat in mine) / len(winners)
    return Result(won - len(mine) / record.start.players, sum(luck[seat] for seat in mine))


def share_of_wins(results: dict[int, list[float]]) -> Figure:
    """Mean over complete pairs."""
    pairs = np.array([0.5 + sum(pair) / 2 for pair in results.values() if len(pair) == 2])
    return mean_over(pairs, np.ones(len(pairs)))


class Match(NamedTuple):
    """Two sides at a table; becomes one row of figures."""

    game: str
    players: int
    one: str
    other: str
    seats: str = "any"
    seconds: float | None = None  # per move, for bots

    def results(
        self, workers: Workers, games: Sequence[int], seed: int
    ) -> Iterator[tuple[int, Result]]:
        """Play games, given by number; those of a pair are consecutive."""
        deals = [
            (game, game // 2, SEATS[self.seats](self.players, game // 2)[game % 2])
            for game in games
        ]
        if self.seconds is None:
            sides = parse_side(self.one), parse_side(self.other)
            settings = SelfPlaySettings(PLAYOUTS, PLAYOUTS, kept=0.0, epsilon=0.0)
            numbers = {
                SelfPlayTask(self.game, self.players, seed, pair, 1, sides, seats, settings): game
                for game, pair, seats in deals
            }
            for task, result in workers.as_completed(play_searches, numbers):
                yield numbers[task], result
            return
        bots = [self.one, self.other]
        table = check_tournament(
            self.game, bots, players=self.players, seed=seed, seconds=self.seconds
        )
        prepare_bots(table)
        compile_luck(self.game, self.players)
        tasks = [BotGame(table, Fixture(game, pair, seats)) for game, pair, seats in deals]
        for bot_game, result in workers.as_completed(play_bots, tasks):
            yield bot_game.fixture.game, result

    def play(
        self, workers: Workers, games: int, minutes: float, seed: int, journal: "Journal"
    ) -> None:
        """Play the missing games, or as many as time allows."""
        end = time.time() + 60 * minutes
        missing = [game for game in range(games + games % 2) if game not in journal.results]
        for game, result in self.results(workers, missing, seed):
            journal.add(game, result)
            if time.time() > end:
                break

    def row(self, results: dict[int, Result]) -> dict[str, Any]:
        with_luck, without = dict[int, list[float]](), dict[int, list[float]]()
        for game, (surplus, luck) in results.items():
            with_luck.setdefault(game // 2, []).append(surplus)
            without.setdefault(game // 2, []).append(surplus - luck)
        games = 2 * share_of_wins(without).cases
        row: dict[str, Any] = {"game": self.game, "players": self.players}
        row |= {"better": self.one, "other": self.other, "seats": self.seats, "games": games}
        if self.seconds is not None:
            row["seconds"] = self.seconds
        for name, pairs in (("with luck", with_luck), ("without luck", without)):
            share = share_of_wins(pairs)
            row[name.replace(" ", "_")] = [share.value, share.low, share.high]
            figure = f"{share.value:.1%} ({share.low:.1%} to {share.high:.1%})"
            print(f"{name}: {figure} of {games} games", flush=True)
        return row


class Journal:
    """Results by game number, kept in a file if there is a folder."""

    def __init__(self, match: Match, seed: int, folder: Path | None = None) -> None:
        self.results: dict[int, Result] = {}
        name = re.sub(r"[^a-z0-9.]+", "-", " ".join(map(str, match)))
        self._file = folder / f"{name}-{seed}.jsonl" if folder else None
        if self._file is not None and self._file.is_file():
            for line in self._file.read_text().splitlines():
                entry = json.loads(line)
                self.results[entry["game"]] = Result(entry["result"], entry["luck"])

    def add(self, game: int, result: Result) -> None:
        self.results[game] = result
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            entry: dict[str, Any] = {"game": game, "result": round(result.surplus, 4)}
            entry |= {"luck": round(result.luck, 4), "commit": commit()}
            with self._file.open("a") as file:
                file.write(json.dumps(entry) + "\n")


def add_match_options(parser: ArgumentParser) -> None:
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--journals", type=Path, metavar="DIR", help="keep finished games here, to continue later"
    )


def save_row(file: Path | None, row: dict[str, Any], workers: Processes) -> None:
    """Add a match to a file, replacing an earlier one of the same bots."""
    if file:
        figures = {"rows": merge_rows(file, [row])}
        write_figures(file, figures, n=row["games"], of="games", cores=workers.parallelism)


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("game", choices=names())
    parser.add_argument("players", type=int)
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--seats", choices=SEATS, default="any")
    parser.add_argument("--seconds", type=float, help="per move; compares bots by the clock")
    add_match_options(parser)
    args = parser.parse_args()
    match = Match(args.game, args.players, args.one, args.other, args.seats, args.seconds)
    journal = Journal(match, args.seed, args.journals)
    with Processes(args.processes) as workers:
        match.play(workers, args.games, args.minutes, args.seed, journal)
    save_row(args.json, match.row(journal.results), workers)


if __name__ == "__main__":
    main()
