"""A table's game as a record, as far as it may be known."""

import time
from collections.abc import Sequence
from typing import Any, NamedTuple

from souk.core.game import Game
from souk.core.record import Record
from souk.table.protocol import DicePromise
from souk.table.store import EventRow
from souk.table.table import Table


class OnDisk(NamedTuple):
    """What is on disk of a table, at one moment."""

    game: Game
    options: dict[str, Any]
    date: str  # on which it was begun
    names: list[str]
    dice: DicePromise
    events: Sequence[EventRow]
    hidden: int  # how many of the last moves are choices that are not revealed

    @classmethod
    def of(cls, table: Table, rows: Sequence[EventRow]) -> "OnDisk":
        """The caller holds the lock, under which `rows` were read."""
        names = [seat.name or f"Seat {seat.seat + 1}" for seat in table.seats]
        known = rows[: table.course.seq + 1]  # another server at the same file may be ahead
        date = time.strftime("%Y-%m-%d", time.localtime(table.created))
        return cls(table.position.game, table.options, date, names, table.dice(), known, table.course.hidden)


def record_of(found: OnDisk) -> Record:
    """What has happened, without what was taken back and without choices that are not revealed."""
    events: list[tuple[int | None, str]] = []
    for row in found.events:
        if row.kind == "back":
            events.pop()
        else:
            events.append((row.seat, row.text))
    del events[len(events) - found.hidden :]
    record = Record(found.game, len(found.names), names=found.names, date=found.date, **found.options)
    record.dice = found.dice.digest, found.dice.seed
    for seat, text in events:
        if seat is None:
            record.resolve(text)
        else:
            record.play(seat, text)
    return record
