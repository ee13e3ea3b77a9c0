"""The socket of a lobby page."""

import msgspec

from souk.server.common.logs import log_error
from souk.server.net.connection import (
    FAILED,
    BroadcastConnection,
    CloseSocket,
    CommandReader,
    PageSession,
    SocketClient,
)
from souk.server.protocol import meeting as meeting_protocol
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.meeting import FindPlayers, StopSearch
from souk.server.services import Services

_read_command = msgspec.json.Decoder(meeting_protocol.LobbyCommand).decode


class LobbySocket(PageSession):
    """A page in the lobby."""

    __slots__ = ("_broadcast", "_reader")

    def __init__(
        self, services: Services, connection: BroadcastConnection, client: SocketClient
    ) -> None:
        super().__init__(services, connection, client)
        self._broadcast = connection
        self._reader = CommandReader(services.config, _read_command)

    async def open(self, _place: str) -> None:
        """Send the current state; changes follow."""
        try:
            invitations = await self._services.invitations.waiting_for(self.player or None)
        except Exception as error:
            log_error("lobby failed", error)
            raise CloseSocket(FAILED) from None
        if self.connected:  # not disconnected meanwhile
            self._services.lobby_pages.enter(self)
            self.say(self._services.greeting(self.player, invitations))

    def leave(self) -> None:
        """The connection has ended."""
        self.connected = False
        self._services.lobby_pages.leave(self)
        self._services.matchmaking.page_closed(self.player)

    def post_frame(self, frame: bytes) -> None:
        self._broadcast.post_frame(frame)

    # ------------------------------------------------------------ commands

    async def handle(self, text: str | None) -> None:
        """Carry out a command or answer with a refusal. `text`: None for a binary message."""
        identity = None
        try:
            command: meeting_protocol.LobbyCommand = self._reader.read(text)
            identity = command.id
            await self._do(command)
        except RequestRefused as refused:
            self._services.metrics.refusals.labels(refused.key).inc()
            self.say(protocol.Refused(identity, refused.reason))
        except CloseSocket:
            raise
        except Exception as error:
            log_error("command failed", error)
            raise CloseSocket(FAILED) from None

    async def _do(self, command: meeting_protocol.LobbyCommand) -> None:
        if isinstance(command, protocol.Ping):
            self.say(protocol.Pong(command.id))
            return
        if isinstance(command, FindPlayers):
            await self._services.matchmaking.find(self.player, self.address, command)
        elif isinstance(command, StopSearch):
            self._services.matchmaking.stop(self.player)
        self.say(protocol.Done(command.id, 0))
