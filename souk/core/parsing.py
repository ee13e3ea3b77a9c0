"""Reading and writing what all games' texts share: words and numbers, seats, and bags of colours."""

import re

from souk.core.errors import IllegalMove
from souk.core.fields import brief
from souk.core.message import Message

_NUMBER = re.compile(r"0|[1-9][0-9]{0,8}")


def split(text: str, *words: str) -> tuple[str, str]:
    """A text's first word and the rest, in lower case: " Rug c3 C4" gives ("rug", "c3 c4"). No space is needed after one
    of the given words, nor before a number."""
    plain = text.strip().lower()
    for word in words:
        if plain.startswith(word):
            return word, plain.removeprefix(word).strip()
    found = re.fullmatch(r"([a-z]*)\s*(.*)", plain, re.DOTALL)
    assert found is not None  # every text matches
    return found[1], found[2]


def squeeze(text: str) -> str:
    """A text without its spaces."""
    return "".join(text.split())


def number(text: str, what: Message | str) -> int:
    """A whole number, written without leading zeros; `what` says of what, where it is none."""
    if not _NUMBER.fullmatch(text):
        raise IllegalMove(Message("reason.core.not_a_number", what=what, text=brief(text)))
    return int(text)


def unreadable(text: str, known: Message | str) -> IllegalMove:
    """The refusal of a text that names nothing; `known` says what would be right here."""
    return IllegalMove(Message("reason.core.unreadable", text=brief(text), known=known))


def letters(counts: list[int], alphabet: str) -> str:
    """A bag as letters, such as "WWWRR", in the order of the alphabet."""
    return "".join(letter * n for letter, n in zip(alphabet, counts, strict=True))


def read_letters(text: str, alphabet: str) -> list[int] | None:
    """A bag from letters in any order, case and spacing; None where another letter is among them."""
    bag = squeeze(text).upper()
    if not set(bag) <= set(alphabet.upper()):
        return None
    return [bag.count(letter) for letter in alphabet.upper()]
