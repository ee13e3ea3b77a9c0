"""WebSocket connections: uvicorn hands over each upgrade, `websockets` does the protocol.

Silent connections have no task and no timer. Compared with uvicorn's own layer
(bench/server/websocket.py, 150 tables, 300 sockets), a move costs the same CPU time (3.3 and 3.2
ms), but a table with two sockets takes 27 kB instead of 74.

Input is read in slices, every frame counts against a limit, and the output buffer is checked with
every write: a connection that floods or does not read is throttled or closed without delaying
others.
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

from souk.server.common.client import Client
from souk.server.common.frames import text_frame
from souk.server.common.logs import QUIET, log_error
from souk.server.common.rate_limits import TokenBucket
from souk.server.net.connection import BANNED, LARGEST, SIGNED_OUT, TOO_FAST, TOO_LARGE, CloseSocket
from souk.server.net.lobby_socket import LobbySocket
from souk.server.net.table_socket import SocketServer, TableSocket
from souk.server.protocol.errors import RequestRefused
from souk.server.protocol.table import Refused

MOST_WAITING = 1_000_000  # unsent bytes before a slow connection is closed
_MOST_COMMANDS = 16  # queued; then reading pauses
_MOST_PARTS = 16  # of a fragmented message
_SLICE = 2048  # bytes read at a time
_PATIENCE = 10.0  # seconds a connection is throttled in total before it is closed
_SECONDS_TO_CLOSE = 3.0
_SECONDS_TO_ANSWER = 10.0

_PING = b"souk"  # payload
_ID = UUID(int=0)  # shared by all connections: unused, and expensive to generate
_DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)


class WebSocketConnection(asyncio.Protocol):
    """One connection, from handshake to end."""

    __slots__ = (
        "_address",
        "_bytes",
        "_closing",
        "_commands",
        "_conn",
        "_frames",
        "_is_queued",
        "_parts",
        "_paused",
        "_pinged_at",
        "_silent_since",
        "_socket",
        "_sockets",
        "_state",
        "_throttled",
        "_transport",
        "_unread",
        "_working",
        "lag",
    )

    def __init__(
        self,
        config: Any,  # noqa: ARG002  uvicorn passes it
        server_state: Any,
        app_state: dict[str, Any],
        _loop: Any = None,
    ) -> None:
        self._state = server_state
        self._sockets: SocketServer = app_state["sockets"]
        self._conn: Protocol = ServerProtocol(logger=QUIET)  # replaced after the handshake
        self._transport: Any = None
        self._socket: TableSocket | LobbySocket | None = None
        self._commands: deque[str | None] | None = None
        self._parts: list[bytes] | None = None  # of a fragmented message
        self._working = self._closing = False
        self._address: str | None = None  # as counted by the limits
        self._unread = b""
        self._is_queued = False  # for its turn to be read
        self._paused = False  # nothing more is taken from the network

        limits = self._sockets.config
        self._frames = TokenBucket(limits.frame_rate, limits.frame_burst)
        self._bytes = TokenBucket(limits.byte_rate, limits.byte_burst)
        self._throttled = 0.0  # seconds it was throttled
        # Loop time of the first unanswered ping; 0 if anything was received since.
        self._silent_since = 0.0
        self.lag = 0.0  # round-trip time in seconds, as last measured
        self._pinged_at = 0.0  # loop time of the pending ping; 0 if none

    # ------------------------------------------------------------ transport callbacks

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._state.connections.add(self)
        self._sockets.connections.add(self)

    def data_received(self, data: bytes) -> None:
        self._silent_since = 0.0
        if isinstance(self._conn, ServerProtocol):
            self._handshake(self._conn, data)
            return
        self._unread += data
        if not self._is_queued:
            self._read_slice()

    def eof_received(self) -> None:
        pass

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  asyncio passes it
        self._state.connections.discard(self)
        self._sockets.connections.discard(self)
        self._sockets.admission.leave(self._transport)
        self._unread = b""
        if self._address is not None:
            self._sockets.places.leave(self._address)
        self._commands = None
        if self._socket is not None:
            self._socket.leave()
        self._socket = None  # breaks a reference cycle: see `souk.server.common.gc_tuning`

    def shutdown(self) -> None:
        """The server stops."""
        self.close(1012)
        self._transport.close()

    def drop(self) -> None:
        self._transport.abort()

    # ------------------------------------------------------------ sending

    def post(self, message: bytes) -> None:
        """Send a message. uvloop writes it at once, so an acknowledgement does not wait for later
        messages.
        """
        self.post_frame(text_frame(message))

    def post_frame(self, frame: bytes) -> None:
        """Send a prebuilt frame, which may go to many. A connection too far behind is closed."""
        if self._conn.state is OPEN and not self._transport.is_closing():
            self._transport.write(frame)
            self._abort_if_behind()

    def ping(self) -> None:
        """Ping, or abort if the last ping was not answered in time."""
        now = asyncio.get_running_loop().time()
        if self._silent_since:
            if now - self._silent_since >= _SECONDS_TO_ANSWER:
                self._transport.abort()
        elif self._conn.state is OPEN:
            self._silent_since = now
            self.measure_lag()

    def measure_lag(self) -> None:
        """Ping to measure the round-trip time, unless a ping is pending."""
        if self._conn.state is OPEN and not self._pinged_at:
            self._pinged_at = asyncio.get_running_loop().time()
            self._conn.send_ping(_PING)
            self._write()

    def close_if_banned(self) -> None:
        """Close with a reason if the player is banned."""
        if self._socket is not None and self._sockets.admission.is_banned(
            self._socket.address, self._socket.player
        ):
            self._socket.say(Refused(None, RequestRefused("banned").reason))
            self.close(BANNED)

    def close_if_signed_out(self) -> None:
        """Close with a reason if the device is signed out."""
        if self._socket is not None and self._socket.is_signed_out:
            self._socket.say(Refused(None, RequestRefused("signed_out").reason))
            self.close(SIGNED_OUT)

    def close(self, code: int) -> None:
        if self._conn.state is OPEN:
            self._conn.send_close(code)
            self._write()
            self._close_soon()

    def _close_soon(self) -> None:
        """Close after a while, so that the other end can read why."""
        if not self._closing:
            self._closing = True
            asyncio.get_running_loop().call_later(_SECONDS_TO_CLOSE, self._transport.abort)

    def _write(self) -> None:
        data = self._conn.data_to_send()
        if not data or self._transport.is_closing():
            return
        self._transport.write(b"".join(data))
        if not self._abort_if_behind() and not data[-1]:  # the closing handshake is complete
            self._close_soon()
            self._transport.close()

    def _abort_if_behind(self) -> bool:
        """Abort if the other end reads too slowly; returns whether it did."""
        if self._transport.get_write_buffer_size() <= MOST_WAITING:
            return False
        self._sockets.admission.refuse("sockets: read too slowly")
        self._transport.abort()
        return True

    # ------------------------------------------------------------ receiving

    def _read_slice(self) -> None:
        """Read the next slice, then let others have their turn; over the limits, wait longer."""
        self._is_queued = False
        if self._transport.is_closing():
            return
        data, self._unread = self._unread[:_SLICE], self._unread[_SLICE:]
        delay = self._read(data) if data else 0.0
        self._throttled += delay
        if self._throttled > _PATIENCE:
            self._sockets.admission.refuse("sockets: too many frames")
            self.close(TOO_FAST)
            self._close_soon()
        if self._closing or len(self._commands or ()) > _MOST_COMMANDS:
            self._pause()  # `_carry_out` resumes
        elif delay or self._unread:
            self._pause()
            self._is_queued = True
            asyncio.get_running_loop().call_later(delay, self._read_slice)
        elif self._paused:
            self._paused = False
            self._transport.resume_reading()

    def _read(self, data: bytes) -> float:
        """Parse frames; returns seconds to wait before reading more."""
        self._conn.receive_data(data)
        events = self._conn.events_received()
        for event in events:
            if isinstance(event, Frame) and event.opcode in _DATA:
                self._handle_frame(event)
            elif (
                isinstance(event, Frame)
                and event.opcode is Opcode.PONG
                and event.data == _PING
                and self._pinged_at
            ):
                self.lag, self._pinged_at = asyncio.get_running_loop().time() - self._pinged_at, 0.0
        self._write()
        if self._conn.close_expected():
            self._close_soon()
        return max(self._frames.spend(len(events) or 1), self._bytes.spend(len(data)))

    def _pause(self) -> None:
        if not self._paused and not self._transport.is_closing():
            self._paused = True
            self._transport.pause_reading()

    def _handshake(self, conn: ServerProtocol, data: bytes) -> None:
        """The handshake. Unexpected errors end the connection."""
        try:
            conn.receive_data(data)
            for event in conn.events_received():
                if isinstance(event, Request):
                    self._accept(conn, event)
            self._write()
        except Exception as error:
            log_error("handshake failed", error)
            self._transport.abort()
            return
        if conn.state is not OPEN:
            self._close_soon()

    def _accept(self, conn: ServerProtocol, request: Request) -> None:
        """Answer the upgrade request, and open the socket of its path."""
        headers = [
            (name.lower().encode(), value.encode("latin-1"))
            for name, value in request.headers.raw_items()
        ]
        secure = self._transport.get_extra_info("sslcontext") is not None
        peer = self._transport.get_extra_info("peername")
        scope = {"headers": headers, "client": peer, "scheme": "wss" if secure else "ws"}
        client = Client(
            scope, self._sockets.config.proxies, self._sockets.services.sessions.player_of
        )
        response = conn.accept(request)
        place = self._sockets.place_in(request.path)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS and (
            rejection := self._rejection(client, place)
        ):
            response = conn.reject(*rejection)
        conn.send_response(response)
        self._write()
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS or place is None:
            return
        # Free what the handshake read. Messages above this size close the connection; up to it they
        # are refused with a reason.
        self._conn = Protocol(SERVER, max_size=4 * LARGEST, logger=QUIET)
        self._conn.id = _ID
        self._socket = self._sockets.socket_at(place, self, client)
        if self._sockets.places.enter(client.rate_limit_key):
            self._address = client.rate_limit_key
            self._start_task(self._open(place))
        else:
            self._start_task(self._refuse_too_many())

    def _rejection(self, client: Client, place: str | None) -> tuple[HTTPStatus, str] | None:
        """Why a client gets no socket, if so."""
        if not client.means(self._sockets.hosts):
            return HTTPStatus.MISDIRECTED_REQUEST, "This server has another name.\n"
        if not client.is_same_origin(self._sockets.config.origins):
            return HTTPStatus.FORBIDDEN, "This page does not belong to this server.\n"
        if self._sockets.admission.is_banned(client.rate_limit_key, client.player):
            self._sockets.admission.refuse("banned")
            return HTTPStatus.FORBIDDEN, "The host of this server has closed it to you.\n"
        if place is None:
            return HTTPStatus.NOT_FOUND, "There is no socket here.\n"
        return None

    def _handle_frame(self, frame: Frame) -> None:
        """A data frame: a message or a fragment of one."""
        if frame.opcode is Opcode.CONT or not frame.fin:
            self._parts = self._parts or []
            self._parts.append(bytes(frame.data))
            if len(self._parts) > _MOST_PARTS:
                self._sockets.admission.refuse("sockets: a message in too many parts")
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
            self._start_task(self._carry_out())

    # ------------------------------------------------------------ tasks

    def _start_task(self, work: Any) -> None:
        """Run in a task that the server awaits before it stops."""
        self._working = True
        task = asyncio.get_running_loop().create_task(work)
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    async def _open(self, place: str) -> None:
        if self._socket is None:  # disconnected meanwhile
            return
        try:
            await self._socket.open(place)
        except CloseSocket as closed:
            self.close(closed.code)
        await self._carry_out()

    async def _refuse_too_many(self) -> None:
        if self._socket is not None:
            self.close(self._socket.refuse_too_many())

    async def _carry_out(self) -> None:
        """Carry out all queued commands."""
        try:
            while self._socket is not None and self._commands and self._conn.state is OPEN:
                await self._socket.handle(self._commands.popleft())
                if len(self._commands or ()) == _MOST_COMMANDS // 2:
                    self._resume()
        except CloseSocket as closed:
            self.close(closed.code)
        finally:
            self._working = False
            self._commands = None
            self._resume()

    def _resume(self) -> None:
        """Resume reading after too many queued commands."""
        if self._paused and not self._is_queued and not self._closing:
            self._read_slice()
