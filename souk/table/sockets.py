"""The socket at which one browser page sits at a table."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec

from souk.core.errors import IllegalMove
from souk.table import protocol
from souk.table.gathering import resign
from souk.table.house import House
from souk.table.limits import Places
from souk.table.lobby_sockets import LobbySocket
from souk.table.logs import trouble
from souk.table.protocol import NOBODY, VERSION
from souk.table.refusals import Refuse, reason_of, tried_again
from souk.table.relics import Unreadable
from souk.table.seating import usual_level
from souk.table.settings import Settings
from souk.table.socket_ends import (
    FAILED,
    OTHER_VERSION,
    UNKNOWN,
    Closed,
    Connection,
    Door,
    Ear,
    Megaphone,
    Visit,
)
from souk.table.table import Table
from souk.table.views import encode
from souk.table.visitors import Visitor, our_hosts
from souk.table.wall import Wall

_SECONDS_BETWEEN_SIGNS = 25.0  # of life
_ASKED_AT_ONCE = 20  # pages
_ADDRESS = re.compile(r"/api/(?:tables/([\w-]+)|lobby)/socket")
_LOBBY = ""  # the place of those who are at no table
_LAST_EVENT = 2**63 - 1  # beyond this no database counts

_BEFORE_WATCHING = (protocol.Watch, protocol.Ping)  # what may be asked for by whoever does not look on yet

_read_command = msgspec.json.Decoder(protocol.Command).decode


class Socket(Visit):
    """A page at a table: what it asks for, and what it is told."""

    __slots__ = ("_ear", "in_sight", "pace", "seat", "table", "watching")

    def __init__(
        self, house: House, connection: Connection, player: bytes, address: str = "", cookie: bytes | None = None
    ) -> None:
        super().__init__(house, connection, player, address, cookie)
        self.table: Table | None = None
        self.seat = NOBODY
        self.pace: protocol.Pace = "normal"
        self.in_sight = True
        self.watching = False
        self._ear = Ear(house.settings, _read_command)

    async def open(self, name: str) -> None:
        """Find the table; Closed where there is none."""
        try:
            table = await self._house.tables.take(name)
        except Unreadable as found:
            self.say(found.relic.shown())
            raise Closed(UNKNOWN) from None
        except Refuse as refused:
            self.say(protocol.Refused(None, refused.reason))
            raise Closed(UNKNOWN) from None
        except Exception as error:
            trouble("table failed", error, table=name)
            raise Closed(FAILED) from None
        if self.here:
            self.table = table
        else:  # the connection broke meanwhile
            self._house.tables.put_back(table)

    def leave(self) -> None:
        """The connection has ended."""
        self.here = False
        if self.table is not None:
            self._house.leave(self.table, self)
            self.table = None

    @property
    def lag(self) -> float:
        return self._connection.lag

    def measure_lag(self) -> None:
        self._connection.measure_lag()

    # ------------------------------------------------------------ in

    async def hear(self, text: str | None) -> None:
        """Carry out one message of the browser, or refuse it aloud. None: it was no text."""
        identity = None
        try:
            command: protocol.Command = self._ear.read(text)
            identity = getattr(command, "id", None)
            if self.table is None:
                raise Closed(UNKNOWN)
            if not self.watching and type(command) not in _BEFORE_WATCHING:
                raise Refuse("watch_first")
            if self.table.gone:
                raise Refuse("deleted", 404)
            if self.table.old and type(command) not in _BEFORE_WATCHING:
                raise Refuse("other_rules", 409)
            await self._carry_out(self.table, command)
        except Refuse as refused:
            self._house.gauges.refusals.labels(refused.key).inc()
            self.say(protocol.Refused(identity, refused.reason, refused.clause))
        except Closed:
            raise
        except Exception as error:
            trouble("command failed", error, table=self.table.id if self.table else "")
            raise Closed(FAILED) from None

    async def _carry_out(self, table: Table, command: protocol.Command) -> None:
        """The table stays in memory meanwhile, also where the connection breaks while something is written."""
        begin = time.perf_counter()
        table.guests += 1
        try:
            do = _DOING[type(command)]
            await tried_again(lambda: do(self, table, command))
        finally:
            self._house.tables.put_back(table)
            self._house.gauges.carried_out(time.perf_counter() - begin)

    async def watch(self, table: Table, command: protocol.Watch) -> None:
        if command.version != VERSION:
            self.say(protocol.Refused(None, Refuse("other_version").reason))
            raise Closed(OTHER_VERSION)
        if not -1 <= command.after <= _LAST_EVENT:
            raise Refuse("unreadable")
        mine = table.seats_of(self.player)
        if table.old:
            command.seat = NOBODY
        if command.seat is not None and command.seat != NOBODY and command.seat not in mine:
            raise Refuse("not_your_seat", 403)
        if command.seat is None:
            self.seat = self.seat if self.seat in mine else mine[0] if mine else NOBODY
        else:
            self.seat = command.seat
        self.watching, self.pace = True, command.pace
        await self._house.enter(table, self, command.after)

    async def move(self, table: Table, command: protocol.Move) -> None:
        """Whoever moves is told that it is kept before anybody is shown what came of it."""

        def acknowledge(seq: int) -> None:
            self.say(protocol.Done(command.id, seq))

        await self._house.croupier.play(table, self.player, command, self._house.time.now(), self.lag, acknowledge)

    async def ask(self, table: Table, command: protocol.Ask) -> None:
        table.check_owner(self.player, command.seat)
        table.check_begun()
        try:
            table.position.seen_by(command.seat).canonical_move(command.seat, command.move)
            self.say(protocol.Answer(command.id, True))
        except IllegalMove as error:
            self.say(protocol.Answer(command.id, False, reason_of(error), error.clause))

    async def take_back(self, table: Table, command: protocol.TakeBack) -> None:
        seq = await self._house.croupier.take_back(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def stand_in(self, table: Table, command: protocol.StandIn) -> None:
        seq = await self._house.croupier.stand_in(table, self.player, command)
        self.say(protocol.Done(command.id, seq))

    async def start(self, table: Table, command: protocol.Start) -> None:
        await self._house.gathering.start(table, self.player)
        self._house.croupier.see_to(table)
        self.say(protocol.Done(command.id, table.course.seq))

    async def get_up(self, table: Table, command: protocol.GetUp) -> None:
        await self._house.gathering.leave(table, self.player)
        self._house.foyer.stir(table)
        self.say(protocol.Done(command.id, table.course.seq))

    async def cancel(self, table: Table, command: protocol.Cancel) -> None:
        await self._house.gathering.cancel(table, self.player)
        self._house.foyer.stir(table)
        self.say(protocol.Done(command.id, table.course.seq))

    async def resign(self, table: Table, command: protocol.Resign) -> None:
        await resign(table, self.player, usual_level(self._house.settings.levels))
        self._house.croupier.see_to(table)
        self.say(protocol.Done(command.id, table.course.seq))

    async def rematch(self, table: Table, command: protocol.Rematch) -> None:
        seq = await self._house.croupier.rematch(table, self.player, self.address, command.commitment)
        self.say(protocol.Done(command.id, seq))

    async def commit(self, table: Table, command: protocol.Commit) -> None:
        await self._house.croupier.beginnings.commit(table, self.player, command)
        self._house.croupier.see_to(table)
        self.say(protocol.Done(command.id, table.course.seq))

    async def open_share(self, table: Table, command: protocol.Open) -> None:
        await self._house.croupier.beginnings.open(table, self.player, command)
        self.say(protocol.Done(command.id, table.course.seq))

    async def hint(self, table: Table, command: protocol.Hint) -> None:
        self.say(await self._house.coach.hint(table, self.player, self.address, command))

    async def weigh(self, table: Table, command: protocol.Weigh) -> None:
        self.say(await self._house.coach.weigh(table, self.player, self.address, command))

    async def agree(self, table: Table, command: protocol.Agree) -> None:
        await self._house.coach.agree(table, self.player, command)
        self.say(protocol.Done(command.id, table.course.seq))

    async def propose(self, table: Table, command: protocol.Propose) -> None:
        self.say(protocol.Done(command.id, await self._house.agreements.propose(table, self.player, command)))

    async def respond(self, table: Table, command: protocol.Respond) -> None:
        self.say(protocol.Done(command.id, await self._house.agreements.respond(table, self.player, command)))

    async def resume(self, table: Table, command: protocol.Resume) -> None:
        self.say(protocol.Done(command.id, await self._house.agreements.resume(table, self.player, command)))

    async def come_back(self, table: Table, command: protocol.ComeBack) -> None:
        self.say(protocol.Done(command.id, await self._house.agreements.come_back(table, self.player, command)))

    async def decide_away(self, table: Table, command: protocol.DecideAway) -> None:
        self.say(protocol.Done(command.id, await self._house.agreements.decide_away(table, self.player, command)))

    async def say_aloud(self, table: Table, command: protocol.Say) -> None:
        await self._house.talk.say(table, self.player, command)
        self.say(protocol.Done(command.id, table.course.seq))

    async def report(self, table: Table, command: protocol.ReportSaying) -> None:
        await self._house.talk.report(table, self.player, command)
        self.say(protocol.Done(command.id, table.course.seq))

    async def sight(self, table: Table, command: protocol.Sight) -> None:
        self.in_sight = command.visible
        self._house.presence.looks(table)
        self.say(protocol.Done(command.id, table.course.seq))

    async def ping(self, _table: Table, command: protocol.Ping) -> None:
        self.say(protocol.Pong(command.id))


_DOING: dict[type, Callable[[Socket, Table, Any], Awaitable[None]]] = {
    protocol.Watch: Socket.watch,
    protocol.Move: Socket.move,
    protocol.Ask: Socket.ask,
    protocol.TakeBack: Socket.take_back,
    protocol.StandIn: Socket.stand_in,
    protocol.Start: Socket.start,
    protocol.GetUp: Socket.get_up,
    protocol.Cancel: Socket.cancel,
    protocol.Resign: Socket.resign,
    protocol.Rematch: Socket.rematch,
    protocol.Commit: Socket.commit,
    protocol.Open: Socket.open_share,
    protocol.Hint: Socket.hint,
    protocol.Weigh: Socket.weigh,
    protocol.Agree: Socket.agree,
    protocol.Propose: Socket.propose,
    protocol.Respond: Socket.respond,
    protocol.Resume: Socket.resume,
    protocol.ComeBack: Socket.come_back,
    protocol.DecideAway: Socket.decide_away,
    protocol.Say: Socket.say_aloud,
    protocol.ReportSaying: Socket.report,
    protocol.Sight: Socket.sight,
    protocol.Ping: Socket.ping,
}


class Sockets:
    """All sockets of a server."""

    def __init__(self, house: House, settings: Settings, wall: Wall) -> None:
        self.house, self.settings, self.wall = house, settings, wall
        self.places = Places(settings.sockets)
        self.hosts = our_hosts(settings)
        self.wires: set[Door] = set()
        self._announced = ""
        house.upkeep.heard = self.heed
        house.doors.changed = self.heed_doors

    def heed(self) -> None:
        """The host has something to say: to everybody, or that somebody is not welcome any longer."""
        self.wall.banned = self.house.upkeep.banned
        if self.house.upkeep.announcement != self._announced:
            self._announced = self.house.upkeep.announcement
            message = encode(protocol.Announcement(self._announced))
            for wire in self.wires:
                wire.post(message)
        for wire in list(self.wires):
            wire.leave_if_banned()

    def heed_doors(self) -> None:
        """Some devices were signed out."""
        for wire in list(self.wires):
            wire.leave_if_signed_out()

    def place_in(self, path: str) -> str | None:
        """The table whose socket has this address, "" for the lobby's; None where there is no socket."""
        found = _ADDRESS.fullmatch(path.partition("?")[0])
        return (found[1] or _LOBBY) if found else None

    def socket_at(self, place: str, connection: Megaphone, visitor: Visitor) -> Socket | LobbySocket:
        kind = LobbySocket if place == _LOBBY else Socket
        return kind(self.house, connection, visitor.player or b"", visitor.counted_as, visitor.cookie)

    async def look_for_life(self) -> None:
        """Ask all connections now and then whether they are still there: one that broke without a word would stay for ever. A few at a time, evenly over
        the whole while: the answers of thousands at once would keep those waiting who play."""
        while True:
            wires = list(self.wires)
            heaps = [wires[at : at + _ASKED_AT_ONCE] for at in range(0, len(wires), _ASKED_AT_ONCE)]
            for heap in heaps or [[]]:
                await asyncio.sleep(_SECONDS_BETWEEN_SIGNS / max(1, len(heaps)))
                for wire in heap:
                    wire.ask_whether_alive()
