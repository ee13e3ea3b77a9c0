"""Choices that several make in secret: how often each should be made, what one gave away, and what was luck.

All that could be chosen together is laid out in a table of everybody's chances. Everybody is given a mix that can hardly be bettered while the others keep
to theirs: an equilibrium of players who choose the more often what is better, and can hardly tell apart what differs by less than `HAIR`. (Where
several want what only one can have there are many equilibria in which it is settled beforehand who takes it; in this one it is not.) What a seat chose is
then judged against its mix, as it looked to somebody who knew the mixes of the others and not what they chose; what they happened to choose is its luck.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from souk.core.position import Position
from souk.study.study import is_doubtful
from souk.study.weighing import Chances, Effort, after_move, worths

MOST_TOGETHER = 2048  # choices of all together that are looked at one by one
LOOKS = 2  # at each of them, with other dice,
MOST_LOOKS = 16  # and so many where a word is in doubt
FEWEST_TOGETHER = 4  # playouts for each of them in each look,
A_CHOICE = 1 / 8  # of those for a decision,
ALL_CHOICES = 20  # but for all of them no more than so many times as for a decision
HAIR = 0.02  # of a win
ROUNDS = 200  # in which mixes come to rest

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
        return np.mean([self._gain(table, place) for table in self.tables], axis=0), self.error

    @cached_property
    def error(self) -> float:
        """How far off a gain may be: told by how far the looks differ, in the choices of all seats together, since they are few."""
        gains = np.array([[self._gain(table, k)[seat] for k, seat in enumerate(self.seats)] for table in self.tables])
        return float(np.sqrt(gains.var(axis=0, ddof=1).mean() / len(self.tables)))

    def values(self, place: int) -> list[float]:
        """What each of a seat's moves is worth to it while the others keep to their mixes."""
        return [float(value) for value in _values(self.table[..., self.seats[place]], self.mixes, place)]

    def _gain(self, table: Array, place: int) -> Chances:
        sure = np.eye(len(self.moves[place]))[self.chosen[place]]
        mixes = [sure if k == place else mix for k, mix in enumerate(self.mixes)]
        return _expected(table, mixes) - _expected(table, self.mixes)


def together(pos: Position, seats: Sequence[int], moves: Sequence[str], effort: Effort) -> SecretRound | None:
    """A round of secret choices, of which these were made in this order; None where more could be chosen than can be looked at. Where it is in doubt
    what to call a choice, all are looked at more often."""
    listed = tuple(tuple(pos.moves(seat)) for seat in seats)
    if prod(map(len, listed)) > MOST_TOGETHER:
        return None
    chosen = tuple(each.index(move) for each, move in zip(listed, moves, strict=True))
    tables: list[Array] = []
    while True:
        tables += [
            _table(pos, seats, listed, replace(effort, seed=effort.seed + len(tables) + k)) for k in range(LOOKS)
        ]
        mixes = balanced(np.mean(tables, axis=0), seats)
        found = SecretRound(tuple(seats), listed, chosen, np.array(tables), mixes)
        losses = (-found.gain(place)[0][seat] for place, seat in enumerate(seats))
        if len(tables) >= MOST_LOOKS or not any(is_doubtful(loss, found.error) for loss in losses):
            return found


def _table(pos: Position, seats: Sequence[int], listed: Sequence[Sequence[str]], effort: Effort) -> Array:
    """Everybody's chances after all that could be chosen together."""
    after = [pos]
    for seat, moves in zip(seats, listed, strict=True):
        after = [after_move(each, seat, move) for each in after for move in moves]
    playouts = int(effort.playouts * min(A_CHOICE, ALL_CHOICES / len(after)))
    found = worths(after, replace(effort, playouts=max(FEWEST_TOGETHER, playouts)))
    return np.reshape(found, (*map(len, listed), pos.players))


def balanced(table: Array, seats: Sequence[int]) -> tuple[Mix, ...]:
    """A mix for each of the seats that choose: each answers those of the others, in smaller and smaller steps, until all stand still."""
    mixes = [np.full(n, 1 / n) for n in table.shape[:-1]]
    for turn in range(ROUNDS):
        step = max(0.05, 2 / (turn + 2))
        answers = [_answer(_values(table[..., seat], mixes, place)) for place, seat in enumerate(seats)]
        mixes = [(1 - step) * mix + step * answer for mix, answer in zip(mixes, answers, strict=True)]
    return tuple(mixes)


def _answer(values: Array) -> Mix:
    """What is better is chosen more often."""
    shares = np.exp((values - values.max()) / HAIR)
    return np.asarray(shares / shares.sum())


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
