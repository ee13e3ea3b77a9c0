"""Rows of tables, seats and events, and statements that change them."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from souk.server.storage.connection import Connection

# In a list of changed tables, and as the name of a lock: notices were added
# (`souk.server.storage.maintenance`).
NOTICES = "notices"


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


def update_seat(table: str, old: SeatRow, new: SeatRow) -> Statement:
    """Replace a seat unless another server has changed it since `old` was read."""
    fields = SeatRow._fields[1:]
    assignments = ", ".join(f"{field} = ?" for field in fields)
    unchanged = " AND ".join(f"{field} IS ?" for field in fields)
    update = f'UPDATE seats SET {assignments} WHERE "table" = ? AND seat = ? AND {unchanged}'
    return Statement(update, (*new[1:], table, new.seat, *old[1:]), exactly_one=True)


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
