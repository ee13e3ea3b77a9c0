"""Push subscriptions in the database, and the turns people have been notified of."""

import time

import msgspec

from souk.server.common.tokens import digest
from souk.server.push.webpush import Subscription
from souk.server.storage.connection import Connection
from souk.server.storage.rows import Statement
from souk.server.storage.store import Store

MAX_SUBSCRIPTIONS = 5  # per person; the newest are kept


class PushSubscriptions:
    """Push subscriptions by person. Their content is encrypted."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, player: bytes, subscription: Subscription) -> None:
        """Add a subscription; WriteConflict if the person has no seat anywhere."""
        name = digest(subscription.endpoint)
        content = self._store.cipher.encrypt(
            msgspec.json.encode(subscription), "device", name.hex()
        )
        insert = (
            """INSERT INTO push_subscriptions SELECT ?, ?, ?, ?
            WHERE EXISTS (SELECT 1 FROM seats WHERE player = ?)
            ON CONFLICT (digest) DO UPDATE SET
            player = excluded.player, content = excluded.content, since = excluded.since""",
            (name, player, content, time.time(), player),
        )
        delete_oldest = """DELETE FROM push_subscriptions WHERE player = ? AND digest NOT IN
            (SELECT digest FROM push_subscriptions WHERE player = ? ORDER BY since DESC LIMIT ?)"""
        await self._store.write(
            [
                Statement(*insert, exactly_one=True),
                Statement(delete_oldest, (player, player, MAX_SUBSCRIPTIONS)),
            ]
        )

    async def remove(self, endpoint: str, player: bytes | None = None) -> None:
        """Delete a subscription; if `player` is given, only if it is theirs."""
        change = "DELETE FROM push_subscriptions WHERE digest = ?1 AND (player = ?2 OR ?2 IS NULL)"
        await self._store.write([Statement(change, (digest(endpoint), player))])

    async def of(self, player: bytes) -> list[Subscription]:
        return [self._decrypted(*row) for row in await self._store.query(_rows, player)]

    def _decrypted(self, name: bytes, content: bytes) -> Subscription:
        return msgspec.json.decode(
            self._store.cipher.decrypt(content, "device", name.hex()), type=Subscription
        )

    async def private_key(self) -> bytes:
        """The server's VAPID key."""
        return self._store.cipher.decrypt(await self._store.query(_key), "push")

    # ------------------------------------------------------------ turns

    async def was_notified(self, table: str, seat: int, turn: int) -> bool:
        return await self._store.query(_was_notified, table, seat, turn)

    async def note_notified(self, table: str, seat: int, turn: int) -> None:
        """Record that a turn is being notified. WriteConflict if another server has done so, or the
        table is gone.
        """
        change = """INSERT INTO calls SELECT ?, ?, ?
            WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)
            ON CONFLICT ("table", seat) DO UPDATE SET turn = excluded.turn
            WHERE calls.turn != excluded.turn"""
        await self._store.write([Statement(change, (table, seat, turn, table), exactly_one=True)])


def _rows(connection: Connection, player: bytes) -> list[tuple[bytes, bytes]]:
    return connection.execute(
        "SELECT digest, content FROM push_subscriptions WHERE player = ?", (player,)
    ).fetchall()


def _key(connection: Connection) -> bytes:
    return bytes(connection.execute("SELECT value FROM settings WHERE name = 'push'").fetchone()[0])


def _was_notified(connection: Connection, table: str, seat: int, turn: int) -> bool:
    query = 'SELECT 1 FROM calls WHERE "table" = ? AND seat = ? AND turn = ?'
    return connection.execute(query, (table, seat, turn)).fetchone() is not None
