"""The compiled kernels bots think with, and the arrays they think in."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from souk.bots.kernels.search import DEEPEST, MOST_MOVES
from souk.core.game import Game
from souk.core.position import Position

Array = np.ndarray[Any, np.dtype[Any]]


def kernel(game: Game, function: Callable[..., Any]) -> Any:
    """A rule of `souk.bots.kernels`, compiled for a game: from disk where it was compiled before."""
    from souk.kernel.compiling import cpu_entry

    return cpu_entry(game, function)


def lore_of(pos: Position) -> Array:
    """What the game's insight has worked out for this table."""
    return pos.game.insight.study(pos.record)


def seed_for(seed: int | None, view: Position, seat: int) -> np.uint64:
    """The seed for one decision: the same for the same view and seed, in every process; without a seed nobody can tell."""
    if seed is None:
        return np.uint64(secrets.randbits(64))
    digest = hashlib.blake2b(view.record.tobytes(), digest_size=8, key=f"{seed} {seat}".encode())
    return np.uint64(int.from_bytes(digest.digest(), "little"))


class Desk:
    """The arrays in which one decision is worked out: the position, and room for whatever a kernel writes down."""

    def __init__(self, view: Position, states: int = 2) -> None:
        game, players = view.game, view.players
        self.game = game
        self.states = np.zeros(states, game.dtype)
        self.states[0] = view.record[0]
        game.rules.reopen(game.state(self.states[:1]))
        self.lore = lore_of(view)
        wide = max(MOST_MOVES, game.widest)
        self.found, self.out, self.weights = (np.zeros(wide, np.int32) for _ in range(3))
        self.stream = np.zeros(2, np.uint64)
        self.path = np.zeros((DEEPEST, 3), np.int64)
        self.scores = np.zeros(players, np.int32)
        self.values, self.wins = np.zeros(players), np.zeros(players)
        self.reasons = np.zeros((max(wide, players * MOST_MOVES), 2))

    @property
    def rooms(self) -> tuple[Array, ...]:
        """What a search writes down, in the order in which its kernels take it."""
        return (
            self.stream,
            self.path,
            self.found,
            self.out,
            self.weights,
            self.lore,
            self.scores,
            self.values,
            self.wins,
        )

    def text(self, code: int) -> str:
        """A move of the position as text."""
        return self.game.notation.move_text(self.game.state(self.states[:1]), int(code))
