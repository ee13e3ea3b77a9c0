"""Suleika: what a strong player looks at: what Omar's next walk costs and whom it feeds, what areas will still earn, and which
halves will still show."""

import numpy as np

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
from souk.games.suleika.ways import walk
from souk.kernel.bits import bit, count
from souk.kernel.desk import insert
from souk.kernel.rule import i64, rule, u64
from souk.kernel.state import StateArray

HORIZON = 0
LAPSES = 0.35


# ---------------------------------------------------------------- what never changes


# By field and direction: where Omar is after one step, two, three and four.
STOPS = np.array(
    [[[stop for stop, _ in walk(field, facing, 4)] for facing in range(4)] for field in range(SIDE * SIDE)], np.int8
)
AROUND = np.array([sum(1 << int(near) for near in row if near >= 0) for row in np.asarray(BESIDE)], np.uint64)
REACH = AROUND | [
    np.bitwise_or.reduce(AROUND[row[row >= 0]]) for row in np.asarray(BESIDE)
]  # where a rug's halves may come to lie
REACH &= ~(np.uint64(1) << np.arange(SIDE * SIDE, dtype=np.uint64))
SIXTHS = np.array([1, 2, 2, 1])  # S6: how many of the die's faces show one step, two, three, four

# The lore: weights by table. Those of moves are from matches of `likely_move` against itself. EARN began as least squares on 12,000
# games of it and was settled, like HUNT's place in `outlook`, by matches of players who look ahead to the end of their turn; LAY,
# SPREAD and FLOOR are fitted to 500 games of such players, the latter two to who won. Of EARN and SPREAD
# half or double is hardly worse.
HIDE, CUT, JOIN, HUNT, EARN, LAY, SPREAD, FLOOR = range(8)
TWO = [0.55, 0.04, 0.015, 0.26, 0.02, 0.65, 2.4, 2.0]
TWO_TURNING_AT_END = [0.7, 0.03, 0.03, 0.5, 0.09, 0.4, 3.3, 2.0]
THREE = [0.4, 0.03, 0.02, 0.08, 0.02, 0.65, 4.5, 2.5]
FOUR = [0.4, 0.03, 0.03, 0.0, 0.017, 0.65, 2.5, 1.5]

NOISE = 0.015  # how far, in sixteenths, chance moves a playout's opinion of a move
SURE = 0.9  # of what the next walk costs, as it is seen now, so much is paid: a price may still be avoided


def study(array: StateArray) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """The weights for this number of players."""
    two = TWO_TURNING_AT_END if array["turn_at_end"][0] else TWO
    return np.array({2: two, 3: THREE, 4: FOUR}[int(array["players"][0])], np.float32)


@rule
def weight(lore, which):
    """A number of the lore, wide: interpreted, a narrow one would narrow what it is multiplied with, and round otherwise."""
    return np.float64(lore[which])


# ---------------------------------------------------------------- Omar's walk


@rule
def toll(s, seat, facing):
    """What `seat` pays on average, in sixths, if Omar walks in a direction."""
    sixths = 0
    for steps in range(4):
        sixths += SIXTHS[steps] * min(price(s, seat, STOPS[s.omar, facing, steps]), s.money[seat])
    return sixths


@rule
def prey(s, seat, facing):
    """How many halves of others, in sixths, will be within reach of a rug after a walk in a direction."""
    others = u64(0)
    for colour in range(4):
        if owner(s, colour) != seat:
            others |= s.cover[colour]
    sixths = 0
    for steps in range(4):
        sixths += SIXTHS[steps] * count(REACH[STOPS[s.omar, facing, steps]] & others)
    return sixths


@rule
def way_score(s, seat, move, owed, lore):
    """What speaks for turning Omar where the walk then costs so much, in sixths: little to pay and much to hide. S40: what is good for the next player is not."""
    who = walker(s)
    score = (weight(lore, HUNT) * prey(s, who, turned(s.facing, move)) - owed) / 6.0
    return score if who == seat else -score


@rule
def toll_of_way(s, move):
    """What the walk costs, in sixths, if Omar is turned so."""
    return toll(s, walker(s), turned(s.facing, move))


@rule
def way_is_set(s):
    """S10, S40: whether it is settled which way Omar walks next."""
    return s.phase == DIE or (s.turn_at_end and s.phase == CARD and s.last > 0)


@rule
def best_way(s, lore):
    """The direction Omar is likely to walk in next."""
    if way_is_set(s):
        return s.facing
    return best_of_ways(s, toll_of_way(s, LEFT), toll_of_way(s, RIGHT), toll_of_way(s, STRAIGHT), lore)


@rule
def best_of_ways(s, left, right, straight, lore):
    """The same where a walk to the left, to the right and straight on cost so much, in sixths."""
    move = STRAIGHT
    top = way_score(s, s.turn, STRAIGHT, straight, lore)
    score = way_score(s, s.turn, LEFT, left, lore)
    if score > top:
        top = score
        move = LEFT
    if way_score(s, s.turn, RIGHT, right, lore) > top:
        move = RIGHT
    return turned(s.facing, move)


# ---------------------------------------------------------------- laying a rug


@rule
def hiding_score(s, seat, field, later, lore):
    """What speaks for hiding what lies on a field: a half of one's own is lost, another's is worth something, more so amid an
    area that would go on earning."""
    colour = colour_at(s, field)
    if colour < 0:
        return 0.0
    if owner(s, colour) == seat:
        return -1.0
    return weight(lore, HIDE) + weight(lore, CUT) * later * count(AROUND[field] & s.cover[colour])


@rule
def rug_score(s, seat, move, lore):
    """What speaks for a place: what it hides, and the area it makes, while others still have turns to pay for it."""
    near = near_half(move)
    far = far_half(move)
    colour = s.up if s.players == 2 else seat
    later = rugs_left(s, seat)
    area = count(connected(s.cover[colour] | bit(near) | bit(far), near))
    hidden = hiding_score(s, seat, near, later, lore) + hiding_score(s, seat, far, later, lore)
    return hidden + weight(lore, JOIN) * later * area


# ---------------------------------------------------------------- which moves


@rule
def whim(x, k):
    """What chance adds to move k: four of the 64 random bits."""
    return NOISE * i64((u64(x) >> u64(4 * k)) & u64(15))


@rule
def likely_way(s, seat, x, lore):
    best = STRAIGHT
    top = way_score(s, seat, STRAIGHT, toll_of_way(s, STRAIGHT), lore) + whim(x, STRAIGHT)
    for move in range(LEFT, STRAIGHT):
        score = way_score(s, seat, move, toll_of_way(s, move), lore) + whim(x, move)
        if score > top:
            top = score
            best = move
    return best


@rule
def likely_rug(s, seat, x, lore):
    found = places(s)
    best = -1
    top = 0.0
    for place in range(16):
        if (found >> place) & 1:
            move = rug_at_place(s, place)
            score = rug_score(s, seat, move, lore) + whim(x, place)
            if best < 0 or score > top:
                top = score
                best = move
    return best


@rule
def likely_move(s, seat, x, desk, lore):
    """The way that costs least, the rug that hides and joins most: more or less."""
    return likely_way(s, seat, x, lore) if s.phase == TURN else likely_rug(s, seat, x, lore)


@rule
def candidates(s, seat, desk, lore):
    """Every move, those first that `likely_move` likes best."""
    n = moves(s, seat, desk.out)
    for i in range(n):
        move = i64(desk.out[i])
        if s.phase == TURN:
            score = way_score(s, seat, move, toll_of_way(s, move), lore)
        else:
            score = rug_score(s, seat, move, lore)
        insert(desk, 0, i, move, float(i64(1000 * score)))
    return n


# ---------------------------------------------------------------- what a position is worth


@rule
def quiet(s):
    """The start of a turn: before Omar is turned or, with two players, before a rug comes up."""
    return s.phase == (CARD if s.players == 2 else TURN)


@rule
def squares(fields):
    """The squares of a set's areas, added up: Omar finds an area as often as it is large, and then it costs as much."""
    total = 0
    while fields:
        lowest = count(u64(fields & u64(~fields + u64(1))) - u64(1))
        area = connected(fields, lowest)
        total += count(area) ** 2
        fields &= u64(~area)
    return total


@rule
def outlook(s, values, lore):
    """What each seat has and will lay, and what its areas will take from the others."""
    turns = turns_left(s)
    root = root_of_later(turns)
    have(s, values, lore)
    for colour in range(4):
        if s.cover[colour]:
            earn(s, values, colour, weight(lore, EARN) * root * squares(s.cover[colour]), turns)
    if s.turn >= 0 and s.phase != RUG:
        walk_ahead(s, values, best_way(s, lore), lore)
    return weight(lore, FLOOR) + weight(lore, SPREAD) * root


@rule
def turns_left(s):
    return s.left[0] + s.left[1] + s.left[2] + s.left[3]


@rule
def root_of_later(turns):
    """Of the turns to come after this one: rugs laid later hide what earns now."""
    return max(turns - 1, 0) ** 0.5


@rule
def have(s, values, lore):
    """What each seat has, and will lay."""
    for seat in range(s.players):
        values[seat] = s.money[seat] + halves(s, seat) + weight(lore, LAY) * rugs_left(s, seat)


@rule
def earn(s, values, colour, earned, turns):
    """What the areas of a colour will take from the others, in so many turns."""
    values[owner(s, colour)] += earned
    for seat in range(s.players):
        values[seat] -= earned * rugs_left(s, seat) / max(turns, 1)


@rule
def walk_ahead(s, values, facing, lore):
    """Move from purse to purse what the next walk is likely to, in this direction, and count what can be hidden after it."""
    seat = walker(s)
    for steps in range(4):
        field = STOPS[s.omar, facing, steps]
        owed = min(price(s, seat, field), s.money[seat])
        if owed > 0:
            expect_toll(values, seat, owner(s, colour_at(s, field)), owed, steps)
    expect_prey(s, values, seat, facing, lore)


@rule
def expect_toll(values, seat, payee, owed, steps):
    """What is owed after so many steps and one, as far as that is likely."""
    part = SURE * owed * SIXTHS[steps] / 6
    values[seat] -= part
    values[payee] += part


@rule
def expect_prey(s, values, seat, facing, lore):
    values[seat] += weight(lore, HUNT) * prey(s, seat, facing) / 6


# ---------------------------------------------------------------- beginners


@rule
def temptation(s, seat, move, lore):
    """A beginner thinks of the likeliest throws only, and lays rugs to see many halves of their own, side by side."""
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
