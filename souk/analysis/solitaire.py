"""A game played alone and solved exactly: measured in actions against the best there was."""

from functools import cache

from souk.bots.bot import Considered
from souk.core.position import Position
from souk.core.record import Record
from souk.study.study import ACTIONS_LOST, Step, Study, balances, mark_of
from souk.study.weighing import after_outcome

CERTAIN = (1.0,)
SAME = 1e-9  # expected actions that differ less than this are the same


def study_alone(record: Record, seed: int) -> Study:
    """Every move against the best, every die against its average. What was drawn before the first move is the puzzle, and nobody's luck."""
    positions = list(record.positions())
    first = next((k for k, pos in enumerate(positions) if pos.actors), len(positions) - 1)
    expected = cache(_expected)
    values = [expected(pos) if k >= first else expected(positions[first]) for k, pos in enumerate(positions)]
    steps = [_step(event, positions[k], values[k], values[k + 1]) for k, event in enumerate(record.events)]
    start, result = (-values[0],), (-values[-1],)
    seats = balances(start, result, steps)
    return Study(str(record), 0, seed, CERTAIN, steps, seats, not record.position.over)


def _expected(pos: Position) -> float:
    """The actions a game comes to in the end, if it is played as well as can be."""
    if pos.over:
        return float(pos.scores[0])
    if pos.actors:
        return min(score for _, _, score in _solved(pos))
    return sum(chance * _expected(after_outcome(pos, outcome)) for outcome, chance in pos.chances().items())


def _solved(pos: Position) -> list[tuple[str, float, float]]:
    found = pos.game.insight.solved(pos)
    if not found:
        raise ValueError(
            "record: a game played alone can be looked back at where it is solved exactly, and this one is not"
        )
    return found


def _step(event: tuple[int | None, str], pos: Position, before: float, after: float) -> Step:
    """What an event cost or saved."""
    seat, text = event
    change = 0.0 if abs(before - after) < SAME else before - after
    if seat is None:
        return Step(None, text, "chance", CERTAIN, CERTAIN, (before - after,), (0.0,))
    solved = _solved(pos)
    considered = [Considered(move, float(k == 0), win, score) for k, (move, win, score) in enumerate(solved)]
    loss = max(0.0, -change)
    best = text if loss == 0 else solved[0][0]
    luck, gift = (before - after + loss,), (-loss,)
    mark = mark_of(loss, 0.0, ACTIONS_LOST)
    return Step(seat, text, "move", CERTAIN, CERTAIN, luck, gift, best, {}, loss, 0.0, mark, considered, exact=True)
