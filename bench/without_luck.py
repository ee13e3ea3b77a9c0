"""Who plays better, with the luck of dice and cards taken out of the results: a few hundred games tell what otherwise takes thousands.

    python bench/without_luck.py GAME PLAYERS ONE OTHER [--seats any|turns|sides] [--games N] [--minutes M] [--processes N] [--seed S] [--json FILE] [--journals DIR]
    python bench/without_luck.py GAME PLAYERS BOT BOT --seconds S [...]    bots as they are at a table, with so many seconds for a move

ONE and OTHER are how each side searches: `playouts=5000`, `playouts=11000,mind=none`, `playouts=5000,mind=FILE,weighs=1,exploration=0.1,patience=2,horizon=0`. Games are
played in pairs, with the same random numbers and changed seats, by the kernels that minds are trained with: no clock, no exact endings. With --seconds two bots play, such as `vizier` and
`vizier:mind=none`, by the clock and with all that they do at a table. Both sides sit in any order, or, as it matters
who comes next, always by turns, or each side by side. A file of figures keeps all that it has been told, and replaces a row by another about the same. With --journals every game is
written down there as soon as it is over, and the same command goes on where it was: a match of many seconds for a move can be played a few games at a time, on several machines.

Before a die is thrown, or a card drawn, a short search judges what everybody's chances would be after every outcome. What really comes up, less the average of them all,
was luck, and is taken off the result. On average luck is nothing, however wrong these judgements are, so a share of wins stays what it is; the better they are,
the narrower becomes its interval.
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
from fair_games import LOOKS, compile_here, luck_in, play_fairly, tally_type
from pedigree import commit, settings, write_figures
from strength import with_kept

from souk.games import names
from souk.kernel.interpreting import entry
from souk.lab.playing import Fixture, play_fixture
from souk.lab.statistics import Figure, mean_over
from souk.lab.table_spec import TableSpec, prepare_bots
from souk.lab.tournament import check_tournament
from souk.lab.training.selfplay import Manner, Side, Stint, laid_out, line_ups
from souk.lab.workers import Processes, Workers

Result = tuple[
    float, float
]  # the first side's share of a win, less its share of the seats; and how much of that was luck
Games = dict[int, Result]  # by number

WHOLE, REAL = {"playouts", "patience", "horizon", "weighs"}, {"exploration"}


def side_of(text: str) -> Side:
    """A side from the command line."""
    given: dict[str, Any] = dict(part.split("=", 1) for part in text.split(","))
    read: dict[str, Any] = {
        name: int(value) if name in WHOLE else float(value) if name in REAL else value for name, value in given.items()
    }
    return Side(**{"mind": ""} | read)


def by_turns(players: int, pair: int) -> list[tuple[int, ...]]:
    """Nobody sits beside one of their own, as far as that is possible."""
    return [tuple((seat + pair + game) % 2 for seat in range(players)) for game in range(2)]


def side_by_side(players: int, pair: int) -> list[tuple[int, ...]]:
    """All of a side sit beside each other, in every place in turn."""
    first = [int((seat + pair) % players >= players // 2) for seat in range(players)]
    return [tuple(first), tuple(1 - side for side in first)]


SEATS: dict[str, Callable[[int, int], list[tuple[int, ...]]]] = {
    "any": line_ups,
    "turns": by_turns,
    "sides": side_by_side,
}


def played(stint: Stint) -> Result:
    """The first side's share of the win, less its share of the seats, and how much of that was luck."""
    pos, (states, desk, nodes, edges, lore, minds, plan, *_) = laid_out(stint)
    tally = np.zeros(1, tally_type(pos.game.widest, pos.game.players[-1]))
    entry(pos.game, play_fairly)(states, desk, nodes, edges, lore, minds, plan, tally, stint.number)
    mine = np.array(stint.seats) == 0
    won, lucky = (tally[field][0, : pos.players][mine].sum() for field in ("wins", "luck"))
    return float(won - mine.mean()), float(lucky)


def share(results: dict[int, list[float]]) -> Figure:
    """Of wins, over pairs that were played to the end."""
    pairs = np.array([0.5 + sum(each) / 2 for each in results.values() if len(each) == 2])
    return mean_over(pairs, np.ones(len(pairs)))


@dataclass(frozen=True)
class Sitting:
    """A game of two bots at a table, as a worker is handed it."""

    table: TableSpec
    fixture: Fixture


def sat(sitting: Sitting) -> Result:
    """The same of a game by the clock."""
    game, record = play_fixture(sitting.table, sitting.fixture)
    if any(game.fallbacks):
        raise RuntimeError(f"game {game.game}: another bot had to stand in for one of these")
    mine, winners = [seat for seat, side in enumerate(sitting.fixture.seats) if side == 0], record.position.winners
    won, luck = sum(seat in winners for seat in mine) / len(winners), luck_in(record)
    return won - len(mine) / record.start.players, sum(luck[seat] for seat in mine)


class Match(NamedTuple):
    """Who plays whom, and as how one row of figures it is kept."""

    game: str
    players: int
    one: str
    other: str
    seats: str = "any"
    seconds: float | None = None  # for a move, where bots play

    def results(self, workers: Workers, games: Sequence[int], seed: int) -> Iterator[tuple[int, Result]]:
        """The number of each of these games, with what came of it. Those of a pair have numbers that follow each other."""
        deals = [(game, game // 2, SEATS[self.seats](self.players, game // 2)[game % 2]) for game in games]
        if self.seconds is None:
            sides, manner = (side_of(self.one), side_of(self.other)), Manner(LOOKS, LOOKS, kept=0.0, wild=0.0)
            stints = {
                Stint(self.game, self.players, seed, pair, 1, sides, seats, manner): game for game, pair, seats in deals
            }
            yield from ((stints[stint], found) for stint, found in workers.each(played, stints))
            return
        bots = [self.one, self.other]
        table = check_tournament(self.game, bots, players=self.players, seed=seed, seconds=self.seconds)
        prepare_bots(table)
        compile_here(self.game, self.players)
        sittings = [Sitting(table, Fixture(game, pair, seats)) for game, pair, seats in deals]
        yield from ((sitting.fixture.game, found) for sitting, found in workers.each(sat, sittings))

    def play(self, workers: Workers, games: int, minutes: float, seed: int, journal: "Journal") -> None:
        """Play as many games as are missing, or as the time allows."""
        end = time.time() + 60 * minutes
        missing = [game for game in range(games + games % 2) if game not in journal.found]
        for game, result in self.results(workers, missing, seed):
            journal.note(game, result)
            if time.time() > end:
                break

    def row(self, found: Games) -> dict[str, Any]:
        """The figures of games."""
        with_luck, without = dict[int, list[float]](), dict[int, list[float]]()
        for game, (result, luck) in found.items():
            with_luck.setdefault(game // 2, []).append(result)
            without.setdefault(game // 2, []).append(result - luck)
        many = 2 * share(without).cases
        row: dict[str, Any] = {"game": self.game, "players": self.players, "better": self.one, "other": self.other}
        row |= {"seats": self.seats, "games": many}
        if self.seconds is not None:
            row["seconds"] = self.seconds
        for name, figure in (("with luck", share(with_luck)), ("without luck", share(without))):
            row[name.replace(" ", "_")] = [figure.value, figure.low, figure.high]
            print(f"{name}: {figure.value:.1%} ({figure.low:.1%} to {figure.high:.1%}) of {many} games", flush=True)
        return row


class Journal:
    """The games of a match that are over, by their numbers; in a file as well, where there is a folder for it."""

    def __init__(self, match: Match, seed: int, folder: Path | None = None) -> None:
        self.found: Games = {}
        self._file = (
            folder / f"{re.sub(r'[^a-z0-9.]+', '-', ' '.join(map(str, match)))}-{seed}.jsonl" if folder else None
        )
        if self._file is not None and self._file.is_file():
            for line in self._file.read_text().splitlines():
                noted = json.loads(line)
                self.found[noted["game"]] = noted["result"], noted["luck"]

    def note(self, game: int, result: Result) -> None:
        self.found[game] = result
        if self._file is not None:
            self._file.parent.mkdir(parents=True, exist_ok=True)
            noted = {"game": game, "result": round(result[0], 4), "luck": round(result[1], 4), "commit": commit()}
            with self._file.open("a") as file:
                file.write(json.dumps(noted) + "\n")


def length_of_match(parser: ArgumentParser) -> None:
    """What can be said of how long a match is to be, and where it is written down."""
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--journals", type=Path, metavar="DIR", help="where games are written down, to go on with")


def keep_row(file: Path | None, row: dict[str, Any], workers: Processes) -> None:
    """Keep the figures of a match, beside those of others."""
    if file:
        write_figures(file, {"rows": with_kept(file, [row])}, n=row["games"], of="games", cores=workers.at_once)


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("game", choices=names())
    parser.add_argument("players", type=int)
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--seats", choices=SEATS, default="any")
    parser.add_argument("--seconds", type=float, help="for a move: then bots play")
    length_of_match(parser)
    given = parser.parse_args()
    match = Match(given.game, given.players, given.one, given.other, given.seats, given.seconds)
    journal = Journal(match, given.seed, given.journals)
    with Processes(given.processes) as workers:
        match.play(workers, given.games, given.minutes, given.seed, journal)
    row = match.row(journal.found)
    keep_row(given.json, row, workers)


if __name__ == "__main__":
    main()
