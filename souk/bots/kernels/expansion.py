"""How a search's tree grows: which moves of a position are looked at, and which of them next."""

import math

from souk.bots.kernels.tree import add_edges
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import candidates, moves


@rule
def list_moves(s, seat, desk, lore):
    """The moves of a seat that are worth a thought, in `desk.found`; all of them, if the search is not guided."""
    return candidates(s, seat, desk, lore) if desk.guided != 0 else moves(s, seat, desk.found)


@rule
def expand(s, seats, node, desk, edges, lore):
    """List the moves of all who are to move, seat after seat. False where there is no room."""
    begin = desk.edges
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            n = list_moves(s, seat, desk, lore)
            if not add_edges(desk, edges, seat, desk.found, n):
                desk.edges = begin
                return False
    node.first = begin
    return True


@rule
def best_by_bound(desk, edges, first, visits, widen):
    """UCT: the move with the highest upper bound. Below the root only the first few are looked at until there are visits for more."""
    n = edges[first].run
    allowed = min(n, 2 + i64(math.sqrt(2.0 * visits))) if widen else n
    log = math.log(visits + 1.0)
    best = first
    top = -1.0
    for k in range(first, first + allowed):
        if edges[k].visits == 0:
            return k
        bound = edges[k].value / edges[k].visits + desk.exploration * math.sqrt(log / edges[k].visits)
        if bound > top:
            top = bound
            best = k
    return best
