"""The last turn of a game, of which its rules list all ends (the verb `last_turn`): what it comes to when the seat picks what is best for itself."""

import numpy as np

from souk.bots.kernels.value import SCORE, UTILITY, WIN, utility_of
from souk.kernel.bits import count
from souk.kernel.playable import Playable
from souk.kernel.rule import i64, rule

MOST_ENDS = 64


def end_type(game: Playable) -> np.dtype[np.void]:
    """A way for the game to end."""
    return np.dtype(
        [
            ("mean", "f8"),  # in the first end of a way: what the way is worth to it
            ("seat", "i4"),  # that picks
            ("way", "i4"),  # the move that leads here first
            ("weight", "i4"),  # of the chance that leads here then
            ("winners", "i4"),
            ("scores", "i4", game.desk["wins"].shape[0]),
        ],
        align=True,
    )


@rule
def share_of(end, seat):
    """A shared win counts in parts."""
    return ((end.winners >> seat) & 1) / count(end.winners)


@rule
def walk_along(ends, first, n, players):
    """The mean over all chances of a way, from the end `first` on. Returns where the next way begins."""
    seat = i64(ends[first].seat)
    mean = 0.0
    weight = 0
    k = first
    while k < n and ends[k].way == ends[first].way:
        weight += ends[k].weight
        worth = utility_of(share_of(ends[k], seat), ends[k].scores, players, seat)
        mean += ends[k].weight / weight * (worth - mean)
        k += 1
    ends[first].mean = mean
    return k


@rule
def add_end(end, players, share, sums):
    """Take an end into the mean over the chances."""
    for seat in range(players):
        win = share_of(end, seat)
        sums[seat, UTILITY] += share * (utility_of(win, end.scores, players, seat) - sums[seat, UTILITY])
        sums[seat, WIN] += share * (win - sums[seat, WIN])
        sums[seat, SCORE] += share * (end.scores[seat] - sums[seat, SCORE])


@rule
def weigh_ends(ends, n, players, sums):
    """What the last turn comes to for every seat. Only of the way that is picked all is worked out."""
    best = 0
    first = 0
    while first < n:
        then = walk_along(ends, first, n, players)
        if ends[first].mean > ends[best].mean:
            best = first
        first = then
    for seat in range(players):
        for kind in range(3):
            sums[seat, kind] = 0.0
    weight = 0
    k = best
    while k < n and ends[k].way == ends[best].way:
        weight += ends[k].weight
        add_end(ends[k], players, ends[k].weight / weight, sums)
        k += 1
