"""Boards, cards and rates from TOML: ours by name, a file by path, or the text itself. What is wrong in one is named by its line."""

import json
import re
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from souk.core.fields import brief
from souk.core.message import Message

_LARGEST = 65536
_LONGEST_ABOUT = 200  # letters, of a text that goes with every position
_WORD = re.compile(r"[\w-]+")
_STRING_OR_COMMENT = re.compile(r"""(?P<comment>#[^\n]*)|(?P<string>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')""")


class Bounds(msgspec.Struct, frozen=True):
    """The least and the most that a figure in an entry may be; or of a bag, how many letters it may have."""

    name: str
    least: int
    most: int

    def figure(self) -> str:
        """The pattern of a single figure."""
        return f"([{self.least}-{self.most}])"

    def letters(self, alphabet: str) -> str:
        """The pattern of a bag."""
        return f"([{alphabet}]{{{self.least},{self.most}}})"


class BoxPart(msgspec.Struct, frozen=True):
    """One list in a data file: how many different texts it must hold, in rows of how many (0: in no rows), and what one looks like."""

    key: str
    count: int
    example: str
    row: int = 0
    bounds: tuple[Bounds, ...] = ()  # of what is in a text, for those who type it in


class BoxProblem(ValueError):
    """What is wrong in a data file: on which line, and where it is about one entry of a list, about which. `message` says it in any language."""

    def __init__(self, option: str, file: str, line: int, said: Message, key: str = "", index: int | None = None):
        super().__init__(f"{option}: {f'{file}, ' * bool(file)}line {line}: {said}")
        self.line, self.said, self.key, self.index = line, said, key, index
        self.message = Message("reason.core.box_line", line=line, what=said)


def is_text(value: object) -> bool:
    """Whether an option is a data file itself, and not the name of one: it has more than one line."""
    return isinstance(value, str) and "\n" in value


class DataFile:
    """One data file: an `about` text and lists of texts. Errors begin with the option that named the file.

    The first thing that is wrong is raised; or all are gathered in `problems`, where the file is read with patience: then it may also have
    entries that are still to come, which are empty."""

    def __init__(self, option: str, text: str, parts: tuple[BoxPart, ...], file: str = "", patient: bool = False):
        self._option, self._text, self._file, self._patient = option, text, file, patient
        self._parts = parts
        self.problems: list[BoxProblem] = []
        self.found: dict[str, list[str]] = {part.key: [] for part in parts}  # the entries, once they are read
        self.about = ""
        self._data = self._parsed()
        if not self.problems:
            self._check_keys()

    def entries(self, part: BoxPart) -> Iterator[tuple[int, str]]:
        """The texts of a list (or of the lists in it, one after the other), each with its number; without those that are still to come."""
        texts = self._texts(part)
        self.found[part.key] = texts
        for index, text in enumerate(texts):
            if text.strip() or not self._patient:
                yield index, text

    def missing(self, part: BoxPart) -> int:
        """How many entries are still to come, of a list that was read."""
        return part.count - sum(bool(text.strip()) for text in self.found[part.key])

    def wrong(self, key: str, index: int | None, said: Message) -> None:
        """Something is wrong with a list, or with one text in it."""
        self._wrong(self._line(key, index), said, key, index)

    def compact(self) -> str:
        """The file in as few words as it needs: what it says, without comments and spaces."""
        return f"about = {_quoted(self.about)}\n" + "".join(
            f"{part.key} = [\n{''.join(self._lines(part))}]\n" for part in self._parts
        )

    # ------------------------------------------------------------ reading

    def _parsed(self) -> dict[str, Any]:
        try:
            return tomllib.loads(self._text)
        except (ValueError, RecursionError) as error:
            line = re.search(r"line (\d+)", str(error))
            where = int(line[1]) if line else self._text.count("\n") + 1
            self._wrong(where, Message("reason.core.box_not_toml", error=str(error)))
            return {}

    def _check_keys(self) -> None:
        keys = ["about", *(part.key for part in self._parts)]
        if unknown := next((key for key in self._data if key not in keys), None):
            said = Message("reason.core.box_unknown_key", word=brief(unknown), known=", ".join(keys))
            self.wrong(unknown, None, said)
        for key in keys:
            if key not in self._data:
                self._wrong(self._text.count("\n") + 1, Message("reason.core.box_key_missing", word=key))
        about = self._data.get("about", "")
        if not isinstance(about, str):
            self.wrong("about", None, Message("reason.core.box_must_be_text", value=brief(about)))
            return
        self.about = " ".join(about.split())
        if not self._file and len(self.about) > _LONGEST_ABOUT:
            self.wrong("about", None, Message("reason.core.box_about_long", most=_LONGEST_ABOUT))

    def _texts(self, part: BoxPart) -> list[str]:
        value = self._data.get(part.key)
        if value is None or (part.row and not self._has_rows(part, value)):
            return []
        if not isinstance(value, list):
            self.wrong(part.key, None, Message("reason.core.box_must_be_list", value=brief(value)))
            return []
        found = [each for item in value for each in (item if isinstance(item, list) else [item])]
        texts = [item for item in found if isinstance(item, str)]
        if len(texts) != len(found):
            self.wrong(part.key, None, Message("reason.core.box_texts_only"))
            return []
        if len(texts) > part.count or (len(texts) < part.count and not self._patient):
            self.wrong(part.key, None, Message("reason.core.box_count", count=part.count, found=len(texts)))
        return texts[: part.count]

    def _has_rows(self, part: BoxPart, value: object) -> bool:
        """Whether a list is one of lists, each as long as a row."""
        if not isinstance(value, list) or len(value) != part.count // part.row:
            self.wrong(part.key, None, Message("reason.core.box_rows", rows=part.count // part.row))
            return False
        for number, row in enumerate(value):
            if not isinstance(row, list) or len(row) != part.row:
                said = Message("reason.core.box_row", number=number + 1, row=part.row, value=brief(row))
                self.wrong(part.key, part.row * number, said)
                return False
        return True

    def _wrong(self, line: int, said: Message, key: str = "", index: int | None = None) -> None:
        problem = BoxProblem(self._option, self._file, line, said, key, index)
        if not self._patient:
            raise problem from None
        self.problems.append(problem)

    def _line(self, key: str, index: int | None) -> int:
        """The line of a key, or of the text with this index in the key's array."""
        start = re.search(
            rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[=.\]]|^[ \t]*\[+{re.escape(key)}", self._text, re.MULTILINE
        )
        if start is None:
            return 1
        at = start.start()
        if index is not None:
            strings = [m for m in _STRING_OR_COMMENT.finditer(self._text, start.end()) if m["string"]]
            at = strings[min(index, len(strings) - 1)].start() if strings else at
        return self._text.count("\n", 0, at) + 1

    def _lines(self, part: BoxPart) -> Iterator[str]:
        """The entries of a list as they are written, a few on a line."""
        texts = [_quoted(" ".join(text.split())) for text in self.found[part.key]]
        few = part.row or 7
        for start in range(0, len(texts), few):
            line = ", ".join(texts[start : start + few])
            yield f" [{line}],\n" if part.row else f" {line},\n"


def _quoted(text: str) -> str:
    """A text as TOML writes it."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True)
class BoxData:
    """What a game's box has from a data file: the option that says which, the lists in it, and who reads them (and finds what is wrong in them).
    The files that we ship lie in the game's room."""

    option: str
    room: Path
    parts: tuple[BoxPart, ...]
    read: Callable[[DataFile], object]
    ours: str = "souk"

    def file(self, name: object) -> DataFile:
        """The data file that an option names: one that lies in the room, another by its path, or the text itself. A single word is never a path,
        so that whoever may only name what is in the box cannot ask after files; and what has several lines is never one either."""
        if not isinstance(name, str) or not name or "\0" in name:
            raise ValueError(f"{self.option}: must be the name of a data file, not {brief(name)}")
        if is_text(name):
            if len(name) > _LARGEST:
                raise ValueError(f"{self.option}: this is too long to be a data file ({len(name)} characters)")
            return DataFile(self.option, name, self.parts)
        if not _WORD.fullmatch(name):
            return DataFile(self.option, _read(self.option, name, Path(name)), self.parts, Path(name).name)
        ours = _shipped_files(self.room)
        if name not in ours:
            known = f"{brief(name)} is none of ours, which are {', '.join(ours)}"
            raise ValueError(
                f"{self.option}: {known}; a file is named with its ending or folder, as in ./{self.option}.toml"
            )
        return _shipped(self.option, ours[name], self.parts)

    def chosen(self, options: dict[str, Any]) -> DataFile:
        """The data file that these options name."""
        return self.file(options.get(self.option, self.ours))

    def tried(self, text: str) -> DataFile:
        """A text that somebody is still writing, with all that is wrong in it."""
        file = DataFile(self.option, text, self.parts, patient=True)
        self.read(file)
        return file

    def compact(self, name: object) -> str:
        """A data file in as few words as it needs."""
        file = self.file(name)
        self.read(file)
        return file.compact()


@cache
def _shipped_files(room: Path) -> dict[str, Path]:
    """Those that lie in a game's room, by name. Every position asks for one, so they are looked for once."""
    return {file.stem: file for file in sorted(room.glob("*.toml"))}


@cache
def _shipped(option: str, path: Path, parts: tuple[BoxPart, ...]) -> DataFile:
    return DataFile(option, _read(option, path.stem, path), parts, path.name)


def _read(option: str, name: str, path: Path) -> str:
    try:
        raw = path.read_bytes() if path.is_file() else None
    except OSError:
        raw = None
    if raw is None:
        raise ValueError(f"{option}: {brief(name)} is not a file that can be read")
    if len(raw) > _LARGEST:
        raise ValueError(f"{option}: {path.name} is too large to be a data file ({len(raw)} bytes)")
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BoxProblem(option, path.name, line, Message("reason.core.box_not_text")) from None
