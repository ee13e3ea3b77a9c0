"""A test game: both seats secretly choose heads or tails, and a coin biased by both choices
decides.

Its equilibrium is known.
"""

import numpy as np

from souk.kernel.rule import rule
from tests.support.two_options import make_game

STATE = np.dtype([("choice", "i1", 2), ("winner", "i1"), ("players", "i1")], align=True)
WIDEST = 2
NONE, HIDDEN = -1, 9

# Seat 0's wins in tenths, by the choices of seat 0 and seat 1. In equilibrium seat 0 chooses heads
# in 3 of 9 games, seat 1 in 4.
FIRST_WINS = np.array([[8, 2], [3, 6]])
HEADS = (3 / 9, 4 / 9)
VALUE = 0.8 * HEADS[1] + 0.2 * (1 - HEADS[1])


@rule
def setup(s):
    s.choice[0] = NONE
    s.choice[1] = NONE
    s.winner = NONE


@rule
def over(s):
    return s.winner != NONE


@rule
def actors(s):
    return (1 if s.choice[0] == NONE else 0) | (2 if s.choice[1] == NONE else 0)


@rule
def play(s, seat, move):
    s.choice[seat] = move


@rule
def outcomes(s, out, weights):
    if over(s) or actors(s) != 0:
        return 0
    out[0] = 0
    out[1] = 1
    weights[0] = FIRST_WINS[s.choice[0], s.choice[1]]
    weights[1] = 10 - weights[0]
    return 2


@rule
def resolve(s, outcome):
    s.winner = outcome


@rule
def write_scores(s, scores):
    for seat in range(2):
        scores[seat] = 1 if s.winner == seat else 0
    return 0 if s.winner == NONE else 1 << s.winner


@rule
def hide_secrets(s, seat):
    for other in range(2):
        if other != seat and s.choice[other] != NONE:
            s.choice[other] = HIDDEN


@rule
def unhide_choices(s):
    for seat in range(2):
        if s.choice[seat] == HIDDEN:
            s.choice[seat] = NONE


GAME = make_game("pennies", globals(), ("heads", "tails"), secrets=True)
