"""What a game's `numbers.py` declares of itself: what the numbers of an observation mean, and the actions."""

from collections.abc import Sequence
from typing import NamedTuple


class Field(NamedTuple):
    """Some numbers of an observation, one after the other."""

    name: str
    size: int
    low: int
    high: int
    about: str


class Actions(NamedTuple):
    """Some actions, one after the other."""

    name: str
    size: int
    about: str


def places(parts: Sequence[Field] | Sequence[Actions]) -> dict[str, slice]:
    """Where the numbers of each field, or the actions of each kind, are."""
    found, begin = {}, 0
    for part in parts:
        found[part.name] = slice(begin, begin + part.size)
        begin += part.size
    return found
