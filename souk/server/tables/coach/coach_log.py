"""The coach's notes at a table: who agreed to it, and the advice given."""

from collections.abc import Iterable, Sequence

from souk.server.protocol.table import Coaching
from souk.server.storage.rows import NO_SEATS, CoachNote, EventRow, SeatRow
from souk.server.tables.timing import game_status as game_status

_GIVEN = ("hint", "warning")  # notes of advice given


class CoachLog:
    """All coach notes of a table."""

    __slots__ = ("agreed", "given", "notes")

    def __init__(self, notes: Iterable[CoachNote] = ()) -> None:
        self.notes: list[CoachNote] = []
        self.agreed = NO_SEATS
        self.given: list[CoachNote] = []
        for note in notes:
            self.add(note)

    def add(self, note: CoachNote) -> None:
        """Add a stored note."""
        self.notes.append(note)
        if note.kind in _GIVEN:
            self.given.append(note)
        elif note.kind == "agrees":
            self.agreed |= {note.seat}
        else:
            self.agreed -= {note.seat}

    def status(self, seats: Sequence[SeatRow]) -> Coaching:
        """The coach's status for everybody."""
        persons = [row.seat for row in seats if row.kind != "bot" and row.resigned is None]
        agreed = [seat for seat in persons if seat in self.agreed]
        hints = [sum(note.seat == row.seat for note in self.given) for row in seats]
        return Coaching(len(persons) == 1 or agreed == persons, persons, agreed, hints)


def coached_steps(rows: Sequence[EventRow], notes: Iterable[CoachNote]) -> tuple[int, ...]:
    """Indices of moves the coach advised on, among events that stand: the next move after each
    note, even if an earlier one was taken back.
    """
    open_notes = [note for note in notes if note.kind in _GIVEN]
    notes_by_step: list[list[CoachNote]] = []
    for row in rows:
        if row.kind == "back":
            open_notes += notes_by_step.pop()
            continue
        if row.kind == game_status.KIND:
            continue
        about = [note for note in open_notes if row.seat == note.seat and note.after < row.seq]
        open_notes = [note for note in open_notes if note not in about]
        notes_by_step.append(about)
    return tuple(number for number, about in enumerate(notes_by_step) if about)
