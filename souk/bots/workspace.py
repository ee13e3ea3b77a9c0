"""The kernels bots think with, and the desk on which they work."""

import hashlib
import secrets
from collections.abc import Callable
from typing import Any

import numpy as np

from souk.bots.noticing import write_habits
from souk.core.game import Game
from souk.core.noticed import Chosen
from souk.core.position import Position
from souk.kernel.interpreting import entry
from souk.kernel.noticing import expected
from souk.kernel.state import States, state_class
from souk.minds.shelf import NONE, mind_of

Array = np.ndarray[Any, np.dtype[Any]]


def kernel(game: Game, function: Callable[..., Any]) -> Any:
    """A rule of `souk.bots.kernels` for a game: compiled, from disk where it was compiled before; or interpreted, where nobody is to wait."""
    return entry(game, function)


def lore_of(pos: Position) -> Array:
    """What the game's insight has worked out for this table."""
    return pos.game.insight.study(pos.array)


def seed_for(seed: int | None, view: Position, seat: int) -> np.uint64:
    """The seed for one decision: the same for the same view and seed, in every process; without a seed nobody can tell."""
    if seed is None:
        return np.uint64(secrets.randbits(64))
    digest = hashlib.blake2b(view.array.tobytes(), digest_size=8, key=f"{seed} {seat}".encode())
    return np.uint64(int.from_bytes(digest.digest(), "little"))


class Desk:
    """Where one decision is worked out: the position with states to try moves in, the lore of the table, the mind that judges, and the desk itself, where kernels
    write everything else down (`souk.kernel.desk`): `desk["wins"]` is one of its fields."""

    def __init__(
        self,
        view: Position,
        seat: int,
        seed: np.uint64 | int = 0,
        states: int = 3,
        noticed: Chosen = (),
        mind: str = NONE,
    ) -> None:
        self.game = view.game
        self.states = np.zeros(states, view.game.dtype)
        self.lore = lore_of(view)
        self.mind = mind_of(view.game, view.players, mind)
        self.array = np.zeros(1, view.game.desk)
        self.lay_out(view, seat, seed)
        write_habits(self.array, view, seat, noticed)

    def lay_out(self, view: Position, seat: int, seed: np.uint64 | int) -> None:
        """Put a position of the same table on the desk, about which nothing is known yet."""
        self.states[0] = view.array[0]
        if self.game.secrets:
            self.game.rules.reopen(self.game.state(self.states[:1]))
        self["seat"], self["seed"] = seat, seed
        self["played"], self["nodes"], self["edges"] = 0, 0, 0
        self.array["reasons"] = 0.0

    def __getitem__(self, field: str) -> Any:
        return self.array[field][0]

    def __setitem__(self, field: str, value: float | np.uint64) -> None:
        self.array[field] = value

    @property
    def secret(self) -> bool:
        """Whether others choose at the same time."""
        actors = self.game.rules.actors(self.game.state(self.states[:1]))
        return bool(actors & (actors - 1))

    @property
    def alone(self) -> bool:
        """Whether nobody else plays."""
        return int(self.states["players"][0]) == 1

    @property
    def others(self) -> list[int]:
        """The other seats that are to move."""
        actors = self.game.rules.actors(self.game.state(self.states[:1]))
        return [seat for seat in range(actors.bit_length()) if actors >> seat & 1 and seat != self["seat"]]

    def expected(self, seat: int, shares: dict[int, float]) -> dict[int, float]:
        """How often a seat is expected to choose each move: as in these shares, and by what it keeps choosing."""
        desk = self.interpreted()[1][0]
        return {move: float(expected(desk, seat, move, share)) for move, share in shares.items()}

    def interpreted(self) -> tuple[States, States]:
        """Positions and desk as the kernels take them where nothing is compiled."""
        return States(self.states, self.game.state), States(self.array, state_class(self.game.desk))

    def text(self, code: int) -> str:
        """A move of the position as text."""
        return self.game.notation.move_text(self.game.state(self.states[:1]), int(code))
