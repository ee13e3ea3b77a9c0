"""What people say to each other at a table: phrases that everybody reads in their own language, and words of their own where the table has
them."""

from collections.abc import Iterable
from functools import cache

from souk.core.message import texts
from souk.table.database import Line
from souk.table.protocol import Saying, Talking
from souk.table.store import Statement, Store

MOST_KEPT = 500  # of a table: the latest
_MOST_SHOWN = 60  # to whoever opens it
_PHRASES, _FACES = "talk.phrase.", "talk.face."  # the house's own


@cache
def phrases_of(game: str) -> tuple[str, ...]:
    """The keys of all that can be said at a game's tables without typing: the game's own phrases, or else the house's, and faces."""
    own, house, faces = (
        tuple(key for key in texts("en") if key.startswith(begin)) for begin in (f"{game}.phrases.", _PHRASES, _FACES)
    )
    return (*(own or house), *faces)


class TalkLog:
    """What has been said at a table, in order."""

    __slots__ = ("free", "said")

    def __init__(self, free: bool, said: Iterable[Saying] = ()) -> None:
        self.free = free  # whether people may write what they like
        self.said = list(said)

    def told(self, game: str) -> Talking:
        """What everybody who opens the table is told."""
        return Talking(self.free, list(phrases_of(game)), self.said[-_MOST_SHOWN:])

    def take(self, saying: Saying) -> None:
        """Something that is kept."""
        self.said = [*self.said[1 - MOST_KEPT :], saying]

    def next(self) -> int:
        """Numbered, so that two servers cannot both take the same."""
        return self.said[-1].number + 1 if self.said else 0

    def find(self, number: int) -> Saying | None:
        return next((each for each in self.said if each.number == number), None)


async def keep(store: Store, table: str, saying: Saying) -> None:
    """Write down what is to be said; NotKept where it cannot be, or somebody else was first."""
    added = "INSERT INTO said SELECT ?, ?, ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)"
    values = (table, saying.number, saying.seat, saying.phrase, saying.text, saying.at, table)
    fewer = 'DELETE FROM said WHERE "table" = ? AND number <= ?'
    await store.carry_out(
        [Statement(added, values, certain=True), Statement(fewer, (table, saying.number - MOST_KEPT))], table
    )


async def kept(store: Store, table: str) -> list[Saying]:
    return await store.ask(said_since, table)


def said_since(connection: Line, table: str, after: int = -1) -> list[Saying]:
    """What has been said at a table after what is known."""
    asked = 'SELECT number, seat, phrase, text, at FROM said WHERE "table" = ? AND number > ? ORDER BY number'
    return [Saying(*row) for row in connection.execute(asked, (table, after))]
