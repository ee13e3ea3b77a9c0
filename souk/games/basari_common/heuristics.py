"""What a strong player looks at in both Basari games: what gems are worth in majorities, and how far to go in a haggle.

A colour's points go to one who has the most of it when the scoring comes. Until then the part of them that a seat can
expect is taken as its POWER over everybody's: the powers of gems lie the further apart the nearer the scoring is. So that
no power need be worked out in play, they are kept by `haste`: about how many rounds there are to go.

Majorities only change hands: what one wins of them the others lose. Points and workers do not. In everything here a
worth is in points of advantage over the average of the others, so a share of a majority counts 1 + EDGE times for its
owner, and an action that another gets costs one EDGE of its worth to them.
"""

import math
from typing import Any

import numpy as np

from souk.games.haggling.rules import (
    COLOURS,
    MAJORITY_POINTS,
    NONE,
    OFFER,
    gems_of,
    hand,
    may_stop,
    next_offer,
    part,
    partner,
    size,
)
from souk.kernel.chance import below
from souk.kernel.desk import Layout, insert
from souk.kernel.noticing import expected
from souk.kernel.rule import rule

MOST_ROUNDS = 8
# How many gems more multiply the power by e, at 0 to 8 rounds to go, and what a gem is worth in each scoring after the
# next, as a part of its colour's points: rounded from least squares on final points at the start of rounds, games of one-ply bots.
WIDTHS = np.array([0.35, 0.5, 0.7, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4])
LATER = 0.065
POWER = np.exp(np.arange(32) / WIDTHS[:, None])

EDGE = (0.0, 0.0, 1.0, 1 / 2, 1 / 3, 1 / 4)  # by players: of each other's gain, what is one's loss against the average
NOISE = 0.5  # points by which two who know the game may differ about a deal
MOST_OFFERS = 12
GEM_IN_POINTS = 2.5  # to a beginner

FINE = 4096  # worths and chances are noted as whole numbers, so many to one

MOST_SEATS, MOST_ACTIONS = 5, 4
# What is noted on the desk. `haste` and `later` say how far the game is, and are noted before anything is weighed.
HAGGLING: Layout = (
    ("haste", "i8"),  # about how many rounds there are to the next scoring
    ("later", "i8"),  # how many scorings after that
    ("worths", "f8", (MOST_SEATS, MOST_ACTIONS)),  # of an action to a seat
    ("chances", "f8", (MOST_SEATS, MOST_ACTIONS)),  # that a seat chooses an action
    ("prices", "f8", COLOURS),  # of one gem more of a colour, to who offers it
    # For a mind to tell rivals apart by, see souk.games.haggling.mind.
    ("held", "i8", MOST_SEATS),  # gems of all colours
    ("strengths", "i8", MOST_SEATS),
    ("ranks", "i8", MOST_SEATS),  # 0 for the strongest
)


# ---------------------------------------------------------------- how far the game is
#
# A scoring comes when somebody has come far enough. What that is the games say: a lap of arches, 15 workers.


def chances_by_lag(most: int, width: float, wider: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """The chance to come far enough by the next scoring, by the rounds to go and how far one is behind the furthest of the others (from
    `most` before them to as far behind): a logistic curve of that width, wider by so much for every round to go."""
    rounds = np.arange(MOST_ROUNDS + 1)[:, None]
    chances: np.ndarray[Any, np.dtype[np.float64]] = 1.0 / (
        1.0 + np.exp(np.arange(-most, most + 1) / (width + wider * rounds))
    )
    return chances


@rule
def furthest(done, players, besides):
    """How far the seat has come that has come furthest, leaving one out of account (NONE: none)."""
    most = 0
    for seat in range(players):
        if seat != besides:
            most = max(most, done[seat])
    return most


@rule
def rounds_to_come(left, pace):
    """About how many rounds there are to a scoring, this one included, if so much is left to whoever has come furthest."""
    return max(left, 0) / pace + 0.6


@rule
def nearest_haste(rounds):
    """The `haste` closest to so many rounds."""
    return min(int(rounds + 0.5), MOST_ROUNDS)


@rule
def size_up(desk, rounds, later):
    """Note how far the game is: about how many rounds there are to the next scoring, and how many scorings after that."""
    desk.haste = nearest_haste(rounds)
    desk.later = later


# ---------------------------------------------------------------- what gems are worth


@rule
def won(s, seat, giver, colour, before, after, haste):
    """What having `after` instead of `before` gems more than now adds to the part of a colour's points that a seat can expect.
    They come from the giver (NONE: the supply); below 0 they go there."""
    mine = POWER[haste, s.gems[seat, colour] + before]
    then = POWER[haste, s.gems[seat, colour] + after]
    all_now = mine
    all_then = then
    for other in range(s.players):
        if other == giver:
            all_now += POWER[haste, s.gems[other, colour] - before]
            all_then += POWER[haste, s.gems[other, colour] - after]
        elif other != seat:
            power = POWER[haste, s.gems[other, colour]]
            all_now += power
            all_then += power
    return then / all_then - mine / all_now


@rule
def worth_of_gems(s, seat, giver, colour, n, desk):
    """What n more gems of a colour from another, or from the supply, are worth to a seat."""
    gained = won(s, seat, giver, colour, 0, n, desk.haste) + LATER * desk.later * n
    return (1.0 + EDGE[s.players]) * MAJORITY_POINTS[colour] * gained


@rule
def worth_of_bag(s, seat, other, gems, times, desk):
    """What packed gems are worth to a seat that gets them from another, or from the supply (`times` is 1), or gives them there (-1)."""
    worth = 0.0
    for colour in range(COLOURS):
        n = part(gems, colour)
        if n > 0:
            worth += worth_of_gems(s, seat, other, colour, times * n, desk)
    return worth


@rule
def price_of_offer(s, seat, offer, desk):
    """What the gems of an offer are worth to who gives them to the one they haggle with."""
    return -worth_of_bag(s, seat, partner(s, seat), offer, -1, desk)


@rule
def worth_from_supply(s, seat, colour, wanted, desk):
    """What so many gems of a colour are worth to a seat, of which the supply gives as many as there are."""
    n = min(wanted, s.supply[colour])
    return worth_of_gems(s, seat, NONE, colour, n, desk) if n > 0 else 0.0


@rule
def expect_majorities(s, values, haste, later, paid, paid_part):
    """Add to every seat's value its part of the next scoring's majorities and, for each of the `later` ones, an even part and more for more gems than
    the others'. Whoever wins a majority gives back `paid` gems, or a part of those held."""
    for colour in range(COLOURS):
        total = 0.0
        held = 0
        for seat in range(s.players):
            total += POWER[haste, s.gems[seat, colour]]
            held += s.gems[seat, colour]
        for seat in range(s.players):
            mine = POWER[haste, s.gems[seat, colour]] / total
            kept = s.gems[seat, colour] * (1.0 - paid_part * mine) - paid * mine
            lead = kept - (held - 3.0) / s.players
            values[seat] += MAJORITY_POINTS[colour] * (mine + later * (1.0 / s.players + LATER * lead))


# ---------------------------------------------------------------- putting an offer together


@rule
def fill_up(s, seat, offer, n, colour, desk):
    """An offer filled up to n gems with those of `colour` and the colours below it that cost least, one by one; 0 where there
    are too few."""
    held = hand(s, seat)
    for each in range(colour, COLOURS):
        desk.prices[each] = price_of_next(s, seat, offer, each, desk)
    for _ in range(n - size(offer)):
        best = NONE
        for each in range(colour, COLOURS):
            if part(offer, each) < part(held, each) and (best == NONE or desk.prices[each] < desk.prices[best]):
                best = each
        if best == NONE:
            return 0
        offer += gems_of(best, 1)
        desk.prices[best] = price_of_next(s, seat, offer, best, desk)
    return offer


@rule
def price_of_next(s, seat, offer, colour, desk):
    """What one gem more of a colour adds to the price of an offer, but for a factor that all colours share."""
    n = part(offer, colour)
    if n >= s.gems[seat, colour]:
        return 0.0
    lost = won(s, seat, partner(s, seat), colour, -n - 1, -n, desk.haste)
    return float(int(FINE * MAJORITY_POINTS[colour] * (lost + LATER * desk.later)))


@rule
def raise_in(s, seat, colour, desk):
    """The cheapest offer of as many gems as lie on the table that is higher for one gem more of a colour, with as many of the
    colours above it; 0 where there is none."""
    n = size(s.offer)
    offer = 0
    for each in range(colour + 1):
        wanted = part(s.offer, each) + (1 if each == colour else 0)
        if wanted > s.gems[seat, each]:
            return 0
        offer += gems_of(each, wanted)
    return fill_up(s, seat, offer, n, colour, desk) if size(offer) <= n else 0


@rule
def note_offer(offer, found, first, n):
    """Write an offer among the moves found[first:n], unless it is 0 or there already; returns how many moves there are then."""
    if offer == 0 or n >= first + MOST_OFFERS:
        return n
    for i in range(first, n):
        if found[i] == OFFER + offer:
            return n
    found[n] = OFFER + offer
    return n + 1


@rule
def haggle_candidates(s, seat, desk, free_to_pass):
    """To stop, the lowest raise, and then by what they cost: raises of as many gems, and of one, two and three more."""
    n = 0
    stop = may_stop(s, seat, free_to_pass)
    if stop != 0:
        desk.found[n] = stop
        n += 1
    first = n
    n = note_offer(next_offer(hand(s, seat), s.offer), desk.found, first, n)
    if n == first:
        return n
    if s.offer != 0:
        for colour in range(COLOURS - 1):
            n = note_offer(raise_in(s, seat, colour, desk), desk.found, first, n)
    for more in range(1, 4):
        gems = size(s.offer) + more
        n = note_offer(fill_up(s, seat, 0, gems, 0, desk), desk.found, first, n)
        if more < 3:
            for colour in range(COLOURS):
                if s.gems[seat, colour] > 0 and (more == 1 or colour > 0):
                    forced = fill_up(s, seat, gems_of(colour, 1), gems, 0, desk)
                    n = note_offer(forced, desk.found, first, n)
    sort_by_price(s, seat, desk, first + 1, n)
    return n


@rule
def sort_by_price(s, seat, desk, first, n):
    """Offers among the moves desk.found[first:n] in order of what they cost."""
    for i in range(first, n):
        move = desk.found[i]
        insert(desk, first, i, move, -float(int(FINE * price_of_offer(s, seat, move - OFFER, desk))))


# ---------------------------------------------------------------- how far to go


@rule
def likely_haggling(s, seat, x, desk, free_to_pass, mine, theirs):
    """Raise as long as the action, worth `mine`, for a cheap raise beats the gems offered and the action, worth `theirs`, in
    the other's hands; else stop. The raise is the lowest there is or one gem more of those least needed, whichever costs less."""
    offer = next_offer(hand(s, seat), s.offer)
    stop = may_stop(s, seat, free_to_pass)
    if offer == 0:
        return stop
    price = price_of_offer(s, seat, offer, desk)
    more = fill_up(s, seat, 0, size(s.offer) + 1, 0, desk)
    if more != 0 and more != offer:
        price_of_more = price_of_offer(s, seat, more, desk)
        if price_of_more < price:
            offer = more
            price = price_of_more
    left = worth_of_bag(s, seat, partner(s, seat), s.offer, 1, desk) - EDGE[s.players] * theirs
    left += NOISE * (below(x, 1024) / 512.0 - 1.0)
    return OFFER + offer if stop == 0 or mine - price > left else stop


@rule
def opening_habit(s, seat):
    """Some always open a haggle with the least they can offer; -1 where there is nothing to open, or to open with."""
    offer = next_offer(hand(s, seat), 0) if s.offer == 0 else 0
    return OFFER + offer if offer != 0 else -1


@rule
def tempting_in_haggle(s, move, wanted):
    """A beginner counts gems, of any colour, and thinks of the price for the action as it would be without any haggle: the gems
    offered look good only if they are more than it, one's own offer as long as they are fewer."""
    if move >= OFFER:
        return 0.5 * (wanted - GEM_IN_POINTS * size(move - OFFER))
    return GEM_IN_POINTS * size(s.offer) - wanted


# ---------------------------------------------------------------- secret choices


@rule
def note_worth(desk, seat, action, worth):
    """Note what an action is worth to a seat, a little at least."""
    desk.worths[seat, action] = float(int(FINE * max(worth, 0.5)))


@rule
def note_chances(desk, seat, actions, sharpness):
    """Note how likely a seat is to choose each action: by the worths to the power of 1 + sharpness / 2, and by what it keeps choosing."""
    total = 0.0
    for action in range(actions):
        total += liking(desk.worths[seat, action], sharpness)
    for action in range(actions):
        share = expected(desk, seat, action, liking(desk.worths[seat, action], sharpness) / total)
        desk.chances[seat, action] = float(int(FINE * share))


@rule
def liking(worth, sharpness):
    return worth * math.sqrt(worth) if sharpness > 0 else worth


@rule
def hope(s, seat, action, crowded, desk):
    """What it is worth to choose an action: all of it alone, half where one other chooses it too, and the part `crowded` where
    more do."""
    alone = 1.0
    one = 0.0
    for other in range(s.players):
        if other != seat:
            chance = desk.chances[other, action] / FINE
            one = one * (1.0 - chance) + alone * chance
            alone *= 1.0 - chance
    return desk.worths[seat, action] * (alone + 0.5 * one + crowded * (1.0 - alone - one))


@rule
def note_hopes(s, seat, desk, actions, last_is_shared):
    """Note, from worths noted for everybody, what each action promises a seat: in `desk.notes`."""
    for other in range(s.players):
        if other != seat:
            note_chances(desk, other, actions, 1 if s.players == 3 else 0)
    for action in range(actions):
        crowded = 0.5 if last_is_shared and action == actions - 1 else 0.0
        desk.notes[action] = float(int(hope(s, seat, action, crowded, desk)))


@rule
def likely_choice(s, seat, x, desk, actions, last_is_shared):
    """An action drawn by its worth times what it promises. Where all are in the same position this comes close to the mixture
    that leaves nobody anything to gain by another one: the best is likely, and none is sure."""
    note_hopes(s, seat, desk, actions, last_is_shared)
    total = 0.0
    for action in range(actions):
        total += desk.notes[action] * desk.worths[seat, action]
    left = total * (below(x, 65536) / 65536.0)
    action = 0
    while action < actions - 1:
        left -= desk.notes[action] * desk.worths[seat, action]
        if left < 0.0:
            return action
        action += 1
    return action


@rule
def choice_candidates(s, seat, desk, actions, last_is_shared):
    """All actions, the most promising first."""
    note_hopes(s, seat, desk, actions, last_is_shared)
    for action in range(actions):
        insert(desk, 0, action, action, desk.notes[action])
    return actions
