"""Bazaar: the clauses of rules.md beside this file as functions over one state.

Colours are numbered white, blue, green, red, yellow. All chips are stored as bags (see souk.kernel.bags), white lowest: those of the
seats and the bank, the sides of equations, the prices of wares. Moves and chance outcomes are small numbers, so that all that are
possible now fit one bit set.
"""

import numpy as np

from souk.kernel.bags import BITS, count_of, covers
from souk.kernel.bits import count, member, write_members
from souk.kernel.chance import below
from souk.kernel.ranking import leaders
from souk.kernel.rule import rule

STATE = np.dtype(
    [
        ("equations", "i8", (11, 5)),  # by the number of a rate card (1 to 10): both sides as a pair of bags
        ("wares", "i4", 46),  # the price as a bag, and above it a bit for the star; the last is NO_WARE
        ("chips", "i4", 6),  # by seat, as a bag
        ("bank", "i4"),  # likewise
        ("points", "i2", 6),
        ("idle", "i2"),  # turns completed since the last purchase
        ("actions", "i2"),  # alone: rolls and trades
        ("turned", "i2"),  # how many wares have been turned up
        ("seen", "i1", 45),  # which, in that order
        ("rates", "u1", 2),  # the numbers of the rate cards in play, 0 where one is still to be drawn
        ("top", "u1", 4),  # by stall: the number of the ware to be seen, or NO_WARE
        ("left", "i1", 4),  # by stall: its cards, the top one included
        ("bought", "i1", 6),
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

COLOURS = 5
MOST_STALLS = 4
EQUATIONS = 5  # on each of two rate cards
TRADES = 20  # each equation can be read both ways: see `trade_number`

ROLL = 0  # moves
TRADE = ROLL + 1  # + the trade
TAKE = TRADE + TRADES  # + the colour
BUY_ONE = TAKE + COLOURS  # + the stall
BUY_TWO = BUY_ONE + MOST_STALLS  # + 4 × the first stall + the second
DONE = BUY_TWO + MOST_STALLS * MOST_STALLS
GIVE_BACK = DONE + 1  # + the colour
LAST_MOVE = GIVE_BACK + COLOURS - 1

CHOICE_FACE = 5  # of the die; the others are colours
CHIPS = 20  # of each colour
LIMIT = 10  # chips a seat may hold at the end of a turn
PRICE = 5  # chips for a ware
IN_A_STALL = 5
QUIET_TURNS = 50  # for each player
ACTIONS = 200  # alone
VALUES = (5, 3, 2, 1, 8, 5, 3, 2, 12, 8, 5, 3)  # by 4 × stars + chips left over, up to 3

ONE_OF_EACH = 0o0101010101  # a bag in octal: two digits for each colour
BAG = 31 * ONE_OF_EACH  # a full bag: more of each colour than there are
SECOND = 30  # where the second bag of a pair begins, so that ten counts stand in a row
STAR = 30  # the bit above a price
NO_WARE = 45  # on top of an empty stall; its price is a full bag, which nobody can pay
MOST_GAINED = 3  # chips, by one trade: a side shows 1 to 4


# ---------------------------------------------------------------- bags


@rule
def chip(colour):
    """The bag that holds one chip."""
    return 1 << (BITS * colour)


@rule
def pair(first, second):
    """Two bags as one number."""
    return first | (second << SECOND)


@rule
def dots(bag, colour):
    """How many of a colour a bag holds."""
    return count_of(bag, colour)


@rule
def colours_in(bag):
    """The colours of which a bag holds any, as a set."""
    found = 0
    for colour in range(COLOURS):
        if dots(bag, colour) > 0:
            found |= 1 << colour
    return found


@rule
def size(bag):
    """How many chips a bag of at most 63 holds: in the product, yellow's place has the sum of all five."""
    return ((bag * ONE_OF_EACH) >> 24) & 63


# ---------------------------------------------------------------- chips and trades


@rule
def held(s, seat):
    """How many chips a seat holds."""
    return size(s.chips[seat])


@rule
def trade_number(card, i, way):
    """Z11: a trade is an equation i of one of the two rate cards, read to the right (0) or to the left (1)."""
    return 2 * (EQUATIONS * card + i) + way


@rule
def side(s, trade):
    """Z3, Z11: what is given in a trade. What is got is given in the same equation read the other way: `side(s, trade ^ 1)`."""
    i = trade >> 1
    return (s.equations[s.rates[i // EQUATIONS], i % EQUATIONS] >> (SECOND * (trade & 1))) & BAG


@rule
def after_trade(s, hand, trade):
    """Z11: what a hand becomes by a trade."""
    return hand - side(s, trade) + side(s, trade ^ 1)


@rule
def payable_trades(s, seat):
    """Z11, Z13: the trades for which a seat has what is given, and the bank what is got, as a set."""
    to_the_right = pair(s.chips[seat], s.bank)
    to_the_left = pair(s.bank, s.chips[seat])
    found = 0
    for card in range(2):
        for i in range(EQUATIONS):
            equation = s.equations[s.rates[card], i]
            if covers(to_the_right, equation):
                found |= 1 << trade_number(card, i, 0)
            if covers(to_the_left, equation):
                found |= 1 << trade_number(card, i, 1)
    return found


@rule
def gaining_trades(s, spare):
    """Z14: the trades by which a hand grows by more chips than it has room for, as a set."""
    found = 0
    for card in range(2):
        for i in range(EQUATIONS):
            equation = s.equations[s.rates[card], i]
            gain = size(equation >> SECOND) - size(equation & BAG)
            if gain > spare:
                found |= 1 << trade_number(card, i, 0)
            if -gain > spare:
                found |= 1 << trade_number(card, i, 1)
    return found


@rule
def pays_off(s, seat, trade):
    """Z14: whether a ware can be paid after a trade, which may then end above ten chips. Z42: alone it never may."""
    return s.players > 1 and can_buy(s, after_trade(s, s.chips[seat], trade))


@rule
def trades(s, seat):
    """Z11, Z13–Z14: the trades a seat may make, as a set."""
    found = payable_trades(s, seat)
    spare = LIMIT - held(s, seat)
    if spare < MOST_GAINED:
        doubtful = found & gaining_trades(s, spare)
        while doubtful:
            trade = member(doubtful, 0)
            doubtful ^= 1 << trade
            if not pays_off(s, seat, trade):
                found ^= 1 << trade
    return found


@rule
def exchange(s, seat, gives, gets):
    """Z11: all chips of one bag go to the bank, all of the other to the seat."""
    s.chips[seat] += gets - gives
    s.bank += gives - gets


@rule
def take_chip(s, colour):
    """Z10, Z13: the seat on turn takes a chip, if the bank has one."""
    if dots(s.bank, colour) > 0:
        exchange(s, s.turn, 0, chip(colour))


@rule
def give_back(s, colour):
    """Z15: the seat on turn loses a chip to the bank."""
    exchange(s, s.turn, chip(colour), 0)


# ---------------------------------------------------------------- stalls and wares


@rule
def stalls(s):
    """Z5: four stalls. Z42: alone one."""
    return MOST_STALLS if s.players > 1 else 1


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
    return covers(bag, price(s, stall)) if s.players > 1 else bag == price(s, stall)


@rule
def can_buy(s, bag):
    for stall in range(MOST_STALLS):
        if payable(s, bag, stall):
            return True
    return False


@rule
def purchases(s, seat):
    """Z12, Z40: what a seat may buy, as a set: a stall, or `two_stalls` with the ten chips of both."""
    found = 0
    hand = s.chips[seat]
    for stall in range(MOST_STALLS):
        if payable(s, hand, stall):
            found |= 1 << stall
    if s.double_purchase and size(hand) >= 2 * PRICE:
        for one in range(MOST_STALLS):
            for two in range(one):
                if (found >> one) & (found >> two) & 1 and covers(hand, price(s, one) + price(s, two)):
                    found |= (1 << two_stalls(one, two)) | (1 << two_stalls(two, one))
    return found


@rule
def two_stalls(first, second):
    """Z40: two purchases one after the other as a number, beyond those of single stalls."""
    return MOST_STALLS + MOST_STALLS * first + second


@rule
def points_for(stars, rest):
    """Z20: points for a ware by the stars that count and the chips left over."""
    return VALUES[4 * stars + min(rest, 3)]


@rule
def stars_now(s, stall):
    """Z21: the stars that count for a stall's top card: its own, and one more once a stall is empty."""
    return starred(s, stall) + 1 if empty_stalls(s) > 0 else starred(s, stall)


@rule
def value(s, stall, rest):
    """Z20–Z21: points for a stall's top card by the chips left over."""
    return points_for(stars_now(s, stall), rest)


@rule
def hand_over(s, seat, stall, rest):
    """Z12, Z20: a stall's top card is paid and goes to the buyer, for points (alone there are none: Z42)."""
    if s.players > 1:
        s.points[seat] += value(s, stall, rest)
    exchange(s, seat, price(s, stall), 0)
    s.bought[seat] += 1
    s.left[stall] -= 1
    s.top[stall] = NO_WARE


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
        if s.left[stall] > 0 and s.top[stall] == NO_WARE:
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
    found = (1 << NO_WARE) - 1
    for i in range(s.turned):
        found ^= 1 << s.seen[i]
    return found


# ---------------------------------------------------------------- setting up and taking turns


@rule
def setup(s):
    """Z1, Z5, Z42: all chips in the bank, five cards in each of four stalls (alone: one card), nobody's turn yet."""
    s.bank = CHIPS * ONE_OF_EACH
    for stall in range(stalls(s)):
        s.left[stall] = IN_A_STALL if s.players > 1 else 1
    if s.top[0] != NO_WARE:
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
def neighbour(s):
    """Z6, Z15: who sits to the left of the seat on turn (without a division: this is asked every turn)."""
    return s.turn + 1 if s.turn + 1 < s.players else 0


@rule
def close(s):
    s.turn = -1
    s.phase = OVER


@rule
def to_market(s):
    """Z12, Z14–Z15: after a roll or trade one may buy if one can; if not, an eleventh chip is taken away."""
    if can_buy(s, s.chips[s.turn]):
        s.phase = BUY
    elif held(s, s.turn) > LIMIT:
        s.phase = RETURN
    else:
        end_quiet_turn(s)


@rule
def end_quiet_turn(s):
    """Z6, Z32: a turn without a purchase is over; too many of them in a row, or alone too many actions, end the game."""
    s.idle += 1
    tired = s.actions >= ACTIONS if s.players == 1 else s.idle >= QUIET_TURNS * s.players
    if tired:
        close(s)
    else:
        begin_turn(s, neighbour(s))


@rule
def after_purchase(s):
    """Z30: the end when two stalls are empty (Z42: alone, when the ware is bought). If not, new cards are turned up."""
    s.idle = 0
    if empty_stalls(s) >= min(s.players, 2):
        close(s)
    elif unfilled_stall(s) >= 0:
        s.phase = REVEAL
    else:
        begin_turn(s, neighbour(s))


# ---------------------------------------------------------------- the verbs


@rule
def over(s):
    return s.phase == OVER


@rule
def actors(s):
    """Z15: the surplus chip is for the neighbour to pick, alone for oneself. All else is for the seat on turn."""
    if s.phase == RETURN:
        return 1 << neighbour(s)
    return 1 << s.turn if s.phase == ACT or s.phase == CHOICE or s.phase == BUY else 0


@rule
def allowed(s, seat):
    """All moves of a seat that is to move, as a set."""
    found = 0
    if s.phase == ACT:
        found = (trades(s, seat) << TRADE) | (1 << ROLL)
    elif s.phase == CHOICE:
        found = colours_in(s.bank) << TAKE
    elif s.phase == BUY:
        found = purchases(s, seat) << BUY_ONE
        if held(s, seat) <= LIMIT:
            found |= 1 << DONE
    elif s.phase == RETURN:
        found = colours_in(s.chips[s.turn]) << GIVE_BACK
    return found


@rule
def moves(s, seat, out):
    return write_members(allowed(s, seat), out) if (actors(s) >> seat) & 1 else 0


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
            buy_two(s, seat, (move - BUY_TWO) // MOST_STALLS, (move - BUY_TWO) % MOST_STALLS)
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
    n = write_members(possible(s), out)
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
    """Z31: most points win. Z42: alone the score is the number of actions, and the game is won by buying."""
    if s.players == 1:
        scores[0] = s.actions
        return 1 if s.phase == OVER and s.bought[0] > 0 else 0
    for seat in range(s.players):
        scores[seat] = s.points[seat]
    return leaders(s) if s.phase == OVER else 0


@rule
def rank(s, seat):
    """Z31: points, then fewer wares, then a shared win."""
    return s.points[seat] * 128 - s.bought[seat]


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
