"""What is done to the file of tables besides playing, by a server and by `souk host` alike: deleting, forgetting, banning, announcing.

Whatever changes a table here leaves a notice, by which every server at the file hears of it.
"""

import math
import secrets
import time
from collections.abc import Sequence
from typing import NamedTuple

from souk.table.database import Line
from souk.table.evening_rows import forgetting_entrant
from souk.table.limits import counted
from souk.table.store import Statement, holding
from souk.table.writing import execute_all

PERSON = "person "  # begins what is said about one, by their digits: a ban, or a notice that their doors have changed
NAMELESS = "—"  # in place of the name of somebody who was forgotten, in any language
_MOST_NOTICES = 10_000  # that are kept for servers which have not looked yet
_PARTS = (
    *("seats", "events", "dice", "snapshots", "coaching", "studies"),
    *("hidden", "life", "said", "calls", "invites"),
)  # of a table


class HostNews(NamedTuple):
    """What a server looks for now and then."""

    announcement: str
    banned: dict[str, float | None]  # until when; None for good
    tables: list[str]  # that were changed or deleted
    people: list[bytes]  # whose doors were; b"" for anybody's
    last: int  # the number of the last notice
    reread: int = 0  # how often the host has asked to have the forbidden words read again


# ---------------------------------------------------------------- changes


def carry_out(connection: Line, statements: Sequence[Statement]) -> None:
    """All of them, or none: Overtaken where something is no longer as it was."""
    with connection.transaction():
        execute_all(connection, statements)


def deletion(table: str, before: float | None = None) -> list[Statement]:
    """A table is deleted; where a time is given, only if nobody has been there since."""
    limit = math.inf if before is None else before
    whole = Statement(
        "DELETE FROM tables WHERE id = ? AND changed < ? AND seen < ?", (table, limit, limit), certain=True
    )
    return [whole, *_rest_of(table)]


def _rest_of(table: str) -> list[Statement]:
    """A table's parts are deleted, and others hear of it."""
    parts = [Statement(f'DELETE FROM {part} WHERE "table" = ?', (table,)) for part in _PARTS]
    return [*parts, *_notice("VALUES (?)", table)]


def forgetting(player: bytes) -> list[Statement]:
    """A person's name, what they are known by and what they have said is removed from all tables, and so is where they are called, how they were
    shown, their passkeys and the doors of their devices: those are again whom they belonged to before, or nobody. Their seats stay, as those of somebody who
    is away. Of a report the words stay, and nobody's name; and so do results, as those of nobody, since others' ratings follow from them."""
    change = "UPDATE seats SET name = ?, player = NULL, invitation = NULL, figure = '', colour = '' WHERE player = ?"
    own = [f"DELETE FROM {part} WHERE player = ?" for part in ("people", "passkeys", "codes", "hidden", "devices")]
    doors = [
        "UPDATE doors SET player = own, own = NULL WHERE player = ? AND own IS NOT NULL",
        "UPDATE doors SET own = NULL WHERE own = ?",
        "DELETE FROM doors WHERE player = ?",
        "DELETE FROM doors WHERE cookie = ?",
    ]
    return [
        *(Statement(each, (player,)) for each in (*own, *doors)),
        Statement('DELETE FROM notices WHERE "table" = ?', (f"{PERSON}{player.hex()}",)),
        *_notice("VALUES (?)", PERSON),  # without digits: everybody's doors are to be looked at
        *_notice('SELECT DISTINCT "table" FROM seats WHERE player = ?', player),
        Statement(
            "DELETE FROM said WHERE EXISTS (SELECT 1 FROM seats WHERE player = ? "
            'AND seats."table" = said."table" AND seats.seat = said.seat)',
            (player,),
        ),
        Statement(change, (NAMELESS, player)),
        Statement("UPDATE tables SET host = NULL WHERE host = ?", (player,)),
        Statement(
            "UPDATE contestants SET player = NULL, name = ?, listed = FALSE, public = ? WHERE player = ?",
            (NAMELESS, secrets.token_hex(8), player),
        ),
        Statement("DELETE FROM hidden WHERE player = ?", (player,)),
        Statement("DELETE FROM devices WHERE player = ?", (player,)),
        Statement("DELETE FROM invites WHERE ? IN (player, host)", (player,)),
        Statement("DELETE FROM declines WHERE ? IN (player, host)", (player,)),
        Statement("DELETE FROM uninvited WHERE player = ?", (player,)),
        Statement("UPDATE reports SET person = NULL, name = ? WHERE person = ?", (NAMELESS, player)),
        Statement("UPDATE reports SET reporter = NULL WHERE reporter = ?", (player,)),
        *forgetting_entrant(player, NAMELESS),
    ]


def cancelling(table: str) -> list[Statement]:
    """A table at which nobody has begun to play is deleted."""
    begun = """SELECT 1 FROM dice WHERE "table" = id AND kind = 'closes'"""
    whole = Statement(f"DELETE FROM tables WHERE id = ? AND NOT EXISTS ({begun})", (table,), certain=True)
    return [holding(table), whole, *_rest_of(table)]


def hiding(player: bytes, table: str) -> list[Statement]:
    """A table is taken off somebody's list."""
    return [Statement("INSERT INTO hidden VALUES (?, ?) ON CONFLICT DO NOTHING", (player, table))]


def showing_again(player: bytes, table: str) -> list[Statement]:
    return [Statement('DELETE FROM hidden WHERE player = ? AND "table" = ?', (player, table))]


def banning(who: str, until: float | None) -> list[Statement]:
    change = "INSERT INTO bans VALUES (?, ?) ON CONFLICT (who) DO UPDATE SET until = excluded.until"
    return [Statement(change, (who, until))]


def unbanning(who: str) -> list[Statement]:
    return [Statement("DELETE FROM bans WHERE who = ?", (who,), certain=True)]


def outdating(reports_before: float, people_before: float) -> list[Statement]:
    """Reports of before a time are deleted, devices of people who have no seat any longer, codes that are too old, invitations that lead nowhere by
    now; and of before another time how people were shown who have nothing else here, and devices that were signed out. (Only a person's first cookie
    would still be known without its door.)"""
    begun = """SELECT 1 FROM dice WHERE dice."table" = invites."table" AND kind = 'closes'"""
    nothing_else = " AND ".join(
        f"NOT EXISTS (SELECT 1 FROM {part} WHERE {part}.player = people.player)"
        for part in ("seats", "passkeys", "doors")
    )
    first = " OR ".join(
        f"EXISTS (SELECT 1 FROM {part} AS other WHERE other.player = doors.cookie)"
        for part in ("seats", "people", "passkeys", "doors")
    )
    return [
        Statement("DELETE FROM codes WHERE until <= ?", (time.time(),)),
        Statement(f"DELETE FROM people WHERE changed < ? AND {nothing_else}", (people_before,)),
        Statement(f"DELETE FROM doors WHERE player IS NULL AND seen < ? AND NOT ({first})", (people_before,)),
        Statement("DELETE FROM reports WHERE at < ?", (reports_before,)),
        Statement("DELETE FROM devices WHERE NOT EXISTS (SELECT 1 FROM seats WHERE seats.player = devices.player)"),
        Statement(f"DELETE FROM invites WHERE EXISTS ({begun})"),
        Statement("DELETE FROM declines WHERE until < ?", (time.time(),)),
    ]


def clearing_reports() -> list[Statement]:
    return [Statement("DELETE FROM reports")]


def announcing(text: str) -> list[Statement]:
    """A line for all pages; an empty one takes it away."""
    return [_saying("announcement", text)]


def forbidding(lines: Sequence[str]) -> list[Statement]:
    """The words that a server forbids, as its host wrote them: for `souk host`."""
    return [_saying("forbidden", "\n".join(lines))]


def rereading() -> list[Statement]:
    """Servers are to read their lists of forbidden words again."""
    return [Statement("UPDATE counts SET value = value + 1 WHERE name = 'reread'")]


def _saying(name: str, text: str) -> Statement:
    change = "INSERT INTO house VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    return Statement(change, (name, text.encode()))


def renaming(seats: Sequence[tuple[str, int]]) -> list[Statement]:
    """People lose their names at these tables and seats, and are guests from then on."""
    change = 'UPDATE seats SET name = ? WHERE "table" = ? AND seat = ?'
    renamed = [Statement(change, (guest(seat), table, seat)) for table, seat in seats]
    tables = dict.fromkeys(table for table, _ in seats)
    return [*renamed, *(statement for table in tables for statement in _notice("VALUES (?)", table))]


def guest(seat: int) -> str:
    """What somebody is called who has no name."""
    return f"Guest {seat + 1}"


def _notice(which: str, *values: str | bytes) -> list[Statement]:
    return [
        Statement(f'INSERT INTO notices ("table") {which}', values, turn="notices"),
        Statement("DELETE FROM notices WHERE number <= (SELECT max(number) FROM notices) - ?", (_MOST_NOTICES,)),
    ]


# ---------------------------------------------------------------- questions


def news(connection: Line, after: int) -> HostNews:
    """What is announced, who is banned, and which tables have changed since a notice."""
    bans = connection.execute("SELECT who, until FROM bans WHERE until IS NULL OR until > ?", (time.time(),))
    notices = connection.execute('SELECT number, "table" FROM notices WHERE number > ? ORDER BY number', (after,))
    rows = notices.fetchall()
    people = [bytes.fromhex(about.removeprefix(PERSON)) for _, about in rows if about.startswith(PERSON)]
    tables = [about for _, about in rows if not about.startswith(PERSON)]
    last = rows[-1][0] if rows else after
    [(reread,)] = connection.execute("SELECT value FROM counts WHERE name = 'reread'")
    return HostNews(said(connection, "announcement"), dict(bans.fetchall()), tables, people, last, int(reread))


def said(connection: Line, name: str) -> str:
    """A text that concerns the whole house, by its name; "" where there is none."""
    found = connection.execute("SELECT value FROM house WHERE name = ?", (name,)).fetchone()
    return bytes(found[0]).decode() if found else ""


def last_notice(connection: Line) -> int:
    [(number,)] = connection.execute("SELECT coalesce(max(number), 0) FROM notices")
    return int(number)


def left_alone(connection: Line, over: bool, before: float, most: int) -> list[str]:
    """Tables where nobody has been since a time, finished ones or others, the oldest first. Nothing happens at a table before it is made: so only those
    are looked at that are old enough, and not all there are."""
    asked = """SELECT id FROM tables WHERE over = ? AND created < ? AND changed < ? AND seen < ?
        ORDER BY created LIMIT ?"""
    return [row[0] for row in connection.execute(asked, (over, before, before, before, most))]


def ban_of_address(address: str) -> str:
    """The name of a ban: of an address, or of its network as limits count it."""
    return f"address {counted(address)}"


def ban_of_person(player: bytes) -> str:
    return f"{PERSON}{player.hex()}"
