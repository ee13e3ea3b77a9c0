"""One look ahead, without a tree: each move is played out a few times with the same dice to the next quiet position, and judged there."""

from souk.bots.kernels.playout import play_on
from souk.bots.kernels.value import SCORE, WIN, judge
from souk.kernel.chance import draw, stream_start, stream_step
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import actors, candidates, likely_move, play, temptation


@rule
def others_choose(s, seat, start, step, desk, lore):
    """Where choices are secret: the other seats make likely ones."""
    for other in range(i64(s.players)):
        if other != seat and (actors(s) >> other) & 1:
            play(s, other, i64(likely_move(s, other, draw(start, step, other), desk, lore)))


@rule
def glance(states, desks, lore, times):
    """Look at every candidate of the desk's seat in states[0] so many times more. Adds the win chances and scores to `desk.reasons`, and
    leaves the candidates in `desk.found`; returns how many there are."""
    desk = desks[0]
    seat = desk.seat
    n = candidates(states[0], seat, desk, lore)
    for k in range(n):
        for look in range(desk.played, desk.played + times):
            states[1] = states[0]
            s = states[1]
            start = stream_start(desk.seed, look)
            step = stream_step(start)
            others_choose(s, seat, start, step, desk, lore)
            play(s, seat, i64(desk.found[k]))
            play_on(s, start, step, i64(s.players), 0, True, desk, lore)
            judge(s, desk, lore)
            desk.reasons[k, WIN] += desk.wins[seat]
            desk.reasons[k, SCORE] += desk.values[seat]
    desk.played += times
    return n


@rule
def whims(states, desks, lore, picks):
    """Likely moves of the desk's seat, as many as `picks` has room for: what it would do on one day or another."""
    desk = desks[0]
    start = stream_start(desk.seed, 0)
    step = stream_step(start)
    for k in range(len(picks)):
        picks[k] = likely_move(states[0], desk.seat, draw(start, step, k), desk, lore)


@rule
def temptations(states, desks, lore):
    """How tempting each candidate in `desk.found` is to a beginner, in `desk.notes`."""
    desk = desks[0]
    n = candidates(states[0], desk.seat, desk, lore)
    for k in range(n):
        desk.notes[k] = temptation(states[0], desk.seat, i64(desk.found[k]), lore)
    return n
