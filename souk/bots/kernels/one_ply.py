"""One-ply search: plays each candidate out to the next quiet position, all with the same dice."""

from souk.bots.kernels.playout import play_on
from souk.bots.kernels.value import SCORE, UTILITY, WIN, judge
from souk.kernel.game_ops import actors, beginner_score, candidates, play, rollout_move
from souk.kernel.rng import draw, stream_start, stream_step
from souk.kernel.rule import i64, rule

LOOKS = UTILITY  # column of `workspace.reasons` that counts tries here: no utility is needed


@rule
def others_choose(s, seat, start, step, workspace, lookup):
    """Simultaneous choices: let the other seats make likely ones."""
    for other in range(i64(s.players)):
        if other != seat and (actors(s) >> other) & 1:
            play(s, other, i64(rollout_move(s, other, draw(start, step, other), workspace, lookup)))


@rule
def look_ahead(states, desks, lookup, times):
    """Try every candidate of the workspace's seat `times` more times; return the number of
    candidates.

    Adds win chances and scores to `workspace.reasons` and lists the candidates in
    `workspace.found`.
    """
    workspace = desks[0]
    seat = workspace.seat
    n = candidates(states[0], seat, workspace, lookup)
    for k in range(n):
        for look in range(workspace.played, workspace.played + times):
            states[1] = states[0]
            s = states[1]
            start = stream_start(workspace.seed, look)
            step = stream_step(start)
            others_choose(s, seat, start, step, workspace, lookup)
            play(s, seat, i64(workspace.found[k]))
            play_on(s, start, step, i64(s.players), 0, True, workspace, lookup)
            if workspace.stopped != 0:
                return n
            judge(s, workspace, lookup)
            workspace.reasons[k, LOOKS] += 1.0
            workspace.reasons[k, WIN] += workspace.wins[seat]
            workspace.reasons[k, SCORE] += workspace.values[seat]
    workspace.played += times
    return n


@rule
def likely_moves(states, desks, lookup, picks):
    """Sample rollout moves of the workspace's seat into `picks`."""
    workspace = desks[0]
    start = stream_start(workspace.seed, 0)
    step = stream_step(start)
    for k in range(len(picks)):
        picks[k] = rollout_move(states[0], workspace.seat, draw(start, step, k), workspace, lookup)


@rule
def beginner_scores(states, desks, lookup):
    """Write the beginner's score of each candidate to `workspace.notes`."""
    workspace = desks[0]
    n = candidates(states[0], workspace.seat, workspace, lookup)
    for k in range(n):
        workspace.notes[k] = beginner_score(
            states[0], workspace.seat, i64(workspace.found[k]), lookup
        )
    return n
