"""Analysis of an exactly solved solitaire game, in actions above the optimum."""

from functools import cache

from souk.analysis.attribution import balances
from souk.analysis.study import ACTIONS_LOST, Step, Study, mark_of
from souk.analysis.win_chances import after_outcome
from souk.bots.bot import Considered
from souk.core.position import Position
from souk.core.record import Record

CERTAIN = (1.0,)
SAME = 1e-9  # smaller differences in expected actions are rounding errors


def analyse_solitaire(record: Record, seed: int) -> Study:
    """Compare every move with the best and every die with its mean.

    What was drawn before the first move is the puzzle, not luck.
    """
    positions = list(record.positions())
    first = next((k for k, pos in enumerate(positions) if pos.actors), len(positions) - 1)
    expected = cache(_expected)
    values = [
        expected(pos) if k >= first else expected(positions[first])
        for k, pos in enumerate(positions)
    ]
    steps = [
        _step(event, positions[k], values[k], values[k + 1])
        for k, event in enumerate(record.events)
    ]
    start, result = (-values[0],), (-values[-1],)
    seats = balances(start, result, steps)
    return Study(str(record), 0, seed, CERTAIN, steps, seats, not record.position.over)


def _expected(pos: Position) -> float:
    """The expected final number of actions with perfect play."""
    if pos.over:
        return float(pos.scores[0])
    if pos.actors:
        return min(score for _, _, score in _solved(pos))
    return sum(
        chance * _expected(after_outcome(pos, outcome)) for outcome, chance in pos.chances().items()
    )


def _solved(pos: Position) -> list[tuple[str, float, float]]:
    moves = pos.game.heuristics.exact_moves(pos)
    if not moves:
        raise ValueError(
            "record: a solitaire game can only be analysed if it is solved exactly; this one is not"
        )
    return moves


def _step(event: tuple[int | None, str], pos: Position, before: float, after: float) -> Step:
    """The cost or gain of an event."""
    seat, text = event
    change = 0.0 if abs(before - after) < SAME else before - after
    if seat is None:
        return Step(None, text, "chance", CERTAIN, CERTAIN, (before - after,), (0.0,))
    solved = _solved(pos)
    considered = [
        Considered(move, float(k == 0), win, score) for k, (move, win, score) in enumerate(solved)
    ]
    loss = max(0.0, -change)
    best = text if loss == 0 else solved[0][0]
    luck, gift = (before - after + loss,), (-loss,)
    mark = mark_of(loss, 0.0, ACTIONS_LOST)
    return Step(
        seat,
        text,
        "move",
        CERTAIN,
        CERTAIN,
        luck,
        gift,
        best,
        {},
        loss,
        0.0,
        mark,
        considered,
        exact=True,
    )
