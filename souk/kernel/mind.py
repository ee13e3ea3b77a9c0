"""What a mind makes of a position: everybody's expected score and chance to win.

For each seat it says by how much the insight's `outlook` of its final score is off (SCORE), how much likelier the seat is to win than that score alone
says (TILT), and how far apart scores may still come (WIDTH, as a logarithm; its mean over the seats counts).
"""

import math

from souk.kernel.mind_shape import CEILING, FINE, FINE_BITS, FIRST, SCORE, SECOND, TILT, WIDTH
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import outlook, sight

POINTS = 8.0  # in which SCORE is counted
TILTS = 2.0  # in which TILT is counted
USUAL_WIDTH = 2.0  # the logarithm of the points that WIDTH 0 stands for


@rule
def add_up(desk, mind, seat, n):
    """The sums of the first layer for a seat that sees so much: four rows at a time, which takes a third of the time."""
    for h in range(FIRST):
        desk.sums[h] = mind.floor[h]
    for k in range(0, n - 3, 4):
        a = i64(desk.seen[k, seat])
        b = i64(desk.seen[k + 1, seat])
        c = i64(desk.seen[k + 2, seat])
        d = i64(desk.seen[k + 3, seat])
        for h in range(FIRST):
            desk.sums[h] += mind.rows[a, h] + mind.rows[b, h] + mind.rows[c, h] + mind.rows[d, h]
    for k in range(n - n % 4, n):
        row = i64(desk.seen[k, seat])
        for h in range(FIRST):
            desk.sums[h] += mind.rows[row, h]


@rule
def think_over(desk, mind):
    """The sums of the second layer, from those of the first. (All are cut off in place: so it is clear to a compiler that 32 bits are enough.)"""
    for h in range(FIRST):
        desk.sums[h] = min(max(desk.sums[h], 0), CEILING)
    for k in range(SECOND):
        desk.sums_of_sums[k] = mind.second_floor[k]
    for h in range(FIRST):
        for k in range(SECOND):
            desk.sums_of_sums[k] += desk.sums[h] * mind.second[h, k]
    for k in range(SECOND):
        desk.sums_of_sums[k] = min(max(desk.sums_of_sums[k], 0) >> FINE_BITS, CEILING)


@rule
def answer(desk, mind, output):
    """One of the outputs, from the sums of the second layer."""
    total = mind.third_floor[output]
    for k in range(SECOND):
        total += desk.sums_of_sums[k] * mind.third[output, k]
    return total / float(FINE * FINE)


@rule
def weigh_up(s, desk, lore, mind):
    """Write the expected final score and the chance to win of every seat into `desk.values` and `desk.wins`."""
    outlook(s, desk.values, lore)
    n = i64(sight(s, desk, lore))
    width = 0.0
    for seat in range(i64(s.players)):
        add_up(desk, mind, seat, n)
        think_over(desk, mind)
        desk.values[seat] += POINTS * answer(desk, mind, SCORE)
        desk.wins[seat] = TILTS * answer(desk, mind, TILT)
        width += answer(desk, mind, WIDTH)
    share_chances(desk, i64(s.players), math.exp(USUAL_WIDTH + width / s.players))


@rule
def share_chances(desk, players, width):
    """From scores and tilts to chances that add up to one."""
    best = -1e9
    for seat in range(players):
        desk.wins[seat] += desk.values[seat] / width
        best = max(best, desk.wins[seat])
    total = 0.0
    for seat in range(players):
        desk.wins[seat] = math.exp(desk.wins[seat] - best)
        total += desk.wins[seat]
    for seat in range(players):
        desk.wins[seat] /= total
