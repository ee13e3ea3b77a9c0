"""What the server refuses, and how it says so."""

from typing import Any

from souk.core.errors import IllegalMove
from souk.core.message import Message
from souk.table.protocol import Told


class Refuse(Exception):
    """A question or command that is refused: why, as a message of the language files, and with which HTTP status."""

    def __init__(self, key: str, status: int = 400, *, clause: str | None = None, **values: Any) -> None:
        super().__init__(key)
        self.key = key
        self.reason: Told = Message(f"table.refused.{key}", **values).to_json()
        self.status, self.clause = status, clause


def illegal(error: IllegalMove) -> Refuse:
    """What the rules refuse, with their reason."""
    refused = Refuse("illegal", 409, clause=error.clause)
    refused.reason = reason_of(error)
    return refused


def reason_of(error: Exception) -> Told:
    """Why something was refused, as a message."""
    found = getattr(error, "message", None)
    return (found if isinstance(found, Message) else Message(str(error))).to_json()
