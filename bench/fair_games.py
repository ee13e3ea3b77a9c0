"""Games of which it is noted what was luck: what every die and card brought everybody, against the average of all that might have come up."""

import numpy as np

from souk.bots.kernels.value import share_win
from souk.kernel.chance import draw, stream_start, stream_step
from souk.kernel.rule import i64, rule
from souk.kernel.verbs import actors, outcomes, over, random_outcome, resolve, standing
from souk.lab.training.kernels import START, TABLE, decide, search_from

LOOKS = 300  # playouts by which an outcome is judged


def tally_type(wide: int, seats: int) -> np.dtype[np.void]:
    """What is noted of a game: how it ended and what was luck, by seat; and of the die that is due, every outcome."""
    return np.dtype(
        [
            ("wins", "f8", seats),
            ("luck", "f8", seats),
            ("outcome", "i8", wide),
            ("weight", "f8", wide),
            ("chances", "f8", (wide, seats)),
        ],
        align=True,
    )


@rule
def judge_outcome(states, desk, nodes, edges, lore, minds, plan, chances):
    """What everybody's chances are in the position on the table, by the first side's short search."""
    s = states[TABLE]
    if over(s):
        share_win(standing(s, desk.scores), s.players, chances)
    else:
        plan.now = LOOKS
        search_from(states, desk, nodes, edges, lore, minds[0], plan, 0)
        for seat in range(i64(s.players)):
            chances[seat] = plan.wins[seat]


@rule
def throw(states, desk, nodes, edges, lore, minds, plan, tally, x):
    """Let the die or card that is due come up, and note what was luck in it."""
    states[START] = states[TABLE]
    s = states[START]
    n = outcomes(s, desk.out, desk.weights)
    total = 0.0
    for k in range(n):
        tally.outcome[k] = desk.out[k]
        tally.weight[k] = desk.weights[k]
        total += desk.weights[k]
    for k in range(n):
        states[TABLE] = states[START]
        resolve(states[TABLE], i64(tally.outcome[k]))
        judge_outcome(states, desk, nodes, edges, lore, minds, plan, tally.chances[k])
    came = i64(random_outcome(s, x, desk.out, desk.weights))
    for k in range(n):
        more = (1.0 if tally.outcome[k] == came else 0.0) - tally.weight[k] / total
        for seat in range(i64(s.players)):
            tally.luck[seat] += more * tally.chances[k, seat]
    states[TABLE] = states[START]
    resolve(states[TABLE], came)


@rule
def play_fairly(states, desks, nodes, edges, lore, minds, plans, tallies, game):
    """One game from the position on the table to its end."""
    desk = desks[0]
    desk.guided = 1
    start = stream_start(plans[0].seed, game)
    step = stream_step(start)
    n = 0
    while not over(states[TABLE]):
        x = draw(start, step, n)
        n += 1
        if actors(states[TABLE]) == 0:
            throw(states, desk, nodes, edges, lore, minds, plans[0], tallies[0], x)
        else:
            decide(states, desk, nodes, edges, lore, minds, plans[0], x, True)
    share_win(standing(states[TABLE], desk.scores), states[TABLE].players, tallies[0].wins)
