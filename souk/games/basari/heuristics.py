"""Basari heuristics: majorities, laps, and the value of an action to each seat."""

from souk.games.basari.rules import (
    ARCH,
    ARCHES,
    CHOOSE,
    DICE,
    FACES,
    GEMS,
    HAGGLE,
    LAP_POINTS,
    PAID_ALONE,
    POINTS,
    SCORINGS,
    WALK,
    arch_gems,
    arch_number,
    free_arches,
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
)
from souk.games.basari_common.rules import COLOURS, MAJORITY_POINTS, NONE, partner
from souk.kernel.rng import below, mix
from souk.kernel.rule import i64, rule, u64
from souk.kernel.workspace import insert

WORKSPACE = HAGGLING
ACTIONS = GEMS + 1
PACE = 4.7  # arches per round of the furthest figure
BEHIND = 12  # arches; a larger lag makes no difference
# This and the numbers in `evaluate` are rounded from fits on games of one-ply bots.
LAP_CHANCE = chances_by_lag(BEHIND, 1.5, 0.8)
STARTS = 8  # start arches to consider


# ---------------------------------------------------------------- progress of the game


@rule
def rounds_to_scoring(s):
    return rounds_to_come(ARCHES - furthest(s.walked, s.players, NONE), PACE)


@rule
def later(s):
    """Number of scorings after the next."""
    return max(SCORINGS - 1 - s.scorings, 0)


@rule
def lap_chance(s, seat, steps, rounds):
    """Chance of a lap by the next scoring if a figure were `steps` further."""
    if s.walked[seat] + steps >= ARCHES:
        return 1.0
    behind = furthest(s.walked, s.players, seat) - s.walked[seat] - steps
    return LAP_CHANCE[rounds, min(max(behind, -BEHIND), BEHIND) + BEHIND]


# ---------------------------------------------------------------- value of actions


@rule
def action_worth(s, seat, action, workspace):
    """Value of an action to a seat, given where its figure stands."""
    if action == POINTS:
        return float(arch_number(s, s.figure[seat]))
    if action == DICE:
        return 2.5 + LAP_POINTS * (
            lap_chance(s, seat, 4, workspace.haste) - lap_chance(s, seat, 0, workspace.haste)
        )
    worth = 0.0
    for colour in range(COLOURS):
        worth += worth_from_supply(s, seat, colour, arch_gems(s, s.figure[seat], colour), workspace)
    return worth


@rule
def note_worths(s, workspace):
    for seat in range(i64(s.players)):
        for action in range(ACTIONS):
            note_worth(workspace, seat, action, action_worth(s, seat, action, workspace))


@rule
def start_worth(s, arch):
    """Value of the first six arches after a start."""
    worth = 0.0
    for roll in range(1, FACES + 1):
        reached = (arch + roll) % ARCHES
        worth += arch_number(s, reached)
        for colour in range(COLOURS):
            worth += arch_gems(s, reached, colour) * MAJORITY_POINTS[colour] / 6.0
    return worth


# ---------------------------------------------------------------- moves


@rule
def rollout_start(s, x):
    """The best of three random arches."""
    free = free_arches(s)
    best = NONE
    for k in range(3):
        arch = below(mix(x + u64(k)), ARCHES)
        while not (free >> arch) & 1:
            arch = (arch + 1) % ARCHES
        if best == NONE or start_worth(s, arch) > start_worth(s, best):
            best = arch
    return ARCH + best


@rule
def rollout_move(s, seat, x, workspace, lookup):
    note_progress(workspace, rounds_to_scoring(s), later(s))
    if s.phase == HAGGLE:
        mine = action_worth(s, seat, i64(s.action), workspace)
        theirs = action_worth(s, i64(partner(s, seat)), i64(s.action), workspace)
        return rollout_haggle_move(s, seat, x, workspace, True, mine, theirs)
    if s.phase == CHOOSE:
        note_worths(s, workspace)
        return rollout_choice(s, seat, x, workspace, ACTIONS, False)
    return rollout_start(s, x)


@rule
def start_candidates(s, workspace):
    """The best free arches."""
    free = free_arches(s)
    n = 0
    for arch in range(ARCHES):
        if (free >> arch) & 1:
            insert(workspace, 0, n, ARCH + arch, start_worth(s, arch))
            n = min(n + 1, STARTS)
    return n


@rule
def candidates(s, seat, workspace, lookup):
    note_progress(workspace, rounds_to_scoring(s), later(s))
    if s.phase == HAGGLE:
        return haggle_candidates(s, seat, workspace, True)
    if s.phase == CHOOSE:
        note_worths(s, workspace)
        return choice_candidates(s, seat, workspace, ACTIONS, False)
    return start_candidates(s, workspace)


# ---------------------------------------------------------------- evaluation


@rule
def is_quiet(s):
    """The start of a round."""
    return s.phase == WALK and s.turn == 0


@rule
def evaluate(s, values, lookup):
    """Points, expected majorities and laps, and an even share of what later rounds bring."""
    rounds = rounds_to_scoring(s)
    near = nearest_haste(rounds)
    after = later(s)
    for seat in range(s.players):
        even = 3.0 + 0.6 * rounds + 10.0 * after
        values[seat] = s.points[seat] + LAP_POINTS * lap_chance(s, seat, 0, near) + even
    expect_majorities(s, values, near, after, PAID_ALONE, 0.0)
    return (22.0 + 8.0 * rounds + 45.0 * after) ** 0.5


# ---------------------------------------------------------------- beginners and traders


@rule
def beginner_score(s, seat, move, lookup):
    """Counts what is visible: all gems alike, ignoring what others may want."""
    if s.phase == CHOOSE:
        return beginner_action_score(s, seat, move)
    if s.phase == HAGGLE:
        return beginner_haggle_score(s, move, beginner_action_score(s, seat, s.action))
    return float(arch_number(s, move - ARCH))


@rule
def beginner_action_score(s, seat, action):
    if action == POINTS:
        return float(arch_number(s, s.figure[seat]))
    if action == DICE:
        return 4.5
    gems = 0
    for colour in range(COLOURS):
        gems += min(arch_gems(s, s.figure[seat], colour), s.supply[colour])
    return GEM_IN_POINTS * gems


@rule
def rule_of_thumb_move(s, seat, workspace, lookup):
    return opening_habit(s, seat) if s.phase == HAGGLE else -1
