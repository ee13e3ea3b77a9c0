"""Box data (boards, cards, rates) in TOML: shipped files by name, or the text itself.

Errors name the line. Only `BoxData.text_of` opens files named by the caller, and only `Game.start`
and readers with `files=True` call it: untrusted text never opens a file. Positions and records
store the text, so they do not need the file again.
"""

import json
import os
import re
import stat
import tomllib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from souk.core.json_fields import brief
from souk.core.messages import Message

# Maximum size of a data file; shipped files have 600 to 1,200 characters.
MAX_CHARACTERS = 8000
# Maximum number of dots in a line: tomllib is quadratic in the parts of a dotted key.
_MAX_DOTS = 64
# Maximum length of `about`, which is stored with every position.
_MAX_ABOUT = 200
_WORD = re.compile(r"[\w-]+")
_STRING_OR_COMMENT = re.compile(
    r"""(?P<comment>#[^\n]*)|(?P<string>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')"""
)


class Bounds(msgspec.Struct, frozen=True):
    """Limits of a digit in an entry, or of the number of letters in a multiset."""

    name: str
    least: int
    most: int

    def figure(self) -> str:
        """The regex of a single digit."""
        return f"([{self.least}-{self.most}])"

    def letters(self, alphabet: str) -> str:
        """The regex of a multiset."""
        return f"([{alphabet}]{{{self.least},{self.most}}})"


class BoxPart(msgspec.Struct, frozen=True):
    """A list in a data file: its number of entries, their form, and the row length (0: no rows)."""

    key: str
    count: int
    example: str
    row: int = 0
    # Limits within an entry, for editors.
    bounds: tuple[Bounds, ...] = ()


class BoxRefused(ValueError):
    """A data file that was rejected before parsing. `message` says why, in any language."""

    def __init__(self, option: str, reason: Message):
        super().__init__(f"{option}: {reason}")
        self.message = Message("reason.core.box_option", option=option, what=reason)


class BoxProblem(ValueError):
    """A problem in a data file: its line, and the list and entry it concerns, if any.

    `message` describes it, in any language.
    """

    def __init__(
        self,
        option: str,
        line: int,
        reason: Message,
        key: str = "",
        index: int | None = None,
        file: str = "",
    ):
        super().__init__(f"{option}: {f'{file}, ' * bool(file)}line {line}: {reason}")
        self.option, self.line, self.reason = option, line, reason
        self.key, self.index = key, index
        self.message = Message("reason.core.box_line", line=line, what=reason)

    def in_file(self, file: str) -> "BoxProblem":
        """The same problem with a file name in its message."""
        return BoxProblem(self.option, self.line, self.reason, self.key, self.index, file)


def is_text(value: object) -> bool:
    """Whether an option is the text of a data file, not a name: it has more than one line."""
    return isinstance(value, str) and "\n" in value


class DataFile:
    """A parsed data file: an `about` text and lists of texts.

    Errors begin with the option's name. The first problem raises; with `lenient`, all problems are
    collected in `problems`, and entries may still be empty.
    """

    def __init__(self, option: str, text: str, parts: tuple[BoxPart, ...], lenient: bool = False):
        if len(text) > MAX_CHARACTERS:
            raise BoxRefused(
                option, Message("reason.core.box_large", most=MAX_CHARACTERS, found=len(text))
            )
        self._option, self._text, self._lenient = option, text, lenient
        self._parts = parts
        self.problems: list[BoxProblem] = []
        # Entries that have been read, by list.
        self.texts: dict[str, list[str]] = {part.key: [] for part in parts}
        self.about = ""
        self._data = self._parsed()
        if not self.problems:
            self._check_keys()

    def entries(self, part: BoxPart) -> Iterator[tuple[int, str]]:
        """The entries of a list (rows concatenated) with their numbers, without empty ones."""
        texts = self._texts(part)
        self.texts[part.key] = texts
        for index, text in enumerate(texts):
            if text.strip() or not self._lenient:
                yield index, text

    def missing(self, part: BoxPart) -> int:
        """The number of entries still empty in a list that has been read."""
        return part.count - sum(bool(text.strip()) for text in self.texts[part.key])

    def wrong(self, key: str, index: int | None, reason: Message) -> None:
        """Report a problem with a list, or with one entry of it."""
        self._wrong(self._line(key, index), reason, key, index)

    def compact(self) -> str:
        """The normalized text of the file, without comments and extra spaces."""
        return f"about = {_quoted(self.about)}\n" + "".join(
            f"{part.key} = [\n{''.join(self._lines(part))}]\n" for part in self._parts
        )

    # ------------------------------------------------------------ reading

    def _parsed(self) -> dict[str, Any]:
        for number, content in enumerate(self._text.split("\n"), 1):
            if content.count(".") > _MAX_DOTS and not content.lstrip().startswith("#"):
                self._wrong(number, Message("reason.core.box_dots", most=_MAX_DOTS))
                return {}
        try:
            return tomllib.loads(self._text)
        except RecursionError:
            self._wrong(1, Message("reason.core.box_too_deep"))
            return {}
        except ValueError as error:
            line = re.search(r"line (\d+)", str(error))
            where = int(line[1]) if line else self._text.count("\n") + 1
            self._wrong(where, Message("reason.core.box_not_toml", error=str(error)))
            return {}

    def _check_keys(self) -> None:
        keys = ["about", *(part.key for part in self._parts)]
        if unknown := next((key for key in self._data if key not in keys), None):
            reason = Message(
                "reason.core.box_unknown_key", word=brief(unknown), known=", ".join(keys)
            )
            self.wrong(unknown, None, reason)
        for key in keys:
            if key not in self._data:
                self._wrong(
                    self._text.count("\n") + 1, Message("reason.core.box_key_missing", word=key)
                )
        about = self._data.get("about", "")
        if not isinstance(about, str):
            self.wrong("about", None, Message("reason.core.box_must_be_text", value=brief(about)))
            return
        self.about = " ".join(about.split())
        if len(self.about) > _MAX_ABOUT:
            self.wrong("about", None, Message("reason.core.box_about_long", most=_MAX_ABOUT))

    def _texts(self, part: BoxPart) -> list[str]:
        value = self._data.get(part.key)
        if value is None or (part.row and not self._has_rows(part, value)):
            return []
        if not isinstance(value, list):
            self.wrong(part.key, None, Message("reason.core.box_must_be_list", value=brief(value)))
            return []
        entries = [
            entry for item in value for entry in (item if isinstance(item, list) else [item])
        ]
        texts = [entry for entry in entries if isinstance(entry, str)]
        if len(texts) != len(entries):
            self.wrong(part.key, None, Message("reason.core.box_texts_only"))
            return []
        if len(texts) > part.count or (len(texts) < part.count and not self._lenient):
            self.wrong(
                part.key, None, Message("reason.core.box_count", count=part.count, found=len(texts))
            )
        return texts[: part.count]

    def _has_rows(self, part: BoxPart, value: object) -> bool:
        """Whether a value is a list of rows of the right length."""
        if not isinstance(value, list) or len(value) != part.count // part.row:
            self.wrong(part.key, None, Message("reason.core.box_rows", rows=part.count // part.row))
            return False
        for number, row in enumerate(value):
            if not isinstance(row, list) or len(row) != part.row:
                reason = Message(
                    "reason.core.box_row", number=number + 1, row=part.row, value=brief(row)
                )
                self.wrong(part.key, part.row * number, reason)
                return False
        return True

    def _wrong(self, line: int, reason: Message, key: str = "", index: int | None = None) -> None:
        problem = BoxProblem(self._option, line, reason, key, index)
        if not self._lenient:
            raise problem from None
        self.problems.append(problem)

    def _line(self, key: str, index: int | None) -> int:
        """The line of a key, or of an entry of its array."""
        start = re.search(
            rf"^[ \t]*[\"']?{re.escape(key)}[\"']?[ \t]*[=.\]]|^[ \t]*\[+{re.escape(key)}",
            self._text,
            re.MULTILINE,
        )
        if start is None:
            return 1
        position = start.start()
        if index is not None:
            strings = [
                match
                for match in _STRING_OR_COMMENT.finditer(self._text, start.end())
                if match["string"]
            ]
            position = strings[min(index, len(strings) - 1)].start() if strings else position
        return self._text.count("\n", 0, position) + 1

    def _lines(self, part: BoxPart) -> Iterator[str]:
        """The lines of a list, several entries each."""
        texts = [_quoted(" ".join(text.split())) for text in self.texts[part.key]]
        per_line = part.row or 7
        for start in range(0, len(texts), per_line):
            line = ", ".join(texts[start : start + per_line])
            yield f" [{line}],\n" if part.row else f" {line},\n"


def _quoted(text: str) -> str:
    """A TOML string literal."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


@dataclass(frozen=True)
class BoxData:
    """The box data of a game that comes from a data file.

    Args:
        option: the option of `start` that selects the file.
        folder: the game package, which holds the shipped files.
        parts: the lists in a file.
        read: reads a file and reports its problems.
        default: the name of the default file.
    """

    option: str
    folder: Path
    parts: tuple[BoxPart, ...]
    read: Callable[[DataFile], object]
    default: str = "souk"

    def file(self, name: object) -> DataFile:
        """The data file an option gives: the name of a shipped one, or the text of one."""
        if not isinstance(name, str) or not name:
            raise ValueError(f"{self.option}: must be the name of a data file, not {brief(name)}")
        if is_text(name):
            return DataFile(self.option, name, self.parts)
        shipped = _shipped_files(self.folder)
        if name in shipped:
            return _shipped(self.option, shipped[name], self.parts)
        raise BoxRefused(
            self.option,
            Message("reason.core.box_unknown", name=brief(name), known=", ".join(shipped)),
        )

    def text_of(self, path: str) -> str:
        """Read a file by path. A single word names a shipped file and is never a path."""
        if _WORD.fullmatch(path):
            raise ValueError(
                f"{self.option}: {brief(path)} is none of ours, which are "
                f"{', '.join(_shipped_files(self.folder))}; "
                f"a file is named with its ending or folder, as in ./{self.option}.toml"
            )
        text = _read(self.option, path)
        return text if is_text(text) else text + "\n"

    def is_path(self, name: object) -> bool:
        """Whether an option can only be a file path."""
        return (
            isinstance(name, str)
            and bool(name)
            and not is_text(name)
            and name not in _shipped_files(self.folder)
        )

    def from_options(self, options: dict[str, Any]) -> DataFile:
        """The data file selected by a game's options."""
        return self.file(options.get(self.option, self.default))

    def diagnose(self, text: str) -> DataFile:
        """Read a possibly unfinished text, collecting all its problems."""
        file = DataFile(self.option, text, self.parts, lenient=True)
        self.read(file)
        return file

    def compact(self, name: object) -> str:
        """The normalized text of a data file."""
        file = self.file(name)
        self.read(file)
        return file.compact()


@cache
def _shipped_files(folder: Path) -> dict[str, Path]:
    """The shipped files of a game by name. Cached because every position needs one."""
    return {file.stem: file for file in sorted(folder.glob("*.toml"))}


@cache
def _shipped(option: str, path: Path, parts: tuple[BoxPart, ...]) -> DataFile:
    return DataFile(option, path.read_text(encoding="utf-8"), parts)


def _read(option: str, name: str) -> str:
    """Read a regular file of bounded size. Never blocks on pipes or devices."""
    path, max_bytes = Path(name), 4 * MAX_CHARACTERS  # UTF-8
    raw = b""
    try:
        with os.fdopen(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise OSError
            raw = file.read(max_bytes + 1)
    except (OSError, ValueError):  # ValueError: a name with a NUL
        raise ValueError(f"{option}: {brief(name)} is not a file that can be read") from None
    if len(raw) > max_bytes:
        raise ValueError(
            f"{option}: {path.name} is too large to be a data file "
            f"(at most {MAX_CHARACTERS} characters)"
        )
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        line = raw[: error.start].count(b"\n") + 1
        raise BoxProblem(
            option, line, Message("reason.core.box_not_text"), file=path.name
        ) from None
