"""Net features of both Basari games: majorities, progress, points, gems to haggle with, and rivals.

Seats are interchangeable in these games, so rivals are ordered by strength: the first is the
strongest, wherever it sits.

Progress is mostly a *stage*: how many scorings come after the next, and how near the next is, in a
few classes.
"""

import numpy as np

from souk.games.basari_common.heuristics import MOST_SEATS, furthest
from souk.games.basari_common.rules import COLOURS, NONE
from souk.kernel.rule import i64, rule

RIVALS = MOST_SEATS - 1
LATERS = 3  # scorings after the next: 0 to 2
NEARS = 4  # classes of distance to the next scoring, 0 the nearest
STAGES = LATERS * NEARS

LEADS = 9  # gems ahead of the best other seat: from -4 to 4
EVEN = 4  # the class of no lead
GAPS = 3  # gems between the best other seat and the next: 0, 1, more
HANDS = 10  # gems of a colour, capped
RIVAL_HANDS = 12  # likewise, of a rival
SUPPLIES = 9
WINS = 3  # of a colour: others would score it, it would be shared, it would be mine
ALL_WINS = WINS**COLOURS
TOTALS = 16  # gems of all colours, in pairs
LAGS = 25  # steps behind the furthest other seat: from -12 to 12
ABREAST = 12  # the class of no lag

# Points ahead, in classes that widen with distance.
FAR = 43
_EDGES = np.array([1, 3, 5, 7, 9, 11, 15, 19, 23, 27, 35, FAR])
_AHEAD = np.arange(-FAR, FAR + 1)
POINTS_CLASS = len(_EDGES) + np.sign(_AHEAD) * np.searchsorted(_EDGES, np.abs(_AHEAD), side="right")
POINTS_CLASSES = 2 * len(_EDGES) + 1
GEM = 2  # points a gem counts for in strength

# First row of each kind of feature.
LEAD = 0  # by colour, stage, gap and lead
# By colour, gems held, and gems of the best other seat.
HELD = LEAD + COLOURS * STAGES * GAPS * LEADS
SUPPLY = HELD + COLOURS * HANDS * HANDS  # by colour and number
# By distance to the scoring, and who would score each colour.
MAJORITIES = SUPPLY + COLOURS * SUPPLIES
POINTS = MAJORITIES + NEARS * ALL_WINS  # by stage and lead over the best other seat
PLACE = POINTS + STAGES * POINTS_CLASSES  # by stage and number of stronger seats
# By gems held, and the most any other seat holds.
TOTAL = PLACE + STAGES * MOST_SEATS
RIVAL_POINTS = TOTAL + TOTALS * TOTALS  # by rival and lead
RIVAL_GEMS = RIVAL_POINTS + RIVALS * POINTS_CLASSES  # by rival, colour and number
OWN = RIVAL_GEMS + RIVALS * COLOURS * RIVAL_HANDS  # first row of each game's own features

PER_COLOUR = 3  # features per colour
OVERALL = 4  # of all colours together, and of points
PER_RIVAL = 1 + COLOURS


def most_seen(seats: int) -> int:
    """Number of these features present at a table with this many seats."""
    return COLOURS * PER_COLOUR + OVERALL + (seats - 1) * PER_RIVAL


@rule
def points_class(ahead):
    return POINTS_CLASS[min(max(ahead, -FAR), FAR) + FAR]


# ---------------------------------------------------------------- gems and points


@rule
def rank_rivals(s, workspace):
    """Record everybody's gems and rank by strength (0: strongest; ties to the lower seat)."""
    players = i64(s.players)
    for seat in range(players):
        workspace.held[seat] = s.gems[seat, 0] + s.gems[seat, 1] + s.gems[seat, 2] + s.gems[seat, 3]
        workspace.strengths[seat] = s.points[seat] + GEM * workspace.held[seat]
        workspace.ranks[seat] = 0
        for other in range(seat):
            if workspace.strengths[other] < workspace.strengths[seat]:
                workspace.ranks[other] += 1
            else:
                workspace.ranks[seat] += 1


@rule
def rival(workspace, seat, other):
    """Index of another seat among a seat's rivals, 0 for the strongest."""
    return workspace.ranks[other] - (1 if workspace.ranks[other] > workspace.ranks[seat] else 0)


@rule
def add_colour(s, workspace, n, colour, stage, near):
    """Lead in a colour, and its supply. Call for all colours in order."""
    first = second = third = 0  # the three largest holdings
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
        k = n + PER_COLOUR * colour
        workspace.seen[k, seat] = leads + min(best - following, GAPS - 1) * LEADS + lead
        workspace.seen[k + 1, seat] = (
            HELD + (colour * HANDS + min(held, HANDS - 1)) * HANDS + min(best, HANDS - 1)
        )
        workspace.seen[k + 2, seat] = supply
        k = n + PER_COLOUR * COLOURS
        wins = workspace.seen[k, seat] - MAJORITIES - near * ALL_WINS if colour > 0 else 0
        workspace.seen[k, seat] = MAJORITIES + near * ALL_WINS + wins * WINS + win


@rule
def add_standing(s, workspace, n, stage):
    """Own standing against the best other seat: points, strength and gems."""
    players = i64(s.players)
    for seat in range(players):
        points = held = -1
        stronger = 0
        for other in range(players):
            if other != seat:
                points = max(points, s.points[other])
                held = max(held, workspace.held[other])
                stronger += 1 if workspace.strengths[other] > workspace.strengths[seat] else 0
        mine = min(workspace.held[seat] >> 1, TOTALS - 1)
        workspace.seen[n, seat] = (
            POINTS + stage * POINTS_CLASSES + points_class(s.points[seat] - points)
        )
        workspace.seen[n + 1, seat] = PLACE + stage * MOST_SEATS + stronger
        workspace.seen[n + 2, seat] = TOTAL + mine * TOTALS + min(held >> 1, TOTALS - 1)
    return n + 3


@rule
def add_rivals(s, workspace, n):
    """Each rival's points relative to the observer's, and its gems."""
    players = i64(s.players)
    for other in range(players):
        for seat in range(players):
            if other != seat:
                which = rival(workspace, seat, other)
                k = n + PER_RIVAL * which
                ahead = points_class(s.points[seat] - s.points[other])
                workspace.seen[k, seat] = RIVAL_POINTS + which * POINTS_CLASSES + ahead
                for colour in range(COLOURS):
                    gems = RIVAL_GEMS + (which * COLOURS + colour) * RIVAL_HANDS
                    workspace.seen[k + 1 + colour, seat] = gems + min(
                        s.gems[other, colour], RIVAL_HANDS - 1
                    )
    return n + PER_RIVAL * (players - 1)


@rule
def add_haggling(s, workspace, later, near):
    """Add all features both games share; returns their number."""
    stage = later * NEARS + near
    rank_rivals(s, workspace)
    for colour in range(COLOURS):
        add_colour(s, workspace, 0, colour, stage, near)
    n = add_standing(s, workspace, PER_COLOUR * COLOURS + 1, stage)
    return add_rivals(s, workspace, n)


# ---------------------------------------------------------------- progress to the next scoring
# Steps are arches or workers: a scoring comes when a seat has made enough of them.

PROGRESS = 3  # features of it, plus one per rival


def progress_rows(enough: int, classes: int) -> int:
    """Rows `add_progress` takes, given the number of steps and classes of rivals' steps left."""
    return LATERS * (enough + 1) + (enough + 1) * classes + NEARS * LAGS + RIVALS * classes


@rule
def add_progress(s, workspace, n, first, done, enough, stage, classes, class_of):
    """Add everybody's progress, in the rows from `first` on.

    The exact stage; own steps left with those of the furthest other seat; the lag behind it; each
    rival's steps left. `class_of` gives the class of a number of steps left, out of `classes`.
    """
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
        workspace.seen[n, seat] = first + later * (enough + 1) + max(enough - most, 0)
        workspace.seen[n + 1, seat] = (
            ways + max(enough - steps, 0) * classes + class_of[max(enough - best, 0)]
        )
        workspace.seen[n + 2, seat] = (
            lags + near * LAGS + min(max(best - steps, -ABREAST), ABREAST) + ABREAST
        )
        left = class_of[max(enough - steps, 0)]
        for other in range(players):
            if other != seat:
                which = rival(workspace, other, seat)
                workspace.seen[n + PROGRESS + which, other] = rivals + which * classes + left
    return n + PROGRESS + players - 1


@rule
def add_shared(s, workspace, first, done, enough, later, nears, classes, class_of):
    """Add the features both games share, and from row `first` on everybody's progress.

    `nears`: class of distance to the scoring by steps the furthest seat has left; for the rest see
    `add_progress`.
    """
    near = nears[max(enough - furthest(done, s.players, NONE), 0)]
    n = add_haggling(s, workspace, later, near)
    return add_progress(
        s, workspace, n, first, done, enough, later * NEARS + near, classes, class_of
    )
