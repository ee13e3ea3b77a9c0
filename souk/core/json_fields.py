"""Validated reading of positions from JSON. Errors name the field."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from typing import Any

from souk.core.errors import suggestion


def brief(value: object) -> str:
    """A value's repr for messages, truncated."""
    try:
        text = repr(value)
    except ValueError:  # a number of thousands of digits
        text = "a huge number"
    return text if len(text) <= 60 else text[:57] + "..."


def is_whole(value: object) -> bool:
    """Whether a value is a Python or NumPy integer, but not a bool."""
    return isinstance(value, Integral) and not isinstance(value, bool)


class Fields:
    """The fields of a JSON object.

    All methods raise ValueError with a message that begins with the field's name.
    """

    def __init__(
        self, data: object, names: Iterable[str], optional: Iterable[str] = (), inside: str = ""
    ) -> None:
        self._prefix = f"{inside}." if inside else ""
        if not isinstance(data, dict):
            raise ValueError(
                f"{inside or 'position'}: must be an object with named fields, not {brief(data)}"
            )
        self._data: dict[str, Any] = data
        known = [*names, *optional]
        for name in data:
            if name not in known:
                raise ValueError(f"{self._prefix}{name}: unknown field. {suggestion(name, known)}")
        for name in names:
            if name not in data:
                raise ValueError(f"{self._prefix}{name}: missing")

    def wrong(self, name: str, problem: str) -> ValueError:
        """The error for a field, for the caller to raise."""
        return ValueError(f"{self._prefix}{name}: {problem}")

    def __getitem__(self, name: str) -> Any:
        return self._data[name]

    def inner(self, name: str, names: Iterable[str]) -> "Fields":
        """A nested object."""
        return Fields(self._data[name], names, inside=self._prefix + name)

    def items(self, name: str, count: int) -> list[Any]:
        value = self._data[name]
        if not isinstance(value, list) or len(value) != count:
            raise self.wrong(name, f"must be a list of {count}, not {brief(value)}")
        return value

    def whole(self, name: str, low: int, high: int) -> int:
        return self._whole(name, self._data[name], low, high)

    def wholes(self, name: str, count: int, low: int, high: int) -> list[int]:
        return [self._whole(name, value, low, high) for value in self.items(name, count)]

    def table(self, name: str, rows: int, columns: int, low: int, high: int) -> list[list[int]]:
        """A list of lists of whole numbers."""
        table = []
        for row in self.items(name, rows):
            if not isinstance(row, list) or len(row) != columns:
                raise self.wrong(name, f"must hold lists of {columns}, not {brief(row)}")
            table.append([self._whole(name, value, low, high) for value in row])
        return table

    def word(self, name: str, known: Sequence[str]) -> str:
        value = self._data[name]
        # As a tuple: `known` may be a string of letters, and substrings of it are wrong.
        if not isinstance(value, str) or value not in tuple(known):
            raise self.wrong(name, f"{brief(value)} is not one of {', '.join(known)}")
        return value

    def seat(self, name: str, players: int) -> int:
        return self.whole(name, 0, players - 1)

    def check_room(self, name: str, value: int, more: int, most: int) -> None:
        """Reject a number that play could push beyond `most` by adding up to `more`."""
        if value + more > most:
            problem = f"{value} is too high here: play may still add up to {more}"
            raise self.wrong(name, f"{problem}, and {most} is the highest number that can be read")

    def nothing(self, name: str, when: str) -> None:
        """Check that a field is null."""
        if self._data[name] is not None:
            raise self.wrong(name, f"must be null {when}, not {brief(self._data[name])}")

    def _whole(self, name: str, value: object, low: int, high: int) -> int:
        if not is_whole(value) or not low <= value <= high:  # type: ignore[operator]
            raise self.wrong(name, f"{brief(value)} is not a whole number from {low} to {high}")
        return value  # type: ignore[return-value]
