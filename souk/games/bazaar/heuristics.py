"""Bazaar heuristics: how near each hand is to each ware on offer, its value, and the rest
of the game.
"""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from souk.core.position import Position
from souk.games.bazaar import ware_values, ware_values_numpy
from souk.games.bazaar.rules import (
    ACT,
    BUY,
    BUY_ONE,
    BUY_TWO,
    COLOURS,
    DONE,
    GIVE_BACK,
    IN_A_STALL,
    LAST_MOVE,
    LIMIT,
    MOST_STALLS,
    PRICE,
    ROLL,
    STATE,
    TAKE,
    TRADE,
    after_trade,
    allowed,
    chip,
    dots,
    empty_stalls,
    held,
    payable,
    price,
    size,
    stalls,
    trades,
    value,
)
from souk.games.bazaar.ware_values import KEEPING, NEXT_WARE, PATIENCE, ROW, TABLE, number
from souk.kernel.interpreter import load_kernel
from souk.kernel.rng import mix
from souk.kernel.rule import i64, rule, u64
from souk.kernel.state import StateArray
from souk.kernel.workspace import insert

HORIZON = 2
LAPSES = 0.25
KERNELS = (ware_values.compute_values,)
STAND_INS = {
    ware_values.improve_all: ware_values_numpy.improve_all,
    ware_values.weigh_kept_chips: ware_values_numpy.weigh_kept_chips,
}
MOST = 12  # candidates among actions
STAR_MORE = 1.6  # factor by which one more star multiplies points, roughly
LEAD = 0.6  # extra value of a ware to a seat far ahead on the way to it
EVERYTHING = 100.0  # value of winning at once, in points
HOPELESS = 0.001  # lower bound of a hand's value: some 35 actions from any ware
STRIDE = 1.25  # actions a beginner cannot tell apart
FINE = 4096.0  # fractions of a point to which moves are compared

# For net_features.py, by seat and stall: how near the hand is to the ware, and whether it can buy
# it next; the best of both; by stall the nearest seat and the runner-up; and the stalls in the
# order that suits the observing seat.
WORKSPACE = (
    ("near", "f8", (6, MOST_STALLS)),
    ("chance", "i4", (6, MOST_STALLS)),
    ("nearest", "f8", 6),
    ("likeliest", "i4", 6),
    ("keep", "f8", 6),
    ("seems", "i4", 6),
    ("soon", "i4", 6),
    ("leader", "i4", MOST_STALLS),
    ("runner_up", "i4", MOST_STALLS),
    ("order", "i4", MOST_STALLS),
)

Lookup = np.ndarray[Any, np.dtype[np.float32]]


# ---------------------------------------------------------------- precomputed values


def build_lookup(array: StateArray) -> Lookup:
    """Value of every hand for every ware, and the move leading there (see ware_values).

    All zero until the rate cards are drawn.
    """
    frame = np.zeros(1, STATE)
    for field in ("equations", "wares", "rates"):
        frame[field] = array[field]
    # The same for any number of players, except solitaire.
    frame["players"] = min(int(array["players"][0]), 2)
    return (
        _cached_lookup(frame.tobytes()) if frame["rates"].all() else np.zeros(2 * TABLE, np.float32)
    )


@lru_cache(16)
def _cached_lookup(frame: bytes) -> Lookup:
    from souk.games.bazaar import GAME

    states = np.frombuffer(frame, STATE).copy()
    lookup = np.zeros((2, ware_values.HANDS, ROW), np.float32)
    load_kernel(GAME, ware_values.compute_values)(
        states, np.zeros(1, ware_values.SCRATCH), lookup[0], lookup[1]
    )
    return lookup.reshape(-1)


def exact_moves(view: Position) -> list[tuple[str, float, float]]:
    """Solitaire is solved: the moves by expected total actions, fewest first.

    Empty for custom cards, which the solver does not know.
    """
    if view.players > 1 or "cards" in view.options:
        return []
    from souk.games.bazaar.solitaire_solver import solve

    par = solve(tuple(view.to_json()["rates"]), view.to_json()["seen"][0])
    rated = []
    for move in view.moves(0):
        after = view.copy()
        after.play(0, move)
        rated.append((move, 1.0, after.scores[0] + par.expected(after)))
    return sorted(rated, key=lambda move_rating: round(move_rating[2], 9))


# ---------------------------------------------------------------- value of hands and moves


@rule
def worth(lookup, hand, ware):
    """Value of a hand at the end of a turn when going for a ware (KEEPING: for none yet)."""
    return np.float64(lookup[ROW * number(hand) + ware])


@rule
def star_factor(s):
    """Current factor on points: higher once a stall is empty."""
    return STAR_MORE if empty_stalls(s) > 0 else 1.0


@rule
def hand_value(s, hand, lookup):
    """Value of a hand at the end of a turn, with the best ware on offer."""
    best = 0.0
    for stall in range(MOST_STALLS):
        best = max(best, worth(lookup, hand, s.top[stall]))
    return best * star_factor(s)


@rule
def purchase_value(s, hand, stall, lookup):
    """Value of paying for a stall's ware: the points, and the chips kept."""
    return value(s, stall, size(hand) - PRICE) + worth(lookup, hand - price(s, stall), KEEPING)


@rule
def best_value(s, hand, lookup):
    """Value of a hand after an action: buy, or go on, which ten chips at most allow."""
    best = hand_value(s, hand, lookup) if size(hand) <= LIMIT else 0.0
    for stall in range(MOST_STALLS):
        if payable(s, hand, stall):
            best = max(best, purchase_value(s, hand, stall, lookup))
    return best


@rule
def roll_value(s, hand, lookup):
    """Mean over the die; Choice takes the best colour.

    An eleventh chip that buys nothing is lost again.
    """
    least = hand_value(s, hand, lookup) if size(hand) == LIMIT else 0.0
    total = 0.0
    best = 0.0
    for colour in range(COLOURS):
        value_then = max(least, best_value(s, hand + chip(colour), lookup))
        total += value_then
        best = max(best, value_then)
    return (total + best) / 6.0


@rule
def ends_game(s, stall):
    """Whether buying here ends the game."""
    return s.left[stall] == 1 and empty_stalls(s) == 1


@rule
def wins_with(s, seat, points):
    """Whether a seat would lead everybody with this many more points."""
    for other in range(s.players):
        if other != seat and s.points[other] >= s.points[seat] + points:
            return False
    return True


@rule
def purchase_score(s, seat, stall, lookup):
    """Value of a purchase. The last one of the game is worth everything or nothing."""
    if ends_game(s, stall):
        return EVERYTHING if wins_with(s, seat, value(s, stall, held(s, seat) - PRICE)) else 0.0
    return purchase_value(s, s.chips[seat], stall, lookup)


@rule
def double_purchase_score(s, seat, one, two, lookup):
    """Value of a double purchase; an extra star for the second ware is ignored."""
    rest = held(s, seat) - 2 * PRICE
    points = value(s, one, rest) + value(s, two, rest)
    if ends_game(s, one) or ends_game(s, two):
        return EVERYTHING if wins_with(s, seat, points) else 0.0
    return points + worth(lookup, s.chips[seat] - price(s, one) - price(s, two), KEEPING)


@rule
def move_score(s, seat, move, lookup):
    """Value of a move to the seat that makes it, in points.

    A returned chip is the one its owner misses most; in solitaire, least.
    """
    hand = s.chips[seat]
    if move == ROLL:
        return roll_value(s, hand, lookup)
    if move < TAKE:
        return best_value(s, after_trade(s, s.chips[seat], move - TRADE), lookup)
    if move < BUY_ONE:
        return best_value(s, hand + chip(move - TAKE), lookup)
    if move < BUY_TWO:
        return purchase_score(s, seat, move - BUY_ONE, lookup)
    if move < DONE:
        return double_purchase_score(
            s, seat, (move - BUY_TWO) // MOST_STALLS, (move - BUY_TWO) % MOST_STALLS, lookup
        )
    if move == DONE:
        return hand_value(s, hand, lookup)
    kept = hand_value(s, s.chips[s.turn] - chip(move - GIVE_BACK), lookup)
    return EVERYTHING - kept if s.players > 1 else kept


# ---------------------------------------------------------------- moves


@rule
def lead(s, seat, stall, lookup):
    """A seat's lead over the others on the way to a ware, from 0 to 1 (nobody else is near)."""
    total = 0.000001
    for other in range(s.players):
        total += worth(lookup, s.chips[other], s.top[stall]) ** 4
    return worth(lookup, s.chips[seat], s.top[stall]) ** 4 / total


@rule
def rollout_action(s, seat, x, lookup):
    """The next step toward the most valuable ware; chance decides between similar ones."""
    best = -1.0
    ware = 0
    for stall in range(stalls(s)):
        luck = 1.0 + 0.15 * i64((u64(x) >> u64(8 * stall)) & u64(255)) / 256.0
        ware_value = (
            worth(lookup, s.chips[seat], s.top[stall])
            * (1.0 + LEAD * lead(s, seat, stall, lookup))
            * luck
        )
        if ware_value > best:
            best = ware_value
            ware = s.top[stall]
    move = int(lookup[TABLE + ROW * number(s.chips[seat]) + ware])
    if move > ROLL and not (trades(s, seat) >> (move - TRADE)) & 1:
        return ROLL  # the bank cannot pay
    return move


@rule
def rollout_move(s, seat, x, workspace, lookup):
    """A step toward a ware; buy if that is worth more than going on."""
    if s.phase == ACT:
        return rollout_action(s, seat, x, lookup)
    options = allowed(s, seat)
    best = -1.0
    chosen = ROLL
    for move in range(TAKE, LAST_MOVE + 1):
        if (options >> move) & 1:
            move_value = (
                move_score(s, seat, move, lookup)
                + 0.25 * i64(mix(x + u64(move)) >> u64(56)) / 256.0
            )
            if move_value > best:
                best = move_value
                chosen = move
    return chosen


@rule
def candidates(s, seat, workspace, lookup):
    """All but the least promising trades, best first."""
    options = allowed(s, seat)
    n = 0
    for move in range(LAST_MOVE, -1, -1):
        if (options >> move) & 1:
            insert(workspace, 0, n, move, float(int(FINE * move_score(s, seat, move, lookup))))
            n += 1
    return shortened(workspace.found, n) if s.phase == ACT else n


@rule
def shortened(moves, n):
    """The first few actions, always including the roll."""
    if n <= MOST:
        return n
    for i in range(MOST):
        if moves[i] == ROLL:
            return MOST
    moves[MOST - 1] = ROLL
    return MOST


# ---------------------------------------------------------------- evaluation


@rule
def is_quiet(s):
    """The start of a turn."""
    return s.phase == ACT


@rule
def wares_to_close(s):
    """Minimum number of sales until two stalls are empty."""
    low = IN_A_STALL
    second = IN_A_STALL
    for stall in range(MOST_STALLS):
        if s.left[stall] < low:
            second = low
            low = s.left[stall]
        elif s.left[stall] < second:
            second = s.left[stall]
    return low + second


@rule
def points_to_come(s):
    """Points all seats together will still score, roughly: fuller stalls are sold from, too."""
    total = 0
    most = 0
    for stall in range(MOST_STALLS):
        total += s.left[stall]
        most = max(most, s.left[stall])
    low = wares_to_close(s)
    return max(5.0, 5.0 * low + 4.4 * (total - low - most) + 1.2 * most - 7.0)


@rule
def best_leads(s, values, lookup):
    """For each seat, the value of the ware on which it leads most."""
    for seat in range(s.players):
        values[seat] = 0.0
    for stall in range(stalls(s)):
        total = 0.000001
        for seat in range(s.players):
            total += worth(lookup, s.chips[seat], s.top[stall]) ** 4
        for seat in range(s.players):
            ware_value = worth(lookup, s.chips[seat], s.top[stall])
            values[seat] = max(values[seat], ware_value * ware_value**4 / total)


@rule
def actions_to_come(s, hand, lookup):
    """Solitaire: approximate actions from a hand to the ware, each costing a fraction of
    the final value.
    """
    bought = value(s, 0, 0) + NEXT_WARE
    return math.log(max(worth(lookup, hand, s.top[0]), HOPELESS) / bought) / math.log(PATIENCE)


@rule
def evaluate(s, values, lookup):
    """Solitaire: the actions. Otherwise: see `evaluate_multiplayer`."""
    if s.players == 1:
        values[0] = s.actions + actions_to_come(s, s.chips[0], lookup)
        return 2.0
    return evaluate_multiplayer(s, values, lookup)


@rule
def evaluate_multiplayer(s, values, lookup):
    """Points, value of the hands, and an equal share of what is still to come.

    Weights roughly as fitted to who won from 80,000 positions between one-ply players: 2, 3, 4 and
    6 of them, eight pairs of rate cards.
    """
    best_leads(s, values, lookup)
    hands = 0.0
    for seat in range(s.players):
        turns_away = seat - s.turn if seat >= s.turn else seat - s.turn + s.players
        any_ware = 0.48 * values[seat] + 0.65 * worth(lookup, s.chips[seat], KEEPING)
        values[seat] = (
            star_factor(s) * any_ware
            + 0.55 * hand_value(s, s.chips[seat], lookup)
            - 1.65 * turns_away / s.players
        )
        hands += values[seat]
    share = (points_to_come(s) - hands) / s.players
    for seat in range(s.players):
        values[seat] += s.points[seat] + share
    return 3.5 + 0.9 * wares_to_close(s) / s.players


# ---------------------------------------------------------------- beginners and traders


@rule
def dots_covered(s, hand):
    """Most dots of a ware on offer that a hand covers."""
    best = 0
    for stall in range(MOST_STALLS):
        covered = 0
        if s.left[stall] > 0:
            for colour in range(COLOURS):
                covered += min(dots(hand, colour), dots(price(s, stall), colour))
        best = max(best, covered)
    return best


@rule
def points_now(s, hand):
    """Most points a hand buys at once."""
    best = 0
    for stall in range(MOST_STALLS):
        if payable(s, hand, stall):
            best = max(best, value(s, stall, size(hand) - PRICE))
    return best


@rule
def beginner_hand_score(s, hand):
    return (
        size(hand)
        + 2.0 * dots_covered(s, hand)
        + (5.0 + points_now(s, hand) if points_now(s, hand) > 0 else 0.0)
    )


@rule
def beginner_distance(s, hand, lookup):
    """Solitaire: distance of the ware after an action, in steps of one or two.

    Without a lookup, only a payable price is recognized.
    """
    if payable(s, hand, 0):
        return -1
    return int(actions_to_come(s, hand, lookup) / STRIDE) if len(lookup) > TABLE else 0


@rule
def beginner_score_alone(s, move, lookup):
    """What looks nearer to the ware; if nothing does, roll."""
    hand = s.chips[0]
    if move == ROLL:
        return 0.5 - beginner_distance(s, hand, lookup)
    if move < TAKE:
        return -1.0 * beginner_distance(s, after_trade(s, s.chips[0], move - TRADE), lookup)
    if move < BUY_ONE:
        return -1.0 * beginner_distance(s, hand + chip(move - TAKE), lookup)
    if move < GIVE_BACK:
        return 1.0 if move != DONE else -EVERYTHING
    return -1.0 * beginner_distance(s, hand - chip(move - GIVE_BACK), lookup)


@rule
def beginner_score(s, seat, move, lookup):
    """Many chips in the colours of a ware, and buying whatever is payable."""
    if s.players == 1:
        return beginner_score_alone(s, move, lookup)
    if move == ROLL:
        return beginner_hand_score(s, s.chips[seat]) + 2.0
    if move < TAKE:
        return beginner_hand_score(s, after_trade(s, s.chips[seat], move - TRADE))
    if move < BUY_ONE:
        return beginner_hand_score(s, s.chips[seat] + chip(move - TAKE))
    if move < BUY_TWO:
        return 1.0 * value(s, move - BUY_ONE, size(s.chips[seat]) - PRICE)
    if move < DONE:
        return 6.0
    if move == DONE:
        return 0.0
    return -beginner_hand_score(s, s.chips[s.turn] - chip(move - GIVE_BACK))


@rule
def rule_of_thumb_move(s, seat, workspace, lookup):
    """Buy at once for most points, and make the trade that lets the seat buy for most."""
    options = allowed(s, seat)
    most = 0
    chosen = -1
    for move in range(TRADE, BUY_TWO):
        if (options >> move) & 1 and (s.phase == ACT or s.phase == BUY):
            if move < TAKE:
                points = points_now(s, after_trade(s, s.chips[seat], move - TRADE))
            else:
                points = value(s, move - BUY_ONE, size(s.chips[seat]) - PRICE)
            if points > most:
                most = points
                chosen = move
    return chosen
