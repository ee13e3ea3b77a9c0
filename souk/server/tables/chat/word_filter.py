"""Words that a host forbids, in names and in what people write to each other.

A list is a plain file with a word on each line; what follows a # is a remark. A word is forbidden where it stands by itself; with a star also as
the beginning (`word*`), as the end (`*word`) or anywhere within others (`*word*`). Capitals and accents make no difference, nor do signs that look
like letters (`w0rd`, `w@rd`), a letter said many times, or something put between the letters (`w.o.r.d`, `w o r d`).
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from souk.table.refusals import Refuse

LARGEST_LIST = 1_000_000  # bytes
_SEPARATORS = r"[^\w\s]|_"  # what is put between letters
_LOOKS_LIKE = str.maketrans("0134578l", "oieastbi")  # an l and an i cannot be told apart either
_SIGNS = str.maketrans("@$!|", "asii")  # look like letters too, or are what they are
_SAID_OFTEN = re.compile(r"(.)\1{2,}")


class _WordList(NamedTuple):
    """A list as it is compared: words that are forbidden by themselves, and those with a star."""

    alone: frozenset[str] = frozenset()
    beginnings: tuple[str, ...] = ()
    ends: tuple[str, ...] = ()
    anywhere: tuple[str, ...] = ()


class Forbidden:
    """A host's list. Nothing is forbidden where there is none."""

    def __init__(self, lines: Sequence[str] = ()) -> None:
        self.lines = tuple(lines)  # as the host wrote them
        kinds: dict[tuple[bool, bool], list[str]] = {}
        for line in lines:
            plain = _together(line.strip("*"))
            if plain:
                kinds.setdefault((line.startswith("*"), line.endswith("*")), []).append(plain)
        alone, begin = kinds.get((False, False), []), kinds.get((False, True), [])
        end, anywhere = kinds.get((True, False), []), kinds.get((True, True), [])
        self._words = _WordList(frozenset(alone), tuple(begin), tuple(end), tuple(anywhere))

    def has(self, text: str) -> bool:
        """Whether something forbidden is in a text."""
        words = self._words
        if not self.lines:
            return False
        for read in (text, text.translate(_SIGNS)):
            if any(part in _together(read) for part in words.anywhere) or any(map(self._forbids, _words_in(read))):
                return True
        return False

    def _forbids(self, word: str) -> bool:
        words = self._words
        return word in words.alone or word.startswith(words.beginnings) or word.endswith(words.ends)

    def check_name(self, name: str) -> None:
        if self.has(name):
            raise Refuse("name_forbidden")

    def check_text(self, text: str) -> None:
        if self.has(text):
            raise Refuse("saying_forbidden")


def forbidden_by(file: str) -> Forbidden:
    """A host's list, or nothing where no file is named. ValueError where it cannot be read."""
    if not file:
        return Forbidden()
    path = Path(file)
    try:
        if path.stat().st_size > LARGEST_LIST:
            raise ValueError(f"forbidden: {path} is larger than {LARGEST_LIST} bytes")
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeError) as error:
        why = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        raise ValueError(f"forbidden: {path} cannot be read: {why}") from None
    lines = [" ".join(line.partition("#")[0].split()) for line in text.splitlines()]
    return Forbidden([line for line in lines if line])


def _plain(text: str) -> str:
    """A text without what makes no difference; what separates its letters stays."""
    bare = "".join(each for each in unicodedata.normalize("NFKD", text) if not unicodedata.combining(each))
    return _SAID_OFTEN.sub(r"\1", bare.casefold().translate(_LOOKS_LIKE))


def _together(text: str) -> str:
    """All letters of a text without anything between them."""
    return _SAID_OFTEN.sub(r"\1", re.sub(rf"{_SEPARATORS}|\s", "", _plain(text)))


def _words_in(text: str) -> Iterator[str]:
    """Everything that may be read as a word: what stands between blanks, the same in pieces, and letters that stand by themselves, together."""
    plain = _plain(text)
    for each in plain.split():
        yield re.sub(_SEPARATORS, "", each)
    pieces = re.sub(_SEPARATORS, " ", plain).split()
    yield from pieces
    for run in re.findall(r"(?:(?<!\S)\S(?: |$)){2,}", " ".join(pieces)):
        yield run.replace(" ", "")
