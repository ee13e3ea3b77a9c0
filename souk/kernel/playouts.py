"""Random games of any game, written once against the verbs. `souk.kernel.batches` runs many of them."""

from souk.kernel.bits import lowest
from souk.kernel.chance import draw, stream_start, stream_step
from souk.kernel.rule import rule, u64
from souk.kernel.verbs import actors, over, play, random_move, random_outcome, resolve, setup, standing


@rule
def random_event(s, x, out, weights):
    """One random step: what is due is drawn, or else the lowest seat that may move makes a random move."""
    seats = actors(s)
    if seats == 0:
        resolve(s, random_outcome(s, x, out, weights))
    else:
        seat = lowest(seats)
        play(s, seat, random_move(s, seat, x, out))


@rule
def playout(s, start, step, out, weights):
    """Play a game to its end with the stream's numbers, one for each event; return how many events there were."""
    events = 0
    while not over(s):
        random_event(s, draw(start, step, events), out, weights)
        events += 1
    return events


@rule
def begin_game(s, seed, game):
    """Set up game number `game` of a seed, in a state that holds the options and the box data. Returns its stream's start."""
    setup(s)
    return stream_start(seed, game)


@rule
def whole_game(s, seed, game, out, weights):
    """Set up a game and play it to its end; return how many events there were."""
    start = begin_game(s, seed, game)
    return playout(s, start, stream_step(start), out, weights)


# Verbs as rules, which a GPU kernel can be handed.


@rule
def is_over(s):
    return over(s)


@rule
def final_standing(s, scores):
    return standing(s, scores)


@rule
def play_range(blank, states, seed, first, scores, winners, lengths, out, weights):
    """Games `first`, `first + 1`, … of a seed on one core, as many as `lengths` has room for. States are used again in
    turn where `states` has fewer: one is enough where only the results count."""
    for i in range(len(lengths)):
        k = i % len(states)
        states[k] = blank[0]
        lengths[i] = whole_game(states[k], seed, first + u64(i), out, weights)
        winners[i] = standing(states[k], scores[i])
