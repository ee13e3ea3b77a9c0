"""What a mind makes of a position: everybody's expected score and chance to win.

For each seat it says by how much the insight's `outlook` of its final score is off (SCORE), how much likelier the seat is to win than that score alone
says (TILT), and how far apart scores may still come (WIDTH, as a logarithm; its mean over the seats counts).
"""

import math

from souk.kernel.mind_shape import AT_ONCE, CEILING, FINE, FINE_BITS, FIRST, SCORE, SECOND, TILT, TWO_MORE, WIDTH
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import survey

ONE = float(FINE * FINE)  # how outputs are counted
POINTS = 8.0  # in which SCORE is counted
TILTS = 2.0  # in which TILT is counted
USUAL_WIDTH = 2.0  # the logarithm of the points that WIDTH 0 stands for


@rule
def fill_up(desk, n, players, nothing):
    """Let everybody see nothing more so often that it can be added up in eights, or in a ten and eights, and at least twice; return how much that makes."""
    while n < 2 * AT_ONCE or (n % AT_ONCE != 0 and n % AT_ONCE != TWO_MORE):
        for seat in range(players):
            desk.seen[n, seat] = nothing
        n += 1
    return n


@rule
def eight_seen(desk, k, seat):
    r0, r1, r2, r3 = desk.seen[k, seat], desk.seen[k + 1, seat], desk.seen[k + 2, seat], desk.seen[k + 3, seat]
    r4, r5, r6, r7 = desk.seen[k + 4, seat], desk.seen[k + 5, seat], desk.seen[k + 6, seat], desk.seen[k + 7, seat]
    return r0, r1, r2, r3, r4, r5, r6, r7


@rule
def four(mind, h, a, b, c, d):
    return mind.rows[a, h] + mind.rows[b, h] + mind.rows[c, h] + mind.rows[d, h]


@rule
def add_up(desk, mind, seat, n):
    """The sums of the first layer for a seat that sees so much, cut off. (Eight rows at a time, so that sums are fetched and put back seldom, and compilers take
    a whole row at once: a loop with less in it they would unroll instead, number by number. So two that are left over go with the first eight, and sums
    are cut off with the last. Those that are cut off in place need no more than 32 bits, as a compiler can see.)"""
    r0, r1, r2, r3, r4, r5, r6, r7 = eight_seen(desk, 0, seat)
    more = n % AT_ONCE
    if more == TWO_MORE:
        r8, r9 = desk.seen[8, seat], desk.seen[9, seat]
        for h in range(FIRST):
            two = mind.rows[r8, h] + mind.rows[r9, h]
            desk.sums[h] = mind.floor[h] + four(mind, h, r0, r1, r2, r3) + four(mind, h, r4, r5, r6, r7) + two
    else:
        for h in range(FIRST):
            desk.sums[h] = mind.floor[h] + four(mind, h, r0, r1, r2, r3) + four(mind, h, r4, r5, r6, r7)
    last = n - AT_ONCE
    for k in range(AT_ONCE + more, last, AT_ONCE):
        r0, r1, r2, r3, r4, r5, r6, r7 = eight_seen(desk, k, seat)
        for h in range(FIRST):
            desk.sums[h] += four(mind, h, r0, r1, r2, r3) + four(mind, h, r4, r5, r6, r7)
    r0, r1, r2, r3, r4, r5, r6, r7 = eight_seen(desk, last, seat)
    for h in range(FIRST):
        desk.sums[h] += four(mind, h, r0, r1, r2, r3) + four(mind, h, r4, r5, r6, r7)
        desk.sums[h] = min(max(desk.sums[h], 0), CEILING)


@rule
def eight_sums(desk, h):
    s0, s1, s2, s3 = desk.sums[h], desk.sums[h + 1], desk.sums[h + 2], desk.sums[h + 3]
    s4, s5, s6, s7 = desk.sums[h + 4], desk.sums[h + 5], desk.sums[h + 6], desk.sums[h + 7]
    return s0, s1, s2, s3, s4, s5, s6, s7


@rule
def four_more(mind, h, k, a, b, c, d):
    return a * mind.second[h, k] + b * mind.second[h + 1, k] + c * mind.second[h + 2, k] + d * mind.second[h + 3, k]


@rule
def think_over(desk, mind):
    """The sums of the second layer, from those of the first, cut off: eight at a time again, and cut off with the last."""
    s0, s1, s2, s3, s4, s5, s6, s7 = eight_sums(desk, 0)
    for k in range(SECOND):
        total = mind.second_floor[k] + four_more(mind, 0, k, s0, s1, s2, s3)
        desk.sums_of_sums[k] = total + four_more(mind, 4, k, s4, s5, s6, s7)
    last = FIRST - AT_ONCE
    for h in range(AT_ONCE, last, AT_ONCE):
        s0, s1, s2, s3, s4, s5, s6, s7 = eight_sums(desk, h)
        for k in range(SECOND):
            desk.sums_of_sums[k] += four_more(mind, h, k, s0, s1, s2, s3) + four_more(mind, h + 4, k, s4, s5, s6, s7)
    s0, s1, s2, s3, s4, s5, s6, s7 = eight_sums(desk, last)
    for k in range(SECOND):
        desk.sums_of_sums[k] += four_more(mind, last, k, s0, s1, s2, s3) + four_more(mind, last + 4, k, s4, s5, s6, s7)
        desk.sums_of_sums[k] = min(max(desk.sums_of_sums[k], 0) >> FINE_BITS, CEILING)


@rule
def answer(desk, mind, seat):
    """The outputs for a seat, from the sums of the second layer."""
    score, tilt, width = i64(mind.third_floor[SCORE]), i64(mind.third_floor[TILT]), i64(mind.third_floor[WIDTH])
    for k in range(SECOND):
        score += desk.sums_of_sums[k] * mind.third[SCORE, k]
        tilt += desk.sums_of_sums[k] * mind.third[TILT, k]
        width += desk.sums_of_sums[k] * mind.third[WIDTH, k]
    desk.answers[seat, SCORE] = score
    desk.answers[seat, TILT] = tilt
    desk.answers[seat, WIDTH] = width


@rule
def ask(s, desk, lore, mind):
    """Write what the insight expects of every seat into `desk.values`, and what the net says of it into `desk.answers`, in whole numbers."""
    players = i64(s.players)
    n = fill_up(desk, i64(survey(s, desk, lore)), players, len(mind.rows) - 1)
    for seat in range(players):
        add_up(desk, mind, seat, n)
        think_over(desk, mind)
        answer(desk, mind, seat)


@rule
def weigh_up(s, desk, lore, mind):
    """Write the expected final score and the chance to win of every seat into `desk.values` and `desk.wins`."""
    ask(s, desk, lore, mind)
    width = 0.0
    for seat in range(i64(s.players)):
        desk.values[seat] += POINTS * (desk.answers[seat, SCORE] / ONE)
        desk.wins[seat] = TILTS * (desk.answers[seat, TILT] / ONE)
        width += desk.answers[seat, WIDTH] / ONE
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
