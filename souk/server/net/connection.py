"""Shared parts of table and lobby sockets: the connection, close codes, and command limits."""

from collections.abc import Callable
from typing import Generic, NamedTuple, Protocol, TypeVar

import msgspec

from souk.server.common.config import ServerConfig
from souk.server.common.rate_limits import TokenBucket
from souk.server.protocol import table as protocol
from souk.server.protocol.errors import RequestRefused
from souk.server.services import Services
from souk.server.tables.game.views import encode

LARGEST = 4096  # bytes per message
_PATIENCE = 100  # commands over the limit before the connection is closed

# WebSocket close codes.
TOO_FAST, TOO_LARGE, UNKNOWN, OTHER_VERSION, BANNED, SIGNED_OUT, FAILED = (
    4429,
    1009,
    4404,
    4426,
    4403,
    4401,
    1011,
)

Command = TypeVar("Command")


class CloseSocket(Exception):
    """Close the connection with this code."""

    def __init__(self, code: int) -> None:
        super().__init__(code)
        self.code = code


class Connection(Protocol):
    """The connection behind a socket."""

    def post(self, message: bytes) -> None: ...

    def ping(self) -> None: ...

    @property
    def lag(self) -> float:
        """Round-trip time in seconds, as last measured."""
        ...

    def measure_lag(self) -> None: ...


class BroadcastConnection(Connection, Protocol):
    """A connection that also sends prebuilt frames."""

    def post_frame(self, frame: bytes) -> None:
        """Send an encoded frame."""
        ...


class ClosableConnection(Connection, Protocol):
    """A client connection the host can close."""

    def close_if_banned(self) -> None: ...

    def close_if_signed_out(self) -> None: ...


class CommandReader(Generic[Command]):
    """Decodes commands, limited in size and rate."""

    __slots__ = ("_bucket", "_decode", "_over")

    def __init__(self, config: ServerConfig, decode: Callable[[str], Command]) -> None:
        self._bucket = TokenBucket(config.message_rate, config.message_burst)
        self._over = 0  # commands over the limit
        self._decode = decode

    def read(self, text: str | None) -> Command:
        """Decode a command.

        Raises RequestRefused if it is unreadable or too fast, CloseSocket if that goes on.
        """
        if not self._bucket.take():
            self._over += 1
            if self._over > _PATIENCE:
                raise CloseSocket(TOO_FAST)
            raise RequestRefused("too_fast", 429)
        if text is None:
            raise RequestRefused("unreadable")
        if len(text) > LARGEST or len(text.encode()) > LARGEST:
            raise RequestRefused("too_large", 413)
        try:
            return self._decode(text)
        except (msgspec.MsgspecError, UnicodeError, RecursionError):
            raise RequestRefused("unreadable") from None


class SocketClient(NamedTuple):
    """Who has opened a socket."""

    player: bytes
    address: str = ""  # as counted by rate limits
    cookie: bytes | None = None


class PageSession:
    """A connected page and its player."""

    __slots__ = ("_connection", "_services", "address", "connected", "cookie", "player")

    def __init__(self, services: Services, connection: Connection, client: SocketClient) -> None:
        self._services, self._connection = services, connection
        self.player, self.address, self.cookie = client
        self.connected = True

    @property
    def is_signed_out(self) -> bool:
        """Whether the page's cookie has been signed out or now belongs to somebody else."""
        return (
            self.cookie is not None
            and (self._services.sessions.player_of(self.cookie) or b"") != self.player
        )

    def refuse_too_many(self) -> int:
        """Tell the page that too many sockets are open; returns the close code."""
        self.say(protocol.Refused(None, RequestRefused("too_many_sockets").reason))
        return TOO_FAST

    def post(self, message: bytes) -> None:
        self._connection.post(message)

    def say(self, message: msgspec.Struct) -> None:
        self._connection.post(encode(message))
