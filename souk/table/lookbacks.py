"""Games that others are to look back at: a queue in PostgreSQL beside that of errands (`souk.table.errands`), from which whoever studies takes the next.

A row holds a game that is over, without names, table or dice, and how deeply it is to be looked at. Whoever takes it looks at it in short turns and writes
what it has found after each, so those who wait see it grow. It holds the row for `LEASE` seconds and renews that while it studies; when it is killed, that
ends, and another begins anew while the page still shows what there was. Two servers that ask for the same game have the same row.

Who is next: of the addresses the one whose games are fewest people's work now, and then whoever asked first. UNLOGGED as errands are: after a crash of the
database whoever waits asks again. What nobody has asked after for `WANTED` seconds is left alone.
"""

import hashlib
from collections.abc import Sequence
from typing import NamedTuple

from souk.table.database import Line
from souk.table.errands import LEASE, MOST_TRIES, tell
from souk.table.scholar import Found

WANTED = 20.0  # seconds after the last question for which somebody is taken to wait
_FORGOTTEN = 60.0  # seconds until what nobody waits for is swept away

LOOKBACK_TABLE = """
CREATE UNLOGGED TABLE lookbacks (
    id text PRIMARY KEY, address text NOT NULL, game text NOT NULL, edition text NOT NULL, record text NOT NULL, playouts integer NOT NULL,
    asked timestamptz NOT NULL, wanted timestamptz NOT NULL, taken_by text NOT NULL DEFAULT '', until timestamptz, tries integer NOT NULL DEFAULT 0,
    version integer NOT NULL DEFAULT 0, done integer NOT NULL DEFAULT 0, pieces integer NOT NULL DEFAULT 0, content bytea NOT NULL DEFAULT '',
    error text NOT NULL DEFAULT ''
);
"""


class AskedLookback(NamedTuple):
    """A game that somebody wants to be looked back at."""

    id: str
    address: str
    game: str
    edition: str
    record: str
    playouts: int


class SoFar(NamedTuple):
    """What became of it. `content` is empty where whoever asks knows this version; `taken` says whether somebody is at it."""

    version: int
    done: int
    of: int
    content: bytes
    error: str
    tries: int
    taken: bool

    @property
    def is_done(self) -> bool:
        return self.of > 0 and self.done == self.of


def name_of(record: str, playouts: int) -> str:
    """The same for whoever asks the same."""
    return hashlib.sha256(f"{playouts} {record}".encode()).hexdigest()[:32]


# ---------------------------------------------------------------- who asks


def ask(line: Line, asked: AskedLookback, known: int) -> SoFar:
    """What there is so far of a game, which is put into the queue unless it is there. `known` is the version that whoever asks has already."""
    look = """UPDATE lookbacks SET wanted = now() WHERE id = ? RETURNING version, done, pieces,
        CASE WHEN version = ? THEN ''::bytea ELSE content END, error, tries, coalesce(until > now(), FALSE)"""
    found = line.execute(look, (asked.id, known)).fetchone()
    if found is not None:
        return SoFar(*found)
    insert = """INSERT INTO lookbacks (id, address, game, edition, record, playouts, asked, wanted)
        VALUES (?, ?, ?, ?, ?, ?, now(), now()) ON CONFLICT (id) DO UPDATE SET wanted = now()"""
    line.execute(insert, tuple(asked))
    tell(line, "lookback")
    return SoFar(0, 0, 0, b"", "", 0, False)


def sweep(line: Line) -> None:
    """Away with what nobody waits for."""
    line.execute("DELETE FROM lookbacks WHERE wanted < now() - make_interval(secs => ?)", (_FORGOTTEN,))


# ---------------------------------------------------------------- who studies

_OPEN = """(pieces = 0 OR done < pieces) AND error = '' AND (until IS NULL OR until < now()) AND tries < :tries
    AND wanted > now() - make_interval(secs => :wanted)"""  # that somebody may begin with
_NEXT = f"""
    SELECT mine.id FROM lookbacks AS mine
        LEFT JOIN (SELECT address, count(*) AS under_way FROM lookbacks WHERE until > now() GROUP BY address) AS its USING (address)
    WHERE {_OPEN} AND edition = ANY(:editions)
    ORDER BY coalesce(its.under_way, 0), asked, id LIMIT 1 FOR UPDATE OF mine SKIP LOCKED"""
_TAKE = f"""UPDATE lookbacks SET taken_by = :name, until = now() + make_interval(secs => :lease), tries = tries + 1
    WHERE id = ({_NEXT}) RETURNING id, address, game, edition, record, playouts"""


def take(line: Line, name: str, editions: Sequence[str]) -> AskedLookback | None:
    """The game that is next, which is this student's from now on; None where there is none."""
    values = {"name": name, "lease": LEASE, "tries": MOST_TRIES, "wanted": WANTED, "editions": list(editions)}
    found = line.execute(_TAKE, values).fetchone()
    return AskedLookback(*found) if found else None


def renew(line: Line, name: str, ids: Sequence[str]) -> None:
    """A student is still at these."""
    asked = "UPDATE lookbacks SET until = now() + make_interval(secs => ?) WHERE id = ANY(?) AND taken_by = ?"
    line.execute(asked, (LEASE, list(ids), name))


def report(line: Line, name: str, which: str, found: Found) -> bool:
    """Write what was found; returns whether to go on: it is not done, still this student's, and somebody waits for it."""
    written = """UPDATE lookbacks SET version = version + 1, done = ?, pieces = ?, content = ?, error = ?,
        until = now() + make_interval(secs => ?) WHERE id = ? AND taken_by = ?
        RETURNING error = '' AND done < pieces AND wanted > now() - make_interval(secs => ?)"""
    values = (found.done, found.of, found.content, found.error, LEASE, which, name, WANTED)
    goes_on = line.execute(written, values).fetchone()
    return bool(goes_on and goes_on[0])


def let_go(line: Line, name: str, ids: Sequence[str], lost: bool = False) -> None:
    """A student is at these no longer: they are anybody's at once. It counts against them where a process was lost over them."""
    text = "UPDATE lookbacks SET until = now(), tries = tries - ? WHERE id = ANY(?) AND taken_by = ?"
    line.execute(text, (int(not lost), list(ids), name))
    tell(line, "lookback")
