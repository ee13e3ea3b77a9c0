"""The desk: all that a bot writes down while it thinks, in one place.

Kernels and a game's insight are handed the desk as rules are handed the position: one argument, whose fields have names. Interpreted rules
see it through a `State`. A game's insight may have fields of its own on it (its `DESK`), for what no other game needs to note.

What may be overwritten when: `candidates` leaves its moves in `found`, and there they stay until it is asked again. `out`, `weights`
and `notes`, like the fields of an insight's own, hold what one call of a verb writes down, and nothing that another may rely on.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from souk.kernel.mind_shape import AT_ONCE, FIRST, OUTPUTS, SECOND
from souk.kernel.rule import rule

MOST_MOVES = 64  # of one seat that are looked at, unless a game says that there can be more
DEEPEST = 64  # moves of the tree that one playout of a search goes through, at most

Layout = Sequence[tuple[Any, ...]]  # fields as NumPy takes them


def desk_type(widest: int, seats: int, own: Layout = (), most_seen: int = 1) -> np.dtype[np.void]:
    """The desk of a game with lists no longer than `widest` and at most so many seats, with the fields of its insight's own, and room
    for so many things that a mind sees."""
    wide = max(MOST_MOVES, widest)
    return np.dtype(
        [
            # For verbs: lists of moves or outcomes, and what is noted of each.
            ("found", "i4", wide),  # the moves that `candidates` writes
            ("out", "i4", wide),  # any other list
            ("weights", "i4", wide),  # of outcomes
            ("notes", "f8", wide),  # how good a move is, or whatever else there is to note
            *own,
            # What a position was judged to be worth.
            ("scores", "i4", seats),
            ("values", "f8", seats),  # expected final scores
            ("wins", "f8", seats),  # chances to win
            ("weighed", "f8", (3, seats)),  # on the way back from there, see souk.bots.kernels.weighing
            *_of_a_mind(seats, most_seen),
            # What has been noticed of the seats, see souk.kernel.noticing.
            ("swayed", "f8", seats),
            ("habits", "f8", (seats, wide)),  # by seat and move
            # What a search is told.
            ("seed", "u8"),
            ("seat", "i8"),  # that is to move
            ("horizon", "i8"),  # quiet positions that a playout passes before it is judged
            ("guided", "i8"),  # 1: by insight
            ("exploration", "f8"),
            ("patience", "i8"),  # how often a position is judged again before its moves are looked at
            ("weighs", "i8"),  # 1: dice and cards are weighed, and not drawn
            # How far it has come.
            ("played", "i8"),  # playouts
            ("nodes", "i8"),  # of the tree, that are in use
            ("edges", "i8"),
            ("level", "i8"),  # where an end is played out in full: how deep it is, see souk.bots.kernels.exact
            ("reasons", "f8", (seats * wide, 3)),  # by move at the root: what came of it, see souk.bots.kernels.value
            # The playout it is at.
            ("start", "u8"),  # of its stream of random numbers
            ("drawn", "i8"),  # how many of them are used up
            ("path", "i8", (DEEPEST, 3)),  # its moves in the tree, see souk.bots.kernels.search
        ],
        align=True,
    )


def _of_a_mind(seats: int, most_seen: int) -> Layout:
    """What a mind sees and makes of it, see souk.kernel.mind."""
    room = max(2, -(-most_seen // AT_ONCE)) * AT_ONCE  # as `fill_up` fills it
    return (
        ("seen", "u4", (room, seats)),  # the numbers of what is there, as each seat sees it
        ("sums", "i4", FIRST),
        ("sums_of_sums", "i4", SECOND),
        ("answers", "i4", (seats, OUTPUTS)),
    )


@rule
def insert(desk, first, n, move, note):
    """Put a move into its place among `desk.found[first:n]`, whose notes fall from one to the next; behind those with the same note."""
    k = n
    while k > first and desk.notes[k - 1] < note:
        desk.found[k] = desk.found[k - 1]
        desk.notes[k] = desk.notes[k - 1]
        k -= 1
    desk.found[k] = move
    desk.notes[k] = note
