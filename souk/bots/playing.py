"""Playing on from a position as people who know the game might: the playouts of bots, written once against the verbs."""

from souk.core.chance import draw
from souk.core.playouts import lowest_seat
from souk.core.rule import rule
from souk.core.verbs import actors, likely_move, over, play, quiet, random_move, random_outcome, resolve


@rule
def likely_event(s, x, guided, out, weights, lore):
    """One step: what is due is drawn, or else the lowest seat that may move makes a likely move (or any, if not guided)."""
    seats = actors(s)
    if seats == 0:
        resolve(s, random_outcome(s, x, out, weights))
    else:
        seat = lowest_seat(seats)
        if guided:
            play(s, seat, likely_move(s, seat, x, out, lore))
        else:
            play(s, seat, random_move(s, seat, x, out))


@rule
def play_on(s, start, step, n, horizon, guided, out, weights, lore):
    """Play on with the stream's numbers from number n, past `horizon` quiet positions to the next one, or to the end; unguided play
    goes to the end."""
    while not over(s):
        if guided and quiet(s):
            if horizon == 0:
                break
            horizon -= 1
        likely_event(s, draw(start, step, n), guided, out, weights, lore)
        n += 1
