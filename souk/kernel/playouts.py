"""Random playouts of any game. `souk.kernel.batch_play` runs many of them."""

from souk.kernel.bitset import lowest
from souk.kernel.game_ops import (
    actors,
    over,
    play,
    random_move,
    random_outcome,
    resolve,
    setup,
    write_scores,
)
from souk.kernel.rng import draw, stream_start, stream_step
from souk.kernel.rule import rule, u64


@rule
def random_event(s, x, out, weights):
    """Resolve what is due at random, or let the lowest seat that may move make a random move."""
    seats = actors(s)
    if seats == 0:
        resolve(s, random_outcome(s, x, out, weights))
    else:
        seat = lowest(seats)
        play(s, seat, random_move(s, seat, x, out))


@rule
def playout(s, start, step, out, weights):
    """Play a game to its end, one random number per event; return the number of events."""
    events = 0
    while not over(s):
        random_event(s, draw(start, step, events), out, weights)
        events += 1
    return events


@rule
def begin_game(s, seed, game):
    """Set up game number `game` of a seed in a blank state; return the start of its stream."""
    setup(s)
    return stream_start(seed, game)


@rule
def whole_game(s, seed, game, out, weights):
    """Set up a game and play it to its end; return the number of events."""
    start = begin_game(s, seed, game)
    return playout(s, start, stream_step(start), out, weights)


# Game ops wrapped as rules, so that GPU kernels can call them.


@rule
def is_over(s):
    return over(s)


@rule
def final_scores(s, scores):
    return write_scores(s, scores)


@rule
def play_range(blank, states, seed, first, scores, winners, lengths, out, weights):
    """Play games `first`, `first + 1`, … of a seed, one per item of `lengths`.

    `states` is reused cyclically if shorter: one is enough when only the results matter.
    """
    for i in range(len(lengths)):
        k = i % len(states)
        states[k] = blank[0]
        lengths[i] = whole_game(states[k], seed, first + u64(i), out, weights)
        winners[i] = write_scores(states[k], scores[i])
