"""The host's list of words forbidden in names and chat.

A plain file with one word per line; # starts a comment. A word matches on its own; a star extends
it to a prefix (`word*`), suffix (`*word`) or substring (`*word*`). Matching ignores case, accents,
look-alike characters (`w0rd`, `w@rd`), repeated letters and separators (`w.o.r.d`, `w o r d`).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from souk.server.protocol.errors import RequestRefused

LARGEST_LIST = 1_000_000  # bytes
_SEPARATORS = r"[^\w\s]|_"  # between letters
_LOOKS_LIKE = str.maketrans("0134578l", "oieastbi")  # l and i look alike too
_SIGNS = str.maketrans("@$!|", "asii")  # symbols that may stand for letters
_SAID_OFTEN = re.compile(r"(.)\1{2,}")


class _WordList(NamedTuple):
    """A list prepared for matching: whole words, and starred ones by kind."""

    whole: frozenset[str] = frozenset()
    prefixes: tuple[str, ...] = ()
    suffixes: tuple[str, ...] = ()
    anywhere: tuple[str, ...] = ()


class WordFilter:
    """Matches texts against a host's list; an empty list matches nothing."""

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self.lines = tuple(lines)  # as the host wrote them
        kinds: dict[tuple[bool, bool], list[str]] = {}
        for line in lines:
            letters = _together(line.strip("*"))
            if letters:
                kinds.setdefault((line.startswith("*"), line.endswith("*")), []).append(letters)
        whole, prefixes = kinds.get((False, False), []), kinds.get((False, True), [])
        suffixes, anywhere = kinds.get((True, False), []), kinds.get((True, True), [])
        self._words = _WordList(frozenset(whole), tuple(prefixes), tuple(suffixes), tuple(anywhere))

    def has(self, text: str) -> bool:
        """Whether a text contains a forbidden word."""
        words = self._words
        if not self.lines:
            return False
        for variant in (text, text.translate(_SIGNS)):
            if any(part in _together(variant) for part in words.anywhere) or any(
                map(self._forbids, _words_in(variant))
            ):
                return True
        return False

    def _forbids(self, word: str) -> bool:
        words = self._words
        return (
            word in words.whole or word.startswith(words.prefixes) or word.endswith(words.suffixes)
        )

    def check_name(self, name: str) -> None:
        if self.has(name):
            raise RequestRefused("name_forbidden")

    def check_text(self, text: str) -> None:
        if self.has(text):
            raise RequestRefused("saying_forbidden")


def load_word_filter(file: str) -> WordFilter:
    """Read a host's list; empty if no file is given. ValueError if it cannot be read."""
    if not file:
        return WordFilter()
    path = Path(file)
    try:
        if path.stat().st_size > LARGEST_LIST:
            raise ValueError(f"forbidden: {path} is larger than {LARGEST_LIST} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ValueError(f"forbidden: {path} cannot be read: {reason}") from None
    lines = [" ".join(line.partition("#")[0].split()) for line in text.splitlines()]
    return WordFilter([line for line in lines if line])


def _plain(text: str) -> str:
    """Normalise case, accents, look-alikes and repeats; separators stay."""
    bare = "".join(
        letter
        for letter in unicodedata.normalize("NFKD", text)
        if not unicodedata.combining(letter)
    )
    return _SAID_OFTEN.sub(r"\1", bare.casefold().translate(_LOOKS_LIKE))


def _together(text: str) -> str:
    """All letters of a text without separators and spaces."""
    return _SAID_OFTEN.sub(r"\1", re.sub(rf"{_SEPARATORS}|\s", "", _plain(text)))


def _words_in(text: str) -> Iterator[str]:
    """Everything readable as a word: chunks between spaces, their parts, and runs of single
    letters.
    """
    plain = _plain(text)
    for chunk in plain.split():
        yield re.sub(_SEPARATORS, "", chunk)
    parts = re.sub(_SEPARATORS, " ", plain).split()
    yield from parts
    for run in re.findall(r"(?:(?<!\S)\S(?: |$)){2,}", " ".join(parts)):
        yield run.replace(" ", "")
