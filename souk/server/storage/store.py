"""The store: rows of tables, seats and events, its errors, and the interface of both databases.

Implemented by `souk.server.storage.sqlite_store` and `souk.server.storage.postgres_store`.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

import msgspec

from souk.server.common.logs import OperationalFailure
from souk.server.storage.connection import Connection
from souk.server.storage.encryption import Cipher

T = TypeVar("T")
# In a list of changed tables, and as the name of a lock: notices were added
# (`souk.server.storage.maintenance`).
NOTICES = "notices"


class StoreFailure(OperationalFailure):
    """The database is full or unreachable, or another server changed the data first."""


class WriteFailed(StoreFailure):
    """A write failed and was rolled back."""


class WriteConflict(WriteFailed):
    """Another server changed the data first (optimistic concurrency)."""


class Unreachable(WriteFailed):
    """The database does not answer; nothing was written."""


class NotReady(Unreachable):
    """Nothing can be written at present. The reason may be shown to everybody."""


class FilesReplaced(NotReady):
    """The database files on disk are no longer the open ones."""

    def __init__(self) -> None:
        super().__init__(
            "files of the database were deleted or replaced while the server was running: "
            "nothing is saved until it is restarted"
        )


class ReadFailed(StoreFailure):
    """The database did not answer a query."""


class Statement(NamedTuple):
    """An SQL statement to be written.

    `exactly_one`: roll the transaction back unless exactly one row changes. `lock`: wait for other
    transactions with a lock of this name, on all servers. `last`: a row that every server changes;
    executed at the end of a transaction, and only the newest of several with the same text.
    """

    text: str
    values: tuple[Any, ...] = ()
    exactly_one: bool = False
    lock: str = ""
    last: bool = False


def lock_table(table: str) -> Statement:
    """Lock a table's row until the end of the transaction. Fails if the table does not exist."""
    return Statement("UPDATE tables SET game = game WHERE id = ?", (table,), exactly_one=True)


class Profile(NamedTuple):
    """How a person is shown; "" for anything not chosen."""

    name: str = ""
    figure: str = ""
    colour: str = ""


NO_PROFILE = Profile()


class TransactionStep(NamedTuple):
    """A change that depends on rows it reads, run on the writing connection in the transaction."""

    do: Callable[[Connection], None]


Change = Statement | TransactionStep


# Shared by all tables: an empty set each would take as much memory as a seat's row.
NO_SEATS: frozenset[int] = frozenset()


class SeatRow(NamedTuple):
    """A seat. Players and invitations are stored as digests.

    A free seat without an invitation is open to anybody who knows the table's address.
    """

    seat: int
    kind: str  # "person", "bot" or "free"
    name: str
    level: str = ""
    player: bytes | None = None
    invitation: bytes | None = None
    stand_in: str = ""
    # The last event before its person resigned; `stand_in` plays from then on.
    resigned: int | None = None
    # From the person's profile (`souk.server.accounts.profiles`).
    figure: str = ""
    colour: str = ""

    @property
    def is_open(self) -> bool:
        return self.kind == "free" and self.invitation is None


class EventRow(NamedTuple):
    seq: int
    kind: str  # "move", "chance", "back" or "life": see `souk.server.tables.timing.game_status`
    seat: int | None
    text: str
    told: bytes  # its words, as JSON
    secret: bool = False  # a choice that was unrevealed when made, or its take-back


class PublicEvent(msgspec.Struct, array_like=True):
    """An event that everybody may see."""

    seq: int
    kind: str
    seat: int | None
    text: str
    told: msgspec.Raw

    def row(self) -> EventRow:
        return EventRow(self.seq, self.kind, self.seat, self.text, bytes(self.told))


class Snapshot(NamedTuple):
    """A packed game after an event (`souk.server.tables.game.snapshots`)."""

    seq: int
    rules: int  # the version of the rules
    content: bytes


class DiceStep(NamedTuple):
    """A step of the commit-reveal protocol (`souk.server.dice.commitments`)."""

    step: int  # from 0: a primary key, so only one server can write each
    kind: str
    seat: int = -1
    value: str = ""


class CoachNote(NamedTuple):
    """A request to the coach, or consent to it (`souk.server.tables.coach.coach`)."""

    number: int  # from 0: a primary key, so only one server can write each
    kind: str  # "hint", "warning", "agrees" or "disagrees"
    seat: int
    after: int  # the last event before it


class Standing(NamedTuple):
    """The state of a game as lists of tables show it."""

    over: bool
    actors: Sequence[int]
    scores: Sequence[int]
    winners: Sequence[int]


class TableRow(NamedTuple):
    id: str
    game: str
    rules: int  # the version of the rules
    players: int
    options: dict[str, Any]
    seed: bytes
    digest: str
    created: float
    changed: float
    standing: Standing
    rematch: str = ""
    seen: float = 0.0  # last opened, to the day
    # Its start position, unless it is the game's own (`souk.server.tables.setup.branches`).
    opening: str = ""
    host: bytes | None = None
    fill: str = ""  # level of the bots that take open seats
    free_talk: bool = False  # whether people may write what they like
    rated: bool = False  # see `souk.server.tables.game.rated_rules`
    public: bool = False  # listed in the lobby: see `souk.server.lobby.public_board`


TableWithSeats = tuple[TableRow, list[SeatRow]]


class TableVersion(NamedTuple):
    """A position in the list of a player's tables, to continue from."""

    over: bool
    changed: float
    table: str


class Store(Protocol):
    """Writes return once they are on disk, and raise `WriteFailed` otherwise."""

    cipher: Cipher

    async def add_table(
        self,
        table: TableRow,
        seats: Sequence[SeatRow],
        events: Sequence[EventRow],
        after: str = "",
        steps: Sequence[DiceStep] = (),
        also: Sequence[Statement] = (),
    ) -> None:
        """Add a table.

        Args:
            after: the table that this one is a rematch of; WriteConflict if it has one already.
            also: further statements for the same transaction, here and below.
        """
        ...

    async def add_events(
        self,
        table: str,
        events: Sequence[EventRow],
        standing: Standing,
        snapshot: Snapshot | None = None,
        steps: Sequence[DiceStep] = (),
        also: Sequence[Change] = (),
    ) -> None: ...

    async def add_steps(self, table: str, steps: Sequence[DiceStep]) -> None: ...

    async def add_note(self, table: str, note: CoachNote) -> None: ...

    async def notes(self, table: str) -> list[CoachNote]: ...

    async def save_snapshot(self, table: str, snapshot: Snapshot) -> None: ...

    async def snapshot(self, table: str) -> Snapshot | None:
        """The last snapshot, or None if there is none or it is damaged."""
        ...

    async def change_seats(
        self,
        table: str,
        changes: Sequence[tuple[SeatRow, SeatRow]],
        steps: Sequence[DiceStep] = (),
        also: Sequence[Statement] = (),
    ) -> None:
        """Replace seats (old, new), all or none; WriteConflict if an old one is out of date."""
        ...

    async def mark_seen(self, table: str) -> None:
        """Note that a table was opened; WriteConflict if it no longer exists."""
        ...

    async def size(self) -> int:
        """Bytes in use."""
        ...

    async def shrink(self) -> bool:
        """Give some free space back to the disk; returns whether there is more."""
        ...

    async def write(self, statements: Sequence[Statement], table: str = "") -> None:
        """Execute statements in one transaction.

        Args:
            table: the table they change, if others may have it open.
        """
        ...

    async def query(self, question: Callable[..., T], *arguments: Any) -> T:
        """Call a function with a connection for reading; ReadFailed if the database is away."""
        ...

    async def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None: ...

    async def events(self, table: str, after: int = -1) -> list[EventRow]: ...

    async def steps(self, table: str) -> list[DiceStep]: ...

    async def tables_of(
        self, player: bytes, most: int, after: TableVersion | None = None
    ) -> list[TableWithSeats]:
        """A player's tables: running ones, then finished ones, each latest first."""
        ...

    async def check_health(self) -> None:
        """Write and read something; raises NotReady or another StoreFailure."""
        ...

    async def close(self) -> None: ...
