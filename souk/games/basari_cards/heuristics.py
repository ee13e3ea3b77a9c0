"""What a strong player looks at in Basari, the card game: majorities, 15 workers, what an action is worth to whom, and how to be
hard to guess."""

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
    worth_of_bag,
)
from souk.games.haggling.rules import COLOURS, NONE, partner
from souk.kernel.rule import i64, rule

DESK = HAGGLING
PACE = 3.6  # workers by which the foremost comes on in a round
# This and the figures in `outlook` are rounded from fits on games of one-ply bots.
WORKERS_CHANCE = chances_by_lag(ENOUGH_WORKERS, 2.0, 0.2)
DRAWN = (2, 3)  # workers on a card, about
PAID_PART = 0.5  # of the gems of a colour that whoever wins its majority gives back (K41)


# ---------------------------------------------------------------- how far the deal is


@rule
def rounds_to_scoring(s):
    return rounds_to_come(ENOUGH_WORKERS - furthest(s.workers, s.players, NONE), PACE)


@rule
def later(s):
    """How many deals there are after this one."""
    return max(DEALS - 1 - s.deals, 0)


@rule
def workers_chance(s, seat, more, rounds):
    """The chance to have 15 workers at the end of the deal, were there so many more."""
    if s.workers[seat] + more >= ENOUGH_WORKERS:
        return 1.0
    most = furthest(s.workers, s.players, seat)
    behind = min(most, ENOUGH_WORKERS) - s.workers[seat] - more
    return WORKERS_CHANCE[rounds, behind + ENOUGH_WORKERS]


# ---------------------------------------------------------------- what actions are worth


@rule
def points_to_get(s, seat):
    """K14, K17: the points that B would bring a seat: those on its card, if it has one."""
    card = s.card[seat]
    return float(points_on(s, card)) if card != NONE else 0.0


@rule
def gems_to_get(s, seat, colour):
    """K15, K17: the gems of a colour that C would bring a seat: those on its card, if it has one, as far as the supply has them."""
    card = s.card[seat]
    return min(gems_on(s, card, colour), s.supply[colour]) if card != NONE else 0


@rule
def action_worth(s, seat, action, desk):
    """What an action is worth to a seat with the card it was dealt."""
    if action == A:
        drawn = (workers_chance(s, seat, DRAWN[0], desk.haste) + workers_chance(s, seat, DRAWN[1], desk.haste)) / 2
        return WORKERS_POINTS * (drawn - workers_chance(s, seat, 0, desk.haste))
    if action == D:
        return worth_of_exchange(s, seat, desk)
    if action == B:
        return points_to_get(s, seat)
    worth = 0.0
    for colour in range(COLOURS):
        worth += worth_from_supply(s, seat, colour, gems_to_get(s, seat, colour), desk)
    return worth


@rule
def worth_of_exchange(s, seat, desk):
    """Two of the gem one most needs."""
    best = 0.0
    for colour in range(COLOURS):
        best = max(best, worth_from_supply(s, seat, colour, 1, desk))
    return 1.7 * best


@rule
def note_worths(s, desk):
    for seat in range(i64(s.players)):
        for action in range(actions(s)):
            note_worth(desk, seat, action, action_worth(s, seat, action, desk))


# ---------------------------------------------------------------- moves


@rule
def best_exchange(s, seat, desk):
    """Give the gem least needed, or take those needed most."""
    n = moves(s, seat, desk.out)
    best = 0
    top = 0.0
    for i in range(n):
        worth = worth_of_bag(s, seat, NONE, desk.out[i], -1 if s.phase == GIVE else 1, desk)
        if i == 0 or worth > top:
            best = i
            top = worth
    return desk.out[best]


@rule
def likely_move(s, seat, x, desk, lore):
    size_up(desk, rounds_to_scoring(s), later(s))
    if s.phase == HAGGLE:
        mine = action_worth(s, seat, i64(s.action), desk)
        theirs = action_worth(s, i64(partner(s, seat)), i64(s.action), desk)
        return likely_haggling(s, seat, x, desk, False, mine, theirs)
    if s.phase == CHOOSE:
        note_worths(s, desk)
        return likely_choice(s, seat, x, desk, actions(s), actions(s) == D + 1)
    return best_exchange(s, seat, desk)


@rule
def candidates(s, seat, desk, lore):
    size_up(desk, rounds_to_scoring(s), later(s))
    if s.phase == HAGGLE:
        return haggle_candidates(s, seat, desk, False)
    if s.phase == CHOOSE:
        note_worths(s, desk)
        return choice_candidates(s, seat, desk, actions(s), actions(s) == D + 1)
    return moves(s, seat, desk.found)


# ---------------------------------------------------------------- judging


@rule
def quiet(s):
    """At the start of a round."""
    return s.phase == DEAL and s.turn == 0


@rule
def outlook(s, values, lore):
    """Points now, a share of the majorities to come, the workers, and an even share of what the rounds to come will bring."""
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
def temptation(s, seat, move, lore):
    """Counts what lies there: every gem alike, and not what the others may want."""
    if s.phase == CHOOSE:
        return tempting_action(s, seat, move)
    if s.phase == HAGGLE:
        return tempting_in_haggle(s, move, tempting_action(s, seat, s.action))
    return 0.0


@rule
def tempting_action(s, seat, action):
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
def habit(s, seat, desk, lore):
    return opening_habit(s, seat) if s.phase == HAGGLE else -1
