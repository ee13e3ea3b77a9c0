"""Websocket connections. uvicorn hands over each one that asks for a socket; the protocol itself is that of `websockets`.

There is no task and no timer for a connection that is silent: a thousand tables wait in little memory. Commands of one connection
are carried out one after the other. Beside uvicorn's stock layer in one run (bench/wires.py: 150 tables, 300 sockets, six rounds in turn) the
server's processor time for a move is the same, 3.3 and 3.2 ms, and a table with two sockets takes 27 kB in the place of 74: that is what it is kept for.

What comes is read in slices, each frame is counted whatever it holds, and what waits to be written is looked at with every write: a
connection that sends much, or reads nothing, is held up or cut off, and nobody else waits for it.
"""

import asyncio
from collections import deque
from http import HTTPStatus
from typing import Any
from uuid import UUID

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN, SERVER, Protocol
from websockets.server import ServerProtocol

from souk.table.frames import text_frame
from souk.table.limits import Bucket
from souk.table.lobby_sockets import LobbySocket
from souk.table.logs import QUIET, trouble
from souk.table.protocol import Refused
from souk.table.refusals import Refuse
from souk.table.socket_ends import BANNED, LARGEST, SIGNED_OUT, TOO_FAST, TOO_LARGE, Closed
from souk.table.sockets import Socket, Sockets
from souk.table.visitors import Visitor

MOST_WAITING = 1_000_000  # bytes that a slow connection may be behind
_MOST_COMMANDS = 16  # that wait; then nothing more is read
_MOST_PARTS = 16  # of a message
_SLICE = 2048  # bytes that are read at a time; then others have their turn
_PATIENCE = 10.0  # seconds that a connection is held up, in all, before it is closed
_SECONDS_TO_CLOSE = 3.0
_SECONDS_TO_ANSWER = 10.0

_SIGN = b"souk"  # of life
_ID = UUID(int=0)  # of all connections: nobody looks at it, and each would make one of its own
_DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)


class Wire(asyncio.Protocol):
    """One connection, from its handshake to its end."""

    __slots__ = (
        "_address",
        "_asked",
        "_bytes",
        "_closing",
        "_commands",
        "_conn",
        "_frames",
        "_late",
        "_parts",
        "_paused",
        "_silent_since",
        "_socket",
        "_sockets",
        "_state",
        "_transport",
        "_unread",
        "_waits",
        "_working",
        "lag",
    )

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:  # noqa: ARG002  as uvicorn calls it
        self._state = server_state
        self._sockets: Sockets = app_state["sockets"]
        self._conn: Protocol = ServerProtocol(logger=QUIET)  # for the handshake only
        self._transport: Any = None
        self._socket: Socket | LobbySocket | None = None
        self._commands: deque[str | None] | None = None
        self._parts: list[bytes] | None = None  # of a message that comes in several
        self._working = self._closing = False
        self._address: str | None = None  # under which it is counted
        self._unread = b""
        self._waits = self._paused = False  # for its turn to be read; whether nothing more is taken from the network
        settings = self._sockets.settings
        self._frames = Bucket(settings.frame_rate, settings.frame_burst)
        self._bytes = Bucket(settings.byte_rate, settings.byte_burst)
        self._late = 0.0  # seconds that it was held up
        # When it was asked whether it is there, by the loop's time; 0 where anything was heard since.
        self._silent_since = 0.0
        self.lag = 0.0  # seconds to the other end and back, as last measured
        self._asked = 0.0  # when it was asked for a sign, by the loop's time; 0 where it has answered

    # ------------------------------------------------------------ what the transport says

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._state.connections.add(self)
        self._sockets.wires.add(self)

    def data_received(self, data: bytes) -> None:
        self._silent_since = 0.0
        if isinstance(self._conn, ServerProtocol):
            self._begin(self._conn, data)
            return
        self._unread += data
        if not self._waits:
            self._read_on()

    def eof_received(self) -> None:
        pass

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  as asyncio calls it
        self._state.connections.discard(self)
        self._sockets.wires.discard(self)
        self._sockets.wall.leave(self._transport)
        self._unread = b""
        if self._address is not None:
            self._sockets.places.leave(self._address)
        self._commands = None
        if self._socket is not None:
            self._socket.leave()
        self._socket = None  # it knows this connection: see `souk.table.garbage`

    def shutdown(self) -> None:
        """The server stops."""
        self.close(1012)
        self._transport.close()

    # ------------------------------------------------------------ out

    def post(self, message: bytes) -> None:
        """Send a message. uvloop writes it at once: an acknowledgement does not wait for what is told after it."""
        self.post_frame(text_frame(message))

    def post_frame(self, frame: bytes) -> None:
        """Send a frame, which many others may be sent too. Whoever is far behind is cut off, so that nobody waits for them."""
        if self._conn.state is OPEN and not self._transport.is_closing():
            self._transport.write(frame)
            self._give_up_if_behind()

    def ask_whether_alive(self) -> None:
        """Ask the other end for a sign of life; end the connection where the last question was not answered, though there was time to."""
        now = asyncio.get_running_loop().time()
        if self._silent_since:
            if now - self._silent_since >= _SECONDS_TO_ANSWER:
                self._transport.abort()
        elif self._conn.state is OPEN:
            self._silent_since = now
            self.measure_lag()

    def measure_lag(self) -> None:
        """Ask the other end for a sign of life, to know how long that takes. Who has not answered yet is not asked again."""
        if self._conn.state is OPEN and not self._asked:
            self._asked = asyncio.get_running_loop().time()
            self._conn.send_ping(_SIGN)
            self._write()

    def leave_if_banned(self) -> None:
        """Whoever is no longer welcome is told so."""
        if self._socket is not None and self._sockets.wall.is_banned(self._socket.address, self._socket.player):
            self._socket.say(Refused(None, Refuse("banned").reason))
            self.close(BANNED)

    def leave_if_signed_out(self) -> None:
        """Whoever came by a door that leads elsewhere by now is told so."""
        if self._socket is not None and self._socket.is_signed_out:
            self._socket.say(Refused(None, Refuse("signed_out").reason))
            self.close(SIGNED_OUT)

    def close(self, code: int) -> None:
        if self._conn.state is OPEN:
            self._conn.send_close(code)
            self._write()
            self._close_soon()

    def _close_soon(self) -> None:
        """Not at once: the other end is to read why. Then whatever it has not read is given up."""
        if not self._closing:
            self._closing = True
            asyncio.get_running_loop().call_later(_SECONDS_TO_CLOSE, self._transport.abort)

    def _write(self) -> None:
        data = self._conn.data_to_send()
        if not data or self._transport.is_closing():
            return
        self._transport.write(b"".join(data))
        if not self._give_up_if_behind() and not data[-1]:  # all is said
            self._close_soon()
            self._transport.close()

    def _give_up_if_behind(self) -> bool:
        """Whether the other end reads so slowly that it is cut off."""
        if self._transport.get_write_buffer_size() <= MOST_WAITING:
            return False
        self._sockets.wall.refuse("sockets: read too slowly")
        self._transport.abort()
        return True

    # ------------------------------------------------------------ in

    def _read_on(self) -> None:
        """Read the next slice, then let others have their turn; whoever sends more than their share waits longer."""
        self._waits = False
        if self._transport.is_closing():
            return
        data, self._unread = self._unread[:_SLICE], self._unread[_SLICE:]
        late = self._read(data) if data else 0.0
        self._late += late
        if self._late > _PATIENCE:
            self._sockets.wall.refuse("sockets: too many frames")
            self.close(TOO_FAST)
            self._close_soon()
        if self._closing or len(self._commands or ()) > _MOST_COMMANDS:
            self._pause()  # `_carry_out` goes on
        elif late or self._unread:
            self._pause()
            self._waits = True
            asyncio.get_running_loop().call_later(late, self._read_on)
        elif self._paused:
            self._paused = False
            self._transport.resume_reading()

    def _read(self, data: bytes) -> float:
        """Read frames; returns the seconds for which nothing more is to be read."""
        self._conn.receive_data(data)
        events = self._conn.events_received()
        for event in events:
            if isinstance(event, Frame) and event.opcode in _DATA:
                self._message(event)
            elif isinstance(event, Frame) and event.opcode is Opcode.PONG and event.data == _SIGN and self._asked:
                self.lag, self._asked = asyncio.get_running_loop().time() - self._asked, 0.0
        self._write()
        if self._conn.close_expected():
            self._close_soon()
        return max(self._frames.spend(len(events) or 1), self._bytes.spend(len(data)))

    def _pause(self) -> None:
        if not self._paused and not self._transport.is_closing():
            self._paused = True
            self._transport.pause_reading()

    def _begin(self, conn: ServerProtocol, data: bytes) -> None:
        """The handshake. Should it fail in a way nobody thought of, the connection is ended and forgotten."""
        try:
            conn.receive_data(data)
            for event in conn.events_received():
                if isinstance(event, Request):
                    self._shake_hands(conn, event)
            self._write()
        except Exception as error:
            trouble("handshake failed", error)
            self._transport.abort()
            return
        if conn.state is not OPEN:
            self._close_soon()

    def _shake_hands(self, conn: ServerProtocol, request: Request) -> None:
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in request.headers.raw_items()]
        secure = self._transport.get_extra_info("sslcontext") is not None
        peer = self._transport.get_extra_info("peername")
        scope = {"headers": headers, "client": peer, "scheme": "wss" if secure else "ws"}
        visitor = Visitor(scope, self._sockets.settings.proxies, self._sockets.house.doors.who)
        response = conn.accept(request)
        place = self._sockets.place_in(request.path)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            if not visitor.means(self._sockets.hosts):
                response = conn.reject(HTTPStatus.MISDIRECTED_REQUEST, "This server has another name.\n")
            elif not visitor.is_at_home(self._sockets.settings.origins):
                response = conn.reject(HTTPStatus.FORBIDDEN, "This page does not belong to this server.\n")
            elif self._sockets.wall.is_banned(visitor.counted_as, visitor.player):
                self._sockets.wall.refuse("banned")
                response = conn.reject(HTTPStatus.FORBIDDEN, "The host of this server has closed it to you.\n")
            elif place is None:
                response = conn.reject(HTTPStatus.NOT_FOUND, "There is no socket here.\n")
        conn.send_response(response)
        self._write()
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS or place is None:
            return
        # What the handshake has read is let go. Beyond this size no refusal is read; up to it there is one in words.
        self._conn = Protocol(SERVER, max_size=4 * LARGEST, logger=QUIET)
        self._conn.id = _ID
        self._socket = self._sockets.socket_at(place, self, visitor)
        if self._sockets.places.enter(visitor.counted_as):
            self._address = visitor.counted_as
            self._work_on(self._open(place))
        else:
            self._work_on(self._too_many())

    def _message(self, frame: Frame) -> None:
        """A message, or a part of one."""
        if frame.opcode is Opcode.CONT or not frame.fin:
            self._parts = self._parts or []
            self._parts.append(bytes(frame.data))
            if len(self._parts) > _MOST_PARTS:
                self._sockets.wall.refuse("sockets: a message in too many parts")
                self.close(TOO_LARGE)
            if not frame.fin or len(self._parts) > _MOST_PARTS:
                return
        data, self._parts = b"".join(self._parts or [bytes(frame.data)]), None
        if self._conn.state is not OPEN or self._socket is None:
            return
        try:
            text = data.decode() if frame.opcode is not Opcode.BINARY else None
        except UnicodeDecodeError:
            text = None
        if self._commands is None:
            self._commands = deque()
        self._commands.append(text)
        if not self._working:
            self._work_on(self._carry_out())

    # ------------------------------------------------------------ working

    def _work_on(self, work: Any) -> None:
        """In a task that the server waits for before it stops."""
        self._working = True
        task = asyncio.get_running_loop().create_task(work)
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    async def _open(self, place: str) -> None:
        if self._socket is None:  # the connection has broken meanwhile
            return
        try:
            await self._socket.open(place)
        except Closed as closed:
            self.close(closed.code)
        await self._carry_out()

    async def _too_many(self) -> None:
        if self._socket is not None:
            self.close(self._socket.refuse_too_many())

    async def _carry_out(self) -> None:
        """All commands that are waiting."""
        try:
            while self._socket is not None and self._commands and self._conn.state is OPEN:
                await self._socket.hear(self._commands.popleft())
                if len(self._commands or ()) == _MOST_COMMANDS // 2:
                    self._go_on()
        except Closed as closed:
            self.close(closed.code)
        finally:
            self._working = False
            self._commands = None
            self._go_on()

    def _go_on(self) -> None:
        """Read again, where commands were too many."""
        if self._paused and not self._waits and not self._closing:
            self._read_on()
