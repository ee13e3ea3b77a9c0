"""Playing on from a position as people who know the game might: the playouts of bots, written once against the verbs.

Here and in the other kernels of bots, seats, moves and outcomes are handed to the verbs as `i64`, whatever width they are
kept in: each width would be compiled anew, with all that the verb calls.
"""

from souk.kernel.bits import lowest
from souk.kernel.chance import draw
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import actors, likely_move, over, play, quiet, random_move, random_outcome, resolve


@rule
def likely_event(s, x, guided, desk, lore):
    """One step: what is due is drawn, or else the lowest seat that may move makes a likely move (or any, if not guided)."""
    seats = actors(s)
    if seats == 0:
        resolve(s, i64(random_outcome(s, x, desk.out, desk.weights)))
    else:
        seat = lowest(seats)
        if guided:
            play(s, seat, i64(likely_move(s, seat, x, desk, lore)))
        else:
            play(s, seat, i64(random_move(s, seat, x, desk.out)))


@rule
def play_on(s, start, step, n, horizon, guided, desk, lore):
    """Play on with the stream's numbers from number n, past `horizon` quiet positions to the next one, or to the end; unguided play
    goes to the end. Returns the first number that was not used."""
    while not over(s):
        if guided and quiet(s):
            if horizon == 0:
                break
            horizon -= 1
        likely_event(s, draw(start, step, n), guided, desk, lore)
        n += 1
    return n
