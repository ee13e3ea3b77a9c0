"""Bazaar: the clauses of rules.md as functions over one state.

Colours are numbered white, blue, green, red, yellow. Chips are stored as bags (see
souk.kernel.packed_counts), white lowest: those of seats and bank, sides of equations, prices of
wares. Moves and chance outcomes are small numbers so that sets of them fit one integer.
"""

import numpy as np

from souk.kernel.bitset import count, member, write_even_outcomes, write_members
from souk.kernel.packed_counts import BITS, count_of, covers
from souk.kernel.ranking import leaders
from souk.kernel.rng import below
from souk.kernel.rule import rule

STATE = np.dtype(
    [
        # By number of the rate card (1 to 10): both sides as a pair of bags.
        ("equations", "i8", (11, 5)),
        # The price as a bag, and above it a bit for the star; the last entry is NO_WARE.
        ("wares", "i4", 46),
        ("chips", "i4", 6),  # by seat, as a bag
        ("bank", "i4"),  # likewise
        ("points", "i2", 6),
        ("idle", "i2"),  # turns completed since the last purchase
        ("actions", "i2"),  # solitaire: rolls and trades
        ("turned", "i2"),  # number of wares turned up
        ("seen", "i1", 45),  # those wares, in order
        # The numbers of the rate cards in play, 0 until drawn.
        ("rates", "u1", 2),
        ("top", "u1", 4),  # by stall: number of the visible ware, or NO_WARE
        ("left", "i1", 4),  # by stall: its cards, the top one included
        ("bought", "i1", 6),
        ("phase", "i1"),
        ("turn", "i1"),  # -1 before the first turn and when the game is over
        ("players", "i1"),
        ("first", "i1"),  # the seat set to begin, or -1
        ("double_purchase", "i1"),
    ],
    align=True,
)
WIDEST = 45  # longest list of moves or outcomes: the wares

RATES, STALLS, FIRST, ACT, DIE, CHOICE, BUY, REVEAL, RETURN, OVER = range(10)

COLOURS = 5
MOST_STALLS = 4
EQUATIONS = 5  # on each of two rate cards
TRADES = 20  # each equation works both ways: see `trade_number`

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
QUIET_TURNS = 50  # per player
ACTIONS = 200  # solitaire
VALUES = (5, 3, 2, 1, 8, 5, 3, 2, 12, 8, 5, 3)  # by 4 × stars + chips left over, up to 3

ONE_OF_EACH = 0o0101010101  # a bag in octal: two digits for each colour
BAG = 31 * ONE_OF_EACH  # a full bag: more of each colour than exist
SECOND = 30  # offset of the second bag of a pair, so that ten counts are adjacent
STAR = 30  # the bit above a price
NO_WARE = 45  # on top of an empty stall; its price is a full bag, which nobody can pay
MOST_GAINED = 3  # chips gained by one trade: a side shows 1 to 4


# ---------------------------------------------------------------- bags


@rule
def chip(colour):
    """The bag with one chip."""
    return 1 << (BITS * colour)


@rule
def pair(first, second):
    """Two bags as one number."""
    return first | (second << SECOND)


@rule
def dots(bag, colour):
    """Number of chips of a colour in a bag."""
    return count_of(bag, colour)


@rule
def colours_in(bag):
    """The colours in a bag, as a bit set."""
    colours = 0
    for colour in range(COLOURS):
        if dots(bag, colour) > 0:
            colours |= 1 << colour
    return colours


@rule
def size(bag):
    """Number of chips in a bag of at most 63: yellow's digits of the product hold the sum
    of all five.
    """
    return ((bag * ONE_OF_EACH) >> 24) & 63


# ---------------------------------------------------------------- chips and trades


@rule
def held(s, seat):
    """Number of chips a seat holds."""
    return size(s.chips[seat])


@rule
def trade_number(card, i, way):
    """Z11: number of the trade by equation i of one of the two rate cards, read rightwards
    (0) or leftwards (1).
    """
    return 2 * (EQUATIONS * card + i) + way


@rule
def side(s, trade):
    """Z3, Z11: the chips given in a trade.

    Those got are given in the reverse trade: `side(s, trade ^ 1)`.
    """
    i = trade >> 1
    return (s.equations[s.rates[i // EQUATIONS], i % EQUATIONS] >> (SECOND * (trade & 1))) & BAG


@rule
def after_trade(s, hand, trade):
    """Z11: a hand after a trade."""
    return hand - side(s, trade) + side(s, trade ^ 1)


@rule
def payable_trades(s, seat):
    """Z11, Z13: trades for which the seat has the chips to give, and the bank those to get,
    as a bit set.
    """
    to_the_right = pair(s.chips[seat], s.bank)
    to_the_left = pair(s.bank, s.chips[seat])
    payable_set = 0
    for card in range(2):
        for i in range(EQUATIONS):
            equation = s.equations[s.rates[card], i]
            if covers(to_the_right, equation):
                payable_set |= 1 << trade_number(card, i, 0)
            if covers(to_the_left, equation):
                payable_set |= 1 << trade_number(card, i, 1)
    return payable_set


@rule
def gaining_trades(s, spare):
    """Z14: trades that grow a hand by more chips than it has room for, as a bit set."""
    too_large = 0
    for card in range(2):
        for i in range(EQUATIONS):
            equation = s.equations[s.rates[card], i]
            gain = size(equation >> SECOND) - size(equation & BAG)
            if gain > spare:
                too_large |= 1 << trade_number(card, i, 0)
            if -gain > spare:
                too_large |= 1 << trade_number(card, i, 1)
    return too_large


@rule
def pays_off(s, seat, trade):
    """Z14: whether a trade lets a seat buy, so that it may end above ten chips.

    Z42: never in solitaire.
    """
    return s.players > 1 and can_buy(s, after_trade(s, s.chips[seat], trade))


@rule
def trades(s, seat):
    """Z11, Z13–Z14: the trades a seat may make, as a bit set."""
    legal_set = payable_trades(s, seat)
    spare = LIMIT - held(s, seat)
    if spare < MOST_GAINED:
        doubtful = legal_set & gaining_trades(s, spare)
        while doubtful:
            trade = member(doubtful, 0)
            doubtful ^= 1 << trade
            if not pays_off(s, seat, trade):
                legal_set ^= 1 << trade
    return legal_set


@rule
def exchange(s, seat, gives, gets):
    """Z11: one bag goes to the bank, the other to the seat."""
    s.chips[seat] += gets - gives
    s.bank += gives - gets


@rule
def take_chip(s, colour):
    """Z10, Z13: the seat on turn takes a chip, if the bank has one."""
    if dots(s.bank, colour) > 0:
        exchange(s, s.turn, 0, chip(colour))


@rule
def give_back(s, colour):
    """Z15: the seat on turn returns a chip to the bank."""
    exchange(s, s.turn, chip(colour), 0)


# ---------------------------------------------------------------- stalls and wares


@rule
def stalls(s):
    """Z5: four stalls. Z42: one in solitaire."""
    return MOST_STALLS if s.players > 1 else 1


@rule
def price(s, stall):
    """Z4: the five chips on a stall's top card."""
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
    """Z12: whether a bag pays for a stall's top card.

    Z42: in solitaire only the exact price does.
    """
    return covers(bag, price(s, stall)) if s.players > 1 else bag == price(s, stall)


@rule
def can_buy(s, bag):
    for stall in range(MOST_STALLS):
        if payable(s, bag, stall):
            return True
    return False


@rule
def purchases(s, seat):
    """Z12, Z40: a seat's possible purchases as a bit set: a stall, or `two_stalls` with the
    chips of both.
    """
    options = 0
    hand = s.chips[seat]
    for stall in range(MOST_STALLS):
        if payable(s, hand, stall):
            options |= 1 << stall
    if s.double_purchase and size(hand) >= 2 * PRICE:
        for one in range(MOST_STALLS):
            for two in range(one):
                if (options >> one) & (options >> two) & 1 and covers(
                    hand, price(s, one) + price(s, two)
                ):
                    options |= (1 << two_stalls(one, two)) | (1 << two_stalls(two, one))
    return options


@rule
def two_stalls(first, second):
    """Z40: number of a double purchase, after those of single stalls."""
    return MOST_STALLS + MOST_STALLS * first + second


@rule
def points_for(stars, rest):
    """Z20: points for a ware by stars and chips left over."""
    return VALUES[4 * stars + min(rest, 3)]


@rule
def stars_now(s, stall):
    """Z21: a top card's current stars: its own, and one more once a stall is empty."""
    return starred(s, stall) + 1 if empty_stalls(s) > 0 else starred(s, stall)


@rule
def value(s, stall, rest):
    """Z20–Z21: points for a stall's top card by chips left over."""
    return points_for(stars_now(s, stall), rest)


@rule
def hand_over(s, seat, stall, rest):
    """Z12, Z20: a seat pays for a stall's top card and scores it (Z42: no points in solitaire)."""
    if s.players > 1:
        s.points[seat] += value(s, stall, rest)
    exchange(s, seat, price(s, stall), 0)
    s.bought[seat] += 1
    s.left[stall] -= 1
    s.top[stall] = NO_WARE


@rule
def buy_two(s, seat, one, two):
    """Z40–Z41: both are scored by the chips left after both, unless the first closes the bazaar."""
    if s.left[one] == 1 and empty_stalls(s) == 1:
        hand_over(s, seat, one, held(s, seat) - PRICE)
    else:
        rest = held(s, seat) - 2 * PRICE
        hand_over(s, seat, one, rest)
        hand_over(s, seat, two, rest)


@rule
def unfilled_stall(s):
    """The lowest stall whose next card must be turned up, or -1."""
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
    """Z5: turn up a ware in the lowest stall waiting for one."""
    s.top[unfilled_stall(s)] = ware
    note_seen(s, ware)


@rule
def unseen_wares(s):
    unseen = (1 << NO_WARE) - 1
    for i in range(s.turned):
        unseen ^= 1 << s.seen[i]
    return unseen


# ---------------------------------------------------------------- setting up and taking turns


@rule
def setup(s):
    """Z1, Z5, Z42: all chips in the bank, five cards in each of four stalls (solitaire: one
    card).
    """
    s.bank = CHIPS * ONE_OF_EACH
    for stall in range(stalls(s)):
        s.left[stall] = IN_A_STALL if s.players > 1 else 1
    if s.top[0] != NO_WARE:
        note_seen(s, s.top[0])
    s.turn = -1
    lay_out(s)


@rule
def lay_out(s):
    """Z3, Z5–Z6: rate cards, then wares, then the starting seat: each is drawn unless given."""
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
    """Z6, Z15: the seat to the left of the one on turn; no division, as every turn calls this."""
    return s.turn + 1 if s.turn + 1 < s.players else 0


@rule
def close(s):
    s.turn = -1
    s.phase = OVER


@rule
def to_market(s):
    """Z12, Z14–Z15: after a roll or trade the seat may buy if it can; else an eleventh chip
    is taken away.
    """
    if can_buy(s, s.chips[s.turn]):
        s.phase = BUY
    elif held(s, s.turn) > LIMIT:
        s.phase = RETURN
    else:
        end_quiet_turn(s)


@rule
def end_quiet_turn(s):
    """Z6, Z32: end a turn without a purchase; too many of them, or of solitaire actions,
    end the game.
    """
    s.idle += 1
    is_over = s.actions >= ACTIONS if s.players == 1 else s.idle >= QUIET_TURNS * s.players
    if is_over:
        close(s)
    else:
        begin_turn(s, neighbour(s))


@rule
def after_purchase(s):
    """Z30: the game ends with two empty stalls (Z42: with the ware bought); else turn up
    new cards.
    """
    s.idle = 0
    if empty_stalls(s) >= min(s.players, 2):
        close(s)
    elif unfilled_stall(s) >= 0:
        s.phase = REVEAL
    else:
        begin_turn(s, neighbour(s))


# ---------------------------------------------------------------- game ops


@rule
def over(s):
    return s.phase == OVER


@rule
def actors(s):
    """Z15: the neighbour picks the surplus chip (solitaire: the player).

    Otherwise the seat on turn moves.
    """
    if s.phase == RETURN:
        return 1 << neighbour(s)
    return 1 << s.turn if s.phase == ACT or s.phase == CHOICE or s.phase == BUY else 0


@rule
def allowed(s, seat):
    """All moves of a seat that must move, as a bit set."""
    options = 0
    if s.phase == ACT:
        options = (trades(s, seat) << TRADE) | (1 << ROLL)
    elif s.phase == CHOICE:
        options = colours_in(s.bank) << TAKE
    elif s.phase == BUY:
        options = purchases(s, seat) << BUY_ONE
        if held(s, seat) <= LIMIT:
            options |= 1 << DONE
    elif s.phase == RETURN:
        options = colours_in(s.chips[s.turn]) << GIVE_BACK
    return options


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
    """What the due die or card may show, as a bit set; all equally likely."""
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
    return write_even_outcomes(possible(s), out, weights)


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
def write_scores(s, scores):
    """Z31: most points win.

    Z42: in solitaire the score is the number of actions, and buying wins.
    """
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
    """The default's choice, without a list."""
    options = allowed(s, seat)
    return member(options, below(x, count(options)))


@rule
def random_outcome(s, x, out, weights):
    """The default's choice, without a list."""
    if s.phase == DIE:
        return below(x, 6)
    options = possible(s)
    return member(options, below(x, count(options)))
