"""Playouts guided by the game's heuristics.

Seats, moves and outcomes are passed to game ops as `i64` whatever their stored width: each width
would compile the op and everything it calls again.
"""

from souk.kernel.bitset import lowest
from souk.kernel.game_ops import (
    actors,
    is_quiet,
    over,
    play,
    random_move,
    random_outcome,
    resolve,
    rollout_move,
)
from souk.kernel.rng import draw
from souk.kernel.rule import i64, rule
from souk.kernel.workspace import must_stop


@rule
def likely_event(s, x, guided, workspace, lookup):
    """Play one event: a chance outcome, or a rollout move (any move if unguided) of the lowest
    seat.
    """
    seats = actors(s)
    if seats == 0:
        resolve(s, i64(random_outcome(s, x, workspace.out, workspace.weights)))
    else:
        seat = lowest(seats)
        if guided:
            play(s, seat, i64(rollout_move(s, seat, x, workspace, lookup)))
        else:
            play(s, seat, i64(random_move(s, seat, x, workspace.out)))


@rule
def play_on(s, start, step, n, horizon, guided, workspace, lookup):
    """Play until `horizon` quiet positions have passed, or to the end if unguided.

    Uses the stream's numbers from `n` on and returns the next unused one. May break off early if
    the workspace was told to stop.
    """
    while not over(s) and not must_stop(workspace, n):
        if guided and is_quiet(s):
            if horizon == 0:
                break
            horizon -= 1
        likely_event(s, draw(start, step, n), guided, workspace, lookup)
        n += 1
    return n
