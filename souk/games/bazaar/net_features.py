"""Bazaar's net features, from each seat's view: distance of all hands to every ware, buyers,
chips, points and progress.

Colours are not features: the value of chips depends on the rate cards, which the lookup knows.
Stalls are ordered by how well their wares suit the observer.
"""

from itertools import combinations_with_replacement, product

import numpy as np

from souk.games.bazaar.heuristics import ends_game, wins_with
from souk.games.bazaar.rules import (
    IN_A_STALL,
    LIMIT,
    MOST_STALLS,
    PRICE,
    ROLL,
    TRADE,
    after_trade,
    empty_stalls,
    held,
    payable,
    price,
    size,
    value,
)
from souk.games.bazaar.ware_values import KEEPING, ROW, TABLE, number
from souk.kernel.packed_counts import BITS, GUARDS
from souk.kernel.rule import i64, rule

SEATS = 6
OTHERS = SEATS - 1

# ---------------------------------------------------------------- classes

EIGHTHS = 8.0  # of a point, the unit in which values are looked up
_STEPS = (0.125, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.375, 3.875, 4.625, 5.375)
MOST_EIGHTHS = 63
# By eighths: how near a hand is to a ware, 0 without one.
NEAR = np.searchsorted(_STEPS, np.arange(MOST_EIGHTHS + 1) / EIGHTHS, "right")
NEARS = len(_STEPS) + 1
# The same, coarser, for other seats.
ABOUT = np.array([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7])[NEAR]
ABOUTS = 8
BESTS = 27  # by quarters, from FARTHEST on: distance to the best ware
FARTHEST = 1.25  # minimum of any hand, except with custom cards
HANDFULS = LIMIT // 2 + 1  # by two chips
KEEPS = 16  # by eighths of a point: value of the chips for any ware
# By halves of a point, from four behind on: lead over all others on the way to a ware.
AHEADS = 18

_GAPS = (1, 2, 4, 6, 9, 13, 18)
MOST_POINTS = 31  # of a gap; capped
_gaps = np.arange(-MOST_POINTS, MOST_POINTS + 1)
# By points, from MOST_POINTS behind on.
GAP = len(_GAPS) + np.sign(_gaps) * np.searchsorted(_GAPS, abs(_gaps), "right")
GAPS = 2 * len(_GAPS) + 1

# Whether a seat can buy within a turn: not yet, if the die shows the missing chip, or surely, by
# points.
NOT_YET, BY_LUCK = range(2)
SURE_CLASS = np.array([0, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7])
POINTS = np.array([0, 0, 1, 2, 3, 5, 8, 12])  # points that are then certain
CHANCES = len(POINTS)
SOON = np.minimum(np.arange(CHANCES), 2)  # no, by luck, surely
SOONS = 3

DEEDS = 8  # cards in the stall, up to three, before a stall is empty and after

# Numbering of the cards left in the four stalls, in any order.
_LEFTS = {
    lefts: k
    for k, lefts in enumerate(combinations_with_replacement(range(IN_A_STALL + 1), MOST_STALLS))
}
# By cards left: minimum number of sales until the end, and whether a stall is empty.
# Kept small: a GPU has room for 64 kB of such tables.
LEFT = np.zeros(8**MOST_STALLS, np.int16)
STAGE = np.zeros(8**MOST_STALLS, np.int16)
STAGES = 2 * (2 * IN_A_STALL + 1)
for _lefts in product(range(IN_A_STALL + 1), repeat=MOST_STALLS):
    _k = sum(left << 3 * stall for stall, left in enumerate(_lefts))
    LEFT[_k] = _LEFTS[tuple(sorted(_lefts))]
    STAGE[_k] = 2 * sum(sorted(_lefts)[:2]) + (0 in _lefts)

# By players, observer and seat: offset of the seat (or turns until it moves); and the seat at an
# offset.
SEAT_OFFSET = np.zeros((SEATS + 1, SEATS, SEATS), np.int8)
SEAT_AT = np.zeros((SEATS + 1, SEATS, SEATS), np.int8)
for _players in range(1, SEATS + 1):
    for _seat, _away in product(range(_players), repeat=2):
        SEAT_AT[_players, _seat, _away] = (_seat + _away) % _players
        SEAT_OFFSET[_players, _seat, SEAT_AT[_players, _seat, _away]] = _away

# ---------------------------------------------------------------- first row of each kind of feature

# By rank of the stall, own distance, distance of the nearest other seat, and whether that one moves
# first.
STALL = 0
# By cards in the stall, own chance, and that of seats before and after.
BUYER = STALL + MOST_STALLS * NEARS * ABOUTS * 2
# By distance to the best and second-best ware.
MINE = BUYER + DEEDS * CHANCES * SOONS * SOONS
CHIPS = MINE + BESTS * NEARS  # by number, and value for any ware
AHEAD = CHIPS + (LIMIT + 1) * KEEPS  # by lead, and turns until the seat moves
CHANCE = AHEAD + AHEADS * SEATS  # by best purchase of the next turn, and turns until then
RIVALS = CHANCE + CHANCES * SEATS  # by number of seats as near to the best, and to the second best
# By gap to the best other seat, sales to the end, and whether there is a star.
GAME = RIVALS + SEATS * SEATS
END = GAME + GAPS * STAGES  # by who can close the bazaar and win, and the gap
LEFTS = END + 5 * GAPS  # by cards left
# By seat: distance to its best ware, and approximate number of chips.
OTHER = LEFTS + len(_LEFTS)
# By seat: the gap, its chance of a purchase, and whether it moves first.
THREAT = OTHER + OTHERS * ABOUTS * HANDFULS
ROWS = THREAT + OTHERS * GAPS * SOONS * 2
MOST_SEEN = 2 * MOST_STALLS + 8 + 2 * OTHERS

# ---------------------------------------------------------------- shared by all observers


@rule
def eighths(near):
    return min(int(EIGHTHS * near), MOST_EIGHTHS)


@rule
def lacks_one(hand, cost):
    """Whether one more chip would let a hand pay: a single guard bit borrowed (see
    souk.kernel.packed_counts), by one.
    """
    left = (hand | GUARDS) - cost
    guard = ~left & GUARDS
    below = guard - (guard >> (BITS - 1))
    return guard & (guard - 1) == 0 and left & below == below


@rule
def chance_of(s, hand, stall, move):
    """Class of a hand's chance to buy a stall's ware within a turn, by the move that leads
    there.
    """
    after = hand
    rest = size(hand) + 1 - PRICE
    if move != ROLL:
        after = after_trade(s, hand, move - TRADE)
        rest = size(after) - PRICE
    if payable(s, after, stall):
        return SURE_CLASS[value(s, stall, rest)]
    return BY_LUCK if move == ROLL and lacks_one(hand, price(s, stall)) else NOT_YET


@rule
def assess_hands(s, workspace, lookup):
    """Record every seat's distance to and chance of every ware, the best of both, and what
    others see of it.
    """
    for seat in range(i64(s.players)):
        hand = i64(s.chips[seat])
        row = ROW * number(hand)
        workspace.keep[seat] = lookup[row + KEEPING]
        workspace.nearest[seat] = 0.0
        workspace.likeliest[seat] = NOT_YET
        for stall in range(MOST_STALLS):
            near = np.float64(lookup[row + s.top[stall]])
            chance = chance_of(s, hand, stall, int(lookup[TABLE + row + s.top[stall]]))
            workspace.near[seat, stall] = near
            workspace.chance[seat, stall] = chance
            workspace.nearest[seat] = max(workspace.nearest[seat], near)
            workspace.likeliest[seat] = max(workspace.likeliest[seat], chance)
        workspace.seems[seat] = ABOUT[eighths(workspace.nearest[seat])] * HANDFULS + (
            size(hand) + 1 >> 1
        )
        workspace.soon[seat] = SOON[workspace.likeliest[seat]]


@rule
def rank_seats(s, workspace):
    """Record the nearest seat to each ware and the runner-up; the first to move wins ties."""
    for stall in range(MOST_STALLS):
        first = i64(s.turn)
        second = -1
        for turns in range(1, i64(s.players)):
            seat = i64(SEAT_AT[s.players, s.turn, turns])
            near = workspace.near[seat, stall]
            if near > workspace.near[first, stall]:
                second = first
                first = seat
            elif second < 0 or near > workspace.near[second, stall]:
                second = seat
        workspace.leader[stall] = first
        workspace.runner_up[stall] = max(second, 0)  # solitaire has none


@rule
def sort_stalls(workspace, seat):
    """Order the stalls by how well their wares suit a seat."""
    for stall in range(MOST_STALLS):
        k = stall
        while k > 0 and workspace.near[seat, workspace.order[k - 1]] < workspace.near[seat, stall]:
            workspace.order[k] = workspace.order[k - 1]
            k -= 1
        workspace.order[k] = stall


@rule
def wins_by(s, workspace, seat):
    """Whether a seat can surely buy what closes the bazaar, and then leads everybody."""
    for stall in range(MOST_STALLS):
        chance = workspace.chance[seat, stall]
        if chance > BY_LUCK and ends_game(s, stall) and wins_with(s, seat, POINTS[chance]):
            return True
    return False


@rule
def finisher(s, workspace):
    """The next seat that can win at once, or -1; -2 while no purchase ends the game."""
    who = -2
    for stall in range(MOST_STALLS):
        if ends_game(s, stall):
            who = -1
    if who == -1:
        for turns in range(i64(s.players) - 1, -1, -1):
            seat = i64(SEAT_AT[s.players, s.turn, turns])
            if wins_by(s, workspace, seat):
                who = seat
    return who


# ---------------------------------------------------------------- features


@rule
def add_stalls(s, workspace, seat, n):
    """Add the stalls in order, and the best lead."""
    ahead = -4.0
    players = i64(s.players)
    turn = i64(s.turn)
    away = i64(SEAT_OFFSET[players, turn, seat])
    for k in range(MOST_STALLS):
        stall = workspace.order[k]
        other = (
            workspace.leader[stall]
            if workspace.leader[stall] != seat
            else workspace.runner_up[stall]
        )
        mine = workspace.near[seat, stall]
        theirs = workspace.near[other, stall]
        ahead = max(ahead, mine - theirs)
        classes = NEAR[eighths(mine)] * ABOUTS + ABOUT[eighths(theirs)]
        first = i64(SEAT_OFFSET[players, turn, other]) < away
        workspace.seen[n + k, seat] = STALL + 2 * (k * NEARS * ABOUTS + classes) + first
    workspace.seen[n + MOST_STALLS, seat] = (
        AHEAD + AHEADS * away + min(int((ahead + 4.0) * 2.0), AHEADS - 1)
    )
    return n + MOST_STALLS + 1


@rule
def add_buyers(s, workspace, n):
    """Add for every ware who can buy it before, in and after the seat's own turn."""
    star = 4 if empty_stalls(s) > 0 else 0
    for stall in range(MOST_STALLS):
        deed = star + min(i64(s.left[stall]), 3)
        before = 0
        for turns in range(i64(s.players)):
            seat = i64(SEAT_AT[s.players, s.turn, turns])
            chance = workspace.chance[seat, stall]
            workspace.seen[n + stall, seat] = (
                BUYER + ((deed * CHANCES + chance) * SOONS + before) * SOONS
            )
            before = max(before, SOON[chance])
        after = 0
        for turns in range(i64(s.players) - 1, -1, -1):
            seat = i64(SEAT_AT[s.players, s.turn, turns])
            workspace.seen[n + stall, seat] += after
            after = max(after, SOON[workspace.chance[seat, stall]])
    return n + MOST_STALLS


@rule
def rivals_as_near(s, workspace, seat, stall):
    """Number of other seats as near to a ware."""
    n = -1
    mine = workspace.near[seat, stall]
    for other in range(i64(s.players)):
        n += workspace.near[other, stall] >= mine
    return n


@rule
def add_hand(s, workspace, seat, n):
    """Add the own hand: its two best wares, value, possible purchase, and competitors."""
    best = workspace.order[0]
    second = workspace.order[1]
    quarters = min(max(int((workspace.near[seat, best] - FARTHEST) * 4.0), 0), BESTS - 1)
    workspace.seen[n, seat] = MINE + quarters * NEARS + NEAR[eighths(workspace.near[seat, second])]
    workspace.seen[n + 1, seat] = (
        CHIPS
        + KEEPS * held(s, seat)
        + min(max(int((workspace.keep[seat] - 2.0) * 8.0), 0), KEEPS - 1)
    )
    workspace.seen[n + 2, seat] = (
        CHANCE + CHANCES * i64(SEAT_OFFSET[s.players, s.turn, seat]) + workspace.likeliest[seat]
    )
    workspace.seen[n + 3, seat] = (
        RIVALS
        + SEATS * rivals_as_near(s, workspace, seat, best)
        + rivals_as_near(s, workspace, seat, second)
    )
    return n + 4


@rule
def gap(points, others):
    return GAP[min(max(points - others, -MOST_POINTS), MOST_POINTS) + MOST_POINTS]


@rule
def add_others(s, workspace, seat, n):
    """Add the other seats one by one, to the left; returns the gap to the best of them."""
    least = GAPS - 1
    players = i64(s.players)
    points = i64(s.points[seat])
    # Seats at this offset or more move before the observer.
    left = players - i64(SEAT_OFFSET[players, s.turn, seat])
    for further in range(1, players):
        other = i64(SEAT_AT[players, seat, further])
        between = gap(points, i64(s.points[other]))
        workspace.seen[n, seat] = OTHER + (further - 1) * ABOUTS * HANDFULS + workspace.seems[other]
        workspace.seen[n + 1, seat] = (
            THREAT
            + (((further - 1) * GAPS + between) * SOONS + workspace.soon[other]) * 2
            + (further >= left)
        )
        least = min(least, between)
        n += 2
    return least


@rule
def add_end(s, workspace, seat, least, left, last, n):
    """Add the points relative to what is left, and who can end the game."""
    who = last + 2  # no purchase ends the game, or nobody can win by it
    if last >= 0:
        turns = i64(SEAT_OFFSET[s.players, s.turn, last]) - i64(
            SEAT_OFFSET[s.players, s.turn, seat]
        )
        who = 2 if turns == 0 else 3 if turns < 0 else 4
    workspace.seen[n, seat] = GAME + GAPS * i64(STAGE[left]) + least
    workspace.seen[n + 1, seat] = END + GAPS * who + least
    workspace.seen[n + 2, seat] = LEFTS + i64(LEFT[left])
    return n + 3


@rule
def features(s, workspace, lookup):
    assess_hands(s, workspace, lookup)
    rank_seats(s, workspace)
    left = i64(s.left[0]) | i64(s.left[1]) << 3 | i64(s.left[2]) << 6 | i64(s.left[3]) << 9
    last = finisher(s, workspace)
    buyers = add_buyers(s, workspace, 0)
    n = 0
    for seat in range(i64(s.players)):
        sort_stalls(workspace, seat)
        n = add_hand(s, workspace, seat, add_stalls(s, workspace, seat, buyers))
        least = add_others(s, workspace, seat, n)
        n = add_end(s, workspace, seat, least, left, last, n + 2 * (i64(s.players) - 1))
    return n
