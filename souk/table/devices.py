"""Where people are called: the browsers that they have asked to be called at, and for which turns they have been."""

import time

import msgspec

from souk.table.database import Line
from souk.table.posting import Device
from souk.table.seating import digest
from souk.table.store import Statement, Store

MOST_DEVICES = 5  # of one person; the newest stay


class Devices:
    """Devices by the people they belong to. What is known of them is sealed."""

    def __init__(self, store: Store) -> None:
        self._store = store

    async def add(self, player: bytes, device: Device) -> None:
        """A person is to be called there; Overtaken where they sit at no table."""
        name = digest(device.endpoint)
        content = self._store.seal.seal(msgspec.json.encode(device), "device", name.hex())
        added = (
            """INSERT INTO devices SELECT ?, ?, ?, ? WHERE EXISTS (SELECT 1 FROM seats WHERE player = ?)
            ON CONFLICT (digest) DO UPDATE SET player = excluded.player, content = excluded.content, since = excluded.since""",
            (name, player, content, time.time(), player),
        )
        fewer = """DELETE FROM devices WHERE player = ? AND digest NOT IN
            (SELECT digest FROM devices WHERE player = ? ORDER BY since DESC LIMIT ?)"""
        await self._store.carry_out([Statement(*added, certain=True), Statement(fewer, (player, player, MOST_DEVICES))])

    async def remove(self, endpoint: str, player: bytes | None = None) -> None:
        """Nobody is called there any longer; where a person is named, only if it is theirs."""
        change = "DELETE FROM devices WHERE digest = ?1 AND (player = ?2 OR ?2 IS NULL)"
        await self._store.carry_out([Statement(change, (digest(endpoint), player))])

    async def of(self, player: bytes) -> list[Device]:
        return [self._unsealed(*row) for row in await self._store.ask(_rows, player)]

    def _unsealed(self, name: bytes, content: bytes) -> Device:
        return msgspec.json.decode(self._store.seal.unseal(content, "device", name.hex()), type=Device)

    async def private_key(self) -> bytes:
        """By which push services know this server."""
        return self._store.seal.unseal(await self._store.ask(_key), "push")

    # ------------------------------------------------------------ turns

    async def was_called(self, table: str, seat: int, turn: int) -> bool:
        return await self._store.ask(_was_called, table, seat, turn)

    async def note_call(self, table: str, seat: int, turn: int) -> None:
        """From now on a seat has been called for this turn, whatever comes of it; Overtaken where another server has called it, or it is gone."""
        change = """INSERT INTO calls SELECT ?, ?, ? WHERE EXISTS (SELECT 1 FROM tables WHERE id = ?)
            ON CONFLICT ("table", seat) DO UPDATE SET turn = excluded.turn WHERE calls.turn != excluded.turn"""
        await self._store.carry_out([Statement(change, (table, seat, turn, table), certain=True)])


def _rows(connection: Line, player: bytes) -> list[tuple[bytes, bytes]]:
    return connection.execute("SELECT digest, content FROM devices WHERE player = ?", (player,)).fetchall()


def _key(connection: Line) -> bytes:
    return bytes(connection.execute("SELECT value FROM house WHERE name = 'push'").fetchone()[0])


def _was_called(connection: Line, table: str, seat: int, turn: int) -> bool:
    asked = 'SELECT 1 FROM calls WHERE "table" = ? AND seat = ? AND turn = ?'
    return connection.execute(asked, (table, seat, turn)).fetchone() is not None
