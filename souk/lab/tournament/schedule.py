"""Who sits where in which game of a tournament, and whose dice it has.

A *deal* is one stream of dice and cards and one line-up of entrants round the table. It is played once for each seat, the line-up
moved on by one seat each time, so that in the games of a deal everybody sits everywhere and the n-th die or card is drawn
with the same random number. Where two sit by turns at a table of four, or the like, moving on twice leaves all as it was: to be no game that has been played,
the second half is then a deal of its own, with other dice. (Without such line-ups one would always sit beside oneself, and in some games it matters
a lot who comes next.) Which games there are follows from the table alone: a tournament can be broken off,
resumed and extended, by any number of workers, and stays the same tournament.
"""

from collections.abc import Iterator, Sequence
from itertools import count, islice

from souk.kernel.chance import draw, mix, stream_start, stream_step
from souk.lab.checks import check_whole
from souk.lab.playing import Fixture
from souk.lab.table_spec import TableSpec

MOST_GAMES = 10_000_000
_LINE_UPS = 0x7461626C  # so that line-ups and dice come from different streams
_OTHER_DICE = 1 << 32  # between the numbers of a deal and of its second half, where that has other dice


def _shuffled(items: Sequence[int], start: int, first: int) -> list[int]:
    """Items in the order that a stream's numbers give them, from number `first` of the stream."""
    step = stream_step(start)
    keys = [draw(start, step, first + i) for i in range(len(items))]
    return [item for _, _, item in sorted(zip(keys, range(len(items)), items, strict=True))]


def line_ups(entrants: int, players: int, seed: int) -> Iterator[tuple[int, ...]]:
    """The entrants round the table, deal after deal without end. Each place goes to whoever has the fewest in this line-up, then
    the fewest seats so far, then has met those at the table least: so all play equally often, up to one line-up, and as
    equally as can be against each other."""
    seated, met = [0] * entrants, [[0] * entrants for _ in range(entrants)]
    for deal in count():
        start = stream_start(mix(seed ^ _LINE_UPS), deal)
        line_up: list[int] = []
        for _ in range(players):
            line_up.append(
                min(
                    _shuffled(range(entrants), start, 0),
                    key=lambda who: (line_up.count(who), seated[who], sum(met[who][other] for other in line_up)),
                )
            )
        for one in line_up:
            seated[one] += 1
            for other in line_up:
                met[one][other] += one != other
        yield tuple(_shuffled(line_up, start, entrants))


def rotations(line_up: tuple[int, ...]) -> int:
    """How many times it can be moved on by one seat until it is as it was."""
    return next(turn for turn in range(1, len(line_up) + 1) if line_up[turn:] + line_up[:turn] == line_up)


def fixtures(table: TableSpec, deals: range) -> Iterator[Fixture]:
    """The games of some deals, every rotation of each line-up."""
    players = table.players
    every = line_ups(len(table.bots), players, table.seed)
    for deal, line_up in enumerate(islice(every, deals.stop)):
        if deal >= deals.start:
            for turn in range(players):
                again = turn // rotations(line_up)
                yield Fixture(deal * players + turn, deal + again * _OTHER_DICE, line_up[turn:] + line_up[:turn])


def deals_for(games: int, players: int) -> range:
    """The deals that hold at least so many games: whole rotations only."""
    check_whole("games", games, 1, MOST_GAMES)
    return range(-(-games // players))
