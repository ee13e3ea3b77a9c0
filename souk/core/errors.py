"""What can be refused, and how it is said."""

import difflib
from collections.abc import Iterable

from souk.core.message import Message


class IllegalMove(ValueError):
    """A move or outcome that is not allowed. `message` says why, in any language; `clause` names the rule, or is None."""

    def __init__(self, reason: Message | str, clause: str | None = None) -> None:
        self.message = reason if isinstance(reason, Message) else Message(reason)
        self.clause = clause
        super().__init__(self.message, clause)

    def __str__(self) -> str:
        """In English. Put into words only here: most refusals are made to be counted, and are never read."""
        return str(self.message)


def nearest(word: object, known: Iterable[str]) -> str:
    """A question that may help after a wrong word, with a space to follow; nothing where no known word is near."""
    near = difflib.get_close_matches(str(word).lower(), list(known), n=1)
    return f'Did you mean "{near[0]}"? ' if near else ""


def suggestion(word: object, known: Iterable[str]) -> str:
    """A sentence that helps after a wrong word: the nearest known one, or all of them."""
    words = list(known)
    return nearest(word, words).strip() or "Known: " + ", ".join(words) + "."
