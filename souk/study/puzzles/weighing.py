"""Moves weighed against each other: several searches for each, so that the standard error of every chance is known."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, sqrt
from statistics import fmean, stdev

from souk.core.position import Position
from souk.study.puzzles.year import RankedMove
from souk.study.weighing import APART, TREES, Effort, after_move, worth

MOST_MOVES = 6  # among which an effort is shared; one more is weighed as hard as these


def weigh_moves(pos: Position, seat: int, moves: Sequence[str], effort: Effort) -> list[RankedMove]:
    """What each move leaves a seat, by an effort that is shared among them; the best first."""
    each = effort.part(1 / min(len(moves), MOST_MOVES))
    return sorted((_weigh(pos, seat, move, each) for move in moves), key=lambda weighed: -weighed.win)


def _weigh(pos: Position, seat: int, move: str, effort: Effort) -> RankedMove:
    """The error is told by how far several searches differ, which know nothing of each other."""
    after, part = after_move(pos, seat, move), effort.part(1 / TREES)
    wins = [float(worth(after, replace(part, seed=effort.seed + APART * k))[seat]) for k in range(TREES)]
    return RankedMove(move, fmean(wins), stdev(wins) / sqrt(TREES))


def as_one(one: Sequence[RankedMove], two: Sequence[RankedMove]) -> list[RankedMove]:
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
