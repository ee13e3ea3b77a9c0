"""Suleika: what a stop in the last turn but one can come to, at most and at least, before it is looked at: for those who play the end out in full.

At most: the last rug but one becomes part of the largest area there is, the layer pays what it costs, and both hide what the other would like. At least, with two
players: the other lays what hides most, and then pays nobody and is paid nothing. Most often that is less than what is known of another way, or more than the
layer would have let happen, and then there is nothing to look at.
"""

import numpy as np

from souk.games.suleika.insight import AROUND, REACH, SIXTHS
from souk.games.suleika.lie import FAR, FIELDS, NEAR, SPOT, SPOTS, TOUCHES, kinds_from, kinds_in
from souk.games.suleika.likings import CLOSE, FOUR_TIMES, GAINS, PART, best_step, dues, gains_of, points_of, top_points
from souk.games.suleika.rules import LEFT, RIGHT, STRAIGHT, turned
from souk.games.suleika.ways import FACES, HEADINGS, STOPS
from souk.kernel.bits import count, lowest
from souk.kernel.desk import Layout
from souk.kernel.ranking import MOST_AHEAD
from souk.kernel.rule import rule, u64

# By Omar's field: where a rug laid from there lies, or beside it;
_WITHIN = (REACH[:, None] >> np.arange(FIELDS, dtype=np.uint64) & np.uint64(1)).astype(bool)
WITHIN_REACH = np.bitwise_or.reduce(np.where(_WITHIN, AROUND | REACH[:, None], np.uint64(0)), axis=1)
# and from where something else can be hidden when it has been laid.
TOUCHABLE = np.array([np.bitwise_or.reduce(TOUCHES[row[row < SPOTS]]) for row in SPOT])
# By Omar's field and direction: across how many of the ways he can then walk a rug laid round him can lie.
_WAYS = np.bitwise_or.reduce(1 << STOPS, axis=-1)[
    :, [[turned(facing, way) for way in (LEFT, RIGHT, STRAIGHT)] for facing in range(4)]
]
_RUGS = np.where(NEAR < FIELDS, 1 << NEAR | 1 << FAR, 0)
CROSSED = ((_WAYS[..., None] & _RUGS[:, None, None]) != 0).sum(axis=2).max(axis=-1)

PARTS = SIXTHS / 6  # by face: its part in the mean over all
BOUNDS: Layout = (
    # The fields on which Omar's last stop may cost what the largest area does that the rug before can become a part of, and how much that is.
    ("grown", "u8"),
    ("growth", "i8"),
    # By what the die shows in the last turn but one: what a stop can be worth to the other, times its part in the mean.
    ("at_most", "f8", FACES),
    ("at_least", "f8", FACES),
)


@rule
def owed_before(s, sheet, omar):
    """S13–S16: what the other owes for a stop in the last turn but one."""
    return 0 if sheet.whose[omar] == sheet.other else min(sheet.sizes[omar], s.money[sheet.other - 1])


@rule
def look_how_far(s, sheet, omar, facing):
    """Note how large an area the last rug but one can become a part of, and on which fields that may be what Omar's last stop costs. (That of two players' ways one
    or two may lead across the rug itself is left to `most_at_stop`.)"""
    sheet.grown = u64(0)
    joined = WITHIN_REACH[omar] & sheet.cover[sheet.colour]
    while joined:
        sheet.grown |= sheet.areas[lowest(joined)]
        joined &= ~sheet.grown
    sheet.growth = count(sheet.grown) + 2
    if s.players > 2 or CROSSED[omar, facing] == 3:
        sheet.grown |= REACH[omar]


@rule
def loss_at(sheet, players, omar, field):
    """What the layer may hide at a last stop that the other would rather have hidden: two points. Of two players a layer hides what is of use: and where the rug
    before has taken that away, a half of that very rug at least."""
    if players > 2:
        return CLOSE
    step = (
        lowest(
            GAINS[u64(sheet.layer), u64(sheet.no_rivals)] & u64(kinds_in(kinds_from(sheet, field)) * u64(FOUR_TIMES))
        )
        >> 4
    )
    return max(step - CLOSE, 0) if (TOUCHABLE[omar] >> field) & u64(1) else step - CLOSE


@rule
def most_along(s, sheet, ranks, omar, heading):
    """What it can be worth to the other at most if the layer walks Omar this way, pays what it costs, and both hide what the other likes."""
    own = points_of(ranks, sheet.other) + CLOSE
    layers = points_of(ranks, sheet.layer)
    rivals = top_points(ranks & sheet.rivals & ~PART[sheet.other])
    mean = 0.0
    for face in range(FACES):
        field = u64(STOPS[omar, heading, face])
        who = sheet.whose[field]
        toll = 0 if who == sheet.layer else sheet.sizes[field]
        gain = toll if who == sheet.other else 0
        if (sheet.grown >> field) & u64(1):
            toll = max(toll, sheet.growth)
            gain = max(gain, sheet.growth)
        ahead = own + min(gain, sheet.purse) - max(rivals, layers - min(toll, sheet.purse))
        ahead += loss_at(sheet, s.players, omar, field)
        mean += PARTS[face] * sheet.worths[1 if ahead >= 0 else 0, MOST_AHEAD + ahead]
    return mean


@rule
def most_at_stop(s, sheet, ranks, omar, facing):
    """What a stop in the last turn but one can be worth to the other at most. Of two players the layer can take the way that is best without that rug, or the second
    best where it lies across that one, or the third where it can lie across two."""
    owed = owed_before(s, sheet, omar)
    sheet.purse = s.money[sheet.layer - 1] + (owed if sheet.whose[omar] == sheet.layer else 0)
    look_how_far(s, sheet, omar, facing)
    then = u64(ranks + dues(sheet.other, owed, sheet.whose[omar]))
    left = most_along(s, sheet, then, omar, turned(facing, LEFT))
    right = most_along(s, sheet, then, omar, turned(facing, RIGHT))
    straight = most_along(s, sheet, then, omar, facing)
    if s.players == 2 and CROSSED[omar, facing] == 1:
        return max(min(left, right), min(max(left, right), straight))
    return max(max(left, right), straight)


@rule
def least_at_stop(s, sheet, ranks, omar):
    """Two players: what a stop in the last turn but one is worth to the other at least: the rug that hides most, and a layer who then pays nothing and hides two."""
    owed = owed_before(s, sheet, omar)
    then = u64(ranks + dues(sheet.other, owed, sheet.whose[omar]))
    step = best_step(gains_of(then, sheet.other, 2), kinds_in(kinds_from(sheet, omar)))
    ahead = points_of(then, sheet.other) - points_of(then, sheet.layer) - step
    return sheet.worths[1 if ahead > 0 else 0, MOST_AHEAD + ahead]


# ---------------------------------------------------------------- of all faces of the die


@rule
def least_of_way(s, sheet, ranks, heading):
    """Two players: what a way is worth to the other in the last turn but one, at least."""
    total = 0.0
    for face in range(FACES):
        sheet.at_least[face] = 0.0
        if s.players == 2 and sheet.layer != sheet.other:
            sheet.at_least[face] = PARTS[face] * least_at_stop(s, sheet, ranks, STOPS[s.omar, heading, face])
        total += sheet.at_least[face]
    return total


@rule
def most_of_way(s, sheet, ranks, heading, wanted):
    """What a way is worth to the other in the last turn but one, at most: 1, where it is not wanted to know better. S40: nor where the other turns Omar for the
    layer."""
    total = 0.0
    for face in range(FACES):
        sheet.at_most[face] = PARTS[face]
        if wanted and not s.turn_at_end and sheet.layer != sheet.other:
            facing = HEADINGS[s.omar, heading, face]
            sheet.at_most[face] *= most_at_stop(s, sheet, ranks, STOPS[s.omar, heading, face], facing)
        total += sheet.at_most[face]
    return total
