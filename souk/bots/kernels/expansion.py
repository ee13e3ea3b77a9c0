"""Tree expansion: which moves are listed, and which is tried next."""

import math

from souk.bots.kernels.tree import add_edges
from souk.kernel.game_ops import candidates, moves
from souk.kernel.rule import i64, rule


@rule
def list_moves(s, seat, workspace, lookup):
    """List the moves to consider in `workspace.found`: candidates, or all if the search is
    unguided.
    """
    return (
        candidates(s, seat, workspace, lookup)
        if workspace.guided != 0
        else moves(s, seat, workspace.found)
    )


@rule
def expand(s, seats, node, workspace, edges, lookup):
    """List the moves of all seats to move; False if there is no room."""
    begin = workspace.edges
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            n = list_moves(s, seat, workspace, lookup)
            if not add_edges(workspace, edges, seat, workspace.found, n):
                workspace.edges = begin
                return False
    node.first = begin
    return True


@rule
def best_by_bound(workspace, edges, first, visits, widen):
    """UCT: the move with the highest upper confidence bound. With `widen`, progressive widening."""
    n = edges[first].run
    allowed = min(n, 2 + i64(math.sqrt(2.0 * visits))) if widen else n
    log = math.log(visits + 1.0)
    best = first
    top = -1.0
    for k in range(first, first + allowed):
        if edges[k].visits == 0:
            return k
        bound = edges[k].value / edges[k].visits + workspace.exploration * math.sqrt(
            log / edges[k].visits
        )
        if bound > top:
            top = bound
            best = k
    return best
