"""Basari, the card game: the clauses of rules.md as functions over one state.

Cards are numbered from 0 in the order of the deck's data; sets of cards are 64-bit sets. What the
board game shares (choices, offers, haggles, majorities), with the meaning of those fields, is in
souk.games.basari_common.rules.
"""

import numpy as np

from souk.games.basari_common.rules import (
    ACCEPT,
    COLOURS,
    HALF,
    NONE,
    begin_haggle,
    chose,
    end_haggle,
    forget_choices,
    gems_of,
    haggle_legal,
    haggle_moves,
    hand,
    lose,
    pack,
    part,
    random_haggle_move,
    return_to_supply,
    score_majority,
    size,
    speak,
    take_from_supply,
    yet_to_choose,
)
from souk.games.basari_common.rules import OVER as OVER
from souk.games.basari_common.rules import hide_secrets as hide_secrets
from souk.games.basari_common.rules import over as over
from souk.games.basari_common.rules import unhide_choices as unhide_choices
from souk.games.basari_common.rules import write_scores as write_scores
from souk.kernel.bitset import bit, count, lowest, member, write_even_outcomes, write_members
from souk.kernel.packed_counts import covers, fits
from souk.kernel.rng import below
from souk.kernel.rule import rule, u64

CARDS = 39
SEATS = 5

STATE = np.dtype(
    [
        ("seen", "u8"),  # cards turned up in this deal
        ("offer", "i4"),
        ("points", "i2", SEATS),
        ("workers", "i2", SEATS),
        ("deals", "i2"),  # finished; two bytes to avoid a gap in the record
        ("deck", "u2", CARDS),  # contents of each card: see `pack_card`
        ("gems", "i1", (SEATS, COLOURS)),
        ("supply", "i1", COLOURS),
        ("choice", "i1", SEATS),
        ("card", "i1", SEATS),  # by seat: the card dealt this round, or NONE
        ("action", "i1"),
        ("opener", "i1"),
        ("other", "i1"),
        # The seat to move or whose card is due; NONE while all choose, and at the end.
        ("turn", "i1"),
        ("phase", "i1"),
        ("players", "i1"),
    ],
    align=True,
)
# The longest list of outcomes; of the offers of a haggle a list holds as many as fit.
WIDEST = CARDS

DEAL, CHOOSE, HAGGLE, DRAW, GIVE, TAKE = range(6)
A, B, C, D = range(4)  # the actions, and the moves that choose them

# Moves of action D: TAKE_GEMS or GIVE_GEM + the gems, packed like an offer.
TAKE_GEMS = 8 << 24
GIVE_GEM = 16 << 24
PAIR = COLOURS

GEMS_OF_EACH = 22
GEMS_AT_START = 3
ENOUGH_WORKERS = 15
WORKERS_POINTS = 12
DEALS = 3
WHOLE_DECK = (1 << CARDS) - 1


# ---------------------------------------------------------------- cards and sets of cards


@rule
def pack_card(workers, points, red, yellow, green, blue):
    """K2: a card packed into 16 bits."""
    return (
        ((workers - 1) << 14)
        | ((points - 4) << 12)
        | (red << 9)
        | (yellow << 6)
        | (green << 3)
        | blue
    )


@rule
def workers_on(s, card):
    return (s.deck[card] >> 14) + 1


@rule
def points_on(s, card):
    return ((s.deck[card] >> 12) & 3) + 4


@rule
def gems_on(s, card, colour):
    return (s.deck[card] >> (3 * (COLOURS - 1 - colour))) & 7


@rule
def pile(s):
    """K10, K44: the cards not yet turned up in this deal, any of which may come next."""
    return u64(~u64(s.seen)) & u64(WHOLE_DECK)


@rule
def pile_is_empty(s):
    return pile(s) == u64(0)


# ---------------------------------------------------------------- setting up and dealing


@rule
def setup(s):
    """K1, K3: three gems of each colour for everybody, the rest is the supply."""
    for colour in range(COLOURS):
        s.supply[colour] = GEMS_OF_EACH - GEMS_AT_START * s.players
        for seat in range(s.players):
            s.gems[seat, colour] = GEMS_AT_START
    end_haggle(s)
    begin_round(s)


@rule
def begin_round(s):
    """K10: clear choices and cards, and deal to seat 0 first."""
    forget_choices(s)
    for seat in range(s.players):
        s.card[seat] = NONE
    deal_to(s, 0)


@rule
def deal_to(s, seat):
    """K10: a card is due to `seat`.

    K11, K17: once all have one, or the pile is empty, everybody chooses.
    """
    if seat < s.players and not pile_is_empty(s):
        s.phase = DEAL
        s.turn = seat
    else:
        s.phase = CHOOSE
        s.turn = NONE


@rule
def turn_up(s, seat, card):
    """K10, K13: turn up a card of the pile and give its workers to the seat."""
    s.seen = s.seen | bit(card)
    s.workers[seat] += workers_on(s, card)


# ---------------------------------------------------------------- actions


@rule
def is_lost(action, n):
    """K16: an action chosen by three or more is lost, K30: except D."""
    return n > 2 and action != D


@rule
def settle(s, action, winner):
    """K12: settle this action and those after it until a player or a card is needed; after D
    the round is over.

    K16: an action is carried out by the only seat that chose it, haggled for by two (`winner`: who
    has just got it, or NONE), and lost if more chose it. K30: D is never haggled for and never
    lost.
    """
    waits = False
    while not waits and action <= D:
        s.action = action
        seats = chose(s, action)
        n = count(seats)
        if action == D:
            waits = n > 0 and begin_exchange(s, seats)
        elif winner != NONE or n == 1:
            waits = carry_out(s, action, winner if winner != NONE else lowest(seats))
        elif n == 2:
            opener = first_in_order(s, seats)
            begin_haggle(s, opener, lowest(seats & ~(1 << opener)))
            s.phase = HAGGLE
            waits = True
        elif is_lost(action, n):
            lose(s, action)
        winner = NONE
        action += 1
    if not waits:
        end_round(s)


@rule
def carry_out(s, action, seat):
    """K13: A draws a card.

    K14: B scores the card's points, K15: C takes its gems as far as they go.

    K17: nothing without a card. Returns whether a card is due.
    """
    if action == A:
        if pile_is_empty(s):
            return False
        s.phase = DRAW
        s.turn = seat
        return True
    card = s.card[seat]
    if card != NONE:
        if action == B:
            s.points[seat] += points_on(s, card)
        else:
            for colour in range(COLOURS):
                take_from_supply(s, seat, colour, gems_on(s, card, colour))
    return False


# ---------------------------------------------------------------- haggling


@rule
def order(s, seat):
    """K20: precedence as one number: gems by rank, then points (15 bits), workers (11) and
    the seat (3).
    """
    return (((((hand(s, seat) << 15) + s.points[seat]) << 11) + s.workers[seat]) << 3) - seat


@rule
def precedes(s, seat, other):
    """K20: more red gems, then yellow, green, blue, then more points, more workers, the
    lower seat.
    """
    return order(s, seat) > order(s, other)


@rule
def first_in_order(s, seats):
    """K20: the first of a bit set of seats, or NONE if empty."""
    first = NONE
    for seat in range(s.players):
        if (seats >> seat) & 1 and (first == NONE or precedes(s, seat, first)):
            first = seat
    return first


# ---------------------------------------------------------------- action D


@rule
def in_supply(s):
    return s.supply[0] + s.supply[1] + s.supply[2] + s.supply[3]


@rule
def begin_exchange(s, seats):
    """K31: a single seat returns a gem first, if it has any. K32: several take in the order of K20.

    K33: an empty supply gives nothing. Returns whether a seat must move.
    """
    s.turn = first_in_order(s, seats)
    if count(seats) == 1 and hand(s, s.turn) != 0:
        s.phase = GIVE
        return True
    s.phase = TAKE
    return in_supply(s) > 0


@rule
def gems_to_take(s):
    """K31–K33: two for a seat alone on D, one for each of several, and never more than
    there are.
    """
    return min(2 if count(chose(s, D)) == 1 else 1, in_supply(s))


@rule
def next_to_take(s, seat):
    """K32: who takes a gem after `seat`, or NONE. Call before `seat` takes its own.

    Seats that have taken stay ahead of `seat` in K20's order, as another gem never sets anybody
    back; those still to take hold what they had. So the current order tells the two apart, and
    nothing need be stored. Once `seat` has taken this fails: a red gem may lift it over a seat that
    went before.
    """
    later = 0
    for other in range(s.players):
        if s.choice[other] == D and other != seat and precedes(s, seat, other):
            later |= 1 << other
    return first_in_order(s, later)


@rule
def at_hand(s, seat):
    """K31–K33: the gems to choose from: the seat's own to give, or the supply's to take, packed."""
    if s.phase == GIVE:
        return hand(s, seat)
    return pack(s.supply[0], s.supply[1], s.supply[2], s.supply[3])


@rule
def exchanges(s, seat):
    """K31–K33: possible exchanges as a bit set: a colour, or PAIR + 4 × colour + colour if
    two are taken.
    """
    gems = at_hand(s, seat)
    single = s.phase == GIVE or gems_to_take(s) == 1
    choices = 0
    for one in range(COLOURS):
        if part(gems, one) > 0:
            if single:
                choices |= 1 << one
            else:
                for two in range(one, COLOURS):
                    if part(gems, two) > (1 if two == one else 0):
                        choices |= 1 << (PAIR + COLOURS * one + two)
    return choices


@rule
def exchange_move(s, choice):
    """The move for a bit of `exchanges`."""
    if choice < PAIR:
        return (GIVE_GEM if s.phase == GIVE else TAKE_GEMS) + gems_of(choice, 1)
    pair = choice - PAIR
    return TAKE_GEMS + gems_of(pair // COLOURS, 1) + gems_of(pair % COLOURS, 1)


@rule
def give(s, seat, gems):
    """K31: return a gem to the supply; it may be taken again."""
    for colour in range(COLOURS):
        return_to_supply(s, seat, colour, part(gems, colour))
    s.phase = TAKE


@rule
def take(s, seat, gems):
    """K31–K33: take gems, then pass the turn while there is anything left to take.

    Returns whether it passed.
    """
    following = next_to_take(s, seat)
    for colour in range(COLOURS):
        take_from_supply(s, seat, colour, part(gems, colour))
    if following == NONE or in_supply(s) == 0:
        return False
    s.turn = following
    return True


# ---------------------------------------------------------------- end of a round, a deal, the game


@rule
def end_round(s):
    """K40: the deal ends if a seat has 15 workers after all actions.

    K44: the third ends the game.
    """
    enough = False
    for seat in range(s.players):
        if s.workers[seat] >= ENOUGH_WORKERS:
            enough = True
    if enough:
        end_deal(s)
    begin_round(s)
    if s.deals >= DEALS:
        s.phase = OVER
        s.turn = NONE


@rule
def end_deal(s):
    """K41–K44: score majorities, then workers; all cards go back."""
    score_majorities(s)
    score_workers(s)
    s.seen = u64(0)
    s.deals += 1


@rule
def score_majorities(s):
    """K41–K42: colour by colour."""
    for colour in range(COLOURS):
        score_majority(s, colour, HALF)


@rule
def score_workers(s):
    """K43: points for everybody with 15 workers; then clear all workers."""
    for seat in range(s.players):
        if s.workers[seat] >= ENOUGH_WORKERS:
            s.points[seat] += WORKERS_POINTS
        s.workers[seat] = 0


# ---------------------------------------------------------------- game ops


@rule
def actors(s):
    if s.phase == CHOOSE:
        return yet_to_choose(s)
    return 1 << s.turn if s.phase == HAGGLE or s.phase == GIVE or s.phase == TAKE else 0


@rule
def actions(s):
    """K3: number of actions to choose from: D only with five players."""
    return 4 if s.players == 5 else 3


@rule
def moves(s, seat, out):
    """K11: the actions. K21–K22: the offers. K31–K32: gems to return or take, red first."""
    if not (actors(s) >> seat) & 1:
        return 0
    if s.phase == CHOOSE:
        return write_members((1 << actions(s)) - 1, out)
    if s.phase == HAGGLE:
        return haggle_moves(s, seat, out, False)
    n = write_members(exchanges(s, seat), out)
    for i in range(n):
        out[i] = exchange_move(s, out[i])
    return n


@rule
def legal(s, seat, move):
    if not (actors(s) >> seat) & 1:
        return False
    if s.phase == CHOOSE:
        return 0 <= move < actions(s)
    if s.phase == HAGGLE:
        return haggle_legal(s, seat, move, False)
    gems = move - (GIVE_GEM if s.phase == GIVE else TAKE_GEMS)
    if gems <= 0 or gems >= ACCEPT or not fits(gems) or not covers(at_hand(s, seat), gems):
        return False
    return size(gems) == (1 if s.phase == GIVE else gems_to_take(s))


@rule
def play(s, seat, move):
    """K11: the last choice reveals them all.

    K21–K22: the winner of a haggle acts. K31–K32: gems.
    """
    # A single call of `settle` for all cases keeps GPU threads together.
    action = NONE
    winner = NONE
    if s.phase == CHOOSE:
        s.choice[seat] = move
        if yet_to_choose(s) == 0:
            action = A
    elif s.phase == HAGGLE:
        winner = speak(s, seat, move)
        if winner != NONE:
            action = s.action
    elif s.phase == GIVE:
        give(s, seat, move - GIVE_GEM)
    elif not take(s, seat, move - TAKE_GEMS):
        action = D + 1
    if action != NONE:
        settle(s, action, winner)


@rule
def outcomes(s, out, weights):
    """K10, K13: every card of the pile is equally likely to be next."""
    if s.phase != DEAL and s.phase != DRAW:
        return 0
    return write_even_outcomes(pile(s), out, weights)


@rule
def resolve(s, outcome):
    """K10: the card dealt to a seat. K13: the one drawn for action A."""
    turn_up(s, s.turn, outcome)
    if s.phase == DEAL:
        s.card[s.turn] = outcome
        deal_to(s, s.turn + 1)
    else:
        settle(s, B, NONE)


@rule
def rank(s, seat):
    """K45: points alone; equal points share the win."""
    return s.points[seat]


@rule
def random_move(s, seat, x, out):
    """Every move equally likely, except for offers: see `random_haggle_move`."""
    if s.phase == CHOOSE:
        return below(x, actions(s))
    if s.phase == HAGGLE:
        return random_haggle_move(s, seat, x, False)
    choices = exchanges(s, seat)
    return exchange_move(s, member(choices, below(x, count(choices))))


@rule
def random_outcome(s, x, out, weights):
    """A card of the pile, without listing it."""
    cards = pile(s)
    return member(cards, below(x, count(cards)))
