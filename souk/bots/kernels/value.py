"""What a position is worth to each seat: exactly at the end, before that by the game's `outlook`, or by a mind."""

import math

from souk.kernel.bits import count
from souk.kernel.mind import weigh_up
from souk.kernel.rule import rule
from souk.kernel.verbs import outlook, over, standing

UTILITY, WIN, SCORE = range(3)  # what is known of a move, or of a seat's prospects
LOGISTIC = 0.78  # the logistic curve closest to a normal one for the difference of two scores: √2 × √3 / π
MARGIN = 20.0  # points ahead that count as much again as all further ones
SHARPNESS = 0.02  # how much of a utility is points ahead, so that won and lost games are still played well


@rule
def share_win(winners, players, wins):
    """The winners' chances at the end: a shared win counts in parts."""
    shared = count(winners)
    for seat in range(players):
        wins[seat] = ((winners >> seat) & 1) / shared if shared > 0 else 0.0


@rule
def chances_of(values, players, spread, wins):
    """The chances to win of seats that expect these scores: the surer, the further apart and the less is still to come."""
    best = values[0]
    for seat in range(players):
        best = max(best, values[seat])
    total = 0.0
    for seat in range(players):
        wins[seat] = math.exp((values[seat] - best) / (LOGISTIC * spread))
        total += wins[seat]
    for seat in range(players):
        wins[seat] /= total


@rule
def judge(s, desk, lore):
    """Write the expected final score and the chance to win of every seat into `desk.values` and `desk.wins`."""
    if over(s):
        share_win(standing(s, desk.scores), s.players, desk.wins)
        for seat in range(s.players):
            desk.values[seat] = desk.scores[seat]
    else:
        chances_of(desk.values, s.players, outlook(s, desk.values, lore), desk.wins)


@rule
def judge_with(s, desk, lore, mind):
    """The same by a mind, where there is one."""
    if mind.awake != 0 and not over(s):
        weigh_up(s, desk, lore, mind)
    else:
        judge(s, desk, lore)


@rule
def margin(values, players, seat):
    """How far a seat is ahead of the best of the others in expected points, squeezed into 0 to 1."""
    best = -1e9
    for other in range(players):
        if other != seat:
            best = max(best, values[other])
    ahead = values[seat] - best
    return 0.5 + 0.5 * ahead / (MARGIN + abs(ahead))


@rule
def utility_of(win, values, players, seat):
    """What a search wants for a seat: to win, and a little to be ahead. Alone, where the score is what it takes to win: to win with little."""
    if players == 1:
        return win * MARGIN / (MARGIN + values[seat])
    return (1.0 - SHARPNESS) * win + SHARPNESS * margin(values, players, seat)


@rule
def utility(desk, players, seat):
    return utility_of(desk.wins[seat], desk.values, players, seat)
