"""What a game need not write itself: no secrets, every move equally likely, outcomes by weight; no insight, and no numbers."""

from souk.kernel.chance import below
from souk.kernel.rule import rule
from souk.kernel.verbs import moves, outcomes, standing
from souk.kernel.verbs import outlook as expected
from souk.kernel.verbs import random_move as move_at_random  # the game's own, where it has one
from souk.kernel.verbs import sight as seen


@rule
def rank(s, seat):
    return 0


@rule
def veil(s, seat):
    pass


@rule
def random_move(s, seat, x, out):
    return out[below(x, moves(s, seat, out))]


@rule
def random_outcome(s, x, out, weights):
    n = outcomes(s, out, weights)
    total = 0
    for i in range(n):
        total += weights[i]
    left = below(x, total)
    i = 0
    while left >= weights[i]:
        left -= weights[i]
        i += 1
    return out[i]


@rule
def likely_move(s, seat, x, desk, lore):
    return move_at_random(s, seat, x, desk.out)


@rule
def candidates(s, seat, desk, lore):
    return moves(s, seat, desk.found)


@rule
def quiet(s):
    return False


@rule
def outlook(s, values, lore):
    standing(s, values)
    return 10.0


@rule
def sight(s, desk, lore):
    return 0


@rule
def survey(s, desk, lore):
    expected(s, desk.values, lore)
    return seen(s, desk, lore)


@rule
def temptation(s, seat, move, lore):
    return 0.0


@rule
def habit(s, seat, desk, lore):
    return -1


@rule
def reopen(s):
    pass


@rule
def ending(s):
    return 0


@rule
def last_turns(s, sheet, ends):
    return 0


@rule
def essence(s, words):
    return 0


@rule
def observe(s, seat, draft, out):
    pass


@rule
def allow(s, seat, draft, mask):
    pass


@rule
def intent(s, seat, draft, action):
    return action
