"""An event of a table, as it is kept and as it is told to those who look on.

The last thing that happened is shown in full: the position, one's moves, the scene. What led to it in the same moment, such as the move for which a die then came up, is told
in the same message, with no more than what was so in between. Nothing of this is worked out before somebody looks.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from souk.core.facts import Fact
from souk.table import fates
from souk.table.protocol import NOBODY, Event, Passing
from souk.table.store import EventRow
from souk.table.views import Looks, encode

_MOST_AT_ONCE = 50  # events of one message: another server may have written many


@dataclass(slots=True)
class Happening:
    """An event, with what those at the table see of it."""

    seq: int
    kind: str  # "move", "chance", "back" or "life": see `souk.table.fates`
    seat: int | None
    text: str
    words: bytes  # what is told of it, as JSON
    facts: list[Fact]
    looks: Looks
    can_take_back: int  # the seat that can, or -1
    _facts: msgspec.Raw | None = field(init=False, default=None)

    def row(self) -> EventRow:
        secret = self.looks.secret and self.seat is not None
        return EventRow(self.seq, self.kind, self.seat, self.text, self.words, secret)

    def message(self, seat: int, passed: Sequence[msgspec.Raw] = ()) -> bytes:
        """What a seat, or a spectator (-1), is told of it, and of what happened just before."""
        view = self.looks.view(seat, seat == self.can_take_back and seat != NOBODY)
        return encode(Event(**self._told(seat), view=view, passed=list(passed)))  # type: ignore[arg-type]

    def in_passing(self, seat: int, end: Looks) -> msgspec.Raw:
        """What a seat, or a spectator (-1), is told of it where other things followed at once, and in the end it looks so."""
        position, scores = self.looks.changed(end, seat), list(self.looks.standing.scores)
        passing = Passing(**self._told(seat), position=position, scores=scores, scene=self.looks.in_passing())
        return msgspec.Raw(encode(passing))

    def _told(self, seat: int) -> dict[str, Any]:
        """What is told in both cases."""
        back = self.kind == "back"
        move, told, facts = self._move(seat), msgspec.Raw(self.words), self._facts_once()
        return {"seq": self.seq, "seat": self.seat, "move": move, "told": told, "facts": facts, "taken_back": back}

    def _move(self, seat: int) -> str | None:
        """None where it is not for this seat to know."""
        return None if self.kind == fates.KIND or (self.looks.secret and self.seat != seat) else self.text

    def _facts_once(self) -> msgspec.Raw:
        """What all are told alike is put into bytes once."""
        if self._facts is None:
            self._facts = msgspec.Raw(encode(self.facts))
        return self._facts


class ToldAtOnce:
    """Events that happened at once, as those who look on are told of them: each seat in one message. What is the same for several is worked out once."""

    __slots__ = ("_alike", "_last", "_passed", "_told")

    def __init__(self, happenings: Sequence[Happening]) -> None:
        *self._passed, self._last = happenings
        self._alike: list[msgspec.Raw] | None = None  # of the events that passed, where all may know the same of them
        self._told: dict[int, bytes] = {}

    def message(self, seat: int) -> bytes:
        """What a seat, or a spectator (-1), is told."""
        if seat not in self._told:
            self._told[seat] = self._last.message(seat, self._passing(seat))
        return self._told[seat]

    def _passing(self, seat: int) -> list[msgspec.Raw]:
        if self._alike is not None:
            return self._alike
        end = self._last.looks
        found = [each.in_passing(seat, end) for each in self._passed]
        if not end.secret and not any(each.looks.secret for each in self._passed):
            self._alike = found
        return found


def moments(happenings: Sequence[Happening], one_by_one: bool) -> Iterator[ToldAtOnce]:
    """What is told in one message each."""
    size = 1 if one_by_one else _MOST_AT_ONCE
    for begin in range(0, len(happenings), size):
        yield ToldAtOnce(happenings[begin : begin + size])
