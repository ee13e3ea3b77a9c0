"""The end of a game played out in full: every move, every die and card, no sampling. Each seat picks what is best for itself."""

import numpy as np

from souk.bots.kernels.value import SCORE, UTILITY, WIN, judge, utility
from souk.kernel.bits import lowest
from souk.kernel.playable import Playable
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import actors, moves, outcomes, over, play, resolve

LEVELS = 40


def level_type(game: Playable) -> np.dtype[np.void]:
    """A level of the stack: a position of which all continuations are being looked at."""
    wide, seats = game.desk["out"].shape[0], game.desk["wins"].shape[0]
    return np.dtype(
        [
            ("sums", "f8", (seats, 3)),  # by seat what is known: of the best move so far, or the mean over the outcomes
            ("seat", "i8"),  # that is to move, -1 where a die or card is due
            ("next", "i8"),  # the place in the list of what is looked at next
            ("n", "i8"),  # the length of the list
            ("weight", "i8"),  # of the outcomes looked at so far
            ("out", "i4", wide),  # its moves or outcomes
            ("weights", "i4", wide),
        ],
        align=True,
    )


@rule
def enter(s, here):
    """Begin to look at a position: list what may happen in it."""
    seats = actors(s)
    here.seat = -1 if seats == 0 else lowest(seats)
    here.next = 0
    here.weight = 0
    if seats == 0:
        here.n = outcomes(s, here.out, here.weights)
    else:
        here.n = moves(s, here.seat, here.out)
    for seat in range(s.players):
        for kind in range(3):
            here.sums[seat, kind] = 0.0


@rule
def take_in(here, looked_at, players):
    """What the continuation just looked at means for a position: the best of a seat's moves, or the mean of a chance's outcomes."""
    k = here.next - 1
    if here.seat >= 0:
        if k == 0 or looked_at.sums[here.seat, UTILITY] > here.sums[here.seat, UTILITY]:
            for seat in range(players):
                for kind in range(3):
                    here.sums[seat, kind] = looked_at.sums[seat, kind]
    else:
        share = here.weights[k] / (here.weight + here.weights[k])
        here.weight += here.weights[k]
        for seat in range(players):
            for kind in range(3):
                here.sums[seat, kind] += share * (looked_at.sums[seat, kind] - here.sums[seat, kind])


@rule
def judge_end(s, desk, lore, here):
    """What is known of a game that is over."""
    judge(s, desk, lore)
    for seat in range(i64(s.players)):
        here.sums[seat, UTILITY] = utility(desk, s.players, seat)
        here.sums[seat, WIN] = desk.wins[seat]
        here.sums[seat, SCORE] = desk.values[seat]


@rule
def go_to_next(states, levels, level):
    """The next continuation of a level, in the state above."""
    here = levels[level]
    event = i64(here.out[here.next])
    here.next += 1
    states[level + 1] = states[level]
    if here.seat >= 0:
        play(states[level + 1], here.seat, event)
    else:
        resolve(states[level + 1], event)


@rule
def play_out_in_full(states, desks, levels, lore, most):
    """All continuations of the position in states[0], in which one seat is to move. Writes what is known of each of its moves for that seat
    into `desk.reasons`, in the order of `moves`. Returns how many moves; 0 if there are more than `most` positions."""
    desk = desks[0]
    players = states[0].players
    enter(states[0], levels[0])
    level = 0
    looked_at = 0
    while True:
        if levels[level].next < levels[level].n:
            if level + 1 == LEVELS or looked_at == most:
                return 0
            go_to_next(states, levels, level)
            looked_at += 1
            if not over(states[level + 1]):
                level += 1
                enter(states[level], levels[level])
                continue
            judge_end(states[level + 1], desk, lore, levels[level + 1])
        else:
            level -= 1
            if level < 0:
                return levels[0].n
        take_in(levels[level], levels[level + 1], players)
        if level == 0:
            for kind in range(3):
                desk.reasons[levels[0].next - 1, kind] = levels[1].sums[levels[0].seat, kind]
