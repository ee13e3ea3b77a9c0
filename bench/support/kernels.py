"""What the measurements of bots run compiled."""

from souk.bots.kernels.playout import likely_event, play_on
from souk.bots.kernels.search import search_once
from souk.bots.kernels.value import judge, judge_with
from souk.kernel.chance import draw, stream_start, stream_step
from souk.kernel.rule import rule
from souk.kernel.verbs import over


@rule
def bare_playouts(states, desks, lore, first, playouts, horizon):
    """Playouts without a tree: played on to the horizon and judged."""
    for playout in range(first, first + playouts):
        states[1] = states[0]
        start = stream_start(1, playout)
        play_on(states[1], start, stream_step(start), 0, horizon, True, desks[0], lore)
        judge(states[1], desks[0], lore)


@rule
def bare_events(states, desks, lore, first, playouts, thousandths):
    """Playouts without a tree that make so many thousandths of an event, moves and dice together, on average, and are then judged."""
    for playout in range(first, first + playouts):
        states[1] = states[0]
        start = stream_start(1, playout)
        step = stream_step(start)
        events = (playout + 1) * thousandths // 1000 - playout * thousandths // 1000
        n = 0
        while n < events and not over(states[1]):
            likely_event(states[1], draw(start, step, n), True, desks[0], lore)
            n += 1
        judge(states[1], desks[0], lore)


@rule
def searched(states, desks, nodes, edges, lore, minds, playouts, sums):
    """A search of so many playouts. `sums` gathers the win chances of its later half; returns how many events all playouts made
    together, through the tree and beyond it: one fewer in each than there are random numbers used, since one is drawn for the position
    where the tree ends."""
    desk = desks[0]
    events = 0
    for playout in range(playouts):
        search_once(states, desk, nodes, edges, lore, minds[0])
        events += desk.drawn - 1
        if 2 * playout >= playouts:
            for each in range(states[1].players):
                sums[each] += desk.wins[each]
    return events


@rule
def judged(states, desks, lore, minds):
    """Positions judged one after the other, each on the next desk."""
    for k in range(len(states)):
        judge_with(states[k], desks[k % len(desks)], lore, minds[0])
