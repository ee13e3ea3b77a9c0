"""Whole games of searches against each other, compiled: what minds learn from, and what decides between two of them.

Up to two sides sit at a table, each with a mind and a manner of searching. Every seat of a side moves by a search of a few playouts. At some of the quiet
positions a longer search is made, and they are kept: what is seen there, what the search found, and how the game ended.
"""

import numpy as np

from souk.bots.kernels.search import search_once
from souk.bots.kernels.tree import clear
from souk.kernel.bits import lowest
from souk.kernel.chance import below, draw, mix, stream_start, stream_step
from souk.kernel.rule import i64, rule, u64
from souk.kernel.verbs import (
    actors,
    over,
    play,
    quiet,
    random_move,
    random_outcome,
    resolve,
    standing,
    survey,
)

SIDES = 2
OF = 1024  # how often something is done is said in these parts
STATES = 4
TABLE, TRIAL, SPARE, START = range(STATES)  # the states: of the game, two of a playout, at the beginning


def plan_type(seats: int) -> np.dtype[np.void]:
    """What is to be played, and what has been found on the way."""
    return np.dtype(
        [
            ("seed", "u8"),
            ("first", "i8"),  # the number of the first game
            ("games", "i8"),
            ("playouts", "i8", SIDES),  # of a search whose position is kept,
            ("quick", "i8", SIDES),  # and of any other
            ("kept_of", "i8"),  # how often a quiet position is kept
            ("wild", "i8"),  # how often just any move is made
            ("scramble", "i8"),  # at most so many decisions at the beginning are just any moves; nothing is kept before
            ("side", "i8", seats),  # by seat
            ("move", "i8", seats),  # that it is about to make
            ("now", "i8"),  # playouts of the next search
            ("horizon", "i8", SIDES),
            ("exploration", "f8", SIDES),
            ("patience", "i8", SIDES),
            ("weighs", "i8", SIDES),
            ("kept", "i8"),  # how many positions have been kept
            ("wins", "f8", seats),  # what the last search found
            ("values", "f8", seats),
        ],
        align=True,
    )


def result_type(players: int) -> np.dtype[np.void]:
    """How a game ended: by seat."""
    return np.dtype([("score", "f4", players), ("wins", "f4", players)], align=True)


def sample_type(most_seen: int, players: int) -> np.dtype[np.void]:
    """A position that is kept: by seat."""
    return np.dtype(
        [
            ("outlook", "f4", players),
            ("found_wins", "f4", players),  # by the search
            ("found_score", "f4", players),
            ("wins", "f4", players),  # in the end
            ("score", "f4", players),
            ("game", "i4"),
            ("seen", "i2", (most_seen, players)),
            ("n", "i2"),  # how much is seen
        ],
        align=True,
    )


@rule
def search_from(states, desk, nodes, edges, lore, mind, plan, side):
    """A search for a side from the position on the table. What its later half found is noted in the plan."""
    s = states[TABLE]
    clear(nodes)
    desk.nodes = 0
    desk.edges = 0
    desk.played = 0
    desk.horizon = plan.horizon[side]
    desk.exploration = plan.exploration[side]
    desk.patience = plan.patience[side]
    desk.weighs = plan.weighs[side]
    for seat in range(i64(s.players)):
        plan.wins[seat] = 0.0
        plan.values[seat] = 0.0
    counted = 0
    while desk.played < plan.now:
        before = desk.played
        search_once(states, desk, nodes, edges, lore, mind)
        if before >= plan.now // 2:
            counted += desk.played - before
            for seat in range(i64(s.players)):
                plan.wins[seat] += (desk.played - before) * desk.wins[seat]
                plan.values[seat] += (desk.played - before) * desk.values[seat]
    for seat in range(i64(s.players)):
        plan.wins[seat] /= max(counted, 1)
        plan.values[seat] /= max(counted, 1)


@rule
def best_edge(edges, first):
    """The move that was looked at most often; of those that were equally often, the one that promises most."""
    best = first
    for k in range(first, first + i64(edges[first].run)):
        more = edges[k].visits - edges[best].visits
        if more > 0 or (more == 0 and edges[k].value > edges[best].value):
            best = k
    return best


@rule
def drawn_edge(edges, first, x):
    """Where others choose in secret: a move drawn by how often it is to be chosen."""
    end = first + i64(edges[first].run)
    total = 0.0
    for k in range(first, end):
        total += edges[k].mass
    left = total * (below(x, 65536) / 65536.0)
    for k in range(first, end):
        left -= edges[k].mass
        if left < 0.0:
            return k
    return best_edge(edges, first)


@rule
def choose(s, desk, edges, plan, side, seats, x):
    """Note the moves of a side's seats in the plan, by the search that was just made for it."""
    secret = seats & (seats - 1) != 0
    first = 0
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            if plan.side[seat] == side:
                here = mix(u64(x) + u64(seat))
                if below(here, OF) < plan.wild:
                    plan.move[seat] = random_move(s, seat, mix(here), desk.out)
                elif secret:
                    plan.move[seat] = edges[drawn_edge(edges, first, mix(here))].move
                else:
                    plan.move[seat] = edges[best_edge(edges, first)].move
            first += i64(edges[first].run)


@rule
def decide(states, desk, nodes, edges, lore, minds, plan, x, kept):
    """Have all seats that are to move make their moves. Where both sides are to choose in secret, neither sees the other's choice."""
    s = states[TABLE]
    seats = actors(s)
    for side in range(SIDES):
        concerned = False
        for seat in range(i64(s.players)):
            if (seats >> seat) & 1 and plan.side[seat] == side:
                concerned = True
        if concerned:
            plan.now = plan.playouts[side] if kept else plan.quick[side]
            desk.seat = lowest(seats)
            desk.seed = mix(u64(x) + u64(64 + side))
            search_from(states, desk, nodes, edges, lore, minds[side], plan, side)
            choose(s, desk, edges, plan, side, seats, x)
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            play(s, seat, i64(plan.move[seat]))


@rule
def keep_sight(s, desk, lore, plan, samples, game):
    """Write down what is seen of a position, at the end of what is kept."""
    sample = samples[plan.kept]
    sample.n = survey(s, desk, lore)
    sample.game = game
    for seat in range(i64(s.players)):
        sample.outlook[seat] = desk.values[seat]
        for k in range(sample.n):
            sample.seen[k, seat] = desk.seen[k, seat]


@rule
def keep_found(s, plan, samples):
    """Add what the search found; with that the position is kept."""
    sample = samples[plan.kept]
    for seat in range(i64(s.players)):
        sample.found_wins[seat] = plan.wins[seat]
        sample.found_score[seat] = plan.values[seat]
    plan.kept += 1


@rule
def keep_end(s, desk, plan, samples, first, result):
    """How a game ended, for all positions that were kept of it."""
    winners = standing(s, desk.scores)
    shared = 0
    for seat in range(i64(s.players)):
        shared += (winners >> seat) & 1
    for seat in range(i64(s.players)):
        result.score[seat] = desk.scores[seat]
        result.wins[seat] = ((winners >> seat) & 1) / shared
        for k in range(first, plan.kept):
            samples[k].score[seat] = result.score[seat]
            samples[k].wins[seat] = result.wins[seat]


@rule
def scramble(s, desk, start, step, n, decisions):
    """Play so many decisions at random; returns the first random number that was not used."""
    while decisions > 0 and not over(s):
        x = draw(start, step, n)
        n += 1
        seats = actors(s)
        if seats == 0:
            resolve(s, i64(random_outcome(s, x, desk.out, desk.weights)))
        else:
            play(s, lowest(seats), i64(random_move(s, lowest(seats), x, desk.out)))
            decisions -= 1 if seats & (seats - 1) == 0 else 0  # never amid secret choices
    return n


@rule
def play_game(states, desk, nodes, edges, lore, minds, plan, samples, game):
    """One game from its start to its end."""
    states[TABLE] = states[START]
    s = states[TABLE]
    start = stream_start(plan.seed, game)
    step = stream_step(start)
    n = scramble(s, desk, start, step, 1, below(draw(start, step, 0), plan.scramble + 1))
    seen = False
    while not over(s):
        x = draw(start, step, n)
        n += 1
        if quiet(s) and plan.kept < len(samples) and below(mix(x), OF) < plan.kept_of:
            keep_sight(s, desk, lore, plan, samples, game)
            seen = True
        if actors(s) == 0:
            resolve(s, i64(random_outcome(s, x, desk.out, desk.weights)))
            continue
        decide(states, desk, nodes, edges, lore, minds, plan, x, seen)
        if seen:
            keep_found(s, plan, samples)
            seen = False


@rule
def play_games(states, desks, nodes, edges, lore, minds, plans, samples, results):
    """The games of a plan: positions are kept in `samples`, as many as there is room for, how each game ended in `results`."""
    plan = plans[0]
    desk = desks[0]
    desk.guided = 1
    for k in range(plan.games):
        first = plan.kept
        play_game(states, desk, nodes, edges, lore, minds, plan, samples, plan.first + k)
        keep_end(states[TABLE], desk, plan, samples, first, results[k])
