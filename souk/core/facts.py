"""What an event did, said once: small typed facts, from which the log, the animation, the points by source, reports and exports are made.

A game's `facts.py` has its own kinds and says, rule by rule, when each is told (see `souk.kernel.watching`). All who look on may know every fact, so
none holds what is still secret.
"""

import re
from collections.abc import Callable

import msgspec


def _tag(name: str) -> str:
    """OmarWalked is "omar_walked"."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


class Fact(msgspec.Struct, frozen=True, tag_field="is", tag=_tag):
    """Something that happened; the docstrings of a game's own kinds begin with the clause. As JSON its kind stands under "is"."""


class SeatFact(Fact, frozen=True):
    """Something that a seat did, or that befell it."""

    seat: int


Tell = Callable[[Fact], object]  # somebody who is told facts, one after the other


class Moved(SeatFact, frozen=True):
    """A seat made a move: all that is told of it where a game has no facts of its own."""

    move: str


class CameUp(Fact, frozen=True):
    """A die or card showed something: all that is told of it where a game has no facts of its own."""

    outcome: str


class Chose(SeatFact, frozen=True):
    """A seat made a choice that the others may not see yet."""


class Ended(Fact, frozen=True):
    """The game is over. Told after every game's own facts."""

    scores: list[int]
    winners: list[int]
