"""What the server refuses, and how it says so."""

from collections.abc import Awaitable, Callable
from typing import Any, TypeVar

from souk.core.errors import IllegalMove
from souk.core.message import Message
from souk.table.protocol import Told

T = TypeVar("T")
_MOST_TRIES = 5


class Refuse(Exception):
    """A question or command that is refused: why, as a message of the language files, and with which HTTP status."""

    def __init__(self, key: str, status: int = 400, *, clause: str | None = None, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.reason: Told = Message(f"table.refused.{key}", **values).to_json()
        self.status, self.clause = status, clause


class Behind(Refuse):
    """Another server at the same store was first. What it wrote is known here by now: what was asked for can be tried again."""

    def __init__(self) -> None:
        super().__init__("not_kept", 503)


async def tried_again(work: Callable[[], Awaitable[T]]) -> T:
    """Something that is asked for is done; again, from the first check on, where another server was first. As often as there may be others who do the
    same at this moment, such as choose in secret."""
    for _ in range(_MOST_TRIES - 1):
        try:
            return await work()
        except Behind:
            pass
    return await work()


def illegal(error: IllegalMove) -> Refuse:
    """What the rules refuse, with their reason."""
    refused = Refuse("illegal", 409, clause=error.clause)
    refused.reason = reason_of(error)
    return refused


def reason_of(error: Exception) -> Told:
    """Why something was refused, as a message."""
    found = getattr(error, "message", None)
    return (found if isinstance(found, Message) else Message(str(error))).to_json()
