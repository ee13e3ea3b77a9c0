"""Precomputed value of every hand for every ware, given the two rate cards in play.

For each of the 3,003 hands of at most ten chips and each of the 45 wares: the best way to the ware
as if nobody else played, except that every turn loses a fraction of the value, as others buy too.
Values of all wares of a hand are updated together, which vectorizes eight at a time.
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
# Column for the value of chips kept after a purchase, whatever comes next; that of NO_WARE stays 0.
KEEPING = 46
ROW = 48  # columns: a multiple of eight
TABLE = HANDS * ROW  # size of the table of values; the table of moves follows it
# Purchases of any ware from any hand: as many as there are ways to fill the hand up.
PURCHASES = WARES * comb(LIMIT, PRICE)

# Sweeps: one value in a thousand is then still off by more than a hundredth, none by a tenth.
ROUNDS = 12

# Between the best values found in matches of 2, 4 and 6 rollout players.
# Fraction of a value left a turn later: others may have bought the ware.
PATIENCE = 0.78
NEXT_WARE = 2.0  # value still to come after a purchase with no chip kept

# Scratch memory: everything but the results, values at the end of a turn (`hold`) and the moves
# leading there.
SCRATCH = np.dtype(
    [
        ("hands", "i8", HANDS),  # by number
        # Hand reached by every trade from every hand; -1 if illegal.
        ("trade_to", "i2", (HANDS, TRADES)),
        # The ware, the points, and the number of the remaining hand.
        ("purchases", "i2", (PURCHASES, 3)),
        ("first", "i4", HANDS + 1),  # first purchase of each hand
        ("after", "f4", (HANDS, ROW)),  # value of hands after the action, when buying is possible
        ("kept", "f4", HANDS),  # value of hands after a purchase
        ("best", "f4", ROW),  # by ware, for the current hand: value of the best trade,
        ("roll", "f4", ROW),  # of a roll,
        ("choice", "f4", ROW),  # of the best colour on Choice
    ],
    align=True,
)

_RANKS = np.zeros(COLOURS * 64, np.int64)  # see `number`
for _colour in range(COLOURS):
    for _sum in range(64):
        _left = COLOURS - _colour
        _RANKS[64 * _colour + _sum] = comb(LIMIT + _left - 1, _left) - comb(
            max(LIMIT - _sum, 0) + _left - 1, _left
        )


@rule
def number(hand):
    """Number of a hand, from 0, ascending with each chip; chips beyond ten are ignored.

    Digits of the product are sums over the first one, two, … colours, each telling how many hands
    come before.
    """
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
    """All hands by number."""
    for white in range(LIMIT + 1):
        for blue in range(LIMIT + 1 - white):
            for green in range(LIMIT + 1 - white - blue):
                for red in range(LIMIT + 1 - white - blue - green):
                    for yellow in range(LIMIT + 1 - white - blue - green - red):
                        hand = white | blue << 6 | green << 12 | red << 18 | yellow << 24
                        hands[number(hand)] = hand


@rule
def list_trades(s, work):
    """Hand reached by every trade from every hand, with a full bank and nothing to buy."""
    for stall in range(MOST_STALLS):
        s.top[stall] = NO_WARE
    for h in range(HANDS):
        s.chips[0] = work.hands[h]
        s.bank = CHIPS * ONE_OF_EACH - work.hands[h]
        legal = trades(s, 0)
        for trade in range(TRADES):
            work.trade_to[h, trade] = -1
            if (legal >> trade) & 1:
                work.trade_to[h, trade] = number(after_trade(s, work.hands[h], trade))


@rule
def list_purchases(s, work):
    """All purchases from every hand."""
    n = 0
    for stall in range(MOST_STALLS):
        s.left[stall] = 1  # no empty stall: only the ware's own star
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
    """For every ware the best value a trade leads to, and the trade."""
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
    """For every ware the value of a roll; Choice takes the best colour.

    With ten chips the hand stays as it is: the neighbour takes the eleventh.
    """
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
    """Value of a hand at the end of a turn and, before that, after the action, when it may buy."""
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
        work.after[h, ware] = max(
            work.after[h, ware], work.purchases[i, 1] + work.kept[work.purchases[i, 2]]
        )


@rule
def weigh_kept_chips(hold, kept):
    """Value of a hand after a purchase, when any ware may come next: NEXT_WARE with no
    chip, more with more.
    """
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
    """One sweep over all hands, larger ones first, as rolls lead to them."""
    for k in range(HANDS):
        improve_hand(HANDS - 1 - k, work, hold, moves)


@rule
def compute_values(states, workings, hold, moves):
    """Compute all values, sweep by sweep."""
    work = workings[0]
    list_hands(work.hands)
    list_purchases(states[0], work)
    list_trades(states[0], work)
    for _ in range(ROUNDS):
        weigh_kept_chips(hold, work.kept)
        improve_all(work, hold, moves)
    for h in range(HANDS):
        hold[h, KEEPING] = work.kept[h]
