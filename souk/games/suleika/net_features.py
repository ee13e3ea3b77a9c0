"""Suleika: what a mind sees. Looking from each seat: what shows on every field and how large its area is, where Omar may stop next and what that
costs whom, and what everybody has left."""

from typing import Any

import numpy as np

from souk.games.suleika.insight import (
    EARN,
    SIXTHS,
    STOPS,
    best_of_ways,
    earn,
    expect_prey,
    expect_toll,
    have,
    root_of_later,
    turns_left,
    way_is_set,
    weight,
)
from souk.games.suleika.rules import BACK, LEFT, RUG, SIDE, STRAIGHT, connected, owner, turned, walker
from souk.kernel.bits import count
from souk.kernel.rule import i64, rule, u64

FIELDS = SIDE * SIDE
WAYS = STRAIGHT - BACK  # left, right and straight on
SIZE_CLASS = np.array([0, 0, 1, 2, 2, 3, 3, 4, 4, 4] + [5] * 40, np.int64)  # by the number of fields of an area
SIZES = 6
PURSE = 4  # piastres that make no difference
PURSES = 32
STOCKS = 16

# How many seats further on somebody sits, looking from a seat; and whose a colour is: by players, seat, and seat or colour.
AWAY = np.array(
    [[[(other - seat) % max(players, 1) for other in range(4)] for seat in range(4)] for players in range(5)]
)
WHOSE = AWAY.copy()
WHOSE[2] = [
    [colour ^ 2 * (seat & 1) for colour in range(4)] for seat in range(4)
]  # both their own, then both of the other's

NOTHING = 4 * SIZES  # in the place of a colour and a size, as one number
KIND_BITS = 5  # a colour and a size take so many; above them is noted how large the area is in truth
KIND = (1 << KIND_BITS) - 1
# What these are, looking from a seat: by players, that number, and seat.
KINDS = np.full((5, NOTHING + 1, 4), NOTHING, np.int32)
for _there in range(NOTHING):
    KINDS[:, _there] = SIZES * WHOSE[:, :, _there // SIZES] + _there % SIZES

# By field and direction: where Omar may stop, way by way.
AHEAD = np.array(
    [
        [[STOPS[field, turned(facing, way)] for way in range(LEFT, STRAIGHT + 1)] for facing in range(4)]
        for field in range(FIELDS)
    ],
    np.int8,
).reshape(FIELDS, 4, WAYS * 4)

# Where the numbers of each kind of thing begin.
FIELD = 0  # by whose colour shows, how large its area is, and where
STOP = FIELD + 4 * SIZES * FIELDS  # by who walks, which way, how far, and whose area of which size is there
OMAR = STOP + 4 * WAYS * 4 * (NOTHING + 1)  # by his field and direction
MONEY = OMAR + 4 * FIELDS  # by whose, and how much
STOCK = MONEY + 4 * PURSES  # by colour, and how many rugs
TURN = STOCK + 4 * STOCKS  # by whose turn it is
LATE = TURN + 4  # S40: Omar is turned at the end of a turn
ROWS = LATE + 1
MOST_SEEN = FIELDS + WAYS * 4 + 1 + 4 + 4 + 1 + 1


@rule
def note(s, desk, n, colour, first, stride):
    """Everybody sees one more thing, which is about a colour: in the rows from `first` on, so many for each relation."""
    for seat in range(i64(s.players)):
        desk.seen[n, seat] = first + stride * WHOSE[s.players, seat, colour]
    return n + 1


@rule
def see_fields(s, desk, n):
    """What shows on every field. Its colour and how large its area is are left in `desk.out` for others, and NOTHING where there is no rug; the squares of
    a colour's areas, added up, in `desk.weights`. (Here and in `see_stops` without a loop over the seats, so that what is the same for all fields of an area
    is worked out once.)"""
    players = i64(s.players)
    for field in range(FIELDS):
        desk.out[field] = NOTHING
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
            at0 = first + SIZES * FIELDS * i64(WHOSE[players, 0, colour])
            at1 = first + SIZES * FIELDS * i64(WHOSE[players, 1, colour])
            at2 = first + SIZES * FIELDS * i64(WHOSE[players, 2, colour])
            at3 = first + SIZES * FIELDS * i64(WHOSE[players, 3, colour])
            while area:
                field = count(u64(area & u64(~area + u64(1))) - u64(1))
                area &= u64(area - u64(1))
                desk.out[field] = kind
                desk.seen[n, 0] = at0 + field
                desk.seen[n, 1] = at1 + field
                if players > 2:
                    desk.seen[n, 2] = at2 + field
                if players > 3:
                    desk.seen[n, 3] = at3 + field
                n += 1
        desk.weights[colour] = squared
    return n


@rule
def see_stops(s, desk, n):
    """Where Omar may be after the next walk."""
    players = i64(s.players)
    who = i64(walker(s))
    stride = WAYS * 4 * (NOTHING + 1)
    at0 = STOP + stride * i64(AWAY[players, 0, who])
    at1 = STOP + stride * i64(AWAY[players, 1, who])
    at2 = STOP + stride * i64(AWAY[players, 2, who])
    at3 = STOP + stride * i64(AWAY[players, 3, who])
    for k in range(WAYS * 4):
        there = i64(desk.out[i64(AHEAD[s.omar, s.facing, k])]) & KIND
        more = k * (NOTHING + 1)
        desk.seen[n + k, 0] = at0 + more + i64(KINDS[players, there, 0])
        desk.seen[n + k, 1] = at1 + more + i64(KINDS[players, there, 1])
        if players > 2:
            desk.seen[n + k, 2] = at2 + more + i64(KINDS[players, there, 2])
        if players > 3:
            desk.seen[n + k, 3] = at3 + more + i64(KINDS[players, there, 3])
    return n + WAYS * 4


@rule
def see_stocks(s, desk, n):
    """Purses and rugs."""
    for owned in range(i64(s.players)):
        for seat in range(i64(s.players)):
            away = AWAY[s.players, seat, owned]
            desk.seen[n, seat] = MONEY + PURSES * away + min(s.money[owned] // PURSE, PURSES - 1)
        n += 1
    for colour in range(4):
        if s.players != 3 or colour < 3:
            n = note(s, desk, n, colour, STOCK + min(s.left[colour], STOCKS - 1), STOCKS)
    return n


@rule
def sight(s, desk, lore):
    return see_the_rest(s, desk, see_fields(s, desk, 0))


@rule
def see_the_rest(s, desk, n):
    """All but the fields, which have been seen."""
    n = see_stops(s, desk, n)
    n = see_stocks(s, desk, n)
    for seat in range(i64(s.players)):
        desk.seen[n, seat] = OMAR + 4 * s.omar + s.facing
        desk.seen[n + 1, seat] = TURN + AWAY[s.players, seat, s.turn]
        if s.turn_at_end:
            desk.seen[n + 2, seat] = LATE
    return n + 3 if s.turn_at_end else n + 2


# ---------------------------------------------------------------- the insight's opinion, by the same areas


@rule
def survey(s, desk, lore):
    """`outlook` and `sight`, to the last bit; areas are looked for once."""
    n = see_fields(s, desk, 0)
    turns = turns_left(s)
    have(s, desk.values, lore)
    for colour in range(4):
        if s.cover[colour]:
            earn(s, desk.values, colour, weight(lore, EARN) * root_of_later(turns) * i64(desk.weights[colour]), turns)
    if s.turn >= 0 and s.phase != RUG:
        see_ahead(s, desk, way_seen(s, desk, lore), lore)
    return see_the_rest(s, desk, n)


@rule
def payee_there(s, there):
    """Whose rug shows on a field, by what `see_fields` has left of it."""
    return owner(s, (there & KIND) // SIZES)


@rule
def owed_there(s, seat, there):
    """S13–S16: what `seat` would pay there, as far as its purse goes: `price`, without looking for the area again."""
    return 0 if payee_there(s, there) == seat else min(there >> KIND_BITS, s.money[seat])


@rule
def see_ahead(s, desk, facing, lore):
    """What the next walk is likely to cost whom, and to be worth: `walk_ahead`."""
    seat = walker(s)
    for steps in range(4):
        there = i64(desk.out[i64(STOPS[s.omar, facing, steps])])
        owed = owed_there(s, seat, there)
        if owed > 0:
            expect_toll(desk.values, seat, payee_there(s, there), owed, steps)
    expect_prey(s, desk.values, seat, facing, lore)


@rule
def way_seen(s, desk, lore):
    """The direction Omar is likely to walk in next: `best_way`."""
    if way_is_set(s):
        return s.facing
    return best_of_ways(s, toll_seen(s, desk, 0), toll_seen(s, desk, 4), toll_seen(s, desk, 8), lore)


@rule
def toll_seen(s, desk, first):
    """What one of the ways costs, in sixths: `toll_of_way`. Its stops are four of AHEAD's, from the first on."""
    seat = walker(s)
    sixths = 0
    for steps in range(4):
        there = i64(desk.out[i64(AHEAD[s.omar, s.facing, first + steps])])
        sixths += SIXTHS[steps] * owed_there(s, seat, there)
    return sixths


# ---------------------------------------------------------------- what is the same, seen otherwise


def _mirrored(field: int, facing: int, way: int) -> tuple[int, int]:
    """S12: the market with its balconies looks the same mirrored along either diagonal, and turned by half: a field and a direction then."""
    column, row = divmod(field, SIDE)
    if way & 1:  # along the diagonal from a1
        column, row, facing = row, column, facing ^ 1
    if way & 2:  # by half a turn
        column, row, facing = SIDE - 1 - column, SIDE - 1 - row, facing ^ 2
    return column * SIDE + row, facing


def symmetries() -> list[np.ndarray[tuple[int], np.dtype[np.int64]]]:
    """For each way in which the market looks the same: the number of everything, seen so."""
    found = []
    for way in range(4):
        rows = np.arange(ROWS)
        for field in range(FIELDS):
            for kind in range(4 * SIZES):
                rows[FIELD + FIELDS * kind + field] = FIELD + FIELDS * kind + _mirrored(field, 0, way)[0]
            for facing in range(4):
                there, then = _mirrored(field, facing, way)
                rows[OMAR + 4 * field + facing] = OMAR + 4 * there + then
        if way & 1:  # mirrored, left is right
            stops = np.arange(4 * WAYS * 4 * (NOTHING + 1)).reshape(4, WAYS, -1)
            stops[:, [0, 1]] = stops[:, [1, 0]]
            rows[STOP:OMAR] = STOP + stops.reshape(-1)
        found.append(rows)
    return found


def looks_around(players: int) -> tuple[float, int, bool]:
    """Settled by matches of searches: with four it pays to weigh dice; with two, a little, to have a position judged more than once."""
    return {2: (0.1, 2, False), 4: (0.1, 0, True)}.get(players, (0.08, 0, False))


def variants(players: int) -> list[dict[str, Any]]:
    """S40: two may turn Omar at the end of a turn."""
    return [{}, {"turn_at_end": True}] if players == 2 else [{}]
