"""The message bus over PostgreSQL's LISTEN and NOTIFY, with two connections of its own.

Why not in the transactions that write: a transaction that has called NOTIFY takes a lock for the
whole database server at COMMIT, and holds it until the COMMIT is on disk. If every move notified,
all moves of all processes would be flushed one after the other, and group commit would be lost. So
the writer thread only queues the names of changed tables. Another thread sends what has gathered in
the last milliseconds in one statement over its own connection, with `synchronous_commit = off`, so
that the lock is held for microseconds. Nothing is lost by that: receivers look into the database,
where everything was on disk before it was announced, and after a lost connection they read
everything they have open.

Short public events are sent along. Changes to tables at which no other process has pages are sent
later and without events: somebody may have the table in memory, or be in the lobby.

A separate broker (NATS, Redis) would be one more thing to run, to secure and to keep available.
"""

import asyncio
import contextlib
import hashlib
import queue
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

import msgspec
import psycopg
from psycopg import sql

from souk.server.bus.bus import NO_EVENTS, BusMessage, ProcessBus, TablesChanged
from souk.server.common.logs import log_error, log_info
from souk.server.common.shutdown import run_in_new_thread
from souk.server.storage.postgres_connection import PostgresConnection, reason
from souk.server.storage.rows import NOTICES, PublicEvent

MAX_PAYLOAD = 7900  # bytes; PostgreSQL accepts fewer than 8000
_MAX_MESSAGE = 7000  # bytes about tables
_MAX_EVENTS = 3000  # bytes of the events of one table; more are left to be read
_GATHER_SECONDS = 0.003  # messages within these are sent together
_LATER_SECONDS = 0.25  # and those that nobody is known to wait for
_RETRY_INTERVAL = 0.2
_KEEPALIVE_INTERVAL = 2.0  # between queries over an idle connection
_ELECTION_INTERVAL = 0.5
# The server too notices dead connections soon.
_SESSION = """SET synchronous_commit = off;
    SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 2;
    SET tcp_user_timeout = 5000"""

_encode = msgspec.json.Encoder().encode
_decode_payload = msgspec.json.Decoder(tuple[str, list[msgspec.Raw]]).decode
T = TypeVar("T")
_TRY_LOCK = "SELECT pg_try_advisory_lock(hashtext(current_schema()), hashtext('first'))"
_NOTIFY = "SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload"


def channel_of(schema: str) -> str:
    """The channel of a schema: servers of several may share a database."""
    return f"souk_{hashlib.sha256(schema.encode()).hexdigest()[:24]}"


def payloads_of(sender: str, messages: Sequence[BusMessage]) -> list[str]:
    """Messages packed into as few payloads as possible.

    Changed tables are named once. A message too long for a payload is logged and left out.
    """
    changed = _merged([message for message in messages if isinstance(message, TablesChanged)])
    others = [message for message in messages if not isinstance(message, TablesChanged)]
    head, payloads, room = f'["{sender}",[', list[list[str]](), 0
    for message in (*changed, *others):
        text = _encode(message).decode()
        size = len(text.encode()) + 1
        if size + len(head) + 2 > MAX_PAYLOAD:
            log_error(f"bus message too long: {type(message).__name__}, {size} bytes")
            continue
        if size > room:
            payloads.append([])
            room = MAX_PAYLOAD - len(head) - 2
        payloads[-1].append(text)
        room -= size
    return [f"{head}{','.join(payload)}]]" for payload in payloads]


def _merged(messages: Sequence[TablesChanged]) -> list[TablesChanged]:
    """The same changes with each table once; its events only if they are short and complete."""
    events: dict[str, list[PublicEvent]] = {}
    for message in messages:
        for name in message.names:
            old, new = events.get(name), message.events.get(name, [])
            events[name] = new if old is None else [*old, *new] if old and new else []
    merged, room = list[TablesChanged](), 0
    for name, of_table in events.items():
        if len(text := _encode({name: of_table})) > _MAX_EVENTS:
            of_table = []
        size = len(name) + 3 + (len(text) if of_table else 0)
        if size > room:
            merged.append(TablesChanged([], {}))
            room = _MAX_MESSAGE
        merged[-1].names.append(name)
        merged[-1].events |= {name: of_table} if of_table else {}
        room -= size
    return merged


def announce(connection: PostgresConnection, *messages: BusMessage) -> None:
    """Send messages to all servers from outside (`souk host`)."""
    [(schema,)] = connection.raw.execute("SELECT current_schema()").fetchall()
    connection.raw.execute(_NOTIFY, (channel_of(schema), payloads_of("", messages)))


def _kinds(kind: type[BusMessage] = BusMessage) -> list[type[BusMessage]]:
    return [each for sub in kind.__subclasses__() for each in (sub, *_kinds(sub))]


class PostgresBus(ProcessBus):
    """The bus over PostgreSQL. Lost connections are made again, and pending messages sent then.

    The first process is the one that holds an advisory lock, which PostgreSQL keeps as long as the
    sending connection lives. Processes try to take it when they send something, at least once a
    second (`souk.server.tables.peer_processes`), so another takes over about a second after the
    first ends.
    """

    alone = False

    def __init__(self, address: str) -> None:
        super().__init__()
        self.first = False
        self._address = address
        self._pending: queue.SimpleQueue[BusMessage | None] = queue.SimpleQueue()
        self._pending_later: queue.SimpleQueue[str] = queue.SimpleQueue()  # changed tables
        self._later_at = 0.0  # when those are sent next
        self._loop: asyncio.AbstractEventLoop | None = None
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._last_alive = 0.0  # when the receiving connection last answered

    def say(self, *messages: BusMessage) -> None:
        for message in messages:
            self._pending.put(message)

    def changed(
        self, names: Sequence[str], events: Mapping[str, list[PublicEvent]] = NO_EVENTS
    ) -> None:
        soon = [name for name in names if name == NOTICES or self.is_elsewhere(name)]
        super().changed(soon, {name: new for name, new in events.items() if name in soon})
        for name in names:
            if name not in soon:
                self._pending_later.put(name)

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._decode_message = msgspec.json.Decoder(_any_message()).decode
        ready = asyncio.Event()
        for work in (lambda: self._listen(lambda: self._in_loop(ready.set)), self._send):
            thread = threading.Thread(target=work, name="bus", daemon=True)
            thread.start()
            self._threads.append(thread)
        await ready.wait()

    async def close(self) -> None:
        self._closing.set()
        self._pending.put(None)
        for thread in self._threads:
            await run_in_new_thread(thread.join)

    # ------------------------------------------------------------ receiving

    def _listen(self, on_ready: Callable[[], None]) -> None:
        """Receive until the bus is closed, in a thread."""
        first = True
        while not self._closing.is_set():
            try:
                with contextlib.closing(PostgresConnection(self._address)) as connection:
                    channel = _set_up(connection)
                    connection.raw.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                    if first:
                        on_ready()
                    else:
                        log_info("bus connection restored")
                        self._in_loop(self._call_missed)
                    first = False
                    self._receive_all(connection)
            except psycopg.Error as error:
                if not first and not self._closing.is_set():
                    log_info("bus connection lost", why=reason(error))
                self._closing.wait(_RETRY_INTERVAL)

    def _receive_all(self, connection: PostgresConnection) -> None:
        while not self._closing.is_set():
            for notification in connection.raw.notifies(timeout=_KEEPALIVE_INTERVAL / 4):
                self._take(notification.payload)
                if self._closing.is_set():
                    return
            if time.monotonic() - self._last_alive >= _KEEPALIVE_INTERVAL:
                self._last_alive = time.monotonic()
                connection.raw.execute("SELECT 1")  # fails if the connection is dead

    def _take(self, payload: str) -> None:
        try:
            sender, encoded = _decode_payload(payload)
        except msgspec.MsgspecError as error:
            log_error("unreadable bus message", error)
            return
        messages: list[BusMessage] = []
        for message in encoded if sender != self.name else ():
            # Messages of another version of souk are ignored.
            with contextlib.suppress(msgspec.ValidationError):
                messages.append(self._decode_message(message))
        if messages:
            self._in_loop(self._receive, sender, messages)

    def _in_loop(self, function: Callable[..., object], *arguments: Any) -> None:
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)

    # ------------------------------------------------------------ sending

    def _send(self) -> None:
        """Send gathered messages in one statement, in a thread; reconnects as needed."""
        connection: PostgresConnection | None = None
        channel, payloads, tried_at = "", list[str](), 0.0
        while True:
            messages = self._gathered() if not payloads else []
            payloads = payloads or payloads_of(
                self.name, [message for message in messages if message is not None]
            )
            last = None in messages or self._closing.is_set()
            try:
                if payloads and (connection is None or connection.is_lost):
                    connection = PostgresConnection(self._address)
                    channel = _set_up(connection)
                if payloads and connection:
                    connection.raw.execute(_NOTIFY, (channel, payloads))
                    if not self.first and time.monotonic() - tried_at >= _ELECTION_INTERVAL:
                        self.first = connection.raw.execute(_TRY_LOCK).fetchone() == (True,)
                        tried_at = time.monotonic()
                payloads = []
            except psycopg.Error as error:
                self.first = False
                if connection is not None and connection.is_lost:
                    log_info("bus connection lost", why=reason(error))
                self._closing.wait(_RETRY_INTERVAL)
            if last or (self._closing.is_set() and self._pending.empty()):
                break
        if connection:
            connection.close()

    def _gathered(self) -> list[BusMessage | None]:
        """The messages to be sent now; may be empty after a while without any."""
        messages = list[BusMessage | None]()
        with contextlib.suppress(queue.Empty):
            messages.append(self._pending.get(timeout=_LATER_SECONDS))
        if None not in messages:
            self._closing.wait(_GATHER_SECONDS)
        messages += _drained(self._pending)
        if None in messages or time.monotonic() >= self._later_at:
            self._later_at = time.monotonic() + _LATER_SECONDS
            names = list(dict.fromkeys(_drained(self._pending_later)))
            messages.append(TablesChanged(names))
        return messages


def _drained(pending: "queue.SimpleQueue[T]") -> list[T]:
    """Everything in a queue, without waiting."""
    items = list[T]()
    while not pending.empty():
        items.append(pending.get())
    return items


def _any_message() -> Any:
    """The union of all message types."""
    first, *others = dict.fromkeys(_kinds())
    union: Any = first
    for kind in others:
        union = union | kind
    return union


def _set_up(connection: PostgresConnection) -> str:
    """Apply session settings; returns the channel of the schema."""
    for setting in _SESSION.split(";"):
        connection.raw.execute(setting)
    [(schema,)] = connection.raw.execute("SELECT current_schema()").fetchall()
    return channel_of(schema)
