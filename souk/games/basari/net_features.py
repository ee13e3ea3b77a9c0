"""Basari's net features: those both games share, laps, and the arches ahead of each figure."""

import numpy as np

from souk.games.basari.heuristics import later
from souk.games.basari.rules import ARCHES, FACES
from souk.games.basari_common.net_features import (
    OWN,
    PROGRESS,
    add_shared,
    most_seen,
    progress_rows,
)
from souk.games.basari_common.rules import COLOURS
from souk.kernel.rule import i64, rule

SEATS = 4
# About a round each, by arches the furthest figure has left.
NEAR = np.array([0] * 6 + [1] * 5 + [2] * 6 + [3] * 12)
# By arches left.
LEFT_CLASS = np.array([0] + [1 + (left - 1) // 3 for left in range(1, ARCHES + 1)])
LEFT_CLASSES = int(LEFT_CLASS[-1]) + 1

# Arches within one roll are added up while packed. An arch has three bits for its number and for
# each colour; every second group gets six bits of room, so it takes two sums.
WIDE = 6
ROOM = (1 << WIDE) - 1
NUMBER_YELLOW_BLUE = 0o70707
RED_GREEN = 0o7070
GEMS_AHEAD = 13
LEAST_AHEAD, MOST_AHEAD = 4 * FACES, 7 * FACES

WAY = OWN
GEM_AHEAD = WAY + progress_rows(ARCHES, LEFT_CLASSES)  # by colour and number
NUMBER_AHEAD = GEM_AHEAD + COLOURS * GEMS_AHEAD  # by sum of the numbers
ROWS = NUMBER_AHEAD + MOST_AHEAD - LEAST_AHEAD + 1
MOST_SEEN = most_seen(SEATS) + PROGRESS + SEATS - 1 + COLOURS + 1


@rule
def gems_ahead(colour, sums):
    return GEM_AHEAD + colour * GEMS_AHEAD + min(sums & ROOM, GEMS_AHEAD - 1)


@rule
def add_arches(s, workspace, n):
    """Add what the arches within one roll offer."""
    for seat in range(i64(s.players)):
        some = others = 0
        arch = i64(s.figure[seat])
        for _ in range(FACES):
            arch = arch + 1 if arch < ARCHES - 1 else 0
            some += s.arch[arch] & NUMBER_YELLOW_BLUE
            others += (s.arch[arch] & RED_GREEN) >> (WIDE >> 1)
        workspace.seen[n, seat] = gems_ahead(0, others >> WIDE)
        workspace.seen[n + 1, seat] = gems_ahead(1, some >> WIDE)
        workspace.seen[n + 2, seat] = gems_ahead(2, others)
        workspace.seen[n + 3, seat] = gems_ahead(3, some)
        workspace.seen[n + 4, seat] = NUMBER_AHEAD + (some >> (2 * WIDE)) - LEAST_AHEAD
    return n + COLOURS + 1


@rule
def features(s, workspace, lookup):
    n = add_shared(s, workspace, WAY, s.walked, ARCHES, later(s), NEAR, LEFT_CLASSES, LEFT_CLASS)
    return add_arches(s, workspace, n)
