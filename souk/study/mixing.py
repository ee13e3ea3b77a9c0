"""Choices that several make in secret: how often each should be made, what one gave away, and what was luck.

All that could be chosen together is laid out in a table of everybody's chances. By regret matching everybody is given a mix that hardly can be
bettered while the others keep to theirs. What a seat chose is then judged against its mix, as it looked to somebody who knew the mixes of
the others and not what they chose; what they happened to choose is its luck.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

import numpy as np

from souk.core.position import Position
from souk.study.weighing import Chances, Effort, after_move, worths

MOST_TOGETHER = 2048  # choices of all together that are looked at one by one
LOOKS = 2  # at each of them, with other dice
FEWEST_TOGETHER = 4  # playouts for each of them in each look
ROUNDS = 200  # of regret matching

Array = np.ndarray[Any, np.dtype[np.float64]]
Mix = Array  # how often each move is made


@dataclass(frozen=True)
class SecretRound:
    """What several seats could choose in secret, and what came of it."""

    seats: tuple[int, ...]  # in the order in which they chose
    moves: tuple[tuple[str, ...], ...]  # by place in `seats`: what it could choose
    chosen: tuple[int, ...]  # by place: which of them it chose
    tables: Array  # by look, by what each chose, by seat: the chances to win
    mixes: tuple[Mix, ...]  # by place

    @property
    def table(self) -> Array:
        return np.asarray(self.tables.mean(axis=0))

    def expected(self, known: int) -> Chances:
        """Everybody's chances when the first so many have chosen as they did, and the others are still to choose from their mixes."""
        return _expected(self.table, self.mixes, self.chosen[:known])

    def gain(self, place: int) -> tuple[Chances, float]:
        """What a seat's choice was worth to everybody against its mix, for all that it could know; and how far off that may be for the seat."""
        looks = [self._gain(table, place) for table in self.tables]
        seat = self.seats[place]
        return np.mean(looks, axis=0), float(np.std([each[seat] for each in looks], ddof=1) / len(looks) ** 0.5)

    def _gain(self, table: Array, place: int) -> Chances:
        sure = np.eye(len(self.moves[place]))[self.chosen[place]]
        mixes = [sure if k == place else mix for k, mix in enumerate(self.mixes)]
        return _expected(table, mixes) - _expected(table, self.mixes)


def together(pos: Position, seats: Sequence[int], moves: Sequence[str], effort: Effort) -> SecretRound | None:
    """A round of secret choices, of which these were made in this order; None where more could be chosen than can be looked at."""
    listed = tuple(tuple(pos.moves(seat)) for seat in seats)
    if prod(map(len, listed)) > MOST_TOGETHER:
        return None
    chosen = tuple(each.index(move) for each, move in zip(listed, moves, strict=True))
    tables = np.array([_table(pos, seats, listed, Effort(effort.playouts, effort.seed + k)) for k in range(LOOKS)])
    return SecretRound(tuple(seats), listed, chosen, tables, matched(tables.mean(axis=0), seats))


def _table(pos: Position, seats: Sequence[int], listed: Sequence[Sequence[str]], effort: Effort) -> Array:
    """Everybody's chances after all that could be chosen together."""
    after = [pos]
    for seat, moves in zip(seats, listed, strict=True):
        after = [after_move(each, seat, move) for each in after for move in moves]
    each = replace(effort, playouts=max(FEWEST_TOGETHER, effort.playouts // (LOOKS * len(after))))
    return np.reshape(worths(after, each), (*map(len, listed), pos.players))


def matched(table: Array, seats: Sequence[int]) -> tuple[Mix, ...]:
    """A mix for each of the seats that choose, by regret matching: the later rounds count for more."""
    sizes = table.shape[:-1]
    regrets, masses = [np.zeros(n) for n in sizes], [np.zeros(n) for n in sizes]
    for turn in range(1, ROUNDS + 1):
        now = [
            regret / regret.sum() if regret.sum() > 0 else np.full(len(regret), 1 / len(regret)) for regret in regrets
        ]
        for place, seat in enumerate(seats):
            values = _values(table[..., seat], now, place)
            regrets[place] = np.maximum(0.0, regrets[place] + values - now[place] @ values)
            masses[place] += turn * now[place]
    return tuple(mass / mass.sum() for mass in masses)


def _values(table: Array, mixes: Sequence[Mix], place: int) -> Array:
    """What each move of one place is worth while the others keep to their mixes."""
    for mix in reversed(mixes[place + 1 :]):
        table = table @ mix
    for mix in mixes[:place]:
        table = np.tensordot(mix, table, axes=(0, 0))
    return table


def _expected(table: Array, mixes: Sequence[Mix], known: Sequence[int] = ()) -> Chances:
    """The table's mean, where the first so many have chosen and the others mix."""
    left = table[tuple(known)]
    for mix in mixes[len(known) :]:
        left = np.tensordot(mix, left, axes=(0, 0))
    return np.asarray(left)
