"""A table's game as a record, as far as it may be known."""

from collections.abc import Callable, Sequence
from typing import NamedTuple

from souk.core.facts import Tell
from souk.core.position import Position
from souk.core.record import DiceShares, Record
from souk.table.coach_notes import coached_steps
from souk.table.fates import Fate
from souk.table.protocol import DicePromise, Draw
from souk.table.relics import date_of, names_of, resigned_after, resigned_of, what_stands
from souk.table.store import CoachNote, EventRow
from souk.table.table import Table

Drawn = tuple[str, int, int, int]  # what came up, and which numbers give it: see `Position.slice_of`


class OnDisk(NamedTuple):
    """What is on disk of a table, at one moment."""

    start: Position
    date: str  # on which it was begun
    names: list[str]
    dice: DicePromise
    shares: DiceShares | None
    events: Sequence[EventRow]
    hidden: int  # how many of the last moves are choices that are not revealed
    notes: Sequence[CoachNote]
    resigned: dict[int, int]  # by seat: the last event before its person did
    fate: Fate = Fate()

    @classmethod
    def of(cls, table: Table, rows: Sequence[EventRow]) -> "OnDisk":
        """The caller holds the lock, under which `rows` were read."""
        known = rows[: table.course.seq + 1]  # another server at the same file may be ahead
        names, date = names_of(table.seats), date_of(table.created)
        shares = table.shares.for_record(table.over)
        notes, resigned, course = tuple(table.coach.notes), resigned_of(table.seats), table.course
        return cls(table.start, date, names, table.dice(), shares, known, course.hidden, notes, resigned, course.fate)


def draws_of(found: OnDisk, drawn: Sequence[Drawn]) -> list[Draw]:
    """What came up, and which numbers would give it: so that a page can check it without knowing the rules."""
    numbers = [row.seq for row in found.events if row.kind == "chance"]
    return [Draw(seq, *each) for seq, each in zip(numbers, drawn, strict=True)]


def record_of(found: OnDisk, tell: Tell | None = None, draws: Callable[[Drawn], object] | None = None) -> Record:
    """What has happened, without what was taken back and without choices that are not revealed. `tell` is told the facts on the way, and `draws` what came
    up: to go through a game takes long enough to do it once."""
    events = what_stands(found.events)
    del events[len(events) - found.hidden :]
    record = Record(found.start.game, names=found.names, date=found.date, start=found.start)
    record.dice, record.shares = (found.dice.digest, found.dice.seed), found.shares
    record.lost, record.ended = tuple(sorted(found.fate.lost)), found.fate.ended
    for seat, text in events:
        if seat is not None:
            record.play(seat, text, tell)
            continue
        if draws:
            draws((text, *record.slice_of(text)))
        record.resolve(text, tell)
    record.coached = tuple(number for number in coached_steps(found.events, found.notes) if number < len(events))
    record.resigned = resigned_after(found.events, found.resigned, len(events))
    return record
