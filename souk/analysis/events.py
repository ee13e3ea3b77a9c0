"""Analysis of single events, in independent tasks that can run anywhere and in any order."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from souk.analysis.equilibrium import SecretRound, analyse_round
from souk.analysis.win_chances import (
    FEWEST,
    Advantage,
    Chances,
    Effort,
    advantage,
    after_move,
    after_outcome,
    all_win_chances,
    best_moves,
)
from souk.bots.bot import Considered
from souk.core.position import Position
from souk.core.record import Record


@dataclass(frozen=True)
class NothingBetter:
    """An event without a better alternative: the best move, or a certain outcome."""

    considered: Sequence[Considered] = ()
    exact: bool = False


@dataclass(frozen=True)
class BetterMove:
    """An open move that was not the best."""

    best: str
    advantage: Advantage  # of the best move
    considered: Sequence[Considered]
    exact: bool


@dataclass(frozen=True)
class ChanceEvent:
    """A die or card, and what else could have come up."""

    share: float  # probability of the outcome drawn
    others: Chances  # of the other outcomes, weighted by their probabilities


@dataclass(frozen=True)
class SecretChoice:
    """One of the simultaneous choices of a round."""

    round: SecretRound
    place: int  # index among the choosing seats
    considered: Sequence[Considered]


EventAnalysis = NothingBetter | BetterMove | ChanceEvent | SecretChoice


@dataclass(frozen=True)
class AnalysisTask:
    """The unit of analysis: one event, or all secret choices of a round."""

    first: int  # index of its first event
    position: Position  # before that event
    events: tuple[tuple[int | None, str], ...]
    secret: bool


def analysis_tasks(record: Record) -> list[AnalysisTask]:
    """Split a game into tasks. The choices of an aborted round are not analysed."""
    tasks: list[AnalysisTask] = []
    positions = list(record.positions())
    first = 0
    while first < len(record.events):
        last = first + 1
        secret = record.events[first][0] is not None and len(positions[first].actors) > 1
        while secret and last < len(record.events) and positions[last].has_secrets:
            last += 1
        events = tuple(record.events[first:last])
        tasks.append(AnalysisTask(first, positions[first], events, secret))
        first = last
    return tasks


def run_task(task: AnalysisTask, effort: Effort) -> list[EventAnalysis]:
    """Analyse the events of a task."""
    if task.secret:
        return _analyse_secrets(task, effort)
    seat, text = task.events[0]
    return [
        analyse_outcome(task.position, text, effort)
        if seat is None
        else analyse_move(task.position, seat, text, effort)
    ]


def analyse_outcome(pos: Position, outcome: str, effort: Effort) -> EventAnalysis:
    """Evaluate every outcome that was possible."""
    chances = pos.chances()
    share = chances.pop(outcome)
    if not chances:
        return NothingBetter()
    part = effort.part(1 / len(chances))
    others = all_win_chances([after_outcome(pos, other) for other in chances], part)
    return ChanceEvent(share, np.array(list(chances.values())) @ others)


def analyse_move(pos: Position, seat: int, move: str, effort: Effort) -> EventAnalysis:
    """Find the best move by a search, then compare it with the move made by an independent search.

    The second search avoids overrating the best move: the first one picked it for its luck too.
    """
    if len(pos.move_codes(seat, pos.game.widest)) == 1:
        return NothingBetter(best_moves(pos, seat, Effort(FEWEST, effort.seed)).considered)
    choice = best_moves(pos, seat, effort)
    if choice.move == move:
        return NothingBetter(choice.considered, choice.exact)
    fresh_effort = (
        effort if choice.exact else Effort(max(FEWEST, effort.playouts // 2), effort.seed + 1)
    )
    better = advantage(
        after_move(pos, seat, choice.move), after_move(pos, seat, move), seat, fresh_effort
    )
    return BetterMove(choice.move, better, choice.considered, choice.exact and better.error == 0)


def _analyse_secrets(task: AnalysisTask, effort: Effort) -> list[EventAnalysis]:
    seats = [seat for seat, _ in task.events if seat is not None]
    moves = [text for _, text in task.events]
    secret_round = (
        analyse_round(task.position, seats, moves, effort)
        if len(seats) == len(task.position.actors)
        else None
    )
    if not secret_round:
        return [NothingBetter() for _ in seats]
    return [
        SecretChoice(secret_round, place, _mixed(task.position, secret_round, place, effort))
        for place in range(len(seats))
    ]


def _mixed(
    pos: Position, secret_round: SecretRound, place: int, effort: Effort
) -> list[Considered]:
    """The choices of a seat by share; expected scores come from a short search."""
    searched = best_moves(pos, secret_round.seats[place], effort.part(1 / len(secret_round.seats)))
    scores = {entry.move: entry.score for entry in searched.considered}
    listed = zip(
        secret_round.moves[place],
        secret_round.mixes[place],
        secret_round.values(place),
        strict=True,
    )
    mixed = [
        Considered(move, float(share), win, scores.get(move, 0.0)) for move, share, win in listed
    ]
    return sorted(mixed, key=lambda entry: -entry.share)
