"""Bazaar: what a strong player looks at. How near every hand is to every ware on offer, what it would bring, and how much of the
game is left."""

import math
from functools import lru_cache
from typing import Any

import numpy as np

from souk.core.position import Position
from souk.games.bazaar import study as tables
from souk.games.bazaar import study_rows
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
from souk.games.bazaar.study import KEEPING, NEXT_WARE, PATIENCE, ROW, TABLE, number
from souk.kernel.chance import mix
from souk.kernel.desk import insert
from souk.kernel.interpreting import entry
from souk.kernel.rule import i64, rule, u64
from souk.kernel.state import StateArray

HORIZON = 2
LAPSES = 0.25
KERNELS = (tables.work_out,)
STAND_INS = {tables.improve_all: study_rows.improve_all, tables.weigh_kept_chips: study_rows.weigh_kept_chips}
MOST = 12  # candidates among actions
STAR_MORE = 1.6  # what one star more multiplies points by, about
LEAD = 0.6  # how much more a ware is worth to whoever is far ahead on the way to it
EVERYTHING = 100.0  # what winning the game at once is worth, next to points
HOPELESS = 0.001  # worth of a hand, or less: some 35 actions from any ware
STRIDE = 1.25  # actions that make no difference to a beginner
FINE = 4096.0  # parts of a point in which moves are compared

# For what a mind sees (mind.py), by seat and stall: how near the hand is to the ware, and whether it can buy it next; the best of both;
# by stall who is nearest and who next; and the stalls in the order in which they suit the seat that is looked from.
DESK = (
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

Lore = np.ndarray[Any, np.dtype[np.float32]]


# ---------------------------------------------------------------- what is worked out beforehand


def study(array: StateArray) -> Lore:
    """What every hand is worth to somebody who goes for a ware, and then the move that leads there, as souk.games.bazaar.study
    works it out; nothing while the rate cards are still to be drawn."""
    frame = np.zeros(1, STATE)
    for field in ("equations", "wares", "rates"):
        frame[field] = array[field]
    frame["players"] = min(int(array["players"][0]), 2)  # the same among any number, but not alone
    return _studied(frame.tobytes()) if frame["rates"].all() else np.zeros(2 * TABLE, np.float32)


@lru_cache(16)
def _studied(frame: bytes) -> Lore:
    from souk.games.bazaar import GAME

    states = np.frombuffer(frame, STATE).copy()
    lore = np.zeros((2, tables.HANDS, ROW), np.float32)
    entry(GAME, tables.work_out)(states, np.zeros(1, tables.WORKINGS), lore[0], lore[1])
    return lore.reshape(-1)


def solved(view: Position) -> list[tuple[str, float, float]]:
    """Alone the game is solved: the moves with the actions they lead to in the end, the fewest first. (Not with cards of
    one's own: the solver knows the box's.)"""
    if view.players > 1 or "cards" in view.options:
        return []
    from souk.games.bazaar.solver import solve

    par = solve(tuple(view.to_json()["rates"]), view.to_json()["seen"][0])
    found = []
    for move in view.moves(0):
        after = view.copy()
        after.play(0, move)
        found.append((move, 1.0, after.scores[0] + par.expected(after)))
    return sorted(found, key=lambda each: round(each[2], 9))


# ---------------------------------------------------------------- what hands promise


@rule
def worth(lore, hand, ware):
    """What a hand is worth at the end of a turn to somebody who goes for a ware; KEEPING: for none yet."""
    return np.float64(lore[ROW * number(hand) + ware])


@rule
def star(s):
    """What points are multiplied by now: more once a stall is empty."""
    return STAR_MORE if empty_stalls(s) > 0 else 1.0


@rule
def going_on(s, hand, lore):
    """What a hand is worth at the end of a turn: with the best of the wares on offer."""
    best = 0.0
    for stall in range(MOST_STALLS):
        best = max(best, worth(lore, hand, s.top[stall]))
    return best * star(s)


@rule
def bargain(s, hand, stall, lore):
    """What it is worth to pay a stall's ware out of a hand: the points, and the chips kept."""
    return value(s, stall, size(hand) - PRICE) + worth(lore, hand - price(s, stall), KEEPING)


@rule
def promise(s, hand, lore):
    """What a hand is worth after an action: buy or go on. With more than ten chips one cannot go on."""
    best = going_on(s, hand, lore) if size(hand) <= LIMIT else 0.0
    for stall in range(MOST_STALLS):
        if payable(s, hand, stall):
            best = max(best, bargain(s, hand, stall, lore))
    return best


@rule
def roll_promise(s, hand, lore):
    """The mean over the die; on Choice one takes the best colour. An eleventh chip that buys nothing is lost again."""
    least = going_on(s, hand, lore) if size(hand) == LIMIT else 0.0
    total = 0.0
    best = 0.0
    for colour in range(COLOURS):
        here = max(least, promise(s, hand + chip(colour), lore))
        total += here
        best = max(best, here)
    return (total + best) / 6.0


@rule
def closes(s, stall):
    """Whether to buy here ends the game."""
    return s.left[stall] == 1 and empty_stalls(s) == 1


@rule
def wins_with(s, seat, points):
    """Whether a seat would be ahead of all others with so many points more."""
    for other in range(s.players):
        if other != seat and s.points[other] >= s.points[seat] + points:
            return False
    return True


@rule
def purchase_promise(s, seat, stall, lore):
    """What a purchase is worth. The last of the game is worth everything or nothing."""
    if closes(s, stall):
        return EVERYTHING if wins_with(s, seat, value(s, stall, held(s, seat) - PRICE)) else 0.0
    return bargain(s, s.chips[seat], stall, lore)


@rule
def double_promise(s, seat, one, two, lore):
    """What two wares at once are worth; that one more may gain a star is left to those who look ahead."""
    rest = held(s, seat) - 2 * PRICE
    points = value(s, one, rest) + value(s, two, rest)
    if closes(s, one) or closes(s, two):
        return EVERYTHING if wins_with(s, seat, points) else 0.0
    return points + worth(lore, s.chips[seat] - price(s, one) - price(s, two), KEEPING)


@rule
def move_promise(s, seat, move, lore):
    """What a move is worth to the seat that makes it, in points. A chip to be returned is the one that is missed most, or alone,
    where it is one's own, least."""
    hand = s.chips[seat]
    if move == ROLL:
        return roll_promise(s, hand, lore)
    if move < TAKE:
        return promise(s, after_trade(s, s.chips[seat], move - TRADE), lore)
    if move < BUY_ONE:
        return promise(s, hand + chip(move - TAKE), lore)
    if move < BUY_TWO:
        return purchase_promise(s, seat, move - BUY_ONE, lore)
    if move < DONE:
        return double_promise(s, seat, (move - BUY_TWO) // MOST_STALLS, (move - BUY_TWO) % MOST_STALLS, lore)
    if move == DONE:
        return going_on(s, hand, lore)
    kept = going_on(s, s.chips[s.turn] - chip(move - GIVE_BACK), lore)
    return EVERYTHING - kept if s.players > 1 else kept


# ---------------------------------------------------------------- moves


@rule
def lead(s, seat, stall, lore):
    """How far a seat is ahead of the others on the way to a ware: from 0 to 1, where nobody else is near it."""
    total = 0.000001
    for other in range(s.players):
        total += worth(lore, s.chips[other], s.top[stall]) ** 4
    return worth(lore, s.chips[seat], s.top[stall]) ** 4 / total


@rule
def likely_action(s, seat, x, lore):
    """The next step on the way to the ware that is worth most; chance decides between wares worth about the same."""
    best = -1.0
    ware = 0
    for stall in range(stalls(s)):
        luck = 1.0 + 0.15 * i64((u64(x) >> u64(8 * stall)) & u64(255)) / 256.0
        here = worth(lore, s.chips[seat], s.top[stall]) * (1.0 + LEAD * lead(s, seat, stall, lore)) * luck
        if here > best:
            best = here
            ware = s.top[stall]
    move = int(lore[TABLE + ROW * number(s.chips[seat]) + ware])
    if move > ROLL and not (trades(s, seat) >> (move - TRADE)) & 1:
        return ROLL  # the bank cannot pay
    return move


@rule
def likely_move(s, seat, x, desk, lore):
    """A step towards a ware; it is bought when that is worth more than to go on."""
    if s.phase == ACT:
        return likely_action(s, seat, x, lore)
    found = allowed(s, seat)
    best = -1.0
    chosen = ROLL
    for move in range(TAKE, LAST_MOVE + 1):
        if (found >> move) & 1:
            here = move_promise(s, seat, move, lore) + 0.25 * i64(mix(x + u64(move)) >> u64(56)) / 256.0
            if here > best:
                best = here
                chosen = move
    return chosen


@rule
def candidates(s, seat, desk, lore):
    """All but the least promising trades, the most promising first."""
    found = allowed(s, seat)
    n = 0
    for move in range(LAST_MOVE, -1, -1):
        if (found >> move) & 1:
            insert(desk, 0, n, move, float(int(FINE * move_promise(s, seat, move, lore))))
            n += 1
    return shortened(desk.found, n) if s.phase == ACT else n


@rule
def shortened(found, n):
    """The first few actions; the roll is always one of them."""
    if n <= MOST:
        return n
    for i in range(MOST):
        if found[i] == ROLL:
            return MOST
    found[MOST - 1] = ROLL
    return MOST


# ---------------------------------------------------------------- the outlook


@rule
def quiet(s):
    """At the start of a turn."""
    return s.phase == ACT


@rule
def wares_to_close(s):
    """How many wares must at least be sold until two stalls are empty."""
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
    """About how many points all seats together will still make: fuller stalls are sold from, too, until the game is over."""
    total = 0
    most = 0
    for stall in range(MOST_STALLS):
        total += s.left[stall]
        most = max(most, s.left[stall])
    low = wares_to_close(s)
    return max(5.0, 5.0 * low + 4.4 * (total - low - most) + 1.2 * most - 7.0)


@rule
def best_leads(s, values, lore):
    """For each seat the worth of the ware to which it is furthest ahead of the others."""
    for seat in range(s.players):
        values[seat] = 0.0
    for stall in range(stalls(s)):
        total = 0.000001
        for seat in range(s.players):
            total += worth(lore, s.chips[seat], s.top[stall]) ** 4
        for seat in range(s.players):
            here = worth(lore, s.chips[seat], s.top[stall])
            values[seat] = max(values[seat], here * here**4 / total)


@rule
def actions_to_come(s, hand, lore):
    """Alone: about how many actions it takes from a hand to the ware. Each leaves a part of the worth that one has with the ware in hand."""
    bought = value(s, 0, 0) + NEXT_WARE
    return math.log(max(worth(lore, hand, s.top[0]), HOPELESS) / bought) / math.log(PATIENCE)


@rule
def outlook(s, values, lore):
    """Alone, the actions. Among others, what they can expect by their hands."""
    if s.players == 1:
        values[0] = s.actions + actions_to_come(s, s.chips[0], lore)
        return 2.0
    return outlook_among_others(s, values, lore)


@rule
def outlook_among_others(s, values, lore):
    """The points, what the hands promise, and an equal share of what is still to come. The weights are about those fitted to who
    won from 80,000 positions of games between players who look one move ahead: 2, 3, 4 and 6 of them, eight pairs of rate cards."""
    best_leads(s, values, lore)
    hands = 0.0
    for seat in range(s.players):
        turns_away = seat - s.turn if seat >= s.turn else seat - s.turn + s.players
        any_ware = 0.48 * values[seat] + 0.65 * worth(lore, s.chips[seat], KEEPING)
        values[seat] = star(s) * any_ware + 0.55 * going_on(s, s.chips[seat], lore) - 1.65 * turns_away / s.players
        hands += values[seat]
    share = (points_to_come(s) - hands) / s.players
    for seat in range(s.players):
        values[seat] += s.points[seat] + share
    return 3.5 + 0.9 * wares_to_close(s) / s.players


# ---------------------------------------------------------------- people


@rule
def likeness(s, hand):
    """How many dots of the wares on offer a hand covers, at best."""
    best = 0
    for stall in range(MOST_STALLS):
        here = 0
        if s.left[stall] > 0:
            for colour in range(COLOURS):
                here += min(dots(hand, colour), dots(price(s, stall), colour))
        best = max(best, here)
    return best


@rule
def points_now(s, hand):
    """The most points that a hand buys at once."""
    best = 0
    for stall in range(MOST_STALLS):
        if payable(s, hand, stall):
            best = max(best, value(s, stall, size(hand) - PRICE))
    return best


@rule
def looks(s, hand):
    return size(hand) + 2.0 * likeness(s, hand) + (5.0 + points_now(s, hand) if points_now(s, hand) > 0 else 0.0)


@rule
def far(s, hand, lore):
    """Alone: how far the ware looks after an action, in steps of one or two more. Where nothing has been worked out one only sees that one
    has the price."""
    if payable(s, hand, 0):
        return -1
    return int(actions_to_come(s, hand, lore) / STRIDE) if len(lore) > TABLE else 0


@rule
def temptation_alone(s, move, lore):
    """What looks nearer to the ware; while nothing does, one rolls."""
    hand = s.chips[0]
    if move == ROLL:
        return 0.5 - far(s, hand, lore)
    if move < TAKE:
        return -1.0 * far(s, after_trade(s, s.chips[0], move - TRADE), lore)
    if move < BUY_ONE:
        return -1.0 * far(s, hand + chip(move - TAKE), lore)
    if move < GIVE_BACK:
        return 1.0 if move != DONE else -EVERYTHING
    return -1.0 * far(s, hand - chip(move - GIVE_BACK), lore)


@rule
def temptation(s, seat, move, lore):
    """Many chips, in the colours of a ware, and buying whatever one can."""
    if s.players == 1:
        return temptation_alone(s, move, lore)
    if move == ROLL:
        return looks(s, s.chips[seat]) + 2.0
    if move < TAKE:
        return looks(s, after_trade(s, s.chips[seat], move - TRADE))
    if move < BUY_ONE:
        return looks(s, s.chips[seat] + chip(move - TAKE))
    if move < BUY_TWO:
        return 1.0 * value(s, move - BUY_ONE, size(s.chips[seat]) - PRICE)
    if move < DONE:
        return 6.0
    if move == DONE:
        return 0.0
    return -looks(s, s.chips[s.turn] - chip(move - GIVE_BACK))


@rule
def habit(s, seat, desk, lore):
    """Buys fast, with chips left over: at once where it can, for most points; and makes the trade that lets it buy for most."""
    found = allowed(s, seat)
    most = 0
    chosen = -1
    for move in range(TRADE, BUY_TWO):
        if (found >> move) & 1 and (s.phase == ACT or s.phase == BUY):
            if move < TAKE:
                points = points_now(s, after_trade(s, s.chips[seat], move - TRADE))
            else:
                points = value(s, move - BUY_ONE, size(s.chips[seat]) - PRICE)
            if points > most:
                most = points
                chosen = move
    return chosen
