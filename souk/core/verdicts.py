"""Who has won a game that did not simply come to its end: some have lost on time, or all have agreed to end it as it stands."""

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from souk.core.position import Position

# How a game may end before its end: "agreed", as all wanted the scores as they stood to be the result; "no_result"; "left", as all others had lost.
ENDS = ("agreed", "no_result", "left")


def winners(position: "Position", lost: Collection[int] = (), ended: str = "") -> tuple[int, ...]:
    """As the rules say, without those who have lost; where that leaves nobody, or the game did not come to its end, whoever has most points of the
    others."""
    if ended == "no_result" or not (position.over or ended):
        return ()
    kept = tuple(seat for seat in position.winners if seat not in lost)
    if kept or (position.over and not lost):
        return kept
    able = [seat for seat in range(position.players) if seat not in lost]
    most = max((position.scores[seat] for seat in able), default=0)
    return tuple(seat for seat in able if position.scores[seat] == most)
