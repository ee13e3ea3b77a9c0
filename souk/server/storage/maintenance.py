"""SQL for deleting, forgetting, banning and announcing, used by servers and by `souk host`.

Functions that change something return statements, to be passed to `Store.write` or
`execute_in_transaction`. Changes to a table add a notice, which every server polls for.
"""

import math
import secrets
import time
from collections.abc import Sequence
from typing import NamedTuple

from souk.server.common.rate_limits import rate_limit_key
from souk.server.storage.connection import Connection
from souk.server.storage.rows import NOTICES, Statement, lock_table
from souk.server.storage.writer import execute_all

# Prefix of names that mean a person: in bans, and in notices that their sessions have changed.
PERSON = "person "
NAMELESS = "—"  # the name of a forgotten person, in any language
_MAX_NOTICES = 10_000
_TABLES_WITH_PARTS = (
    *("seats", "events", "dice", "snapshots", "coaching", "analyses"),
    *("hidden", "timing", "chat", "calls", "invites"),
)


class HostNotices(NamedTuple):
    """What the host has changed."""

    announcement: str
    banned: dict[str, float | None]  # until when; None for good
    tables: list[str]  # changed or deleted tables
    people: list[bytes]  # people whose sessions have changed; b"" for everybody's
    last: int  # the number of the last notice
    reread: int = 0  # how often the host has asked to reread the forbidden words


# ---------------------------------------------------------------- changes


def execute_in_transaction(connection: Connection, statements: Sequence[Statement]) -> None:
    """Execute all statements or none; WriteConflict if a row is not as expected."""
    with connection.transaction():
        execute_all(connection, statements)


def delete_table(table: str, before: float | None = None) -> list[Statement]:
    """Delete a table; with a time, only if nobody has been there since."""
    limit = math.inf if before is None else before
    delete = Statement(
        "DELETE FROM tables WHERE id = ? AND changed < ? AND seen < ?",
        (table, limit, limit),
        exactly_one=True,
    )
    return [delete, *_delete_parts(table)]


def _delete_parts(table: str) -> list[Statement]:
    """Delete the rows that belong to a table, and add a notice."""
    parts = [
        Statement(f'DELETE FROM {part} WHERE "table" = ?', (table,)) for part in _TABLES_WITH_PARTS
    ]
    return [*parts, *_add_notices("VALUES (?)", table)]


def forget_player(player: bytes) -> list[Statement]:
    """Delete everything that identifies a person.

    Name, profile, passkeys, push subscriptions, chat and sessions go; a device linked to the person
    returns to its own player, if it had one. Seats stay, as of somebody who is away. Results stay
    without a person, as others' ratings follow from them; reports keep the words without names.
    """
    simple = [
        "DELETE FROM people WHERE player = ?",
        "DELETE FROM passkeys WHERE player = ?",
        "DELETE FROM codes WHERE player = ?",
        "DELETE FROM hidden WHERE player = ?",
        "DELETE FROM push_subscriptions WHERE player = ?",
        "UPDATE sessions SET player = own, own = NULL WHERE player = ? AND own IS NOT NULL",
        "UPDATE sessions SET own = NULL WHERE own = ?",
        "DELETE FROM sessions WHERE player = ?",
        "DELETE FROM sessions WHERE cookie = ?",
        "DELETE FROM invites WHERE ? IN (player, host)",
        "DELETE FROM declines WHERE ? IN (player, host)",
        "DELETE FROM uninvited WHERE player = ?",
    ]
    return [
        *(Statement(text, (player,)) for text in simple),
        Statement('DELETE FROM notices WHERE "table" = ?', (f"{PERSON}{player.hex()}",)),
        # Without the person's digest: servers then look at everybody's sessions.
        *_add_notices("VALUES (?)", PERSON),
        *_forget_at_tables(player),
        *_forget_entrant(player),
    ]


def _forget_at_tables(player: bytes) -> list[Statement]:
    """Clear a person's traces at tables, in results and in reports."""
    seats = """UPDATE seats SET name = ?, player = NULL, invitation = NULL, figure = '', colour = ''
        WHERE player = ?"""
    return [
        *_add_notices(
            """SELECT "table" FROM seats WHERE player = ?
            UNION SELECT "table" FROM chat WHERE player = ?""",
            player,
            player,
        ),
        Statement("DELETE FROM chat WHERE player = ?", (player,)),
        Statement(seats, (NAMELESS, player)),
        Statement("UPDATE tables SET host = NULL WHERE host = ?", (player,)),
        Statement(
            """UPDATE contestants SET player = NULL, name = ?, listed = FALSE, public = ?
            WHERE player = ?""",
            (NAMELESS, secrets.token_hex(8), player),
        ),
        Statement(
            "UPDATE reports SET person = NULL, name = ? WHERE person = ?", (NAMELESS, player)
        ),
        Statement(
            "UPDATE reports SET reporter = ? WHERE reporter = ?", (secrets.token_bytes(32), player)
        ),
    ]


def _forget_entrant(player: bytes) -> list[Statement]:
    """Withdraw a person from events, and clear host and title of those they host."""
    theirs = "SELECT event FROM entrants WHERE player = ?"
    return [
        Statement(
            f"UPDATE hosted_events SET version = version + 1 WHERE host = ? OR id IN ({theirs})",
            (player, player),
        ),
        Statement("UPDATE hosted_events SET host = NULL, name = '' WHERE host = ?", (player,)),
        Statement(
            """UPDATE entrants SET name = ?, player = NULL, removed = TRUE,
            until = coalesce(until, (SELECT round + 1 FROM hosted_events WHERE id = event))
            WHERE player = ?""",
            (NAMELESS, player),
        ),
    ]


def cancel_table(table: str) -> list[Statement]:
    """Delete a table unless its game has begun."""
    begun = """SELECT 1 FROM dice WHERE "table" = id AND kind = 'closes'"""
    delete = Statement(
        f"DELETE FROM tables WHERE id = ? AND NOT EXISTS ({begun})", (table,), exactly_one=True
    )
    return [lock_table(table), delete, *_delete_parts(table)]


def hide_table(player: bytes, table: str) -> list[Statement]:
    """Take a table off a player's list."""
    return [Statement("INSERT INTO hidden VALUES (?, ?) ON CONFLICT DO NOTHING", (player, table))]


def unhide_table(player: bytes, table: str) -> list[Statement]:
    return [Statement('DELETE FROM hidden WHERE player = ? AND "table" = ?', (player, table))]


def ban(who: str, until: float | None) -> list[Statement]:
    upsert = "INSERT INTO bans VALUES (?, ?) ON CONFLICT (who) DO UPDATE SET until = excluded.until"
    return [Statement(upsert, (who, until))]


def unban(who: str) -> list[Statement]:
    return [Statement("DELETE FROM bans WHERE who = ?", (who,), exactly_one=True)]


def delete_outdated(reports_before: float, people_before: float) -> list[Statement]:
    """Delete expired rows.

    Args:
        reports_before: delete reports older than this.
        people_before: delete profiles without seats, passkeys or sessions, and signed-out sessions,
            that are older than this. (A person's first cookie is valid without a session.)
    """
    begun = """SELECT 1 FROM dice WHERE dice."table" = invites."table" AND kind = 'closes'"""
    nothing_else = " AND ".join(
        f"NOT EXISTS (SELECT 1 FROM {part} WHERE {part}.player = people.player)"
        for part in ("seats", "passkeys", "sessions")
    )
    is_first_cookie = " OR ".join(
        f"EXISTS (SELECT 1 FROM {part} AS other WHERE other.player = sessions.cookie)"
        for part in ("seats", "people", "passkeys", "sessions")
    )
    return [
        Statement("DELETE FROM codes WHERE until <= ?", (time.time(),)),
        Statement(f"DELETE FROM people WHERE changed < ? AND {nothing_else}", (people_before,)),
        Statement(
            f"DELETE FROM sessions WHERE player IS NULL AND seen < ? AND NOT ({is_first_cookie})",
            (people_before,),
        ),
        Statement("DELETE FROM reports WHERE at < ?", (reports_before,)),
        Statement(
            """DELETE FROM push_subscriptions WHERE NOT EXISTS
            (SELECT 1 FROM seats WHERE seats.player = push_subscriptions.player)"""
        ),
        Statement(f"DELETE FROM invites WHERE EXISTS ({begun})"),
        Statement("DELETE FROM declines WHERE until < ?", (time.time(),)),
    ]


def clear_reports() -> list[Statement]:
    return [Statement("DELETE FROM reports")]


def announce(text: str) -> list[Statement]:
    """Show a line on all pages; an empty one removes it."""
    return [_set_text("announcement", text)]


def set_forbidden_words(lines: Sequence[str]) -> list[Statement]:
    """Store the forbidden words of a server, for `souk host`."""
    return [_set_text("forbidden", "\n".join(lines))]


def reread_forbidden_words() -> list[Statement]:
    """Ask servers to read their lists of forbidden words again."""
    return [Statement("UPDATE counts SET value = value + 1 WHERE name = 'reread'")]


def _set_text(name: str, text: str) -> Statement:
    upsert = (
        "INSERT INTO settings VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    return Statement(upsert, (name, text.encode()))


def reset_names(seats: Sequence[tuple[str, int]]) -> list[Statement]:
    """Rename the people on these tables and seats to guests, in chat too."""
    set_name = 'SET name = ? WHERE "table" = ? AND seat = ?'
    player = """SELECT player FROM seats
        WHERE seats."table" = chat."table" AND seats.seat = chat.seat"""
    updates = (f"UPDATE chat {set_name} AND player = ({player})", f"UPDATE seats {set_name}")
    renamed = [
        Statement(update, (guest_name(seat), table, seat))
        for table, seat in seats
        for update in updates
    ]
    tables = dict.fromkeys(table for table, _ in seats)
    return [
        *renamed,
        *(statement for table in tables for statement in _add_notices("VALUES (?)", table)),
    ]


def guest_name(seat: int) -> str:
    """The name of a person without one."""
    return f"Guest {seat + 1}"


def _add_notices(source: str, *values: str | bytes) -> list[Statement]:
    return [
        Statement(f'INSERT INTO notices ("table") {source}', values, lock=NOTICES),
        Statement(
            "DELETE FROM notices WHERE number <= (SELECT max(number) FROM notices) - ?",
            (_MAX_NOTICES,),
        ),
    ]


# ---------------------------------------------------------------- queries


def host_notices(connection: Connection, after: int) -> HostNotices:
    """The announcement, the bans, and what has changed since a notice."""
    bans = connection.execute(
        "SELECT who, until FROM bans WHERE until IS NULL OR until > ?", (time.time(),)
    )
    notices = connection.execute(
        'SELECT number, "table" FROM notices WHERE number > ? ORDER BY number', (after,)
    )
    rows = notices.fetchall()
    people = [
        bytes.fromhex(about.removeprefix(PERSON)) for _, about in rows if about.startswith(PERSON)
    ]
    tables = [about for _, about in rows if not about.startswith(PERSON)]
    last = rows[-1][0] if rows else after
    [(reread,)] = connection.execute("SELECT value FROM counts WHERE name = 'reread'")
    announcement = text_setting(connection, "announcement")
    return HostNotices(announcement, dict(bans.fetchall()), tables, people, last, int(reread))


def text_setting(connection: Connection, name: str) -> str:
    """A text among the settings; "" if it is not set."""
    row = connection.execute("SELECT value FROM settings WHERE name = ?", (name,)).fetchone()
    return bytes(row[0]).decode() if row else ""


def last_notice_number(connection: Connection) -> int:
    [(number,)] = connection.execute("SELECT coalesce(max(number), 0) FROM notices")
    return int(number)


def abandoned_tables(connection: Connection, over: bool, before: float, most: int) -> list[str]:
    """Finished or running tables where nobody has been since a time, oldest first.

    `created < ?` follows from the other conditions, and lets the index find old tables.
    """
    query = """SELECT id FROM tables WHERE over = ? AND created < ? AND changed < ? AND seen < ?
        ORDER BY created LIMIT ?"""
    return [row[0] for row in connection.execute(query, (over, before, before, before, most))]


def ban_of_address(address: str) -> str:
    """The name of a ban of an address, or of the network that rate limits count."""
    return f"address {rate_limit_key(address)}"


def ban_of_person(player: bytes) -> str:
    return f"{PERSON}{player.hex()}"
