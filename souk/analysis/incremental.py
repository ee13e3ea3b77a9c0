"""Analysis in steps: all of a game quickly first, then deeper, the most doubtful events first."""

import time
from collections.abc import Iterable

from souk.analysis.analyse import assemble, check
from souk.analysis.events import (
    AnalysisTask,
    EventAnalysis,
    NothingBetter,
    analysis_tasks,
    run_task,
)
from souk.analysis.solitaire import analyse_solitaire
from souk.analysis.study import Step, Study
from souk.analysis.win_chances import Effort, result
from souk.core.record import Record

_LUCK = 0.1  # assumed relative error of the luck of a die or card, which has no standard error


class IncrementalAnalysis:
    """The analysis of a game so far, from which a study can be made at any time.

    Events not analysed yet change nothing in the study. The first pass runs from the end: win
    chances follow from what came after, so they are right from there on.
    """

    def __init__(self, record: Record, seed: int = 0) -> None:
        check(record)
        self.record, self._seed = record, seed
        self.tasks: list[AnalysisTask] = analysis_tasks(record) if record.start.players > 1 else []
        self._analyses: list[list[EventAnalysis]] = [
            [NothingBetter()] * len(task.events) for task in self.tasks
        ]
        self._playouts = [0] * len(self.tasks)  # spent on each task
        self._solitaire: Study | None = None

    @property
    def of(self) -> int:
        """The total number of tasks."""
        return len(self.tasks) or 1

    def done(self, playouts: int) -> int:
        """The number of tasks analysed with at least this many playouts."""
        return (
            sum(spent >= playouts for spent in self._playouts)
            if self.tasks
            else int(self._solitaire is not None)
        )

    def is_done(self, playouts: int) -> bool:
        return self.done(playouts) == self.of

    def go_on(self, playouts: int, seconds: float) -> None:
        """Work for about `seconds`, on one task at least."""
        end = time.perf_counter() + seconds
        if not self.tasks:
            self._solitaire = self._solitaire or analyse_solitaire(self.record, self._seed)
            return
        for number in self._order(playouts):
            self._analyses[number] = run_task(self.tasks[number], Effort(playouts, self._seed))
            self._playouts[number] = playouts
            if time.perf_counter() >= end:
                return

    def study(self) -> Study:
        """The study so far."""
        if not self.tasks and self._solitaire:
            return self._solitaire
        analyses = [analysis for task in self._analyses for analysis in task]
        effort = Effort(min(self._playouts, default=0), self._seed)
        return assemble(self.record, self.tasks, analyses, result(self.record.position), effort)

    def unseen(self) -> set[int]:
        """The events not analysed yet."""
        return {
            task.first + k
            for task, playouts in zip(self.tasks, self._playouts, strict=True)
            for k in range(len(task.events))
            if not playouts
        }

    def _order(self, playouts: int) -> Iterable[int]:
        """The remaining tasks in the order of work."""
        due = [number for number, spent in enumerate(self._playouts) if spent < playouts]
        if not all(self._playouts):
            return [number for number in reversed(due) if not self._playouts[number]]
        steps = self.study().steps
        return sorted(due, key=lambda number: -self._doubt(number, steps))

    def _doubt(self, number: int, steps: list[Step]) -> float:
        task = self.tasks[number]
        mine = steps[task.first : task.first + len(task.events)]
        return sum(step.error + _LUCK * step.weight for step in mine)
