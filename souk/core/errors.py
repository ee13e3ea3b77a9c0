"""Errors and suggestions for invalid input."""

import difflib
from collections.abc import Iterable

from souk.core.messages import Message


class IllegalMove(ValueError):
    """An illegal move or outcome.

    `message` says why, in any language; `clause` is the id of the violated rule, or None.
    """

    def __init__(self, reason: Message | str, clause: str | None = None) -> None:
        self.message = reason if isinstance(reason, Message) else Message(reason)
        self.clause = clause
        super().__init__(self.message, clause)

    def __str__(self) -> str:
        """The reason in English, formatted lazily: most of these errors are never read."""
        return str(self.message)


def nearest(word: object, known: Iterable[str]) -> str:
    """A "Did you mean" question with a trailing space; empty if no known word is similar."""
    matches = difflib.get_close_matches(str(word).lower(), list(known), n=1)
    return f'Did you mean "{matches[0]}"? ' if matches else ""


def suggestion(word: object, known: Iterable[str]) -> str:
    """A hint after an unknown word: the most similar known word, or all of them."""
    words = list(known)
    return nearest(word, words).strip() or "Known: " + ", ".join(words) + "."
