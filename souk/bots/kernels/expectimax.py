"""Expectimax tree search: averages over chance outcomes instead of sampling them.

A node's value is backed up from its children: outcomes by probability, moves by the third power of
their visits. That pays with a value net, whose evaluation of a position never varies; a sampling
search would count moves that were only tried as much as good ones. Backing up the best move alone
is worse: the best of several estimates is often the most wrong one.
"""

from souk.bots.kernels.expansion import best_by_bound, expand
from souk.bots.kernels.playout import play_on
from souk.bots.kernels.tree import (
    NO_EDGES,
    NO_ROOM,
    NOBODY,
    ROOT_KEY,
    STOPPED,
    add_outcomes,
    find_node,
    key_after,
)
from souk.bots.kernels.value import SCORE, UTILITY, WIN, judge_with_net, utility
from souk.kernel.game_ops import actors, outcomes, over, play, resolve
from souk.kernel.rng import stream_start, stream_step
from souk.kernel.rule import i64, rule, u64
from souk.kernel.workspace import MAX_DEPTH

# Columns of the path: the edge, and the first edge of the same node.
EDGE, FIRST = range(2)

ALL_AT_ONCE = 6  # a new chance node with at most this many outcomes evaluates all of them


@rule
def judge_after_playout(s, workspace, lookup, net):
    """Play on to a quiet position and evaluate it; all outcomes of a die share their random
    numbers.
    """
    start = stream_start(workspace.seed, workspace.played)
    play_on(
        s, start, stream_step(start), 0, workspace.horizon, workspace.guided != 0, workspace, lookup
    )
    if workspace.stopped == 0:
        judge_with_net(s, workspace, lookup, net)


@rule
def add_evaluation(workspace, players, share):
    """Add the last evaluation to the mean, with this weight."""
    for seat in range(players):
        workspace.weighed[UTILITY, seat] += share * utility(workspace, players, seat)
        workspace.weighed[WIN, seat] += share * workspace.wins[seat]
        workspace.weighed[SCORE, seat] += share * workspace.values[seat]


@rule
def clear_evaluation(workspace, players):
    for seat in range(players):
        workspace.weighed[UTILITY, seat] = 0.0
        workspace.weighed[WIN, seat] = 0.0
        workspace.weighed[SCORE, seat] = 0.0


@rule
def judge_all_outcomes(states, workspace, edges, first, lookup, net):
    """Evaluate every outcome of a new chance node."""
    s = states[1]
    players = i64(s.players)
    end = first + i64(edges[first].run)
    total = 0.0
    for k in range(first, end):
        total += edges[k].mass
    for k in range(first, end):
        edge = edges[k]
        states[2] = states[1]
        resolve(states[2], i64(edge.move))
        judge_after_playout(states[2], workspace, lookup, net)
        for seat in range(players):
            edge.worth[seat] = utility(workspace, players, seat)
        edge.visits = 1
        add_evaluation(workspace, players, edge.mass / total)
    workspace.played += end - first


@rule
def least_visited_outcome(edges, first):
    """The outcome with the fewest visits relative to its probability."""
    end = first + i64(edges[first].run)
    total = 0.0
    visits = 1.0
    for k in range(first, end):
        total += edges[k].mass
        visits += edges[k].visits
    best = first
    most = -1e9
    for k in range(first, end):
        lack = visits * edges[k].mass / total - edges[k].visits
        if lack > most:
            most = lack
            best = k
    return best


@rule
def descend_to_leaf(states, workspace, nodes, edges, lookup, net):
    """Descend to a position that is new in the tree and evaluate it; return the number of steps."""
    s = states[1]
    key = u64(ROOT_KEY)
    depth = 0
    while not over(s) and depth < MAX_DEPTH:
        seats = actors(s)
        place = find_node(workspace, nodes, key)
        if place == NO_ROOM or seats & (seats - 1) != 0:
            break
        node = nodes[place]
        node.visits += 1
        fresh = node.first == NO_EDGES
        if seats != 0 and node.visits <= 1 + workspace.patience and depth > 0:
            break
        if fresh and not expand_any(s, seats, node, workspace, edges, lookup):
            break
        first = i64(node.first)
        if seats == 0 and fresh and edges[first].run <= ALL_AT_ONCE:
            judge_all_outcomes(states, workspace, edges, first, lookup, net)
            return depth
        k = (
            least_visited_outcome(edges, first)
            if seats == 0
            else best_by_bound(workspace, edges, first, node.visits, depth > 0)
        )
        key = follow_edge(s, edges[k], key)
        workspace.path[depth, EDGE] = k
        workspace.path[depth, FIRST] = first
        depth += 1
    judge_after_playout(s, workspace, lookup, net)
    add_evaluation(workspace, i64(s.players), 1.0)
    workspace.played += 1
    return depth


@rule
def expand_any(s, seats, node, workspace, edges, lookup):
    """List the moves or outcomes of a position; False if there is no room."""
    if seats != 0:
        return expand(s, seats, node, workspace, edges, lookup)
    first = workspace.edges
    if not add_outcomes(workspace, edges, i64(outcomes(s, workspace.out, workspace.weights))):
        return False
    node.first = first
    return True


@rule
def follow_edge(s, edge, key):
    """Play a move or resolve an outcome; return the key of the next position."""
    move = i64(edge.move)
    seat = i64(edge.seat)
    if seat == NOBODY:
        resolve(s, move)
    else:
        play(s, seat, move)
    return key_after(key, seat, move)


@rule
def back_up(workspace, edges, first, players):
    """Write the value of a node, backed up from its edges, to `workspace.weighed`."""
    total = 0.0
    for seat in range(players):
        workspace.weighed[UTILITY, seat] = 0.0
    for k in range(first, first + i64(edges[first].run)):
        edge = edges[k]
        if edge.visits > 0:
            visits = float(edge.visits)
            weight = edge.mass if edge.seat == NOBODY else visits * visits * visits
            total += weight
            for seat in range(players):
                workspace.weighed[UTILITY, seat] += weight * edge.worth[seat]
    for seat in range(players):
        workspace.weighed[UTILITY, seat] /= total


@rule
def expectimax_once(states, workspace, nodes, edges, lookup, net):
    """One playout and its backup; return the number of tree steps, or STOPPED.

    `workspace.values` and `workspace.wins` receive the result.
    """
    players = i64(states[1].players)
    clear_evaluation(workspace, players)
    depth = descend_to_leaf(states, workspace, nodes, edges, lookup, net)
    if workspace.stopped != 0:
        return STOPPED
    for back in range(1, depth + 1):
        edge = edges[workspace.path[depth - back, EDGE]]
        for seat in range(players):
            edge.worth[seat] = workspace.weighed[UTILITY, seat]
        edge.visits += 1
        if edge.seat != NOBODY:
            edge.value = workspace.weighed[UTILITY, edge.seat] * edge.visits
        back_up(workspace, edges, i64(workspace.path[depth - back, FIRST]), players)
    for seat in range(players):
        workspace.wins[seat] = workspace.weighed[WIN, seat]
        workspace.values[seat] = workspace.weighed[SCORE, seat]
    return depth
