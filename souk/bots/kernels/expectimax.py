"""A search that weighs: what dice and cards may bring is looked at outcome by outcome and averaged by how likely each is, and what a position is worth follows
from its moves, those most that were looked at most often.

A search that draws dice learns from each playout alone: moves that were only tried count as much as good ones, and luck has to even out. Here every playout
makes each position on its way worth what is known of all its moves by now. That pays where a mind judges: it says the same of a position every time, so there
is nothing to even out. To go by the best move alone would be worse than drawing: the best of several judgements is often the one that is most wrong.
"""

from souk.bots.kernels.growing import best_by_bound, expand
from souk.bots.kernels.playout import play_on
from souk.bots.kernels.tree import NO_EDGES, NO_ROOM, NOBODY, ROOT_KEY, add_outcomes, find_node, key_after
from souk.bots.kernels.value import SCORE, UTILITY, WIN, judge_with, utility
from souk.kernel.chance import stream_start, stream_step
from souk.kernel.desk import DEEPEST
from souk.kernel.rule import i64, rule, u64
from souk.kernel.verbs import actors, outcomes, over, play, resolve

# What the desk's path holds of each step: the edge, and the first of all that lead on from the same position.
EDGE, FIRST = range(2)

ALL_AT_ONCE = 6  # outcomes that are judged together when a die is first come to; of more, one at a time


@rule
def judge_soon(s, desk, lore, mind):
    """Play on to a quiet position, and judge that one. All outcomes of one die are played on with the same random numbers."""
    start = stream_start(desk.seed, desk.played)
    play_on(s, start, stream_step(start), 0, desk.horizon, desk.guided != 0, desk, lore)
    judge_with(s, desk, lore, mind)


@rule
def put_on_scales(desk, players, share):
    """Add what was judged last to what is weighed, as so large a share of it."""
    for seat in range(players):
        desk.weighed[UTILITY, seat] += share * utility(desk, players, seat)
        desk.weighed[WIN, seat] += share * desk.wins[seat]
        desk.weighed[SCORE, seat] += share * desk.values[seat]


@rule
def clear_scales(desk, players):
    for seat in range(players):
        desk.weighed[UTILITY, seat] = 0.0
        desk.weighed[WIN, seat] = 0.0
        desk.weighed[SCORE, seat] = 0.0


@rule
def try_outcomes(states, desk, edges, first, lore, mind):
    """Judge what comes of every outcome of a die or card that is new in the tree."""
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
        judge_soon(states[2], desk, lore, mind)
        for seat in range(players):
            edge.worth[seat] = utility(desk, players, seat)
        edge.visits = 1
        put_on_scales(desk, players, edge.mass / total)
    desk.played += end - first


@rule
def due(edges, first):
    """The outcome that has been looked at least, for how likely it is."""
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
def climb(states, desk, nodes, edges, lore, mind):
    """Through the tree to a position that is new in it, and judge that. Returns how many steps there were."""
    s = states[1]
    key = u64(ROOT_KEY)
    depth = 0
    while not over(s) and depth < DEEPEST:
        seats = actors(s)
        place = find_node(desk, nodes, key)
        if place == NO_ROOM or seats & (seats - 1) != 0:
            break
        node = nodes[place]
        node.visits += 1
        fresh = node.first == NO_EDGES
        if seats != 0 and node.visits <= 1 + desk.patience and depth > 0:
            break
        if fresh and not lead_on(s, seats, node, desk, edges, lore):
            break
        first = i64(node.first)
        if seats == 0 and fresh and edges[first].run <= ALL_AT_ONCE:
            try_outcomes(states, desk, edges, first, lore, mind)
            return depth
        k = due(edges, first) if seats == 0 else best_by_bound(desk, edges, first, node.visits, depth > 0)
        key = take(s, edges[k], key)
        desk.path[depth, EDGE] = k
        desk.path[depth, FIRST] = first
        depth += 1
    judge_soon(s, desk, lore, mind)
    put_on_scales(desk, i64(s.players), 1.0)
    desk.played += 1
    return depth


@rule
def lead_on(s, seats, node, desk, edges, lore):
    """List what leads on from a position: the moves of the seat that is to move, or the outcomes of a die or card. False where there is no room."""
    if seats != 0:
        return expand(s, seats, node, desk, edges, lore)
    first = desk.edges
    if not add_outcomes(desk, edges, i64(outcomes(s, desk.out, desk.weights))):
        return False
    node.first = first
    return True


@rule
def take(s, edge, key):
    """Make a move, or let an outcome come up; returns the key of the position that it leads to."""
    move = i64(edge.move)
    seat = i64(edge.seat)
    if seat == NOBODY:
        resolve(s, move)
    else:
        play(s, seat, move)
    return key_after(key, seat, move)


@rule
def weigh(desk, edges, first, players):
    """Write into `desk.weighed` what a position is worth by what leads on from it: outcomes by how likely they are, moves by the third power of how often they
    were looked at."""
    total = 0.0
    for seat in range(players):
        desk.weighed[UTILITY, seat] = 0.0
    for k in range(first, first + i64(edges[first].run)):
        edge = edges[k]
        if edge.visits > 0:
            visits = float(edge.visits)
            weight = edge.mass if edge.seat == NOBODY else visits * visits * visits
            total += weight
            for seat in range(players):
                desk.weighed[UTILITY, seat] += weight * edge.worth[seat]
    for seat in range(players):
        desk.weighed[UTILITY, seat] /= total


@rule
def weigh_once(states, desk, nodes, edges, lore, mind):
    """One playout, and what the tree learns from it. Returns how many steps of the tree it made; `desk.values` and `desk.wins` are what it came to."""
    players = i64(states[1].players)
    clear_scales(desk, players)
    depth = climb(states, desk, nodes, edges, lore, mind)
    for back in range(1, depth + 1):
        edge = edges[desk.path[depth - back, EDGE]]
        for seat in range(players):
            edge.worth[seat] = desk.weighed[UTILITY, seat]
        edge.visits += 1
        if edge.seat != NOBODY:
            edge.value = desk.weighed[UTILITY, edge.seat] * edge.visits
        weigh(desk, edges, i64(desk.path[depth - back, FIRST]), players)
    for seat in range(players):
        desk.wins[seat] = desk.weighed[WIN, seat]
        desk.values[seat] = desk.weighed[SCORE, seat]
    return depth
