"""Evaluation of positions: exact at the end, else by the game's `evaluate` or a value net."""

import math

from souk.kernel.bitset import count
from souk.kernel.game_ops import evaluate, over, write_scores
from souk.kernel.net import evaluate_with_net
from souk.kernel.rule import rule

UTILITY, WIN, SCORE = range(3)  # columns of a value
LOGISTIC = 0.78  # √2 × √3 / π: logistic fit to the normal distribution of a score difference
MARGIN = 20.0  # lead at which the margin reaches half of its maximum
SHARPNESS = 0.02  # weight of the margin in a utility, so that decided games are still played well


@rule
def share_win(winners, players, wins):
    """Win chances at the end; joint winners share the win."""
    shared = count(winners)
    for seat in range(players):
        wins[seat] = ((winners >> seat) & 1) / shared if shared > 0 else 0.0


@rule
def chances_of(values, players, spread, wins):
    """Win chances from expected scores (softmax); `spread` is how much is still uncertain."""
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
def judge(s, workspace, lookup):
    """Write expected final scores and win chances to `workspace.values` and `workspace.wins`."""
    if over(s):
        share_win(write_scores(s, workspace.scores), s.players, workspace.wins)
        for seat in range(s.players):
            workspace.values[seat] = workspace.scores[seat]
    else:
        chances_of(
            workspace.values, s.players, evaluate(s, workspace.values, lookup), workspace.wins
        )


@rule
def judge_with_net(s, workspace, lookup, net):
    """The same by the net, if there is one."""
    if net.awake != 0 and not over(s):
        evaluate_with_net(s, workspace, lookup, net)
    else:
        judge(s, workspace, lookup)


@rule
def margin(values, players, seat):
    """The expected lead over the best other seat, squeezed into 0 to 1."""
    best = -1e9
    for other in range(players):
        if other != seat:
            best = max(best, values[other])
    ahead = values[seat] - best
    return 0.5 + 0.5 * ahead / (MARGIN + abs(ahead))


@rule
def utility_of(win, values, players, seat):
    """The goal of a search: the win chance and, slightly, the lead; in solitaire a win at a low
    score.
    """
    if players == 1:
        return win * MARGIN / (MARGIN + values[seat])
    return (1.0 - SHARPNESS) * win + SHARPNESS * margin(values, players, seat)


@rule
def utility(workspace, players, seat):
    return utility_of(workspace.wins[seat], workspace.values, players, seat)
