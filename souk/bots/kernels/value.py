"""What a position is worth to each seat: exactly at the end, before that by the game's `outlook`."""

import math

from souk.kernel.rule import rule
from souk.kernel.verbs import outlook, over, standing

LOGISTIC = 0.78  # the logistic curve closest to a normal one for the difference of two scores: √2 × √3 / π


@rule
def share_win(winners, players, wins):
    """The winners' chances at the end: a shared win counts in parts."""
    shared = 0
    for seat in range(players):
        shared += (winners >> seat) & 1
    for seat in range(players):
        wins[seat] = ((winners >> seat) & 1) / shared if shared > 0 else 0.0


@rule
def chances_of(values, players, spread, wins):
    """The chances to win of seats that expect these scores: the surer, the further apart and the less is still to come."""
    best = values[0]
    for seat in range(players):
        best = max(best, values[seat])
    total = 0.0
    for seat in range(players):
        wins[seat] = math.exp((values[seat] - best) / (LOGISTIC * spread))
        total += wins[seat]
    for seat in range(players):
        wins[seat] /= total


@rule
def judge(s, lore, scores, values, wins):
    """Write the expected final score and the chance to win of every seat."""
    if over(s):
        share_win(standing(s, scores), s.players, wins)
        for seat in range(s.players):
            values[seat] = scores[seat]
    else:
        chances_of(values, s.players, outlook(s, values, lore), wins)
