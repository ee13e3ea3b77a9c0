"""Bazaar: the clauses of docs/rules/bazaar.md as functions over one record.

Colours are numbered white, blue, green, red, yellow. A bag of chips packs five counts into one number, four bits each,
white lowest: the sides of equations and the prices of wares are stored so. No count needs its fourth bit, see `covers`. Moves and chance outcomes are small numbers,
so that all that are possible now fit one bit set.
"""

import numpy as np

from souk.core.bits import count, member
from souk.core.chance import below
from souk.core.rule import rule

STATE = np.dtype(
    [
        ("equations", "i4", (50, 2)),  # ten rate cards of five: both sides as bags
        ("wares", "i4", 45),  # the price as a bag, and above it a bit for the star
        ("quiet", "i4"),  # turns completed since the last purchase
        ("points", "i2", 6),
        ("actions", "i2"),  # alone: rolls and trades
        ("chips", "i1", (6, 5)),  # by seat and colour
        ("bank", "i1", 5),
        ("rates", "i1", 2),  # the numbers of the rate cards in play, 0 where one is still to be drawn
        ("top", "i1", 4),  # by stall: the ware to be seen, or -1
        ("left", "i1", 4),  # by stall: its cards, the top one included
        ("bought", "i1", 6),
        ("turned", "i1"),  # how many wares have been turned up
        ("seen", "i1", 45),  # which, in that order
        ("phase", "i1"),
        ("turn", "i1"),  # -1 before the first turn and when the game is over
        ("players", "i1"),
        ("first", "i1"),  # the seat given to begin, or -1
        ("double_purchase", "i1"),
    ],
    align=True,
)
WIDEST = 45  # no list of moves or outcomes is longer: the wares

RATES, STALLS, FIRST, ACT, DIE, CHOICE, BUY, REVEAL, RETURN, OVER = range(10)

# Moves: to each of these is added the trade (two for each of the ten equations), the colour, the stall or 4 × stall + stall.
ROLL, TRADE, TAKE, BUY_ONE, BUY_TWO, DONE, GIVE_BACK = 0, 1, 21, 26, 30, 46, 47
LAST_MOVE = GIVE_BACK + 4

CHOICE_FACE = 5  # of the die; the others are colours
CHIPS = 20  # of each colour
LIMIT = 10  # chips a seat may hold at the end of a turn
PRICE = 5  # chips for a ware
IN_A_STALL = 5
QUIET_TURNS = 50  # for each player
ACTIONS = 200  # alone
VALUES = (5, 3, 2, 1, 8, 5, 3, 2, 12, 8, 5, 3)  # by 4 × stars + chips left over, up to 3

BAG = 0xFFFFF
STAR = 20  # the bit above a bag
MOST = 7  # the highest count in a bag
MOST_GAINED = 3  # chips, by one trade: a side shows 1 to 4
GUARDS = 0x88888


# ---------------------------------------------------------------- bags, and sets of moves or outcomes


@rule
def dots(bag, colour):
    """How many of a colour a bag holds."""
    return (bag >> (4 * colour)) & 7


@rule
def size(bag):
    """How many chips a side of an equation shows (1 to 4: sixteens leave one when divided by fifteen)."""
    return bag % 15


@rule
def covers(bag, price):
    """Whether a bag holds all chips of another: the guard bit above a count is borrowed where there are too few."""
    return ((bag | GUARDS) - price) & GUARDS == GUARDS


@rule
def write_all(found, out):
    """All of a set in ascending order; returns how many."""
    n = 0
    code = 0
    while found >> code:
        if (found >> code) & 1:
            out[n] = code
            n += 1
        code += 1
    return n


# ---------------------------------------------------------------- chips and trades


@rule
def held(s, seat):
    """How many chips a seat holds."""
    total = 0
    for colour in range(5):
        total += s.chips[seat, colour]
    return total


@rule
def chips_after(s, seat, gives, gets):
    """A seat's chips after a trade, as a bag in which no colour counts more than seven: nothing costs as many."""
    bag = 0
    for colour in range(5):
        chips = s.chips[seat, colour] - dots(gives, colour) + dots(gets, colour)
        bag |= min(chips, MOST) << (4 * colour)
    return bag


@rule
def bank_bag(s):
    """The bank's chips as such a bag."""
    bag = 0
    for colour in range(5):
        bag |= min(s.bank[colour], MOST) << (4 * colour)
    return bag


@rule
def equation(s, i):
    """Z3: which of all equations is number i of the ten in play."""
    return 5 * (s.rates[i // 5] - 1) + i % 5


@rule
def side(s, trade):
    """Z11: what is given in a trade: 2 × i gives the left side of equation i of the ten in play, 2 × i + 1 the right.
    What is got is `side(s, trade ^ 1)`."""
    return s.equations[equation(s, trade >> 1), trade & 1]


@rule
def fits(s, seat, total, gives, gets):
    """Z14: a trade may end above ten chips only if a ware can then be paid. Z42: alone it never may."""
    if total + MOST_GAINED <= LIMIT or total - size(gives) + size(gets) <= LIMIT:
        return True
    return s.players > 1 and can_buy(s, chips_after(s, seat, gives, gets))


@rule
def trades(s, seat):
    """Z11, Z13–Z14: the trades a seat may make, as a set: it has what is given, the bank what is got."""
    found = 0
    total = held(s, seat)
    bag = chips_after(s, seat, 0, 0)
    bank = bank_bag(s)
    for i in range(10):
        left = s.equations[equation(s, i), 0]
        right = s.equations[equation(s, i), 1]
        if covers(bag, left) and covers(bank, right) and fits(s, seat, total, left, right):
            found |= 1 << (2 * i)
        if covers(bag, right) and covers(bank, left) and fits(s, seat, total, right, left):
            found |= 2 << (2 * i)
    return found


@rule
def exchange(s, seat, gives, gets):
    """Z11: all chips of one side go to the bank, all of the other to the seat."""
    for colour in range(5):
        more = dots(gets, colour) - dots(gives, colour)
        s.chips[seat, colour] += more
        s.bank[colour] -= more


@rule
def take_chip(s, colour):
    """Z10, Z13: the seat on turn takes a chip, if the bank has one."""
    if s.bank[colour] > 0:
        s.bank[colour] -= 1
        s.chips[s.turn, colour] += 1


@rule
def give_back(s, colour):
    """Z15: the seat on turn loses a chip to the bank."""
    s.chips[s.turn, colour] -= 1
    s.bank[colour] += 1


# ---------------------------------------------------------------- stalls and wares


@rule
def stalls(s):
    """Z5: four stalls. Z42: alone one."""
    return 4 if s.players > 1 else 1


@rule
def price(s, stall):
    """Z4: the five chips that a stall's top card shows."""
    return s.wares[s.top[stall]] & BAG


@rule
def starred(s, stall):
    return s.wares[s.top[stall]] >> STAR


@rule
def empty_stalls(s):
    empty = 0
    for stall in range(stalls(s)):
        if s.left[stall] == 0:
            empty += 1
    return empty


@rule
def payable(s, bag, stall):
    """Z12: whether a bag pays for a stall's top card. Z42: alone, whether it is exactly the price."""
    if s.top[stall] < 0:
        return False
    return covers(bag, price(s, stall)) if s.players > 1 else bag == price(s, stall)


@rule
def can_buy(s, bag):
    for stall in range(stalls(s)):
        if payable(s, bag, stall):
            return True
    return False


@rule
def both_payable(s, seat, one, two):
    """Z40: whether a seat has the ten chips that two top cards show."""
    for colour in range(5):
        if s.chips[seat, colour] < dots(price(s, one), colour) + dots(price(s, two), colour):
            return False
    return True


@rule
def purchases(s, seat):
    """Z12, Z40: what a seat may buy, as a set: a stall, or 4 + 4 × first stall + second stall."""
    found = 0
    bag = chips_after(s, seat, 0, 0)
    for stall in range(stalls(s)):
        if payable(s, bag, stall):
            found |= 1 << stall
    if s.double_purchase and held(s, seat) >= 2 * PRICE:
        for one in range(4):
            for two in range(one):
                if (found >> one) & (found >> two) & 1 and both_payable(s, seat, one, two):
                    found |= (1 << (4 + 4 * one + two)) | (1 << (4 + 4 * two + one))
    return found


@rule
def value(s, stall, rest):
    """Z20–Z21: points for a stall's top card by the chips left over; a star more once a stall is empty."""
    stars = starred(s, stall)
    if empty_stalls(s) > 0:
        stars += 1
    return VALUES[4 * stars + min(rest, 3)]


@rule
def hand_over(s, seat, stall, rest):
    """Z12, Z20: a stall's top card is paid and goes to the buyer, for points (alone there are none: Z42)."""
    if s.players > 1:
        s.points[seat] += value(s, stall, rest)
    exchange(s, seat, price(s, stall), 0)
    s.bought[seat] += 1
    s.left[stall] -= 1
    s.top[stall] = -1


@rule
def buy_two(s, seat, one, two):
    """Z40–Z41: both are valued by the chips left after both, unless the first already closes the bazaar."""
    if s.left[one] == 1 and empty_stalls(s) == 1:
        hand_over(s, seat, one, held(s, seat) - PRICE)
    else:
        rest = held(s, seat) - 2 * PRICE
        hand_over(s, seat, one, rest)
        hand_over(s, seat, two, rest)


@rule
def unfilled_stall(s):
    """The lowest stall whose next card is to be turned up, or -1."""
    for stall in range(stalls(s)):
        if s.left[stall] > 0 and s.top[stall] < 0:
            return stall
    return -1


@rule
def note_seen(s, ware):
    s.seen[s.turned] = ware
    s.turned += 1


@rule
def turn_up(s, ware):
    """Z5: a ware comes to light in the lowest stall that waits for one."""
    s.top[unfilled_stall(s)] = ware
    note_seen(s, ware)


@rule
def unseen_wares(s):
    found = (1 << 45) - 1
    for i in range(s.turned):
        found ^= 1 << s.seen[i]
    return found


# ---------------------------------------------------------------- setting up and taking turns


@rule
def setup(s):
    """Z1, Z5, Z42: all chips in the bank, five cards in each of four stalls (alone: one card), nobody's turn yet."""
    for colour in range(5):
        s.bank[colour] = CHIPS
    for stall in range(stalls(s)):
        s.left[stall] = IN_A_STALL if s.players > 1 else 1
    if s.top[0] >= 0:
        note_seen(s, s.top[0])
    s.turn = -1
    lay_out(s)


@rule
def lay_out(s):
    """Z3, Z5–Z6: rate cards, then wares, then who begins: each is drawn unless it is given."""
    if s.rates[1] == 0:
        s.phase = RATES
    elif unfilled_stall(s) >= 0:
        s.phase = STALLS
    elif s.first < 0:
        s.phase = FIRST
    else:
        begin_turn(s, s.first)


@rule
def begin_turn(s, seat):
    s.turn = seat
    s.phase = ACT


@rule
def close(s):
    s.turn = -1
    s.phase = OVER


@rule
def to_market(s):
    """Z12, Z14–Z15: after a roll or trade one may buy if one can; if not, an eleventh chip is taken away."""
    if can_buy(s, chips_after(s, s.turn, 0, 0)):
        s.phase = BUY
    elif held(s, s.turn) > LIMIT:
        s.phase = RETURN
    else:
        end_quiet_turn(s)


@rule
def end_quiet_turn(s):
    """Z6, Z32: a turn without a purchase is over; too many of them in a row, or alone too many actions, end the game."""
    s.quiet += 1
    tired = s.actions >= ACTIONS if s.players == 1 else s.quiet >= QUIET_TURNS * s.players
    if tired:
        close(s)
    else:
        begin_turn(s, (s.turn + 1) % s.players)


@rule
def after_purchase(s):
    """Z30: the end when two stalls are empty (Z42: alone, when the ware is bought). If not, new cards are turned up."""
    s.quiet = 0
    if empty_stalls(s) >= min(s.players, 2):
        close(s)
    elif unfilled_stall(s) >= 0:
        s.phase = REVEAL
    else:
        begin_turn(s, (s.turn + 1) % s.players)


# ---------------------------------------------------------------- the verbs


@rule
def over(s):
    return s.phase == OVER


@rule
def actors(s):
    """Z15: the surplus chip is for the neighbour to pick, alone for oneself. All else is for the seat on turn."""
    if s.phase == RETURN:
        return 1 << ((s.turn + 1) % s.players)
    return 1 << s.turn if s.phase == ACT or s.phase == CHOICE or s.phase == BUY else 0


@rule
def allowed(s, seat):
    """All moves of a seat that is to move, as a set."""
    found = 0
    if s.phase == ACT:
        found = (trades(s, seat) << TRADE) | (1 << ROLL)
    elif s.phase == CHOICE:
        for colour in range(5):
            if s.bank[colour] > 0:
                found |= 1 << (TAKE + colour)
    elif s.phase == BUY:
        found = purchases(s, seat) << BUY_ONE
        if held(s, seat) <= LIMIT:
            found |= 1 << DONE
    elif s.phase == RETURN:
        for colour in range(5):
            if s.chips[s.turn, colour] > 0:
                found |= 1 << (GIVE_BACK + colour)
    return found


@rule
def moves(s, seat, out):
    return write_all(allowed(s, seat), out) if (actors(s) >> seat) & 1 else 0


@rule
def legal(s, seat, move):
    if move < 0 or move > LAST_MOVE or not (actors(s) >> seat) & 1:
        return False
    return (allowed(s, seat) >> move) & 1 == 1


@rule
def play(s, seat, move):
    if s.phase == ACT:
        if s.players == 1:
            s.actions += 1
        if move == ROLL:
            s.phase = DIE
        else:
            exchange(s, seat, side(s, move - TRADE), side(s, (move - TRADE) ^ 1))
            to_market(s)
    elif s.phase == CHOICE:
        take_chip(s, move - TAKE)
        to_market(s)
    elif s.phase == RETURN:
        give_back(s, move - GIVE_BACK)
        end_quiet_turn(s)
    elif move == DONE:
        end_quiet_turn(s)
    else:
        if move < BUY_TWO:
            hand_over(s, seat, move - BUY_ONE, held(s, seat) - PRICE)
        else:
            buy_two(s, seat, (move - BUY_TWO) >> 2, (move - BUY_TWO) & 3)
        after_purchase(s)


@rule
def possible(s):
    """What the due die or card may show, as a set; all are equally likely."""
    if s.phase == DIE:
        return 0b111111
    if s.phase == STALLS or s.phase == REVEAL:
        return unseen_wares(s)
    if s.phase == FIRST:
        return (1 << s.players) - 1
    if s.phase == RATES:
        return 0b11111111110 & ~(1 << s.rates[0])
    return 0


@rule
def outcomes(s, out, weights):
    n = write_all(possible(s), out)
    for i in range(n):
        weights[i] = 1
    return n


@rule
def resolve(s, outcome):
    if s.phase == DIE:
        if outcome == CHOICE_FACE:
            s.phase = CHOICE
        else:
            take_chip(s, outcome)
            to_market(s)
    elif s.phase == REVEAL:
        turn_up(s, outcome)
        after_purchase(s)
    elif s.phase == FIRST:
        begin_turn(s, outcome)
    else:
        if s.phase == STALLS:
            turn_up(s, outcome)
        else:
            s.rates[1 if s.rates[0] else 0] = outcome
        lay_out(s)


@rule
def standing(s, scores):
    """Z31: most points, then fewer wares, then a shared win. Z42: alone the score is the number of actions, and the game
    is won by buying."""
    if s.players == 1:
        scores[0] = s.actions
        return 1 if s.phase == OVER and s.bought[0] > 0 else 0
    best = -128
    winners = 0
    for seat in range(s.players):
        scores[seat] = s.points[seat]
        rank = scores[seat] * 128 - s.bought[seat]
        if rank > best:
            best = rank
            winners = 0
        if rank == best:
            winners |= 1 << seat
    return winners if s.phase == OVER else 0


@rule
def random_move(s, seat, x, out):
    """What the default picks, without a list."""
    found = allowed(s, seat)
    return member(found, below(x, count(found)))


@rule
def random_outcome(s, x, out, weights):
    """What the default picks, without a list."""
    if s.phase == DIE:
        return below(x, 6)
    found = possible(s)
    return member(found, below(x, count(found)))
