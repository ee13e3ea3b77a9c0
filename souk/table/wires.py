"""Websocket connections. uvicorn hands over each one that asks for a socket; the protocol itself is that of `websockets`.

There is no task and no timer for a connection that is silent: a thousand tables wait in little memory. Commands of one connection
are carried out one after the other.
"""

import asyncio
from collections import deque
from http import HTTPStatus
from typing import Any

from websockets.frames import Frame, Opcode
from websockets.http11 import Request
from websockets.protocol import OPEN, SERVER, Protocol
from websockets.server import ServerProtocol

from souk.table.logs import QUIET
from souk.table.sockets import LARGEST, TOO_SLOW, Closed, Socket, Sockets
from souk.table.visitors import Visitor

MOST_WAITING = 1_000_000  # bytes that a slow connection may be behind
_MOST_COMMANDS = 16  # that wait; then nothing more is read
_SECONDS_TO_CLOSE = 3.0

_DATA = (Opcode.TEXT, Opcode.BINARY, Opcode.CONT)


class Wire(asyncio.Protocol):
    """One connection, from its handshake to its end."""

    __slots__ = (
        "_address",
        "_commands",
        "_conn",
        "_parts",
        "_socket",
        "_sockets",
        "_state",
        "_transport",
        "_working",
        "_writing",
        "alive",
    )

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:  # noqa: ARG002  as uvicorn calls it
        self._state = server_state
        self._sockets: Sockets = app_state["sockets"]
        self._conn: Protocol = ServerProtocol(logger=QUIET)  # for the handshake only
        self._transport: Any = None
        self._socket: Socket | None = None
        self._commands: deque[str | None] | None = None
        self._parts: list[bytes] | None = None  # of a message that comes in several
        self._working = self._writing = False
        self._address: str | None = None  # under which it is counted
        self.alive = True  # whether anything was heard since it was last asked

    # ------------------------------------------------------------ what the transport says

    def connection_made(self, transport: Any) -> None:
        self._transport = transport
        self._state.connections.add(self)
        self._sockets.wires.add(self)

    def data_received(self, data: bytes) -> None:
        self.alive = True
        self._conn.receive_data(data)
        for event in self._conn.events_received():
            if isinstance(event, Request) and isinstance(self._conn, ServerProtocol):
                self._shake_hands(self._conn, event)
            elif isinstance(event, Frame) and event.opcode in _DATA:
                self._message(event)
        self._write()
        if self._conn.close_expected():
            self._close_soon()

    def eof_received(self) -> None:
        pass

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  as asyncio calls it
        self._state.connections.discard(self)
        self._sockets.wires.discard(self)
        if self._address is not None:
            self._sockets.places.leave(self._address)
        self._commands = None
        if self._socket is not None:
            self._socket.leave()

    def shutdown(self) -> None:
        """The server stops."""
        self.close(1012)
        self._transport.close()

    # ------------------------------------------------------------ out

    def post(self, message: bytes) -> None:
        """Send a message. Whoever is far behind is cut off, so that nobody waits for them."""
        if self._conn.state is not OPEN or self._transport.is_closing():
            return
        self._conn.send_text(message)
        if not self._writing:  # in a moment, together with whatever else is said to this page
            self._writing = True
            asyncio.get_running_loop().call_soon(self._write_all)

    def _write_all(self) -> None:
        self._writing = False
        self._write()
        if not self._transport.is_closing() and self._transport.get_write_buffer_size() > MOST_WAITING:
            self.close(TOO_SLOW)
            self._transport.abort()

    def ask_whether_alive(self) -> None:
        """Ask the other end for a sign of life; end the connection where the last question was not answered."""
        if not self.alive:
            self._transport.abort()
        elif self._conn.state is OPEN:
            self.alive = False
            self._conn.send_ping(b"souk")
            self._write()

    def close(self, code: int) -> None:
        if self._conn.state is OPEN:
            self._conn.send_close(code)
            self._write()
            self._close_soon()

    def _close_soon(self) -> None:
        """Not at once: the other end is to read why."""
        asyncio.get_running_loop().call_later(_SECONDS_TO_CLOSE, self._transport.close)

    def _write(self) -> None:
        data = self._conn.data_to_send()
        if not data or self._transport.is_closing():
            return
        self._transport.write(b"".join(data))
        if not data[-1]:  # all is said
            self._transport.close()

    # ------------------------------------------------------------ in

    def _shake_hands(self, conn: ServerProtocol, request: Request) -> None:
        headers = [(name.lower().encode(), value.encode("latin-1")) for name, value in request.headers.raw_items()]
        secure = self._transport.get_extra_info("sslcontext") is not None
        peer = self._transport.get_extra_info("peername")
        scope = {"headers": headers, "client": peer, "scheme": "wss" if secure else "ws"}
        visitor = Visitor(scope, self._sockets.settings.proxies)
        response = conn.accept(request)
        table = self._sockets.table_in(request.path)
        if response.status_code == HTTPStatus.SWITCHING_PROTOCOLS:
            if not visitor.is_at_home(self._sockets.settings.origins):
                response = conn.reject(HTTPStatus.FORBIDDEN, "This page does not belong to this server.\n")
            elif table is None:
                response = conn.reject(HTTPStatus.NOT_FOUND, "There is no socket here.\n")
        conn.send_response(response)
        self._write()
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS or table is None:
            return
        # What the handshake has read is let go. Beyond this size no refusal is read; up to it there is one in words.
        self._conn = Protocol(SERVER, max_size=4 * LARGEST, logger=QUIET)
        self._socket = Socket(self._sockets.house, self, visitor.player or b"")
        if self._sockets.places.enter(visitor.address):
            self._address = visitor.address
            self._work_on(self._open(table))
        else:
            self._work_on(self._too_many())

    def _message(self, frame: Frame) -> None:
        """A message, or a part of one."""
        if frame.opcode is Opcode.CONT or not frame.fin:
            self._parts = [*(self._parts or []), bytes(frame.data)]
            if not frame.fin:
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
        if len(self._commands) > _MOST_COMMANDS and not self._transport.is_closing():
            self._transport.pause_reading()
        if not self._working:
            self._work_on(self._carry_out())

    # ------------------------------------------------------------ working

    def _work_on(self, work: Any) -> None:
        """In a task that the server waits for before it stops."""
        self._working = True
        task = asyncio.get_running_loop().create_task(work)
        self._state.tasks.add(task)
        task.add_done_callback(self._state.tasks.discard)

    async def _open(self, table: str) -> None:
        assert self._socket is not None
        try:
            await self._socket.open(table)
        except Closed as closed:
            self.close(closed.code)
        await self._carry_out()

    async def _too_many(self) -> None:
        assert self._socket is not None
        self.close(self._socket.refuse_too_many())

    async def _carry_out(self) -> None:
        """All commands that are waiting."""
        assert self._socket is not None
        try:
            while self._commands and self._conn.state is OPEN:
                await self._socket.hear(self._commands.popleft())
                if len(self._commands or ()) == _MOST_COMMANDS // 2 and not self._transport.is_closing():
                    self._transport.resume_reading()
        except Closed as closed:
            self.close(closed.code)
        finally:
            self._working = False
            self._commands = None
            if not self._transport.is_closing():
                self._transport.resume_reading()
