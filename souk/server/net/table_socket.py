"""The socket of a page at a table."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from souk.core.errors import IllegalMove
from souk.server.common.client import Client, allowed_hosts
from souk.server.common.config import ServerConfig
from souk.server.common.logs import log_error
from souk.server.common.rate_limits import PerClientSlots
from souk.server.net.admission import Admission
from souk.server.net.connection import (
    FAILED,
    OTHER_VERSION,
    UNKNOWN,
    BroadcastConnection,
    ClosableConnection,
    CloseSocket,
    CommandReader,
    Connection,
    PageSession,
    SocketClient,
)
from souk.server.net.lobby_socket import LobbySocket
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused, reason_of, retry_when_stale
from souk.server.protocol.table import NOBODY, VERSION
from souk.server.services import Services
from souk.server.tables.game.old_games import OldGameError
from souk.server.tables.game.views import encode
from souk.server.tables.table import Table

_SECONDS_BETWEEN_PINGS = 25.0
_PINGED_AT_ONCE = 20  # connections
_ADDRESS = re.compile(r"/api/(?:tables/([\w-]+)|lobby)/socket")
_LOBBY = ""  # instead of a table's id
_LAST_EVENT = 2**63 - 1  # largest integer of the databases

# Commands allowed before `Watch`.
_BEFORE_WATCHING = (protocol.Watch, protocol.Ping)

_read_command = msgspec.json.Decoder(protocol.Command).decode


class TableSocket(PageSession):
    """A page at a table."""

    __slots__ = ("_reader", "pace", "seat", "table", "visible", "watching")

    def __init__(self, services: Services, connection: Connection, client: SocketClient) -> None:
        super().__init__(services, connection, client)
        self.table: Table | None = None
        self.seat = NOBODY
        self.pace: protocol.Pace = "normal"
        self.visible = True
        self.watching = False
        self._reader = CommandReader(services.config, _read_command)

    async def open(self, name: str) -> None:
        """Load the table; CloseSocket if there is none."""
        try:
            table = await self._services.tables.pin(name)
        except OldGameError as error:
            self.say(error.game.shown())
            raise CloseSocket(UNKNOWN) from None
        except RequestRefused as refused:
            self.say(protocol.Refused(None, refused.reason))
            raise CloseSocket(UNKNOWN) from None
        except Exception as error:
            log_error("table failed", error, table=name)
            raise CloseSocket(FAILED) from None
        if self.connected:
            self.table = table
        else:  # disconnected meanwhile
            self._services.tables.unpin(table)

    def leave(self) -> None:
        """The connection has ended."""
        self.connected = False
        if self.table is not None:
            self._services.leave(self.table, self)
            self.table = None

    @property
    def lag(self) -> float:
        return self._connection.lag

    def measure_lag(self) -> None:
        self._connection.measure_lag()

    # ------------------------------------------------------------ commands

    async def handle(self, text: str | None) -> None:
        """Carry out a command or answer with a refusal. `text`: None for a binary message."""
        identity = None
        try:
            command: protocol.Command = self._reader.read(text)
            identity = getattr(command, "id", None)
            if self.table is None:
                raise CloseSocket(UNKNOWN)
            if not self.watching and type(command) not in _BEFORE_WATCHING:
                raise RequestRefused("watch_first")
            if self.table.deleted:
                raise RequestRefused("deleted", 404)
            if self.table.old and type(command) not in _BEFORE_WATCHING:
                raise RequestRefused("other_rules", 409)
            await self._carry_out(self.table, command)
        except RequestRefused as refused:
            self._services.metrics.refusals.labels(refused.key).inc()
            self.say(protocol.Refused(identity, refused.reason, refused.clause))
        except CloseSocket:
            raise
        except Exception as error:
            log_error("command failed", error, table=self.table.id if self.table else "")
            raise CloseSocket(FAILED) from None

    async def _carry_out(self, table: Table, command: protocol.Command) -> None:
        """Run the handler and answer. The table stays in memory, even if the connection breaks."""
        begin = time.perf_counter()
        table.pins += 1
        try:
            outcome = await retry_when_stale(lambda: self._outcome(table, command))
            if isinstance(outcome, msgspec.Struct):
                self.say(outcome)
            elif isinstance(command, protocol.AnyCommand) and not isinstance(
                command, protocol.Move
            ):
                seq = table.state.seq if outcome is None else outcome
                self.say(protocol.Done(command.id, seq))
        finally:
            self._services.tables.unpin(table)
            self._services.metrics.command_done(time.perf_counter() - begin)

    def _outcome(self, table: Table, command: protocol.Command) -> Awaitable["Outcome"]:
        if service := _SERVICES.get(type(command)):
            return service(self._services)(table, self.player, command)
        return _HANDLERS[type(command)](self, table, command)

    async def watch(self, table: Table, command: protocol.Watch) -> None:
        if command.version != VERSION:
            self.say(protocol.Refused(None, RequestRefused("other_version").reason))
            raise CloseSocket(OTHER_VERSION)
        if not -1 <= command.after <= _LAST_EVENT:
            raise RequestRefused("unreadable")
        mine = table.seats_of(self.player)
        if table.old:
            command.seat = NOBODY
        if command.seat is not None and command.seat != NOBODY and command.seat not in mine:
            raise RequestRefused("not_your_seat", 403)
        if command.seat is None:
            self.seat = self.seat if self.seat in mine else mine[0] if mine else NOBODY
        else:
            self.seat = command.seat
        self.watching, self.pace = True, command.pace
        await self._services.enter(table, self, command.after)

    async def move(self, table: Table, command: protocol.Move) -> None:
        """Play a move, acknowledged here before anybody is sent the result."""

        def acknowledge(seq: int) -> None:
            self.say(protocol.Done(command.id, seq))

        await self._services.commands.play(
            table, self.player, command, self._services.time.now(), self.lag, acknowledge
        )

    async def check_legality(
        self, table: Table, command: protocol.CheckLegality
    ) -> protocol.Answer:
        table.check_owner(self.player, command.seat)
        table.check_begun()
        try:
            table.position.seen_by(command.seat).canonical_move(command.seat, command.move)
            return protocol.Answer(command.id, True)
        except IllegalMove as error:
            return protocol.Answer(command.id, False, reason_of(error), error.clause)

    async def start_game(self, table: Table, _command: protocol.StartGame) -> None:
        await self._services.waiting_tables.start(table, self.player)
        self._services.due_work.run(table)

    async def leave_table(self, table: Table, _command: protocol.LeaveTable) -> None:
        await self._services.waiting_tables.leave(table, self.player)
        self._services.lobby_pages.table_changed(table)

    async def cancel_table(self, table: Table, _command: protocol.CancelTable) -> None:
        await self._services.waiting_tables.cancel(table, self.player)
        self._services.lobby_pages.table_changed(table)

    async def resign(self, table: Table, _command: protocol.Resign) -> None:
        await self._services.commands.resign(table, self.player)

    async def rematch(self, table: Table, command: protocol.Rematch) -> int:
        return await self._services.commands.rematch(
            table, self.player, self.address, command.commitment
        )

    async def commit_share(self, table: Table, command: protocol.CommitShare) -> None:
        await self._services.game_start.commit(table, self.player, command)
        self._services.due_work.run(table)

    async def hint(self, table: Table, command: protocol.Hint) -> protocol.Advice:
        return await self._services.coach.hint(table, self.player, self.address, command)

    async def check_move(self, table: Table, command: protocol.CheckMove) -> protocol.Advice:
        return await self._services.coach.check_move(table, self.player, self.address, command)

    async def page_visibility(self, table: Table, command: protocol.PageVisibility) -> None:
        self.visible = command.visible
        self._services.presence.visibility_changed(table)

    async def ping(self, _table: Table, command: protocol.Ping) -> protocol.Pong:
        return protocol.Pong(command.id)


Outcome = msgspec.Struct | int | None  # the answer, or the number of the last event for `Done`
_HANDLERS: dict[type, Callable[[TableSocket, Table, Any], Awaitable[Outcome]]] = {
    protocol.Watch: TableSocket.watch,
    protocol.Move: TableSocket.move,
    protocol.CheckLegality: TableSocket.check_legality,
    protocol.StartGame: TableSocket.start_game,
    protocol.LeaveTable: TableSocket.leave_table,
    protocol.CancelTable: TableSocket.cancel_table,
    protocol.Resign: TableSocket.resign,
    protocol.Rematch: TableSocket.rematch,
    protocol.CommitShare: TableSocket.commit_share,
    protocol.Hint: TableSocket.hint,
    protocol.CheckMove: TableSocket.check_move,
    protocol.PageVisibility: TableSocket.page_visibility,
    protocol.Ping: TableSocket.ping,
}
# Commands that a service carries out by itself, given the table and the player.
_SERVICES: dict[
    type, Callable[[Services], Callable[[Table, bytes, Any], Awaitable[int | None]]]
] = {
    protocol.TakeBack: lambda services: services.commands.take_back,
    protocol.StandIn: lambda services: services.absent_players.stand_in,
    protocol.RevealShare: lambda services: services.game_start.reveal,
    protocol.ConsentToCoach: lambda services: services.coach.consent,
    protocol.Propose: lambda services: services.proposals.propose,
    protocol.Respond: lambda services: services.proposals.respond,
    protocol.Resume: lambda services: services.proposals.resume,
    protocol.ReplaceBot: lambda services: services.absent_players.replace_bot,
    protocol.VoteOnAbsence: lambda services: services.absent_players.vote,
    protocol.Say: lambda services: services.chat.say,
    protocol.ReportChat: lambda services: services.chat.report,
}


class SocketServer:
    """All sockets of a server process."""

    def __init__(self, services: Services, config: ServerConfig, admission: Admission) -> None:
        self.services, self.config, self.admission = services, config, admission
        self.places = PerClientSlots(config.sockets)
        self.hosts = allowed_hosts(config)
        self.connections: set[ClosableConnection] = set()
        self._announced = ""
        services.housekeeping.heard = self.apply_host_notices
        services.sessions.changed = self.close_signed_out

    def apply_host_notices(self) -> None:
        """Apply changed bans and announcements."""
        self.admission.banned = self.services.housekeeping.banned
        if self.services.housekeeping.announcement != self._announced:
            self._announced = self.services.housekeeping.announcement
            message = encode(protocol.Announcement(self._announced))
            for connection in self.connections:
                connection.post(message)
        for connection in list(self.connections):
            connection.close_if_banned()

    def close_signed_out(self) -> None:
        """Close the sockets of devices that were signed out."""
        for connection in list(self.connections):
            connection.close_if_signed_out()

    def place_in(self, path: str) -> str | None:
        """The table id in a socket's path, "" for the lobby; None if there is no such socket."""
        match = _ADDRESS.fullmatch(path.partition("?")[0])
        return (match[1] or _LOBBY) if match else None

    def socket_at(
        self, place: str, connection: BroadcastConnection, client: Client
    ) -> TableSocket | LobbySocket:
        kind = LobbySocket if place == _LOBBY else TableSocket
        page = SocketClient(client.player or b"", client.rate_limit_key, client.cookie)
        return kind(self.services, connection, page)

    async def ping_all(self) -> None:
        """Ping connections now and then to detect dead ones, in small groups: thousands of answers
        at once would delay moves.
        """
        while True:
            connections = list(self.connections)
            groups = [
                connections[at : at + _PINGED_AT_ONCE]
                for at in range(0, len(connections), _PINGED_AT_ONCE)
            ]
            for group in groups or [[]]:
                await asyncio.sleep(_SECONDS_BETWEEN_PINGS / max(1, len(groups)))
                for connection in group:
                    connection.ping()
