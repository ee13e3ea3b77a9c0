"""Rules of Fields."""

import numpy as np

from souk.kernel.rule import rule

FIELDS = WIDEST = 49
MOVES = 96
STATE = np.dtype(
    [
        ("money", "i2", 2),
        ("made", "i2"),
        ("field", "i1", FIELDS),
        ("turn", "i1"),
        ("players", "i1"),
        ("spare", "i1"),
    ],
    align=True,
)


@rule
def setup(s):
    s.turn = 0
    for seat in range(2):
        s.money[seat] = 30


@rule
def over(s):
    return s.made >= MOVES


@rule
def actors(s):
    return 0 if over(s) else 1 << s.turn


@rule
def moves(s, seat, out):
    if over(s) or s.turn != seat:
        return 0
    for field in range(FIELDS):
        out[field] = field
    return FIELDS


@rule
def legal(s, seat, move):
    return not over(s) and s.turn == seat and 0 <= move < FIELDS


@rule
def play(s, seat, move):
    s.field[move] = seat + 1
    s.money[seat] += 1
    s.made += 1
    s.turn = 1 - seat


@rule
def outcomes(s, out, weights):
    return 0


@rule
def resolve(s, outcome):
    return


@rule
def write_scores(s, scores):
    for seat in range(2):
        scores[seat] = s.money[seat]
    return 3 if over(s) else 0
