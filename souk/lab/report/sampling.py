"""Plays games for examination: one kind of bot in every seat, each game with its own dice.

Random play is that of `souk.simulate`: game n of a seed is the same in both. Other bots get dice as
in a tournament. The games and their order depend only on the table, not on the workers; moves of
bots limited by time may differ.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from souk.core.facts import Fact
from souk.core.position import Position
from souk.core.report_spec import Moment
from souk.kernel.bitset import lowest
from souk.kernel.rng import draw, stream_start, stream_step
from souk.lab.play_game import Fixture, play_fixture
from souk.lab.table_spec import TableSpec, prepare_bots
from souk.lab.validation import check_whole

MOST_GAMES = 1_000_000
# random games per work item
_GAMES_PER_ITEM = 10


def check_games(games: object) -> int:
    return check_whole("games", games, 1, MOST_GAMES)


# ---------------------------------------------------------------- one game


def course(table: TableSpec, number: int) -> list[Moment]:
    """A game of a table as a list of events."""
    return list(_random_moments(table, number)) if table.is_random else _bots_moments(table, number)


def _random_moments(table: TableSpec, number: int) -> Iterator[Moment]:
    """As `souk.kernel.playouts.playout`, event by event."""
    position = table.start()
    rules, notation = position.game.rules, position.game.notation
    start = stream_start(table.seed, number)
    step, lists = stream_step(start), [[0] * position.game.widest for _ in range(2)]
    for n in count():
        if position.over:
            return
        s, x = position.state, draw(start, step, n)
        if actors := rules.actors(s):
            seat = lowest(actors)
            moment = _moment(
                position, seat, notation.move_text(s, rules.random_move(s, seat, x, lists[0]))
            )
        else:
            moment = _moment(
                position, None, notation.outcome_text(s, rules.random_outcome(s, x, *lists))
            )
        yield moment
        position = moment.after


def _bots_moments(table: TableSpec, number: int) -> list[Moment]:
    _, record = play_fixture(table, Fixture(number, number, (0,) * table.players))
    moments: list[Moment] = []
    for seat, text in record.events:
        moments.append(_moment(moments[-1].after if moments else record.start, seat, text))
    return moments


def _moment(before: Position, seat: int | None, text: str) -> Moment:
    """The event with the position after it and its facts."""
    after, facts = before.copy(), list[Fact]()
    after.resolve(text, facts.append) if seat is None else after.play(seat, text, facts.append)
    return Moment(before, seat, text, after, facts)


# ---------------------------------------------------------------- many games


@dataclass(frozen=True)
class GameRange:
    """Some games of a table: a work item."""

    table: TableSpec
    numbers: range


def ranges(table: TableSpec, games: int) -> Iterator[GameRange]:
    """All games as work items."""
    size = 1 if table.needs_kernels else _GAMES_PER_ITEM
    for first in range(0, games, size):
        yield GameRange(table, range(first, min(first + size, games)))


def prepare(games: GameRange) -> None:
    """Load the bots' kernels on a worker machine, which must have the same version."""
    games.table.local_game()
    prepare_bots(games.table)
