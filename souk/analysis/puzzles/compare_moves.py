"""Ranks moves by several searches each, which gives the standard error of every win chance."""

from collections.abc import Sequence
from dataclasses import replace
from math import hypot, sqrt
from statistics import fmean, stdev

from souk.analysis.puzzles.daily import RankedMove
from souk.analysis.win_chances import APART, TREES, Effort, after_move, win_chances
from souk.core.position import Position

MOST_MOVES = 6  # that share an effort; further ones get as much each


def rank_moves(pos: Position, seat: int, moves: Sequence[str], effort: Effort) -> list[RankedMove]:
    """Rank the moves of a seat, best first; the effort is shared among them."""
    part = effort.part(1 / min(len(moves), MOST_MOVES))
    return sorted((_rank(pos, seat, move, part) for move in moves), key=lambda ranked: -ranked.win)


def _rank(pos: Position, seat: int, move: str, effort: Effort) -> RankedMove:
    """Evaluate a move by independent searches, whose spread gives the error."""
    after, part = after_move(pos, seat, move), effort.part(1 / TREES)
    wins = [
        float(win_chances(after, replace(part, seed=effort.seed + APART * k))[seat])
        for k in range(TREES)
    ]
    return RankedMove(move, fmean(wins), stdev(wins) / sqrt(TREES))


def merge_rankings(one: Sequence[RankedMove], two: Sequence[RankedMove]) -> list[RankedMove]:
    """Average two rankings of the same moves, made with the same effort."""
    others = {ranked.move: ranked for ranked in two}
    pairs = [(ranked, others[ranked.move]) for ranked in one]
    merged = [
        RankedMove(a.move, (a.win + b.win) / 2, hypot(a.error, b.error) / 2) for a, b in pairs
    ]
    return sorted(merged, key=lambda ranked: -ranked.win)


def is_clear(ranking: Sequence[RankedMove], least: float, errors: float = 3.0) -> bool:
    """Whether the first move leads by at least `least` and by this many standard errors."""
    first, *others = ranking
    gaps = [(first.win - other.win, hypot(first.error, other.error)) for other in others]
    return all(gap >= least and gap >= errors * error for gap, error in gaps)
