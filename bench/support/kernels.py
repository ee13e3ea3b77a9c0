"""Kernels that measure bots, compiled like those of the bots."""

from souk.bots.kernels.playout import likely_event, play_on
from souk.bots.kernels.search import search_once
from souk.bots.kernels.value import judge, judge_with_net
from souk.kernel.game_ops import over
from souk.kernel.rng import draw, stream_start, stream_step
from souk.kernel.rule import rule


@rule
def bare_playouts(states, workspaces, lookup, first, playouts, horizon):
    """Playouts without a tree, to the horizon, each evaluated at its end."""
    for playout in range(first, first + playouts):
        states[1] = states[0]
        start = stream_start(1, playout)
        play_on(states[1], start, stream_step(start), 0, horizon, True, workspaces[0], lookup)
        judge(states[1], workspaces[0], lookup)


@rule
def bare_events(states, workspaces, lookup, first, playouts, thousandths):
    """Playouts without a tree of `thousandths / 1000` events on average, then evaluated."""
    for playout in range(first, first + playouts):
        states[1] = states[0]
        start = stream_start(1, playout)
        step = stream_step(start)
        events = (playout + 1) * thousandths // 1000 - playout * thousandths // 1000
        n = 0
        while n < events and not over(states[1]):
            likely_event(states[1], draw(start, step, n), True, workspaces[0], lookup)
            n += 1
        judge(states[1], workspaces[0], lookup)


@rule
def search(states, workspaces, nodes, edges, lookup, nets, playouts, sums):
    """Search; return the events of all playouts and add the later half's win chances to `sums`.

    A playout draws one random number more than it has events: for the position where the tree ends.
    """
    workspace = workspaces[0]
    events = 0
    for playout in range(playouts):
        search_once(states, workspace, nodes, edges, lookup, nets[0])
        events += workspace.drawn - 1
        if 2 * playout >= playouts:
            for seat in range(states[1].players):
                sums[seat] += workspace.wins[seat]
    return events


@rule
def evaluate(states, workspaces, lookup, nets):
    """Evaluate positions with a net."""
    for k in range(len(states)):
        judge_with_net(states[k], workspaces[k % len(workspaces)], lookup, nets[0])
