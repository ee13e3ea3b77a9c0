"""The last turns of a game, of which its rules list how they end (the verb `last_turns`): what they come to."""

from functools import cache

import numpy as np

from souk.bots.kernels.value import SCORE, UTILITY, WIN, utility_of
from souk.kernel.bits import count
from souk.kernel.playable import Playable
from souk.kernel.ranking import MOST_AHEAD
from souk.kernel.rule import rule

MOST_ENDS = 64


def end_type(game: Playable) -> np.dtype[np.void]:
    """A way for the game to end."""
    return np.dtype(
        [
            ("before", "i4"),  # the chance before the last one, by number
            ("weight_before", "i4"),
            ("weight", "i4"),  # of the last chance
            ("winners", "i4"),
            ("scores", "i4", game.desk["wins"].shape[0]),
        ],
        align=True,
    )


def sheet_type(game: Playable) -> np.dtype[np.void]:
    """What the last turns are worked out on."""
    seats = game.desk["wins"].shape[0]
    return np.dtype(
        [
            ("worths", "f8", (seats + 1, 2 * MOST_AHEAD + 1)),  # of ends, see the verb `last_turns`
            ("looked_at", "i8"),
            ("low", "f8"),
            ("high", "f8"),
            ("cut", "i8"),
            ("bound", "f8"),
            ("part", "f8", (seats, 3)),  # of what they come to
            *game.sheet,
        ],
        align=True,
    )


@cache
def worths_of_ends(seats: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """What an end is worth to a seat, by how many win together with it and how far ahead it is."""
    ahead = range(-MOST_AHEAD, MOST_AHEAD + 1)
    shares = [0.0, *(1 / winners for winners in range(1, seats + 1))]
    return np.array([[utility_of(share, (points, 0), 2, 0) for points in ahead] for share in shares])


@rule
def share_of(end, seat):
    """A shared win counts in parts."""
    return ((end.winners >> seat) & 1) / count(end.winners)


@rule
def clear_sums(sums, players):
    for seat in range(players):
        for kind in range(3):
            sums[seat, kind] = 0.0


@rule
def add_end(end, players, share, sums):
    """Take an end into the mean over the chances."""
    for seat in range(players):
        win = share_of(end, seat)
        sums[seat, UTILITY] += share * (utility_of(win, end.scores, players, seat) - sums[seat, UTILITY])
        sums[seat, WIN] += share * (win - sums[seat, WIN])
        sums[seat, SCORE] += share * (end.scores[seat] - sums[seat, SCORE])


@rule
def add_sums(source, players, share, sums):
    """Take what is known of one chance into the mean over all of them."""
    for seat in range(players):
        for kind in range(3):
            sums[seat, kind] += share * (source[seat, kind] - sums[seat, kind])


@rule
def weigh_ends(ends, n, players, part, sums):
    """What the last turns come to for every seat. `part` is for what the last turn comes to."""
    clear_sums(sums, players)
    weight_before = 0
    k = 0
    while k < n:
        first = k
        weight = 0
        clear_sums(part, players)
        while k < n and ends[k].before == ends[first].before:
            weight += ends[k].weight
            add_end(ends[k], players, ends[k].weight / weight, part)
            k += 1
        weight_before += ends[first].weight_before
        add_sums(part, players, ends[first].weight_before / weight_before, sums)
