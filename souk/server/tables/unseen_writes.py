"""Reads the rows other processes have written about a table since it was last read here."""

from typing import NamedTuple

from souk.server.storage.connection import Connection
from souk.server.storage.encryption import Cipher
from souk.server.storage.rows import CoachNote, DiceStep, EventRow, SeatRow
from souk.server.storage.store import Store
from souk.server.storage.table_reader import TableReader
from souk.server.tables.chat.chat_log import ChatRow, chat_since
from souk.server.tables.timing.timing_rows import TimingState, read_timing

# one statement, so that all numbers are of the same moment
_LATEST = """SELECT rematch, host,
    (SELECT coalesce(max(seq), -1) FROM events WHERE events."table" = id),
    (SELECT count(*) FROM dice WHERE dice."table" = id),
    (SELECT count(*) FROM coaching WHERE coaching."table" = id),
    (SELECT coalesce(max(number), -1) FROM chat WHERE chat."table" = id),
    (SELECT coalesce(max(version), 0) FROM timing WHERE timing."table" = id)
    FROM tables WHERE id = ?"""


class KnownSequence(NamedTuple):
    """What this server knows of a table: last event and chat line, number of dice steps and notes,
    timing version.
    """

    seq: int
    steps: int
    notes: int
    chat: int
    timing: int


class UnseenWrites(NamedTuple):
    """Current values, and the new rows of append-only tables."""

    rematch: str
    host: bytes | None
    seats: list[SeatRow]
    events: list[EventRow]
    steps: list[DiceStep]
    notes: list[CoachNote]
    chat: list[ChatRow]
    timing: TimingState | None  # None: unchanged


async def read_unseen_writes(store: Store, table: str, known: KnownSequence) -> UnseenWrites | None:
    """Everything new about a table; None if the table is gone."""
    return await store.query(_read_unseen_writes, store.cipher, table, known)


def _read_unseen_writes(
    connection: Connection, seal: Cipher, table: str, known: KnownSequence
) -> UnseenWrites | None:
    row = connection.execute(_LATEST, (table,)).fetchone()
    if row is None:
        return None
    rematch, host, latest = row[0], row[1], KnownSequence(*row[2:])
    reader = TableReader(connection, seal)
    return UnseenWrites(
        rematch,
        bytes(host) if host is not None else None,
        reader.seats(table),
        reader.events(table, known.seq) if latest.seq > known.seq else [],
        reader.steps(table)[known.steps :] if latest.steps > known.steps else [],
        reader.notes(table)[known.notes :] if latest.notes > known.notes else [],
        chat_since(connection, table, known.chat) if latest.chat > known.chat else [],
        read_timing(connection, table) if latest.timing != known.timing else None,
    )
