"""HTTP connections. uvicorn reads them with httptools, which sets no bounds; here are those of size, number and time.

What comes is read in slices, so that a connection that sends much does not hold up the others.
"""

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol, RequestResponseCycle

from souk.table.ushers import Usher
from souk.table.visitors import Visitor
from souk.table.wall import Wall

SLICE = 2048  # bytes that are read at a time; then others have their turn
_MOST_LINE = 8192  # bytes of a request's address
_MOST_HEADER = 16_384  # bytes of its header
_MOST_FIELDS = 100  # lines of its header
_MOST_BODY = 262_144  # bytes, with all that is between them; what is beyond the largest body is not kept

SECONDS_FOR_HEADER = 10.0
SECONDS_FOR_BODY = 10.0
_SECONDS_FOR_ANSWER = 60.0  # until it is made and taken
_SECONDS_TO_READ_WHY = 3.0


class _Flow(FlowControl):
    """Reads nothing more while something is unread."""

    def __init__(self, transport: asyncio.Transport, connection: "HttpConnection") -> None:
        super().__init__(transport)
        self._connection = connection

    def resume_reading(self) -> None:
        if not self._connection.unread:
            super().resume_reading()


class HttpConnection(HttpToolsProtocol):
    """One HTTP connection, until it ends or becomes a socket."""

    def __init__(self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._wall: Wall = app_state["wall"]
        self.due = 0.0
        self.unread = b""
        self._waits = False  # for its turn
        self._size = self._header_size = 0
        self._most = _MOST_LINE + _MOST_HEADER
        self._status = 400  # with which it is refused, should it be
        self._unanswered: list[RequestResponseCycle] = []

    # ------------------------------------------------------------ what the transport says

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = _Flow(transport, self)
        self._within(SECONDS_FOR_HEADER)
        if self._wall.enter(transport, self.client[0] if self.client else ""):
            self._wall.guests.add(self)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        for cycle in self._unanswered:  # uvicorn tells only the newest, which is not the one being answered
            cycle.disconnected = True
            cycle.message_event.set()
        self.unread = b""
        self._wall.guests.discard(self)
        self._wall.leave(self.transport)
        # They know this connection, and it knows them: see `souk.table.garbage`.
        self._unanswered, self.cycle, self.flow = [], None, None  # type: ignore[assignment]
        self.pipeline.clear()

    def data_received(self, data: bytes) -> None:
        self.unread += data
        if self._waits or self.pipeline:
            self.flow.pause_reading()
        else:
            self._read_on()

    def shutdown(self) -> None:
        """The server stops: who waits for news gets what there is."""
        self.app_state["stopping"]()
        super().shutdown()

    def end(self) -> None:
        """Its time is over."""
        self._wall.refuse("connections: too slow")
        self.transport.abort()

    def _within(self, seconds: float) -> None:
        self.due = self.loop.time() + seconds

    # ------------------------------------------------------------ reading

    def _read_on(self) -> None:
        """Read the next slice. Requests that wait for an answer come first."""
        self._waits = False
        if self.transport.is_closing() or self.pipeline:
            return
        self._unset_keepalive_if_required()
        data, self.unread = self.unread[:SLICE], self.unread[SLICE:]
        if self._feed(data):
            self._take_turns()

    def _feed(self, data: bytes) -> bool:
        """Read some bytes; whether the connection goes on as it is."""
        self._size += len(data)
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            return self._upgrade()
        except httptools.HttpParserError:
            self._refuse(self._status)
            return False
        if self._size > self._most:
            self._refuse(431 if self._most != _MOST_BODY else 413)
        return not self.transport.is_closing()

    def _take_turns(self) -> None:
        """Go on when the others have had their turn."""
        if self.unread:
            self.flow.pause_reading()
            if not self.pipeline and not self._waits:
                self._waits = True
                self.loop.call_soon(self._read_on)
        elif not self.pipeline:
            self.flow.resume_reading()

    def _upgrade(self) -> bool:
        """Become a socket; any other change of protocol is not known here, and the answer is the last."""
        if not self._should_upgrade():
            self.cycle.keep_alive = False
            return False
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return False
        if self._lead_on():
            return False
        if not self._wall.requests.take(Visitor(self.scope, self._wall.proxies).counted_as):
            self._refuse(429)
            return False
        self.unread = b""
        self._wall.guests.discard(self)
        self.handle_websocket_upgrade()
        self.parser = self.flow = None  # type: ignore[assignment]  # they know this connection: see `souk.table.garbage`
        return False

    def _lead_on(self) -> bool:
        """Whether the table that is asked for is at home at another process, and the connection with it by now. There it counts, and here no longer."""
        usher: Usher | None = self.app_state["usher"]
        table = self.app_state["sockets"].place_in(self.url.decode("latin-1"))
        if usher is None or not table or not usher.lead_on(table, self.transport, self._asked()):
            return False
        self.transport.abort()
        return True

    def _asked(self) -> bytes:
        """The request that was read last, as it would have come."""
        lines = [b"%s %s HTTP/1.1" % (self.scope["method"].encode(), self.url)]
        return b"\r\n".join((*lines, *(b"%s: %s" % field for field in self.scope["headers"]), b"", b""))

    def _refuse(self, status: int) -> None:
        """Say why nothing more is read, where nothing else is being said."""
        self._wall.refuse(f"requests: {STATUS_LINE[status][9:].decode().strip()}")
        self.unread = b""
        self._within(_SECONDS_TO_READ_WHY)
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n")
        self.transport.close()

    # ------------------------------------------------------------ what the parser says

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._size = self._header_size = 0
        self._most = _MOST_LINE + _MOST_HEADER
        self._within(SECONDS_FOR_HEADER)

    def on_url(self, url: bytes) -> None:
        super().on_url(url)
        if len(self.url) > _MOST_LINE:
            self._status = 414
            raise ValueError

    def on_header(self, name: bytes, value: bytes) -> None:
        super().on_header(name, value)
        self._header_size += len(name) + len(value)
        if self._header_size > _MOST_HEADER or len(self.headers) > _MOST_FIELDS:
            self._status = 431
            raise ValueError

    def on_headers_complete(self) -> None:
        self._size, self._most = 0, _MOST_BODY
        self._within(SECONDS_FOR_BODY)
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:
            self._unanswered = [cycle for cycle in self._unanswered if not cycle.response_complete] + [self.cycle]

    def on_message_complete(self) -> None:
        self._within(_SECONDS_FOR_ANSWER)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._within(_SECONDS_FOR_ANSWER)
        super().on_response_complete()
        if self.unread and not self.transport.is_closing():
            self._take_turns()
