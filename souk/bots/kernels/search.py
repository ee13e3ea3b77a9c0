"""Search, written once against the verbs: a tree grown move by move, with playouts that are judged early.

Where one seat is to move, the tree is searched by UCT. Where several choose in secret, each is given a mixed strategy of its own by
regret matching: none of them knows what the others have chosen. Dice and cards are drawn, or weighed (`souk.bots.kernels.weighing`).

What a search is told and writes down is on the desk (`souk.kernel.desk`); its tree is in two arrays, `nodes` and `edges`.
"""

import numpy as np

from souk.bots.kernels.growing import best_by_bound, expand
from souk.bots.kernels.playout import play_on
from souk.bots.kernels.regret import learn_regret, mixed_choice, wildness
from souk.bots.kernels.tree import NO_EDGES, NO_ROOM, NOBODY, ROOT_KEY, find_node, key_after
from souk.bots.kernels.value import SCORE, WIN, judge_with, utility
from souk.bots.kernels.weighing import weigh_once
from souk.kernel.chance import draw, mix, stream_start, stream_step
from souk.kernel.desk import DEEPEST
from souk.kernel.playable import Playable
from souk.kernel.rule import i64, rule, u64
from souk.kernel.verbs import actors, over, play, random_outcome, resolve

# What the desk's path through the tree holds of each move: the edge, the first edge of the seat's moves where others chose at the same time
# (else ALONE), and how often the position had been visited.
EDGE, TOGETHER, VISITS = range(3)
ALONE = -1

NOWHERE = -1  # the first edge of a playout that found nobody to move

SPREAD_OUT = 3  # dice and cards after a move that are not left to chance altogether
EVENLY = tuple(int(2**64 / 1.2207440846057596 ** (k + 1)) for k in range(SPREAD_OUT))


def memory_type(game: Playable) -> np.dtype[np.void]:
    """What is remembered of a playout, for whoever looks at a search afterwards."""
    return np.dtype(
        [
            ("wins", "f8", game.desk["wins"].shape),  # what it came to, by seat
            ("first", "i8"),  # the edge of the move it began with (of the first seat, where several choose), or NOWHERE
        ],
        align=True,
    )


@rule
def choose_all(s, seats, node, at_root, desk, edges, x, depth):
    """A move for each seat that is to move, written into the path. Returns the path's new length."""
    secret = seats & (seats - 1) != 0
    widen = not at_root and desk.guided != 0
    first = i64(node.first)
    for seat in range(s.players):
        if (seats >> seat) & 1:
            if secret:
                desk.path[depth, EDGE] = mixed_choice(
                    desk, edges, first, wildness(node.visits), mix(u64(x) + u64(seat))
                )
                desk.path[depth, TOGETHER] = first
            else:
                desk.path[depth, EDGE] = best_by_bound(desk, edges, first, node.visits, widen)
                desk.path[depth, TOGETHER] = ALONE
            desk.path[depth, VISITS] = node.visits
            first += i64(edges[first].run)
            depth += 1
    return depth


@rule
def tries(desk, edges, end):
    """How often the move at the root that the desk's seat is about to make has been tried before; where it is not to move there, the
    number of the playout."""
    for i in range(end):
        edge = edges[desk.path[i, EDGE]]
        if edge.seat == desk.seat:
            return i64(edge.visits)
    return desk.played


@rule
def spread_out(seed, chance, tried):
    """The number for the first dice and cards after a move's n-th try: spread out as evenly as can be over many tries, each die for
    itself (additive sequences, by the inverse powers of the root of x⁴ = x + 1)."""
    return u64(mix(u64(seed) + u64(chance)) + u64(u64(tried) * u64(EVENLY[chance])))


@rule
def play_path(s, desk, edges, begin, end, key):
    """Make the moves of a part of the path; returns the key of the position they lead to."""
    for i in range(begin, end):
        edge = edges[desk.path[i, EDGE]]
        seat = i64(edge.seat)
        move = i64(edge.move)
        play(s, seat, move)
        key = key_after(key, seat, move)
    return key


@rule
def descend(s, desk, nodes, edges, lore):
    """Through the tree by moves and chances, to a position that is new in it. Returns how many moves there were; `desk.start` and
    `desk.drawn` are where the random numbers go on.

    The n-th try of every move at the root is given the same numbers: the same dice, and the same whims of all who move. What is left
    of the difference between two moves is mostly their own."""
    start = stream_start(desk.seed, desk.played)
    step = stream_step(start)
    key = u64(ROOT_KEY)
    depth = 0
    n = 0
    tried = 0
    chances = 0
    while not over(s) and depth + s.players <= DEEPEST:
        x = draw(start, step, n)
        n += 1
        seats = actors(s)
        if seats == 0:
            if chances < SPREAD_OUT and depth > 0:
                x = spread_out(desk.seed, chances, tried)
                chances += 1
            outcome = i64(random_outcome(s, x, desk.out, desk.weights))
            resolve(s, outcome)
            key = key_after(key, -1, outcome)
            continue
        place = find_node(desk, nodes, key)
        if place == NO_ROOM:
            break
        node = nodes[place]
        node.visits += 1
        if node.visits <= 1 + desk.patience and depth > 0:
            break
        if node.first == NO_EDGES and not expand(s, seats, node, desk, edges, lore):
            break
        end = choose_all(s, seats, node, depth == 0, desk, edges, x, depth)
        if depth == 0:
            tried = tries(desk, edges, end)
            start = stream_start(desk.seed, tried)
            step = stream_step(start)
        key = play_path(s, desk, edges, depth, end, key)
        depth = end
    desk.start = start
    desk.drawn = n
    return depth


@rule
def learn(desk, edges, depth, players):
    """What came of a playout, told to every move on its path."""
    for i in range(depth):
        edge = edges[desk.path[i, EDGE]]
        gained = utility(desk, players, i64(edge.seat))
        if desk.path[i, TOGETHER] != ALONE:
            learn_regret(desk, edges, desk.path[i, TOGETHER], desk.path[i, EDGE], gained, desk.path[i, VISITS])
        edge.visits += 1
        edge.value += gained


@rule
def search_once(states, desk, nodes, edges, lore, mind):
    """One playout from the position in states[0], through the tree and beyond it, and what the tree learns from it. Returns how many moves of the tree it made;
    `desk.values` and `desk.wins` are what it came to, `desk.drawn` is how many random numbers were used up."""
    states[1] = states[0]
    s = states[1]
    seats = actors(s)
    if desk.weighs != 0 and seats & (seats - 1) == 0:
        return weigh_once(states, desk, nodes, edges, lore, mind)
    depth = descend(s, desk, nodes, edges, lore)
    step = stream_step(desk.start)
    desk.drawn = play_on(s, desk.start, step, desk.drawn, desk.horizon, desk.guided != 0, desk, lore)
    judge_with(s, desk, lore, mind)
    learn(desk, edges, depth, s.players)
    desk.played += 1
    return depth


@rule
def note_reasons(desk, edges, depth):
    """What a playout came to, added to what is known of its moves at the root."""
    for i in range(depth):
        k = desk.path[i, EDGE]
        if k < len(desk.reasons) and edges[k].seat != NOBODY:
            desk.reasons[k, WIN] += desk.wins[edges[k].seat]
            desk.reasons[k, SCORE] += desk.values[edges[k].seat]


@rule
def remember(desk, depth, playout):
    for seat in range(len(desk.wins)):
        playout.wins[seat] = desk.wins[seat]
    playout.first = desk.path[0, EDGE] if depth > 0 else NOWHERE


@rule
def think(states, desks, nodes, edges, lore, minds, playouts, memory):
    """So many more playouts from the position in states[0]. `desk.reasons` gathers the win chances and scores that came of each move of the
    root, for the seat that makes it. The first of all playouts are remembered one by one, as many as `memory` has room for. (One that weighs all outcomes of a
    die counts for as many as these are, and is remembered as often.)"""
    desk = desks[0]
    end = desk.played + playouts
    while desk.played < end:
        before = desk.played
        depth = search_once(states, desk, nodes, edges, lore, minds[0])
        note_reasons(desk, edges, depth)
        desk.played = min(desk.played, end)
        for playout in range(before, min(desk.played, len(memory))):
            remember(desk, depth, memory[playout])
