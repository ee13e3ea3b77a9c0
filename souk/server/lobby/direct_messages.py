"""Sends a message to every page of one person, in the lobby and at tables, in every process."""

import asyncio
import itertools

import msgspec

from souk.server.bus.bus import BusMessage, ProcessBus
from souk.server.lobby.pages import LobbyPages
from souk.server.tables.game.views import encode
from souk.server.tables.registry import TableRegistry

_SECONDS_TO_ANSWER = 0.5  # how long `reach` waits for other processes


class MessageForPerson(BusMessage, tag="tell"):
    """For all pages of a person; each text is a complete wire message, or empty."""

    number: int
    player: bytes
    lobby: str
    tables: str


class MessageDelivered(BusMessage, tag="heard"):
    """A visible page of that process has received it."""

    process: str
    number: int


class DirectMessages:
    """Sends messages to people."""

    def __init__(self, bus: ProcessBus, tables: TableRegistry, lobby_pages: LobbyPages) -> None:
        self._bus, self._tables, self._lobby_pages = bus, tables, lobby_pages
        self._numbers = itertools.count()
        self._pending: dict[int, asyncio.Event] = {}
        bus.hear(MessageForPerson, self._message_received)
        bus.hear(MessageDelivered, self._delivered)

    def send(
        self,
        player: bytes,
        lobby: msgspec.Struct | None = None,
        tables: msgspec.Struct | None = None,
    ) -> bool:
        """Send everywhere; returns whether a visible page of this process has received it."""
        return self._send(player, lobby, tables, next(self._numbers))

    async def reach(self, player: bytes, lobby: msgspec.Struct, tables: msgspec.Struct) -> bool:
        """Send everywhere; returns whether a visible page anywhere has received it, as far as
        processes answer in time.
        """
        number = next(self._numbers)
        delivered = self._pending[number] = asyncio.Event()
        try:
            if self._send(player, lobby, tables, number):
                return True
            if self._bus.alone:
                return False
            async with asyncio.timeout(_SECONDS_TO_ANSWER):
                await delivered.wait()
            return True
        except TimeoutError:
            return False
        finally:
            del self._pending[number]

    def _send(
        self,
        player: bytes,
        lobby: msgspec.Struct | None,
        tables: msgspec.Struct | None,
        number: int,
    ) -> bool:
        encoded = [encode(message) if message else b"" for message in (lobby, tables)]
        self._bus.say(MessageForPerson(number, player, *(text.decode() for text in encoded)))
        return self._deliver(player, *encoded)

    def _deliver(self, player: bytes, lobby: bytes, tables: bytes) -> bool:
        """Post to all pages of this process; returns whether one of them is visible."""
        if lobby:
            self._lobby_pages.send_encoded(player, lobby)
        for watcher in self._tables.viewers_of(player) if tables else ():
            watcher.post(tables)
        return self._is_seen_by(player)

    def _is_seen_by(self, player: bytes) -> bool:
        return self._lobby_pages.has(player) or any(
            viewer.visible for viewer in self._tables.viewers_of(player)
        )

    def _message_received(self, sender: str, message: MessageForPerson) -> None:
        if self._deliver(message.player, message.lobby.encode(), message.tables.encode()):
            self._bus.say(MessageDelivered(sender, message.number))

    def _delivered(self, _sender: str, message: MessageDelivered) -> None:
        if message.process == self._bus.name and message.number in self._pending:
            self._pending[message.number].set()
