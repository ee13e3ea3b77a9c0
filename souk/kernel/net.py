"""Value net inference: expected scores and win probabilities.

Outputs per seat: the correction to the score expected by `evaluate` (SCORE), the win logit beyond
what that score implies (LOGIT), and the log of the remaining spread of scores (WIDTH, averaged over
the seats).
"""

import math

from souk.kernel.game_ops import evaluate_with_features
from souk.kernel.net_layout import (
    BLOCK,
    CEILING,
    FIRST_WIDTH,
    FRACTION,
    FRACTION_BITS,
    LOGIT,
    REMAINDER,
    SCORE,
    SECOND_WIDTH,
    WIDTH,
)
from souk.kernel.rule import i64, rule

# Fixed-point scale of the outputs.
OUTPUT_UNIT = float(FRACTION * FRACTION)
# Units of SCORE (points) and LOGIT (logits).
SCORE_UNIT = 8.0
LOGIT_UNIT = 2.0
# The log of the spread in points that WIDTH 0 stands for.
BASE_WIDTH = 2.0


@rule
def pad_features(workspace, n, players, nothing):
    """Pad the features with `nothing` for blockwise summation; return the padded number.

    That is a multiple of BLOCK, or REMAINDER more than one, and at least two blocks.
    """
    while n < 2 * BLOCK or (n % BLOCK != 0 and n % BLOCK != REMAINDER):
        for seat in range(players):
            workspace.seen[n, seat] = nothing
        n += 1
    return n


@rule
def eight_features(workspace, k, seat):
    r0 = workspace.seen[k, seat]
    r1 = workspace.seen[k + 1, seat]
    r2 = workspace.seen[k + 2, seat]
    r3 = workspace.seen[k + 3, seat]
    r4 = workspace.seen[k + 4, seat]
    r5 = workspace.seen[k + 5, seat]
    r6 = workspace.seen[k + 6, seat]
    r7 = workspace.seen[k + 7, seat]
    return r0, r1, r2, r3, r4, r5, r6, r7


@rule
def sum_of_rows(net, h, a, b, c, d):
    return net.rows[a, h] + net.rows[b, h] + net.rows[c, h] + net.rows[d, h]


@rule
def first_layer(workspace, net, seat, n):
    """Compute the clipped sums of the first layer for a seat with `n` features.

    Sums eight rows per pass: fewer loads and stores, and compilers vectorise over the row, whereas
    they would unroll a smaller loop. The remaining two rows join the first pass, and clipping joins
    the last; clipped in place, the sums provably fit 32 bits.
    """
    r0, r1, r2, r3, r4, r5, r6, r7 = eight_features(workspace, 0, seat)
    more = n % BLOCK
    if more == REMAINDER:
        r8, r9 = workspace.seen[8, seat], workspace.seen[9, seat]
        for h in range(FIRST_WIDTH):
            two = net.rows[r8, h] + net.rows[r9, h]
            workspace.sums[h] = (
                net.floor[h]
                + sum_of_rows(net, h, r0, r1, r2, r3)
                + sum_of_rows(net, h, r4, r5, r6, r7)
                + two
            )
    else:
        for h in range(FIRST_WIDTH):
            workspace.sums[h] = (
                net.floor[h]
                + sum_of_rows(net, h, r0, r1, r2, r3)
                + sum_of_rows(net, h, r4, r5, r6, r7)
            )
    last = n - BLOCK
    for k in range(BLOCK + more, last, BLOCK):
        r0, r1, r2, r3, r4, r5, r6, r7 = eight_features(workspace, k, seat)
        for h in range(FIRST_WIDTH):
            workspace.sums[h] += sum_of_rows(net, h, r0, r1, r2, r3) + sum_of_rows(
                net, h, r4, r5, r6, r7
            )
    r0, r1, r2, r3, r4, r5, r6, r7 = eight_features(workspace, last, seat)
    for h in range(FIRST_WIDTH):
        workspace.sums[h] += sum_of_rows(net, h, r0, r1, r2, r3) + sum_of_rows(
            net, h, r4, r5, r6, r7
        )
        workspace.sums[h] = min(max(workspace.sums[h], 0), CEILING)


@rule
def eight_sums(workspace, h):
    s0 = workspace.sums[h]
    s1 = workspace.sums[h + 1]
    s2 = workspace.sums[h + 2]
    s3 = workspace.sums[h + 3]
    s4 = workspace.sums[h + 4]
    s5 = workspace.sums[h + 5]
    s6 = workspace.sums[h + 6]
    s7 = workspace.sums[h + 7]
    return s0, s1, s2, s3, s4, s5, s6, s7


@rule
def weighted_sum(net, h, k, a, b, c, d):
    return (
        a * net.second[h, k]
        + b * net.second[h + 1, k]
        + c * net.second[h + 2, k]
        + d * net.second[h + 3, k]
    )


@rule
def second_layer(workspace, net):
    """Compute the clipped sums of the second layer, eight inputs per pass."""
    s0, s1, s2, s3, s4, s5, s6, s7 = eight_sums(workspace, 0)
    for k in range(SECOND_WIDTH):
        total = net.second_floor[k] + weighted_sum(net, 0, k, s0, s1, s2, s3)
        workspace.sums_of_sums[k] = total + weighted_sum(net, 4, k, s4, s5, s6, s7)
    last = FIRST_WIDTH - BLOCK
    for h in range(BLOCK, last, BLOCK):
        s0, s1, s2, s3, s4, s5, s6, s7 = eight_sums(workspace, h)
        for k in range(SECOND_WIDTH):
            workspace.sums_of_sums[k] += weighted_sum(net, h, k, s0, s1, s2, s3) + weighted_sum(
                net, h + 4, k, s4, s5, s6, s7
            )
    s0, s1, s2, s3, s4, s5, s6, s7 = eight_sums(workspace, last)
    for k in range(SECOND_WIDTH):
        workspace.sums_of_sums[k] += weighted_sum(net, last, k, s0, s1, s2, s3) + weighted_sum(
            net, last + 4, k, s4, s5, s6, s7
        )
        workspace.sums_of_sums[k] = min(max(workspace.sums_of_sums[k], 0) >> FRACTION_BITS, CEILING)


@rule
def output_layer(workspace, net, seat):
    """Compute the outputs for a seat."""
    score = i64(net.third_floor[SCORE])
    logit = i64(net.third_floor[LOGIT])
    width = i64(net.third_floor[WIDTH])
    for k in range(SECOND_WIDTH):
        score += workspace.sums_of_sums[k] * net.third[SCORE, k]
        logit += workspace.sums_of_sums[k] * net.third[LOGIT, k]
        width += workspace.sums_of_sums[k] * net.third[WIDTH, k]
    workspace.answers[seat, SCORE] = score
    workspace.answers[seat, LOGIT] = logit
    workspace.answers[seat, WIDTH] = width


@rule
def run_net(s, workspace, lookup, net):
    """Write the heuristics' expected scores to `workspace.values`, raw outputs to `answers`."""
    players = i64(s.players)
    n = pad_features(
        workspace, i64(evaluate_with_features(s, workspace, lookup)), players, len(net.rows) - 1
    )
    for seat in range(players):
        first_layer(workspace, net, seat, n)
        second_layer(workspace, net)
        output_layer(workspace, net, seat)


@rule
def evaluate_with_net(s, workspace, lookup, net):
    """Write every seat's expected score and win probability to `workspace.values` and `wins`."""
    run_net(s, workspace, lookup, net)
    width = 0.0
    for seat in range(i64(s.players)):
        workspace.values[seat] += SCORE_UNIT * (workspace.answers[seat, SCORE] / OUTPUT_UNIT)
        workspace.wins[seat] = LOGIT_UNIT * (workspace.answers[seat, LOGIT] / OUTPUT_UNIT)
        width += workspace.answers[seat, WIDTH] / OUTPUT_UNIT
    softmax_wins(workspace, i64(s.players), math.exp(BASE_WIDTH + width / s.players))


@rule
def softmax_wins(workspace, players, width):
    """Turn scores and logits into win probabilities (softmax)."""
    best = -1e9
    for seat in range(players):
        workspace.wins[seat] += workspace.values[seat] / width
        best = max(best, workspace.wins[seat])
    total = 0.0
    for seat in range(players):
        workspace.wins[seat] = math.exp(workspace.wins[seat] - best)
        total += workspace.wins[seat]
    for seat in range(players):
        workspace.wins[seat] /= total
