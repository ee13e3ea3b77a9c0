"""Device sessions: maps each device's cookie to a person.

A cookie without a session is a person of its own, identified by its digest: nothing is stored for
passing visitors. Every session can be revoked, that of a person's first cookie too. Signing out
restores the person the device belonged to before.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from souk.server.storage.connection import Connection
from souk.server.storage.errors import refuse_failed_writes
from souk.server.storage.maintenance import PERSON
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store

MAX_SESSIONS = 10  # per person
_SYSTEMS = {
    "iPhone": "iPhone",
    "iPad": "iPad",
    "Android": "Android",
    "Windows": "Windows",
    "CrOS": "ChromeOS",
    "Mac OS": "Mac",
    "Linux": "Linux",
}
# In this order: most browsers also claim to be others.
_BROWSERS = {
    "Edg": "Edge",
    "OPR": "Opera",
    "SamsungBrowser": "Samsung Internet",
    "Firefox": "Firefox",
    "FxiOS": "Firefox",
    "CriOS": "Chrome",
    "Chrom": "Chrome",
    "Safari": "Safari",
}


class SessionRow(NamedTuple):
    """A device session.

    `player`: whom it acts for; None if revoked. `own`: whom the device belonged to before signing
    in, and belongs to again after signing out.
    """

    cookie: bytes
    player: bytes | None
    own: bytes | None
    device: str  # e.g. "Firefox, Windows"; "" if unknown
    since: float
    seen: float


class Sessions:
    """Keeps all sessions in memory. `changed` is called when some of them lead elsewhere."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._players: dict[bytes, bytes | None] = {}
        self._last_used: dict[bytes, float] = {}  # last use by cookie, not written yet
        self.changed: Callable[[], None] = lambda: None

    def player_of(self, cookie: bytes) -> bytes | None:
        """The person behind a cookie digest; None if its session was revoked."""
        if cookie in self._players:
            self._last_used[cookie] = time.time()
            return self._players[cookie]
        return cookie

    async def load(self) -> None:
        """Load all sessions; called once, before the server accepts requests."""
        self._players = dict(await self._store.query(_all))

    async def reload(self, people: Sequence[bytes]) -> None:
        """Reload sessions of people, changed here or by another server; b"" means everybody."""
        if b"" in people:
            sessions = dict(await self._store.query(_all))
            before, self._players = self._players, sessions
            if before != self._players:
                self.changed()
            return
        cookies = [cookie for cookie, player in self._players.items() if player in people]
        sessions = dict(await self._store.query(_some, people, [*cookies, *people]))
        before = {
            cookie: self._players.pop(cookie)
            for cookie in (*cookies, *people)
            if cookie in self._players
        }
        self._players |= sessions
        if before != sessions:
            self.changed()

    async def of(self, player: bytes) -> list[SessionRow]:
        return await self._store.query(sessions_of, player)

    async def carry_out(self, changes: Sequence[Statement], *people: bytes) -> None:
        """Change sessions of these people. WriteConflict if something has changed meanwhile.

        Also records when their devices were last used, which decides whom the limit signs out.
        """
        used = [cookie for cookie in self._last_used if self._players.get(cookie) in people]
        try:
            await self._store.write([*self._record_last_used(used), *changes])
        finally:
            await self.reload(people)

    async def save_last_used(self) -> None:
        """Record when cookies were last used. If that fails, the times are kept for later."""
        saved = dict(self._last_used)
        if saved:
            await self._store.write(self._record_last_used(saved))
        for cookie, at in saved.items():
            if self._last_used[cookie] == at:  # not used again meanwhile
                del self._last_used[cookie]

    close = save_last_used

    def _record_last_used(self, cookies: Iterable[bytes]) -> list[Statement]:
        """Another server may have recorded a later use."""
        update = "UPDATE sessions SET seen = ?1 WHERE cookie = ?2 AND seen < ?1"
        return [Statement(update, (self._last_used[cookie], cookie)) for cookie in cookies]

    # ------------------------------------------------------------ devices

    async def record_device(self, cookie: bytes, player: bytes, device: str) -> None:
        """List a device among its person's devices."""
        await self.carry_out(list_device(cookie, player, device), player)

    async def sign_out(self, player: bytes, cookies: Iterable[bytes]) -> None:
        """Revoke the sessions of these devices."""
        with refuse_failed_writes():
            await self.carry_out(
                [statement for cookie in cookies for statement in revoke(cookie, player)], player
            )


# ---------------------------------------------------------------- statements


def list_device(cookie: bytes, player: bytes, device: str) -> list[Statement]:
    """Record the device of a person's original cookie."""
    now = time.time()
    insert = "INSERT INTO sessions VALUES (?, ?, NULL, ?, ?, ?) ON CONFLICT DO NOTHING"
    return [Statement(insert, (cookie, player, device, now, now)), *notify_servers(player)]


def insert_session(cookie: bytes, player: bytes, own: bytes | None, device: str) -> list[Statement]:
    """Sign a device in; `own`: whom it belonged to before.

    Above the limit, revokes the least recently used sessions: losing cookies must not lock anyone
    out.
    """
    now = time.time()
    revoke_oldest = """UPDATE sessions SET player = own, own = NULL
        WHERE player = ? AND cookie NOT IN
        (SELECT cookie FROM sessions WHERE player = ? ORDER BY seen DESC, since DESC LIMIT ?)"""
    insert = "INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?)"
    return [
        Statement(revoke_oldest, (player, player, MAX_SESSIONS - 1), lock="sessions"),
        Statement(insert, (cookie, player, own, device, now, now)),
        *notify_servers(player),
    ]


def revoke(cookie: bytes, player: bytes) -> list[Statement]:
    """Revoke a session, or return it to the device's previous person. The session of an original
    cookie may not have a row yet.
    """
    now = time.time()
    insert = (
        "INSERT INTO sessions SELECT ?1, ?1, NULL, '', ?2, ?2 WHERE ?1 = ?3 ON CONFLICT DO NOTHING"
    )
    update = "UPDATE sessions SET player = own, own = NULL WHERE cookie = ? AND player = ?"
    return [
        Statement(insert, (cookie, now, player)),
        Statement(update, (cookie, player)),
        *notify_servers(player),
    ]


def notify_servers(player: bytes) -> list[Statement]:
    """Tell every server on this database that a person's sessions have changed."""
    return [
        Statement(
            'INSERT INTO notices ("table") VALUES (?)', (f"{PERSON}{player.hex()}",), lock="notices"
        )
    ]


def signed_out_player(cookie: bytes, player: bytes) -> Callable[[Connection], bytes | None]:
    """Whom a device belongs to once signed out; None if that person has no data here."""

    def query(connection: Connection) -> bytes | None:
        row = connection.execute(
            "SELECT own FROM sessions WHERE cookie = ? AND player = ?", (cookie, player)
        ).fetchone()
        own = row[0] if row and row[0] is not None else player
        has_data = """SELECT EXISTS (SELECT 1 FROM seats WHERE player = ?1)
            OR EXISTS (SELECT 1 FROM people WHERE player = ?1)
            OR EXISTS (SELECT 1 FROM passkeys WHERE player = ?1)"""
        return own if connection.execute(has_data, (own,)).fetchone()[0] else None

    return query


# ---------------------------------------------------------------- queries


def sessions_of(connection: Connection, player: bytes) -> list[SessionRow]:
    query = """SELECT cookie, player, own, device, since, seen FROM sessions
        WHERE player = ? ORDER BY since"""
    return [SessionRow(*row) for row in connection.execute(query, (player,))]


def _all(connection: Connection) -> list[tuple[bytes, bytes | None]]:
    return connection.execute("SELECT cookie, player FROM sessions").fetchall()


def _some(
    connection: Connection, people: Sequence[bytes], cookies: Sequence[bytes]
) -> list[tuple[bytes, bytes | None]]:
    """Sessions of these people and of these cookies."""
    by_person, by_cookie = (
        f"SELECT cookie, player FROM sessions WHERE {name} = ?" for name in ("player", "cookie")
    )
    queries = [(by_person, value) for value in people] + [(by_cookie, value) for value in cookies]
    return [row for query, value in queries for row in connection.execute(query, (value,))]


# ---------------------------------------------------------------- devices


def device_name(agent: str) -> str:
    """Browser and system from a User-Agent, in plain words; "" if unknown."""
    agent = agent[:400]
    browser = next((name for mark, name in _BROWSERS.items() if mark in agent), "")
    system = next((name for mark, name in _SYSTEMS.items() if mark in agent), "")
    return ", ".join(filter(None, (browser, system)))
