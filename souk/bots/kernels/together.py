"""Secret choices looked at together: what each choice of each seat comes to by the next quiet position, whatever the others choose, and the
mixed strategies that follow from it by regret matching."""

from souk.bots.kernels.playout import play_on
from souk.bots.kernels.regret import meant, mixed_choice, total_regret
from souk.bots.kernels.search import EDGE
from souk.bots.kernels.tree import add_edges
from souk.bots.kernels.value import SCORE, WIN, judge, utility
from souk.kernel.chance import draw, mix, stream_start, stream_step
from souk.kernel.rule import i64, rule, u64
from souk.kernel.verbs import actors, candidates, play

WILD = 0.1  # how often somebody is taken to choose just anything


@rule
def list_choices(s, seats, desk, edges, lore):
    """The choices of all who are to choose, seat after seat."""
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            n = i64(candidates(s, seat, desk, lore))
            add_edges(desk, edges, seat, desk.found, n)


@rule
def imagine_choices(desk, edges, x):
    """A choice for every seat by its mixed strategy of now, noted in the desk's path by seat."""
    first = 0
    while first < desk.edges:
        seat = i64(edges[first].seat)
        desk.path[seat, EDGE] = mixed_choice(desk, edges, first, WILD, mix(u64(x) + u64(seat)))
        first += i64(edges[first].run)


@rule
def carry_out(states, seats, desk, edges, start, step, lore):
    """What the choices in the desk's path come to by the next quiet position, with dice and whims by the stream's numbers."""
    states[1] = states[0]
    s = states[1]
    for seat in range(i64(s.players)):
        if (seats >> seat) & 1:
            play(s, seat, i64(edges[desk.path[seat, EDGE]].move))
    play_on(s, start, step, 1, 0, True, desk, lore)
    judge(s, desk, lore)


@rule
def try_all(states, seats, first, look, desk, edges, lore):
    """Every choice of one seat, with what the others chose and the same dice; and what that teaches."""
    seat = i64(edges[first].seat)
    start = stream_start(desk.seed, look)
    step = stream_step(start)
    total = total_regret(edges, first)
    chosen = desk.path[seat, EDGE]
    expectation = 0.0
    for k in range(first, first + edges[first].run):
        desk.path[seat, EDGE] = k
        carry_out(states, seats, desk, edges, start, step, lore)
        edge = edges[k]
        gained = utility(desk, states[0].players, seat)
        share = meant(edge, total)
        expectation += share * gained
        edge.mass += (look + 1) * share
        edge.regret += gained
        edge.visits += 1
        desk.reasons[k, WIN] += desk.wins[seat]
        desk.reasons[k, SCORE] += desk.values[seat]
    desk.path[seat, EDGE] = chosen
    for k in range(first, first + edges[first].run):
        edges[k].regret = max(0.0, edges[k].regret - expectation)


@rule
def weigh_together(states, desks, edges, lore, times):
    """Look so many times more at what everybody may choose in states[0]. The moves of all who are to choose are in `edges`, and
    `desk.reasons` gathers what came of each, for the seat that makes it."""
    desk = desks[0]
    seats = actors(states[0])
    if desk.edges == 0:
        list_choices(states[0], seats, desk, edges, lore)
    for look in range(desk.played, desk.played + times):
        start = stream_start(desk.seed, look)
        imagine_choices(desk, edges, draw(start, stream_step(start), 0))
        first = 0
        while first < desk.edges:
            try_all(states, seats, first, look, desk, edges, lore)
            first += i64(edges[first].run)
    desk.played += times
