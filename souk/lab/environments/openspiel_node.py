"""A place in a game as OpenSpiel walks through it: one call of a compiled kernel for each event."""

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from souk.core.game import Game
from souk.kernel.bits import lowest
from souk.kernel.rule import rule
from souk.kernel.state import StateArray
from souk.kernel.verbs import actors, moves, outcomes, over, play, resolve, standing

CHANCE, TOGETHER, OVER = -1, -2, -4  # whose turn it is where it is no single seat's; OpenSpiel's own numbers
NOBODY = -3  # nothing is to happen
_AT_ONCE = 64  # states made


@rule
def go_on(before: Any, after: Any, seat: int, code: int, lists: Any) -> Any:
    """Make a seat's move, or let CHANCE show an outcome, or NOBODY do anything. Return who is next, how many moves or outcomes
    there are for it, and who has won.

    `lists` has a row for each seat, where its moves are written, and three more: the weights of what chance may show (which
    itself goes to row 0), how many moves each seat has where they move together, and the scores."""
    after[0] = before[0]
    s = after[0]
    if seat >= 0:
        play(s, seat, code)
    elif seat == CHANCE:
        resolve(s, code)
    if over(s):
        return OVER, 0, standing(s, lists[s.players + 2])
    seats = actors(s)
    if seats == 0:
        return CHANCE, outcomes(s, lists[0], lists[s.players]), 0
    mover = lowest(seats)
    if seats & (seats - 1) == 0:
        return mover, moves(s, mover, lists[mover]), 0
    for each in range(s.players):
        lists[s.players + 1, each] = moves(s, each, lists[each])
    return TOGETHER, 0, 0


class Node(NamedTuple):
    """A position and what can happen in it. It never changes, so the states that OpenSpiel copies share it."""

    array: StateArray
    mover: int  # a seat, CHANCE, TOGETHER or OVER
    codes: dict[int, list[int]]  # by seat, or CHANCE: the moves or outcomes there are, in the position's own order
    weights: Sequence[int] = ()  # of the outcomes
    winners: int = 0  # as a bit set
    scores: Sequence[int] = ()

    def __deepcopy__(self, memo: object) -> "Node":
        return self


class Steps:
    """How to get from node to node of a game. Where moves are open-ended, with so many of the first of them; else `offers` is 0."""

    def __init__(self, game: Game, players: int, offers: int) -> None:
        from souk.kernel.compiling import cpu_entry

        self._kernel: Any = cpu_entry(game, go_on)
        self._dtype, self._players, self._offers, self._open = game.dtype, players, offers, game.open_ended
        self._blanks: Iterator[StateArray] = iter(())
        self.widest = max(game.widest, offers + 1)  # no list is longer: besides offers there is at most one move

    def root(self, array: StateArray) -> Node:
        return self._after(array, NOBODY, 0)

    def after(self, node: Node, seat: int, action: int) -> Node:
        """The node after a seat (or CHANCE) takes the move (or outcome) at this place of its list."""
        return self._after(node.array, seat, node.codes[seat][action])

    def after_all(self, node: Node, actions: Sequence[int]) -> Node:
        """The node after all who move together have made the moves at these places of their lists."""
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
            return Node(array, mover, {each: lists[each, :k].tolist() for each, k in enumerate(counts)})
        return Node(array, mover, {}, [], winners, lists[players + 2, :players].tolist())

    def _blank(self) -> StateArray:
        """Place for a state. NumPy takes its time to make one, and next to none to hand out the parts of many."""
        blank = next(self._blanks, None)
        if blank is None:
            many = np.empty(_AT_ONCE, self._dtype)
            self._blanks = iter([many[k : k + 1] for k in range(_AT_ONCE)])
            blank = next(self._blanks)
        return blank

    def _fewer(self, codes: list[int]) -> list[int]:
        """Where there are offers: the move that ends a haggle, if there is one, and the lowest offers. They come in this order."""
        if not codes or codes[-1] not in self._open:
            return codes
        return codes[: (codes[0] not in self._open) + self._offers]
