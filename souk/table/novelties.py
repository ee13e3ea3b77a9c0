"""What another server at the same store has written about a table since it was last read here: looked for in one question, and read where there is any."""

from typing import NamedTuple

from souk.table.database import Line
from souk.table.life_rows import Life, life_of
from souk.table.protocol import Saying
from souk.table.reading import TableReader
from souk.table.sayings import said_since
from souk.table.sealing import Seal
from souk.table.store import CoachNote, DiceStep, EventRow, SeatRow, Store

# One statement, so that all of it is as it was at one moment.
_HOW_FAR = """SELECT rematch, host,
    (SELECT coalesce(max(seq), -1) FROM events WHERE events."table" = id),
    (SELECT count(*) FROM dice WHERE dice."table" = id),
    (SELECT count(*) FROM coaching WHERE coaching."table" = id),
    (SELECT coalesce(max(number), -1) FROM said WHERE said."table" = id),
    (SELECT coalesce(max(version), 0) FROM life WHERE life."table" = id)
    FROM tables WHERE id = ?"""


class Known(NamedTuple):
    """How far a table is known: its last event, how many steps and notes there are, the last that was said, and how often its life was written."""

    seq: int
    steps: int
    notes: int
    said: int
    life: int


class Novelties(NamedTuple):
    """What there is now, and of what is only ever added to, what is new."""

    rematch: str
    host: bytes | None
    seats: list[SeatRow]
    events: list[EventRow]
    steps: list[DiceStep]
    notes: list[CoachNote]
    said: list[Saying]
    life: Life | None  # None where it is as it was known


async def novelties(store: Store, table: str, known: Known) -> Novelties | None:
    """What is new about a table; None where there is none any more."""
    return await store.ask(_novelties, store.seal, table, known)


def _novelties(connection: Line, seal: Seal, table: str, known: Known) -> Novelties | None:
    row = connection.execute(_HOW_FAR, (table,)).fetchone()
    if row is None:
        return None
    rematch, host, now = row[0], row[1], Known(*row[2:])
    reader = TableReader(connection, seal)
    return Novelties(
        rematch,
        bytes(host) if host is not None else None,
        reader.seats(table),
        reader.events(table, known.seq) if now.seq > known.seq else [],
        reader.steps(table)[known.steps :] if now.steps > known.steps else [],
        reader.notes(table)[known.notes :] if now.notes > known.notes else [],
        said_since(connection, table, known.said) if now.said > known.said else [],
        life_of(connection, table) if now.life != known.life else None,
    )
