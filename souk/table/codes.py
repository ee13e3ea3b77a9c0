"""What works once and for minutes: links to a second device, and the challenges that passkeys answer. They are kept in the file, so that they work
once also where two servers share it; of their secrets only the digests are."""

import time
from typing import Literal, NamedTuple

from souk.table.database import Line
from souk.table.seating import digest, new_secret
from souk.table.store import Statement, Store

CodeKind = Literal["door", "register", "enter"]


class CodeRow(NamedTuple):
    """A code: for which person it was made (None: for whoever answers), and at which device, by the digest of its cookie."""

    player: bytes | None
    cookie: bytes
    until: float


class Codes:
    """Makes codes, and knows them again."""

    def __init__(self, store: Store, minutes: float) -> None:
        self._store, self.minutes = store, minutes

    async def make(self, kind: CodeKind, player: bytes | None, cookie: bytes) -> str:
        """A new code, which takes the place of the last of its kind from that device. Whatever is too old goes."""
        secret, now = new_secret(), time.time()
        until = now + self.minutes * 60
        await self._store.carry_out(
            [
                Statement("DELETE FROM codes WHERE until <= ? OR (kind = ? AND cookie = ?)", (now, kind, cookie)),
                Statement("INSERT INTO codes VALUES (?, ?, ?, ?, ?)", (digest(secret), kind, player, cookie, until)),
            ]
        )
        return secret

    async def find(self, kind: CodeKind, secret: str) -> CodeRow | None:
        """A code that still works; None where there is none. It goes on working."""
        return await self._store.ask(_find, kind, digest(secret), time.time())


def using_up(kind: CodeKind, secret: str, row: CodeRow) -> Statement:
    """A code works now, and never again: Overtaken where it does not."""
    change = "DELETE FROM codes WHERE digest = ? AND kind = ? AND player IS ? AND cookie = ? AND until > ?"
    return Statement(change, (digest(secret), kind, row.player, row.cookie, time.time()), certain=True)


def _find(connection: Line, kind: str, name: bytes, now: float) -> CodeRow | None:
    asked = "SELECT player, cookie, until FROM codes WHERE digest = ? AND kind = ? AND until > ?"
    found = connection.execute(asked, (name, kind, now)).fetchone()
    return CodeRow(*found) if found else None
