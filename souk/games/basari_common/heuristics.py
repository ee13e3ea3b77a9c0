"""Heuristics shared by both Basari games: the value of gems in majorities, and how far to haggle.

A colour's points go to the seats with most of it at the scoring. Until then a seat's expected share
is its POWER over everybody's; powers spread the further apart the nearer the scoring. They are
tabulated by `haste`, about the number of rounds to go.

Majorities only change hands: one seat's gain is the others' loss. Points and workers are not.
Values here are points of advantage over the average opponent, so a share of a majority counts 1 +
EDGE times for its owner, and an action another seat gets costs one EDGE of its value to them.
"""

import math
from typing import Any

import numpy as np

from souk.games.basari_common.rules import (
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
from souk.kernel.habits import expected_share
from souk.kernel.rng import below
from souk.kernel.rule import rule
from souk.kernel.workspace import Layout, insert

MOST_ROUNDS = 8
# Number of extra gems that multiply the power by e, at 0 to 8 rounds to go; and the value of a gem
# in each scoring after the next, as a fraction of its colour's points. Rounded from least squares
# on final points in games of one-ply bots.
WIDTHS = np.array([0.35, 0.5, 0.7, 0.9, 1.0, 1.1, 1.2, 1.3, 1.4])
LATER = 0.065
POWER = np.exp(np.arange(32) / WIDTHS[:, None])

# By players: the loss against the average per point another seat gains.
EDGE = 0.0, 0.0, 1.0, 1 / 2, 1 / 3, 1 / 4
# Points by which two experts may differ about a deal.
NOISE = 0.5
MOST_OFFERS = 12
GEM_IN_POINTS = 2.5  # to a beginner

FINE = 4096  # values and chances are stored as integers, scaled by this

MOST_SEATS, MOST_ACTIONS = 5, 4
# Workspace fields. `haste` and `later` say how far the game is and are set before anything is
# evaluated.
HAGGLING: Layout = (
    ("haste", "i8"),  # about how many rounds to the next scoring
    ("later", "i8"),  # how many scorings after that
    ("worths", "f8", (MOST_SEATS, MOST_ACTIONS)),  # of an action to a seat
    ("chances", "f8", (MOST_SEATS, MOST_ACTIONS)),  # that a seat chooses an action
    ("prices", "f8", COLOURS),  # of one more gem of a colour to the seat offering it
    # For the net to tell rivals apart, see souk.games.basari_common.net_features.
    ("held", "i8", MOST_SEATS),  # gems of all colours
    ("strengths", "i8", MOST_SEATS),
    ("ranks", "i8", MOST_SEATS),  # 0 for the strongest
)


# ---------------------------------------------------------------- progress of the game
# A scoring comes once a seat has come far enough: a lap of arches, or 15 workers.


def chances_by_lag(most: int, width: float, wider: float) -> np.ndarray[Any, np.dtype[np.float64]]:
    """Chance to come far enough by the next scoring, by rounds to go and lag behind the
    furthest other seat (from `most` ahead to `most` behind).

    A logistic curve of the given width, wider by `wider` for every round to go.
    """
    rounds = np.arange(MOST_ROUNDS + 1)[:, None]
    chances: np.ndarray[Any, np.dtype[np.float64]] = 1.0 / (
        1.0 + np.exp(np.arange(-most, most + 1) / (width + wider * rounds))
    )
    return chances


@rule
def furthest(done, players, besides):
    """Progress of the seat that is furthest, leaving out one (NONE: none)."""
    most = 0
    for seat in range(players):
        if seat != besides:
            most = max(most, done[seat])
    return most


@rule
def rounds_to_come(left, pace):
    """Approximate rounds to a scoring, this one included, given what the furthest seat has left."""
    return max(left, 0) / pace + 0.6


@rule
def nearest_haste(rounds):
    """The `haste` closest to a number of rounds."""
    return min(int(rounds + 0.5), MOST_ROUNDS)


@rule
def note_progress(workspace, rounds, later):
    """Record how far the game is: rounds to the next scoring, and scorings after that."""
    workspace.haste = nearest_haste(rounds)
    workspace.later = later


# ---------------------------------------------------------------- value of gems


@rule
def share_gained(s, seat, giver, colour, before, after, haste):
    """Gain in expected share of a colour's points from having `after` instead of `before` extra
    gems.

    The gems come from `giver` (NONE: the supply); below 0 they go there.
    """
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
def worth_of_gems(s, seat, giver, colour, n, workspace):
    """Value to a seat of n more gems of a colour, from another seat or the supply."""
    gained = (
        share_gained(s, seat, giver, colour, 0, n, workspace.haste) + LATER * workspace.later * n
    )
    return (1.0 + EDGE[s.players]) * MAJORITY_POINTS[colour] * gained


@rule
def worth_of_packed(s, seat, other, gems, times, workspace):
    """Value to a seat of getting packed gems from another seat or the supply (`times` 1),
    or giving them (-1).
    """
    worth = 0.0
    for colour in range(COLOURS):
        n = part(gems, colour)
        if n > 0:
            worth += worth_of_gems(s, seat, other, colour, times * n, workspace)
    return worth


@rule
def price_of_offer(s, seat, offer, workspace):
    """Cost of an offer to the seat that makes it."""
    return -worth_of_packed(s, seat, partner(s, seat), offer, -1, workspace)


@rule
def worth_from_supply(s, seat, colour, wanted, workspace):
    """Value of taking gems of a colour from the supply, as far as it lasts."""
    n = min(wanted, s.supply[colour])
    return worth_of_gems(s, seat, NONE, colour, n, workspace) if n > 0 else 0.0


@rule
def expect_majorities(s, values, haste, later, paid, paid_part):
    """Add to every seat's value its share of the next scoring's majorities.

    For each of the `later` scorings, add an even share, adjusted by the lead in gems. The winner of
    a majority returns `paid` gems, or a fraction of those held.
    """
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
            values[seat] += MAJORITY_POINTS[colour] * (
                mine + later * (1.0 / s.players + LATER * lead)
            )


# ---------------------------------------------------------------- composing an offer


@rule
def fill_up(s, seat, offer, n, colour, workspace):
    """Fill an offer up to n gems with the cheapest of `colour` and the colours below it; 0
    if too few.
    """
    held = hand(s, seat)
    for candidate in range(colour, COLOURS):
        workspace.prices[candidate] = price_of_next(s, seat, offer, candidate, workspace)
    for _ in range(n - size(offer)):
        best = NONE
        for candidate in range(colour, COLOURS):
            if part(offer, candidate) < part(held, candidate) and (
                best == NONE or workspace.prices[candidate] < workspace.prices[best]
            ):
                best = candidate
        if best == NONE:
            return 0
        offer += gems_of(best, 1)
        workspace.prices[best] = price_of_next(s, seat, offer, best, workspace)
    return offer


@rule
def price_of_next(s, seat, offer, colour, workspace):
    """What one more gem of a colour adds to an offer's price, up to a factor all colours share."""
    n = part(offer, colour)
    if n >= s.gems[seat, colour]:
        return 0.0
    lost = share_gained(s, seat, partner(s, seat), colour, -n - 1, -n, workspace.haste)
    return float(int(FINE * MAJORITY_POINTS[colour] * (lost + LATER * workspace.later)))


@rule
def raise_in(s, seat, colour, workspace):
    """The cheapest raise of equal size that has one more gem of `colour` and as many of the
    colours above it; 0 if none.
    """
    n = size(s.offer)
    offer = 0
    for rank in range(colour + 1):
        wanted = part(s.offer, rank) + (1 if rank == colour else 0)
        if wanted > s.gems[seat, rank]:
            return 0
        offer += gems_of(rank, wanted)
    return fill_up(s, seat, offer, n, colour, workspace) if size(offer) <= n else 0


@rule
def note_offer(offer, moves, first, n):
    """Append an offer to the moves found[first:n] unless 0 or present; returns the number
    of moves.
    """
    if offer == 0 or n >= first + MOST_OFFERS:
        return n
    for i in range(first, n):
        if moves[i] == OFFER + offer:
            return n
    moves[n] = OFFER + offer
    return n + 1


@rule
def haggle_candidates(s, seat, workspace, free_to_pass):
    """Stopping, the lowest raise, then by price: raises of equal size and of one to three
    gems more.
    """
    n = 0
    stop = may_stop(s, seat, free_to_pass)
    if stop != 0:
        workspace.found[n] = stop
        n += 1
    first = n
    n = note_offer(next_offer(hand(s, seat), s.offer), workspace.found, first, n)
    if n == first:
        return n
    if s.offer != 0:
        for colour in range(COLOURS - 1):
            n = note_offer(raise_in(s, seat, colour, workspace), workspace.found, first, n)
    for more in range(1, 4):
        gems = size(s.offer) + more
        n = note_offer(fill_up(s, seat, 0, gems, 0, workspace), workspace.found, first, n)
        if more < 3:
            for colour in range(COLOURS):
                if s.gems[seat, colour] > 0 and (more == 1 or colour > 0):
                    forced = fill_up(s, seat, gems_of(colour, 1), gems, 0, workspace)
                    n = note_offer(forced, workspace.found, first, n)
    sort_by_price(s, seat, workspace, first + 1, n)
    return n


@rule
def sort_by_price(s, seat, workspace, first, n):
    """Sort the offers in workspace.found[first:n] by price."""
    for i in range(first, n):
        move = workspace.found[i]
        insert(
            workspace,
            first,
            i,
            move,
            -float(int(FINE * price_of_offer(s, seat, move - OFFER, workspace))),
        )


# ---------------------------------------------------------------- haggling


@rule
def rollout_haggle_move(s, seat, x, workspace, free_to_pass, mine, theirs):
    """Raise while a cheap raise for the action beats the gems offered; else stop.

    `mine` and `theirs` are the action's value to either side. The raise is the lowest legal one or
    one more gem of the least needed, whichever is cheaper.
    """
    offer = next_offer(hand(s, seat), s.offer)
    stop = may_stop(s, seat, free_to_pass)
    if offer == 0:
        return stop
    price = price_of_offer(s, seat, offer, workspace)
    more = fill_up(s, seat, 0, size(s.offer) + 1, 0, workspace)
    if more != 0 and more != offer:
        price_of_more = price_of_offer(s, seat, more, workspace)
        if price_of_more < price:
            offer = more
            price = price_of_more
    left = (
        worth_of_packed(s, seat, partner(s, seat), s.offer, 1, workspace) - EDGE[s.players] * theirs
    )
    left += NOISE * (below(x, 1024) / 512.0 - 1.0)
    return OFFER + offer if stop == 0 or mine - price > left else stop


@rule
def opening_habit(s, seat):
    """The lowest opening offer, which some players always make; -1 if there is nothing to
    open with.
    """
    offer = next_offer(hand(s, seat), 0) if s.offer == 0 else 0
    return OFFER + offer if offer != 0 else -1


@rule
def beginner_haggle_score(s, move, wanted):
    """A beginner's score: gems count equally whatever their colour, against the action's price
    without a haggle.

    Gems offered look good only above that price, an offer of one's own only below it.
    """
    if move >= OFFER:
        return 0.5 * (wanted - GEM_IN_POINTS * size(move - OFFER))
    return GEM_IN_POINTS * size(s.offer) - wanted


# ---------------------------------------------------------------- secret choices


@rule
def note_worth(workspace, seat, action, worth):
    """Record the value of an action to a seat, with a small minimum."""
    workspace.worths[seat, action] = float(int(FINE * max(worth, 0.5)))


@rule
def note_chances(workspace, seat, actions, sharpness):
    """Record how likely a seat chooses each action: by value to the power 1 + sharpness /
    2, and by habit.
    """
    total = 0.0
    for action in range(actions):
        total += choice_weight(workspace.worths[seat, action], sharpness)
    for action in range(actions):
        share = expected_share(
            workspace,
            seat,
            action,
            choice_weight(workspace.worths[seat, action], sharpness) / total,
        )
        workspace.chances[seat, action] = float(int(FINE * share))


@rule
def choice_weight(worth, sharpness):
    return worth * math.sqrt(worth) if sharpness > 0 else worth


@rule
def expected_value(s, seat, action, crowded, workspace):
    """Expected value of choosing an action: all of it alone, half with one other, the share
    `crowded` with more.
    """
    alone = 1.0
    one = 0.0
    for other in range(s.players):
        if other != seat:
            chance = workspace.chances[other, action] / FINE
            one = one * (1.0 - chance) + alone * chance
            alone *= 1.0 - chance
    return workspace.worths[seat, action] * (alone + 0.5 * one + crowded * (1.0 - alone - one))


@rule
def note_expected_values(s, seat, workspace, actions, last_is_shared):
    """Record in `workspace.notes` the expected value of each action, from values recorded
    for all seats.
    """
    for other in range(s.players):
        if other != seat:
            note_chances(workspace, other, actions, 1 if s.players == 3 else 0)
    for action in range(actions):
        crowded = 0.5 if last_is_shared and action == actions - 1 else 0.0
        workspace.notes[action] = float(int(expected_value(s, seat, action, crowded, workspace)))


@rule
def rollout_choice(s, seat, x, workspace, actions, last_is_shared):
    """An action drawn by its value times its expected value.

    In symmetric positions this is close to the equilibrium mix: the best action is likely, none
    certain.
    """
    note_expected_values(s, seat, workspace, actions, last_is_shared)
    total = 0.0
    for action in range(actions):
        total += workspace.notes[action] * workspace.worths[seat, action]
    left = total * (below(x, 65536) / 65536.0)
    action = 0
    while action < actions - 1:
        left -= workspace.notes[action] * workspace.worths[seat, action]
        if left < 0.0:
            return action
        action += 1
    return action


@rule
def choice_candidates(s, seat, workspace, actions, last_is_shared):
    """All actions, most promising first."""
    note_expected_values(s, seat, workspace, actions, last_is_shared)
    for action in range(actions):
        insert(workspace, 0, action, action, workspace.notes[action])
    return actions
