"""Refused requests and commands, with messages for people."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from souk.core.errors import IllegalMove
from souk.core.messages import Message
from souk.server.protocol.table import Told

T = TypeVar("T")
_MAX_TRIES = 5


class RequestRefused(Exception):
    """A refused request or command.

    Args:
        key: of the message `table.refused.{key}` in the language files.
        status: of HTTP.
        clause: of the rules that forbid it.
        values: of the message.
    """

    def __init__(
        self, key: str, status: int = 400, *, clause: str | None = None, **values: Any
    ) -> None:
        super().__init__(key)
        self.key = key
        self.reason: Told = Message(f"table.refused.{key}", **values).to_json()
        self.status, self.clause = status, clause


class StaleTable(RequestRefused):
    """Another server changed the table first. Its changes have been loaded; try again."""

    def __init__(self) -> None:
        super().__init__("not_kept", 503)


async def retry_when_stale(work: Callable[[], Awaitable[T]]) -> T:
    """Run `work` from its first check again while other servers are faster.

    The number of tries covers all seats choosing in secret at the same moment.
    """
    for _ in range(_MAX_TRIES - 1):
        try:
            return await work()
        except StaleTable:
            pass
    return await work()


def refusal_of_illegal_move(error: IllegalMove) -> RequestRefused:
    return refusal_of(error, "illegal", 409, clause=error.clause)


def refusal_of(
    error: Exception, key: str, status: int = 400, clause: str | None = None
) -> RequestRefused:
    """A refusal with the text of an error."""
    refused = RequestRefused(key, status, clause=clause)
    refused.reason = reason_of(error)
    return refused


def reason_of(error: Exception) -> Told:
    """The message of an error."""
    message = getattr(error, "message", None)
    return (message if isinstance(message, Message) else Message(str(error))).to_json()
