"""What a mind sees in both Basari games: majorities won, tied and lost, how far the game is, points, gems to haggle with, and the rivals one by one.

Seats make no difference in these games, so rivals are told apart by how strong they are: the first rival is the strongest, wherever they sit.

Of how far the game is, a *stage* says the most: how many scorings there are after the next, and how near the next is, in a few classes.
"""

import numpy as np

from souk.games.haggling.insight import MOST_SEATS, furthest
from souk.games.haggling.rules import COLOURS, NONE
from souk.kernel.rule import i64, rule

RIVALS = MOST_SEATS - 1
LATERS = 3  # scorings after the next: 0 to 2
NEARS = 4  # classes of how near the next scoring is, 0 the nearest
STAGES = LATERS * NEARS

LEADS = 9  # gems more than the best of the others: from 4 fewer to 4 more
EVEN = 4  # the class of as many
GAPS = 3  # gems that the best of the others has more than the next: 0, 1, more
HANDS = 10  # gems of a colour: more make no difference here
RIVAL_HANDS = 12  # nor here
SUPPLIES = 9
WINS = 3  # of a colour: others would score it, it would be shared, it would be mine
ALL_WINS = WINS**COLOURS
TOTALS = 16  # gems of all colours, in pairs
LAGS = 25  # steps behind the furthest of the others: from 12 before them to 12 behind
ABREAST = 12  # the class of as far

# Points ahead, in classes the wider the further apart.
FAR = 43
_EDGES = np.array([1, 3, 5, 7, 9, 11, 15, 19, 23, 27, 35, FAR])
_AHEAD = np.arange(-FAR, FAR + 1)
POINTS_CLASS = len(_EDGES) + np.sign(_AHEAD) * np.searchsorted(_EDGES, np.abs(_AHEAD), side="right")
POINTS_CLASSES = 2 * len(_EDGES) + 1
GEM = 2  # points that a gem counts for when it is asked who is strong

# Where the numbers of each kind of thing begin.
LEAD = 0  # by colour, stage, gap and lead
HELD = LEAD + COLOURS * STAGES * GAPS * LEADS  # by colour, how many I have, and how many the best of the others
SUPPLY = HELD + COLOURS * HANDS * HANDS  # by colour, and how many there are
MAJORITIES = SUPPLY + COLOURS * SUPPLIES  # by how near the scoring is, and who would score each colour
POINTS = MAJORITIES + NEARS * ALL_WINS  # by stage, and how far ahead of the best of the others
PLACE = POINTS + STAGES * POINTS_CLASSES  # by stage, and how many are stronger
TOTAL = PLACE + STAGES * MOST_SEATS  # by how many gems I have, and how many whoever of the others has most
RIVAL_POINTS = TOTAL + TOTALS * TOTALS  # by rival, and how far ahead of them
RIVAL_GEMS = RIVAL_POINTS + RIVALS * POINTS_CLASSES  # by rival and colour, and how many they have
OWN = RIVAL_GEMS + RIVALS * COLOURS * RIVAL_HANDS  # what follows is each game's own

OF_A_COLOUR = 3  # things seen of each colour
OF_ALL = 4  # of all colours together, and of points
OF_A_RIVAL = 1 + COLOURS


def most_seen(seats: int) -> int:
    """How many of these things are seen at a table with so many seats."""
    return COLOURS * OF_A_COLOUR + OF_ALL + (seats - 1) * OF_A_RIVAL


@rule
def points_class(ahead):
    return POINTS_CLASS[min(max(ahead, -FAR), FAR) + FAR]


# ---------------------------------------------------------------- gems and points


@rule
def size_up_rivals(s, desk):
    """Note how many gems everybody has, and their rank by strength: 0 for the strongest; of two who are equal the lower seat's is lower."""
    players = i64(s.players)
    for seat in range(players):
        desk.held[seat] = s.gems[seat, 0] + s.gems[seat, 1] + s.gems[seat, 2] + s.gems[seat, 3]
        desk.strengths[seat] = s.points[seat] + GEM * desk.held[seat]
        desk.ranks[seat] = 0
        for other in range(seat):
            if desk.strengths[other] < desk.strengths[seat]:
                desk.ranks[other] += 1
            else:
                desk.ranks[seat] += 1


@rule
def rival(desk, seat, other):
    """Which of a seat's rivals another is: 0 for the strongest."""
    return desk.ranks[other] - (1 if desk.ranks[other] > desk.ranks[seat] else 0)


@rule
def see_colour(s, desk, n, colour, stage, near):
    """Who leads in a colour, by how much, and what there is of it. The colours are seen in order, from the first on."""
    first = second = third = 0  # the most that three have
    for seat in range(i64(s.players)):
        held = i64(s.gems[seat, colour])
        third = max(third, min(second, held))
        second = max(second, min(first, held))
        first = max(first, held)
    leads = LEAD + (colour * STAGES + stage) * GAPS * LEADS
    supply = SUPPLY + colour * SUPPLIES + min(s.supply[colour], SUPPLIES - 1)
    for seat in range(i64(s.players)):
        held = i64(s.gems[seat, colour])
        best = second if held == first else first  # of the others
        following = third if held >= second else second
        lead = min(max(held - best, -EVEN), EVEN) + EVEN
        win = min(max(lead - EVEN, -1), 1) + 1
        k = n + OF_A_COLOUR * colour
        desk.seen[k, seat] = leads + min(best - following, GAPS - 1) * LEADS + lead
        desk.seen[k + 1, seat] = HELD + (colour * HANDS + min(held, HANDS - 1)) * HANDS + min(best, HANDS - 1)
        desk.seen[k + 2, seat] = supply
        k = n + OF_A_COLOUR * COLOURS
        wins = desk.seen[k, seat] - MAJORITIES - near * ALL_WINS if colour > 0 else 0
        desk.seen[k, seat] = MAJORITIES + near * ALL_WINS + wins * WINS + win


@rule
def see_standing(s, desk, n, stage):
    """How one stands against whoever is best of the others: in points, in strength, and in gems to haggle with."""
    players = i64(s.players)
    for seat in range(players):
        points = held = -1
        stronger = 0
        for other in range(players):
            if other != seat:
                points = max(points, s.points[other])
                held = max(held, desk.held[other])
                stronger += 1 if desk.strengths[other] > desk.strengths[seat] else 0
        mine = min(desk.held[seat] >> 1, TOTALS - 1)
        desk.seen[n, seat] = POINTS + stage * POINTS_CLASSES + points_class(s.points[seat] - points)
        desk.seen[n + 1, seat] = PLACE + stage * MOST_SEATS + stronger
        desk.seen[n + 2, seat] = TOTAL + mine * TOTALS + min(held >> 1, TOTALS - 1)
    return n + 3


@rule
def see_rivals(s, desk, n):
    """Each of the others: their points against one's own, and their gems."""
    players = i64(s.players)
    for other in range(players):
        for seat in range(players):
            if other != seat:
                which = rival(desk, seat, other)
                k = n + OF_A_RIVAL * which
                ahead = points_class(s.points[seat] - s.points[other])
                desk.seen[k, seat] = RIVAL_POINTS + which * POINTS_CLASSES + ahead
                for colour in range(COLOURS):
                    gems = RIVAL_GEMS + (which * COLOURS + colour) * RIVAL_HANDS
                    desk.seen[k + 1 + colour, seat] = gems + min(s.gems[other, colour], RIVAL_HANDS - 1)
    return n + OF_A_RIVAL * (players - 1)


@rule
def see_haggling(s, desk, later, near):
    """All that both games have in common; returns how much that is."""
    stage = later * NEARS + near
    size_up_rivals(s, desk)
    for colour in range(COLOURS):
        see_colour(s, desk, 0, colour, stage, near)
    n = see_standing(s, desk, OF_A_COLOUR * COLOURS + 1, stage)
    return see_rivals(s, desk, n)


# ---------------------------------------------------------------- the way to the next scoring
#
# Steps are arches or workers: the scoring comes when somebody has made enough of them.

OF_THE_WAY = 3  # things seen of it, and one of each rival


def way_rows(enough: int, classes: int) -> int:
    """How many numbers `see_way` takes, if so many steps are enough and the others' are told apart in so many classes."""
    return LATERS * (enough + 1) + (enough + 1) * classes + NEARS * LAGS + RIVALS * classes


@rule
def see_way(s, desk, n, first, done, enough, stage, classes, class_of):
    """How far everybody is, in the rows from `first` on: the exact stage; the steps that I have left, and whoever of the others has fewest; how far
    I am behind them; and the steps that each rival has left. `class_of` is the class of so many steps left, out of `classes`."""
    later = stage // NEARS
    near = stage % NEARS
    players = i64(s.players)
    most = second = 0
    for seat in range(players):
        steps = i64(done[seat])
        second = max(second, min(most, steps))
        most = max(most, steps)
    ways = first + LATERS * (enough + 1)
    lags = ways + (enough + 1) * classes
    rivals = lags + NEARS * LAGS
    for seat in range(players):
        steps = i64(done[seat])
        best = second if steps == most else most  # of the others
        desk.seen[n, seat] = first + later * (enough + 1) + max(enough - most, 0)
        desk.seen[n + 1, seat] = ways + max(enough - steps, 0) * classes + class_of[max(enough - best, 0)]
        desk.seen[n + 2, seat] = lags + near * LAGS + min(max(best - steps, -ABREAST), ABREAST) + ABREAST
        left = class_of[max(enough - steps, 0)]
        for other in range(players):
            if other != seat:
                which = rival(desk, other, seat)
                desk.seen[n + OF_THE_WAY + which, other] = rivals + which * classes + left
    return n + OF_THE_WAY + players - 1


@rule
def see_game(s, desk, first, done, enough, later, nears, classes, class_of):
    """All of this: what both games have in common, and in the rows from `first` on how far everybody is. `nears` is how near the scoring is, by the
    steps that whoever is furthest has left; for the rest see `see_way`."""
    near = nears[max(enough - furthest(done, s.players, NONE), 0)]
    n = see_haggling(s, desk, later, near)
    return see_way(s, desk, n, first, done, enough, later * NEARS + near, classes, class_of)
