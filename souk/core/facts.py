"""Facts: small typed records of what an event did.

The game log, animations, points by source, reports and exports are all made from them. A game's
`facts.py` defines its own kinds and the rules that emit them (`souk.kernel.tracing`). Facts are
public: none contains a secret.
"""

import re
from collections.abc import Callable

import msgspec


def _tag(name: str) -> str:
    """Convert a class name to snake case: OmarWalked is "omar_walked"."""
    return re.sub(r"(?<!^)([A-Z])", r"_\1", name).lower()


class Fact(msgspec.Struct, frozen=True, tag_field="is", tag=_tag):
    """Base class of facts. In JSON, the field "is" holds the kind.

    Docstrings of a game's own kinds begin with the clause.
    """


class SeatFact(Fact, frozen=True):
    """A fact about one seat."""

    seat: int


FactListener = Callable[[Fact], object]


class Moved(SeatFact, frozen=True):
    """A seat made a move. Used by games without facts of their own."""

    move: str


class CameUp(Fact, frozen=True):
    """A die or card was revealed. Used by games without facts of their own."""

    outcome: str


class Chose(SeatFact, frozen=True):
    """A seat made a choice that is still secret."""


class Ended(Fact, frozen=True):
    """The game is over. Always the last fact, in every game."""

    scores: list[int]
    winners: list[int]
