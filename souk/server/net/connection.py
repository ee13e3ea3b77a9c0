"""What the sockets at tables and in the lobby have in common: the connection behind them, why it ends, and how much may come over it."""

from collections.abc import Callable
from typing import Generic, Protocol, TypeVar

import msgspec

from souk.table import protocol
from souk.table.house import House
from souk.table.limits import Bucket
from souk.table.refusals import Refuse
from souk.table.settings import Settings
from souk.table.views import encode

LARGEST = 4096  # bytes of a message
_PATIENCE = 100  # commands over the limit after which a connection is closed

# Why the server closes a socket.
TOO_FAST, TOO_LARGE, UNKNOWN, OTHER_VERSION, BANNED, SIGNED_OUT, FAILED = 4429, 1009, 4404, 4426, 4403, 4401, 1011

Heard = TypeVar("Heard")


class Closed(Exception):
    """The connection is to end, with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Connection(Protocol):
    """The connection behind a socket."""

    def post(self, message: bytes) -> None: ...

    def ask_whether_alive(self) -> None: ...

    @property
    def lag(self) -> float:
        """Seconds to the other end and back, as last measured."""
        ...

    def measure_lag(self) -> None: ...


class Megaphone(Connection, Protocol):
    """A connection that also takes what is said to many."""

    def post_frame(self, frame: bytes) -> None:
        """Send what is a frame already."""
        ...


class Door(Connection, Protocol):
    """A connection that came in from outside, and that the host may close."""

    def leave_if_banned(self) -> None: ...

    def leave_if_signed_out(self) -> None: ...


class Ear(Generic[Heard]):
    """Reads what a browser says: so much, and so often."""

    __slots__ = ("_bucket", "_decode", "_over")

    def __init__(self, settings: Settings, decode: Callable[[str], Heard]) -> None:
        self._bucket = Bucket(settings.message_rate, settings.message_burst)
        self._over = 0  # commands over the limit
        self._decode = decode

    def read(self, text: str | None) -> Heard:
        """A command. Refuse where it cannot be read, Closed where there is no end to it."""
        if not self._bucket.take():
            self._over += 1
            if self._over > _PATIENCE:
                raise Closed(TOO_FAST)
            raise Refuse("too_fast", 429)
        if text is None:
            raise Refuse("unreadable")
        if len(text) > LARGEST or len(text.encode()) > LARGEST:
            raise Refuse("too_large", 413)
        try:
            return self._decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise Refuse("unreadable") from None


class Visit:
    """A page that is connected: whose it is, and how to speak to it."""

    __slots__ = ("_connection", "_house", "address", "cookie", "here", "player")

    def __init__(self, house: House, connection: Connection, player: bytes, address: str, cookie: bytes | None) -> None:
        self._house, self._connection, self.player, self.cookie = house, connection, player, cookie
        self.address = address  # under which limits count it
        self.here = True

    @property
    def is_signed_out(self) -> bool:
        """Whether the cookie that it came with leads to somebody else by now, or to nobody."""
        return self.cookie is not None and (self._house.doors.who(self.cookie) or b"") != self.player

    def refuse_too_many(self) -> int:
        """Say that too many are open; returns the code to close with."""
        self.say(protocol.Refused(None, Refuse("too_many_sockets").reason))
        return TOO_FAST

    def post(self, message: bytes) -> None:
        self._connection.post(message)

    def say(self, message: msgspec.Struct) -> None:
        self._connection.post(encode(message))
