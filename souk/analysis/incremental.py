"""A game that is being looked back at, as far as that has come: quick first, and then deeper, whatever is most in doubt before the rest."""

import time
from collections.abc import Iterable

from souk.core.record import Record
from souk.study.alone import study_alone
from souk.study.analysing import check, put_together
from souk.study.looking import AsPlayed, Look, Piece, look_at, pieces
from souk.study.study import Step, Study
from souk.study.weighing import Effort, result

_LUCK = 0.1  # how much a die or card is in doubt, for what it brought: nothing says how far off that may be


class Inquiry:
    """Looks that have been taken so far. From them a study can be made at any time: what has not been looked at yet changes nothing in it.

    The first looks are taken from the end: what everybody's chances were follows from what came after, so they are right from there on."""

    def __init__(self, record: Record, seed: int = 0) -> None:
        check(record)
        self.record, self._seed = record, seed
        self.pieces: list[Piece] = pieces(record) if record.start.players > 1 else []
        self._looks: list[list[Look]] = [[AsPlayed()] * len(piece.events) for piece in self.pieces]
        self._playouts = [0] * len(self.pieces)  # with which each was looked at
        self._alone: Study | None = None

    @property
    def of(self) -> int:
        """In how many pieces it is looked at."""
        return len(self.pieces) or 1

    def done(self, playouts: int) -> int:
        """How many of them have been looked at so deeply."""
        return sum(each >= playouts for each in self._playouts) if self.pieces else int(self._alone is not None)

    def is_done(self, playouts: int) -> bool:
        return self.done(playouts) == self.of

    def go_on(self, playouts: int, seconds: float) -> None:
        """Look at what comes next, for about so long: one look at least."""
        end = time.perf_counter() + seconds
        if not self.pieces:
            self._alone = self._alone or study_alone(self.record, self._seed)
            return
        for number in self._order(playouts):
            self._looks[number] = look_at(self.pieces[number], Effort(playouts, self._seed))
            self._playouts[number] = playouts
            if time.perf_counter() >= end:
                return

    def study(self) -> Study:
        """What there is to be said so far."""
        if not self.pieces and self._alone:
            return self._alone
        looks = [look for piece in self._looks for look in piece]
        effort = Effort(min(self._playouts, default=0), self._seed)
        return put_together(self.record, self.pieces, looks, result(self.record.position), effort)

    def unseen(self) -> set[int]:
        """The events that have not been looked at."""
        return {
            piece.first + k
            for piece, playouts in zip(self.pieces, self._playouts, strict=True)
            for k in range(len(piece.events))
            if not playouts
        }

    def _order(self, playouts: int) -> Iterable[int]:
        """What is still to be looked at so deeply, in the order in which it is."""
        due = [number for number, known in enumerate(self._playouts) if known < playouts]
        if not all(self._playouts):
            return [number for number in reversed(due) if not self._playouts[number]]
        steps = self.study().steps
        return sorted(due, key=lambda number: -self._doubt(number, steps))

    def _doubt(self, number: int, steps: list[Step]) -> float:
        piece = self.pieces[number]
        mine = steps[piece.first : piece.first + len(piece.events)]
        return sum(step.error + _LUCK * step.weight for step in mine)
