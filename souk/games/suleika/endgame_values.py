"""Suleika: how everybody would like the game to end, for those who play the end out in full: what ends are worth, and what the last rug had best hide.

The *layer* is who lays the last rug, the *other* who lays the one before. Who is one more than a seat, and 0 is nobody.

What a rug hides is one of fifteen *kinds*: whose the one half was, and whose the other. Which of them are to be had is a set of sixteen bits. Where the layer is
sure to be ahead, or to be behind, a kind is worth as much as it takes from the best of the others, less what it takes from the layer: nothing else counts, and it
is looked up. Where it is close, the rest of the ranks decides; that is worked out once for all positions with the same ranks.
"""

from itertools import product

import numpy as np

from souk.games.suleika.rules import halves, points_ranked, ranked
from souk.kernel.bits import lowest
from souk.kernel.desk import Layout
from souk.kernel.ranking import MOST_AHEAD
from souk.kernel.rule import i64, rule, u64

# What kind of halves a rug hides, from 1 on: one is of this, the other of that.
ONE, OTHER = np.array([(0, 0)] + [(one, other) for one in range(5) for other in range(one, 5)]).T.copy()
KINDS = len(ONE)
ANY_KIND = (1 << KINDS) - 2

RANK_BITS = 14
SEEN = ranked(1, 1)  # S31: what a half that can be seen adds to a rank
# Everybody's ranks as one number, and by who: what it stands for there, and all of its bits.
UNIT = np.array([0] + [1 << (RANK_BITS * seat) for seat in range(4)], np.uint64)
PART = UNIT * np.uint64((1 << RANK_BITS) - 1)
EVERYBODY = sum(1 << (RANK_BITS * seat) for seat in range(4)) * ((1 << RANK_BITS) - 1)
POINTS_BEHIND = ranked(1, 0).bit_length() - 1  # bits of a rank behind its points
MOST_POINTS = (1 << (RANK_BITS - POINTS_BEHIND)) - 1

CLOSE = 2  # points: the last rug can change a difference by so much
OUT_OF_SIGHT = CLOSE + 1  # points behind, of whoever the last rug cannot make the best
KNOWN_BITS = 12
KNOWN = 1 << KNOWN_BITS  # ranks whose likings are kept


def _gains() -> np.ndarray[tuple[int, int], np.dtype[np.uint64]]:
    """By the layer, and by how many points everybody is behind the best of the layer's rivals, two bits each (nobody who is no rival is in sight): the kinds by
    which the layer gains two points on the best, those that gain one, none, and lose one. The others lose two."""
    behind = np.arange(4**4)[:, None] >> 2 * np.arange(4) & 3
    hidden = np.array(
        [[int(one == who) + int(other == who) for who in range(5)] for one, other in zip(ONE, OTHER, strict=True)]
    )
    best = (-behind - hidden[:, None, 1:]).max(axis=-1)
    found = np.zeros((5, len(behind)), np.uint64)
    for layer, kind in product(range(1, 5), range(1, KINDS)):
        step = CLOSE + best[kind] + hidden[kind, layer]
        found[layer] |= np.where(step < STEPS, np.uint64(1) << (16 * step + kind).astype(np.uint64), np.uint64(0))
    return found


STEPS = 4
GAINS = _gains()
FOUR_TIMES = 0x0001000100010001  # a set of kinds, for each of those steps

LIKINGS: Layout = (
    ("layer", "i8"),
    ("other", "i8"),
    ("rivals", "u8"),  # the bits of their ranks: all but the layer's
    ("no_rivals", "i8"),  # those out of sight anyway
    ("gains", "u8"),  # two players: what the layer gains by hiding what; 0 where that depends on the ranks
    # By place: ranks, and what is liked best then.
    ("ranks", "u8", KNOWN),
    ("order", "u8", KNOWN),  # the kinds, four bits each, those lowest that the layer likes best
    ("felt", "f8", (KNOWN, KINDS)),  # by kind: what that is worth to the layer
    ("liked", "u8"),  # the kinds that were liked best, all as much
)


# ---------------------------------------------------------------- ranks as one number


@rule
def rank_of(ranks, who):
    return i64((ranks >> u64(RANK_BITS * (who - 1))) & u64((1 << RANK_BITS) - 1))


@rule
def points_of(ranks, who):
    return i64((ranks >> u64(RANK_BITS * (who - 1) + POINTS_BEHIND)) & u64(MOST_POINTS))


@rule
def dues(payer, owed, paid):
    """S13: what is to be added to the ranks when somebody pays somebody so many piastres."""
    return u64(u64(u64(UNIT[paid]) - u64(UNIT[payer])) * u64(ranked(owed, 0)))


@rule
def hide(ranks, one, other):
    """S31: the ranks when two halves are hidden."""
    return u64(ranks - u64(u64(UNIT[one] + UNIT[other]) * u64(SEEN)))


@rule
def show_rug(ranks, who):
    """S31: the ranks when a rug has been laid."""
    return u64(ranks + u64(UNIT[who] * u64(2 * SEEN)))


@rule
def all_ranks(s):
    """Everybody's ranks as they are."""
    found = u64(0)
    for seat in range(s.players):
        found = u64(found + u64(UNIT[seat + 1] * u64(ranked(s.money[seat], 0) + SEEN * halves(s, seat))))
    return found


@rule
def worth_to(sheet, ranks, who):
    """S32: what it is worth to somebody to end with these ranks."""
    own = rank_of(ranks, who)
    others = ranks & ~PART[who]
    one = rank_of(others, 1)
    two = rank_of(others, 2)
    three = rank_of(others, 3)
    four = rank_of(others, 4)
    top = max(max(one, two), max(three, four))
    sharers = 1 + (one == own) + (two == own) + (three == own) + (four == own)
    ahead = points_ranked(own) - points_ranked(top)
    return sheet.worths[0 if own < top else sharers, MOST_AHEAD + ahead]


# ---------------------------------------------------------------- what is liked


@rule
def out_of_sight(who, players):
    """Those that are no rivals of somebody, as many points behind."""
    found = 0
    for each in range(1, 5):
        if each == who or each > players:
            found |= OUT_OF_SIGHT << (2 * each - 2)
    return found


@rule
def take_sides(sheet, players, layer, other):
    """Note whose likings are meant."""
    sheet.layer = layer
    sheet.other = other
    sheet.rivals = u64(EVERYBODY) & ~PART[layer]
    sheet.no_rivals = out_of_sight(layer, players)
    sheet.gains = GAINS[layer, sheet.no_rivals] if players == 2 else u64(0)


@rule
def nth(order, behind):
    """The kind that stands so many bits behind the first."""
    return i64((order >> u64(behind)) & u64(15))


@rule
def like(sheet, place, ranks):
    """Work out what the layer likes best with these ranks."""
    order = u64(0)
    for kind in range(1, KINDS):
        worth = worth_to(sheet, hide(ranks, ONE[kind], OTHER[kind]), sheet.layer)
        sheet.felt[place, kind] = worth
        behind = 0  # in bits: all that are liked as much or more
        while order >> u64(behind) and sheet.felt[place, nth(order, behind)] >= worth:
            behind += 4
        before = order & u64(u64(u64(1) << u64(behind)) - u64(1))
        order = before | u64(u64(kind) << u64(behind)) | u64((order ^ before) << u64(4))
    sheet.order[place] = order


@rule
def liking_of(sheet, ranks):
    """The place where it is kept what is liked best with these ranks."""
    named = ranks | u64(u64(sheet.layer) << u64(4 * RANK_BITS))
    mixed = u64(named * u64(0x9E3779B97F4A7C15))
    place = i64(mixed >> u64(64 - KNOWN_BITS))
    if sheet.ranks[place] != named:
        sheet.ranks[place] = named
        like(sheet, place, ranks)
    return place


@rule
def close_worth(sheet, ranks, kinds):
    """What the best of these kinds is worth to the layer, where the last rug may decide. Notes all that are worth as much."""
    if sheet.gains != u64(0):
        sheet.liked = kinds_of_step(sheet.gains, best_step(sheet.gains, kinds))
        kind = lowest(sheet.liked & kinds)
        return worth_to(sheet, hide(ranks, ONE[kind], OTHER[kind]), sheet.layer)
    place = liking_of(sheet, ranks)
    order = sheet.order[place]
    while (kinds >> u64(nth(order, 0))) & u64(1) == u64(0):
        order >>= u64(4)
    worth = sheet.felt[place, nth(order, 0)]
    liked = u64(0)
    while order != u64(0) and sheet.felt[place, nth(order, 0)] == worth:
        liked |= u64(u64(1) << u64(nth(order, 0)))
        order >>= u64(4)
    sheet.liked = liked
    return worth


@rule
def best_step(gains, kinds):
    """The step of the best of these kinds: the lower, the more is gained."""
    return lowest(gains & u64(kinds * u64(FOUR_TIMES))) >> 4


@rule
def steps_behind(ranks, top):
    """How many points everybody is behind so many, two bits each."""
    one = min(top - points_of(ranks, 1), OUT_OF_SIGHT)
    two = min(top - points_of(ranks, 2), OUT_OF_SIGHT)
    three = min(top - points_of(ranks, 3), OUT_OF_SIGHT)
    four = min(top - points_of(ranks, 4), OUT_OF_SIGHT)
    return one | (two << 2) | (three << 4) | (four << 6)


@rule
def top_points(ranks):
    """The most points that anybody has."""
    return max(max(points_of(ranks, 1), points_of(ranks, 2)), max(points_of(ranks, 3), points_of(ranks, 4)))


@rule
def is_close(ahead):
    """Whether the last rug may decide."""
    return -CLOSE <= ahead <= CLOSE


@rule
def clear_worth(sheet, ahead, step):
    """What it is worth to the layer to be as far ahead, where it is not close, and to hide a kind of this step."""
    return sheet.worths[1 if ahead > 0 else 0, MOST_AHEAD + ahead + CLOSE - step]


@rule
def gains_of(ranks, who, players):
    """What somebody gains by hiding what."""
    rivals = ranks & u64(EVERYBODY) & ~PART[who]
    return GAINS[who, out_of_sight(who, players) | steps_behind(rivals, top_points(rivals))]


@rule
def kinds_of_step(gains, step):
    """What gains as much. What loses two points is hidden only where there is nothing else."""
    return u64(ANY_KIND) if step == STEPS else (gains >> u64(16 * step)) & u64(ANY_KIND)


@rule
def most_worth(sheet, ranks):
    """What the last turn can be worth to the layer at most: whoever pays nothing and hides what is liked best has as much."""
    ahead = points_of(ranks, sheet.layer) - top_points(ranks & sheet.rivals)
    return close_worth(sheet, ranks, u64(ANY_KIND)) if is_close(ahead) else clear_worth(sheet, ahead, 0)
