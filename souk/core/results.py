"""Winners and places of a game, including resignations, time losses and agreed ends."""

from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from souk.core.position import Position

# How a game may end early: "agreed": all accepted the current scores as the result; "no_result";
# "left": all others had lost; "called": time was up, and the current scores are the result.
ENDS = ("agreed", "no_result", "left", "called")


def winners(position: "Position", lost: Collection[int] = (), ended: str = "") -> tuple[int, ...]:
    """The winners by the rules, except seats that lost.

    If none remain, or the game ended early, the highest scores among the other seats win.
    """
    if ended == "no_result" or not (position.over or ended):
        return ()
    remaining = tuple(seat for seat in position.winners if seat not in lost)
    if remaining or (position.over and not lost):
        return remaining
    eligible = [seat for seat in range(position.players) if seat not in lost]
    best = max((position.scores[seat] for seat in eligible), default=0)
    return tuple(seat for seat in eligible if position.scores[seat] == best)


def places(position: "Position", lost: Collection[int] = (), ended: str = "") -> tuple[int, ...]:
    """Places by seat, from 1: winners, then by score, then seats that lost, all sharing one place.

    Ties share the better place. Empty if there is no result.
    """
    won = winners(position, lost, ended)
    if ended == "no_result" or not (position.over or ended):
        return ()
    scores = position.scores
    keys = [
        (1, 0, 0) if seat in lost else (0, seat not in won, -score)
        for seat, score in enumerate(scores)
    ]
    return tuple(1 + sum(other < own for other in keys) for own in keys)
