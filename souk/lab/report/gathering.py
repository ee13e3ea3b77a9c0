"""Games played to be looked at: one kind of bot in every seat, each game with dice of its own.

Random play is that of `souk.simulate`: game n of a seed is the same game in both. Other bots are dealt their dice as in a
tournament. Which games there are, and their order, follows from the table alone, not from the number of workers; with bots
that stop by the clock the moves may differ all the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count, pairwise

from souk.core.reporting import Moment
from souk.kernel.chance import draw, stream_start, stream_step
from souk.kernel.playouts import lowest_seat
from souk.lab.checks import check_whole
from souk.lab.playing import Fixture, play_fixture
from souk.lab.table_spec import TableSpec, prepare_bots

MOST_GAMES = 1_000_000
_AT_ONCE = 10  # random games a worker plays before it hands over what came of them


def check_games(games: object) -> int:
    return check_whole("games", games, 1, MOST_GAMES)


# ---------------------------------------------------------------- one game


def course(table: TableSpec, number: int) -> list[Moment]:
    """A game of a table from its start to its end."""
    return list(_random_moments(table, number)) if table.at_random else _bots_moments(table, number)


def _random_moments(table: TableSpec, number: int) -> Iterator[Moment]:
    """As `souk.kernel.playouts.playout`, with every event told."""
    before = table.start()
    game = before.game
    start = stream_start(table.seed, number)
    step, lists = stream_step(start), ([0] * game.widest, [0] * game.widest)
    for n in count():
        if before.over:
            return
        after, s, x = before.copy(), before.state, draw(start, step, n)
        actors = game.rules.actors(s)
        if actors:
            seat = lowest_seat(actors)
            code = game.rules.random_move(s, seat, x, lists[0])
            text = game.words.move_text(s, code)
            game.rules.play(after.state, seat, code)
            yield Moment(before, seat, text, after)
        else:
            code = game.rules.random_outcome(s, x, *lists)
            text = game.words.outcome_text(s, code)
            game.rules.resolve(after.state, code)
            yield Moment(before, None, text, after)
        before = after


def _bots_moments(table: TableSpec, number: int) -> list[Moment]:
    _, record = play_fixture(table, Fixture(number, number, (0,) * table.players))
    return [
        Moment(before, seat, text, after)
        for (before, after), (seat, text) in zip(pairwise(record.positions()), record.events, strict=True)
    ]


# ---------------------------------------------------------------- many games


@dataclass(frozen=True)
class GameRange:
    """Some games of a table: what a worker is handed."""

    table: TableSpec
    numbers: range


def ranges(table: TableSpec, games: int) -> Iterator[GameRange]:
    """All games, as many at a time as a worker is to play before it answers."""
    size = 1 if table.thinking else _AT_ONCE
    for first in range(0, games, size):
        yield GameRange(table, range(first, min(first + size, games)))


def prepare(some: GameRange) -> None:
    """Load what the bots think with, on a machine that has the same as the one that asks."""
    some.table.found_here()
    prepare_bots(some.table)
