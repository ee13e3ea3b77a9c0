"""Suleika endgame: values of final ranks, and the best halves for the last rug to hide.

The *layer* lays the last rug, the *other* the one before. A player is a seat plus one; 0 is nobody.

A rug hides one of fifteen *kinds*: the owners of its two hidden halves. The kinds available are a
16-bit set. If the layer is certain to be ahead or behind, a kind's value is the points it takes
from the best rival less those it costs the layer, found by table. If the result is close, all ranks
count; that is computed once for all positions with the same ranks.
"""

from itertools import product

import numpy as np

from souk.games.suleika.rules import halves, points_ranked, ranked
from souk.kernel.bitset import lowest
from souk.kernel.ranking import MAX_LEAD
from souk.kernel.rule import i64, rule, u64
from souk.kernel.workspace import Layout

# Kinds from 1 on: the owners of the two hidden halves.
ONE, OTHER = np.array(
    [(0, 0)] + [(one, other) for one in range(5) for other in range(one, 5)]
).T.copy()
KINDS = len(ONE)
ANY_KIND = (1 << KINDS) - 2

RANK_BITS = 14
SEEN = ranked(1, 1)  # S31: what a visible half adds to a rank
# All ranks packed into one number; by player: the unit and the bit mask of that player's rank.
UNIT = np.array([0] + [1 << (RANK_BITS * seat) for seat in range(4)], np.uint64)
PART = UNIT * np.uint64((1 << RANK_BITS) - 1)
EVERYBODY = sum(1 << (RANK_BITS * seat) for seat in range(4)) * ((1 << RANK_BITS) - 1)
POINTS_BEHIND = ranked(1, 0).bit_length() - 1  # bits of a rank below its points
MOST_POINTS = (1 << (RANK_BITS - POINTS_BEHIND)) - 1

CLOSE = 2  # points: the most by which the last rug changes a difference
# Points behind, for players the last rug cannot put in the lead.
OUT_OF_CONTENTION = CLOSE + 1
CACHE_BITS = 12
CACHE_SIZE = 1 << CACHE_BITS  # ranks whose best kinds are cached


def _gains() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """Kinds by points gained on the best rival: two, one, none, minus one; the rest lose two.

    Indexed by the layer and everybody's points behind the best rival, two bits each; players who
    are no rivals count as out of contention.
    """
    behind = np.arange(4**4)[:, None] >> 2 * np.arange(4) & 3
    hidden = np.array(
        [
            [int(one == who) + int(other == who) for who in range(5)]
            for one, other in zip(ONE, OTHER, strict=True)
        ]
    )
    best = (-behind - hidden[:, None, 1:]).max(axis=-1)
    table = np.zeros((5, len(behind)), np.uint64)
    for layer, kind in product(range(1, 5), range(1, KINDS)):
        step = CLOSE + best[kind] + hidden[kind, layer]
        table[layer] |= np.where(
            step < STEPS, np.uint64(1) << (16 * step + kind).astype(np.uint64), np.uint64(0)
        )
    return table


STEPS = 4
GAINS = _gains()
FOUR_TIMES = 0x0001000100010001  # a set of kinds, repeated for each of those steps

VALUE_FIELDS: Layout = (
    ("layer", "i8"),
    ("other", "i8"),
    ("rivals", "u8"),  # rank bits of everybody but the layer
    ("no_rivals", "i8"),  # players out of contention from the start
    # Two players: what the layer gains by hiding each kind; 0 if that depends on the ranks.
    ("gains", "u8"),
    # Cache, by slot: ranks, and the layer's preferences with them.
    ("ranks", "u8", CACHE_SIZE),
    # Kinds in order of preference, four bits each, the best in the lowest bits.
    ("order", "u8", CACHE_SIZE),
    ("worth_by_kind", "f8", (CACHE_SIZE, KINDS)),  # value of each kind to the layer
    ("best_kinds", "u8"),  # the kinds just found best, all of equal value
)


# ---------------------------------------------------------------- packed ranks


@rule
def rank_of(ranks, who):
    return i64((ranks >> u64(RANK_BITS * (who - 1))) & u64((1 << RANK_BITS) - 1))


@rule
def points_of(ranks, who):
    return i64((ranks >> u64(RANK_BITS * (who - 1) + POINTS_BEHIND)) & u64(MOST_POINTS))


@rule
def dues(payer, owed, paid):
    """S13: added to the ranks when `payer` pays `paid` piastres."""
    return u64(u64(u64(UNIT[paid]) - u64(UNIT[payer])) * u64(ranked(owed, 0)))


@rule
def hide(ranks, one, other):
    """S31: the ranks after two halves are hidden."""
    return u64(ranks - u64(u64(UNIT[one] + UNIT[other]) * u64(SEEN)))


@rule
def show_rug(ranks, who):
    """S31: the ranks after a rug is laid."""
    return u64(ranks + u64(UNIT[who] * u64(2 * SEEN)))


@rule
def all_ranks(s):
    """Current ranks."""
    ranks = u64(0)
    for seat in range(s.players):
        ranks = u64(
            ranks + u64(UNIT[seat + 1] * u64(ranked(s.money[seat], 0) + SEEN * halves(s, seat)))
        )
    return ranks


@rule
def worth_to(scratch, ranks, who):
    """S32: value to `who` of ending with these ranks."""
    own = rank_of(ranks, who)
    others = ranks & ~PART[who]
    one = rank_of(others, 1)
    two = rank_of(others, 2)
    three = rank_of(others, 3)
    four = rank_of(others, 4)
    top = max(max(one, two), max(three, four))
    sharers = 1 + (one == own) + (two == own) + (three == own) + (four == own)
    ahead = points_ranked(own) - points_ranked(top)
    return scratch.worths[0 if own < top else sharers, MAX_LEAD + ahead]


# ---------------------------------------------------------------- preferences


@rule
def out_of_contention(who, players):
    """Players who are no rivals of `who`, encoded as points behind."""
    behind = 0
    for player in range(1, 5):
        if player == who or player > players:
            behind |= OUT_OF_CONTENTION << (2 * player - 2)
    return behind


@rule
def set_roles(scratch, players, layer, other):
    """Set whose preferences count."""
    scratch.layer = layer
    scratch.other = other
    scratch.rivals = u64(EVERYBODY) & ~PART[layer]
    scratch.no_rivals = out_of_contention(layer, players)
    scratch.gains = GAINS[layer, scratch.no_rivals] if players == 2 else u64(0)


@rule
def kind_at_offset(order, behind):
    """The kind at a bit offset in the order."""
    return i64((order >> u64(behind)) & u64(15))


@rule
def sort_kinds(scratch, slot, ranks):
    """Sort the kinds by value to the layer."""
    order = u64(0)
    for kind in range(1, KINDS):
        worth = worth_to(scratch, hide(ranks, ONE[kind], OTHER[kind]), scratch.layer)
        scratch.worth_by_kind[slot, kind] = worth
        behind = 0  # in bits, past all kinds of at least equal value
        while (
            order >> u64(behind)
            and scratch.worth_by_kind[slot, kind_at_offset(order, behind)] >= worth
        ):
            behind += 4
        before = order & u64(u64(u64(1) << u64(behind)) - u64(1))
        order = before | u64(u64(kind) << u64(behind)) | u64((order ^ before) << u64(4))
    scratch.order[slot] = order


@rule
def cache_slot(scratch, ranks):
    """Cache slot with the layer's preferences for these ranks."""
    key = ranks | u64(u64(scratch.layer) << u64(4 * RANK_BITS))
    digest = u64(key * u64(0x9E3779B97F4A7C15))
    slot = i64(digest >> u64(64 - CACHE_BITS))
    if scratch.ranks[slot] != key:
        scratch.ranks[slot] = key
        sort_kinds(scratch, slot, ranks)
    return slot


@rule
def close_worth(scratch, ranks, kinds):
    """Value to the layer of the best of these kinds in a close game; notes all kinds of equal
    value.
    """
    if scratch.gains != u64(0):
        scratch.best_kinds = kinds_of_step(scratch.gains, best_step(scratch.gains, kinds))
        kind = lowest(scratch.best_kinds & kinds)
        return worth_to(scratch, hide(ranks, ONE[kind], OTHER[kind]), scratch.layer)
    slot = cache_slot(scratch, ranks)
    order = scratch.order[slot]
    while (kinds >> u64(kind_at_offset(order, 0))) & u64(1) == u64(0):
        order >>= u64(4)
    worth = scratch.worth_by_kind[slot, kind_at_offset(order, 0)]
    best_kinds = u64(0)
    while order != u64(0) and scratch.worth_by_kind[slot, kind_at_offset(order, 0)] == worth:
        best_kinds |= u64(u64(1) << u64(kind_at_offset(order, 0)))
        order >>= u64(4)
    scratch.best_kinds = best_kinds
    return worth


@rule
def best_step(gains, kinds):
    """Step of the best of these kinds; lower steps gain more."""
    return lowest(gains & u64(kinds * u64(FOUR_TIMES))) >> 4


@rule
def steps_behind(ranks, top):
    """Everybody's points behind `top`, two bits each, capped."""
    one = min(top - points_of(ranks, 1), OUT_OF_CONTENTION)
    two = min(top - points_of(ranks, 2), OUT_OF_CONTENTION)
    three = min(top - points_of(ranks, 3), OUT_OF_CONTENTION)
    four = min(top - points_of(ranks, 4), OUT_OF_CONTENTION)
    return one | (two << 2) | (three << 4) | (four << 6)


@rule
def top_points(ranks):
    """The most points anybody has."""
    return max(
        max(points_of(ranks, 1), points_of(ranks, 2)), max(points_of(ranks, 3), points_of(ranks, 4))
    )


@rule
def is_close(ahead):
    """Whether the last rug can decide the game."""
    return -CLOSE <= ahead <= CLOSE


@rule
def clear_worth(scratch, ahead, step):
    """Value to the layer, in a game that is not close, of hiding a kind of this step."""
    return scratch.worths[1 if ahead > 0 else 0, MAX_LEAD + ahead + CLOSE - step]


@rule
def gains_of(ranks, who, players):
    """Gains of `who` by kind hidden."""
    rivals = ranks & u64(EVERYBODY) & ~PART[who]
    return GAINS[who, out_of_contention(who, players) | steps_behind(rivals, top_points(rivals))]


@rule
def kinds_of_step(gains, step):
    """Kinds that gain equally. Those losing two points count only without an alternative."""
    return u64(ANY_KIND) if step == STEPS else (gains >> u64(16 * step)) & u64(ANY_KIND)


@rule
def most_worth(scratch, ranks):
    """Upper bound of the last turn's value to the layer: paying nothing, hiding the best kind."""
    ahead = points_of(ranks, scratch.layer) - top_points(ranks & scratch.rivals)
    return (
        close_worth(scratch, ranks, u64(ANY_KIND))
        if is_close(ahead)
        else clear_worth(scratch, ahead, 0)
    )
