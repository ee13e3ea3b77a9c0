"""What is kept of evenings: the evening itself, who takes part, and the tables of its rounds. Everything that is said of one is in these rows.

Every change counts the evening's version up from what was known, so of two servers one is first; and the tables of a round are named before they are
made, so none is made twice.
"""

import contextlib
import time
from asyncio import Lock
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import msgspec

from souk.table.database import Line, marks
from souk.table.evening_protocol import EveningState, EveningTerms, Outcome
from souk.table.pairing import Party
from souk.table.refusals import Refuse
from souk.table.store import NotKept, Overtaken, Statement, Store

HOSTED = b"evening "  # in the place of a table's host: then its evening follows, and nobody is known by that
_TRIES = 5

SCHEMA = """
CREATE TABLE evenings (
    id TEXT PRIMARY KEY, name TEXT NOT NULL, host BLOB, key BLOB, terms TEXT NOT NULL, state TEXT NOT NULL, round INTEGER NOT NULL,
    rounds INTEGER NOT NULL, began REAL, due REAL, seed BLOB NOT NULL, created REAL NOT NULL, changed REAL NOT NULL, version INTEGER NOT NULL
) WITHOUT ROWID;
CREATE INDEX evenings_of_host ON evenings (host) WHERE host IS NOT NULL;
CREATE TABLE entrants (
    evening TEXT NOT NULL, number INTEGER NOT NULL, name TEXT NOT NULL, player BLOB, level TEXT NOT NULL, since INTEGER NOT NULL,
    until INTEGER, removed INTEGER NOT NULL, PRIMARY KEY (evening, number)
) WITHOUT ROWID;
CREATE UNIQUE INDEX entrants_of_player ON entrants (player, evening) WHERE player IS NOT NULL;
CREATE TABLE sittings (
    evening TEXT NOT NULL, round INTEGER NOT NULL, number INTEGER NOT NULL, "table" TEXT NOT NULL, game TEXT NOT NULL, seats TEXT NOT NULL,
    made INTEGER NOT NULL, late INTEGER NOT NULL, result TEXT NOT NULL, PRIMARY KEY (evening, round, number)
) WITHOUT ROWID;
CREATE INDEX sittings_unfinished ON sittings (evening) WHERE result = ''
"""


class EntrantRow(NamedTuple):
    """Somebody who takes part: a person, or a bot of a level."""

    number: int
    name: str
    player: bytes | None
    level: str
    since: int = 1  # the first round
    until: int | None = None  # the first round without them
    removed: bool = False  # by the host: then they cannot come again

    def plays_in(self, turn: int) -> bool:
        return self.since <= turn and (self.until is None or turn < self.until)


class Ranking(msgspec.Struct, frozen=True):
    """What came of a table: by seat, ranks from 1 and scores."""

    outcome: Outcome
    ranks: list[int]
    scores: list[int]


class SittingRow(NamedTuple):
    """A table of a round. `made`: it has been laid out; `late`: it was begun without those who had not come."""

    round: int
    number: int
    table: str
    game: str
    seats: tuple[int, ...]
    made: bool = False
    late: bool = False
    verdict: Ranking | None = None


class EveningRow(NamedTuple):
    """An evening, with all that belongs to it. `due`, by the time of the house: while a round is played, when it is ended; between rounds, when the
    next begins."""

    id: str
    name: str
    host: bytes | None
    key: bytes | None  # the digest of the secret by which one becomes the host
    terms: EveningTerms
    state: EveningState
    round: int
    rounds: int
    began: float | None
    due: float | None
    seed: bytes
    created: float
    changed: float
    version: int
    entrants: tuple[EntrantRow, ...] = ()
    sittings: tuple[SittingRow, ...] = ()

    @property
    def active(self) -> list[EntrantRow]:
        """Those who take part in the round that comes next, as far as they are known by now."""
        return [each for each in self.entrants if each.plays_in(self.round + 1)]

    def of_round(self, turn: int) -> list[SittingRow]:
        return [each for each in self.sittings if each.round == turn]

    @property
    def unfinished(self) -> list[SittingRow]:
        return [each for each in self.sittings if each.verdict is None]

    def entrant_of(self, player: bytes | None) -> EntrantRow | None:
        return next((each for each in self.entrants if player is not None and each.player == player), None)


_encode = msgspec.json.Encoder().encode
_read_terms = msgspec.json.Decoder(EveningTerms).decode
_read_verdict = msgspec.json.Decoder(Ranking).decode
_read_seats = msgspec.json.Decoder(tuple[int, ...]).decode

# ---------------------------------------------------------------- changes


def adding(evening: EveningRow) -> list[Statement]:
    """A new evening."""
    row = (*evening[:4], _encode(evening.terms).decode(), *evening[5:14])
    return [
        Statement(f"INSERT INTO evenings VALUES ({marks(14)})", row),
        *(entering(evening.id, each) for each in evening.entrants),
    ]


def entering(evening: str, entrant: EntrantRow) -> Statement:
    """Somebody takes part, or does so in another way than before."""
    changed = ", ".join(f"{field} = excluded.{field}" for field in EntrantRow._fields[1:])
    entered = f"INSERT INTO entrants VALUES ({marks(8)}) ON CONFLICT (evening, number) DO UPDATE SET {changed}"
    return Statement(entered, (evening, *entrant))


def going(evening: str, number: int) -> Statement:
    """Somebody was never there."""
    return Statement("DELETE FROM entrants WHERE evening = ? AND number = ?", (evening, number))


def drawing(evening: str, sitting: SittingRow) -> Statement:
    """A table is to be made."""
    verdict = _encode(sitting.verdict).decode() if sitting.verdict else ""
    row = (evening, *sitting[:4], _encode(sitting.seats).decode(), sitting.made, sitting.late, verdict)
    return Statement(f"INSERT INTO sittings VALUES ({marks(9)})", row)


def making(evening: str, sitting: SittingRow) -> Statement:
    """A table is made: written together with it, so that it is made once."""
    change = "UPDATE sittings SET made = TRUE WHERE evening = ? AND round = ? AND number = ? AND NOT made"
    return Statement(change, (evening, sitting.round, sitting.number), certain=True)


def not_waiting(evening: str, sitting: SittingRow) -> Statement:
    """A table waits no longer for those who have not come."""
    change = "UPDATE sittings SET late = TRUE WHERE evening = ? AND round = ? AND number = ?"
    return Statement(change, (evening, sitting.round, sitting.number))


def judging(evening: str, sitting: SittingRow, verdict: Ranking) -> Statement:
    """What came of a table."""
    change = "UPDATE sittings SET result = ? WHERE evening = ? AND round = ? AND number = ? AND result = ''"
    return Statement(change, (_encode(verdict).decode(), evening, sitting.round, sitting.number), certain=True)


def changing(known: EveningRow, new: EveningRow) -> Statement:
    """An evening is no longer as it was known: Overtaken where somebody else has changed it since."""
    change = """UPDATE evenings SET name = ?, host = ?, state = ?, round = ?, rounds = ?, began = ?, due = ?, changed = ?, version = version + 1
        WHERE id = ? AND version = ?"""
    values = (
        new.name,
        new.host,
        new.state,
        new.round,
        new.rounds,
        new.began,
        new.due,
        time.time(),
        known.id,
        known.version,
    )
    return Statement(change, values, certain=True)


def deleting(evening: str) -> list[Statement]:
    """An evening is deleted; its tables stay."""
    parts = [Statement(f"DELETE FROM {part} WHERE evening = ?", (evening,)) for part in ("entrants", "sittings")]
    return [Statement("DELETE FROM evenings WHERE id = ?", (evening,), certain=True), *parts]


def outdating_evenings(over_before: float | None, open_before: float | None) -> list[Statement]:
    """Evenings that ended before a time, or at which nothing has happened since another, are deleted."""
    limits = [("state = 'over'", over_before), ("state != 'over'", open_before)]
    found = [
        Statement(f"DELETE FROM evenings WHERE {which} AND changed < ?", (before,))
        for which, before in limits
        if before is not None
    ]
    parts = [
        Statement(f"DELETE FROM {part} WHERE evening NOT IN (SELECT id FROM evenings)")
        for part in ("entrants", "sittings")
    ]
    return [*found, *parts] if found else []


def forgetting_entrant(player: bytes, nameless: str) -> list[Statement]:
    """Somebody who is forgotten takes part no longer, without a name and without what they are known by; what they hosted has no host."""
    mine = "SELECT evening FROM entrants WHERE player = ?"
    return [
        Statement(f"UPDATE evenings SET version = version + 1 WHERE host = ? OR id IN ({mine})", (player, player)),
        Statement("UPDATE evenings SET host = NULL WHERE host = ?", (player,)),
        Statement(
            """UPDATE entrants SET name = ?, player = NULL, removed = TRUE,
            until = coalesce(until, (SELECT round + 1 FROM evenings WHERE id = evening)) WHERE player = ?""",
            (nameless, player),
        ),
    ]


# ---------------------------------------------------------------- questions


def read_evening(connection: Line, evening: str) -> EveningRow | None:
    row = connection.execute("SELECT * FROM evenings WHERE id = ?", (evening,)).fetchone()
    if row is None:
        return None
    asked = "SELECT number, name, player, level, since, until, removed FROM entrants WHERE evening = ? ORDER BY number"
    entrants = tuple(
        EntrantRow._make([*each[:6], bool(each[6])]) for each in connection.execute(asked, (evening,)).fetchall()
    )
    asked = 'SELECT round, number, "table", game, seats, made, late, result FROM sittings WHERE evening = ? ORDER BY round, number'
    sittings = tuple(map(_sitting, connection.execute(asked, (evening,)).fetchall()))
    return EveningRow._make([*row[:4], _read_terms(row[4]), *row[5:], entrants, sittings])


def _sitting(row: Sequence[Any]) -> SittingRow:
    verdict = _read_verdict(row[7]) if row[7] else None
    return SittingRow._make([*row[:4], _read_seats(row[4]), bool(row[5]), bool(row[6]), verdict])


def evenings_of(connection: Line, player: bytes, most: int) -> list[tuple[str, str, EveningState, int, bool]]:
    """Those that somebody hosts or takes part in, the latest first: id, name, state, round, and whether they host it."""
    asked = """SELECT id, name, state, round, host IS ? FROM evenings WHERE host = ?
        OR id IN (SELECT evening FROM entrants WHERE player = ? AND NOT removed) ORDER BY created DESC LIMIT ?"""
    return [(*row[:4], bool(row[4])) for row in connection.execute(asked, (player, player, player, most))]


def hosted_by(connection: Line, player: bytes) -> int:
    """How many of somebody's evenings are not over."""
    [(found,)] = connection.execute("SELECT count(*) FROM evenings WHERE host = ? AND state != 'over'", (player,))
    return int(found)


def wanting(connection: Line, now: float, wait: float) -> list[str]:
    """Evenings at which something is to be done: tables to be made, to be begun or to be counted, a round or a pause that is through."""
    asked = """SELECT evening FROM sittings JOIN evenings ON evenings.id = evening LEFT JOIN tables ON tables.id = "table"
            WHERE result = '' AND (NOT made OR tables.id IS NULL OR over OR (NOT late AND began + :wait <= :now))
        UNION SELECT id FROM evenings WHERE state IN ('playing', 'between') AND due <= :now
        UNION SELECT id FROM evenings WHERE state = 'playing' AND id NOT IN (SELECT evening FROM sittings WHERE result = '')"""
    return [row[0] for row in connection.execute(asked, {"now": now, "wait": wait})]


def being_played(connection: Line) -> list[str]:
    return [row[0] for row in connection.execute("SELECT id FROM evenings WHERE state = 'playing'")]


def versions(connection: Line, evenings: Sequence[str]) -> dict[str, int]:
    """How often each has been changed; those that are gone are missing."""
    asked = f"SELECT id, version FROM evenings WHERE id IN ({marks(len(evenings))})"
    return dict(connection.execute(asked, tuple(evenings)).fetchall())


class EveningShelf:
    """Reads evenings, and changes them one after the other. `changed` is told of each."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._locks: defaultdict[str, Lock] = defaultdict(Lock)
        self.changed: Callable[[str], None] = lambda _evening: None

    async def find(self, evening: str) -> EveningRow:
        found = await self._store.ask(read_evening, evening)
        if found is None:
            raise Refuse("evening_unknown", 404)
        return found

    async def change(self, evening: str, work: Callable[[EveningRow], Sequence[Statement]]) -> EveningRow:
        """Carry out what `work` finds is to be done, and return the evening as it is then. Where somebody else was first it is asked again."""
        await self.find(evening)  # so that nobody has locks made for what there is not
        async with self._locks[evening]:
            for _ in range(_TRIES):
                with contextlib.suppress(Overtaken):
                    return await self._try(evening, work)
        raise Refuse("not_kept", 503)

    async def _try(self, evening: str, work: Callable[[EveningRow], Sequence[Statement]]) -> EveningRow:
        known = await self.find(evening)
        statements = work(known)
        if not statements:
            return known
        try:
            await self._store.carry_out(statements)
        except Overtaken:
            raise
        except NotKept:
            raise Refuse("not_kept", 503) from None
        self.changed(evening)
        return await self.find(evening)

    async def add(self, evening: EveningRow) -> None:
        try:
            await self._store.carry_out(adding(evening))
        except NotKept:
            raise Refuse("not_kept", 503) from None

    async def delete(self, evening: str) -> None:
        async with self._locks.pop(evening, Lock()):
            try:
                await self._store.carry_out(deleting(evening))
            except NotKept:
                raise Refuse("not_kept", 503) from None
        self.changed(evening)


def sittings_so_far(evening: EveningRow) -> list[Party]:
    """All tables and byes of the rounds that have been drawn."""
    return [Party(each.seats) for each in evening.sittings]


def evening_of(host: bytes | None) -> str:
    """The evening whose table it is, or ""."""
    return host.removeprefix(HOSTED).decode() if host and host.startswith(HOSTED) else ""
