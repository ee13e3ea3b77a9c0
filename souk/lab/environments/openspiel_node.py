"""A node of an OpenSpiel game: one call of a compiled kernel per event."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from souk.core.game import Game
from souk.kernel.bitset import lowest
from souk.kernel.game_ops import actors, moves, outcomes, over, play, resolve, write_scores
from souk.kernel.rule import rule
from souk.kernel.state import StateArray

# OpenSpiel's own numbers for nodes without a single player to move.
CHANCE, TOGETHER, OVER = -1, -2, -4
# no event: just expand the position
NOBODY = -3
# states allocated together
_ALLOCATED = 64


@rule
def go_on(before: Any, after: Any, seat: int, code: int, lists: Any) -> Any:
    """Apply a move or outcome and expand the new position.

    `seat` is a seat, CHANCE, or NOBODY for no event. Returns the next mover, its number of moves or
    outcomes, and the winners as a bit set. `lists` has a row of moves for each seat (row 0 also for
    outcomes), and three more: outcome weights, the number of moves of each seat at simultaneous
    nodes, and scores.
    """
    after[0] = before[0]
    s = after[0]
    if seat >= 0:
        play(s, seat, code)
    elif seat == CHANCE:
        resolve(s, code)
    if over(s):
        return OVER, 0, write_scores(s, lists[s.players + 2])
    seats = actors(s)
    if seats == 0:
        return CHANCE, outcomes(s, lists[0], lists[s.players]), 0
    mover = lowest(seats)
    if seats & (seats - 1) == 0:
        return mover, moves(s, mover, lists[mover]), 0
    for k in range(s.players):
        lists[s.players + 1, k] = moves(s, k, lists[k])
    return TOGETHER, 0, 0


class Node(NamedTuple):
    """A position and its possible events. Immutable, so that copied OpenSpiel states share it."""

    array: StateArray
    # a seat, CHANCE, TOGETHER or OVER
    mover: int
    # Moves by seat, or outcomes by CHANCE, in the position's order.
    codes: dict[int, list[int]]
    # of the outcomes
    weights: Sequence[int] = ()
    # as a bit set
    winners: int = 0
    scores: Sequence[int] = ()

    def __deepcopy__(self, memo: object) -> "Node":
        return self


class Transitions:
    """Moves from node to node of a game.

    In open-ended games only the lowest `offers` offers count as moves; elsewhere `offers` is 0.
    """

    def __init__(self, game: Game, players: int, offers: int) -> None:
        from souk.kernel.compiler import cpu_entry

        self._kernel: Any = cpu_entry(game, go_on)
        self._dtype = game.dtype
        self._players = players
        self._offers = offers
        self._open = game.open_ended
        self._blanks: Iterator[StateArray] = iter(())
        # besides offers there is at most one move
        self.widest = max(game.widest, offers + 1)

    def root(self, array: StateArray) -> Node:
        return self._after(array, NOBODY, 0)

    def after(self, node: Node, seat: int, action: int) -> Node:
        """The node after a seat (or CHANCE) takes the move (or outcome) with this index."""
        return self._after(node.array, seat, node.codes[seat][action])

    def after_all(self, node: Node, actions: Sequence[int]) -> Node:
        """The node after simultaneous moves with these indices."""
        after = node
        for seat, codes in node.codes.items():
            if codes:
                after = self._after(after.array, seat, codes[actions[seat]])
        return after

    def _after(self, before: StateArray, seat: int, code: int) -> Node:
        players = self._players
        array, lists = self._blank(), np.empty((players + 3, self.widest), np.int32)
        mover, n, winners = self._kernel(before, array, seat, code, lists)
        if mover >= 0:
            return Node(array, mover, {mover: self._fewer(lists[mover, :n].tolist())})
        if mover == CHANCE:
            return Node(array, mover, {CHANCE: lists[0, :n].tolist()}, lists[players, :n].tolist())
        if mover == TOGETHER:
            counts = lists[players + 1, :players].tolist()
            return Node(
                array, mover, {seat: lists[seat, :k].tolist() for seat, k in enumerate(counts)}
            )
        return Node(array, mover, {}, [], winners, lists[players + 2, :players].tolist())

    def _blank(self) -> StateArray:
        """Memory for a state.

        Slices of one allocation are much faster than separate NumPy arrays.
        """
        blank = next(self._blanks, None)
        if blank is None:
            block = np.empty(_ALLOCATED, self._dtype)
            self._blanks = iter([block[k : k + 1] for k in range(_ALLOCATED)])
            blank = next(self._blanks)
        return blank

    def _fewer(self, codes: list[int]) -> list[int]:
        """Limit offers to the lowest; the move that ends a haggle comes first and is kept."""
        if not codes or codes[-1] not in self._open:
            return codes
        return codes[: (codes[0] not in self._open) + self._offers]
