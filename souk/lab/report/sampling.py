"""Games played to be looked at: one kind of bot in every seat, each game with dice of its own.

Random play is that of `souk.simulate`: game n of a seed is the same game in both. Other bots are dealt their dice as in a
tournament. Which games there are, and their order, follows from the table alone, not from the number of workers; with bots
that stop by the clock the moves may differ all the same.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import count

from souk.core.facts import Fact
from souk.core.position import Position
from souk.core.reporting import Moment
from souk.kernel.bits import lowest
from souk.kernel.chance import draw, stream_start, stream_step
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
            moment = _moment(position, seat, notation.move_text(s, rules.random_move(s, seat, x, lists[0])))
        else:
            moment = _moment(position, None, notation.outcome_text(s, rules.random_outcome(s, x, *lists)))
        yield moment
        position = moment.after


def _bots_moments(table: TableSpec, number: int) -> list[Moment]:
    _, record = play_fixture(table, Fixture(number, number, (0,) * table.players))
    found: list[Moment] = []
    for seat, text in record.events:
        found.append(_moment(found[-1].after if found else record.start, seat, text))
    return found


def _moment(before: Position, seat: int | None, text: str) -> Moment:
    """What comes of a move, or of what a die or card shows."""
    after, facts = before.copy(), list[Fact]()
    after.resolve(text, facts.append) if seat is None else after.play(seat, text, facts.append)
    return Moment(before, seat, text, after, facts)


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
