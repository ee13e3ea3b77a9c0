"""Localised messages: a key with values, formatted by the text files of a language.

Messages travel as keys: the browser formats them in its own language, the terminal in the requested
one, exceptions in English. Shared texts are in `souk/languages/*.toml`, a game's own in its
package. An unknown key is taken as the text itself, so a game in one language needs no file.

Placeholders: `{n}` a value; `{n:piece|pieces}` the plural form for a number; `{n:+}` with sign;
`{n:.1}` with one decimal; `{n:%}` a percentage; `{what:^}` capitalised; `{who:You roll|* rolls}` a
seat: the first form if it is the reader's own, else the second with the name for the star.
docs/program/languages.md has all of them. The browser implements the same
(web/src/i18n/translate.svelte.ts); tests/messages.json checks both.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from souk.core.game_registry import text_folders
from souk.core.plurals import word_for, written

_LANGUAGES = Path(__file__).parent.parent / "languages"
_PLACEHOLDER = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_NUMBER_FORMAT = re.compile(r"(\+?)(?:\.(\d))?(%?)")


@dataclass(frozen=True)
class Seat:
    """A seat as a message value, formatted as its player's name."""

    number: int


class Message:
    """A message to a person.

    Values are numbers, plain texts (a field, a move), seats, other messages, and lists of these.
    `about` names places on the table as kind and name ("field c3", "stall 2", "seat 0"), which a
    page highlights.
    """

    __slots__ = ("about", "key", "values")

    def __init__(self, key: str, **values: Any) -> None:
        self.key, self.values = key, values
        self.about: tuple[str, ...] = ()

    def at(self, *places: str) -> "Message":
        """Set the places the message is about, and return it."""
        self.about = places
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Message({self.key!r}, {self.values!r})"

    def __str__(self) -> str:
        """The text in English, with seats as "seat 0"."""
        return self.text()

    def text(self, names: Sequence[str] | None = None, language: str = "en") -> str:
        """The text; `names` are the players' names by seat."""
        return Words(language, names).say(self)

    def to_json(self) -> list[Any]:
        """[key, values], plus the places it is about, if any.

        A seat is {"seat": 0}, a list {"all": [...]}, a nested message again such a list.
        """
        data = [self.key, {name: _value_json(value) for name, value in self.values.items()}]
        return [*data, list(self.about)] if self.about else data


class Words:
    """Formats messages for one reader.

    Args:
        names: the players' names by seat.
        texts_by_key: texts by key, by default those of the language.
        you: the reader's seat, if any.
        gender: "she", "he" or "" (unknown) by seat.
    """

    __slots__ = ("_gender", "_names", "_texts", "_you", "language")

    def __init__(
        self,
        language: str = "en",
        names: Sequence[str] | None = None,
        texts_by_key: Mapping[str, str] | None = None,
        *,
        you: int | None = None,
        gender: Sequence[str] = (),
    ) -> None:
        self.language, self._names, self._texts = (
            language,
            names,
            texts(language) if texts_by_key is None else texts_by_key,
        )
        self._you, self._gender = you, gender

    def __call__(self, key: str, /, **values: Any) -> str:
        """Format a text by key."""
        return self.say(Message(key, **values))

    def __contains__(self, key: str) -> bool:
        """Whether there is a text for a key."""
        return key in self._texts

    def say(self, *messages: Message) -> str:
        """Format messages, joined by spaces."""
        return " ".join(map(self._format, messages))

    def _format(self, message: Message) -> str:
        def put(place: re.Match[str]) -> str:
            name, form = place.groups()
            return self._put(message.values[name], form) if name in message.values else place[0]

        return _PLACEHOLDER.sub(put, self._texts.get(message.key, message.key))

    def _put(self, value: Any, form: str | None) -> str:
        """Format a value as its placeholder asks."""
        if form is None:
            return self._value(value)
        if form == "^":
            text = self._value(value)
            return text[:1].upper() + text[1:]
        if number_format := _NUMBER_FORMAT.fullmatch(form):
            sign, decimals, percent = number_format.groups()
            places = int(decimals) if decimals else None
            return written(
                self.language, value, sign=bool(sign), decimals=places, percent=bool(percent)
            )
        words = form.split("|")
        return (
            word_for(self.language, value, words)
            if isinstance(value, int | float)
            else self._address(value, words)
        )

    def _address(self, value: Any, words: list[str]) -> str:
        """Choose and fill the form for one or several seats.

        The first form addresses the reader, the second others; three more forms: she, he, neither.
        """
        seats = list(value) if isinstance(value, list | tuple) else [value]
        others = (
            [seat for seat in seats if seat != Seat(self._you)] if self._you is not None else seats
        )
        if len(others) < len(seats):
            # "You*" is "You and Bilal", "You, Bilal and Chadi".
            return words[0].replace("*", self._value(["", *others]))
        return words[1 + self._form_index(others, len(words) - 2)].replace("*", self._value(others))

    def _form_index(self, seats: list[Any], last: int) -> int:
        """The index of the form for others: by gender for a single seat with three forms."""
        number = (
            seats[0].number if len(seats) == 1 and isinstance(seats[0], Seat) else len(self._gender)
        )
        gender = self._gender[number] if number < len(self._gender) else ""
        return min(last, ("she", "he", "").index(gender))

    def _value(self, value: Any) -> str:
        if isinstance(value, Message):
            return self._format(value)
        if isinstance(value, Seat):
            names = self._names or ()
            return (
                names[value.number]
                if value.number < len(names)
                else f"{self('word.seat')} {value.number}"
            )
        if isinstance(value, list | tuple):
            *first, last = [self._value(item) for item in value] or [""]
            return f"{', '.join(first)} {self('word.and')} {last}" if first else last
        return written(self.language, value) if isinstance(value, int | float) else str(value)


def sentence(
    messages: Sequence[Message], names: Sequence[str] | None = None, language: str = "en"
) -> str:
    """Format several messages, joined by spaces."""
    return Words(language, names).say(*messages)


@cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of a language by dotted key; keys of a game's texts begin with its name."""
    by_key: dict[str, str] = {}
    _flatten(read_language(language), "", by_key)
    return by_key


def read_language(language: str) -> dict[str, Any]:
    """The texts of a language as nested tables, falling back to English.

    Texts of a game package are in a table of its name.
    """
    tree: dict[str, Any] = {}
    for package, path in language_files(language):
        tables = _read_file(path, path.stat().st_mtime_ns)
        _add(tree, {package: tables} if package else tables)
    return tree


@lru_cache(maxsize=64)
def _read_file(path: Path, _changed: int) -> Mapping[str, Any]:
    """Parse a text file. Cached until it changes: every language also reads the English files."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def language_files(language: str) -> list[tuple[str, Path]]:
    """The files a language is read from, with their packages ("": shared texts), English first."""
    files = []
    for code in dict.fromkeys(("en", language)):
        folders = [
            ("", _LANGUAGES),
            *((name, folder / "texts") for name, folder in text_folders().items()),
        ]
        files += [(package, folder / f"{code}.toml") for package, folder in folders]
    return [(package, file) for package, file in files if file.is_file()]


def languages() -> list[str]:
    """The codes of all languages."""
    return sorted(path.stem for path in _LANGUAGES.glob("*.toml"))


def _add(tree: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Merge texts into tables, overriding existing ones."""
    for name, value in more.items():
        if isinstance(value, dict):
            if not isinstance(tree.get(name), dict):
                tree[name] = {}
            _add(tree[name], value)
        else:
            tree[name] = value


def _flatten(table: Mapping[str, Any], prefix: str, by_key: dict[str, str]) -> None:
    for name, value in table.items():
        if isinstance(value, str):
            by_key[prefix + name] = value
        elif isinstance(value, dict):
            _flatten(value, f"{prefix}{name}.", by_key)


def _value_json(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, Seat):
        return {"seat": value.number}
    if isinstance(value, (list, tuple)):
        return {"all": [_value_json(item) for item in value]}
    return value
