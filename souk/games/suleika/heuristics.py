"""Suleika heuristics: expected tolls, income from areas, and halves that stay visible."""

import numpy as np

from souk.games.suleika.paths import walk
from souk.games.suleika.rules import (
    BESIDE,
    CARD,
    DIE,
    LEFT,
    RIGHT,
    RUG,
    SIDE,
    STRAIGHT,
    TURN,
    colour_at,
    connected,
    far_half,
    halves,
    moves,
    near_half,
    owner,
    places,
    price,
    rug_at_place,
    rugs_left,
    turned,
    walker,
)
from souk.kernel.bitset import bit, count
from souk.kernel.rule import i64, rule, u64
from souk.kernel.state import StateArray
from souk.kernel.workspace import insert

HORIZON = 0
LAPSES = 0.35


# ---------------------------------------------------------------- constants


# By field and direction: where Omar is after one to four steps.
STOPS = np.array(
    [
        [[stop for stop, _ in walk(field, facing, 4)] for facing in range(4)]
        for field in range(SIDE * SIDE)
    ],
    np.int8,
)
AROUND = np.array(
    [sum(1 << int(near) for near in row if near >= 0) for row in np.asarray(BESIDE)], np.uint64
)
# Where a rug's halves may come to lie.
REACH = AROUND | [np.bitwise_or.reduce(AROUND[row[row >= 0]]) for row in np.asarray(BESIDE)]
REACH &= ~(np.uint64(1) << np.arange(SIDE * SIDE, dtype=np.uint64))
SIXTHS = np.array([1, 2, 2, 1])  # S6: number of die faces showing one to four steps

# Lookup: weights by number of players.
# Move weights were tuned in matches of `rollout_move` against itself. EARN started as a
# least-squares fit on 12,000 of its games; EARN and HUNT were then tuned in matches of players that
# look one turn ahead. LAY, SPREAD and FLOOR are fitted to 500 games of such players, the latter two
# to who won. Halving or doubling EARN and SPREAD hardly matters.
HIDE, CUT, JOIN, HUNT, EARN, LAY, SPREAD, FLOOR = range(8)
TWO = [0.55, 0.04, 0.015, 0.26, 0.02, 0.65, 2.4, 2.0]
TWO_TURNING_AT_END = [0.7, 0.03, 0.03, 0.5, 0.09, 0.4, 3.3, 2.0]
THREE = [0.4, 0.03, 0.02, 0.08, 0.02, 0.65, 4.5, 2.5]
FOUR = [0.4, 0.03, 0.03, 0.0, 0.017, 0.65, 2.5, 1.5]

# How far, in sixteenths, noise shifts a playout's score of a move.
NOISE = 0.015
# Share of the next walk's expected toll that is really paid: some is still avoided.
TOLL_CERTAINTY = 0.9


def build_lookup(array: StateArray) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The weights for this number of players."""
    two = TWO_TURNING_AT_END if array["turn_at_end"][0] else TWO
    return np.array({2: two, 3: THREE, 4: FOUR}[int(array["players"][0])], np.float32)


@rule
def weight(lookup, which):
    """A weight as float64: interpreted, a float32 would narrow products and round differently."""
    return np.float64(lookup[which])


# ---------------------------------------------------------------- Omar's walk


@rule
def toll(s, seat, facing):
    """Mean toll of `seat`, in sixths, if Omar walks in a direction."""
    sixths = 0
    for steps in range(4):
        sixths += SIXTHS[steps] * min(price(s, seat, STOPS[s.omar, facing, steps]), s.money[seat])
    return sixths


@rule
def halves_in_reach(s, seat, facing):
    """Others' halves within reach of a rug after a walk in a direction, on average, in sixths."""
    others = u64(0)
    for colour in range(4):
        if owner(s, colour) != seat:
            others |= s.cover[colour]
    sixths = 0
    for steps in range(4):
        sixths += SIXTHS[steps] * count(REACH[STOPS[s.omar, facing, steps]] & others)
    return sixths


@rule
def way_score(s, seat, move, owed, lookup):
    """Score of turning Omar, given the toll in sixths: pay little, be able to hide much.

    S40: the score is negated if the next player walks.
    """
    who = walker(s)
    score = (weight(lookup, HUNT) * halves_in_reach(s, who, turned(s.facing, move)) - owed) / 6.0
    return score if who == seat else -score


@rule
def toll_of_way(s, move):
    """The toll of the walk, in sixths, after this turn of Omar."""
    return toll(s, walker(s), turned(s.facing, move))


@rule
def way_is_set(s):
    """S10, S40: whether the direction of the next walk is already settled."""
    return s.phase == DIE or (s.turn_at_end and s.phase == CARD and s.last > 0)


@rule
def best_way(s, lookup):
    """The direction Omar is likely to walk in next."""
    if way_is_set(s):
        return s.facing
    return best_of_ways(
        s, toll_of_way(s, LEFT), toll_of_way(s, RIGHT), toll_of_way(s, STRAIGHT), lookup
    )


@rule
def best_of_ways(s, left, right, straight, lookup):
    """The same, given the tolls of walking left, right and straight on, in sixths."""
    move = STRAIGHT
    top = way_score(s, s.turn, STRAIGHT, straight, lookup)
    score = way_score(s, s.turn, LEFT, left, lookup)
    if score > top:
        top = score
        move = LEFT
    if way_score(s, s.turn, RIGHT, right, lookup) > top:
        move = RIGHT
    return turned(s.facing, move)


# ---------------------------------------------------------------- laying a rug


@rule
def hiding_score(s, seat, field, later, lookup):
    """Score of covering a field: lose a half of one's own, or hide another's.

    Another's is worth more amid an area that would go on earning.
    """
    colour = colour_at(s, field)
    if colour < 0:
        return 0.0
    if owner(s, colour) == seat:
        return -1.0
    return weight(lookup, HIDE) + weight(lookup, CUT) * later * count(
        AROUND[field] & s.cover[colour]
    )


@rule
def rug_score(s, seat, move, lookup):
    """Score of a place: what it hides, and the area it makes while others can still pay for it."""
    near = near_half(move)
    far = far_half(move)
    colour = s.up if s.players == 2 else seat
    later = rugs_left(s, seat)
    area = count(connected(s.cover[colour] | bit(near) | bit(far), near))
    hidden = hiding_score(s, seat, near, later, lookup) + hiding_score(s, seat, far, later, lookup)
    return hidden + weight(lookup, JOIN) * later * area


# ---------------------------------------------------------------- which moves


@rule
def noise(x, k):
    """Noise added to move k: four of the 64 random bits."""
    return NOISE * i64((u64(x) >> u64(4 * k)) & u64(15))


@rule
def rollout_way(s, seat, x, lookup):
    best = STRAIGHT
    top = way_score(s, seat, STRAIGHT, toll_of_way(s, STRAIGHT), lookup) + noise(x, STRAIGHT)
    for move in range(LEFT, STRAIGHT):
        score = way_score(s, seat, move, toll_of_way(s, move), lookup) + noise(x, move)
        if score > top:
            top = score
            best = move
    return best


@rule
def rollout_rug(s, seat, x, lookup):
    free = places(s)
    best = -1
    top = 0.0
    for place in range(16):
        if (free >> place) & 1:
            move = rug_at_place(s, place)
            score = rug_score(s, seat, move, lookup) + noise(x, place)
            if best < 0 or score > top:
                top = score
                best = move
    return best


@rule
def rollout_move(s, seat, x, workspace, lookup):
    """Roughly the cheapest way, or the rug that hides and joins most."""
    return rollout_way(s, seat, x, lookup) if s.phase == TURN else rollout_rug(s, seat, x, lookup)


@rule
def candidates(s, seat, workspace, lookup):
    """Every move, best by heuristic first."""
    n = moves(s, seat, workspace.out)
    for i in range(n):
        move = i64(workspace.out[i])
        if s.phase == TURN:
            score = way_score(s, seat, move, toll_of_way(s, move), lookup)
        else:
            score = rug_score(s, seat, move, lookup)
        insert(workspace, 0, i, move, float(i64(1000 * score)))
    return n


# ---------------------------------------------------------------- evaluation


@rule
def is_quiet(s):
    """The start of a turn: before Omar is turned or, with two players, before a rug comes up."""
    return s.phase == (CARD if s.players == 2 else TURN)


@rule
def sum_of_squares(fields):
    """Sum of squared area sizes: Omar hits an area as often as it is large, and pays as much."""
    total = 0
    while fields:
        lowest = count(u64(fields & u64(~fields + u64(1))) - u64(1))
        area = connected(fields, lowest)
        total += count(area) ** 2
        fields &= u64(~area)
    return total


@rule
def evaluate(s, values, lookup):
    """Holdings, rugs still to lay, and income expected from areas."""
    turns = turns_left(s)
    root = sqrt_turns_after(turns)
    add_holdings(s, values, lookup)
    for colour in range(4):
        if s.cover[colour]:
            add_income(
                s,
                values,
                colour,
                weight(lookup, EARN) * root * sum_of_squares(s.cover[colour]),
                turns,
            )
    if s.turn >= 0 and s.phase != RUG:
        walk_ahead(s, values, best_way(s, lookup), lookup)
    return weight(lookup, FLOOR) + weight(lookup, SPREAD) * root


@rule
def turns_left(s):
    return s.left[0] + s.left[1] + s.left[2] + s.left[3]


@rule
def sqrt_turns_after(turns):
    """Square root of the turns after this one: rugs laid later cover what earns now."""
    return max(turns - 1, 0) ** 0.5


@rule
def add_holdings(s, values, lookup):
    """Each seat's holdings and rugs still to lay."""
    for seat in range(s.players):
        values[seat] = s.money[seat] + halves(s, seat) + weight(lookup, LAY) * rugs_left(s, seat)


@rule
def add_income(s, values, colour, earned, turns):
    """Income expected from a colour's areas over the remaining turns."""
    values[owner(s, colour)] += earned
    for seat in range(s.players):
        values[seat] -= earned * rugs_left(s, seat) / max(turns, 1)


@rule
def walk_ahead(s, values, facing, lookup):
    """Move the expected toll of the next walk between purses, and count what can be hidden after
    it.
    """
    seat = walker(s)
    for steps in range(4):
        field = STOPS[s.omar, facing, steps]
        owed = min(price(s, seat, field), s.money[seat])
        if owed > 0:
            expect_toll(values, seat, owner(s, colour_at(s, field)), owed, steps)
    expect_hiding(s, values, seat, facing, lookup)


@rule
def expect_toll(values, seat, payee, owed, steps):
    """Expected toll after a number of steps (0 for one)."""
    part = TOLL_CERTAINTY * owed * SIXTHS[steps] / 6
    values[seat] -= part
    values[payee] += part


@rule
def expect_hiding(s, values, seat, facing, lookup):
    values[seat] += weight(lookup, HUNT) * halves_in_reach(s, seat, facing) / 6


# ---------------------------------------------------------------- beginners


@rule
def beginner_score(s, seat, move, lookup):
    """Beginners consider the likeliest rolls only, and lay rugs so that their own halves show side
    by side.
    """
    if s.phase == TURN:
        facing = turned(s.facing, move)
        who = walker(s)
        cost = price(s, who, STOPS[s.omar, facing, 1]) + price(s, who, STOPS[s.omar, facing, 2])
        return -0.5 * cost if who == seat else 0.5 * cost
    near = near_half(move)
    far = far_half(move)
    mine = s.cover[s.up if s.players == 2 else seat]
    hidden = count(mine & (bit(near) | bit(far)))
    return 0.3 * count((AROUND[near] | AROUND[far]) & mine) - hidden
