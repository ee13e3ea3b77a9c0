"""Search, written once against the verbs: a tree grown move by move, with playouts that are judged early.

Where one seat is to move, the tree is searched by UCT. Where several choose in secret, each is given a mixed strategy of its own by
regret matching: none of them knows what the others have chosen. Dice and cards are drawn.
"""

import math

from souk.bots.kernels.playout import play_on
from souk.bots.kernels.tree import NO_EDGES, NO_ROOM, ROOT_KEY, add_moves, find_node, key_after
from souk.bots.kernels.value import judge
from souk.kernel.chance import draw, mix, stream_start, stream_step
from souk.kernel.rule import i64, rule, u64
from souk.kernel.verbs import actors, candidates, moves, over, play, random_outcome, resolve

DEEPEST = 64  # moves of the tree that one playout goes through, at most
MOST_MOVES = 64  # of one seat that are looked at

# What a search is told, in the order of `settings`.
HORIZON, GUIDED, EXPLORATION = range(3)

# What a path through the tree holds of each move: the edge, the first edge of the seat's moves where others chose at the same time
# (else ALONE), and how often the position had been visited.
EDGE, TOGETHER, VISITS = range(3)
ALONE = -1

SPREAD_OUT = 3  # dice and cards after a move that are not left to chance altogether
EVENLY = tuple(int(2**64 / 1.2207440846057596 ** (k + 1)) for k in range(SPREAD_OUT))
MARGIN = 20.0  # points ahead that count as much again as all further ones
SHARPNESS = 0.02  # how much of a utility is points ahead, so that won and lost games are still played well


@rule
def list_moves(s, seat, guided, found, lore):
    return candidates(s, seat, found, lore) if guided else moves(s, seat, found)


@rule
def expand(s, seats, node, edges, used, guided, found, lore):
    """List the moves of all who are to move, seat after seat. False where there is no room."""
    begin = used[1]
    for seat in range(s.players):
        if (seats >> seat) & 1:
            first = add_moves(edges, used, seat, found, list_moves(s, seat, guided, found, lore))
            if first == NO_ROOM:
                used[1] = begin
                return False
    node.first = begin
    return True


@rule
def best_by_bound(edges, first, visits, widen, exploration):
    """UCT: the move with the highest upper bound. Below the root only the first few are looked at until there are visits for more."""
    n = edges[first].run
    allowed = min(n, 2 + i64(math.sqrt(2.0 * visits))) if widen else n
    log = math.log(visits + 1.0)
    best = first
    top = -1.0
    for k in range(first, first + allowed):
        if edges[k].visits == 0:
            return k
        bound = edges[k].value / edges[k].visits + exploration * math.sqrt(log / edges[k].visits)
        if bound > top:
            top = bound
            best = k
    return best


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
    """In secret choices: how often any move is tried, whatever the regrets say. Less and less often, since the others take what is tried
    for what is meant."""
    return min(0.3, max(0.05, 3.0 / math.sqrt(visits)))


@rule
def mixed_choice(edges, first, visits, x):
    """A move drawn from the mixed strategy, now and then any."""
    n = edges[first].run
    wild = wildness(visits)
    total = total_regret(edges, first)
    left = (u64(x) >> u64(11)) / 9007199254740992.0
    for k in range(first, first + n):
        left -= (1.0 - wild) * meant(edges[k], total) + wild / n
        if left < 0.0:
            return k
    return first + n - 1


@rule
def mean_value(edge, unknown):
    return edge.value / edge.visits if edge.visits > 0 else unknown


@rule
def learn_regret(edges, first, chosen, gained, visits):
    """Regret matching after one try, which tells of the chosen move alone: the others are taken to be worth what they were on average,
    and the surprise is scaled up by how seldom the move is tried. (Unbiased, and calm once averages are near.)"""
    n = edges[first].run
    wild = wildness(visits)
    total = total_regret(edges, first)
    share = meant(edges[chosen], total)
    surprise = (gained - mean_value(edges[chosen], gained)) / ((1.0 - wild) * share + wild / n)
    expected = share * surprise
    for k in range(first, first + n):
        share = meant(edges[k], total)
        edges[k].mass += visits * share
        expected += share * mean_value(edges[k], gained)
    for k in range(first, first + n):
        worth = mean_value(edges[k], gained) + (surprise if k == chosen else 0.0)
        edges[k].regret = max(0.0, edges[k].regret + worth - expected)


@rule
def margin(values, players, seat):
    """How far a seat is ahead of the best of the others in expected points, squeezed into 0 to 1."""
    best = -1e9
    for other in range(players):
        if other != seat:
            best = max(best, values[other])
    ahead = values[seat] - best if players > 1 else 0.0
    return 0.5 + 0.5 * ahead / (MARGIN + abs(ahead))


@rule
def utility(values, wins, players, seat):
    """What a search wants for a seat: to win, and a little to be ahead."""
    return (1.0 - SHARPNESS) * wins[seat] + SHARPNESS * margin(values, players, seat)


@rule
def choose_all(s, seats, node, at_root, edges, settings, x, path, depth):
    """A move for each seat that is to move, written into the path. Returns the path's new length."""
    secret = seats & (seats - 1) != 0
    widen = not at_root and settings[GUIDED] > 0.0
    first = i64(node.first)
    for seat in range(s.players):
        if (seats >> seat) & 1:
            if secret:
                path[depth, EDGE] = mixed_choice(edges, first, node.visits, mix(u64(x) + u64(seat)))
                path[depth, TOGETHER] = first
            else:
                path[depth, EDGE] = best_by_bound(edges, first, node.visits, widen, settings[EXPLORATION])
                path[depth, TOGETHER] = ALONE
            path[depth, VISITS] = node.visits
            first += i64(edges[first].run)
            depth += 1
    return depth


@rule
def tries(edges, path, end, seat, playout):
    """How often the move at the root that a seat is about to make has been tried before; for a seat that is not to move there, the
    number of the playout."""
    for i in range(end):
        if edges[path[i, EDGE]].seat == seat:
            return i64(edges[path[i, EDGE]].visits)
    return playout


@rule
def spread_out(seed, chance, tried):
    """The number for the first dice and cards after a move's n-th try: spread out as evenly as can be over many tries, each die for
    itself (additive sequences, by the inverse powers of the root of x⁴ = x + 1)."""
    return u64(mix(u64(seed) + u64(chance)) + u64(u64(tried) * u64(EVENLY[chance])))


@rule
def descend(s, nodes, edges, used, settings, seat, seed, playout, stream, path, found, out, weights, lore):
    """Through the tree by moves and chances, to a position that is new in it. Returns how many moves there were; `stream` is where the
    random numbers go on: the start of the stream, and how many of it are used up.

    The n-th try of every move at the root is given the same numbers: the same dice, and the same whims of all who move. What is left
    of the difference between two moves is mostly their own."""
    start = stream_start(seed, playout)
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
                x = spread_out(seed, chances, tried)
                chances += 1
            outcome = i64(random_outcome(s, x, out, weights))
            resolve(s, outcome)
            key = key_after(key, -1, outcome)
            continue
        place = find_node(nodes, used, key)
        if place == NO_ROOM:
            break
        node = nodes[place]
        node.visits += 1
        if node.visits == 1 and depth > 0:
            break
        if node.first == NO_EDGES and not expand(s, seats, node, edges, used, settings[GUIDED] > 0.0, found, lore):
            break
        end = choose_all(s, seats, node, depth == 0, edges, settings, x, path, depth)
        if depth == 0:
            tried = tries(edges, path, end, seat, playout)
            start = stream_start(seed, tried)
            step = stream_step(start)
        while depth < end:
            mover = i64(edges[path[depth, EDGE]].seat)
            move = i64(edges[path[depth, EDGE]].move)
            play(s, mover, move)
            key = key_after(key, mover, move)
            depth += 1
    stream[0] = start
    stream[1] = n
    return depth


@rule
def learn(edges, path, depth, players, values, wins):
    """What came of a playout, told to every move on its path."""
    for i in range(depth):
        edge = edges[path[i, EDGE]]
        gained = utility(values, wins, players, edge.seat)
        if path[i, TOGETHER] != ALONE:
            learn_regret(edges, path[i, TOGETHER], path[i, EDGE], gained, path[i, VISITS])
        edge.visits += 1
        edge.value += gained


@rule
def search_once(
    s, seat, nodes, edges, used, settings, seed, playout, stream, path, found, out, weights, lore, scores, values, wins
):
    """One playout, through the tree and beyond it, and what the tree learns from it. Returns how many moves of the tree it made;
    `values` and `wins` are what it came to, `stream` says how many random numbers were used up."""
    depth = descend(s, nodes, edges, used, settings, seat, seed, playout, stream, path, found, out, weights, lore)
    guided = settings[GUIDED] > 0.0
    start = stream[0]
    horizon = i64(settings[HORIZON])
    stream[1] = play_on(s, start, stream_step(start), i64(stream[1]), horizon, guided, out, weights, lore)
    judge(s, lore, scores, values, wins)
    learn(edges, path, depth, s.players, values, wins)
    return depth


@rule
def think(
    states,
    seat,
    nodes,
    edges,
    used,
    settings,
    seed,
    first,
    playouts,
    stream,
    path,
    found,
    out,
    weights,
    lore,
    scores,
    values,
    wins,
    reasons,
):
    """Playouts number `first` and following, from the position in states[0] in which `seat` is to move. `reasons` gathers the win
    chances and scores that came of each move of the root, for the seat that makes it."""
    for playout in range(first, first + playouts):
        states[1] = states[0]
        depth = search_once(
            states[1],
            seat,
            nodes,
            edges,
            used,
            settings,
            seed,
            playout,
            stream,
            path,
            found,
            out,
            weights,
            lore,
            scores,
            values,
            wins,
        )
        for i in range(depth):
            if path[i, EDGE] < len(reasons):
                mover = edges[path[i, EDGE]].seat
                reasons[path[i, EDGE], 0] += wins[mover]
                reasons[path[i, EDGE], 1] += values[mover]
