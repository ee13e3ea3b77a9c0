"""Bazaar solitaire, compiled: transitions between hands by the rules, and value iteration."""

import numpy as np

from souk.games.bazaar.rules import (
    ACT,
    CHIPS,
    COLOURS,
    GIVE_BACK,
    ONE_OF_EACH,
    RETURN,
    ROLL,
    TRADE,
    TRADES,
    dots,
)
from souk.kernel.game_ops import moves, play, resolve
from souk.kernel.rule import rule


@rule
def set_hand(s, hand):
    """Z42: a turn start with this hand, everything else in the bank, and no action used."""
    s.chips[0] = hand
    s.bank = CHIPS * ONE_OF_EACH - hand
    s.phase = ACT
    s.turn = 0
    s.actions = 0


@rule
def transitions_from(before, after, hand, trade_to, roll_to, out):
    """Hands reached by a hand's trades and by each colour rolled.

    With eleven chips a roll leads to the hands after returning one. Unused entries stay NOWHERE.
    """
    set_hand(before[0], hand)
    for k in range(moves(before[0], 0, out)):
        after[0] = before[0]
        if out[k] != ROLL:
            trade = out[k] - TRADE
            play(after[0], 0, out[k])
            trade_to[trade] = after[0].chips[0]
    for colour in range(COLOURS):
        for returned in range(COLOURS):
            after[0] = before[0]
            play(after[0], 0, ROLL)
            resolve(after[0], colour)
            if after[0].phase != RETURN:
                roll_to[colour, 0] = after[0].chips[0]
            elif dots(after[0].chips[0], returned) > 0:
                play(after[0], 0, GIVE_BACK + returned)
                roll_to[colour, returned] = after[0].chips[0]


@rule
def all_transitions(before, after, hands, trade_to, roll_to, out):
    for h in range(len(hands)):
        transitions_from(before, after, hands[h], trade_to[h], roll_to[h], out)


@rule
def improve(trade_to, roll_to, goal, values):
    """One sweep of value iteration over all hands; returns the largest change.

    Choice takes the best colour; the goal is bought at once.
    """
    largest = 0.0
    for h in range(len(values)):
        best = np.inf
        for trade in range(TRADES):
            if trade_to[h, trade] >= 0:
                best = min(best, 0.0 if trade_to[h, trade] == goal else values[trade_to[h, trade]])
        total = 0.0
        choice = np.inf
        for colour in range(COLOURS):
            least = np.inf
            for returned in range(COLOURS):
                if roll_to[h, colour, returned] >= 0:
                    to = roll_to[h, colour, returned]
                    least = min(least, 0.0 if to == goal else values[to])
            total += least
            choice = min(choice, least)
        best = 1.0 + min(best, (total + choice) / 6.0)
        largest = max(largest, abs(best - values[h]))
        values[h] = best
    return largest
