"""What is kept of tables, and all that is asked of a store: tables, seats and events. `souk.table.sqlite` answers it, and `souk.table.postgres`."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar

from souk.table.database import Line
from souk.table.sealing import Seal

T = TypeVar("T")


class NotKept(Exception):
    """A write that failed: nothing of it was kept."""


class Overtaken(NotKept):
    """Another server at the same store was first: what was to be changed is no longer what it was."""


class Unreachable(NotKept):
    """The database does not answer: nothing of it was written."""


class Unanswered(Exception):
    """A question that the database did not answer."""


class Statement(NamedTuple):
    """One change. `certain`: it must change exactly one row, else nothing that was to be written with it is. `turn`: whoever changes something of this
    name waits until others who do have finished, also at other servers. `late`: it concerns the whole house, so many would wait for it: it is done last,
    and of several alike the newest."""

    text: str
    values: tuple[Any, ...] = ()
    certain: bool = False
    turn: str = ""
    late: bool = False


def holding(table: str) -> Statement:
    """A table is there, and nobody else who holds it is before or beside us until this is written."""
    return Statement("UPDATE tables SET game = game WHERE id = ?", (table,), certain=True)


class Face(NamedTuple):
    """How somebody is shown; "" for whatever they have not chosen."""

    name: str = ""
    figure: str = ""
    colour: str = ""


NOBODY_YET = Face()


class Deed(NamedTuple):
    """A change that depends on what is there when it is made: done in the same transaction, with the connection that writes."""

    do: Callable[[Line], None]


Change = Statement | Deed


NO_SEATS: frozenset[int] = frozenset()  # one for all tables: each of its own would take as much memory as a seat's row


class SeatRow(NamedTuple):
    """A seat. Of a player and of an invitation only the digests are kept. A free one without an invitation is open to anybody who has the
    table's address."""

    seat: int
    kind: str  # "person", "bot" or "free"
    name: str
    level: str = ""
    player: bytes | None = None
    invitation: bytes | None = None
    stand_in: str = ""
    resigned: int | None = None  # the last event before its person resigned: from then on `stand_in` plays
    figure: str = ""  # that its person has chosen, and their colour: see `souk.table.people`
    colour: str = ""

    @property
    def is_open(self) -> bool:
        return self.kind == "free" and self.invitation is None


class EventRow(NamedTuple):
    seq: int
    kind: str  # "move", "chance", "back" or "life": see `souk.table.fates`
    seat: int | None
    text: str
    told: bytes  # JSON; empty where it is still to be put into words
    secret: bool = False  # a choice that was not revealed when it was made, or its taking back


class Snapshot(NamedTuple):
    """A game as it was after an event, packed: see `souk.table.snapshots`."""

    seq: int
    rules: int  # the version by which it was played
    content: bytes


class DiceStep(NamedTuple):
    """Something that was done so that a table's dice can be trusted (see `souk.table.shares`)."""

    step: int  # numbered from 0, so that two servers cannot both take the same
    kind: str
    seat: int = -1
    value: str = ""


class CoachNote(NamedTuple):
    """Something about the coach of a table (see `souk.table.coaching`)."""

    number: int  # from 0, so that two servers cannot both take the same
    kind: str  # "hint", "warning", "agrees" or "disagrees"
    seat: int
    after: int  # the last event before it


class Standing(NamedTuple):
    """What the lobby says about a table."""

    over: bool
    actors: Sequence[int]
    scores: Sequence[int]
    winners: Sequence[int]


class TableRow(NamedTuple):
    id: str
    game: str
    rules: int  # the version of the rules it is played by
    players: int
    options: dict[str, Any]
    seed: bytes
    digest: str
    created: float
    changed: float
    standing: Standing
    rematch: str = ""
    seen: float = 0.0  # when somebody last opened it, to the day
    opening: str = ""  # where it begins, if not as its game does: see `souk.table.branches`
    host: bytes | None = None  # whoever made it
    fill: str = ""  # the level of bots that take open seats which nobody took
    free_talk: bool = False  # whether people may write what they like to each other
    rated: bool = False  # whether it counts for ratings: see `souk.table.rated`
    public: bool = False  # whether everybody in the lobby sees it: see `souk.table.board`


OfTable = tuple[TableRow, list[SeatRow]]


class Bookmark(NamedTuple):
    """How far a list of tables has been read: the last that was shown."""

    over: bool
    changed: float
    table: str


class Store(Protocol):
    """All that is asked of a store."""

    seal: Seal  # for what is to be kept sealed besides

    async def add_table(
        self,
        table: TableRow,
        seats: Sequence[SeatRow],
        events: Sequence[EventRow],
        after: str = "",
        steps: Sequence[DiceStep] = (),
        also: Sequence[Statement] = (),
    ) -> None:
        """Keep a new table. `after`: that where the same people have played before; Overtaken where they go on at another already. `also`: what
        is to be written together with it, as in the others."""
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

    async def keep_snapshot(self, table: str, snapshot: Snapshot) -> None: ...

    async def snapshot(self, table: str) -> Snapshot | None:
        """The last that was kept, where it is not damaged."""
        ...

    async def retell(self, table: str, events: Sequence[EventRow]) -> None:
        """Keep events in other words."""
        ...

    async def change_seats(
        self,
        table: str,
        changes: Sequence[tuple[SeatRow, SeatRow]],
        steps: Sequence[DiceStep] = (),
        also: Sequence[Statement] = (),
    ) -> None:
        """Change seats from what they were known to be, all or none; Overtaken where one is no longer so."""
        ...

    async def saw(self, table: str) -> None:
        """Somebody is at a table; Overtaken where it is no longer there."""
        ...

    async def size(self) -> int:
        """Bytes in use."""
        ...

    async def shrink(self) -> bool:
        """Give a little of the room that is free back to the disk; whether there is more."""
        ...

    async def carry_out(self, chore: Sequence[Statement], table: str = "") -> None:
        """What `souk.table.chores` asks for. `table`: the one that it is about, if it is about one that others may have open."""
        ...

    async def ask(self, question: Callable[..., T], *arguments: Any) -> T:
        """A question of `souk.table.chores`, which is given a connection; Unanswered where the database does not answer it."""
        ...

    async def table(self, table: str) -> tuple[TableRow, list[SeatRow]] | None: ...

    async def events(self, table: str, after: int = -1) -> list[EventRow]: ...

    async def lacks_words(self, table: str) -> bool:
        """Whether its events are still to be put into words: then none of them has any."""
        ...

    async def steps(self, table: str) -> list[DiceStep]: ...

    async def tables_of(self, player: bytes, most: int, after: Bookmark | None = None) -> list[OfTable]:
        """Somebody's tables: those that go on, then those that are over, the latest first; from there on where a list was left."""
        ...

    async def try_out(self) -> None:
        """Write and read something; NotKept says why that cannot be."""
        ...

    async def close(self) -> None: ...
