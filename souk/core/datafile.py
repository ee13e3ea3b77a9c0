"""Boards, cards and rates from TOML files: ours by name, another by path. What is wrong in one is named by its line."""

import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

from souk.core.fields import brief

_LARGEST = 65536
_WORD = re.compile(r"[\w-]+")
_STRING_OR_COMMENT = re.compile(r"""(?P<comment>#[^\n]*)|(?P<string>"(?:[^"\\\n]|\\.)*"|'[^'\n]*')""")


class DataFile:
    """One data file: an `about` text and arrays of texts. Errors begin with the option that named the file."""

    def __init__(self, option: str, name: str, path: Path, keys: tuple[str, ...]) -> None:
        self._option, self._path = option, path
        self._text = self._read(name)
        try:
            self._data: dict[str, Any] = tomllib.loads(self._text)
        except tomllib.TOMLDecodeError as error:
            line = re.search(r"line (\d+)", str(error))
            where = int(line[1]) if line else self._text.count("\n") + 1
            raise self._error(where, f"this is not TOML: {error}") from None
        for key in self._data:
            if key not in ("about", *keys):
                raise self.wrong(key, None, f"unknown key {brief(key)}; known are about, {', '.join(keys)}")
        for key in ("about", *keys):
            if key not in self._data:
                raise self._error(self._text.count("\n") + 1, f"the file ends without {key} = …")
        if not isinstance(self._data["about"], str):
            raise self.wrong("about", None, f"must be a text, not {brief(self._data['about'])}")
        self.about: str = " ".join(self._data["about"].split())

    def texts(self, key: str, count: int) -> list[str]:
        """The texts of an array (or of the arrays in it, one after the other), which must be `count` different ones."""
        found: list[object] = []
        value = self._data[key]
        if not isinstance(value, list):
            raise self.wrong(key, None, f"must be a list, not {brief(value)}")
        for item in value:
            found.extend(item if isinstance(item, list) else [item])
        texts = [item for item in found if isinstance(item, str)]
        if len(texts) != len(found):
            raise self.wrong(key, None, "must hold texts only")
        if len(texts) != count:
            raise self.wrong(key, None, f"must hold {count} entries, not {len(texts)}")
        return texts

    def rows(self, key: str, rows: int, columns: int) -> list[str]:
        """The texts of an array of `rows` arrays of `columns` each, one after the other."""
        value = self._data[key]
        if not isinstance(value, list) or len(value) != rows:
            raise self.wrong(key, None, f"must be a list of {rows} lists")
        for number, row in enumerate(value):
            if not isinstance(row, list) or len(row) != columns:
                problem = f"number {number + 1} must be a list of {columns}, not {brief(row)}"
                raise self.wrong(key, columns * number, problem)
        return self.texts(key, rows * columns)

    def wrong(self, key: str, index: int | None, problem: str) -> ValueError:
        """The error for a key, or for one text in its array."""
        return self._error(self._line(key, index), problem)

    def _read(self, name: str) -> str:
        try:
            raw = self._path.read_bytes() if self._path.is_file() else None
        except OSError:
            raw = None
        if raw is None:
            raise ValueError(f"{self._option}: {brief(name)} is not a file that can be read")
        if len(raw) > _LARGEST:
            raise ValueError(f"{self._option}: {self._path.name} is too large to be a data file ({len(raw)} bytes)")
        try:
            return raw.decode()
        except UnicodeDecodeError as error:
            raise self._error(raw[: error.start].count(b"\n") + 1, "this is not UTF-8 text") from None

    def _error(self, line: int, problem: str) -> ValueError:
        return ValueError(f"{self._option}: {self._path.name}, line {line}: {problem}")

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


@cache
def _shipped(option: str, path: Path, keys: tuple[str, ...]) -> DataFile:
    return DataFile(option, path.stem, path, keys)


def load(option: str, name: object, room: Path, keys: tuple[str, ...]) -> DataFile:
    """The data file an option names: one that lies in the game's room, or another by its path. A single word is never a path, so that whoever
    may only name what is in the box cannot ask after files."""
    if not isinstance(name, str) or not name or "\0" in name:
        raise ValueError(f"{option}: must be the name of a data file, not {brief(name)}")
    if not _WORD.fullmatch(name):
        return DataFile(option, name, Path(name), keys)
    ours = {file.stem: file for file in sorted(room.glob("*.toml"))}
    if name not in ours:
        known = f"{brief(name)} is none of ours, which are {', '.join(ours)}"
        raise ValueError(f"{option}: {known}; a file is named with its ending or folder, as in ./{option}.toml")
    return _shipped(option, ours[name], keys)
