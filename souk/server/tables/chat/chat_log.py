"""The chat of a table: translated phrases, and free text where allowed."""

from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from souk.core.messages import texts
from souk.server.protocol.table import ChatLine, ChatSettings
from souk.server.storage.connection import Connection
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store

MOST_KEPT = 500  # lines per table: the latest
_MOST_SHOWN = 60  # to a page that opens the table
_PHRASES, _FACES = "talk.phrase.", "talk.face."  # shared by all games


@cache
def phrases_of(game: str) -> tuple[str, ...]:
    """Keys of the phrases and faces for a game's tables; games without own phrases use the shared
    ones.
    """
    own, shared, faces = (
        tuple(key for key in texts("en") if key.startswith(begin))
        for begin in (f"{game}.phrases.", _PHRASES, _FACES)
    )
    return (*(own or shared), *faces)


class ChatRow(NamedTuple):
    """A chat line with its speaker. The name is stored: seats may change hands before a game
    begins.
    """

    number: int
    seat: int
    phrase: str
    text: str
    at: float
    player: bytes | None  # None once forgotten
    name: str  # of the speaker at that time

    @property
    def line(self) -> ChatLine:
        return ChatLine(self.number, self.seat, self.phrase, self.text, self.at, self.name)


class ChatLog:
    """The chat lines of a table, in order."""

    __slots__ = ("free", "lines")

    def __init__(self, free: bool, lines: Iterable[ChatRow] = ()) -> None:
        self.free = free  # whether free text is allowed
        self.lines = list(lines)

    def settings(self, game: str) -> ChatSettings:
        """Chat as sent to a page that opens the table."""
        return ChatSettings(
            self.free, list(phrases_of(game)), [row.line for row in self.lines[-_MOST_SHOWN:]]
        )

    def add(self, row: ChatRow) -> None:
        """Add a stored line."""
        self.lines = [*self.lines[1 - MOST_KEPT :], row]

    def next(self) -> int:
        """The next number; the database rejects duplicates from two servers."""
        return self.lines[-1].number + 1 if self.lines else 0

    def find(self, number: int) -> ChatRow | None:
        return next((row for row in self.lines if row.number == number), None)

    def names_of_others(self, player: bytes) -> list[str]:
        """Names other people have used in this chat."""
        return [row.name for row in self.lines if row.player != player]


async def save_chat(store: Store, table: str, row: ChatRow) -> None:
    """Store a line and trim the chat; WriteFailed or WriteConflict if that fails."""
    insert = """INSERT INTO chat SELECT ?, ?, ?, ?, ?, ?, ?, ?
        WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"""
    values = (table, *row, table)
    trim = 'DELETE FROM chat WHERE "table" = ? AND number <= ?'
    await store.write(
        [
            Statement(insert, values, exactly_one=True),
            Statement(trim, (table, row.number - MOST_KEPT)),
        ],
        table,
    )


async def load_chat(store: Store, table: str) -> list[ChatRow]:
    return await store.query(chat_since, table)


def chat_since(connection: Connection, table: str, after: int = -1) -> list[ChatRow]:
    """Chat lines after number `after`."""
    columns = ", ".join(ChatRow._fields)
    query = f'SELECT {columns} FROM chat WHERE "table" = ? AND number > ? ORDER BY number'
    return [ChatRow(*row) for row in connection.execute(query, (table, after))]
