"""The line between the processes of one house: PostgreSQL's LISTEN and NOTIFY, over two connections of their own.

Why apart from the writes: a transaction that has called NOTIFY takes, at its COMMIT, one lock for the whole database server, and keeps it until the COMMIT
is on disk. Were a move's own transaction to say that it has happened, all moves of all processes would be written to disk one after the other, and group
commit would be gone. So the thread that writes only notes which tables it has written; another thread sends what has gathered in the last
milliseconds in one statement over a connection of its own, with `synchronous_commit = off`, so that the lock is held for microseconds and for no disk.
Nothing is lost by that: whoever hears it looks into the database, where it was on disk before it was told, and whoever hears nothing for a while
(the line was broken) looks at everything they have open.

What was written about a table is told along where it is short and no secret. Of a table at which no other process has pages, only that it has changed is told, and at
leisure: somebody may have it in memory, or be in the lobby. Another engine for this (NATS, Redis) would be one more thing to run, to secure and to survive.
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

from souk.table.logs import note, trouble
from souk.table.news import NO_EVENTS, NOTICES, News, OpenEvent, TablesChanged, Word
from souk.table.postgres_line import PostgresLine, reason

LONGEST = 7900  # bytes of an announcement; PostgreSQL takes fewer than 8000
_LONGEST_WORD = 7000  # about tables
_LONGEST_TOLD = 3000  # of one table's events; of more it is said that they are there
_SECONDS_TO_GATHER = 0.003  # what is told within these goes together
_SECONDS_OF_LEISURE = 0.25  # and what nobody is known to wait for
_SECONDS_BETWEEN_TRIES = 0.2
_SECONDS_BETWEEN_SIGNS = 2.0  # of life of a line over which nothing comes
_SECONDS_BETWEEN_BIDS = 0.5  # to be the first
_SESSION = """SET synchronous_commit = off; SET tcp_keepalives_idle = 5; SET tcp_keepalives_interval = 2; SET tcp_keepalives_count = 2;
    SET tcp_user_timeout = 5000"""  # so that the other end too notices soon that nobody is there any more

_encode = msgspec.json.Encoder().encode
_read_page = msgspec.json.Decoder(tuple[str, list[msgspec.Raw]]).decode
T = TypeVar("T")
_FIRST = "SELECT pg_try_advisory_lock(hashtext(current_schema()), hashtext('first'))"


def channel_of(schema: str) -> str:
    """The name under which the processes of one house hear each other: several houses may live in one database."""
    return f"souk_{hashlib.sha256(schema.encode()).hexdigest()[:24]}"


def pages_of(sender: str, words: Sequence[Word]) -> list[str]:
    """What is to be said, in as few announcements as it fits into. Tables that were changed are named once; a word that is too long for an announcement is
    left out, and the log is told."""
    changed = _in_few_words([word for word in words if isinstance(word, TablesChanged)])
    others = [word for word in words if not isinstance(word, TablesChanged)]
    head, pages, room = f'["{sender}",[', list[list[str]](), 0
    for word in (*changed, *others):
        text = _encode(word).decode()
        size = len(text.encode()) + 1
        if size + len(head) + 2 > LONGEST:
            trouble(f"too long to be told: {type(word).__name__}, {size} bytes")
            continue
        if size > room:
            pages.append([])
            room = LONGEST - len(head) - 2
        pages[-1].append(text)
        room -= size
    return [f"{head}{','.join(page)}]]" for page in pages]


def _in_few_words(words: Sequence[TablesChanged]) -> list[TablesChanged]:
    """The same, each table once. Events are told along where they are short, and all that has changed."""
    events: dict[str, list[OpenEvent]] = {}
    for word in words:
        for name in word.names:
            known, more = events.get(name), word.events.get(name, [])
            events[name] = more if known is None else [*known, *more] if known and more else []
    found, room = list[TablesChanged](), 0
    for name, told in events.items():
        if len(text := _encode({name: told})) > _LONGEST_TOLD:
            told = []
        size = len(name) + 3 + (len(text) if told else 0)
        if size > room:
            found.append(TablesChanged([], {}))
            room = _LONGEST_WORD
        found[-1].names.append(name)
        found[-1].events |= {name: told} if told else {}
        room -= size
    return found


def announce(line: PostgresLine, *words: Word) -> None:
    """Say something to all processes of a house, by somebody who is none of them (`souk host`)."""
    [(schema,)] = line.raw.execute("SELECT current_schema()").fetchall()
    line.raw.execute(
        "SELECT pg_notify($1, page) FROM unnest($2::text[]) AS page", (channel_of(schema), pages_of("", words))
    )


def _kinds(kind: type[Word] = Word) -> list[type[Word]]:
    return [each for found in kind.__subclasses__() for each in (found, *_kinds(found))]


class NewsLine(News):
    """Tells and hears over PostgreSQL. A line that breaks is made again; what was to be told meanwhile is told then.

    Who is first is whoever has a lock that PostgreSQL keeps for as long as the connection that tells lives. It is asked for with whatever is told: every
    process says at least once a second that it is there (`souk.table.neighbours`), so another takes over about a second after the first has ended."""

    alone = False

    def __init__(self, address: str) -> None:
        super().__init__()
        self.first = False
        self._address = address
        self._waiting: queue.SimpleQueue[Word | None] = queue.SimpleQueue()
        self._at_leisure: queue.SimpleQueue[str] = queue.SimpleQueue()  # tables that were changed
        self._leisure_until = 0.0
        self._loop: asyncio.AbstractEventLoop | None = None
        self._ending = threading.Event()
        self._threads: list[threading.Thread] = []
        self._signed = 0.0  # when the line last gave a sign of life

    def say(self, *words: Word) -> None:
        for word in words:
            self._waiting.put(word)

    def changed(self, names: Sequence[str], events: Mapping[str, list[OpenEvent]] = NO_EVENTS) -> None:
        soon = [name for name in names if name == NOTICES or self.is_elsewhere(name)]
        super().changed(soon, {name: told for name, told in events.items() if name in soon})
        for name in names:
            if name not in soon:
                self._at_leisure.put(name)

    async def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._read_word = msgspec.json.Decoder(_any_word()).decode
        ready = asyncio.Event()
        for work in (lambda: self._listen(lambda: self._in_loop(ready.set)), self._send):
            thread = threading.Thread(target=work, name="news", daemon=True)
            thread.start()
            self._threads.append(thread)
        await ready.wait()

    async def close(self) -> None:
        self._ending.set()
        self._waiting.put(None)
        for thread in self._threads:
            await asyncio.to_thread(thread.join)

    # ------------------------------------------------------------ hearing

    def _listen(self, ready: Callable[[], None]) -> None:
        """In a thread: hand on what is heard, for as long as the house is open."""
        first = True
        while not self._ending.is_set():
            try:
                with contextlib.closing(PostgresLine(self._address)) as line:
                    channel = _set_up(line)
                    line.raw.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel)))
                    if first:
                        ready()
                    else:
                        note("news are heard again")
                        self._in_loop(self._missed)
                    first = False
                    self._hear_all(line)
            except psycopg.Error as error:
                if not first and not self._ending.is_set():
                    note("the line for news is lost", why=reason(error))
                self._ending.wait(_SECONDS_BETWEEN_TRIES)

    def _hear_all(self, line: PostgresLine) -> None:
        while not self._ending.is_set():
            for found in line.raw.notifies(timeout=_SECONDS_BETWEEN_SIGNS / 4):
                self._take(found.payload)
                if self._ending.is_set():
                    return
            if time.monotonic() - self._signed >= _SECONDS_BETWEEN_SIGNS:
                self._signed = time.monotonic()
                line.raw.execute("SELECT 1")  # a line that broke without a word is noticed

    def _take(self, payload: str) -> None:
        try:
            sender, told = _read_page(payload)
        except msgspec.MsgspecError as error:
            trouble("news that nobody understands", error)
            return
        words: list[Word] = []
        for each in told if sender != self.name else ():
            with contextlib.suppress(msgspec.ValidationError):  # said to others, or by another version of souk
                words.append(self._read_word(each))
        if words:
            self._in_loop(self._heard, sender, words)

    def _in_loop(self, done: Callable[..., object], *values: Any) -> None:
        if self._loop and not self._loop.is_closed():
            self._loop.call_soon_threadsafe(done, *values)

    # ------------------------------------------------------------ telling

    def _send(self) -> None:
        """In a thread: send what has gathered, in one statement; over a line that is made again where need be."""
        line: PostgresLine | None = None
        channel, left, bid = "", list[str](), 0.0
        while True:
            words = self._gathered() if not left else []
            left = left or pages_of(self.name, [word for word in words if word is not None])
            last = None in words or self._ending.is_set()
            try:
                if left and (line is None or line.is_lost):
                    line = PostgresLine(self._address)
                    channel = _set_up(line)
                if left and line:
                    line.raw.execute("SELECT pg_notify($1, page) FROM unnest($2::text[]) AS page", (channel, left))
                    if not self.first and time.monotonic() - bid >= _SECONDS_BETWEEN_BIDS:
                        self.first, bid = line.raw.execute(_FIRST).fetchone() == (True,), time.monotonic()
                left = []
            except psycopg.Error as error:
                self.first = False
                if line is not None and line.is_lost:
                    note("the line for telling news is lost", why=reason(error))
                self._ending.wait(_SECONDS_BETWEEN_TRIES)
            if last or (self._ending.is_set() and self._waiting.empty()):
                break
        if line:
            line.close()

    def _gathered(self) -> list[Word | None]:
        """What is to be told now; nothing, where there has been nothing for a while."""
        found = list[Word | None]()
        with contextlib.suppress(queue.Empty):
            found.append(self._waiting.get(timeout=_SECONDS_OF_LEISURE))
        if None not in found:
            self._ending.wait(_SECONDS_TO_GATHER)
        found += _taken_from(self._waiting)
        if None in found or time.monotonic() >= self._leisure_until:
            self._leisure_until = time.monotonic() + _SECONDS_OF_LEISURE
            names = list(dict.fromkeys(_taken_from(self._at_leisure)))
            found.append(TablesChanged(names))
        return found


def _taken_from(waiting: "queue.SimpleQueue[T]") -> list[T]:
    """All that is there, without waiting for more."""
    found = list[T]()
    while not waiting.empty():
        found.append(waiting.get())
    return found


def _any_word() -> Any:
    kinds = tuple(dict.fromkeys(_kinds()))
    found: Any = kinds[0]
    for kind in kinds[1:]:
        found = found | kind
    return found


def _set_up(line: PostgresLine) -> str:
    """The channel of the house."""
    for setting in _SESSION.split(";"):
        line.raw.execute(setting)
    [(schema,)] = line.raw.execute("SELECT current_schema()").fetchall()
    return channel_of(schema)
