"""Tree search: UCT with playouts that are evaluated early.

Where several seats choose in secret, each gets a mixed strategy by regret matching, since none
knows the choices of the others. Dice and cards are sampled, or averaged
(`souk.bots.kernels.expectimax`). Parameters and results are in the workspace
(`souk.kernel.workspace`), the tree in two arrays, `nodes` and `edges`.
"""

import numpy as np

from souk.bots.kernels.expansion import best_by_bound, expand
from souk.bots.kernels.expectimax import expectimax_once
from souk.bots.kernels.playout import play_on
from souk.bots.kernels.regret_matching import exploration_rate, learn_regret, mixed_choice
from souk.bots.kernels.tree import (
    NO_EDGES,
    NO_ROOM,
    NOBODY,
    ROOT_KEY,
    STOPPED,
    find_node,
    key_after,
)
from souk.bots.kernels.value import SCORE, WIN, judge_with_net, utility
from souk.kernel.game_ops import actors, over, play, random_outcome, resolve
from souk.kernel.game_spec import Playable
from souk.kernel.rng import draw, mix, stream_start, stream_step
from souk.kernel.rule import i64, rule, u64
from souk.kernel.workspace import MAX_DEPTH, must_stop

# Columns of the path: the edge, the first edge of the seat's moves if the choice was simultaneous
# (else ALONE), and the visits of the node.
EDGE, TOGETHER, VISITS = range(3)
ALONE = -1

NOWHERE = -1  # first edge of a playout without moves in the tree

SPREAD_OUT = 3  # chance events after a root move that use low-discrepancy numbers
EVENLY = tuple(int(2**64 / 1.2207440846057596 ** (k + 1)) for k in range(SPREAD_OUT))


def memory_type(game: Playable) -> np.dtype[np.void]:
    """The record of one playout, kept for later analysis of a search."""
    return np.dtype(
        [
            ("wins", "f8", game.workspace["wins"].shape),  # result by seat
            ("first", "i8"),  # its first edge (of the first seat, if several choose), or NOWHERE
        ],
        align=True,
    )


@rule
def choose_all(s, seats, node, at_root, workspace, edges, x, depth):
    """Choose a move for each seat to move and append them to the path; return its new length."""
    secret = seats & (seats - 1) != 0
    widen = not at_root and workspace.guided != 0
    first = i64(node.first)
    for seat in range(s.players):
        if (seats >> seat) & 1:
            if secret:
                workspace.path[depth, EDGE] = mixed_choice(
                    workspace, edges, first, exploration_rate(node.visits), mix(u64(x) + u64(seat))
                )
                workspace.path[depth, TOGETHER] = first
            else:
                workspace.path[depth, EDGE] = best_by_bound(
                    workspace, edges, first, node.visits, widen
                )
                workspace.path[depth, TOGETHER] = ALONE
            workspace.path[depth, VISITS] = node.visits
            first += i64(edges[first].run)
            depth += 1
    return depth


@rule
def tries(workspace, edges, end):
    """Visits of the root move chosen by the workspace's seat; the playout number if it is not to
    move.
    """
    for i in range(end):
        edge = edges[workspace.path[i, EDGE]]
        if edge.seat == workspace.seat:
            return i64(edge.visits)
    return workspace.played


@rule
def spread_out(seed, chance, tried):
    """The random number of a chance event in the n-th try of a root move.

    Evenly distributed over many tries (additive low-discrepancy sequences, by the inverse powers of
    the root of x⁴ = x + 1).
    """
    return u64(mix(u64(seed) + u64(chance)) + u64(u64(tried) * u64(EVENLY[chance])))


@rule
def play_path(s, workspace, edges, begin, end, key):
    """Play the moves of a part of the path; return the key of the position reached."""
    for i in range(begin, end):
        edge = edges[workspace.path[i, EDGE]]
        seat = i64(edge.seat)
        move = i64(edge.move)
        play(s, seat, move)
        key = key_after(key, seat, move)
    return key


@rule
def descend(s, workspace, nodes, edges, lookup):
    """Descend to a position that is new in the tree; return the number of moves.

    The n-th try of every root move gets the same random numbers, for dice and for all players'
    moves, so that moves differ by their own merit (common random numbers). `workspace.start` and
    `workspace.drawn` say where the random numbers continue.
    """
    start = stream_start(workspace.seed, workspace.played)
    step = stream_step(start)
    key = u64(ROOT_KEY)
    depth = 0
    n = 0
    tried = 0
    chances = 0
    while not over(s) and depth + s.players <= MAX_DEPTH:
        x = draw(start, step, n)
        n += 1
        seats = actors(s)
        if seats == 0:
            if must_stop(workspace, n):
                break
            if chances < SPREAD_OUT and depth > 0:
                x = spread_out(workspace.seed, chances, tried)
                chances += 1
            outcome = i64(random_outcome(s, x, workspace.out, workspace.weights))
            resolve(s, outcome)
            key = key_after(key, -1, outcome)
            continue
        place = find_node(workspace, nodes, key)
        if place == NO_ROOM:
            break
        node = nodes[place]
        node.visits += 1
        if node.visits <= 1 + workspace.patience and depth > 0:
            break
        if node.first == NO_EDGES and not expand(s, seats, node, workspace, edges, lookup):
            break
        end = choose_all(s, seats, node, depth == 0, workspace, edges, x, depth)
        if depth == 0:
            tried = tries(workspace, edges, end)
            start = stream_start(workspace.seed, tried)
            step = stream_step(start)
        key = play_path(s, workspace, edges, depth, end, key)
        depth = end
    workspace.start = start
    workspace.drawn = n
    return depth


@rule
def learn(workspace, edges, depth, players):
    """Back up the result of a playout along its path."""
    for i in range(depth):
        edge = edges[workspace.path[i, EDGE]]
        gained = utility(workspace, players, i64(edge.seat))
        if workspace.path[i, TOGETHER] != ALONE:
            learn_regret(
                workspace,
                edges,
                workspace.path[i, TOGETHER],
                workspace.path[i, EDGE],
                gained,
                workspace.path[i, VISITS],
            )
        edge.visits += 1
        edge.value += gained


@rule
def search_once(states, workspace, nodes, edges, lookup, net):
    """One playout and its backup; return the number of tree moves, or STOPPED if interrupted.

    `workspace.values` and `workspace.wins` receive the result, `workspace.drawn` the count of
    random numbers used. An interrupted playout is not backed up.
    """
    states[1] = states[0]
    s = states[1]
    seats = actors(s)
    if workspace.weighs != 0 and seats & (seats - 1) == 0:
        return expectimax_once(states, workspace, nodes, edges, lookup, net)
    depth = descend(s, workspace, nodes, edges, lookup)
    step = stream_step(workspace.start)
    workspace.drawn = play_on(
        s,
        workspace.start,
        step,
        workspace.drawn,
        workspace.horizon,
        workspace.guided != 0,
        workspace,
        lookup,
    )
    if workspace.stopped != 0:
        return STOPPED
    judge_with_net(s, workspace, lookup, net)
    learn(workspace, edges, depth, s.players)
    workspace.played += 1
    return depth


@rule
def add_to_reasons(workspace, edges, depth):
    """Add the result of a playout to the statistics of its root moves."""
    for i in range(depth):
        k = workspace.path[i, EDGE]
        if k < len(workspace.reasons) and edges[k].seat != NOBODY:
            workspace.reasons[k, WIN] += workspace.wins[edges[k].seat]
            workspace.reasons[k, SCORE] += workspace.values[edges[k].seat]


@rule
def remember(workspace, depth, playout):
    for seat in range(len(workspace.wins)):
        playout.wins[seat] = workspace.wins[seat]
    playout.first = workspace.path[0, EDGE] if depth > 0 else NOWHERE


@rule
def think(states, desks, nodes, edges, lookup, nets, playouts, memory):
    """Run more playouts from states[0], fewer if interrupted.

    `workspace.reasons` sums the win chances and scores of each root move for the seat that makes
    it. The first playouts are recorded one by one, as far as `memory` has room. (One that evaluates
    all outcomes of a die counts, and is recorded, once per outcome.)
    """
    workspace = desks[0]
    end = workspace.played + playouts
    while workspace.played < end:
        before = workspace.played
        depth = search_once(states, workspace, nodes, edges, lookup, nets[0])
        if depth == STOPPED:
            workspace.played = before
            return
        add_to_reasons(workspace, edges, depth)
        workspace.played = min(workspace.played, end)
        for playout in range(before, min(workspace.played, len(memory))):
            remember(workspace, depth, memory[playout])
