"""Events of a game, as stored and as sent to viewers.

Of events in the same moment (a move and the die it causes), only the last carries the full view;
the others are sent along in brief. Views are computed lazily.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import msgspec

from souk.core.facts import Fact
from souk.server.protocol.table import NOBODY, BriefView, Event
from souk.server.storage.rows import EventRow
from souk.server.tables.game.views import PositionView, encode
from souk.server.tables.timing import game_status as game_status

_MOST_AT_ONCE = 50  # events per message: another server may have written many


@dataclass(slots=True)
class GameEvent:
    """An event with what viewers see of it."""

    seq: int
    kind: str  # "move", "chance", "back" or "life" (`souk.server.tables.timing.game_status`)
    seat: int | None
    text: str
    words: bytes  # log texts as JSON
    facts: list[Fact]
    position_view: PositionView
    can_take_back: int  # seat, or -1
    _facts: msgspec.Raw | None = field(init=False, default=None)

    def row(self) -> EventRow:
        secret = self.position_view.secret and self.seat is not None
        return EventRow(self.seq, self.kind, self.seat, self.text, self.words, secret)

    def message(self, seat: int, passed: Sequence[msgspec.Raw] = ()) -> bytes:
        """The message for a seat or spectator (-1), including earlier events of the same moment."""
        view = self.position_view.view(seat, seat == self.can_take_back and seat != NOBODY)
        return encode(Event(**self._told(seat), view=view, passed=list(passed)))  # type: ignore[arg-type]

    def in_passing(self, seat: int, end: PositionView) -> msgspec.Raw:
        """The brief form for a seat or spectator (-1), relative to the moment's final view."""
        position, scores = (
            self.position_view.changed(end, seat),
            list(self.position_view.standing.scores),
        )
        passing = BriefView(
            **self._told(seat),
            position=position,
            scores=scores,
            scene=self.position_view.in_passing(),
        )
        return msgspec.Raw(encode(passing))

    def _told(self, seat: int) -> dict[str, Any]:
        """Fields both forms share."""
        move, told, facts = self._move(seat), msgspec.Raw(self.words), self._facts_once()
        return {
            "seq": self.seq,
            "seat": self.seat,
            "move": move,
            "told": told,
            "facts": facts,
            "taken_back": self.kind == "back",
        }

    def _move(self, seat: int) -> str | None:
        """The move, or None if the seat must not know it."""
        return (
            None
            if self.kind == game_status.KIND or (self.position_view.secret and self.seat != seat)
            else self.text
        )

    def _facts_once(self) -> msgspec.Raw:
        """Encode the facts, the same for all seats, only once."""
        if self._facts is None:
            self._facts = msgspec.Raw(encode(self.facts))
        return self._facts


class EventBatch:
    """Events of one moment, encoded once per distinct view."""

    __slots__ = ("_last", "_messages", "_passed", "_shared")

    def __init__(self, events: Sequence[GameEvent]) -> None:
        *self._passed, self._last = events
        # the earlier events, if all seats may see the same of them
        self._shared: list[msgspec.Raw] | None = None
        self._messages: dict[int, bytes] = {}

    def message(self, seat: int) -> bytes:
        """The message for a seat or spectator (-1)."""
        if seat not in self._messages:
            self._messages[seat] = self._last.message(seat, self._passing(seat))
        return self._messages[seat]

    def _passing(self, seat: int) -> list[msgspec.Raw]:
        if self._shared is not None:
            return self._shared
        end = self._last.position_view
        brief_events = [event.in_passing(seat, end) for event in self._passed]
        if not end.secret and not any(event.position_view.secret for event in self._passed):
            self._shared = brief_events
        return brief_events


def moments(events: Sequence[GameEvent], one_by_one: bool) -> Iterator[EventBatch]:
    """Group events into messages."""
    size = 1 if one_by_one else _MOST_AT_ONCE
    for begin in range(0, len(events), size):
        yield EventBatch(events[begin : begin + size])
