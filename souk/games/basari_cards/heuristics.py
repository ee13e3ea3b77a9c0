"""Heuristics of Basari, the card game: majorities, 15 workers, and the value of an action
to each seat.
"""

from souk.games.basari_cards.rules import (
    CHOOSE,
    DEAL,
    DEALS,
    ENOUGH_WORKERS,
    GIVE,
    HAGGLE,
    WORKERS_POINTS,
    A,
    B,
    D,
    actions,
    gems_on,
    moves,
    points_on,
)
from souk.games.basari_common.heuristics import (
    GEM_IN_POINTS,
    HAGGLING,
    beginner_haggle_score,
    chances_by_lag,
    choice_candidates,
    expect_majorities,
    furthest,
    haggle_candidates,
    nearest_haste,
    note_progress,
    note_worth,
    opening_habit,
    rollout_choice,
    rollout_haggle_move,
    rounds_to_come,
    worth_from_supply,
    worth_of_packed,
)
from souk.games.basari_common.rules import COLOURS, NONE, partner
from souk.kernel.rule import i64, rule

WORKSPACE = HAGGLING
PACE = 3.6  # workers per round of the furthest seat
# This and the numbers in `evaluate` are rounded from fits on games of one-ply bots.
WORKERS_CHANCE = chances_by_lag(ENOUGH_WORKERS, 2.0, 0.2)
DRAWN = (2, 3)  # workers on a card, roughly
PAID_PART = 0.5  # fraction of a colour's gems its majority winner returns (K41)


# ---------------------------------------------------------------- progress of the deal


@rule
def rounds_to_scoring(s):
    return rounds_to_come(ENOUGH_WORKERS - furthest(s.workers, s.players, NONE), PACE)


@rule
def later(s):
    """Number of deals after this one."""
    return max(DEALS - 1 - s.deals, 0)


@rule
def workers_chance(s, seat, more, rounds):
    """Chance of 15 workers at the end of the deal, given `more` workers."""
    if s.workers[seat] + more >= ENOUGH_WORKERS:
        return 1.0
    most = furthest(s.workers, s.players, seat)
    behind = min(most, ENOUGH_WORKERS) - s.workers[seat] - more
    return WORKERS_CHANCE[rounds, behind + ENOUGH_WORKERS]


# ---------------------------------------------------------------- value of actions


@rule
def points_to_get(s, seat):
    """K14, K17: points B would bring a seat: those on its card, if any."""
    card = s.card[seat]
    return float(points_on(s, card)) if card != NONE else 0.0


@rule
def gems_to_get(s, seat, colour):
    """K15, K17: gems C would bring a seat: those on its card, if any, as far as the supply
    lasts.
    """
    card = s.card[seat]
    return min(gems_on(s, card, colour), s.supply[colour]) if card != NONE else 0


@rule
def action_worth(s, seat, action, workspace):
    """Value of an action to a seat with the card it was dealt."""
    if action == A:
        drawn = (
            workers_chance(s, seat, DRAWN[0], workspace.haste)
            + workers_chance(s, seat, DRAWN[1], workspace.haste)
        ) / 2
        return WORKERS_POINTS * (drawn - workers_chance(s, seat, 0, workspace.haste))
    if action == D:
        return worth_of_exchange(s, seat, workspace)
    if action == B:
        return points_to_get(s, seat)
    worth = 0.0
    for colour in range(COLOURS):
        worth += worth_from_supply(s, seat, colour, gems_to_get(s, seat, colour), workspace)
    return worth


@rule
def worth_of_exchange(s, seat, workspace):
    """Two of the gem the seat needs most."""
    best = 0.0
    for colour in range(COLOURS):
        best = max(best, worth_from_supply(s, seat, colour, 1, workspace))
    return 1.7 * best


@rule
def note_worths(s, workspace):
    for seat in range(i64(s.players)):
        for action in range(actions(s)):
            note_worth(workspace, seat, action, action_worth(s, seat, action, workspace))


# ---------------------------------------------------------------- moves


@rule
def best_exchange(s, seat, workspace):
    """Return the gem needed least, or take those needed most."""
    n = moves(s, seat, workspace.out)
    best = 0
    top = 0.0
    for i in range(n):
        worth = worth_of_packed(
            s, seat, NONE, workspace.out[i], -1 if s.phase == GIVE else 1, workspace
        )
        if i == 0 or worth > top:
            best = i
            top = worth
    return workspace.out[best]


@rule
def rollout_move(s, seat, x, workspace, lookup):
    note_progress(workspace, rounds_to_scoring(s), later(s))
    if s.phase == HAGGLE:
        mine = action_worth(s, seat, i64(s.action), workspace)
        theirs = action_worth(s, i64(partner(s, seat)), i64(s.action), workspace)
        return rollout_haggle_move(s, seat, x, workspace, False, mine, theirs)
    if s.phase == CHOOSE:
        note_worths(s, workspace)
        return rollout_choice(s, seat, x, workspace, actions(s), actions(s) == D + 1)
    return best_exchange(s, seat, workspace)


@rule
def candidates(s, seat, workspace, lookup):
    note_progress(workspace, rounds_to_scoring(s), later(s))
    if s.phase == HAGGLE:
        return haggle_candidates(s, seat, workspace, False)
    if s.phase == CHOOSE:
        note_worths(s, workspace)
        return choice_candidates(s, seat, workspace, actions(s), actions(s) == D + 1)
    return moves(s, seat, workspace.found)


# ---------------------------------------------------------------- evaluation


@rule
def is_quiet(s):
    """The start of a round."""
    return s.phase == DEAL and s.turn == 0


@rule
def evaluate(s, values, lookup):
    """Points, expected majorities and worker points, and an even share of what later rounds
    bring.
    """
    rounds = rounds_to_scoring(s)
    near = nearest_haste(rounds)
    after = later(s)
    for seat in range(s.players):
        even = 3.2 + 7.5 * after
        values[seat] = s.points[seat] + WORKERS_POINTS * workers_chance(s, seat, 0, near) + even
    expect_majorities(s, values, near, after, 0.0, PAID_PART)
    return (22.0 + 8.0 * rounds + 45.0 * after) ** 0.5


# ---------------------------------------------------------------- beginners and traders


@rule
def beginner_score(s, seat, move, lookup):
    """Counts what is visible: all gems alike, ignoring what others may want."""
    if s.phase == CHOOSE:
        return beginner_action_score(s, seat, move)
    if s.phase == HAGGLE:
        return beginner_haggle_score(s, move, beginner_action_score(s, seat, s.action))
    return 0.0


@rule
def beginner_action_score(s, seat, action):
    if action == A:
        return 5.0
    if action == D:
        return GEM_IN_POINTS
    if action == B:
        return points_to_get(s, seat)
    gems = 0
    for colour in range(COLOURS):
        gems += gems_to_get(s, seat, colour)
    return GEM_IN_POINTS * gems


@rule
def rule_of_thumb_move(s, seat, workspace, lookup):
    return opening_habit(s, seat) if s.phase == HAGGLE else -1
