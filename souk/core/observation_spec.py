"""Declarations of observation fields and actions in a game's `observations.py`."""

from collections.abc import Sequence
from typing import NamedTuple


class Field(NamedTuple):
    """A group of consecutive numbers in an observation."""

    name: str
    size: int
    low: int
    high: int
    about: str


class Actions(NamedTuple):
    """A group of consecutive actions."""

    name: str
    size: int
    about: str


def places(parts: Sequence[Field] | Sequence[Actions]) -> dict[str, slice]:
    """The slice of each field or group of actions, by name."""
    slices, begin = {}, 0
    for part in parts:
        slices[part.name] = slice(begin, begin + part.size)
        begin += part.size
    return slices
