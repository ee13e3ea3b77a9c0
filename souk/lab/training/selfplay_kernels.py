"""Compiled self-play: whole games of searches, for training data and matches.

Up to two sides play at a table, each with its own net and search settings; every move is a short
search. Some quiet positions get a longer search and are kept with their features, the search
result, and the game's result.
"""

import numpy as np

from souk.bots.kernels.playout import likely_event
from souk.bots.kernels.search import search_once
from souk.bots.kernels.tree import clear
from souk.kernel.bitset import lowest
from souk.kernel.game_ops import (
    actors,
    evaluate_with_features,
    is_quiet,
    over,
    play,
    random_move,
    write_scores,
)
from souk.kernel.rng import below, draw, mix, stream_start, stream_step
from souk.kernel.rule import i64, rule, u64

SIDES = 2
# Denominator of probabilities.
PROBABILITY_SCALE = 1024
STATES = 4
# States: the game, two for playouts, and the opening.
TABLE, TRIAL, SPARE, START = range(STATES)


def plan_type(seats: int) -> np.dtype[np.void]:
    """What to play, and intermediate results."""
    # By side: playouts of a search whose position is kept, playouts of any other search, and
    # settings as in the workspace.
    sides = [(name, "i8", SIDES) for name in ("playouts", "quick", "horizon", "patience", "weighs")]
    return np.dtype(
        [
            ("seed", "u8"),
            # number of the first game
            ("first", "i8"),
            ("games", "i8"),
            *sides,
            ("exploration", "f8", SIDES),
            # probability of keeping a quiet position
            ("kept_of", "i8"),
            # probability of a random move
            ("epsilon", "i8"),
            # maximum number of random decisions at the start; nothing is kept before them
            ("random_opening", "i8"),
            # by seat: its side, and the move it chose
            ("side", "i8", seats),
            ("move", "i8", seats),
            # playouts of the next search
            ("now", "i8"),
            # number of positions kept so far
            ("kept", "i8"),
            # result of the last search
            ("wins", "f8", seats),
            ("values", "f8", seats),
        ],
        align=True,
    )


def result_type(players: int) -> np.dtype[np.void]:
    """The result of a game by seat."""
    return np.dtype([("score", "f4", players), ("wins", "f4", players)], align=True)


def sample_type(most_seen: int, players: int) -> np.dtype[np.void]:
    """A kept position by seat."""
    # The heuristics' evaluation, what the search found, and the result of the game.
    values = ("evaluation", "found_wins", "found_score", "wins", "score")
    return np.dtype(
        [
            *((name, "f4", players) for name in values),
            ("game", "i4"),
            ("seen", "i2", (most_seen, players)),
            # number of active features
            ("n", "i2"),
        ],
        align=True,
    )


@rule
def search_from(states, workspace, nodes, edges, lookup, net, plan, side):
    """Search for a side; write the averages of the later half into the plan."""
    s = states[TABLE]
    clear(nodes)
    workspace.nodes = 0
    workspace.edges = 0
    workspace.played = 0
    workspace.horizon = plan.horizon[side]
    workspace.exploration = plan.exploration[side]
    workspace.patience = plan.patience[side]
    workspace.weighs = plan.weighs[side]
    for seat in range(i64(s.players)):
        plan.wins[seat] = 0.0
        plan.values[seat] = 0.0
    counted = 0
    while workspace.played < plan.now:
        before = workspace.played
        search_once(states, workspace, nodes, edges, lookup, net)
        if before >= plan.now // 2:
            counted += workspace.played - before
            for seat in range(i64(s.players)):
                plan.wins[seat] += (workspace.played - before) * workspace.wins[seat]
                plan.values[seat] += (workspace.played - before) * workspace.values[seat]
    for seat in range(i64(s.players)):
        plan.wins[seat] /= max(counted, 1)
        plan.values[seat] /= max(counted, 1)


@rule
def best_edge(edges, first):
    """The edge with the most visits; ties go to the higher value."""
    best = first
    for k in range(first, first + i64(edges[first].run)):
        more = edges[k].visits - edges[best].visits
        if more > 0 or (more == 0 and edges[k].value > edges[best].value):
            best = k
    return best


@rule
def drawn_edge(edges, first, x):
    """For secret choices: an edge drawn from the strategy's probabilities."""
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
def choose(s, workspace, edges, plan, side, seats, x):
    """Choose moves for a side's seats from its search."""
    secret = seats & (seats - 1) != 0
    first = 0
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            if plan.side[seat] == side:
                seat_random = mix(u64(x) + u64(seat))
                if below(seat_random, PROBABILITY_SCALE) < plan.epsilon:
                    plan.move[seat] = random_move(s, seat, mix(seat_random), workspace.out)
                elif secret:
                    plan.move[seat] = edges[drawn_edge(edges, first, mix(seat_random))].move
                else:
                    plan.move[seat] = edges[best_edge(edges, first)].move
            first += i64(edges[first].run)


@rule
def decide(states, workspace, nodes, edges, lookup, nets, plan, x, kept):
    """Let all actors move. With secret choices, no side sees the other's choice."""
    s = states[TABLE]
    seats = actors(s)
    for side in range(SIDES):
        is_to_move = False
        for seat in range(i64(s.players)):
            if (seats >> seat) & 1 and plan.side[seat] == side:
                is_to_move = True
        if is_to_move:
            plan.now = plan.playouts[side] if kept else plan.quick[side]
            workspace.seat = lowest(seats)
            workspace.seed = mix(u64(x) + u64(64 + side))
            search_from(states, workspace, nodes, edges, lookup, nets[side], plan, side)
            choose(s, workspace, edges, plan, side, seats, x)
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            play(s, seat, i64(plan.move[seat]))


@rule
def write_features(s, workspace, lookup, plan, samples, game):
    """Write a position's features behind the kept samples."""
    sample = samples[plan.kept]
    sample.n = evaluate_with_features(s, workspace, lookup)
    sample.game = game
    for seat in range(i64(s.players)):
        sample.evaluation[seat] = workspace.values[seat]
        for k in range(sample.n):
            sample.seen[k, seat] = workspace.seen[k, seat]


@rule
def complete_sample(s, plan, samples):
    """Add the search result, which completes the sample."""
    sample = samples[plan.kept]
    for seat in range(i64(s.players)):
        sample.found_wins[seat] = plan.wins[seat]
        sample.found_score[seat] = plan.values[seat]
    plan.kept += 1


@rule
def write_results(s, workspace, plan, samples, first, result):
    """Write the result of a game into its kept positions."""
    winners = write_scores(s, workspace.scores)
    shared = 0
    for seat in range(i64(s.players)):
        shared += (winners >> seat) & 1
    for seat in range(i64(s.players)):
        result.score[seat] = workspace.scores[seat]
        result.wins[seat] = ((winners >> seat) & 1) / shared
        for k in range(first, plan.kept):
            samples[k].score[seat] = result.score[seat]
            samples[k].wins[seat] = result.wins[seat]


@rule
def play_random_opening(s, workspace, lookup, start, step, n, decisions):
    """Play some random decisions; return the next unused random number."""
    while decisions > 0 and not over(s):
        seats = actors(s)
        likely_event(s, draw(start, step, n), i64(0), workspace, lookup)
        n += 1
        # never stop between secret choices
        decisions -= 1 if seats != 0 and seats & (seats - 1) == 0 else 0
    return n


@rule
def play_game(states, workspace, nodes, edges, lookup, nets, plan, samples, game):
    """Play one game from start to end."""
    states[TABLE] = states[START]
    s = states[TABLE]
    start = stream_start(plan.seed, game)
    step = stream_step(start)
    decisions = below(draw(start, step, 0), plan.random_opening + 1)
    n = play_random_opening(s, workspace, lookup, start, step, 1, decisions)
    seen = False
    while not over(s):
        x = draw(start, step, n)
        n += 1
        if (
            is_quiet(s)
            and plan.kept < len(samples)
            and below(mix(x), PROBABILITY_SCALE) < plan.kept_of
        ):
            write_features(s, workspace, lookup, plan, samples, game)
            seen = True
        if actors(s) == 0:
            likely_event(s, x, i64(0), workspace, lookup)
            continue
        decide(states, workspace, nodes, edges, lookup, nets, plan, x, seen)
        if seen:
            complete_sample(s, plan, samples)
            seen = False


@rule
def play_games(states, workspaces, nodes, edges, lookup, nets, plans, samples, results):
    """Play the games of a plan, filling `samples` as far as they go, and `results`."""
    plan = plans[0]
    workspace = workspaces[0]
    workspace.guided = 1
    for k in range(plan.games):
        first = plan.kept
        play_game(states, workspace, nodes, edges, lookup, nets, plan, samples, plan.first + k)
        write_results(states[TABLE], workspace, plan, samples, first, results[k])
