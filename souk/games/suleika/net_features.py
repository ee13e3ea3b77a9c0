"""Suleika's net features from each seat's view: rugs, area sizes, Omar's stops, holdings."""

from typing import Any

import numpy as np

from souk.games.suleika.heuristics import (
    EARN,
    SIXTHS,
    STOPS,
    add_holdings,
    add_income,
    best_of_ways,
    expect_hiding,
    expect_toll,
    sqrt_turns_after,
    turns_left,
    way_is_set,
    weight,
)
from souk.games.suleika.rules import (
    BACK,
    LEFT,
    RUG,
    SIDE,
    STRAIGHT,
    connected,
    owner,
    turned,
    walker,
)
from souk.kernel.bitset import count
from souk.kernel.rule import i64, rule, u64

FIELDS = SIDE * SIDE
WAYS = STRAIGHT - BACK  # left, right and straight on
# By number of fields in an area.
SIZE_CLASS = np.array([0, 0, 1, 2, 2, 3, 3, 4, 4, 4] + [5] * 40, np.int64)
SIZES = 6
PURSE = 4  # piastres per bucket
PURSES = 32
STOCKS = 16

# Seats counted from an observer, and owners of colours likewise: by players, seat, and seat or
# colour.
SEAT_OFFSET = np.array(
    [
        [[(other - seat) % max(players, 1) for other in range(4)] for seat in range(4)]
        for players in range(5)
    ]
)
OWNER_OFFSET = SEAT_OFFSET.copy()
# Both one's own colours come first.
OWNER_OFFSET[2] = [[colour ^ 2 * (seat & 1) for colour in range(4)] for seat in range(4)]

BARE = 4 * SIZES  # colour and size of a bare field, as one number
# Bits of a colour and size class; the bits above hold the exact size.
KIND_BITS = 5
KIND = (1 << KIND_BITS) - 1
# The same from a seat's view: by players, colour and size, and seat.
KINDS = np.full((5, BARE + 1, 4), BARE, np.int32)
for _kind in range(BARE):
    KINDS[:, _kind] = SIZES * OWNER_OFFSET[:, :, _kind // SIZES] + _kind % SIZES

# By field and direction: Omar's possible stops, way by way.
AHEAD = np.array(
    [
        [
            [STOPS[field, turned(facing, way)] for way in range(LEFT, STRAIGHT + 1)]
            for facing in range(4)
        ]
        for field in range(FIELDS)
    ],
    np.int8,
).reshape(FIELDS, 4, WAYS * 4)

# First row of each kind of feature.
FIELD = 0  # by owner of the visible colour, size of its area, and field
# By walker, way, steps, and owner and size of the area seen.
STOP = FIELD + 4 * SIZES * FIELDS
OMAR = STOP + 4 * WAYS * 4 * (BARE + 1)  # by field and direction
MONEY = OMAR + 4 * FIELDS  # by owner and amount
STOCK = MONEY + 4 * PURSES  # by colour and number of rugs
TURN = STOCK + 4 * STOCKS  # by seat on turn
LATE = TURN + 4  # S40: Omar is turned at the end of a turn
ROWS = LATE + 1
MOST_SEEN = FIELDS + WAYS * 4 + 1 + 4 + 4 + 1 + 1


@rule
def add_feature(s, workspace, n, colour, first, stride):
    """Add one feature about a colour for every observer; `stride` rows per owner."""
    for seat in range(i64(s.players)):
        workspace.seen[n, seat] = first + stride * OWNER_OFFSET[s.players, seat, colour]
    return n + 1


@rule
def add_fields(s, workspace, n):
    """Add what is visible on every field.

    Leaves colour and size of each field in `workspace.out` (BARE without a rug) and each colour's
    sum of squared area sizes in `workspace.weights`. Here and in `add_stops` the loop over seats is
    unrolled so that work common to an area's fields is done once.
    """
    players = i64(s.players)
    for field in range(FIELDS):
        workspace.out[field] = BARE
    for colour in range(4):
        fields = s.cover[colour]
        squared = 0
        while fields:
            area = connected(fields, count(u64(fields & u64(~fields + u64(1))) - u64(1)))
            fields &= u64(~area)
            wide = i64(count(area))
            squared += wide * wide
            size = SIZE_CLASS[wide]
            kind = SIZES * colour + size + (wide << KIND_BITS)
            first = FIELD + FIELDS * size
            at0 = first + SIZES * FIELDS * i64(OWNER_OFFSET[players, 0, colour])
            at1 = first + SIZES * FIELDS * i64(OWNER_OFFSET[players, 1, colour])
            at2 = first + SIZES * FIELDS * i64(OWNER_OFFSET[players, 2, colour])
            at3 = first + SIZES * FIELDS * i64(OWNER_OFFSET[players, 3, colour])
            while area:
                field = count(u64(area & u64(~area + u64(1))) - u64(1))
                area &= u64(area - u64(1))
                workspace.out[field] = kind
                workspace.seen[n, 0] = at0 + field
                workspace.seen[n, 1] = at1 + field
                if players > 2:
                    workspace.seen[n, 2] = at2 + field
                if players > 3:
                    workspace.seen[n, 3] = at3 + field
                n += 1
        workspace.weights[colour] = squared
    return n


@rule
def add_stops(s, workspace, n):
    """Add Omar's possible stops of the next walk."""
    players = i64(s.players)
    who = i64(walker(s))
    stride = WAYS * 4 * (BARE + 1)
    at0 = STOP + stride * i64(SEAT_OFFSET[players, 0, who])
    at1 = STOP + stride * i64(SEAT_OFFSET[players, 1, who])
    at2 = STOP + stride * i64(SEAT_OFFSET[players, 2, who])
    at3 = STOP + stride * i64(SEAT_OFFSET[players, 3, who])
    for k in range(WAYS * 4):
        seen = i64(workspace.out[i64(AHEAD[s.omar, s.facing, k])]) & KIND
        more = k * (BARE + 1)
        workspace.seen[n + k, 0] = at0 + more + i64(KINDS[players, seen, 0])
        workspace.seen[n + k, 1] = at1 + more + i64(KINDS[players, seen, 1])
        if players > 2:
            workspace.seen[n + k, 2] = at2 + more + i64(KINDS[players, seen, 2])
        if players > 3:
            workspace.seen[n + k, 3] = at3 + more + i64(KINDS[players, seen, 3])
    return n + WAYS * 4


@rule
def add_holdings_left(s, workspace, n):
    """Add purses and rugs left."""
    for owned in range(i64(s.players)):
        for seat in range(i64(s.players)):
            away = SEAT_OFFSET[s.players, seat, owned]
            workspace.seen[n, seat] = (
                MONEY + PURSES * away + min(s.money[owned] // PURSE, PURSES - 1)
            )
        n += 1
    for colour in range(4):
        if s.players != 3 or colour < 3:
            n = add_feature(
                s, workspace, n, colour, STOCK + min(s.left[colour], STOCKS - 1), STOCKS
            )
    return n


@rule
def features(s, workspace, lookup):
    return add_rest(s, workspace, add_fields(s, workspace, 0))


@rule
def add_rest(s, workspace, n):
    """Add everything but the fields."""
    n = add_stops(s, workspace, n)
    n = add_holdings_left(s, workspace, n)
    for seat in range(i64(s.players)):
        workspace.seen[n, seat] = OMAR + 4 * s.omar + s.facing
        workspace.seen[n + 1, seat] = TURN + SEAT_OFFSET[s.players, seat, s.turn]
        if s.turn_at_end:
            workspace.seen[n + 2, seat] = LATE
    return n + 3 if s.turn_at_end else n + 2


# ---------------------------------------------------------------- heuristic evaluation from the
# same areas


@rule
def evaluate_with_features(s, workspace, lookup):
    """`evaluate` and `features`, bit-identical, searching areas once."""
    n = add_fields(s, workspace, 0)
    turns = turns_left(s)
    add_holdings(s, workspace.values, lookup)
    for colour in range(4):
        if s.cover[colour]:
            add_income(
                s,
                workspace.values,
                colour,
                weight(lookup, EARN) * sqrt_turns_after(turns) * i64(workspace.weights[colour]),
                turns,
            )
    if s.turn >= 0 and s.phase != RUG:
        walk_ahead_at(s, workspace, best_way_at(s, workspace, lookup), lookup)
    return add_rest(s, workspace, n)


@rule
def payee_at(s, seen):
    """Owner of the rug on a field, from the number `add_fields` left for it."""
    return owner(s, (seen & KIND) // SIZES)


@rule
def owed_at(s, seat, seen):
    """S13–S16: what `seat` can pay seen: `price` without searching the area again."""
    return 0 if payee_at(s, seen) == seat else min(seen >> KIND_BITS, s.money[seat])


@rule
def walk_ahead_at(s, workspace, facing, lookup):
    """`walk_ahead` from those numbers: expected toll of the next walk, and what can be hidden after
    it.
    """
    seat = walker(s)
    for steps in range(4):
        seen = i64(workspace.out[i64(STOPS[s.omar, facing, steps])])
        owed = owed_at(s, seat, seen)
        if owed > 0:
            expect_toll(workspace.values, seat, payee_at(s, seen), owed, steps)
    expect_hiding(s, workspace.values, seat, facing, lookup)


@rule
def best_way_at(s, workspace, lookup):
    """`best_way` from those numbers."""
    if way_is_set(s):
        return s.facing
    return best_of_ways(
        s,
        toll_at(s, workspace, 0),
        toll_at(s, workspace, 4),
        toll_at(s, workspace, 8),
        lookup,
    )


@rule
def toll_at(s, workspace, first):
    """`toll_of_way` from those numbers; `first` is the way's first stop in AHEAD."""
    seat = walker(s)
    sixths = 0
    for steps in range(4):
        seen = i64(workspace.out[i64(AHEAD[s.omar, s.facing, first + steps])])
        sixths += SIXTHS[steps] * owed_at(s, seat, seen)
    return sixths


# ---------------------------------------------------------------- symmetries


def _mirrored(field: int, facing: int, way: int) -> tuple[int, int]:
    """S12: a field and a direction under a symmetry of the market with its balconies."""
    column, row = divmod(field, SIDE)
    if way & 1:  # mirror in the diagonal from a1
        column, row, facing = row, column, facing ^ 1
    if way & 2:  # half turn
        column, row, facing = SIDE - 1 - column, SIDE - 1 - row, facing ^ 2
    return column * SIDE + row, facing


def symmetries() -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """For each symmetry of the market: the permutation of feature rows."""
    permutations = []
    for way in range(4):
        rows = np.arange(ROWS)
        for field in range(FIELDS):
            for kind in range(4 * SIZES):
                rows[FIELD + FIELDS * kind + field] = (
                    FIELD + FIELDS * kind + _mirrored(field, 0, way)[0]
                )
            for facing in range(4):
                image, heading = _mirrored(field, facing, way)
                rows[OMAR + 4 * field + facing] = OMAR + 4 * image + heading
        if way & 1:  # mirrored, left is right
            stops = np.arange(4 * WAYS * 4 * (BARE + 1)).reshape(4, WAYS, -1)
            stops[:, [0, 1]] = stops[:, [1, 0]]
            rows[STOP:OMAR] = STOP + stops.reshape(-1)
        permutations.append(rows)
    return permutations


def search_settings(players: int) -> tuple[float, int, bool]:
    """Tuned in matches of searches: four players gain from weighing dice, two slightly from
    repeated evaluation.
    """
    return {2: (0.1, 2, False), 4: (0.1, 0, True)}.get(players, (0.08, 0, False))


def variants(players: int) -> list[dict[str, Any]]:
    """S40: two players may turn Omar at the end of a turn."""
    return [{}, {"turn_at_end": True}] if players == 2 else [{}]
