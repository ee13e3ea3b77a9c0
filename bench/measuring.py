"""What the measurements of bots run compiled."""

from souk.bots.judging import judge
from souk.bots.playing import play_on
from souk.core.chance import stream_start, stream_step
from souk.core.rule import rule
from souk.core.verbs import play

_TO_THE_END = 1_000_000


@rule
def bare_playouts(states, first, playouts, horizon, out, weights, lore, scores, values, wins):
    for playout in range(first, first + playouts):
        states[1] = states[0]
        start = stream_start(1, playout)
        play_on(states[1], start, stream_step(start), 0, horizon, True, out, weights, lore)
        judge(states[1], lore, scores, values, wins)


@rule
def worth_after(states, choices, seed, playouts, out, weights, lore, scores, values, wins, sums):
    """The sums of win chances after these choices, over so many games played to their end."""
    for playout in range(playouts):
        states[1] = states[0]
        s = states[1]
        for seat in range(s.players):
            play(s, seat, choices[seat])
        start = stream_start(seed, playout)
        play_on(s, start, stream_step(start), 0, _TO_THE_END, True, out, weights, lore)
        judge(s, lore, scores, values, wins)
        for seat in range(s.players):
            sums[seat] += wins[seat]
