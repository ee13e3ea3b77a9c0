"""HTTP connections: uvicorn's httptools protocol plus limits of size, number and time.

Input is read in slices, so that a connection that sends much does not hold up the others.
"""

import asyncio
from typing import Any

import httptools
from uvicorn.protocols.http.flow_control import FlowControl
from uvicorn.protocols.http.httptools_impl import (
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)

from souk.server.common.client import Client
from souk.server.net.admission import Admission
from souk.server.net.socket_handover import ConnectionRouter

SLICE = 2048  # bytes read at a time
_MOST_LINE = 8192  # bytes of a request's URL
_MOST_HEADER = 16_384  # bytes of headers
_MOST_FIELDS = 100  # header lines
# Bytes on the wire; what exceeds `LARGEST_BODY` is not kept.
_MOST_BODY = 262_144

SECONDS_FOR_HEADER = 10.0
SECONDS_FOR_BODY = 10.0
_SECONDS_FOR_ANSWER = 60.0  # until the response is made and taken
_SECONDS_TO_READ_REFUSAL = 3.0


class _Flow(FlowControl):
    """Resumes reading only once everything received has been parsed."""

    def __init__(self, transport: asyncio.Transport, connection: "HttpConnection") -> None:
        super().__init__(transport)
        self._connection = connection

    def resume_reading(self) -> None:
        if not self._connection.unread:
            super().resume_reading()


class HttpConnection(HttpToolsProtocol):
    """One HTTP connection, until it ends or becomes a WebSocket."""

    def __init__(
        self, config: Any, server_state: Any, app_state: dict[str, Any], _loop: Any = None
    ) -> None:
        super().__init__(config, server_state, app_state, _loop)
        self._admission: Admission = app_state["admission"]
        self.due = 0.0
        self.unread = b""
        self._is_queued = False  # for its turn to be read
        self._size = self._header_size = 0
        self._most = _MOST_LINE + _MOST_HEADER
        self._status = 400  # of the refusal, if it is refused
        self._unanswered: list[RequestResponseCycle] = []

    # ------------------------------------------------------------ transport callbacks

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.flow = _Flow(transport, self)
        self._set_deadline(SECONDS_FOR_HEADER)
        if self._admission.enter(transport, self.client[0] if self.client else ""):
            self._admission.pending.add(self)
        else:
            transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        super().connection_lost(exc)
        # uvicorn signals only the newest, which is not the one being answered
        for cycle in self._unanswered:
            cycle.disconnected = True
            cycle.message_event.set()
        self.unread = b""
        self._admission.pending.discard(self)
        self._admission.leave(self.transport)
        # break reference cycles: see `souk.server.common.gc_tuning`
        self._unanswered, self.cycle, self.flow = [], None, None  # type: ignore[assignment]
        self.pipeline.clear()

    def data_received(self, data: bytes) -> None:
        self.unread += data
        if self._is_queued or self.pipeline:
            self.flow.pause_reading()
        else:
            self._read_slice()

    def shutdown(self) -> None:
        """The server stops: answer long polls with what there is."""
        self.app_state["stopping"]()
        super().shutdown()

    def drop(self) -> None:
        self.transport.abort()

    def end(self) -> None:
        """Abort: the deadline has passed."""
        self._admission.refuse("connections: too slow")
        self.transport.abort()

    def _set_deadline(self, seconds: float) -> None:
        self.due = self.loop.time() + seconds

    # ------------------------------------------------------------ reading

    def _read_slice(self) -> None:
        """Parse the next slice, once earlier requests have been answered."""
        self._is_queued = False
        if self.transport.is_closing() or self.pipeline:
            return
        self._unset_keepalive_if_required()
        data, self.unread = self.unread[:SLICE], self.unread[SLICE:]
        if self._feed(data):
            self._take_turns()

    def _feed(self, data: bytes) -> bool:
        """Parse bytes; returns whether the connection continues as HTTP."""
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
        """Continue after other connections had their turn."""
        if self.unread:
            self.flow.pause_reading()
            if not self.pipeline and not self._is_queued:
                self._is_queued = True
                self.loop.call_soon(self._read_slice)
        elif not self.pipeline:
            self.flow.resume_reading()

    def _upgrade(self) -> bool:
        """Become a WebSocket; refuse any other upgrade."""
        if not self._should_upgrade():
            self.cycle.keep_alive = False
            return False
        if self.cycle is not None and not self.cycle.response_complete:
            self.transport.abort()
            return False
        if self._hand_over():
            return False
        if not self._admission.requests.take(
            Client(self.scope, self._admission.proxies).rate_limit_key
        ):
            self._refuse(429)
            return False
        self.unread = b""
        self._admission.pending.discard(self)
        self.handle_websocket_upgrade()
        # Breaks reference cycles: see `souk.server.common.gc_tuning`.
        self.parser = self.flow = None  # type: ignore[assignment]
        return False

    def _hand_over(self) -> bool:
        """Hand the connection to the table's home process, where it then counts; returns whether it
        did.
        """
        router: ConnectionRouter | None = self.app_state["router"]
        table = self.app_state["sockets"].place_in(self.url.decode("latin-1"))
        if (
            router is None
            or not table
            or not router.hand_over(table, self.transport, self._request_bytes())
        ):
            return False
        self.transport.abort()
        return True

    def _request_bytes(self) -> bytes:
        """The request as it came in."""
        lines = [b"%s %s HTTP/1.1" % (self.scope["method"].encode(), self.url)]
        return b"\r\n".join(
            (*lines, *(b"%s: %s" % field for field in self.scope["headers"]), b"", b"")
        )

    def _refuse(self, status: int) -> None:
        """Refuse further input, with a status unless a response is under way."""
        self._admission.refuse(f"requests: {STATUS_LINE[status][9:].decode().strip()}")
        self.unread = b""
        self._set_deadline(_SECONDS_TO_READ_REFUSAL)
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(
                STATUS_LINE[status] + b"content-length: 0\r\nconnection: close\r\n\r\n"
            )
        self.transport.close()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._size = self._header_size = 0
        self._most = _MOST_LINE + _MOST_HEADER
        self._set_deadline(SECONDS_FOR_HEADER)

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
        self._set_deadline(SECONDS_FOR_BODY)
        before = self.cycle
        super().on_headers_complete()
        if self.cycle is not before:
            self._unanswered = [
                cycle for cycle in self._unanswered if not cycle.response_complete
            ] + [self.cycle]

    def on_message_complete(self) -> None:
        self._set_deadline(_SECONDS_FOR_ANSWER)
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self._set_deadline(_SECONDS_FOR_ANSWER)
        super().on_response_complete()
        if self.unread and not self.transport.is_closing():
            self._take_turns()
