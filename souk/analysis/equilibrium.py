"""Simultaneous secret choices: an equilibrium, and the loss of each choice against it.

All combinations of choices form a table of win chances. Everybody gets a mix that is close to a
best response to the others': a logit equilibrium, in which options that differ by less than
`TEMPERATURE` are hardly told apart. (Where several seats want what only one can have, there are
also equilibria that settle beforehand who gets it; this one does not.) A choice is compared with
the seat's mix given the mixes of the others; what they actually chose is luck.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import prod
from typing import Any

import numpy as np

from souk.analysis.study import is_doubtful
from souk.analysis.win_chances import Chances, Effort, after_move, all_win_chances
from souk.core.position import Position

MOST_PROFILES = 2048  # combinations of choices that are evaluated
LOOKS = 2  # evaluations of each, with different dice
MOST_LOOKS = 16  # evaluations if the mark of a choice is doubtful
FEWEST_PLAYOUTS = 4  # per combination and evaluation
PROFILE_SHARE = 1 / 8  # playouts per combination, relative to a decision
TOTAL_SHARE = 20  # limit for all combinations together, likewise
TEMPERATURE = 0.02  # of the response, in win probability
ROUNDS = 200  # iterations until the mixes converge

Array = np.ndarray[Any, np.dtype[np.float64]]
Mix = Array  # probability of each move


@dataclass(frozen=True)
class SecretRound:
    """A round of simultaneous choices and their evaluation."""

    seats: tuple[int, ...]  # in the order of their choices
    moves: tuple[tuple[str, ...], ...]  # by index in `seats`: the options
    chosen: tuple[int, ...]  # by index: the option chosen
    tables: Array  # win chances, by evaluation, option of each seat, and seat
    mixes: tuple[Mix, ...]  # by index

    @property
    def table(self) -> Array:
        return np.asarray(self.tables.mean(axis=0))

    def expected(self, known: int) -> Chances:
        """Win chances after the first `known` choices, the others being drawn from their mixes."""
        return _expected(self.table, self.mixes, self.chosen[:known])

    def gain(self, place: int) -> tuple[Chances, float]:
        """The value of a choice against the seat's mix, for all seats, with its standard error."""
        return np.mean([self._gain(table, place) for table in self.tables], axis=0), self.error

    @cached_property
    def error(self) -> float:
        """Standard error of a gain, pooled over all choosing seats: the evaluations are few."""
        gains = np.array(
            [
                [self._gain(table, k)[seat] for k, seat in enumerate(self.seats)]
                for table in self.tables
            ]
        )
        return float(np.sqrt(gains.var(axis=0, ddof=1).mean() / len(self.tables)))

    def values(self, place: int) -> list[float]:
        """The value of each option of a seat while the others keep to their mixes."""
        return [
            float(value) for value in _values(self.table[..., self.seats[place]], self.mixes, place)
        ]

    def _gain(self, table: Array, place: int) -> Chances:
        sure = np.eye(len(self.moves[place]))[self.chosen[place]]
        mixes = [sure if k == place else mix for k, mix in enumerate(self.mixes)]
        return _expected(table, mixes) - _expected(table, self.mixes)


def analyse_round(
    pos: Position, seats: Sequence[int], moves: Sequence[str], effort: Effort
) -> SecretRound | None:
    """Analyse a round of choices; None if there are too many combinations.

    Evaluates more often while the mark of a choice is doubtful.
    """
    options = tuple(tuple(pos.moves(seat)) for seat in seats)
    if prod(map(len, options)) > MOST_PROFILES:
        return None
    chosen = tuple(listed.index(move) for listed, move in zip(options, moves, strict=True))
    tables: list[Array] = []
    while True:
        tables += [
            _table(pos, seats, options, replace(effort, seed=effort.seed + len(tables) + k))
            for k in range(LOOKS)
        ]
        mixes = equilibrium(np.mean(tables, axis=0), seats)
        secret_round = SecretRound(tuple(seats), options, chosen, np.array(tables), mixes)
        losses = (-secret_round.gain(place)[0][seat] for place, seat in enumerate(seats))
        if len(tables) >= MOST_LOOKS or not any(
            is_doubtful(loss, secret_round.error) for loss in losses
        ):
            return secret_round


def _table(
    pos: Position, seats: Sequence[int], options: Sequence[Sequence[str]], effort: Effort
) -> Array:
    """Win chances for every combination of choices."""
    after = [pos]
    for seat, moves in zip(seats, options, strict=True):
        after = [after_move(before, seat, move) for before in after for move in moves]
    playouts = int(effort.playouts * min(PROFILE_SHARE, TOTAL_SHARE / len(after)))
    chances = all_win_chances(after, replace(effort, playouts=max(FEWEST_PLAYOUTS, playouts)))
    return np.reshape(chances, (*map(len, options), pos.players))


def equilibrium(table: Array, seats: Sequence[int]) -> tuple[Mix, ...]:
    """A mix for each choosing seat, by fictitious play with decreasing steps."""
    mixes = [np.full(n, 1 / n) for n in table.shape[:-1]]
    for iteration in range(ROUNDS):
        step = max(0.05, 2 / (iteration + 2))
        answers = [
            _best_response(_values(table[..., seat], mixes, place))
            for place, seat in enumerate(seats)
        ]
        mixes = [
            (1 - step) * mix + step * answer for mix, answer in zip(mixes, answers, strict=True)
        ]
    return tuple(mixes)


def _best_response(values: Array) -> Mix:
    """Smoothed best response (softmax)."""
    shares = np.exp((values - values.max()) / TEMPERATURE)
    return np.asarray(shares / shares.sum())


def _values(table: Array, mixes: Sequence[Mix], place: int) -> Array:
    """The value of each option at one index while the others keep to their mixes."""
    for mix in reversed(mixes[place + 1 :]):
        table = table @ mix
    for mix in mixes[:place]:
        table = np.tensordot(mix, table, axes=(0, 0))
    return table


def _expected(table: Array, mixes: Sequence[Mix], chosen: Sequence[int] = ()) -> Chances:
    """The mean of the table, where the first choices are known and the others are mixed."""
    table_left = table[tuple(chosen)]
    for mix in mixes[len(chosen) :]:
        table_left = np.tensordot(mix, table_left, axes=(0, 0))
    return np.asarray(table_left)
