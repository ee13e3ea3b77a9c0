"""What can be refused, and how it is said."""

import difflib
from collections.abc import Iterable


class IllegalMove(ValueError):
    """A move or outcome that is not allowed. The message says why; `clause` names the rule, or is None."""

    def __init__(self, reason: str, clause: str | None = None) -> None:
        super().__init__(reason)
        self.clause = clause


def nearest(word: object, known: Iterable[str]) -> str:
    """A question that may help after a wrong word, with a space to follow; nothing where no known word is near."""
    near = difflib.get_close_matches(str(word).lower(), list(known), n=1)
    return f'Did you mean "{near[0]}"? ' if near else ""


def suggestion(word: object, known: Iterable[str]) -> str:
    """A sentence that helps after a wrong word: the nearest known one, or all of them."""
    words = list(known)
    return nearest(word, words).strip() or "Known: " + ", ".join(words) + "."
