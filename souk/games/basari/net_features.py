"""Basari: what a mind sees. Besides what both Basari games have in common: the lap, and what the arches before one's figure have to offer."""

import numpy as np

from souk.games.basari.insight import later
from souk.games.basari.rules import ARCHES, FACES
from souk.games.haggling.mind import OF_THE_WAY, OWN, most_seen, see_game, way_rows
from souk.games.haggling.rules import COLOURS
from souk.kernel.rule import i64, rule

SEATS = 4
# About a round each, by the arches that whoever has come furthest has left.
NEAR = np.array([0] * 6 + [1] * 5 + [2] * 6 + [3] * 12)
LEFT_CLASS = np.array([0] + [1 + (left - 1) // 3 for left in range(1, ARCHES + 1)])  # by the arches somebody has left
LEFT_CLASSES = int(LEFT_CLASS[-1]) + 1

# What lies within a roll of a figure is added up. An arch has three bits for its number and for each colour: every second one of them has the room of
# six to be added up in, so it takes two sums.
WIDE = 6
ROOM = (1 << WIDE) - 1
NUMBER_YELLOW_BLUE = 0o70707
RED_GREEN = 0o7070
GEMS_AHEAD = 13
LEAST_AHEAD, MOST_AHEAD = 4 * FACES, 7 * FACES

WAY = OWN
GEM_AHEAD = WAY + way_rows(ARCHES, LEFT_CLASSES)  # by colour, and how many gems of it
NUMBER_AHEAD = GEM_AHEAD + COLOURS * GEMS_AHEAD  # by what the numbers add up to
ROWS = NUMBER_AHEAD + MOST_AHEAD - LEAST_AHEAD + 1
MOST_SEEN = most_seen(SEATS) + OF_THE_WAY + SEATS - 1 + COLOURS + 1


@rule
def gems_ahead(colour, sums):
    return GEM_AHEAD + colour * GEMS_AHEAD + min(sums & ROOM, GEMS_AHEAD - 1)


@rule
def see_arches(s, desk, n):
    """What the arches that one roll can reach have to offer."""
    for seat in range(i64(s.players)):
        some = others = 0
        arch = i64(s.figure[seat])
        for _ in range(FACES):
            arch = arch + 1 if arch < ARCHES - 1 else 0
            some += s.arch[arch] & NUMBER_YELLOW_BLUE
            others += (s.arch[arch] & RED_GREEN) >> (WIDE >> 1)
        desk.seen[n, seat] = gems_ahead(0, others >> WIDE)
        desk.seen[n + 1, seat] = gems_ahead(1, some >> WIDE)
        desk.seen[n + 2, seat] = gems_ahead(2, others)
        desk.seen[n + 3, seat] = gems_ahead(3, some)
        desk.seen[n + 4, seat] = NUMBER_AHEAD + (some >> (2 * WIDE)) - LEAST_AHEAD
    return n + COLOURS + 1


@rule
def sight(s, desk, lore):
    n = see_game(s, desk, WAY, s.walked, ARCHES, later(s), NEAR, LEFT_CLASSES, LEFT_CLASS)
    return see_arches(s, desk, n)
