"""Mixed strategies for choices that several make in secret, by regret matching: each seat has moves among the edges of a tree, and a move is
chosen the more often, the more it is regretted not to have chosen it.

What a seat has been seen to choose (`souk.kernel.noticing`) is taken into account where its choices are imagined.
"""

import math

from souk.kernel.noticing import expected
from souk.kernel.rule import i64, rule, u64


@rule
def total_regret(edges, first):
    """The regrets of all moves of a seat, added up."""
    total = 0.0
    for k in range(first, first + edges[first].run):
        total += edges[k].regret
    return total


@rule
def meant(edge, total):
    """Regret matching: how often a move is meant to be chosen now, of moves whose regrets add up to `total`."""
    return edge.regret / total if total > 0.0 else 1.0 / edge.run


@rule
def wildness(visits):
    """How often any move is tried, whatever the regrets say. Less and less often, since the others take what is tried for what is
    meant."""
    return min(0.3, max(0.05, 3.0 / math.sqrt(visits)))


@rule
def tried(desk, edge, total, wild):
    """How often a move is tried: as it is meant, by what the seat keeps choosing, and now and then in any case."""
    share = expected(desk, i64(edge.seat), i64(edge.move), meant(edge, total))
    return (1.0 - wild) * share + wild / edge.run


@rule
def mixed_choice(desk, edges, first, wild, x):
    """A move drawn from the mixed strategy, now and then any."""
    n = edges[first].run
    total = total_regret(edges, first)
    left = (u64(x) >> u64(11)) / 9007199254740992.0
    for k in range(first, first + n):
        left -= tried(desk, edges[k], total, wild)
        if left < 0.0:
            return k
    return first + n - 1


@rule
def mean_value(edge, unknown):
    return edge.value / edge.visits if edge.visits > 0 else unknown


@rule
def learn_regret(desk, edges, first, chosen, gained, visits):
    """Regret matching after one try, which tells of the chosen move alone: the others are taken to be worth what they were on average,
    and the surprise is scaled up by how seldom the move is tried. (Unbiased, and calm once averages are near.)"""
    n = edges[first].run
    total = total_regret(edges, first)
    often = tried(desk, edges[chosen], total, wildness(visits))
    surprise = (gained - mean_value(edges[chosen], gained)) / often
    expectation = meant(edges[chosen], total) * surprise
    for k in range(first, first + n):
        share = meant(edges[k], total)
        edges[k].mass += visits * share
        expectation += share * mean_value(edges[k], gained)
    for k in range(first, first + n):
        worth = mean_value(edges[k], gained) + (surprise if k == chosen else 0.0)
        edges[k].regret = max(0.0, edges[k].regret + worth - expectation)
