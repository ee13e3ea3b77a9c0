"""Suleika: how the rugs lie, for those who play the end out in full: of every field whose it is, how large its area is, and what a rug can hide that is laid
from there.

That is written down once, and of the next position again only where it is not the same: most of the positions that come one after another differ by a rug. And
what could be hidden if one more rug lay somewhere is kept for as long as nothing else has changed there.
"""

from typing import Any

import numpy as np

from souk.games.suleika.insight import AROUND, REACH
from souk.games.suleika.likings import KINDS, ONE, OTHER
from souk.games.suleika.rules import BESIDE, SIDE, colour_at, connected, owner
from souk.kernel.bits import bit, count, lowest
from souk.kernel.desk import Layout
from souk.kernel.rule import i64, rule, u64

FIELDS = SIDE * SIDE
EVERYWHERE = (1 << FIELDS) - 1
# Off the market there is a field more, where nothing can be hidden.
NOBODYS = 5
KIND = np.zeros((6, 6), np.int64)
KIND[ONE[1:], OTHER[1:]] = KIND[OTHER[1:], ONE[1:]] = range(1, KINDS)

# The places for a rug round Omar are numbered from 0 to 11 here, in the order of `places`.
ROUND = 12
_AROUND = np.asarray(BESIDE)
_BACK = np.array([3, 2, 1, 0])  # by the side of Omar on which a field is: the side of that field on which he is
PLACE = np.array([4 * i + j for i in range(4) for j in range(4) if j != _BACK[i]])  # as `places` counts them
_NEAR = _AROUND[:, PLACE >> 2]
_OFF = (_NEAR < 0) | (_AROUND[_NEAR, PLACE & 3] < 0)
# By Omar's field and place: the fields of a rug's halves.
NEAR = np.where(_OFF, FIELDS, _NEAR)
FAR = np.where(_OFF, FIELDS, _AROUND[_NEAR, PLACE & 3])
BESIDE_OMAR = np.where(_AROUND < 0, FIELDS, _AROUND)
# By Omar's field and place: the spot, which is twice the lower of the two fields, and one more where the rug lies across.
SPOT = 2 * np.minimum(NEAR, FAR) + (abs(NEAR - FAR) == SIDE)
SPOTS = 2 * FIELDS


def _places_on(halves: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    """By Omar's field and a spot: the places of which that half lies on it."""
    spot = np.arange(SPOTS)[:, None]
    low = spot >> 1
    on = (halves[:, None, :] < FIELDS) & (
        (halves[:, None, :] == low) | (halves[:, None, :] == low + 1 + (SIDE - 1) * (spot & 1))
    )
    return (on << np.arange(ROUND)).sum(axis=-1)  # type: ignore[no-any-return]


NEAR_ON, FAR_ON = _places_on(NEAR), _places_on(FAR)
# By spot: the fields from which something else can be hidden when a rug lies there.
TOUCHES = ((NEAR_ON | FAR_ON > 0) << np.arange(FIELDS)[:, None]).sum(axis=0).astype(np.uint64)

BESIDE_BITS = 10


def _besides() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """By Omar's field and a spot: the places round him of which a half lies on it, ten bits each: one more than a place's number, and the field of the other half;
    off the market where that lies on the spot too."""
    found = np.zeros((FIELDS, SPOTS), np.int64)
    for place in reversed(range(ROUND)):
        near, far = NEAR_ON >> place & 1, FAR_ON >> place & 1
        half = np.where(near & far, FIELDS, np.where(near, FAR[:, None, place], NEAR[:, None, place]))
        found = np.where(near | far, found << BESIDE_BITS | half << 4 | place + 1, found)
    return found.astype(np.uint64)


BESIDES = _besides()

KIND_BITS = 4
SET_BEHIND = ROUND * KIND_BITS  # where the set of the kinds stands in what can be hidden

LIE: Layout = (
    ("known", "i8"),  # 0: nothing is written down yet
    ("cover", "u8", 4),  # of the position it is about
    ("rug", "i8", FIELDS + 1),  # where none lies a number of its own
    ("whose", "i8", FIELDS + 1),
    ("areas", "u8", FIELDS),
    ("sizes", "i8", FIELDS),
    # By Omar's field: what can be hidden, by place its kind, or 0 where nothing may be laid, and in front of them the set of all the kinds.
    ("kinds", "u8", FIELDS),
    ("stale", "u8"),  # the fields of which that is to be looked for again
    ("clock", "i8"),
    ("since", "i8", FIELDS),  # when that was written down
    # By Omar's field and spot: what can be hidden if a rug of the other's lies there; and of when that is.
    ("kinds_then", "u8", (FIELDS, SPOTS)),
    ("then", "i8", (FIELDS, SPOTS)),
)


@rule
def with_set(kinds):
    """What can be hidden by place, with the set of the kinds in front."""
    found = kinds
    for place in range(ROUND):
        found |= bit(SET_BEHIND + kind_at(kinds, place))
    return found


@rule
def kind_at(kinds, place):
    return i64((kinds >> u64(KIND_BITS * place)) & u64((1 << KIND_BITS) - 1))


@rule
def kinds_in(kinds):
    """The set of the kinds."""
    return kinds >> u64(SET_BEHIND)


@rule
def places_with(kinds, liked):
    """S17–S19: the places with a kind of this set."""
    found = u64(0)
    for place in range(ROUND):
        found |= u64(((liked >> u64(kind_at(kinds, place))) & u64(1)) << u64(place))
    return found


# ---------------------------------------------------------------- keeping up


@rule
def changes(s, sheet):
    """The fields on which another rug shows than is written down."""
    found = u64(0) if sheet.known else u64(EVERYWHERE)
    for colour in range(4):
        found |= s.cover[colour] ^ sheet.cover[colour]
        sheet.cover[colour] = s.cover[colour]
    for field in range(FIELDS):
        rug = s.rug[field] if s.rug[field] > 0 else -1 - field
        found |= u64(u64(rug != sheet.rug[field]) << u64(field))
    left = found
    while left:
        field = lowest(left)
        left &= u64(left - u64(1))
        sheet.rug[field] = s.rug[field] if s.rug[field] > 0 else -1 - field
    sheet.known = 1
    return found


@rule
def look_at_areas(s, sheet, fields):
    """S13: write down whose these fields are, and of what area."""
    while fields:
        field = lowest(fields)
        colour = colour_at(s, field)
        who = 0 if colour < 0 else 1 + owner(s, colour)
        area = u64(0) if colour < 0 else connected(s.cover[colour], field)
        size = count(area)
        left = area | bit(field)
        fields &= ~left
        while left:
            field = lowest(left)
            left &= u64(left - u64(1))
            sheet.whose[field] = who
            sheet.areas[field] = area
            sheet.sizes[field] = size


@rule
def look_from(sheet, omar):
    """S17–S19: write down what can be hidden from a field. Not where both halves of one rug would be."""
    found = u64(0)
    for side in range(4):
        near = BESIDE_OMAR[omar, side]
        whose = sheet.whose[near]
        rug = sheet.rug[near]
        for place in range(3 * side, 3 * side + 3):
            far = FAR[omar, place]
            kind = 0 if sheet.rug[far] == rug else KIND[whose, sheet.whose[far]]
            found |= u64(u64(kind) << u64(KIND_BITS * place))
    sheet.kinds[omar] = with_set(found)
    sheet.since[omar] = sheet.clock


@rule
def kinds_from(sheet, omar):
    """What can be hidden from a field: looked for when it is first asked for."""
    if (sheet.stale >> u64(omar)) & u64(1):
        sheet.stale &= ~bit(omar)
        look_from(sheet, omar)
    return sheet.kinds[omar]


@rule
def look_round(s, sheet):
    """Bring all that is written down up to date."""
    changed = changes(s, sheet)
    if changed == u64(0):
        return
    sheet.clock += 1
    sheet.whose[FIELDS] = NOBODYS
    areas = changed
    while changed:
        field = lowest(changed)
        changed &= u64(changed - u64(1))
        areas |= sheet.areas[field]
        sheet.stale |= REACH[field]
    look_at_areas(s, sheet, areas)


# ---------------------------------------------------------------- one rug more


@rule
def look_from_then(sheet, omar, spot):
    """S19: what can be hidden from a field if a rug of the other's lies on a spot: of that not both halves, of what it hides half of anything."""
    found = sheet.kinds[omar] & u64((1 << SET_BEHIND) - 1)
    left = BESIDES[omar, spot]
    while left:
        place = i64(left & u64(15)) - 1
        kind = KIND[u64(sheet.other), u64(sheet.whose[(left >> u64(4)) & u64(63)])]
        found ^= u64(u64(kind ^ kind_at(found, place)) << u64(KIND_BITS * place))
        left >>= u64(BESIDE_BITS)
    return with_set(found)


@rule
def kinds_then(sheet, omar, spot):
    """The same, looked up."""
    when = sheet.since[omar] * 8 + sheet.other
    if sheet.then[omar, spot] != when:
        sheet.then[omar, spot] = when
        sheet.kinds_then[omar, spot] = look_from_then(sheet, omar, spot)
    return sheet.kinds_then[omar, spot]


@rule
def area_then(sheet, colour, near, far):
    """S13: the area of which a rug of this colour will be a part."""
    rug = bit(near) | bit(far)
    joined = (AROUND[near] | AROUND[far] | rug) & sheet.cover[colour]
    area = rug
    while joined:
        area |= sheet.areas[lowest(joined)]
        joined &= ~area
    return area
