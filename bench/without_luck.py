"""Who plays better, with the luck of dice and cards taken out of the results: a few hundred games tell what otherwise takes thousands.

    python bench/without_luck.py GAME PLAYERS ONE OTHER [--seats any|turns|sides] [--games N] [--minutes M] [--processes N] [--seed S] [--json FILE]
    python bench/without_luck.py GAME PLAYERS BOT BOT --seconds S [...]    bots as they are at a table, with so many seconds for a move

ONE and OTHER are how each side searches: `playouts=5000`, `playouts=11000,mind=none`, `playouts=5000,mind=FILE,weighs=1,exploration=0.1,patience=2,horizon=0`. Games are
played in pairs, with the same random numbers and changed seats, by the kernels that minds are trained with: no clock, no exact endings. With --seconds two bots play, such as `vizier` and
`vizier:mind=none`, by the clock and with all that they do at a table. Both sides sit in any order, or, as it matters
who comes next, always by turns, or each side by side. A file of figures keeps all that it has been told, and replaces a row by another about the same.

Before a die is thrown, or a card drawn, a short search judges what everybody's chances would be after every outcome. What really comes up, less the average of them all,
was luck, and is taken off the result. On average luck is nothing, however wrong these judgements are, so a share of wins stays what it is; the better they are,
the narrower becomes its interval.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from fair_games import LOOKS, compile_here, luck_in, play_fairly, tally_type
from pedigree import settings, write_figures
from strength import with_kept

from souk.games import names
from souk.kernel.interpreting import entry
from souk.lab.playing import Fixture, play_fixture
from souk.lab.statistics import Figure, mean_over
from souk.lab.table_spec import TableSpec, prepare_bots
from souk.lab.tournament import check_tournament
from souk.lab.training.selfplay import Manner, Side, Stint, laid_out, line_ups
from souk.lab.workers import Processes, Workers

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


def played(stint: Stint) -> tuple[float, float]:
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

    @property
    def number(self) -> int:
        """Of the pair that it is one of."""
        return self.fixture.deal


def sat(sitting: Sitting) -> tuple[float, float]:
    """The same of a game by the clock."""
    _, record = play_fixture(sitting.table, sitting.fixture)
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

    def results(self, workers: Workers, games: int, seed: int) -> Iterator[tuple[int, tuple[float, float]]]:
        """The number of each game's pair, with what came of it."""
        pairs = [(pair, seats) for pair in range(-(-games // 2)) for seats in SEATS[self.seats](self.players, pair)]
        if self.seconds is None:
            sides, manner = (side_of(self.one), side_of(self.other)), Manner(LOOKS, LOOKS, kept=0.0, wild=0.0)
            stints = [Stint(self.game, self.players, seed, pair, 1, sides, seats, manner) for pair, seats in pairs]
            yield from ((stint.number, found) for stint, found in workers.each(played, stints))
            return
        bots = [self.one, self.other]
        table = check_tournament(self.game, bots, players=self.players, seed=seed, seconds=self.seconds)
        prepare_bots(table)
        compile_here(self.game, self.players)
        sittings = [Sitting(table, Fixture(game, pair, seats)) for game, (pair, seats) in enumerate(pairs)]
        yield from ((sitting.number, found) for sitting, found in workers.each(sat, sittings))

    def row(self, workers: Workers, games: int, minutes: float = 1e6, seed: int = 1) -> dict[str, Any]:
        """The figures of so many games, or of as many as the time allows."""
        end = time.time() + 60 * minutes
        with_luck, without = dict[int, list[float]](), dict[int, list[float]]()
        for pair, (result, luck) in self.results(workers, games, seed):
            with_luck.setdefault(pair, []).append(result)
            without.setdefault(pair, []).append(result - luck)
            if time.time() > end:
                break
        many = 2 * share(without).cases
        row: dict[str, Any] = {"game": self.game, "players": self.players, "better": self.one, "other": self.other}
        row |= {"seats": self.seats, "games": many}
        if self.seconds is not None:
            row["seconds"] = self.seconds
        for name, found in (("with luck", share(with_luck)), ("without luck", share(without))):
            row[name.replace(" ", "_")] = [found.value, found.low, found.high]
            print(f"{name}: {found.value:.1%} ({found.low:.1%} to {found.high:.1%}) of {many} games", flush=True)
        return row


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("game", choices=names())
    parser.add_argument("players", type=int)
    parser.add_argument("one")
    parser.add_argument("other")
    parser.add_argument("--seats", choices=SEATS, default="any")
    parser.add_argument("--seconds", type=float, help="for a move: then bots play")
    parser.add_argument("--games", type=int, default=400)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    match = Match(given.game, given.players, given.one, given.other, given.seats, given.seconds)
    with Processes(given.processes) as workers:
        row = match.row(workers, given.games, given.minutes, given.seed)
    if given.json:
        rows = with_kept(given.json, [row])
        write_figures(given.json, {"rows": rows}, n=row["games"], of="games", cores=workers.at_once)


if __name__ == "__main__":
    main()
