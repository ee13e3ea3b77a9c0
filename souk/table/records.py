"""A table's game as a record, as far as it may be known."""

from collections.abc import Sequence

from souk.core.record import Record
from souk.table.store import EventRow
from souk.table.table import Table


def record_of(table: Table, rows: Sequence[EventRow]) -> Record:
    """What has happened, without what was taken back and without choices that are not revealed."""
    kept: list[tuple[int | None, str]] = []
    for row in rows[: table.course.seq + 1]:
        if row.kind == "back":
            kept.pop()
        else:
            kept.append((row.seat, row.text))
    del kept[len(kept) - table.course.hidden :]
    position = table.position
    names = [seat.name or f"Seat {seat.seat + 1}" for seat in table.seats]
    record = Record(position.game, position.players, names=names, **table.options)
    dice = table.dice()
    record.dice = dice.digest, dice.seed
    for seat, text in kept:
        if seat is None:
            record.resolve(text)
        else:
            record.play(seat, text)
    return record
