"""Suleika: what a mind sees. Looking from each seat: what shows on every field and how large its area is, where Omar may stop next and what that
costs whom, what the walks after that may cost, and what everybody has left."""

from typing import Any

import numpy as np

from souk.games.suleika.insight import SIXTHS, STOPS
from souk.games.suleika.rules import BACK, LEFT, SIDE, STRAIGHT, colour_at, connected, turned, walker
from souk.games.suleika.ways import walk
from souk.kernel.bits import count
from souk.kernel.rule import i64, rule, u64

FIELDS = SIDE * SIDE
WAYS = STRAIGHT - BACK  # left, right and straight on
SIZE_CLASS = np.array([0, 0, 1, 2, 2, 3, 3, 4, 4, 4] + [5] * 40, np.int64)  # by the number of fields of an area
SIZES = 6
AHEAD = 3  # walks after the next that are looked at
PARTS = 1024
FINE_TOLL = PARTS // 64  # tolls are told apart from so much on, the less the larger they are:
TOLL_CLASS = np.array([int(toll**0.5) for toll in range(256)], np.int64)
TOLLS = 16
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

# Where the numbers of each kind of thing begin.
FIELD = 0  # by whose colour shows, how large its area is, and where
STOP = FIELD + 4 * SIZES * FIELDS  # by who walks, which way, how far, and whose area of which size is there
NOTHING = 4 * SIZES
OMAR = STOP + 4 * WAYS * 4 * (NOTHING + 1)  # by his field and direction
MONEY = OMAR + 4 * FIELDS  # by whose, and how much
STOCK = MONEY + 4 * PURSES  # by colour, and how many rugs
TURN = STOCK + 4 * STOCKS  # by whose turn it is
LATE = TURN + 4  # S40: Omar is turned at the end of a turn
TOLL = LATE + 1  # by how many walks after the next, who will walk then, whose areas, and what they will cost on average
ROWS = TOLL + AHEAD * 4 * 4 * TOLLS
MOST_SEEN = FIELDS + WAYS * 4 + 1 + 4 + 4 + 1 + 1 + 4 * AHEAD


def _after_walks() -> np.ndarray[tuple[int, ...], np.dtype[np.int16]]:
    """How likely Omar stops on a field some walks after the next, if he is turned this way and that: in PARTS, by the number of walks, his field and
    direction now, and the field."""
    once = np.zeros((4 * FIELDS, 4 * FIELDS))
    for field in range(FIELDS):
        for facing in range(4):
            for way in range(LEFT, LEFT + WAYS):
                for sixths, (stop, then) in zip(SIXTHS, walk(field, turned(facing, way), 4), strict=True):
                    once[4 * field + facing, 4 * stop + then] += sixths / (6 * WAYS)
    found, walks = [], once
    for _ in range(AHEAD):
        walks = walks @ once
        found.append(
            (PARTS * walks.reshape(-1, FIELDS, 4).sum(2)).round(6)
        )  # alike for all ways in which the market looks the same
    return np.rint(found).astype(np.int16)


AFTER_WALKS = _after_walks()


@rule
def note(s, desk, n, colour, first, stride):
    """Everybody sees one more thing, which is about a colour: in the rows from `first` on, so many for each relation."""
    for seat in range(i64(s.players)):
        desk.seen[n, seat] = first + stride * WHOSE[s.players, seat, colour]
    return n + 1


@rule
def walks_ahead(s):
    """Of how many walks after the next the toll is looked at. (It takes time, and the minds for two and three were taught without.)"""
    return AHEAD if s.players == 4 else 0


@rule
def see_fields(s, desk, n):
    """What shows on every field; what the areas of each colour cost on later walks is added up in the desk's notes."""
    omar = 4 * i64(s.omar) + i64(s.facing)
    ahead = walks_ahead(s)
    for colour in range(4):
        for walks in range(ahead):
            desk.notes[AHEAD * colour + walks] = 0.0
        fields = s.cover[colour]
        while fields:
            area = connected(fields, count(u64(fields & u64(~fields + u64(1))) - u64(1)))
            fields &= u64(~area)
            size = count(area)
            first = FIELD + FIELDS * SIZE_CLASS[size]
            while area:
                field = count(u64(area & u64(~area + u64(1))) - u64(1))
                n = note(s, desk, n, colour, first + field, SIZES * FIELDS)
                for walks in range(ahead):
                    desk.notes[AHEAD * colour + walks] += float(size * AFTER_WALKS[walks, omar, field])
                area &= u64(area - u64(1))
    return n


@rule
def see_tolls(s, desk, n):
    """What each colour's areas will take on the walks after the next, as `see_fields` has noted."""
    players = i64(s.players)
    for colour in range(4):
        for walks in range(walks_ahead(s)):
            toll = TOLL_CLASS[min(i64(desk.notes[AHEAD * colour + walks]) // FINE_TOLL, 255)]
            if toll > 0:
                who = (i64(walker(s)) + 1 + walks) % players
                for seat in range(players):
                    kind = (4 * walks + AWAY[players, seat, who]) * 4 + WHOSE[players, seat, colour]
                    desk.seen[n, seat] = TOLL + TOLLS * kind + toll
                n += 1
    return n


@rule
def see_stops(s, desk, n):
    """Where Omar may be after the next walk."""
    who = i64(walker(s))
    for way in range(LEFT, LEFT + WAYS):
        facing = turned(s.facing, way)
        for steps in range(4):
            field = i64(STOPS[s.omar, facing, steps])
            colour = colour_at(s, field)
            size = SIZE_CLASS[count(connected(s.cover[colour], field))] if colour >= 0 else 0
            for seat in range(i64(s.players)):
                walks = AWAY[s.players, seat, who]
                whose = SIZES * WHOSE[s.players, seat, colour] + size if colour >= 0 else NOTHING
                desk.seen[n, seat] = STOP + ((walks * WAYS + way - LEFT) * 4 + steps) * (NOTHING + 1) + whose
            n += 1
    return n


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
    n = see_tolls(s, desk, see_fields(s, desk, 0))
    n = see_stocks(s, desk, see_stops(s, desk, n))
    for seat in range(i64(s.players)):
        desk.seen[n, seat] = OMAR + 4 * s.omar + s.facing
        desk.seen[n + 1, seat] = TURN + AWAY[s.players, seat, s.turn]
        if s.turn_at_end:
            desk.seen[n + 2, seat] = LATE
    return n + 3 if s.turn_at_end else n + 2


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
