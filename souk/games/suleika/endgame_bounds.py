"""Suleika endgame: upper and lower bounds for a stop in the last turn but one, used to prune.

Upper bound: the last rug but one joins the largest area possible, the layer pays its full toll, and
both hide what suits the other. Lower bound (two players): the other hides the most it can, then
pays and receives nothing. Usually these are worse than another way already evaluated, or better
than the layer would allow, and the stop need not be searched.
"""

import numpy as np

from souk.games.suleika.endgame_layout import (
    FAR,
    FIELDS,
    NEAR,
    SPOT,
    SPOTS,
    TOUCHES,
    kinds_from,
    kinds_in,
)
from souk.games.suleika.endgame_values import (
    CLOSE,
    FOUR_TIMES,
    GAINS,
    PART,
    best_step,
    dues,
    gains_of,
    points_of,
    top_points,
)
from souk.games.suleika.heuristics import AROUND, REACH, SIXTHS
from souk.games.suleika.paths import FACES, HEADINGS, STOPS
from souk.games.suleika.rules import LEFT, RIGHT, STRAIGHT, turned
from souk.kernel.bitset import count, lowest
from souk.kernel.ranking import MAX_LEAD
from souk.kernel.rule import rule, u64
from souk.kernel.workspace import Layout

# By Omar's field: where a rug laid from there lies, or beside it,
_WITHIN = (REACH[:, None] >> np.arange(FIELDS, dtype=np.uint64) & np.uint64(1)).astype(bool)
WITHIN_REACH = np.bitwise_or.reduce(
    np.where(_WITHIN, AROUND | REACH[:, None], np.uint64(0)), axis=1
)
# and from where something else can be hidden once it is laid.
TOUCHABLE = np.array([np.bitwise_or.reduce(TOUCHES[row[row < SPOTS]]) for row in SPOT])
# By Omar's field and direction: how many of his next three ways one rug laid beside him can cross.
_WAYS = np.bitwise_or.reduce(1 << STOPS, axis=-1)[
    :, [[turned(facing, way) for way in (LEFT, RIGHT, STRAIGHT)] for facing in range(4)]
]
_RUGS = np.where(NEAR < FIELDS, 1 << NEAR | 1 << FAR, 0)
CROSSED = ((_WAYS[..., None] & _RUGS[:, None, None]) != 0).sum(axis=2).max(axis=-1)

PARTS = SIXTHS / 6  # by face: its probability
BOUND_FIELDS: Layout = (
    # Fields where Omar's last stop may cost as much as the largest area the rug before can join,
    # and the size of that area.
    ("grown", "u8"),
    ("growth", "i8"),
    # By face in the last turn but one: bounds of a stop's value to the other, times its
    # probability.
    ("at_most", "f8", FACES),
    ("at_least", "f8", FACES),
)


@rule
def owed_before(s, scratch, omar):
    """S13–S16: what the other owes for a stop in the last turn but one."""
    return (
        0
        if scratch.whose[omar] == scratch.other
        else min(scratch.sizes[omar], s.money[scratch.other - 1])
    )


@rule
def note_growth(s, scratch, omar, facing):
    """Note the largest area the last rug but one can join, and where it may raise the last toll.

    That it may lie across one or two of Omar's ways is left to `most_at_stop`.
    """
    scratch.grown = u64(0)
    joined = WITHIN_REACH[omar] & scratch.cover[scratch.colour]
    while joined:
        scratch.grown |= scratch.areas[lowest(joined)]
        joined &= ~scratch.grown
    scratch.growth = count(scratch.grown) + 2
    if s.players > 2 or CROSSED[omar, facing] == 3:
        scratch.grown |= REACH[omar]


@rule
def loss_at(scratch, players, omar, field):
    """Points the layer may hide against the other's interest at a last stop: two.

    With two players the layer hides what helps itself; if the rug before covered that, at least
    half of that rug.
    """
    if players > 2:
        return CLOSE
    step = (
        lowest(
            GAINS[u64(scratch.layer), u64(scratch.no_rivals)]
            & u64(kinds_in(kinds_from(scratch, field)) * u64(FOUR_TIMES))
        )
        >> 4
    )
    return max(step - CLOSE, 0) if (TOUCHABLE[omar] >> field) & u64(1) else step - CLOSE


@rule
def most_along(s, scratch, ranks, omar, heading):
    """Upper bound of the value to the other if the layer walks Omar this way."""
    own = points_of(ranks, scratch.other) + CLOSE
    layers = points_of(ranks, scratch.layer)
    rivals = top_points(ranks & scratch.rivals & ~PART[scratch.other])
    mean = 0.0
    for face in range(FACES):
        field = u64(STOPS[omar, heading, face])
        who = scratch.whose[field]
        toll = 0 if who == scratch.layer else scratch.sizes[field]
        gain = toll if who == scratch.other else 0
        if (scratch.grown >> field) & u64(1):
            toll = max(toll, scratch.growth)
            gain = max(gain, scratch.growth)
        ahead = own + min(gain, scratch.purse) - max(rivals, layers - min(toll, scratch.purse))
        ahead += loss_at(scratch, s.players, omar, field)
        mean += PARTS[face] * scratch.worths[1 if ahead >= 0 else 0, MAX_LEAD + ahead]
    return mean


@rule
def most_at_stop(s, scratch, ranks, omar, facing):
    """Upper bound of the value to the other of a stop in the last turn but one.

    With two players the layer can take the way best without that rug, or the second best if it lies
    across that one, or the third if it can lie across two.
    """
    owed = owed_before(s, scratch, omar)
    scratch.purse = s.money[scratch.layer - 1] + (
        owed if scratch.whose[omar] == scratch.layer else 0
    )
    note_growth(s, scratch, omar, facing)
    then = u64(ranks + dues(scratch.other, owed, scratch.whose[omar]))
    left = most_along(s, scratch, then, omar, turned(facing, LEFT))
    right = most_along(s, scratch, then, omar, turned(facing, RIGHT))
    straight = most_along(s, scratch, then, omar, facing)
    if s.players == 2 and CROSSED[omar, facing] == 1:
        return max(min(left, right), min(max(left, right), straight))
    return max(max(left, right), straight)


@rule
def least_at_stop(s, scratch, ranks, omar):
    """Two players: lower bound of the value to the other of a stop in the last turn but one.

    The other hides the most it can; then the layer pays nothing and hides two halves.
    """
    owed = owed_before(s, scratch, omar)
    then = u64(ranks + dues(scratch.other, owed, scratch.whose[omar]))
    step = best_step(gains_of(then, scratch.other, 2), kinds_in(kinds_from(scratch, omar)))
    ahead = points_of(then, scratch.other) - points_of(then, scratch.layer) - step
    return scratch.worths[1 if ahead > 0 else 0, MAX_LEAD + ahead]


# ---------------------------------------------------------------- all faces of the die


@rule
def least_of_way(s, scratch, ranks, heading):
    """Two players: lower bound of a way's value to the other in the last turn but one."""
    total = 0.0
    for face in range(FACES):
        scratch.at_least[face] = 0.0
        if s.players == 2 and scratch.layer != scratch.other:
            scratch.at_least[face] = PARTS[face] * least_at_stop(
                s, scratch, ranks, STOPS[s.omar, heading, face]
            )
        total += scratch.at_least[face]
    return total


@rule
def most_of_way(s, scratch, ranks, heading, wanted):
    """Upper bound of a way's value to the other in the last turn but one.

    1 if a better bound is not wanted or, S40, the other turns Omar for the layer.
    """
    total = 0.0
    for face in range(FACES):
        scratch.at_most[face] = PARTS[face]
        if wanted and not s.turn_at_end and scratch.layer != scratch.other:
            facing = HEADINGS[s.omar, heading, face]
            scratch.at_most[face] *= most_at_stop(
                s, scratch, ranks, STOPS[s.omar, heading, face], facing
            )
        total += scratch.at_most[face]
    return total
