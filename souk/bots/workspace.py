"""The arrays a bot needs for one decision, and access to compiled kernels."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from souk.bots.opponent_model import write_habits
from souk.core.game import Game
from souk.core.position import Position
from souk.core.revealed_choices import ChoiceCounts
from souk.kernel.habits import expected_share
from souk.kernel.interpreter import load_kernel
from souk.kernel.state import States, state_class
from souk.nets.loader import NONE, net_of

Array = np.ndarray[Any, np.dtype[Any]]


def kernel(game: Game, function: Callable[..., Any]) -> Any:
    """A rule of `souk.bots.kernels` for a game: compiled (or cached), or interpreted within
    `at_once`.
    """
    return load_kernel(game, function)


def lookup_for(pos: Position) -> Array:
    """The lookup tables of the game's heuristics for this table."""
    return pos.game.heuristics.build_lookup(pos.array)


def seed_for(seed: int | None, view: Position, seat: int) -> np.uint64:
    """The seed for one decision: a hash of seed and view, equal in every process; random without a
    seed.
    """
    if seed is None:
        return np.uint64(secrets.randbits(64))
    digest = hashlib.blake2b(view.array.tobytes(), digest_size=8, key=f"{seed} {seat}".encode())
    return np.uint64(int.from_bytes(digest.digest(), "little"))


class Workspace:
    """State of one decision: positions, lookup tables, value net, and the kernels' scratch record.

    `workspace["wins"]` accesses a field of that record (`souk.kernel.workspace`).
    """

    def __init__(
        self,
        view: Position,
        seat: int,
        seed: np.uint64 | int = 0,
        states: int = 3,
        noticed: ChoiceCounts = (),
        net: str = NONE,
    ) -> None:
        self.game = view.game
        self.states = np.zeros(states, view.game.dtype)
        self.lookup = lookup_for(view)
        self.net = net_of(view.game, view.players, net)
        self.array = np.zeros(1, view.game.workspace)
        self.lay_out(view, seat, seed)
        write_habits(self.array, view, seat, noticed)

    def lay_out(self, view: Position, seat: int, seed: np.uint64 | int) -> None:
        """Load a position of the same table and reset all statistics."""
        self.states[0] = view.array[0]
        if self.game.secrets:
            self.game.rules.unhide_choices(self.game.state(self.states[:1]))
        self["seat"], self["seed"] = seat, seed
        self["played"], self["nodes"], self["edges"] = 0, 0, 0
        self.array["reasons"] = 0.0

    def __getitem__(self, field: str) -> Any:
        return self.array[field][0]

    def __setitem__(self, field: str, value: float | np.uint64) -> None:
        self.array[field] = value

    @property
    def secret(self) -> bool:
        """Whether several seats choose simultaneously."""
        actors = self.game.rules.actors(self.game.state(self.states[:1]))
        return bool(actors & (actors - 1))

    @property
    def alone(self) -> bool:
        """Whether this is a solitaire game."""
        return int(self.states["players"][0]) == 1

    @property
    def others(self) -> list[int]:
        """The other seats to move."""
        actors = self.game.rules.actors(self.game.state(self.states[:1]))
        return [
            seat
            for seat in range(actors.bit_length())
            if actors >> seat & 1 and seat != self["seat"]
        ]

    def expected_share(self, seat: int, shares: dict[int, float]) -> dict[int, float]:
        """Shares of a seat's moves adjusted by its habits."""
        workspace = self.interpreted()[1][0]
        return {
            move: float(expected_share(workspace, seat, move, share))
            for move, share in shares.items()
        }

    def interpreted(self) -> tuple[States, States]:
        """States and record as interpreted rules take them."""
        return States(self.states, self.game.state), States(
            self.array, state_class(self.game.workspace)
        )

    def text(self, code: int) -> str:
        """A move code as text."""
        return self.game.notation.move_text(self.game.state(self.states[:1]), int(code))
