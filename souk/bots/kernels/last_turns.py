"""Values of the last turns, whose possible ends a game lists (game op `last_turns`)."""

from functools import cache

import numpy as np

from souk.bots.kernels.value import SCORE, UTILITY, WIN, utility_of
from souk.kernel.bitset import count
from souk.kernel.game_spec import Playable
from souk.kernel.ranking import MAX_LEAD
from souk.kernel.rule import rule

MOST_ENDS = 64


def end_type(game: Playable) -> np.dtype[np.void]:
    """A possible end of the game."""
    return np.dtype(
        [
            ("before", "i4"),  # index of the outcome of the last chance event but one
            ("weight_before", "i4"),
            ("weight", "i4"),  # of the last outcome
            ("winners", "i4"),
            ("scores", "i4", game.workspace["wins"].shape[0]),
        ],
        align=True,
    )


def scratch_type(game: Playable) -> np.dtype[np.void]:
    """Scratch space for the last turns."""
    seats = game.workspace["wins"].shape[0]
    return np.dtype(
        [
            ("worths", "f8", (seats + 1, 2 * MAX_LEAD + 1)),  # see the game op `last_turns`
            ("looked_at", "i8"),
            ("low", "f8"),
            ("high", "f8"),
            ("cut", "i8"),
            ("bound", "f8"),
            ("part", "f8", (seats, 3)),  # scratch for `average_ends`
            *game.sheet,
        ],
        align=True,
    )


@cache
def worths_of_ends(seats: int) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    """Utility of an end, by the number of joint winners and the points ahead."""
    ahead = range(-MAX_LEAD, MAX_LEAD + 1)
    shares = [0.0, *(1 / winners for winners in range(1, seats + 1))]
    return np.array(
        [[utility_of(share, (points, 0), 2, 0) for points in ahead] for share in shares]
    )


@rule
def share_of(end, seat):
    """A seat's share of the win; joint winners share it."""
    return ((end.winners >> seat) & 1) / count(end.winners)


@rule
def clear_sums(sums, players):
    for seat in range(players):
        for kind in range(3):
            sums[seat, kind] = 0.0


@rule
def add_end(end, players, share, sums):
    """Add an end to a weighted mean."""
    for seat in range(players):
        win = share_of(end, seat)
        sums[seat, UTILITY] += share * (
            utility_of(win, end.scores, players, seat) - sums[seat, UTILITY]
        )
        sums[seat, WIN] += share * (win - sums[seat, WIN])
        sums[seat, SCORE] += share * (end.scores[seat] - sums[seat, SCORE])


@rule
def add_sums(source, players, share, sums):
    """Add partial means to a weighted mean."""
    for seat in range(players):
        for kind in range(3):
            sums[seat, kind] += share * (source[seat, kind] - sums[seat, kind])


@rule
def average_ends(ends, n, players, part, sums):
    """The mean values of the last turns for every seat."""
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
