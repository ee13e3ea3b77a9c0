"""The schedule of a tournament: the seats and the deal of each game.

A *deal* is one stream of dice and cards with one line-up of entrants. It is played once per seat,
rotating the line-up, so that everyone plays every seat and the n-th die or card uses the same
random number. If a rotation repeats a line-up early (two entrants alternating at a table of four),
the remaining games are a deal with other dice. The schedule depends only on the table, so a
tournament can be interrupted, resumed and extended by any number of workers.
"""

from collections.abc import Iterator, Sequence
from itertools import count, islice

from souk.kernel.rng import draw, mix, stream_start, stream_step
from souk.lab.play_game import Fixture
from souk.lab.table_spec import TableSpec
from souk.lab.validation import check_whole

MOST_GAMES = 10_000_000
# Keeps line-ups and dice in different streams.
_LINE_UPS = 0x7461626C
# Offset from a deal's number to that of its second half with other dice.
_OTHER_DICE = 1 << 32


def _shuffled(items: Sequence[int], start: int, first: int) -> list[int]:
    """Items in an order drawn from a stream, starting with its number `first`."""
    step = stream_step(start)
    keys = [draw(start, step, first + i) for i in range(len(items))]
    return [item for _, _, item in sorted(zip(keys, range(len(items)), items, strict=True))]


def line_ups(entrants: int, players: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Yield the entrants around the table, deal after deal.

    Each place goes to the entrant with the fewest seats in this line-up, then in all line-ups, then
    with the fewest meetings with those at the table. So all play equally often, up to one line-up,
    and meet as equally as possible.
    """
    seated, met = [0] * entrants, [[0] * entrants for _ in range(entrants)]
    for deal in count():
        start = stream_start(mix(seed ^ _LINE_UPS), deal)
        line_up: list[int] = []
        for _ in range(players):
            line_up.append(
                min(
                    _shuffled(range(entrants), start, 0),
                    key=lambda who: (
                        line_up.count(who),
                        seated[who],
                        sum(met[who][other] for other in line_up),
                    ),
                )
            )
        for one in line_up:
            seated[one] += 1
            for other in line_up:
                met[one][other] += one != other
        yield tuple(_shuffled(line_up, start, entrants))


def rotations(line_up: tuple[int, ...]) -> int:
    """The number of rotations by one seat after which a line-up repeats."""
    return next(
        turn for turn in range(1, len(line_up) + 1) if line_up[turn:] + line_up[:turn] == line_up
    )


def fixtures(table: TableSpec, deals: range) -> Iterator[Fixture]:
    """The games of some deals: every rotation of each line-up."""
    players = table.players
    all_line_ups = line_ups(len(table.bots), players, table.seed)
    for deal, line_up in enumerate(islice(all_line_ups, deals.stop)):
        if deal >= deals.start:
            for turn in range(players):
                repeat = turn // rotations(line_up)
                yield Fixture(
                    deal * players + turn,
                    deal + repeat * _OTHER_DICE,
                    line_up[turn:] + line_up[:turn],
                )


def deals_for(games: int, players: int) -> range:
    """The deals that contain at least `games` games, in full rotations."""
    check_whole("games", games, 1, MOST_GAMES)
    return range(-(-games // players))
