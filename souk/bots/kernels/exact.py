"""The end of a game played out in full: every move, every die and card, no sampling. Each seat picks what is best for itself.

A level of the stack is a position of which all continuations are being looked at. It has its own record, list of moves or outcomes, and
sums: by seat the utility, the win chance and the score of the best move so far, or the mean over the outcomes.
"""

from souk.bots.kernels.search import utility
from souk.bots.kernels.value import judge
from souk.kernel.playouts import lowest_seat
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import actors, moves, outcomes, over, play, resolve

LEVELS = 40
UTILITY, WIN, SCORE = range(3)  # what is known of a continuation, by seat


@rule
def enter(s, level, lists, weights, at, sums):
    """Begin to look at a position: list what may happen in it."""
    seats = actors(s)
    at[level].seat = -1 if seats == 0 else lowest_seat(seats)
    at[level].next = 0
    at[level].weight = 0
    if seats == 0:
        at[level].n = outcomes(s, lists[level], weights[level])
    else:
        at[level].n = moves(s, at[level].seat, lists[level])
    for seat in range(s.players):
        for kind in range(3):
            sums[level, seat, kind] = 0.0


@rule
def take_in(level, players, at, weights, sums, found):
    """What the continuation just looked at (its figures in `found`) means for a position: the best of a seat's moves, or the mean of a
    chance's outcomes."""
    here = at[level]
    k = here.next - 1
    if here.seat >= 0:
        if k == 0 or found[here.seat, UTILITY] > sums[level, here.seat, UTILITY]:
            for seat in range(players):
                for kind in range(3):
                    sums[level, seat, kind] = found[seat, kind]
    else:
        share = weights[level, k] / (here.weight + weights[level, k])
        here.weight += weights[level, k]
        for seat in range(players):
            for kind in range(3):
                sums[level, seat, kind] += share * (found[seat, kind] - sums[level, seat, kind])


@rule
def judge_end(s, lore, scores, values, wins, found):
    judge(s, lore, scores, values, wins)
    for seat in range(s.players):
        found[seat, UTILITY] = utility(values, wins, s.players, seat)
        found[seat, WIN] = wins[seat]
        found[seat, SCORE] = values[seat]


@rule
def play_out_in_full(states, lists, weights, at, sums, found, lore, scores, values, wins, most, results):
    """All continuations of the position in states[0], in which one seat is to move. Writes the figures of each of its moves for that seat
    into `results`, in the order of `moves`. Returns how many moves; 0 if there are more than `most` positions."""
    players = states[0].players
    enter(states[0], 0, lists, weights, at, sums)
    level = 0
    looked_at = 0
    while level >= 0:
        here = at[level]
        if here.next < here.n and level + 1 < LEVELS and looked_at < most:
            event = i64(lists[level, here.next])
            here.next += 1
            states[level + 1] = states[level]
            s = states[level + 1]
            looked_at += 1
            if here.seat >= 0:
                play(s, here.seat, event)
            else:
                resolve(s, event)
            if over(s):
                judge_end(s, lore, scores, values, wins, found)
            else:
                level += 1
                enter(s, level, lists, weights, at, sums)
                continue
        elif here.next < here.n:
            return 0
        else:
            for seat in range(players):
                for kind in range(3):
                    found[seat, kind] = sums[level, seat, kind]
            level -= 1
            if level < 0:
                break
        if level == 0:
            for kind in range(3):
                results[at[0].next - 1, kind] = found[at[0].seat, kind]
        take_in(level, players, at, weights, sums, found)
    return at[0].n
