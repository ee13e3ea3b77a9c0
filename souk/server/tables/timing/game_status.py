"""Status events: pauses, resignations, time-outs and early ends.

They are in a table's log; the rules do not know them.
"""

from collections.abc import Iterable
from typing import NamedTuple

from souk.core.messages import Message, Seat
from souk.core.position import Position
from souk.core.results import ENDS, places, winners
from souk.server.storage.rows import EventRow

KIND = "life"  # of the event rows
# One of ENDS, or one of these with a seat. "stand_in": a bot plays until the person returns; "out":
# to the end; "lost": to the end, and the seat cannot win; "resigned": the same by choice.
ABOUT_A_SEAT = ("paused", "resumed", "stand_in", "out", "lost", "resigned")


class GameStatus(NamedTuple):
    """Current status."""

    paused: bool = False
    out: frozenset[int] = frozenset()  # played by a bot to the end
    lost: frozenset[int] = frozenset()  # cannot win
    ended: str = ""  # one of ENDS, or "" while running
    helped: bool = False  # a bot has stood in

    def after(self, text: str) -> "GameStatus":
        """The status after an event; ValueError if it is unknown."""
        what, _, seat = text.partition(" ")
        if what in ENDS:
            return self._replace(ended=what, paused=False)
        if what not in ABOUT_A_SEAT:
            raise ValueError(f"{text} is no status event")
        if what in ("paused", "resumed"):
            return self._replace(paused=what == "paused")
        out = self.out | {int(seat)} if what in ("out", "lost") else self.out
        lost = self.lost | {int(seat)} if what in ("lost", "resigned") else self.lost
        return self._replace(out=out, lost=lost, helped=self.helped or what in ("stand_in", "out"))

    def has_one_contender(self, players: int) -> bool:
        """Whether only one of several seats can still win."""
        return players > 1 and len(self.lost) >= players - 1

    def winners(self, position: Position) -> tuple[int, ...]:
        """Current winners."""
        return winners(position, self.lost, self.ended)

    def places(self, position: Position) -> tuple[int, ...]:
        """Places from 1 by seat; empty without a result."""
        return places(position, self.lost, self.ended)


def status_of(events: Iterable[EventRow]) -> GameStatus:
    """The status after all events of a game."""
    status = GameStatus()
    for row in events:
        status = status.after(row.text) if row.kind == KIND else status
    return status


def status_message(text: str) -> Message:
    """A status event as a message."""
    what, _, seat = text.partition(" ")
    return (
        Message(f"table.life.{what}", who=Seat(int(seat)))
        if seat
        else Message(f"table.life.{what}")
    )
