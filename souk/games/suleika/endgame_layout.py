"""Suleika endgame: owner and size of each area, and the kinds hidable from each field.

Updated incrementally, as consecutive positions mostly differ by one rug. Kinds after one more rug
are cached until something nearby changes.
"""

from typing import Any

import numpy as np

from souk.games.suleika.endgame_values import KINDS, ONE, OTHER
from souk.games.suleika.heuristics import AROUND, REACH
from souk.games.suleika.rules import BESIDE, SIDE, colour_at, connected, owner
from souk.kernel.bitset import bit, count, lowest
from souk.kernel.rule import i64, rule, u64
from souk.kernel.workspace import Layout

FIELDS = SIDE * SIDE
EVERYWHERE = (1 << FIELDS) - 1
# An extra field off the market, where nothing can be hidden.
NOBODYS = 5
KIND = np.zeros((6, 6), np.int64)
KIND[ONE[1:], OTHER[1:]] = KIND[OTHER[1:], ONE[1:]] = range(1, KINDS)

# Places for a rug round Omar, numbered 0 to 11 in the order of `places`.
ROUND = 12
_AROUND = np.asarray(BESIDE)
# By the side of Omar on which a field lies: the side of that field on which he stands.
_BACK = np.array([3, 2, 1, 0])
# In the numbering of `places`.
PLACE = np.array([4 * i + j for i in range(4) for j in range(4) if j != _BACK[i]])
_NEAR = _AROUND[:, PLACE >> 2]
_OFF = (_NEAR < 0) | (_AROUND[_NEAR, PLACE & 3] < 0)
# By Omar's field and place: the fields of a rug's halves.
NEAR = np.where(_OFF, FIELDS, _NEAR)
FAR = np.where(_OFF, FIELDS, _AROUND[_NEAR, PLACE & 3])
BESIDE_OMAR = np.where(_AROUND < 0, FIELDS, _AROUND)
# By Omar's field and place: the spot, numbered twice the lower field, plus one if the rug lies
# across.
SPOT = 2 * np.minimum(NEAR, FAR) + (abs(NEAR - FAR) == SIDE)
SPOTS = 2 * FIELDS


def _places_on(halves: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    """By Omar's field and spot: the places whose half lies on the spot."""
    spot = np.arange(SPOTS)[:, None]
    low = spot >> 1
    on = (halves[:, None, :] < FIELDS) & (
        (halves[:, None, :] == low) | (halves[:, None, :] == low + 1 + (SIDE - 1) * (spot & 1))
    )
    return (on << np.arange(ROUND)).sum(axis=-1)  # type: ignore[no-any-return]


NEAR_ON, FAR_ON = _places_on(NEAR), _places_on(FAR)
# By spot: fields from which the hidable kinds change when a rug lies there.
TOUCHES = ((NEAR_ON | FAR_ON > 0) << np.arange(FIELDS)[:, None]).sum(axis=0).astype(np.uint64)

BESIDE_BITS = 10


def _besides() -> np.ndarray[Any, np.dtype[np.uint64]]:
    """By Omar's field and spot: the places round him with a half on the spot, ten bits each.

    Each holds the place number plus one, and the field of the other half (off the market if that is
    on the spot too).
    """
    table = np.zeros((FIELDS, SPOTS), np.int64)
    for place in reversed(range(ROUND)):
        near, far = NEAR_ON >> place & 1, FAR_ON >> place & 1
        half = np.where(
            near & far, FIELDS, np.where(near, FAR[:, None, place], NEAR[:, None, place])
        )
        table = np.where(near | far, table << BESIDE_BITS | half << 4 | place + 1, table)
    return table.astype(np.uint64)


BESIDES = _besides()

KIND_BITS = 4
SET_BEHIND = ROUND * KIND_BITS  # offset of the set of kinds in `kinds`

LAYOUT_FIELDS: Layout = (
    ("is_filled", "i8"),  # 0 until first filled
    ("cover", "u8", 4),  # of the position described
    ("rug", "i8", FIELDS + 1),  # a unique number where no rug lies
    ("whose", "i8", FIELDS + 1),
    ("areas", "u8", FIELDS),
    ("sizes", "i8", FIELDS),
    # By Omar's field: the kind by place, or 0 where nothing may be laid, followed by the set of all
    # kinds.
    ("kinds", "u8", FIELDS),
    ("stale", "u8"),  # fields whose kinds need an update
    ("version", "i8"),
    ("kinds_version", "i8", FIELDS),  # version of `kinds`
    # By Omar's field and spot: the kinds after the other lays a rug there, and the version they are
    # for.
    ("cached_kinds", "u8", (FIELDS, SPOTS)),
    ("cached_version", "i8", (FIELDS, SPOTS)),
)


@rule
def with_set(kinds):
    """Kinds by place, followed by the set of all kinds."""
    combined = kinds
    for place in range(ROUND):
        combined |= bit(SET_BEHIND + kind_at(kinds, place))
    return combined


@rule
def kind_at(kinds, place):
    return i64((kinds >> u64(KIND_BITS * place)) & u64((1 << KIND_BITS) - 1))


@rule
def kinds_in(kinds):
    """The set of kinds."""
    return kinds >> u64(SET_BEHIND)


@rule
def places_with(kinds, wanted):
    """S17–S19: places with a kind of this set."""
    places = u64(0)
    for place in range(ROUND):
        places |= u64(((wanted >> u64(kind_at(kinds, place))) & u64(1)) << u64(place))
    return places


# ---------------------------------------------------------------- updating


@rule
def changed_fields(s, scratch):
    """Fields showing another rug than recorded; record the new ones."""
    changed = u64(0) if scratch.is_filled else u64(EVERYWHERE)
    for colour in range(4):
        changed |= s.cover[colour] ^ scratch.cover[colour]
        scratch.cover[colour] = s.cover[colour]
    for field in range(FIELDS):
        rug = s.rug[field] if s.rug[field] > 0 else -1 - field
        changed |= u64(u64(rug != scratch.rug[field]) << u64(field))
    left = changed
    while left:
        field = lowest(left)
        left &= u64(left - u64(1))
        scratch.rug[field] = s.rug[field] if s.rug[field] > 0 else -1 - field
    scratch.is_filled = 1
    return changed


@rule
def update_areas(s, scratch, fields):
    """S13: record owner and area of these fields."""
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
            scratch.whose[field] = who
            scratch.areas[field] = area
            scratch.sizes[field] = size


@rule
def update_kinds(scratch, omar):
    """S17–S19: record the kinds hidable from a field, excluding both halves of one rug."""
    packed = u64(0)
    for side in range(4):
        near = BESIDE_OMAR[omar, side]
        whose = scratch.whose[near]
        rug = scratch.rug[near]
        for place in range(3 * side, 3 * side + 3):
            far = FAR[omar, place]
            kind = 0 if scratch.rug[far] == rug else KIND[whose, scratch.whose[far]]
            packed |= u64(u64(kind) << u64(KIND_BITS * place))
    scratch.kinds[omar] = with_set(packed)
    scratch.kinds_version[omar] = scratch.version


@rule
def kinds_from(scratch, omar):
    """Kinds hidable from a field, computed on demand."""
    if (scratch.stale >> u64(omar)) & u64(1):
        scratch.stale &= ~bit(omar)
        update_kinds(scratch, omar)
    return scratch.kinds[omar]


@rule
def update_layout(s, scratch):
    """Bring all records up to date."""
    changed = changed_fields(s, scratch)
    if changed == u64(0):
        return
    scratch.version += 1
    scratch.whose[FIELDS] = NOBODYS
    areas = changed
    while changed:
        field = lowest(changed)
        changed &= u64(changed - u64(1))
        areas |= scratch.areas[field]
        scratch.stale |= REACH[field]
    update_areas(s, scratch, areas)


# ---------------------------------------------------------------- one more rug


@rule
def compute_kinds_after(scratch, omar, spot):
    """S19: kinds hidable from a field once the other lays a rug on a spot.

    Not both halves of that rug, and one half of any rug it half covers.
    """
    packed = scratch.kinds[omar] & u64((1 << SET_BEHIND) - 1)
    left = BESIDES[omar, spot]
    while left:
        place = i64(left & u64(15)) - 1
        kind = KIND[u64(scratch.other), u64(scratch.whose[(left >> u64(4)) & u64(63)])]
        packed ^= u64(u64(kind ^ kind_at(packed, place)) << u64(KIND_BITS * place))
        left >>= u64(BESIDE_BITS)
    return with_set(packed)


@rule
def kinds_after(scratch, omar, spot):
    """The same, cached."""
    version = scratch.kinds_version[omar] * 8 + scratch.other
    if scratch.cached_version[omar, spot] != version:
        scratch.cached_version[omar, spot] = version
        scratch.cached_kinds[omar, spot] = compute_kinds_after(scratch, omar, spot)
    return scratch.cached_kinds[omar, spot]


@rule
def area_after(scratch, colour, near, far):
    """S13: the area a rug of this colour will join."""
    rug = bit(near) | bit(far)
    joined = (AROUND[near] | AROUND[far] | rug) & scratch.cover[colour]
    area = rug
    while joined:
        area |= scratch.areas[lowest(joined)]
        joined &= ~area
    return area
