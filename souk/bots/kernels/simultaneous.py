"""Regret matching over one-ply playouts, for simultaneous secret choices."""

from souk.bots.kernels.playout import play_on
from souk.bots.kernels.regret_matching import mixed_choice, regret_share, total_regret
from souk.bots.kernels.search import EDGE
from souk.bots.kernels.tree import add_edges
from souk.bots.kernels.value import SCORE, WIN, judge, utility
from souk.kernel.game_ops import actors, candidates, play
from souk.kernel.rng import draw, mix, stream_start, stream_step
from souk.kernel.rule import i64, rule, u64

WILD = 0.1  # assumed probability of a random choice


@rule
def list_choices(s, seats, workspace, edges, lookup):
    """List the choices of all seats to move."""
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            n = i64(candidates(s, seat, workspace, lookup))
            add_edges(workspace, edges, seat, workspace.found, n)


@rule
def sample_choices(workspace, edges, x):
    """Sample a choice for every seat into the path, indexed by seat."""
    first = 0
    while first < workspace.edges:
        seat = i64(edges[first].seat)
        workspace.path[seat, EDGE] = mixed_choice(
            workspace, edges, first, WILD, mix(u64(x) + u64(seat))
        )
        first += i64(edges[first].run)


@rule
def play_choices(states, seats, workspace, edges, start, step, lookup):
    """Play the choices in the path out to the next quiet position and evaluate it."""
    states[1] = states[0]
    s = states[1]
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            play(s, seat, i64(edges[workspace.path[seat, EDGE]].move))
    play_on(s, start, step, 1, 0, True, workspace, lookup)
    if workspace.stopped == 0:
        judge(s, workspace, lookup)


@rule
def try_all_choices(states, seats, first, look, workspace, edges, lookup):
    """Try every choice of one seat against the sampled ones, with the same dice, and update
    regrets.
    """
    seat = i64(edges[first].seat)
    start = stream_start(workspace.seed, look)
    step = stream_step(start)
    total = total_regret(edges, first)
    chosen = workspace.path[seat, EDGE]
    expectation = 0.0
    for k in range(first, first + edges[first].run):
        workspace.path[seat, EDGE] = k
        play_choices(states, seats, workspace, edges, start, step, lookup)
        if workspace.stopped != 0:
            return
        edge = edges[k]
        gained = utility(workspace, states[0].players, seat)
        share = regret_share(edge, total)
        expectation += share * gained
        edge.mass += (look + 1) * share
        edge.regret += gained
        edge.visits += 1
        workspace.reasons[k, WIN] += workspace.wins[seat]
        workspace.reasons[k, SCORE] += workspace.values[seat]
    workspace.path[seat, EDGE] = chosen
    for k in range(first, first + edges[first].run):
        edges[k].regret = max(0.0, edges[k].regret - expectation)


@rule
def improve_strategies(states, desks, edges, lookup, times):
    """Run `times` more iterations over all seats to move; fewer if interrupted.

    Their moves are in `edges`; `workspace.reasons` sums the results of each for the seat that makes
    it.
    """
    workspace = desks[0]
    seats = actors(states[0])
    if workspace.edges == 0:
        list_choices(states[0], seats, workspace, edges, lookup)
    for look in range(workspace.played, workspace.played + times):
        start = stream_start(workspace.seed, look)
        sample_choices(workspace, edges, draw(start, stream_step(start), 0))
        first = 0
        while first < workspace.edges:
            try_all_choices(states, seats, first, look, workspace, edges, lookup)
            if workspace.stopped != 0:
                return
            first += i64(edges[first].run)
    workspace.played += times
