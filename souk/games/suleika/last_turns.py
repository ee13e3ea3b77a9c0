"""Suleika: the last two turns as a whole, for those who play the end out in full.

Where two rugs are still to be laid, nearly all that can happen is said by a few numbers of each field on which Omar may stop last: what it costs there, and whose
two halves a rug laid from there can hide. They are worked out once, and again only where the last rug but one has changed them. How everybody would like
the game to end, by what is hidden last, is worked out once for all positions with the same ranks.

The *layer* is who lays the last rug, the *other* who lays the one before. Who is one more than a seat, and 0 is nobody.
"""

from typing import Any

import numpy as np

from souk.games.suleika.insight import SIXTHS
from souk.games.suleika.rules import (
    BESIDE,
    DIE,
    LEFT,
    SIDE,
    STRAIGHT,
    TURN,
    colour_at,
    connected,
    halves,
    lay,
    owner,
    pass_turn,
    pay_owner,
    places,
    points_ranked,
    price,
    ranked,
    turned,
)
from souk.games.suleika.ways import walk
from souk.kernel.bits import bit, lowest
from souk.kernel.desk import Layout
from souk.kernel.ranking import MOST_AHEAD
from souk.kernel.rule import i64, rule, u64

FIELDS = SIDE * SIDE
FACES = 4
# By field, direction and face of the die: where Omar stops, and the direction he then faces.
STOPS, HEADINGS = np.moveaxis(
    np.array([[walk(field, facing, FACES) for facing in range(4)] for field in range(FIELDS)]), -1, 0
).copy()
SHARES = SIXTHS / np.cumsum(SIXTHS)  # by face: its part in the mean over it and those before,
LIKELIEST = np.argsort(-SIXTHS, stable=True)
SO_FAR = np.cumsum(SIXTHS) / 6  # and their part in the mean over all

# The places for a rug round Omar are numbered from 0 to 11 here, in the order of `places`.
ROUND = 12
ALL_PLACES = (1 << ROUND) - 1
_AROUND = np.asarray(BESIDE)
_BACK = np.array([3, 2, 1, 0])  # by the side of Omar on which a field is: the side of that field on which he is
PLACE = np.array([4 * i + j for i in range(4) for j in range(4) if j != _BACK[i]])  # as `places` counts them
NEAR = _AROUND[:, PLACE >> 2]  # by Omar's field and place: the fields of a rug's halves, some of them off the market
FAR = np.where(NEAR < 0, -1, _AROUND[NEAR, PLACE & 3])


def _places_on(halves: np.ndarray[Any, np.dtype[Any]]) -> np.ndarray[Any, np.dtype[Any]]:
    """By Omar's field and another, the last of which is none: the places of which that half comes to lie there."""
    on = (halves[:, None, :] == np.arange(FIELDS + 1)[:, None]) & (NEAR[:, None, :] >= 0) & (FAR[:, None, :] >= 0)
    return (on << np.arange(ROUND)).sum(axis=-1)  # type: ignore[no-any-return]


NEAR_ON, FAR_ON = _places_on(NEAR), _places_on(FAR)
# A set of places for nobody and every seat, as one number: what is in all of them, by one set.
EVERYBODY = sum(1 << (ROUND * who) for who in range(5))

# What kind of halves a rug hides, from 1 on: one is of this, the other of that.
ONE, OTHER = np.array([(0, 0)] + [(one, other) for one in range(5) for other in range(one, 5)]).T.copy()
KINDS = len(ONE)

RANK_BITS = 14
SEEN = ranked(1, 1)  # S31: what a half that can be seen adds to a rank
# Everybody's ranks as one number, and by who: what it stands for there.
UNIT = np.array([0] + [1 << (RANK_BITS * seat) for seat in range(4)], np.uint64)
KNOWN_BITS = 12
KNOWN = 1 << KNOWN_BITS  # ranks whose likings are kept
ROUNDING = 1e-9  # far more than worths are out by, far less than they differ by

SHEET: Layout = (
    ("layer", "i8"),
    ("other", "i8"),
    ("near", "i8"),  # where the last rug but one lies
    ("far", "i8"),
    ("new_area", "u8"),  # of which it is a part
    ("new_toll", "i8"),  # what it costs the layer to stop on it
    ("changed", "u8"),  # all fields that may cost something else since
    ("whose", "i8", FIELDS),
    # By Omar's field: the places where a rug may be laid, and the places by whose the near and the far half is, for everybody.
    ("free", "u8", FIELDS),
    ("near_of", "u8", FIELDS),
    ("far_of", "u8", FIELDS),
    ("tolls", "i8", FIELDS),  # what it costs the layer to stop there
    ("areas", "u8", FIELDS),
    ("cover", "u8", 4),  # before the last rug but one was laid
    ("colour", "i8"),  # that it has
    ("way", "i8"),  # that was best in the last turn
    ("least", "f8"),  # that a stop must be worth to the other, or Omar will not be sent that way
    ("floor", "f8"),  # two players: what the other can have anyway
    # By direction and face of the die in the last turn: the ranks when all is paid, and what can then be hidden.
    ("stop_ranks", "u8", (4, FACES)),
    ("stop_free", "u8", (4, FACES)),
    ("stop_near", "u8", (4, FACES)),
    ("stop_far", "u8", (4, FACES)),
    ("stop_order", "u8", (4, FACES)),  # what is liked, from what can be hidden on
    ("stop_worths", "f8", FACES),  # to the layer, in the direction looked at
    # The ranks at the end, by what the last die shows, or the last two do.
    ("ends", "u8", FACES),
    ("stop_ends", "u8", FACES),
    ("found", "u8", (FACES, FACES)),
    ("best", "u8", (FACES, FACES)),
    # By place: ranks, and what is liked best then.
    ("ranks", "u8", KNOWN),
    ("order", "u8", KNOWN),  # the kinds, four bits each, those lowest that the layer likes best
    ("felt", "f8", (KNOWN, KINDS)),  # by kind: what that is worth to the layer
)


# ---------------------------------------------------------------- ranks as one number


@rule
def rank_of(ranks, who):
    return i64((ranks >> u64(RANK_BITS * (who - 1))) & u64((1 << RANK_BITS) - 1))


@rule
def add_rank(ranks, who, rank):
    return u64(ranks + u64(UNIT[who] * u64(rank)))


@rule
def take_rank(ranks, who, rank):
    return u64(ranks - u64(UNIT[who] * u64(rank)))


@rule
def hide(ranks, one, other):
    """S31: the ranks when two halves are hidden."""
    return u64(ranks - u64(u64(UNIT[one] + UNIT[other]) * u64(SEEN)))


@rule
def all_ranks(s, sheet):
    """Everybody's ranks as they are; and, in front of them, whose likings are meant."""
    found = u64(u64(sheet.layer * 8 + sheet.other) << u64(4 * RANK_BITS))
    for seat in range(s.players):
        found = add_rank(found, seat + 1, ranked(s.money[seat], 0) + SEEN * halves(s, seat))
    return found


@rule
def worth_to(sheet, ranks, players, who):
    """S32: what it is worth to somebody to end with these ranks."""
    own = rank_of(ranks, who)
    top = 0
    sharers = 1
    for each in range(1, players + 1):
        if each != who:
            rank = rank_of(ranks, each)
            top = max(top, rank)
            sharers += 1 if rank == own else 0
    ahead = points_ranked(own) - points_ranked(top)
    return sheet.worths[0 if own < top else sharers, MOST_AHEAD + ahead]


# ---------------------------------------------------------------- what is liked


@rule
def nth(order, behind):
    """The kind that stands so many bits behind the first."""
    return i64((order >> u64(behind)) & u64(15))


@rule
def like(sheet, place, players):
    """Work out what the layer likes best with these ranks."""
    ranks = sheet.ranks[place]
    order = u64(0)
    for kind in range(1, KINDS):
        if OTHER[kind] <= players:
            worth = worth_to(sheet, hide(ranks, ONE[kind], OTHER[kind]), players, sheet.layer)
            sheet.felt[place, kind] = worth
            behind = 0  # in bits: all that are liked as much or more
            while order >> u64(behind) and sheet.felt[place, nth(order, behind)] >= worth:
                behind += 4
            before = order & u64(u64(u64(1) << u64(behind)) - u64(1))
            order = before | u64(kind << behind) | u64((order ^ before) << u64(4))
    sheet.order[place] = order


@rule
def liking_of(sheet, ranks, players):
    """The place where it is kept what is liked best with these ranks."""
    mixed = u64(ranks * u64(0x9E3779B97F4A7C15))
    place = i64(mixed >> u64(64 - KNOWN_BITS))
    if sheet.ranks[place] != ranks:
        sheet.ranks[place] = ranks
        like(sheet, place, players)
    return place


# ---------------------------------------------------------------- what can be hidden


@rule
def places_with(near, far, kind):
    """The places at which this kind would be hidden."""
    one = u64(ROUND * ONE[kind])
    other = u64(ROUND * OTHER[kind])
    return ((near >> one) & (far >> other)) | ((near >> other) & (far >> one))


@rule
def whose_now(known, places, who):
    """What is known of places by who, when these places are somebody's."""
    return (known & ~u64(places * u64(EVERYBODY))) | u64(places << u64(ROUND * who))


@rule
def see(sheet, field, facing, face):
    """Write down what can be hidden from a field in the last turn. S19: on the last rug but one anything may be laid that does not hide the whole of it."""
    near = sheet.near_of[field]
    far = sheet.far_of[field]
    free = sheet.free[field]
    ours = NEAR_ON[field, sheet.near] | NEAR_ON[field, sheet.far]
    ours_too = FAR_ON[field, sheet.near] | FAR_ON[field, sheet.far]
    sheet.stop_near[facing, face] = whose_now(near, u64(ours), sheet.other)
    sheet.stop_far[facing, face] = whose_now(far, u64(ours_too), sheet.other)
    sheet.stop_free[facing, face] = (free | u64(ours | ours_too)) & ~u64(ours & ours_too)


# ---------------------------------------------------------------- the last turn


@rule
def stop(s, sheet, facing, face, field, ranks):
    """S13–S16: Omar stops, and the layer pays. Note the ranks, and what can then be hidden."""
    seat = sheet.layer - 1
    toll = sheet.tolls[field]
    if (sheet.changed >> u64(field)) & u64(1):
        toll = sheet.new_toll if (sheet.new_area >> u64(field)) & u64(1) else price(s, seat, field)
    owed = ranked(min(toll, s.money[seat]), 0)  # 0 as often as not: whatever asks would be wrong half of the time
    sheet.stop_ranks[facing, face] = add_rank(take_rank(ranks, sheet.layer, owed), sheet.whose[field], owed)
    see(sheet, field, facing, face)


@rule
def best_worth(sheet, place, facing, face):
    """What the last rug is worth to the layer. Notes what is liked as much or less."""
    near = sheet.stop_near[facing, face]
    far = sheet.stop_far[facing, face]
    free = sheet.stop_free[facing, face]
    order = sheet.order[place]
    while places_with(near, far, nth(order, 0)) & free == u64(0):
        order >>= u64(4)
    sheet.stop_order[facing, face] = order
    return sheet.felt[place, nth(order, 0)]


@rule
def go_along(s, sheet, ranks, omar, facing, most, top):
    """Omar walks in one direction in the last turn. Returns what that is worth to the layer, or -1 as soon as it is clear that it is less than `top`: no stop is
    worth more than `most`, and the likeliest are looked at first."""
    lost = 0.0
    for k in range(FACES):
        face = LIKELIEST[k]
        stop(s, sheet, facing, face, STOPS[omar, facing, face], ranks)
        place = liking_of(sheet, sheet.stop_ranks[facing, face], i64(s.players))
        worth = best_worth(sheet, place, facing, face)
        sheet.stop_worths[face] = worth
        sheet.looked_at += 1
        lost += SIXTHS[face] * (most - worth) / 6
        if most - lost < top - ROUNDING:
            return -1.0
    mean = 0.0
    for face in range(FACES):
        mean += SHARES[face] * (sheet.stop_worths[face] - mean)
    return mean


@rule
def kind_hidden(sheet, place, facing, face):
    """S17–S20: what the last rug hides: of what is liked best what comes first."""
    near = sheet.stop_near[facing, face]
    far = sheet.stop_far[facing, face]
    free = sheet.stop_free[facing, face]
    order = sheet.stop_order[facing, face]
    best = nth(order, 0)
    worth = sheet.felt[place, best]
    first = lowest(places_with(near, far, best) & free)
    order >>= u64(4)
    while order != u64(0) and sheet.felt[place, nth(order, 0)] == worth:
        earlier = places_with(near, far, nth(order, 0)) & free & u64(bit(first) - u64(1))
        if earlier != u64(0):
            best = nth(order, 0)
            first = lowest(earlier)
        order >>= u64(4)
    return best


@rule
def settle(s, sheet, facing):
    """The last rug is laid. Returns what the way is worth to the other; the ranks at the end are in `ends`."""
    players = i64(s.players)
    mean = 0.0
    for face in range(FACES):
        ranks = sheet.stop_ranks[facing, face]
        place = liking_of(sheet, ranks, players)
        kind = kind_hidden(sheet, place, facing, face)
        end = hide(ranks, ONE[kind], OTHER[kind])
        sheet.ends[face] = end
        mean += SHARES[face] * (worth_to(sheet, end, players, sheet.other) - mean)
    return mean


@rule
def most_worth(sheet, ranks, players):
    """What the last turn can be worth to the layer at most: whoever pays nothing and hides what is liked best has as much."""
    place = liking_of(sheet, ranks, players)
    return sheet.felt[place, nth(sheet.order[place], 0)]


@rule
def last_way(s, sheet, ranks, omar, facing, first):
    """S10: the layer turns Omar, from the move `first` on, walks and lays the last rug. Returns what that is worth to the other. Begins with the way that was best
    a moment ago: the others are then the sooner seen to be worse."""
    most = most_worth(sheet, ranks, i64(s.players))
    begin = sheet.way if first == LEFT else first
    best = begin
    top = go_along(s, sheet, ranks, omar, turned(facing, begin), most, -1.0)
    for way in range(first, STRAIGHT + 1):
        if s.players == 2 and 1.0 - top < sheet.floor:
            return -1.0
        if way != begin:
            worth = go_along(s, sheet, ranks, omar, turned(facing, way), most, top)
            if worth > top or (worth == top and way < best):
                top = worth
                best = way
    sheet.way = best
    return settle(s, sheet, turned(facing, best))


@rule
def last_way_of_other(s, sheet, ranks, omar, facing):
    """S40: the other turns Omar before the layer walks. Returns what that is worth to the other."""
    top = -1.0
    for way in range(LEFT, STRAIGHT + 1):
        heading = turned(facing, way)
        go_along(s, sheet, ranks, omar, heading, 1.0, -1.0)
        worth = settle(s, sheet, heading)
        if worth > top:
            top = worth
            for face in range(FACES):
                sheet.stop_ends[face] = sheet.ends[face]
    for face in range(FACES):
        sheet.ends[face] = sheet.stop_ends[face]
    return top


# ---------------------------------------------------------------- the turn before


@rule
def cover_with(s, sheet, near, far):
    """S17–S18: lay the last rug but one, and note what it changes."""
    lay(s, near, far)
    sheet.near = near
    sheet.far = far
    sheet.new_area = connected(s.cover[sheet.colour], near)
    sheet.new_toll = price(s, sheet.layer - 1, near)
    sheet.changed = sheet.areas[near] | sheet.areas[far] | sheet.new_area
    sheet.whose[near] = sheet.other
    sheet.whose[far] = sheet.other


@rule
def lay_last_but_one(s, sheet, ranks, omar, facing, face):
    """S17–S20: the other lays a rug where Omar stands, whatever is best with what the layer then does. Returns what that is worth to the other."""
    best = -1.0
    free = i64(sheet.free[omar])
    while free:
        place = lowest(free)
        free &= free - 1
        near = NEAR[omar, place]
        far = FAR[omar, place]
        one = sheet.whose[near]
        two = sheet.whose[far]
        rug = s.rug[near]
        rug_too = s.rug[far]
        cover_with(s, sheet, near, far)
        sheet.floor = max(best - ROUNDING, sheet.least) if sheet.layer != sheet.other else -1.0
        if s.turn_at_end:
            worth = last_way_of_other(s, sheet, hide(ranks, one, two), omar, facing)
        else:
            worth = last_way(s, sheet, hide(ranks, one, two), omar, facing, LEFT)
        if worth > best:
            best = worth
            for k in range(FACES):
                sheet.found[face, k] = sheet.ends[k]
        s.rug[near] = rug
        s.rug[far] = rug_too
        for colour in range(4):
            s.cover[colour] = sheet.cover[colour]
        sheet.whose[near] = one
        sheet.whose[far] = two
        s.last -= 1
        s.left[sheet.colour] += 1
    return best


@rule
def stop_before(s, sheet, ranks, omar, facing, face):
    """S13–S16: Omar stops in the last turn but one, and the other pays."""
    seat = sheet.other - 1
    paid = sheet.whose[omar]
    from_here = s.omar
    owed = s.money[seat]
    s.omar = omar
    pay_owner(s)
    s.omar = from_here
    owed -= s.money[seat]
    if owed > 0:
        ranks = add_rank(take_rank(ranks, sheet.other, ranked(owed, 0)), paid, ranked(owed, 0))
    worth = lay_last_but_one(s, sheet, ranks, omar, facing, face)
    if owed > 0:
        s.money[seat] += owed
        s.money[paid - 1] -= owed
    return worth


@rule
def way_before(s, sheet, ranks, heading, target):
    """Omar walks in one direction in the last turn but one. Returns what that is worth to the other, or -1 as soon as it is clear that it is less than `target`."""
    mean = 0.0
    for face in range(FACES):
        omar = STOPS[s.omar, heading, face]
        known = SO_FAR[face] - SIXTHS[face] / 6
        # Whatever is still to come is worth 1 at most.
        sheet.least = (target - known * mean - (1.0 - SO_FAR[face])) * 6 / SIXTHS[face]
        worth = stop_before(s, sheet, ranks, omar, HEADINGS[s.omar, heading, face], face)
        if worth < sheet.least:
            return -1.0
        mean += SHARES[face] * (worth - mean)
    return mean


@rule
def two_turns(s, sheet, ranks, first):
    """The last two turns. The ranks at the end of the best way are in `best`, by the faces of both dice. Where it will not come to this, that is found out and no
    more."""
    need = sheet.low if sheet.other == 1 else 1.0 - sheet.high
    enough = sheet.high if sheet.other == 1 else 1.0 - sheet.low
    top = -1.0
    for way in range(first, STRAIGHT + 1):
        worth = way_before(s, sheet, ranks, turned(s.facing, way), max(top, need) - ROUNDING)
        if worth > top:
            top = worth
            for face in range(FACES):
                for k in range(FACES):
                    sheet.best[face, k] = sheet.found[face, k]
        if top > enough:
            break
    sheet.cut = 1 if top > enough or top < need - ROUNDING else 0
    bound = max(top, need - ROUNDING)
    sheet.bound = bound if sheet.other == 1 else 1.0 - bound


# ---------------------------------------------------------------- the verb


@rule
def look_from(s, sheet, omar):
    """S17–S19: write down what can be hidden from where Omar stands."""
    allowed = places(s)
    free = u64(0)
    near = u64(0)
    far = u64(0)
    for k in range(ROUND):
        if (allowed >> PLACE[k]) & 1:
            free |= bit(k)
        if NEAR[omar, k] >= 0 and FAR[omar, k] >= 0:
            near |= bit(ROUND * sheet.whose[NEAR[omar, k]] + k)
            far |= bit(ROUND * sheet.whose[FAR[omar, k]] + k)
    sheet.free[omar] = free
    sheet.near_of[omar] = near
    sheet.far_of[omar] = far


@rule
def look_round(s, sheet):
    """Write down of every field whose it is, what it costs and what can be hidden from it."""
    omar = s.omar
    for field in range(FIELDS):
        colour = colour_at(s, field)
        sheet.whose[field] = 0 if colour < 0 else 1 + owner(s, colour)
        sheet.areas[field] = u64(0) if colour < 0 else connected(s.cover[colour], field)
        sheet.tolls[field] = price(s, sheet.layer - 1, field)
    for field in range(FIELDS):
        s.omar = field
        look_from(s, sheet, field)
    s.omar = omar
    for colour in range(4):
        sheet.cover[colour] = s.cover[colour]
    sheet.near = FIELDS
    sheet.far = FIELDS
    sheet.changed = u64(0)
    sheet.floor = -1.0
    sheet.way = STRAIGHT
    sheet.least = -1.0
    sheet.looked_at = 0
    sheet.cut = 0


@rule
def write_end(end, ranks, players, face, face_before):
    """S31–S32: how the game ends with these ranks."""
    best = -1
    for seat in range(players):
        rank = rank_of(ranks, seat + 1)
        end.scores[seat] = points_ranked(rank)
        if rank > best:
            best = rank
            end.winners = 0
        if rank == best:
            end.winners |= 1 << seat
    end.before = face_before
    end.weight_before = SIXTHS[face_before]
    end.weight = SIXTHS[face]


@rule
def who_is_last(s, colour):
    """S7: who lays the last rug, when the one before, of this colour, has been laid."""
    turn = s.turn
    up = s.up
    phase = s.phase
    s.left[colour] -= 1
    pass_turn(s)
    last = s.turn + 1
    s.left[colour] += 1
    s.turn = turn
    s.up = up
    s.phase = phase
    return last


@rule
def last_turns(s, sheet, ends):
    rugs = s.left[0] + s.left[1] + s.left[2] + s.left[3]
    if rugs > 2 or not (s.phase == DIE or (s.phase == TURN and not s.turn_at_end)) or s.last == 0:
        return 0
    first = STRAIGHT if s.phase == DIE else LEFT
    players = i64(s.players)
    sheet.other = s.turn + 1
    sheet.colour = s.up if players == 2 else s.turn
    sheet.layer = who_is_last(s, sheet.colour) if rugs == 2 else sheet.other
    look_round(s, sheet)
    ranks = add_rank(all_ranks(s, sheet), sheet.layer, 2 * SEEN)
    if rugs == 1:
        last_way(s, sheet, ranks, i64(s.omar), i64(s.facing), first)
        for face in range(FACES):
            write_end(ends[face], sheet.ends[face], players, face, 0)
        return FACES
    two_turns(s, sheet, add_rank(ranks, sheet.other, 2 * SEEN), first)
    for face in range(FACES):
        for k in range(FACES):
            write_end(ends[FACES * face + k], sheet.best[face, k], players, k, face)
    return FACES * FACES
