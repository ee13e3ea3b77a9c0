"""What is said to a person: a key and the values that go with it, put into words by the files of a language.

A message travels as a key, so a browser can say it in its own language; the terminal says it in the language it is asked for, exceptions in English. The
house's texts are `souk/languages/*.toml`, a game's own lie in its room. A key that no file knows is taken for the text itself, so a game that
speaks one language needs no file.

In a text `{n}` stands for a value, `{n:piece|pieces}` for the word that the number wants, `{n:+}` for a number with its sign, `{n:.1}` for one with
one decimal, `{n:%}` for a percentage, `{what:^}` for a value that begins with a capital letter, and `{who:You roll|* rolls}` for a seat: the first words
where it is the listener's own, else the others, with the name in the place of the star. docs/languages.md has it all. The browser does the same
(web/src/lib/words.svelte.ts), and tests/messages.json holds both to it.
"""

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from souk.core.counting import word_for, written
from souk.core.shelf import rooms

_LANGUAGES = Path(__file__).parent.parent / "languages"
_PLACE = re.compile(r"\{(\w+)(?::([^{}]*))?\}")
_FIGURES = re.compile(r"(\+?)(?:\.(\d))?(%?)")  # how a number is to be written


@dataclass(frozen=True)
class Seat:
    """A seat in a message: its player's name is said."""

    number: int


class Message:
    """Something said to a person. Values are numbers, plain texts (a field, a move), seats, other messages, and lists of these.

    `about` names what it speaks of on the table, each as its kind and its name: "field c3", "stall 2", "seat 0". A page lights that up."""

    __slots__ = ("about", "key", "values")

    def __init__(self, key: str, **values: Any) -> None:
        self.key, self.values = key, values
        self.about: tuple[str, ...] = ()

    def at(self, *places: str) -> "Message":
        """The same message, about these places."""
        self.about = places
        return self

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Message) and self.to_json() == other.to_json()

    def __hash__(self) -> int:
        return hash(self.key)

    def __repr__(self) -> str:
        return f"Message({self.key!r}, {self.values!r})"

    def __str__(self) -> str:
        """In English, with seats as "seat 0"."""
        return self.text()

    def text(self, names: Sequence[str] | None = None, language: str = "en") -> str:
        """In words; `names` are those of the seats."""
        return Words(language, names).say(self)

    def to_json(self) -> list[Any]:
        """[key, values], and the places it is about where there are any; a seat is {"seat": 0}, a list {"all": [...]}, another message again such a list."""
        said = [self.key, {name: _value_json(value) for name, value in self.values.items()}]
        return [*said, list(self.about)] if self.about else said


class Words:
    """A language, as it is spoken at a table where the seats have these names, to whoever sits on the seat `you`, or to nobody there.

    `gender` says of each seat "she" or "he", or "" where nobody knows."""

    __slots__ = ("_gender", "_known", "_names", "_you", "language")

    def __init__(
        self,
        language: str = "en",
        names: Sequence[str] | None = None,
        known: Mapping[str, str] | None = None,
        *,
        you: int | None = None,
        gender: Sequence[str] = (),
    ) -> None:
        self.language, self._names, self._known = language, names, texts(language) if known is None else known
        self._you, self._gender = you, gender

    def __call__(self, key: str, /, **values: Any) -> str:
        """A text by its key, with values put in."""
        return self.say(Message(key, **values))

    def __contains__(self, key: str) -> bool:
        """Whether there is a text for a key."""
        return key in self._known

    def say(self, *messages: Message) -> str:
        """Messages in words, one after the other."""
        return " ".join(map(self._said, messages))

    def _said(self, message: Message) -> str:
        def put(place: re.Match[str]) -> str:
            name, form = place.groups()
            return self._put(message.values[name], form) if name in message.values else place[0]

        return _PLACE.sub(put, self._known.get(message.key, message.key))

    def _put(self, value: Any, form: str | None) -> str:
        """A value in the form that its place asks for."""
        if form is None:
            return self._value(value)
        if form == "^":
            said = self._value(value)
            return said[:1].upper() + said[1:]
        if figures := _FIGURES.fullmatch(form):
            sign, decimals, percent = figures.groups()
            places = int(decimals) if decimals else None
            return written(self.language, value, sign=bool(sign), decimals=places, percent=bool(percent))
        words = form.split("|")
        return (
            word_for(self.language, value, words) if isinstance(value, int | float) else self._to_a_person(value, words)
        )

    def _to_a_person(self, value: Any, words: list[str]) -> str:
        """Words about a seat or several: the first are for the listener, the next for others; of three more, for a she, a he, and whoever else."""
        seats = list(value) if isinstance(value, list | tuple) else [value]
        others = [seat for seat in seats if seat != Seat(self._you)] if self._you is not None else seats
        if len(others) < len(seats):
            return words[0].replace(
                "*", self._value(["", *others])
            )  # "You*" is "You and Bilal", "You, Bilal and Chadi"
        return words[1 + self._which(others, len(words) - 2)].replace("*", self._value(others))

    def _which(self, seats: list[Any], last: int) -> int:
        """Which of the words for others: where there are three, a single seat that is known to be a she has the first, a he the second."""
        number = seats[0].number if len(seats) == 1 and isinstance(seats[0], Seat) else len(self._gender)
        gender = self._gender[number] if number < len(self._gender) else ""
        return min(last, ("she", "he", "").index(gender))

    def _value(self, value: Any) -> str:
        if isinstance(value, Message):
            return self._said(value)
        if isinstance(value, Seat):
            names = self._names or ()
            return names[value.number] if value.number < len(names) else f"{self('word.seat')} {value.number}"
        if isinstance(value, list | tuple):
            *first, last = [self._value(each) for each in value] or [""]
            return f"{', '.join(first)} {self('word.and')} {last}" if first else last
        return written(self.language, value) if isinstance(value, int | float) else str(value)


def sentence(messages: Sequence[Message], names: Sequence[str] | None = None, language: str = "en") -> str:
    """Several messages one after the other."""
    return Words(language, names).say(*messages)


@cache
def texts(language: str) -> Mapping[str, str]:
    """All texts of a language by key; keys are the tables of its files with dots between, those of a game's begin with its name."""
    found: dict[str, str] = {}
    _flatten(read_language(language), "", found)
    return found


def read_language(language: str) -> dict[str, Any]:
    """The texts of a language in tables as its files have them, those of a room in a table of their own; in English what it has no words for."""
    tree: dict[str, Any] = {}
    for room, path in language_files(language):
        read = _read_file(path, path.stat().st_mtime_ns)
        _add(tree, {room: read} if room else read)
    return tree


@lru_cache(maxsize=64)
def _read_file(path: Path, _changed: int) -> Mapping[str, Any]:
    """A file of texts. English is read for every other language too, but once until it changes."""
    return tomllib.loads(path.read_text(encoding="utf-8"))


def language_files(language: str) -> list[tuple[str, Path]]:
    """The files that a language is read from, each with the room it lies in ("": the house): first the English ones, then its own."""
    files = []
    for code in dict.fromkeys(("en", language)):
        folders = [("", _LANGUAGES), *((name, folder / "texts") for name, folder in rooms().items())]
        files += [(room, folder / f"{code}.toml") for room, folder in folders]
    return [(room, file) for room, file in files if file.is_file()]


def languages() -> list[str]:
    """The languages there are, by their codes."""
    return sorted(path.stem for path in _LANGUAGES.glob("*.toml"))


def _add(tree: dict[str, Any], more: Mapping[str, Any]) -> None:
    """Put texts into tables, over those that are there."""
    for name, value in more.items():
        if isinstance(value, dict):
            if not isinstance(tree.get(name), dict):
                tree[name] = {}
            _add(tree[name], value)
        else:
            tree[name] = value


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
