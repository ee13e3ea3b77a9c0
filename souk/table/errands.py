"""Errands: what bots are to think over, in a queue in PostgreSQL from which thinkers on any machine take what is next.

A row holds a question as `souk.bots.answering` asks it: the position as its seat may see it, and nothing else. Table and address stand there as digests
only, so whoever takes an errand knows neither. Two servers that ask for the same turn have the same errand: its id says which table, after which event,
for which seat and of which bot.

The queue is one table of ours and `FOR UPDATE SKIP LOCKED`. Procrastinate and PgQueuer were looked at: both keep jobs for good, by a priority that is
known when a job is put in, and tell nobody of a result. Here who is next depends on what everybody has had in the last seconds, how long they may think on
all who wait now, two ask and one is thought over, somebody waits for the answer within the second, and nothing outlives a minute. Of a library nothing would be
left but its way to take a row, which is one statement below.

Both tables are UNLOGGED: they are written without the log on disk, and are empty after a crash of the database. Nothing is lost by that: whoever waits looks
every second whether the errand is still there, and asks again; thinkers sign in again as often. All times are the database's own, so no machine's clock counts.

Whoever takes an errand holds it for `LEASE` seconds and renews that while it thinks. When it is killed, that ends, and another takes the errand over; after
`MOST_TRIES` nobody does. Whoever waits says so again and again; what nobody has waited for for `WANTED` seconds is left alone, and later swept away.

Who is next: whoever has had the least of late. Of the addresses the one for which fewest seconds were taken in the last `OF_LATE`, and of its tables the one for
which fewest were; of those that are equal, whoever asked first. What costs next to nothing has places of its own, and never waits for what is dear. How long
a dear one may think is worked out as at a single server (`souk.table.waiting.shares`), with the places of all thinkers.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from souk.bots.answering import Question, Reply, read_reply
from souk.core.game import Game
from souk.table.database import Line
from souk.table.waiting import CHEAP, LEAST, Demand, shares

LEASE = 3.0  # seconds that a thinker is not heard of before another takes over
WANTED = 10.0  # seconds after the last question for which somebody is taken to wait
OF_LATE = 10.0  # seconds that count for who is next
MOST_TRIES = 3  # thinkers that may be lost over an errand

_CHANNEL = "'souk_' || left(encode(sha256(convert_to(current_schema() || ' errands', 'UTF8')), 'hex'), 24)"
_DROPPED = 2.0  # seconds until an errand is left alone for which one server waits no longer, unless another does
_FORGOTTEN = 60.0  # seconds until what nobody waits for is swept away

ERRAND_TABLES = """
CREATE UNLOGGED TABLE errands (
    id text PRIMARY KEY, "table" text NOT NULL, address text NOT NULL, game text NOT NULL, edition text NOT NULL, searches boolean NOT NULL,
    cost float8 NOT NULL, question bytea NOT NULL, asked timestamptz NOT NULL, wanted timestamptz NOT NULL,
    taken timestamptz, taken_by text NOT NULL DEFAULT '', until timestamptz, tries integer NOT NULL DEFAULT 0, allowed float8,
    done timestamptz, answer bytea
);
CREATE UNLOGGED TABLE thinkers (name text PRIMARY KEY, places integer NOT NULL, waking text NOT NULL, seen timestamptz NOT NULL,
    studies integer NOT NULL DEFAULT 0);
"""


class AskedErrand(NamedTuple):
    """An errand as it is asked."""

    id: str
    table: str
    address: str
    game: str
    edition: str
    searches: bool
    cost: float
    question: bytes


class Answered(NamedTuple):
    """What became of an errand so far. `reply` is None where there is none yet; with `turned_away` there will be none."""

    id: str
    taken: bool
    tries: int
    hurried: bool
    turned_away: bool
    reply: Reply | None


class TakenErrand(NamedTuple):
    """An errand that is somebody's, with the seconds that it may take; None for as many as it likes."""

    id: str
    table: str
    address: str
    question: Question
    allowed: float | None


class ThinkerRow(NamedTuple):
    """A thinker: how many dear bots it has places for, and in how many seconds those of each game can search there."""

    name: str
    places: int
    waking: dict[str, int]
    studies: int = 0  # processes in which games are looked back at


def edition_of(game: Game) -> str:
    """By which rules, kept in which way: one who has others cannot think about it."""
    return hashlib.sha256(f"{game.version} {game.dtype.descr}".encode()).hexdigest()[:12]


# ---------------------------------------------------------------- who asks


def ask(line: Line, errand: AskedErrand, wait: float) -> None:
    """Put an errand into the queue, unless it is there. Where too many wait, one of them is turned away: of the address that has most."""
    insert = """INSERT INTO errands (id, "table", address, game, edition, searches, cost, question, asked, wanted)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, now(), now()) ON CONFLICT (id) DO UPDATE SET wanted = now()"""
    line.execute(insert, tuple(errand))
    if errand.cost > CHEAP:
        _turn_away(line, max(1, int(max(1, _places(line)) * wait / LEAST)))
    tell(line, "asked")


def look(line: Line, ids: Sequence[str]) -> list[Answered]:
    """What became of errands for which somebody still waits. Those that are missing are to be asked again."""
    asked = """UPDATE errands SET wanted = now() WHERE id = ANY(?)
        RETURNING id, taken IS NOT NULL AND (done IS NOT NULL OR until > now()), tries, coalesce(allowed < cost, FALSE), answer"""
    return [
        Answered(which, taken, tries, hurried, answer == b"", read_reply(answer) if answer else None)
        for which, taken, tries, hurried, answer in line.execute(asked, (list(ids),))
    ]


def drop(line: Line, which: str) -> None:
    """One who asked does not wait any more. Where nobody else does either, it is soon left alone."""
    dropped = "UPDATE errands SET wanted = now() - make_interval(secs => ?) WHERE id = ? AND done IS NULL"
    line.execute(dropped, (WANTED - _DROPPED, which))


def thinkers(line: Line) -> list[ThinkerRow]:
    """Those who are there."""
    asked = (
        "SELECT name, places, waking, studies FROM thinkers WHERE seen > now() - make_interval(secs => ?) ORDER BY name"
    )
    return [
        ThinkerRow(name, places, json.loads(waking), studies)
        for name, places, waking, studies in line.execute(asked, (LEASE,))
    ]


def waiting(line: Line) -> int:
    """How many errands nobody has begun with."""
    [(found,)] = line.execute(f"SELECT count(*) FROM errands WHERE {_OPEN}", {"wanted": WANTED, "tries": MOST_TRIES})
    return int(found)


def sweep(line: Line) -> None:
    """Away with what nobody waits for."""
    old = "wanted < now() - make_interval(secs => ?)"
    line.execute(f"DELETE FROM errands WHERE {old}", (_FORGOTTEN,))
    line.execute("DELETE FROM thinkers WHERE seen < now() - make_interval(secs => ?)", (_FORGOTTEN,))


def _turn_away(line: Line, most: int) -> None:
    away = f"""WITH queue AS (SELECT id, address, asked FROM errands WHERE {_OPEN} AND cost > :cheap),
        greediest AS (SELECT address FROM queue GROUP BY address ORDER BY count(*) DESC LIMIT 1)
        UPDATE errands SET done = now(), answer = '' WHERE (SELECT count(*) FROM queue) > :most
        AND id = (SELECT id FROM queue JOIN greediest USING (address) ORDER BY asked DESC LIMIT 1)"""
    line.execute(away, {"wanted": WANTED, "tries": MOST_TRIES, "cheap": CHEAP, "most": most})


def _places(line: Line) -> int:
    """Of all thinkers."""
    return sum(each.places for each in thinkers(line))


# ---------------------------------------------------------------- who thinks

_OPEN = """done IS NULL AND (until IS NULL OR until < now()) AND tries < :tries
    AND wanted > now() - make_interval(secs => :wanted)"""  # that somebody may begin with
_LATELY = "taken > now() - make_interval(secs => :late)"
_NEXT = f"""
    SELECT mine.id FROM errands AS mine
        LEFT JOIN (SELECT address, sum(cost) AS seconds FROM errands WHERE {_LATELY} GROUP BY address) AS address USING (address)
        LEFT JOIN (SELECT "table", sum(cost) AS seconds FROM errands WHERE {_LATELY} GROUP BY "table") AS its USING ("table")
    WHERE {_OPEN} AND edition = ANY(:editions) AND (NOT searches OR game = ANY(:awake)) AND (cost > :cheap) = :dear
    ORDER BY coalesce(address.seconds, 0), coalesce(its.seconds, 0), asked, id LIMIT 1 FOR UPDATE OF mine SKIP LOCKED"""
_TAKE = f"""UPDATE errands SET taken = now(), taken_by = :name, until = now() + make_interval(secs => :lease), tries = tries + 1
    WHERE id = ({_NEXT}) RETURNING id, "table", address, question, cost"""


def take(line: Line, thinker: ThinkerRow, editions: Sequence[str], dear: bool, wait: float) -> TakenErrand | None:
    """The errand that is next, which is this thinker's from now on; None where there is none for it."""
    awake = [game for game, seconds in thinker.waking.items() if not seconds]
    values = {"name": thinker.name, "lease": LEASE, "tries": MOST_TRIES, "wanted": WANTED, "late": OF_LATE}
    values |= {"cheap": CHEAP, "dear": dear, "awake": awake, "editions": list(editions)}
    with line.transaction():
        found = line.execute(_TAKE, values).fetchone()
        if found is None:
            return None
        which, table, address, question, cost = found
        allowed = _allowed(line, address, table, cost, wait) if dear else None
        if allowed is not None:
            line.execute("UPDATE errands SET allowed = ? WHERE id = ?", (allowed, which))
    return TakenErrand(which, table, address, _read_question(question), allowed)


def _allowed(line: Line, address: str, table: str, cost: float, wait: float) -> float | None:
    """Seconds for a dear errand, where there are fewer than it wants: its part of its table's share of what can be done while others wait."""
    asked = """SELECT address, "table", coalesce(sum(cost) FILTER (WHERE done IS NULL), max(cost)) FROM errands
        WHERE cost > ? AND (done IS NULL AND wanted > now() - make_interval(secs => ?) OR done > now() - make_interval(secs => ?))
        GROUP BY address, "table" """
    demand: Demand = {}
    for each, its, wanted in line.execute(asked, (CHEAP, WANTED, wait)):
        demand.setdefault(each, {})[its] = wanted
    wanted = demand.setdefault(address, {}).setdefault(table, cost)
    _, most = shares(demand, address, max(1, _places(line)) * wait)
    return max(LEAST, most * cost / wanted) if wanted > most else None


def renew(line: Line, name: str, ids: Sequence[str]) -> set[str]:
    """Which of a thinker's errands it is to go on with: those that are still its own, and for which somebody waits."""
    asked = """UPDATE errands SET until = now() + make_interval(secs => ?) WHERE id = ANY(?) AND taken_by = ? AND done IS NULL
        AND wanted > now() - make_interval(secs => ?) RETURNING id"""
    return {row[0] for row in line.execute(asked, (LEASE, list(ids), name, WANTED))}


def answer(line: Line, which: str, reply: Reply) -> None:
    """Whoever comes first is heard, also one who was taken for lost."""
    line.execute(
        "UPDATE errands SET done = now(), answer = ? WHERE id = ? AND done IS NULL",
        (msgspec.msgpack.encode(reply), which),
    )
    tell(line, "done")


def sign_in(line: Line, row: ThinkerRow) -> None:
    """A thinker is there, and says so again and again."""
    text = """INSERT INTO thinkers (name, places, waking, seen, studies) VALUES (?, ?, ?, now(), ?)
        ON CONFLICT (name) DO UPDATE SET places = excluded.places, waking = excluded.waking, seen = excluded.seen"""
    line.execute(text, (row.name, row.places, json.dumps(row.waking), row.studies))


def sign_out(line: Line, name: str) -> None:
    """A thinker ends: what it had begun is anybody's at once."""
    line.execute("DELETE FROM thinkers WHERE name = ?", (name,))
    line.execute("UPDATE errands SET until = now() WHERE taken_by = ? AND done IS NULL", (name,))
    tell(line, "asked")


def wanted_games(line: Line) -> set[str]:
    """The games whose bots are asked to search, and nobody has begun with."""
    asked = f"SELECT DISTINCT game FROM errands WHERE searches AND {_OPEN}"
    return {row[0] for row in line.execute(asked, {"wanted": WANTED, "tries": MOST_TRIES})}


def tell(line: Line, what: str) -> None:
    """Those who listen (`souk.table.errand_line`)."""
    line.execute(f"SELECT pg_notify({_CHANNEL}, '{what}')")


_read_question: Any = msgspec.msgpack.Decoder(Question).decode
