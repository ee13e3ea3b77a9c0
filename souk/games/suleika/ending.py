"""Suleika: what it takes to play the end out in full: how much that is, the last turn in short, and what of a position matters for the rest."""

import numpy as np

from souk.games.suleika.insight import SIXTHS, STOPS, way_is_set
from souk.games.suleika.rules import (
    BACK,
    BESIDE,
    DIE,
    LEFT,
    RUG,
    SIDE,
    STRAIGHT,
    owner,
    places,
    points_ranked,
    price,
    ranked,
    rugs_left,
    turned,
)
from souk.kernel.bits import bit, count, lowest
from souk.kernel.rule import i64, rule, u64

FIELDS = SIDE * SIDE
FURTHEST = 5  # turns; six take hours
_AROUND = np.asarray(BESIDE)
NEAR = _AROUND[
    :, np.arange(16) >> 2
]  # by Omar's field and place (as `places` counts them): the fields of a rug's halves
FAR = _AROUND[NEAR, np.arange(16) & 3]
SEEN = ranked(1, 1)  # S31: what a half that can be seen adds to a rank
SHARES = 12  # of a win, which up to four may share
MOST_AHEAD = 1 << 20  # more points than anybody can be ahead


@rule
def rugs_to_come(s):
    return s.left[0] + s.left[1] + s.left[2] + s.left[3]


# ---------------------------------------------------------------- how much there is to look at


@rule
def ending(s):
    """A turn is three directions, four faces and eight to ten places; of the last one its twelve stops are looked at. With two players a rug of either
    colour may come up, but of each turn about half need not be looked at."""
    turns = rugs_to_come(s)
    if turns > FURTHEST:
        return 0
    positions = 10 if s.phase == RUG else (40 if s.phase == DIE else 120)
    if turns > 1:
        positions *= 12
    for _ in range(2, turns):
        positions *= 48 if s.players == 2 else 96
    if s.players == 2:
        for seat in range(2):
            if s.left[2 * seat] > 0 and s.left[2 * seat + 1] > 0:
                positions <<= rugs_left(s, seat) - 1
    return positions


# ---------------------------------------------------------------- the last turn
# Who is one more than a seat here, and 0 is nobody. While a last turn is looked at, `desk.out` holds by field whose half shows there, and
# `desk.weights` everybody's rank.


@rule
def look_round(s, desk):
    """Write down whose every field is, and how everybody ranks."""
    for who in range(5):
        desk.weights[who] = ranked(s.money[who - 1], 0) if who > 0 else 0
    for colour in range(4):
        desk.weights[1 + owner(s, colour)] += SEEN * count(s.cover[colour])
    for field in range(FIELDS):
        whose = 0
        for colour in range(4):
            if s.cover[colour] & bit(field):
                whose = 1 + owner(s, colour)
        desk.out[field] = whose


@rule
def rank_at_end(ranks, who, one, other):
    """S31–S32: how somebody ranks when what was of two is hidden."""
    return ranks[who] - SEEN * (1 if who == one else 0) - SEEN * (1 if who == other else 0)


@rule
def sharers(ranks, players, rank, one, other):
    """S32: how many rank so when what was of two is hidden."""
    found = 0
    for who in range(1, players + 1):
        found += 1 if rank_at_end(ranks, who, one, other) == rank else 0
    return found


@rule
def liking(ranks, players, layer, one, other):
    """How well the player who lays the last rug likes to hide what is of these two: the share of the win first, then the points ahead."""
    own = rank_at_end(ranks, layer, one, other)
    top = 0
    for who in range(1, 5):
        top = max(top, 0 if who == layer else rank_at_end(ranks, who, one, other))
    ahead = points_ranked(own) - points_ranked(top)
    if own == top:
        return SHARES // sharers(ranks, players, own, one, other) * MOST_AHEAD + ahead
    return SHARES * MOST_AHEAD + ahead if own > top else ahead


@rule
def write_end(desk, end, players, hidden):
    """How the game ends if the last rug hides what is of two."""
    best = -1
    for seat in range(players):
        rank = rank_at_end(desk.weights, 1 + seat, hidden // 5, hidden % 5)
        end.scores[seat] = points_ranked(rank)
        if rank > best:
            best = rank
            end.winners = 0
        if rank == best:
            end.winners |= 1 << seat


@rule
def best_hidden(s, desk, players, layer):
    """S17–S20: what of two the last rug hides, where Omar stands and all is paid: of what is liked best what comes first."""
    found = places(s)
    known = 0
    best = 0
    top = -MOST_AHEAD
    while found:
        place = lowest(found)
        found &= found - 1
        one = desk.out[NEAR[s.omar, place]]
        other = desk.out[FAR[s.omar, place]]
        kind = 1 << (5 * min(one, other) + max(one, other))
        if known & kind == 0:
            known |= kind
            liked = liking(desk.weights, players, layer, one, other)
            if liked > top:
                top = liked
                best = 5 * one + other
    return best


@rule
def stop(s, desk, end):
    """S13–S16: Omar stops where he stands, whoever moved him pays, and the last rug is laid."""
    players = i64(s.players)
    layer = s.turn + 1
    owed = ranked(min(price(s, s.turn, s.omar), s.money[s.turn]), 0)
    paid = desk.out[s.omar]
    desk.weights[layer] -= owed
    desk.weights[paid] += owed
    write_end(desk, end, players, best_hidden(s, desk, players, layer))
    desk.weights[paid] -= owed
    desk.weights[layer] += owed


@rule
def last_turn(s, desk, ends):
    """The last rug's turn: three directions and four faces. With two players each direction by itself: one is often enough to know that it will not
    come to this."""
    given = way_is_set(s)
    if rugs_to_come(s) != 1 or s.phase == RUG or (s.players == 2 and not given):
        return 0
    look_round(s, desk)
    desk.weights[s.turn + 1] += 2 * SEEN  # the rug to be laid, which will show whole
    omar = s.omar
    n = 0
    for way in range(STRAIGHT if given else (BACK if s.last == 0 else LEFT), STRAIGHT + 1):
        facing = turned(s.facing, way)
        for chance in range(4):
            s.omar = STOPS[omar, facing, chance]
            end = ends[n]
            end.seat = s.turn
            end.way = way
            end.weight = SIXTHS[chance]
            stop(s, desk, end)
            n += 1
    return n


# ---------------------------------------------------------------- what matters


@rule
def essence(s, words):
    """Before a rug is laid: not the numbers of the rugs, but which neighbouring halves are of one (S19)."""
    if s.phase != RUG:
        return 0
    upright = u64(0)
    across = u64(0)
    for field in range(FIELDS - 1):
        if s.rug[field] > 0:
            if s.rug[field] == s.rug[field + 1]:
                upright |= bit(field)
            if field + SIDE < FIELDS and s.rug[field] == s.rug[field + SIDE]:
                across |= bit(field)
    words[4] = upright
    words[5] = across
    purses = u64(0)
    rest = u64(((s.omar * 4 + s.facing) * 4 + s.turn) * 8 + s.up + 1)
    for k in range(4):
        words[k] = s.cover[k]
        purses = u64(purses << u64(16)) | u64(s.money[k])
        rest = u64(rest << u64(8)) | u64(s.left[k])
    words[6] = purses
    words[7] = u64(rest << u64(1)) | u64(1 if s.last == 0 else 0)
    return 8
