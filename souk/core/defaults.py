"""What a game need not write itself: no secrets, every move equally likely, outcomes by weight."""

from souk.core.chance import below
from souk.core.rule import rule
from souk.core.verbs import moves, outcomes


@rule
def veil(s, seat):
    pass


@rule
def random_move(s, seat, x, out):
    return out[below(x, moves(s, seat, out))]


@rule
def random_outcome(s, x, out, weights):
    n = outcomes(s, out, weights)
    total = 0
    for i in range(n):
        total += weights[i]
    left = below(x, total)
    i = 0
    while left >= weights[i]:
        left -= weights[i]
        i += 1
    return out[i]
