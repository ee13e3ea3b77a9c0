"""What the measurements of bots run compiled."""

from souk.bots.judging import judge
from souk.bots.playing import play_on
from souk.bots.search import HORIZON, descend, learn
from souk.core.chance import stream_start, stream_step
from souk.core.rule import i64, rule
from souk.core.verbs import play


@rule
def bare_playouts(states, first, playouts, horizon, out, weights, lore, scores, values, wins):
    for playout in range(first, first + playouts):
        states[1] = states[0]
        start = stream_start(1, playout)
        play_on(states[1], start, stream_step(start), 0, horizon, True, out, weights, lore)
        judge(states[1], lore, scores, values, wins)


@rule
def worth_after(
    states,
    choices,
    seed,
    playouts,
    nodes,
    edges,
    used,
    settings,
    stream,
    path,
    found,
    out,
    weights,
    lore,
    scores,
    values,
    wins,
    sums,
):
    """The sums of win chances after these choices, over so many playouts of a search of its own from there."""
    for seat in range(states[0].players):
        play(states[0], seat, choices[seat])
    for playout in range(playouts):
        states[1] = states[0]
        s = states[1]
        depth = descend(s, nodes, edges, used, settings, -1, seed, playout, stream, path, found, out, weights, lore)
        play_on(s, stream[0], stream_step(stream[0]), i64(stream[1]), i64(settings[HORIZON]), True, out, weights, lore)
        judge(s, lore, scores, values, wins)
        learn(edges, path, depth, s.players, False, values, wins)
        for seat in range(s.players):
            sums[seat] += wins[seat]
