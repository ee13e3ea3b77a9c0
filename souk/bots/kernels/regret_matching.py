"""Regret matching for simultaneous secret choices.

Each seat plays its moves in proportion to their regrets. Sampled choices also take account of the
seat's habits (`souk.kernel.habits`).
"""

import math

from souk.kernel.habits import expected_share
from souk.kernel.rule import i64, rule, u64


@rule
def total_regret(edges, first):
    """The sum of the regrets of a seat's moves."""
    total = 0.0
    for k in range(first, first + edges[first].run):
        total += edges[k].regret
    return total


@rule
def regret_share(edge, total):
    """Probability of a move by regret matching; `total` is the sum of all regrets."""
    return edge.regret / total if total > 0.0 else 1.0 / edge.run


@rule
def exploration_rate(visits):
    """Probability of a random move. It decays: the others take exploration for intent."""
    return min(0.3, max(0.05, 3.0 / math.sqrt(visits)))


@rule
def trial_share(workspace, edge, total, wild):
    """Probability that a move is sampled: its strategy, the seat's habits, and exploration."""
    share = expected_share(workspace, i64(edge.seat), i64(edge.move), regret_share(edge, total))
    return (1.0 - wild) * share + wild / edge.run


@rule
def mixed_choice(workspace, edges, first, wild, x):
    """Sample a move from the mixed strategy."""
    n = edges[first].run
    total = total_regret(edges, first)
    left = (u64(x) >> u64(11)) / 9007199254740992.0
    for k in range(first, first + n):
        left -= trial_share(workspace, edges[k], total, wild)
        if left < 0.0:
            return k
    return first + n - 1


@rule
def mean_value(edge, unknown):
    return edge.value / edge.visits if edge.visits > 0 else unknown


@rule
def learn_regret(workspace, edges, first, chosen, gained, visits):
    """Regret update after one sample, which reveals the value of the chosen move only.

    The other moves count with their mean values, and the surprise is divided by the probability of
    the sample: unbiased, and low in variance once the means are close.
    """
    n = edges[first].run
    total = total_regret(edges, first)
    often = trial_share(workspace, edges[chosen], total, exploration_rate(visits))
    surprise = (gained - mean_value(edges[chosen], gained)) / often
    expectation = regret_share(edges[chosen], total) * surprise
    for k in range(first, first + n):
        share = regret_share(edges[k], total)
        edges[k].mass += visits * share
        expectation += share * mean_value(edges[k], gained)
    for k in range(first, first + n):
        worth = mean_value(edges[k], gained) + (surprise if k == chosen else 0.0)
        edges[k].regret = max(0.0, edges[k].regret + worth - expectation)
