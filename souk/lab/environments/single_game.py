"""A single game for environments: observations, actions and rendering."""

import secrets
from typing import Any

import numpy as np

from souk.core.json_fields import is_whole
from souk.core.position import Position
from souk.core.seat_view import SeatView
from souk.games import game as find_game
from souk.kernel.state import Array
from souk.lab.environments.batch_cpu import Slots, layout_of
from souk.lab.environments.step_kernels import reward_all
from souk.lab.validation import check_seed

RENDER_MODES = ("ansi", "rgb_array")


class SingleGame:
    """A game stepped by actions.

    A raw action is an index into the list of moves; otherwise offers are built gem by gem.
    """

    def __init__(self, game: str, players: int | None, raw: bool, options: dict[str, Any]) -> None:
        self.game = find_game(game)
        start = self.game.start(players, **options)
        self.players = start.players
        self.numbers = layout_of(self.game)
        self.slots = Slots(start, 1, raw=raw)
        self.actions: int = self.slots.masks.shape[1]
        self._action = np.zeros(1, np.int32)

    @property
    def seat(self) -> int:
        """The seat to move, or -1 at the end."""
        return int(self.slots.slots["seat"][0])

    @property
    def position(self) -> Position:
        """A copy of the position."""
        return self.slots.position(0)

    def rewards(self) -> list[float]:
        """The rewards at the end: 1 for a sole win, the others share the loss."""
        rewards = [0.0] * self.players
        reward_all(self.position.state, [0] * self.players, rewards)
        return rewards

    def begin(self, seed: int | None) -> None:
        """Start a new game; without a seed its dice are unpredictable."""
        if seed is not None:
            check_seed(seed)
        self.slots.begin(secrets.randbits(64) if seed is None else int(seed))

    def seen(self, seat: int) -> dict[str, Array]:
        """The observation and action mask of a seat."""
        if seat == self.seat:
            return {
                "observation": self.slots.observations[0].copy(),
                "action_mask": self.slots.masks[0].view(np.int8).copy(),
            }
        return {
            "observation": self.slots.observe_as(seat),
            "action_mask": np.zeros(self.actions, np.int8),
        }

    def allows(self, action: object) -> bool:
        return is_whole(action) and 0 <= action < self.actions and bool(self.slots.masks[0, action])  # type: ignore[operator,index]

    def take(self, action: int) -> bool:
        """Take a legal action for the seat to move; return True if the game ended."""
        self._action[0] = action
        self.slots.step(self._action, renew=False)
        return bool(self.slots.ended[0])

    def play(self, move: str) -> bool:
        """Play a move given as text; return True if the game ended."""
        position = self.position
        position.play(self.seat, move)
        self.slots.put(0, position)
        self.slots.resume()
        return position.over

    def text_of(self, action: int) -> str:
        """A legal action as text: the move it makes, or the part it adds to one."""
        state, slot = self.position.state, self.slots.slots[0]
        if self.slots.raw:
            return self.game.notation.move_text(state, self.slots.move_of(action))
        move = int(self.game.rules.decode_action(state, self.seat, int(slot["draft"]), action))
        return self.game.notation.move_text(state, move) if move >= 0 else self._kind_of(action)

    def _kind_of(self, action: int) -> str:
        for kind in self.numbers.kinds:
            if action < kind.size:
                return f"{kind.name} {action + 1}"
            action -= kind.size
        raise IndexError(action)

    def render(self, mode: str | None, seat: int | None) -> Any:
        """Render the position as a seat sees it: text, pixels, or None without a render mode."""
        if mode == "ansi":
            from souk.drawing.terminal import as_text

            view = SeatView.of(self.position, -1 if seat is None else seat)
            return as_text(view, [f"seat {seat}" for seat in range(self.players)])
        if mode == "rgb_array":
            from souk.lab.images import picture

            return picture(self.position if seat is None else self.position.seen_by(seat))
        return None
