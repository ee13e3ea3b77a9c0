"""Shared text notation: words, numbers, and multisets of colours."""

import re

from souk.core.errors import IllegalMove
from souk.core.json_fields import brief
from souk.core.messages import Message

_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


def split(text: str, *words: str) -> tuple[str, str]:
    """Split off the first word, in lower case: " Rug c3 C4" gives ("rug", "c3 c4").

    No space is needed after one of the given words, nor before a number.
    """
    plain = text.strip().lower()
    for word in words:
        if plain.startswith(word):
            return word, plain.removeprefix(word).strip()
    match = re.fullmatch(r"([a-z]*)\s*(.*)", plain, re.DOTALL)
    assert match is not None  # every text matches
    return match[1], match[2]


def squeeze(text: str) -> str:
    """Remove all whitespace."""
    return "".join(text.split())


def number(text: str, what: Message | str) -> int:
    """Parse a whole number without leading zeros; `what` names it in the error message."""
    if not _NUMBER.fullmatch(text):
        raise IllegalMove(Message("reason.core.not_a_number", what=what, text=brief(text)))
    return int(text)


def unreadable(text: str, known: Message | str) -> IllegalMove:
    """The error for an unreadable text; `known` says what would be valid."""
    return IllegalMove(Message("reason.core.unreadable", text=brief(text), known=known))


def letters(counts: list[int], alphabet: str) -> str:
    """Format a multiset as letters in alphabet order: "WWWRR"."""
    return "".join(letter * n for letter, n in zip(alphabet, counts, strict=True))


def read_letters(text: str, alphabet: str) -> list[int] | None:
    """Parse a multiset from letters in any order, case and spacing; None for unknown letters."""
    squeezed = squeeze(text).upper()
    if not set(squeezed) <= set(alphabet.upper()):
        return None
    return [squeezed.count(letter) for letter in alphabet.upper()]
