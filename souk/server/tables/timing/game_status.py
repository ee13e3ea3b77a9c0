"""What has happened to a game besides its moves: it is paused, somebody resigns or their time is up, it was ended before its end. Each is an event of the table's
log; the rules know nothing of it."""

from collections.abc import Iterable
from typing import NamedTuple

from souk.core.message import Message, Seat
from souk.core.position import Position
from souk.core.verdicts import ENDS, places, winners
from souk.table.store import EventRow

KIND = "life"  # of these events
# What they are: one of ENDS, or one of these with a seat. "stand_in": a bot plays until the person returns; "out": to the end; "lost": to the end,
# and the seat cannot win; "resigned": the same, as its person wanted it.
ABOUT_A_SEAT = ("paused", "resumed", "stand_in", "out", "lost", "resigned")


class Fate(NamedTuple):
    """What is so by now."""

    paused: bool = False
    out: frozenset[int] = frozenset()  # seats that a bot plays to the end
    lost: frozenset[int] = frozenset()  # seats that cannot win
    ended: str = ""  # one of ENDS
    helped: bool = False  # a bot has stood in for somebody

    def after(self, text: str) -> "Fate":
        """Once this has happened. ValueError where nobody knows what it is."""
        what, _, seat = text.partition(" ")
        if what in ENDS:
            return self._replace(ended=what, paused=False)
        if what not in ABOUT_A_SEAT:
            raise ValueError(f"{text} is nothing that happens to a game")
        if what in ("paused", "resumed"):
            return self._replace(paused=what == "paused")
        out = self.out | {int(seat)} if what in ("out", "lost") else self.out
        lost = self.lost | {int(seat)} if what in ("lost", "resigned") else self.lost
        return self._replace(out=out, lost=lost, helped=self.helped or what in ("stand_in", "out"))

    def is_left(self, players: int) -> bool:
        """Whether only one seat can still win, of several."""
        return players > 1 and len(self.lost) >= players - 1

    def winners(self, position: Position) -> tuple[int, ...]:
        """Who has won by now."""
        return winners(position, self.lost, self.ended)

    def places(self, position: Position) -> tuple[int, ...]:
        """Who came in where, from 1; none where there is no result."""
        return places(position, self.lost, self.ended)


def fate_of(events: Iterable[EventRow]) -> Fate:
    """What has happened to a game, from all its events."""
    fate = Fate()
    for row in events:
        fate = fate.after(row.text) if row.kind == KIND else fate
    return fate


def told(text: str) -> Message:
    """One of these events in words."""
    what, _, seat = text.partition(" ")
    return Message(f"table.life.{what}", who=Seat(int(seat))) if seat else Message(f"table.life.{what}")
