"""Moves weighed against each other: a search of its own for each, so that the standard error of every chance is known."""

from collections.abc import Sequence
from math import hypot

from souk.core.position import Position
from souk.study.puzzles import Weighed
from souk.study.weighing import Effort, after_move, estimate

MOST_MOVES = 6  # among which an effort is shared; one more is weighed as hard as these


def weigh_moves(pos: Position, seat: int, moves: Sequence[str], effort: Effort) -> list[Weighed]:
    """What each move leaves a seat, by an effort that is shared among them; the best first."""
    each = effort.part(1 / min(len(moves), MOST_MOVES))
    found = [Weighed(move, *estimate(after_move(pos, seat, move), seat, each)) for move in moves]
    return sorted(found, key=lambda weighed: -weighed.win)


def together(one: Sequence[Weighed], two: Sequence[Weighed]) -> list[Weighed]:
    """Two weighings of the same moves with the same effort, as one."""
    others = {each.move: each for each in two}
    both = [(each, others[each.move]) for each in one]
    found = [Weighed(a.move, (a.win + b.win) / 2, hypot(a.error, b.error) / 2) for a, b in both]
    return sorted(found, key=lambda weighed: -weighed.win)


def is_clear(weighed: Sequence[Weighed], least: float, errors: float = 3.0) -> bool:
    """Whether the first move is better than the next by so much, and by so many standard errors."""
    first, second = weighed[:2]
    gap = first.win - second.win
    return gap >= least and gap >= errors * hypot(first.error, second.error)
