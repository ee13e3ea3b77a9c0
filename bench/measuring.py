"""What the measurements of bots run compiled."""

from souk.bots.judging import judge
from souk.bots.playing import play_on
from souk.bots.search import search_once
from souk.core.chance import stream_start, stream_step
from souk.core.rule import rule
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
        search_once(
            states[1],
            -1,
            nodes,
            edges,
            used,
            settings,
            seed,
            playout,
            stream,
            path,
            found,
            out,
            weights,
            lore,
            scores,
            values,
            wins,
        )
        for seat in range(states[1].players):
            sums[seat] += wins[seat]
