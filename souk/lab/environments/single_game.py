"""One game for an environment: what the seat that is to move sees and may do, and pictures of it."""

import secrets
from typing import Any

import numpy as np

from souk.core.fields import is_whole
from souk.core.position import Position
from souk.core.view import SeatView
from souk.games import game as find_game
from souk.kernel.state import Array
from souk.lab.checks import check_seed
from souk.lab.environments.slots import Slots, numbers_of
from souk.lab.environments.stepping import reward_all

RENDER_MODES = ("ansi", "rgb_array")


class Single:
    """A game that is stepped through by actions. In a raw space an action is the place of a move in the list of moves; otherwise an offer
    is put together gem by gem."""

    def __init__(self, game: str, players: int | None, raw: bool, options: dict[str, Any]) -> None:
        self.game = find_game(game)
        start = self.game.start(players, **options)
        self.players = start.players
        self.numbers = numbers_of(self.game)
        self.slots = Slots(self.game, start.players, start.options, 1, raw=raw)
        self.actions: int = self.slots.masks.shape[1]
        self._action = np.zeros(1, np.int32)

    @property
    def seat(self) -> int:
        """The seat that is to move, -1 at the end."""
        return int(self.slots.slots["seat"][0])

    @property
    def position(self) -> Position:
        """A copy of the position."""
        return self.slots.position(0)

    def rewards(self) -> list[float]:
        """At the end, whoever made the last move: 1 for a win alone, and the others share the loss."""
        found = [0.0] * self.players
        reward_all(self.position.state, [0] * self.players, found)
        return found

    def begin(self, seed: int | None) -> None:
        """A new game. Without a seed nobody can tell its dice."""
        if seed is not None:
            check_seed(seed)
        self.slots.begin(secrets.randbits(64) if seed is None else int(seed))

    def seen(self, seat: int) -> dict[str, Array]:
        """What a seat sees and may do now."""
        if seat == self.seat:
            return {
                "observation": self.slots.observations[0].copy(),
                "action_mask": self.slots.masks[0].view(np.int8).copy(),
            }
        return {"observation": self.slots.observe_as(seat), "action_mask": np.zeros(self.actions, np.int8)}

    def allows(self, action: object) -> bool:
        return is_whole(action) and 0 <= action < self.actions and bool(self.slots.masks[0, action])  # type: ignore[operator,index]

    def take(self, action: int) -> bool:
        """An allowed action of the seat that is to move. True if it ended the game."""
        self._action[0] = action
        self.slots.step(self._action, renew=False)
        return bool(self.slots.ended[0])

    def play(self, move: str) -> bool:
        """A move of the seat that is to move, as text. True if it ended the game."""
        position = self.position
        position.play(self.seat, move)
        self.slots.put(0, position)
        self.slots.go_on()
        return position.over

    def text_of(self, action: int) -> str:
        """An allowed action in words: the move it makes, or what it adds to one."""
        state, slot = self.position.state, self.slots.slots[0]
        if self.slots.raw:
            return self.game.notation.move_text(state, self.slots.move_of(action))
        move = int(self.game.rules.intent(state, self.seat, int(slot["draft"]), action))
        return self.game.notation.move_text(state, move) if move >= 0 else self._kind_of(action)

    def _kind_of(self, action: int) -> str:
        for kind in self.numbers.kinds:
            if action < kind.size:
                return f"{kind.name} {action + 1}"
            action -= kind.size
        raise IndexError(action)

    def render(self, mode: str | None, seat: int | None) -> Any:
        """A picture of the position as a seat sees it: as text, or as an array of colours; nothing where none was asked for."""
        if mode == "ansi":
            from souk.games.art.terminal import as_text

            view = SeatView.of(self.position, -1 if seat is None else seat)
            return as_text(view, [f"seat {seat}" for seat in range(self.players)])
        if mode == "rgb_array":
            from souk.lab.picture import picture

            return picture(self.position if seat is None else self.position.seen_by(seat))
        return None
