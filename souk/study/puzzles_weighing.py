"""Moves weighed against each other: several searches for each, so that the standard error of every chance is known."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, sqrt
from statistics import fmean, stdev

from souk.core.position import Position
from souk.study.puzzles import RankedMove
from souk.study.weighing import Effort, after_move, estimate

MOST_MOVES = 6  # among which an effort is shared; one more is weighed as hard as these
TREES = 5  # searches for each move, which know nothing of each other
_APART = 1000  # so far are their seeds from each other


def weigh_moves(pos: Position, seat: int, moves: Sequence[str], effort: Effort) -> list[RankedMove]:
    """What each move leaves a seat, by an effort that is shared among them; the best first."""
    each = effort.part(1 / min(len(moves), MOST_MOVES))
    return sorted((_weigh(pos, seat, move, each) for move in moves), key=lambda weighed: -weighed.win)


def _weigh(pos: Position, seat: int, move: str, effort: Effort) -> RankedMove:
    """The error is told by how far several searches differ. One search alone believes in itself too much: to somebody who may answer in one
    way or another it can be all the same, and to whoever moved all the difference."""
    after, part = after_move(pos, seat, move), effort.part(1 / TREES)
    found = [estimate(after, seat, replace(part, seed=effort.seed + _APART * k)) for k in range(TREES)]
    wins = [win for win, _ in found]
    return RankedMove(move, fmean(wins), stdev(wins) / sqrt(TREES))


def together(one: Sequence[RankedMove], two: Sequence[RankedMove]) -> list[RankedMove]:
    """Two weighings of the same moves with the same effort, as one."""
    others = {each.move: each for each in two}
    both = [(each, others[each.move]) for each in one]
    found = [RankedMove(a.move, (a.win + b.win) / 2, hypot(a.error, b.error) / 2) for a, b in both]
    return sorted(found, key=lambda weighed: -weighed.win)


def is_clear(weighed: Sequence[RankedMove], least: float, errors: float = 3.0) -> bool:
    """Whether the first move is better than every other by so much, and by so many standard errors."""
    first, *others = weighed
    gaps = [(first.win - other.win, hypot(first.error, other.error)) for other in others]
    return all(gap >= least and gap >= errors * error for gap, error in gaps)
