"""Default game ops: no secrets, uniform random moves, weighted outcomes, no heuristics, no net.

Calls to ops with a default go through aliases, because the default has the same name.
"""

from souk.kernel.game_ops import evaluate as evaluate_op
from souk.kernel.game_ops import features as features_op
from souk.kernel.game_ops import moves, outcomes, write_scores
from souk.kernel.game_ops import random_move as random_move_op
from souk.kernel.rng import below
from souk.kernel.rule import rule


@rule
def rank(s, seat):
    return 0


@rule
def hide_secrets(s, seat):
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
def rollout_move(s, seat, x, workspace, lookup):
    return random_move_op(s, seat, x, workspace.out)


@rule
def candidates(s, seat, workspace, lookup):
    return moves(s, seat, workspace.found)


@rule
def is_quiet(s):
    return False


@rule
def evaluate(s, values, lookup):
    write_scores(s, values)
    return 10.0


@rule
def features(s, workspace, lookup):
    return 0


@rule
def evaluate_with_features(s, workspace, lookup):
    evaluate_op(s, workspace.values, lookup)
    return features_op(s, workspace, lookup)


@rule
def beginner_score(s, seat, move, lookup):
    return 0.0


@rule
def rule_of_thumb_move(s, seat, workspace, lookup):
    return -1


@rule
def unhide_choices(s):
    pass


@rule
def endgame_size(s):
    return 0


@rule
def last_turns(s, scratch, ends):
    return 0


@rule
def endgame_key(s, words):
    return 0


@rule
def observe(s, seat, draft, out):
    pass


@rule
def action_mask(s, seat, draft, mask):
    pass


@rule
def decode_action(s, seat, draft, action):
    return action
