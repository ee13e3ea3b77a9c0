"""One look ahead, without a tree: each move is played out a few times with the same dice to the next quiet position, and judged there."""

from souk.bots.kernels.playout import play_on
from souk.bots.kernels.value import judge
from souk.kernel.chance import draw, stream_start, stream_step
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import actors, candidates, likely_move, play, temptation


@rule
def others_choose(s, seat, start, step, out, lore):
    """Where choices are secret: the other seats make likely ones."""
    for other in range(s.players):
        if other != seat and (actors(s) >> other) & 1:
            play(s, other, i64(likely_move(s, other, draw(start, step, other), out, lore)))


@rule
def glance(states, seat, seed, first, times, found, out, weights, lore, scores, values, wins, reasons):
    """Look at every candidate of the seat in states[0] so many times, look number `first` and following. Adds the win chances and
    scores to `reasons`, and writes the candidates into `found`; returns how many there are."""
    n = candidates(states[0], seat, found, lore)
    for k in range(n):
        for look in range(first, first + times):
            states[1] = states[0]
            s = states[1]
            start = stream_start(seed, look)
            step = stream_step(start)
            others_choose(s, seat, start, step, out, lore)
            play(s, seat, i64(found[k]))
            play_on(s, start, step, s.players, 0, True, out, weights, lore)
            judge(s, lore, scores, values, wins)
            reasons[k, 0] += wins[seat]
            reasons[k, 1] += values[seat]
    return n


@rule
def whims(s, seat, seed, found, out, lore):
    """Likely moves of a seat, as many as `found` has room for: what it would do on one day or another."""
    start = stream_start(seed, 0)
    step = stream_step(start)
    for k in range(len(found)):
        found[k] = likely_move(s, seat, draw(start, step, k), out, lore)


@rule
def temptations(s, seat, found, lore, tempting):
    """How tempting each candidate is to a beginner."""
    n = candidates(s, seat, found, lore)
    for k in range(n):
        tempting[k] = temptation(s, seat, i64(found[k]), lore)
    return n
