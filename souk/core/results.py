"""Who has won a game, and who came in where, also where it did not simply come to its end: some have resigned or lost on time, or all have agreed to
end it as it stands."""

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from souk.core.position import Position

# How a game may end before its end: "agreed", as all wanted the scores as they stood to be the result; "no_result"; "left", as all others had lost;
# "called", as its time was up: the scores as they stood are the result.
ENDS = ("agreed", "no_result", "left", "called")


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


def places(position: "Position", lost: Collection[int] = (), ended: str = "") -> tuple[int, ...]:
    """By seat, from 1: who has won comes first, then whoever has more points; those who have lost are last, all together. Equals share the better
    place. Nobody has one where there is no result."""
    won = winners(position, lost, ended)
    if ended == "no_result" or not (position.over or ended):
        return ()
    scores = position.scores
    order = [(1, 0, 0) if seat in lost else (0, seat not in won, -score) for seat, score in enumerate(scores)]
    return tuple(1 + sum(other < mine for other in order) for mine in order)
