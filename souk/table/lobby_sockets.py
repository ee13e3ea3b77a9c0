"""The socket of a page in the lobby."""

import msgspec

from souk.table import meeting_protocol, protocol
from souk.table.house import House
from souk.table.logs import trouble
from souk.table.meeting_protocol import Find, StopFinding
from souk.table.refusals import Refuse
from souk.table.socket_ends import FAILED, Closed, Ear, Megaphone, Visit

_read_command = msgspec.json.Decoder(meeting_protocol.LobbyCommand).decode


class LobbySocket(Visit):
    """A page in the lobby: what it asks for, and what it is told."""

    __slots__ = ("_ear", "_megaphone")

    def __init__(
        self, house: House, connection: Megaphone, player: bytes, address: str = "", cookie: bytes | None = None
    ) -> None:
        super().__init__(house, connection, player, address, cookie)
        self._megaphone = connection
        self._ear = Ear(house.settings, _read_command)

    async def open(self, _place: str) -> None:
        """Say all there is to know, and from then on what changes."""
        try:
            invitations = await self._house.inviting.waiting_for(self.player or None)
        except Exception as error:
            trouble("lobby failed", error)
            raise Closed(FAILED) from None
        if self.here:  # the connection has not broken meanwhile
            self._house.foyer.enter(self)
            self.say(self._house.greeting(self.player, invitations))

    def leave(self) -> None:
        """The connection has ended."""
        self.here = False
        self._house.foyer.leave(self)
        self._house.finding.page_closed(self.player)

    def post_frame(self, frame: bytes) -> None:
        self._megaphone.post_frame(frame)

    # ------------------------------------------------------------ in

    async def hear(self, text: str | None) -> None:
        """Carry out one message of the browser, or refuse it aloud. None: it was no text."""
        identity = None
        try:
            command: meeting_protocol.LobbyCommand = self._ear.read(text)
            identity = command.id
            await self._do(command)
        except Refuse as refused:
            self._house.gauges.refusals.labels(refused.key).inc()
            self.say(protocol.Refused(identity, refused.reason))
        except Closed:
            raise
        except Exception as error:
            trouble("command failed", error)
            raise Closed(FAILED) from None

    async def _do(self, command: meeting_protocol.LobbyCommand) -> None:
        if isinstance(command, protocol.Ping):
            self.say(protocol.Pong(command.id))
            return
        if isinstance(command, Find):
            await self._house.finding.find(self.player, self.address, command)
        elif isinstance(command, StopFinding):
            self._house.finding.stop(self.player)
        self.say(protocol.Done(command.id, 0))
