"""Bazaar: what a mind sees. Looking from each seat: how near it and its rivals are to every ware on offer, who can buy next and who comes first, what is
in the hands, how the points stand, and how much of the game is left.

Colours are not seen: what chips are worth depends on the rate cards of the table, and the lore knows it. Stalls have no numbers either; they stand in
the order in which their wares suit the one who looks.
"""

from itertools import combinations_with_replacement, product

import numpy as np

from souk.games.bazaar.insight import closes, wins_with
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
from souk.games.bazaar.study import KEEPING, ROW, TABLE, number
from souk.kernel.bags import BITS, GUARDS
from souk.kernel.rule import i64, rule

SEATS = 6
OTHERS = SEATS - 1

# ---------------------------------------------------------------- classes of what is counted

EIGHTHS = 8.0  # of a point, in which worths are looked up
_STEPS = (0.125, 1.75, 2.0, 2.25, 2.5, 2.75, 3.0, 3.375, 3.875, 4.625, 5.375)
MOST_EIGHTHS = 63
# By eighths: how near a hand is to a ware; 0 where there is none.
NEAR = np.searchsorted(_STEPS, np.arange(MOST_EIGHTHS + 1) / EIGHTHS, "right")
NEARS = len(_STEPS) + 1
ABOUT = np.array([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 6, 7])[NEAR]  # the same, not so fine: how near somebody else is
ABOUTS = 8
BESTS = 27  # by quarters, from FARTHEST on: how near one is to what suits best
FARTHEST = 1.25  # that a hand ever is, but for cards of one's own
HANDFULS = LIMIT // 2 + 1  # by two chips
KEEPS = 16  # by eighths of a point: what the chips are worth for any ware
AHEADS = 18  # by halves of a point, from four behind on: how much nearer one is to a ware than all others

_GAPS = (1, 2, 4, 6, 9, 13, 18)
MOST_POINTS = 31  # of a gap; larger ones are all alike
_gaps = np.arange(-MOST_POINTS, MOST_POINTS + 1)
GAP = len(_GAPS) + np.sign(_gaps) * np.searchsorted(_GAPS, abs(_gaps), "right")  # by points, from MOST_POINTS behind on
GAPS = 2 * len(_GAPS) + 1

# Whether one can buy in a turn: not yet, or if the die shows the chip that is missing; or surely, by points.
NOT_YET, BY_LUCK = range(2)
SURE = np.array([0, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 6, 7])
POINTS = np.array([0, 0, 1, 2, 3, 5, 8, 12])  # that are then sure
CHANCES = len(POINTS)
SOON = np.minimum(np.arange(CHANCES), 2)  # no, by luck, surely
SOONS = 3

DEEDS = 8  # cards in the stall, up to three, before a stall is empty and after

# The cards left in the four stalls, in whatever order, as one number.
_LEFTS = {lefts: k for k, lefts in enumerate(combinations_with_replacement(range(IN_A_STALL + 1), MOST_STALLS))}
# And by these: how many wares at least are sold until the end, and whether a stall is empty.
# Small numbers: a GPU takes 64 kB of such tables, and no more.
LEFT = np.zeros(8**MOST_STALLS, np.int16)
STAGE = np.zeros(8**MOST_STALLS, np.int16)
STAGES = 2 * (2 * IN_A_STALL + 1)
for _lefts in product(range(IN_A_STALL + 1), repeat=MOST_STALLS):
    _k = sum(left << 3 * stall for stall, left in enumerate(_lefts))
    LEFT[_k] = _LEFTS[tuple(sorted(_lefts))]
    STAGE[_k] = 2 * sum(sorted(_lefts)[:2]) + (0 in _lefts)

# How many seats further on somebody sits, or how many turns later somebody moves: by
# players, from whom, and who; and who it is that sits so much further on.
AWAY = np.zeros((SEATS + 1, SEATS, SEATS), np.int8)
SEAT = np.zeros((SEATS + 1, SEATS, SEATS), np.int8)
for _players in range(1, SEATS + 1):
    for _seat, _away in product(range(_players), repeat=2):
        SEAT[_players, _seat, _away] = (_seat + _away) % _players
        AWAY[_players, _seat, SEAT[_players, _seat, _away]] = _away

# ---------------------------------------------------------------- where the numbers of each kind of thing begin

STALL = 0  # by how well it suits, how near one is, how near the nearest other is, and whether that one moves first
BUYER = (
    STALL + MOST_STALLS * NEARS * ABOUTS * 2
)  # by the cards there, one's own chance, and that of those before and after
MINE = BUYER + DEEDS * CHANCES * SOONS * SOONS  # by how near one is to the best, and to the second best
CHIPS = MINE + BESTS * NEARS  # by how many, and what they are worth for any ware
AHEAD = CHIPS + (LIMIT + 1) * KEEPS  # by how much nearer one is, and how soon one moves
CHANCE = AHEAD + AHEADS * SEATS  # by the best purchase of the next turn, and how soon that is
RIVALS = CHANCE + CHANCES * SEATS  # by how many are as near to the best, and to the second best
GAME = RIVALS + SEATS * SEATS  # by the gap to the best of the others, the wares to the end, and whether there is a star
END = GAME + GAPS * STAGES  # by who can close the bazaar and win, and the gap
LEFTS = END + 5 * GAPS  # by the cards left
OTHER = LEFTS + len(_LEFTS)  # by seat: how near it is to what suits it best, and about how many chips it has
THREAT = OTHER + OTHERS * ABOUTS * HANDFULS  # by seat: the gap, its chance of a purchase, and whether it moves first
ROWS = THREAT + OTHERS * GAPS * SOONS * 2
MOST_SEEN = 2 * MOST_STALLS + 8 + 2 * OTHERS

# ---------------------------------------------------------------- what is worked out once for all


@rule
def eighths(near):
    return min(int(EIGHTHS * near), MOST_EIGHTHS)


@rule
def lacks_one(hand, cost):
    """Whether a hand that does not pay for a ware does so with one chip more: a single guard is borrowed (see souk.kernel.bags), for a single chip."""
    left = (hand | GUARDS) - cost
    guard = ~left & GUARDS
    below = guard - (guard >> (BITS - 1))
    return guard & (guard - 1) == 0 and left & below == below


@rule
def chance_of(s, hand, stall, move):
    """Whether a hand buys a stall's ware in a turn by the move that leads there."""
    after = hand
    rest = size(hand) + 1 - PRICE
    if move != ROLL:
        after = after_trade(s, hand, move - TRADE)
        rest = size(after) - PRICE
    if payable(s, after, stall):
        return SURE[value(s, stall, rest)]
    return BY_LUCK if move == ROLL and lacks_one(hand, price(s, stall)) else NOT_YET


@rule
def look_round(s, desk, lore):
    """How near every seat is to every ware and whether it can buy it next; the best of both, and how that looks to others."""
    for seat in range(i64(s.players)):
        hand = i64(s.chips[seat])
        row = ROW * number(hand)
        desk.keep[seat] = lore[row + KEEPING]
        desk.nearest[seat] = 0.0
        desk.likeliest[seat] = NOT_YET
        for stall in range(MOST_STALLS):
            near = np.float64(lore[row + s.top[stall]])
            chance = chance_of(s, hand, stall, int(lore[TABLE + row + s.top[stall]]))
            desk.near[seat, stall] = near
            desk.chance[seat, stall] = chance
            desk.nearest[seat] = max(desk.nearest[seat], near)
            desk.likeliest[seat] = max(desk.likeliest[seat], chance)
        desk.seems[seat] = ABOUT[eighths(desk.nearest[seat])] * HANDFULS + (size(hand) + 1 >> 1)
        desk.soon[seat] = SOON[desk.likeliest[seat]]


@rule
def compare(s, desk):
    """Who is nearest to each ware, and who next; of those equally near, who moves first."""
    for stall in range(MOST_STALLS):
        first = i64(s.turn)
        second = -1
        for turns in range(1, i64(s.players)):
            seat = i64(SEAT[s.players, s.turn, turns])
            near = desk.near[seat, stall]
            if near > desk.near[first, stall]:
                second = first
                first = seat
            elif second < 0 or near > desk.near[second, stall]:
                second = seat
        desk.leader[stall] = first
        desk.runner_up[stall] = max(second, 0)  # alone there is none


@rule
def sort_stalls(desk, seat):
    """The stalls in the order in which their wares suit a seat."""
    for stall in range(MOST_STALLS):
        k = stall
        while k > 0 and desk.near[seat, desk.order[k - 1]] < desk.near[seat, stall]:
            desk.order[k] = desk.order[k - 1]
            k -= 1
        desk.order[k] = stall


@rule
def wins_by(s, desk, seat):
    """Whether a seat can surely buy what closes the bazaar, and is then ahead of all others."""
    for stall in range(MOST_STALLS):
        chance = desk.chance[seat, stall]
        if chance > BY_LUCK and closes(s, stall) and wins_with(s, seat, POINTS[chance]):
            return True
    return False


@rule
def finisher(s, desk):
    """The first from now on who can win at once, or -1; -2 while no purchase ends the game."""
    found = -2
    for stall in range(MOST_STALLS):
        if closes(s, stall):
            found = -1
    if found == -1:
        for turns in range(i64(s.players) - 1, -1, -1):
            seat = i64(SEAT[s.players, s.turn, turns])
            if wins_by(s, desk, seat):
                found = seat
    return found


# ---------------------------------------------------------------- what is seen


@rule
def see_stalls(s, desk, seat, n):
    """The stalls one after the other, how far one is ahead at best, and how many others are as near to the first two."""
    ahead = -4.0
    players = i64(s.players)
    turn = i64(s.turn)
    away = i64(AWAY[players, turn, seat])
    for k in range(MOST_STALLS):
        stall = desk.order[k]
        other = desk.leader[stall] if desk.leader[stall] != seat else desk.runner_up[stall]
        mine = desk.near[seat, stall]
        theirs = desk.near[other, stall]
        ahead = max(ahead, mine - theirs)
        classes = NEAR[eighths(mine)] * ABOUTS + ABOUT[eighths(theirs)]
        first = i64(AWAY[players, turn, other]) < away
        desk.seen[n + k, seat] = STALL + 2 * (k * NEARS * ABOUTS + classes) + first
    desk.seen[n + MOST_STALLS, seat] = AHEAD + AHEADS * away + min(int((ahead + 4.0) * 2.0), AHEADS - 1)
    return n + MOST_STALLS + 1


@rule
def see_buyers(s, desk, n):
    """For every ware, who can buy it before one's own turn, in it, and after it."""
    star = 4 if empty_stalls(s) > 0 else 0
    for stall in range(MOST_STALLS):
        deed = star + min(i64(s.left[stall]), 3)
        before = 0
        for turns in range(i64(s.players)):
            seat = i64(SEAT[s.players, s.turn, turns])
            chance = desk.chance[seat, stall]
            desk.seen[n + stall, seat] = BUYER + ((deed * CHANCES + chance) * SOONS + before) * SOONS
            before = max(before, SOON[chance])
        after = 0
        for turns in range(i64(s.players) - 1, -1, -1):
            seat = i64(SEAT[s.players, s.turn, turns])
            desk.seen[n + stall, seat] += after
            after = max(after, SOON[desk.chance[seat, stall]])
    return n + MOST_STALLS


@rule
def as_near(s, desk, seat, stall):
    """How many others are as near to a ware."""
    n = -1
    mine = desk.near[seat, stall]
    for other in range(i64(s.players)):
        n += desk.near[other, stall] >= mine
    return n


@rule
def see_hand(s, desk, seat, n):
    """One's own hand: the two wares that suit it, what it is worth, what it may buy, and how many want the same."""
    best = desk.order[0]
    second = desk.order[1]
    quarters = min(max(int((desk.near[seat, best] - FARTHEST) * 4.0), 0), BESTS - 1)
    desk.seen[n, seat] = MINE + quarters * NEARS + NEAR[eighths(desk.near[seat, second])]
    desk.seen[n + 1, seat] = CHIPS + KEEPS * held(s, seat) + min(max(int((desk.keep[seat] - 2.0) * 8.0), 0), KEEPS - 1)
    desk.seen[n + 2, seat] = CHANCE + CHANCES * i64(AWAY[s.players, s.turn, seat]) + desk.likeliest[seat]
    desk.seen[n + 3, seat] = RIVALS + SEATS * as_near(s, desk, seat, best) + as_near(s, desk, seat, second)
    return n + 4


@rule
def gap(points, others):
    return GAP[min(max(points - others, -MOST_POINTS), MOST_POINTS) + MOST_POINTS]


@rule
def see_others(s, desk, seat, n):
    """The others one by one, to the left; returns the gap to the best of them."""
    least = GAPS - 1
    players = i64(s.players)
    points = i64(s.points[seat])
    # So far to the left sits whoever moves now: those from there on move before oneself.
    left = players - i64(AWAY[players, s.turn, seat])
    for further in range(1, players):
        other = i64(SEAT[players, seat, further])
        between = gap(points, i64(s.points[other]))
        desk.seen[n, seat] = OTHER + (further - 1) * ABOUTS * HANDFULS + desk.seems[other]
        desk.seen[n + 1, seat] = (
            THREAT + (((further - 1) * GAPS + between) * SOONS + desk.soon[other]) * 2 + (further >= left)
        )
        least = min(least, between)
        n += 2
    return least


@rule
def see_end(s, desk, seat, least, left, last, n):
    """How the points stand next to what is left, and who can bring it to its end."""
    who = last + 2  # no purchase ends the game, or nobody can win by it
    if last >= 0:
        turns = i64(AWAY[s.players, s.turn, last]) - i64(AWAY[s.players, s.turn, seat])
        who = 2 if turns == 0 else 3 if turns < 0 else 4
    desk.seen[n, seat] = GAME + GAPS * i64(STAGE[left]) + least
    desk.seen[n + 1, seat] = END + GAPS * who + least
    desk.seen[n + 2, seat] = LEFTS + i64(LEFT[left])
    return n + 3


@rule
def sight(s, desk, lore):
    look_round(s, desk, lore)
    compare(s, desk)
    left = i64(s.left[0]) | i64(s.left[1]) << 3 | i64(s.left[2]) << 6 | i64(s.left[3]) << 9
    last = finisher(s, desk)
    buyers = see_buyers(s, desk, 0)
    n = 0
    for seat in range(i64(s.players)):
        sort_stalls(desk, seat)
        n = see_hand(s, desk, seat, see_stalls(s, desk, seat, buyers))
        least = see_others(s, desk, seat, n)
        n = see_end(s, desk, seat, least, left, last, n + 2 * (i64(s.players) - 1))
    return n
