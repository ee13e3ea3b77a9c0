"""What a strong player looks at in Basari: majorities, the lap, what an action is worth to whom, and how to be hard to guess."""

from souk.games.basari.rules import (
    ARCH,
    ARCHES,
    CHOOSE,
    DICE,
    FACES,
    GEMS,
    HAGGLE,
    LAP_POINTS,
    POINTS,
    SCORINGS,
    WALK,
    arch_gems,
    arch_number,
    free_arches,
)
from souk.games.haggling.insight import (
    GEM_IN_POINTS,
    HAGGLING,
    chances_by_lag,
    choice_candidates,
    expect_majorities,
    furthest,
    haggle_candidates,
    likely_choice,
    likely_haggling,
    nearest_haste,
    note_worth,
    opening_habit,
    rounds_to_come,
    size_up,
    tempting_in_haggle,
    worth_from_supply,
)
from souk.games.haggling.rules import COLOURS, MAJORITY_POINTS, NONE, partner
from souk.kernel.chance import below, mix
from souk.kernel.desk import insert
from souk.kernel.rule import i64, rule, u64

DESK = HAGGLING
ACTIONS = GEMS + 1
PACE = 4.7  # arches by which the furthest comes on in a round
BEHIND = 12  # arches; further behind makes no difference
LAP_CHANCE = chances_by_lag(
    BEHIND, 1.5, 0.8
)  # this and the figures in `outlook` are rounded from fits on games of one-ply bots
STARTS = 8  # arches to consider for a start
PAID = 3.0  # gems that whoever wins a majority gives back (B33)


# ---------------------------------------------------------------- how far the game is


@rule
def rounds_to_scoring(s):
    return rounds_to_come(ARCHES - furthest(s.walked, s.players, NONE), PACE)


@rule
def later(s):
    """How many scorings there are after the next."""
    return max(SCORINGS - 1 - s.scorings, 0)


@rule
def lap_chance(s, seat, steps, rounds):
    """The chance of a lap by the next scoring, were a figure so many steps further on."""
    if s.walked[seat] + steps >= ARCHES:
        return 1.0
    behind = furthest(s.walked, s.players, seat) - s.walked[seat] - steps
    return LAP_CHANCE[rounds, min(max(behind, -BEHIND), BEHIND) + BEHIND]


# ---------------------------------------------------------------- what actions are worth


@rule
def action_worth(s, seat, action, desk):
    """What an action is worth to a seat where its figure stands."""
    if action == POINTS:
        return float(arch_number(s, s.figure[seat]))
    if action == DICE:
        return 2.5 + LAP_POINTS * (lap_chance(s, seat, 4, desk.haste) - lap_chance(s, seat, 0, desk.haste))
    worth = 0.0
    for colour in range(COLOURS):
        worth += worth_from_supply(s, seat, colour, arch_gems(s, s.figure[seat], colour), desk)
    return worth


@rule
def note_worths(s, desk):
    for seat in range(i64(s.players)):
        for action in range(ACTIONS):
            note_worth(desk, seat, action, action_worth(s, seat, action, desk))


@rule
def start_worth(s, arch):
    """How good the first six arches after a start are."""
    worth = 0.0
    for roll in range(1, FACES + 1):
        there = (arch + roll) % ARCHES
        worth += arch_number(s, there)
        for colour in range(COLOURS):
            worth += arch_gems(s, there, colour) * MAJORITY_POINTS[colour] / 6.0
    return worth


# ---------------------------------------------------------------- moves


@rule
def likely_start(s, x):
    """The best of three arches drawn at random."""
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
def likely_move(s, seat, x, desk, lore):
    size_up(desk, rounds_to_scoring(s), later(s))
    if s.phase == HAGGLE:
        mine = action_worth(s, seat, i64(s.action), desk)
        theirs = action_worth(s, i64(partner(s, seat)), i64(s.action), desk)
        return likely_haggling(s, seat, x, desk, True, mine, theirs)
    if s.phase == CHOOSE:
        note_worths(s, desk)
        return likely_choice(s, seat, x, desk, ACTIONS, False)
    return likely_start(s, x)


@rule
def start_candidates(s, desk):
    """The best arches without a disc."""
    free = free_arches(s)
    n = 0
    for arch in range(ARCHES):
        if (free >> arch) & 1:
            insert(desk, 0, n, ARCH + arch, start_worth(s, arch))
            n = min(n + 1, STARTS)
    return n


@rule
def candidates(s, seat, desk, lore):
    size_up(desk, rounds_to_scoring(s), later(s))
    if s.phase == HAGGLE:
        return haggle_candidates(s, seat, desk, True)
    if s.phase == CHOOSE:
        note_worths(s, desk)
        return choice_candidates(s, seat, desk, ACTIONS, False)
    return start_candidates(s, desk)


# ---------------------------------------------------------------- judging


@rule
def quiet(s):
    """At the start of a round."""
    return s.phase == WALK and s.turn == 0


@rule
def outlook(s, values, lore):
    """Points now, a share of the majorities to come, the lap, and an even share of what the rounds to come will bring."""
    rounds = rounds_to_scoring(s)
    near = nearest_haste(rounds)
    after = later(s)
    for seat in range(s.players):
        even = 3.0 + 0.6 * rounds + 10.0 * after
        values[seat] = s.points[seat] + LAP_POINTS * lap_chance(s, seat, 0, near) + even
    expect_majorities(s, values, near, after, PAID, 0.0)
    return (22.0 + 8.0 * rounds + 45.0 * after) ** 0.5


# ---------------------------------------------------------------- beginners and traders


@rule
def temptation(s, seat, move, lore):
    """Counts what lies there: every gem alike, and not what the others may want."""
    if s.phase == CHOOSE:
        return tempting_action(s, seat, move)
    if s.phase == HAGGLE:
        return tempting_in_haggle(s, move, tempting_action(s, seat, s.action))
    return float(arch_number(s, move - ARCH))


@rule
def tempting_action(s, seat, action):
    if action == POINTS:
        return float(arch_number(s, s.figure[seat]))
    if action == DICE:
        return 4.5
    gems = 0
    for colour in range(COLOURS):
        gems += min(arch_gems(s, s.figure[seat], colour), s.supply[colour])
    return GEM_IN_POINTS * gems


@rule
def habit(s, seat, desk, lore):
    return opening_habit(s, seat) if s.phase == HAGGLE else -1
