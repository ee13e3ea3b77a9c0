"""Bazaar studied: what every hand is worth to somebody who goes for a ware, for the two rate cards in play.

There are 3,003 hands of at most ten chips. For each and for each of the 45 wares the best way to the ware is worked out as if
nobody else played, except that every turn it takes costs a part of the worth: others buy, too. All wares are improved together,
a row of them for a hand, which a processor does eight at a time.
"""

from math import comb

import numpy as np

from souk.games.bazaar.rules import (
    CHIPS,
    COLOURS,
    LIMIT,
    MOST_STALLS,
    NO_WARE,
    ONE_OF_EACH,
    PRICE,
    ROLL,
    TRADE,
    TRADES,
    after_trade,
    chip,
    payable,
    price,
    size,
    trades,
    value,
)
from souk.kernel.rule import rule

WARES = NO_WARE
HANDS = comb(LIMIT + COLOURS, COLOURS)
KEEPING = 46  # the column for what chips kept after a purchase are worth, whatever comes next; that of NO_WARE stays 0
ROW = 48  # columns: a multiple of eight
TABLE = HANDS * ROW  # of worths; a second one, of moves, follows it
PURCHASES = WARES * comb(LIMIT, PRICE)  # of a ware out of a hand: as many as there are ways to fill the hand up

ROUNDS = 12  # of improvement: one worth in a thousand is then still off by more than a hundredth, none by a tenth

# Between the best of those tried in matches of 2, 4 and 6 players, likely moves by one table against likely moves by another.
PATIENCE = 0.78  # the part of a worth that is left a turn later: others may have bought the ware
NEXT_WARE = 2.0  # what is still to come after a purchase with no chip kept

# What is worked out with: all of it but the worths at the end of a turn (`hold`) and the moves that lead there, which are kept.
WORKINGS = np.dtype(
    [
        ("hands", "i8", HANDS),  # by number
        ("trade_to", "i2", (HANDS, TRADES)),  # where every trade leads from every hand; -1 where it is not allowed
        ("purchases", "i2", (PURCHASES, 3)),  # the ware, the points, and the number of the hand that is left
        ("first", "i4", HANDS + 1),  # where the purchases from a hand begin
        ("after", "f4", (HANDS, ROW)),  # what hands are worth after the action, when one may buy
        ("kept", "f4", HANDS),  # what hands are worth after a purchase
        ("best", "f4", ROW),  # by ware, for the hand that is looked at: of the best trade,
        ("roll", "f4", ROW),  # of a roll,
        ("choice", "f4", ROW),  # of the best colour on Choice
    ],
    align=True,
)

_RANKS = np.zeros(COLOURS * 64, np.int64)  # see `number`
for _colour in range(COLOURS):
    for _sum in range(64):
        _left = COLOURS - _colour
        _RANKS[64 * _colour + _sum] = comb(LIMIT + _left - 1, _left) - comb(max(LIMIT - _sum, 0) + _left - 1, _left)


@rule
def number(hand):
    """The number of a hand, from 0; a chip more makes it larger. Places of the product hold the sums of the first one, two, …
    colours, and each says how many hands come before. Chips beyond ten do not count."""
    sums = hand * ONE_OF_EACH
    return (
        _RANKS[sums & 63]
        + _RANKS[64 + ((sums >> 6) & 63)]
        + _RANKS[128 + ((sums >> 12) & 63)]
        + _RANKS[192 + ((sums >> 18) & 63)]
        + _RANKS[256 + ((sums >> 24) & 63)]
    )


@rule
def list_hands(hands):
    """All hands by their numbers."""
    for white in range(LIMIT + 1):
        for blue in range(LIMIT + 1 - white):
            for green in range(LIMIT + 1 - white - blue):
                for red in range(LIMIT + 1 - white - blue - green):
                    for yellow in range(LIMIT + 1 - white - blue - green - red):
                        hand = white | blue << 6 | green << 12 | red << 18 | yellow << 24
                        hands[number(hand)] = hand


@rule
def list_trades(s, work):
    """Where every trade leads from every hand, with a full bank and nothing to buy."""
    for stall in range(MOST_STALLS):
        s.top[stall] = NO_WARE
    for h in range(HANDS):
        s.chips[0] = work.hands[h]
        s.bank = CHIPS * ONE_OF_EACH - work.hands[h]
        found = trades(s, 0)
        for trade in range(TRADES):
            work.trade_to[h, trade] = -1
            if (found >> trade) & 1:
                work.trade_to[h, trade] = number(after_trade(s, work.hands[h], trade))


@rule
def list_purchases(s, work):
    """Every purchase out of every hand."""
    n = 0
    for stall in range(MOST_STALLS):
        s.left[stall] = 1  # none is empty: no star but the ware's own
    for h in range(HANDS):
        work.first[h] = n
        for ware in range(WARES):
            s.top[0] = ware
            if payable(s, work.hands[h], 0):
                rest = work.hands[h] - price(s, 0)
                work.purchases[n, 0] = ware
                work.purchases[n, 1] = value(s, 0, size(rest))
                work.purchases[n, 2] = number(rest)
                n += 1
    work.first[HANDS] = n


@rule
def best_trade(h, work, move):
    """For every ware the best worth that a trade leads to, and the trade."""
    for ware in range(ROW):
        work.best[ware] = 0.0
        move[ware] = ROLL
    for trade in range(TRADES):
        to = work.trade_to[h, trade]
        if to >= 0:
            for ware in range(ROW):
                if work.after[to, ware] > work.best[ware]:
                    work.best[ware] = work.after[to, ware]
                    move[ware] = TRADE + trade


@rule
def mean_roll(h, work, hold):
    """For every ware the worth of a roll; on Choice one takes the best colour. Of ten chips one keeps what one has: of eleven the
    neighbour takes one away."""
    for ware in range(ROW):
        work.roll[ware] = 0.0
        work.choice[ware] = 0.0
    for colour in range(COLOURS):
        if size(work.hands[h]) < LIMIT:
            to = number(work.hands[h] + chip(colour))
            for ware in range(ROW):
                work.roll[ware] += work.after[to, ware]
                work.choice[ware] = max(work.choice[ware], work.after[to, ware])
        else:
            for ware in range(ROW):
                work.roll[ware] += hold[h, ware]
                work.choice[ware] = hold[h, ware]
    for ware in range(ROW):
        work.roll[ware] = (work.roll[ware] + work.choice[ware]) / np.float32(6.0)


@rule
def improve_hand(h, work, hold, moves):
    """What the hand is worth at the end of a turn and, before that, after the action, when one may buy."""
    best_trade(h, work, moves[h])
    mean_roll(h, work, hold)
    for ware in range(ROW):
        if work.roll[ware] >= work.best[ware]:
            work.best[ware] = work.roll[ware]
            moves[h, ware] = ROLL
        hold[h, ware] = np.float32(PATIENCE) * work.best[ware]
        work.after[h, ware] = hold[h, ware]
    for i in range(work.first[h], work.first[h + 1]):
        ware = work.purchases[i, 0]
        work.after[h, ware] = max(work.after[h, ware], work.purchases[i, 1] + work.kept[work.purchases[i, 2]])


@rule
def weigh_kept_chips(hold, kept):
    """What a hand is worth after a purchase, when any ware may come next: so much with no chip, and more with more."""
    for h in range(HANDS):
        total = np.float32(0.0)
        for ware in range(WARES):
            total += hold[h, ware]
        kept[h] = total / np.float32(WARES)
    more = np.float32(NEXT_WARE) - kept[0]
    for h in range(HANDS):
        kept[h] += more


@rule
def improve_all(work, hold, moves):
    """Every hand once, the larger first, since a roll leads to them."""
    for k in range(HANDS):
        improve_hand(HANDS - 1 - k, work, hold, moves)


@rule
def work_out(states, workings, hold, moves):
    """All worths, improved round by round."""
    work = workings[0]
    list_hands(work.hands)
    list_purchases(states[0], work)
    list_trades(states[0], work)
    for _ in range(ROUNDS):
        weigh_kept_chips(hold, work.kept)
        improve_all(work, hold, moves)
    for h in range(HANDS):
        hold[h, KEEPING] = work.kept[h]
