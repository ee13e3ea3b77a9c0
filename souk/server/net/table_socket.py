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

    def __init__(
        self,
        services: Services,
        connection: Connection,
        player: bytes,
        address: str = "",
        cookie: bytes | None = None,
    ) -> None:
        super().__init__(services, connection, player, address, cookie)
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
        """Run the handler. The table stays pinned in memory, even if the connection breaks."""
        begin = time.perf_counter()
        table.pins += 1
        try:
            handler = _HANDLERS[type(command)]
            await retry_when_stale(lambda: handler(self, table, command))
        finally:
            self._services.tables.unpin(table)
            self._services.metrics.command_done(time.perf_counter() - begin)

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
        """The mover is acknowledged before anybody is sent the result."""

        def acknowledge(seq: int) -> None:
            self.say(protocol.Done(command.id, seq))

        await self._services.commands.play(
            table, self.player, command, self._services.time.now(), self.lag, acknowledge
        )

    async def check_legality(self, table: Table, command: protocol.CheckLegality) -> None:
        table.check_owner(self.player, command.seat)
        table.check_begun()
        try:
            table.position.seen_by(command.seat).canonical_move(command.seat, command.move)
            self.say(protocol.Answer(command.id, True))
        except IllegalMove as error:
            self.say(protocol.Answer(command.id, False, reason_of(error), error.clause))

    async def take_back(self, table: Table, command: protocol.TakeBack) -> None:
        seq = await self._services.commands.take_back(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def stand_in(self, table: Table, command: protocol.StandIn) -> None:
        seq = await self._services.absent_players.stand_in(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def start_game(self, table: Table, command: protocol.StartGame) -> None:
        await self._services.waiting_tables.start(table, self.player)
        self._services.due_work.run(table)
        self.say(protocol.Done(command.id, table.state.seq))

    async def leave_table(self, table: Table, command: protocol.LeaveTable) -> None:
        await self._services.waiting_tables.leave(table, self.player)
        self._services.lobby_pages.table_changed(table)
        self.say(protocol.Done(command.id, table.state.seq))

    async def cancel_table(self, table: Table, command: protocol.CancelTable) -> None:
        await self._services.waiting_tables.cancel(table, self.player)
        self._services.lobby_pages.table_changed(table)
        self.say(protocol.Done(command.id, table.state.seq))

    async def resign(self, table: Table, command: protocol.Resign) -> None:
        await self._services.commands.resign(table, self.player)
        self.say(protocol.Done(command.id, table.state.seq))

    async def rematch(self, table: Table, command: protocol.Rematch) -> None:
        seq = await self._services.commands.rematch(
            table, self.player, self.address, command.commitment
        )
        self.say(protocol.Done(command.id, seq))

    async def commit_share(self, table: Table, command: protocol.CommitShare) -> None:
        await self._services.game_start.commit(table, self.player, command)
        self._services.due_work.run(table)
        self.say(protocol.Done(command.id, table.state.seq))

    async def reveal_share(self, table: Table, command: protocol.RevealShare) -> None:
        await self._services.game_start.reveal(table, self.player, command)
        self.say(protocol.Done(command.id, table.state.seq))

    async def hint(self, table: Table, command: protocol.Hint) -> None:
        self.say(await self._services.coach.hint(table, self.player, self.address, command))

    async def check_move(self, table: Table, command: protocol.CheckMove) -> None:
        self.say(await self._services.coach.check_move(table, self.player, self.address, command))

    async def allow_coach(self, table: Table, command: protocol.AllowCoach) -> None:
        await self._services.coach.allow(table, self.player, command)
        self.say(protocol.Done(command.id, table.state.seq))

    async def propose(self, table: Table, command: protocol.Propose) -> None:
        seq = await self._services.proposals.propose(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def respond(self, table: Table, command: protocol.Respond) -> None:
        seq = await self._services.proposals.respond(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def resume(self, table: Table, command: protocol.Resume) -> None:
        seq = await self._services.proposals.resume(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def replace_bot(self, table: Table, command: protocol.ReplaceBot) -> None:
        seq = await self._services.absent_players.replace_bot(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def vote_on_absence(self, table: Table, command: protocol.VoteOnAbsence) -> None:
        seq = await self._services.absent_players.vote(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def say_in_chat(self, table: Table, command: protocol.Say) -> None:
        await self._services.chat.say(table, self.player, command)
        self.say(protocol.Done(command.id, table.state.seq))

    async def report_chat(self, table: Table, command: protocol.ReportChat) -> None:
        await self._services.chat.report(table, self.player, command)
        self.say(protocol.Done(command.id, table.state.seq))

    async def page_visibility(self, table: Table, command: protocol.PageVisibility) -> None:
        self.visible = command.visible
        self._services.presence.visibility_changed(table)
        self.say(protocol.Done(command.id, table.state.seq))

    async def ping(self, _table: Table, command: protocol.Ping) -> None:
        self.say(protocol.Pong(command.id))


_HANDLERS: dict[type, Callable[[TableSocket, Table, Any], Awaitable[None]]] = {
    protocol.Watch: TableSocket.watch,
    protocol.Move: TableSocket.move,
    protocol.CheckLegality: TableSocket.check_legality,
    protocol.TakeBack: TableSocket.take_back,
    protocol.StandIn: TableSocket.stand_in,
    protocol.StartGame: TableSocket.start_game,
    protocol.LeaveTable: TableSocket.leave_table,
    protocol.CancelTable: TableSocket.cancel_table,
    protocol.Resign: TableSocket.resign,
    protocol.Rematch: TableSocket.rematch,
    protocol.CommitShare: TableSocket.commit_share,
    protocol.RevealShare: TableSocket.reveal_share,
    protocol.Hint: TableSocket.hint,
    protocol.CheckMove: TableSocket.check_move,
    protocol.AllowCoach: TableSocket.allow_coach,
    protocol.Propose: TableSocket.propose,
    protocol.Respond: TableSocket.respond,
    protocol.Resume: TableSocket.resume,
    protocol.ReplaceBot: TableSocket.replace_bot,
    protocol.VoteOnAbsence: TableSocket.vote_on_absence,
    protocol.Say: TableSocket.say_in_chat,
    protocol.ReportChat: TableSocket.report_chat,
    protocol.PageVisibility: TableSocket.page_visibility,
    protocol.Ping: TableSocket.ping,
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
        return kind(
            self.services, connection, client.player or b"", client.rate_limit_key, client.cookie
        )

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
