"""What is said to a person: a key and the values that go with it, put into words by the files of a language.

A message travels as a key, so a browser can say it in its own language; the command line and exceptions say it in English. The house's
texts are `souk/languages/*.toml`, a game's own lie in its room. A key that no file knows is taken for the text itself, so a game that speaks one
language needs no file.

In a text `{n}` stands for a value, `{n:piece|pieces}` for the one word or the other as the number wants it, `{n:+}` for a number
with its sign.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from souk.core.shelf import rooms

_LANGUAGES = Path(__file__).parent.parent / "languages"
_PLACE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")


@dataclass(frozen=True)
class Seat:
    """A seat in a message: its player's name is said."""

    number: int


class Message:
    """Something said to a person. Values are numbers, plain texts (a field, a move), seats, other messages, and lists of these."""

    __slots__ = ("key", "values")

    def __init__(self, key: str, **values: Any) -> None:
        self.key, self.values = key, values

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and (self.key, self.values) == (other.key, other.values)

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Message({self.key!r}, {self.values!r})"

    def __str__(self) -> str:
        """In English, with seats as "seat 0"."""
        return self.text()

    def text(self, names: Sequence[str] | None = None, language: str = "en") -> str:
        """In words; `names` are those of the seats."""
        return _say(self, names, texts(language))

    def to_json(self) -> list[Any]:
        """[key, values]; a seat is {"seat": 0}, a list {"all": [...]}, another message again a list of two."""
        return [self.key, {name: _value_json(value) for name, value in self.values.items()}]


def sentence(messages: Sequence[Message], names: Sequence[str] | None = None, language: str = "en") -> str:
    """Several messages one after the other."""
    return " ".join(message.text(names, language) for message in messages)


@cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of a language by key; keys are the tables of its files with dots between, those of a game's begin with its name."""
    found: dict[str, str] = {}
    _flatten(read_language(language), "", found)
    return found


def read_language(language: str) -> dict[str, Any]:
    """The texts of a language as its files have them: the house's tables of texts, and one table for each room."""
    tree: dict[str, Any] = {}
    for room, path in language_files(language).items():
        read = tomllib.loads(path.read_text(encoding="utf-8"))
        tree |= {room: read} if room else read
    return tree


def language_files(language: str) -> dict[str, Path]:
    """The files of a language by room, the house's own under "". A room that does not speak it speaks English."""
    files = {"": _LANGUAGES / f"{language}.toml"}
    for name, folder in rooms().items():
        for code in (language, "en"):
            if (folder / "texts" / f"{code}.toml").is_file():
                files[name] = folder / "texts" / f"{code}.toml"
                break
    return files


def languages() -> list[str]:
    """The languages there are, by their codes."""
    return sorted(path.stem for path in _LANGUAGES.glob("*.toml"))


def _flatten(table: Mapping[str, Any], prefix: str, found: dict[str, str]) -> None:
    for name, value in table.items():
        if isinstance(value, str):
            found[prefix + name] = value
        elif isinstance(value, dict):
            _flatten(value, f"{prefix}{name}.", found)


def _value_json(value: Any) -> Any:
    if isinstance(value, Message):
        return value.to_json()
    if isinstance(value, Seat):
        return {"seat": value.number}
    if isinstance(value, (list, tuple)):
        return {"all": [_value_json(each) for each in value]}
    return value


def _say(message: Message, names: Sequence[str] | None, known: Mapping[str, str]) -> str:
    def place(found: re.Match[str]) -> str:
        name, form = found.groups()
        if name not in message.values:
            return found[0]
        value = message.values[name]
        if form is None:
            return _value_text(value, names, known)
        if form == "+":
            return f"{value:+d}"
        one, _, more = form.partition("|")
        return one if value == 1 else more

    return _PLACE.sub(place, known.get(message.key, message.key))


def _value_text(value: Any, names: Sequence[str] | None, known: Mapping[str, str]) -> str:
    if isinstance(value, Message):
        return _say(value, names, known)
    if isinstance(value, Seat):
        return names[value.number] if names else f"{known['word.seat']} {value.number}"
    if isinstance(value, (list, tuple)):
        *first, last = [_value_text(each, names, known) for each in value] or [""]
        return f"{', '.join(first)} {known['word.and']} {last}" if first else last
    return str(value)
