"""What is kept of a table's coach: who has agreed to it, and what it has told."""

from collections.abc import Iterable, Sequence

from souk.table import fates
from souk.table.protocol import Coaching
from souk.table.store import NO_SEATS, CoachNote, EventRow, SeatRow

_GIVEN = ("hint", "warning")  # kinds of notes that are of something that was told


class CoachLog:
    """What is known of a table's coach: all its notes."""

    __slots__ = ("agreed", "given", "notes")

    def __init__(self, notes: Iterable[CoachNote] = ()) -> None:
        self.notes: list[CoachNote] = []
        self.agreed = NO_SEATS
        self.given: list[CoachNote] = []
        for note in notes:
            self.take(note)

    def take(self, note: CoachNote) -> None:
        """A note that is kept."""
        self.notes.append(note)
        if note.kind in _GIVEN:
            self.given.append(note)
        elif note.kind == "agrees":
            self.agreed |= {note.seat}
        else:
            self.agreed -= {note.seat}

    def told(self, seats: Sequence[SeatRow]) -> Coaching:
        """What everybody at the table is told."""
        persons = [row.seat for row in seats if row.kind != "bot" and row.resigned is None]
        agreed = [seat for seat in persons if seat in self.agreed]
        hints = [sum(note.seat == row.seat for note in self.given) for row in seats]
        return Coaching(len(persons) == 1 or agreed == persons, persons, agreed, hints)


def coached_steps(rows: Sequence[EventRow], notes: Iterable[CoachNote]) -> tuple[int, ...]:
    """Of the events that stand, the numbers of the moves that a note is about: the next of its seat, also where an earlier one was taken back."""
    left = [note for note in notes if note.kind in _GIVEN]
    found: list[list[CoachNote]] = []
    for row in rows:
        if row.kind == "back":
            left += found.pop()
            continue
        if row.kind == fates.KIND:
            continue
        about = [note for note in left if row.seat == note.seat and note.after < row.seq]
        left = [note for note in left if note not in about]
        found.append(about)
    return tuple(number for number, about in enumerate(found) if about)
