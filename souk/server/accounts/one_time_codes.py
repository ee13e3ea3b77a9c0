"""One-time codes: links to add a device, and passkey challenges.

They are stored, as digests, so that servers sharing a database also accept each code only once.
"""

import time
from typing import Literal, NamedTuple

from souk.server.common.tokens import digest, new_secret
from souk.server.storage.connection import Connection
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store

CodeKind = Literal["device", "register", "sign_in"]


class CodeRow(NamedTuple):
    """A code: whom it was made for (None: not known yet) and the cookie digest of the device."""

    player: bytes | None
    cookie: bytes
    until: float


class OneTimeCodes:
    """Creates and looks up one-time codes."""

    def __init__(self, store: Store, minutes: float) -> None:
        self._store, self.minutes = store, minutes

    async def make(self, kind: CodeKind, player: bytes | None, cookie: bytes) -> str:
        """Create a code, replacing this device's previous one of the kind; delete expired codes."""
        secret, now = new_secret(), time.time()
        until = now + self.minutes * 60
        await self._store.write(
            [
                Statement(
                    "DELETE FROM codes WHERE until <= ? OR (kind = ? AND cookie = ?)",
                    (now, kind, cookie),
                ),
                Statement(
                    "INSERT INTO codes VALUES (?, ?, ?, ?, ?)",
                    (digest(secret), kind, player, cookie, until),
                ),
            ]
        )
        return secret

    async def find(self, kind: CodeKind, secret: str) -> CodeRow | None:
        """A code that is still valid, or None. Does not use it up."""
        return await self._store.query(_find, kind, digest(secret), time.time())


def consume(kind: CodeKind, secret: str, row: CodeRow) -> Statement:
    """Use a code up; WriteConflict if it is no longer valid."""
    change = """DELETE FROM codes
        WHERE digest = ? AND kind = ? AND player IS ? AND cookie = ? AND until > ?"""
    return Statement(
        change, (digest(secret), kind, row.player, row.cookie, time.time()), exactly_one=True
    )


def _find(connection: Connection, kind: str, code_digest: bytes, now: float) -> CodeRow | None:
    query = "SELECT player, cookie, until FROM codes WHERE digest = ? AND kind = ? AND until > ?"
    row = connection.execute(query, (code_digest, kind, now)).fetchone()
    return CodeRow(*row) if row else None
