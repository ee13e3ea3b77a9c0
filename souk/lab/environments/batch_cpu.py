"""Batched games on the CPU: their arrays, and the compiled kernels that step them."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from souk.core.game import Game
from souk.core.observation_spec import Actions, Field
from souk.core.position import Position
from souk.kernel.state import Array
from souk.lab.environments import step_kernels as stepping

# Size of raw action spaces; a haggle can have more moves if someone holds very many gems.
RAW = 4096
# minimum slots per thread and call
_CHUNK = 1024


class ObservationLayout:
    """A game's declared observation and action fields, with the resulting sizes."""

    def __init__(self, game: Game) -> None:
        module = game.observations
        if module is None:
            raise ValueError(
                f"game: {game.title} has no observations.py, which defines observations and actions"
            )
        self.fields: tuple[Field, ...] = module.FIELDS
        self.kinds: tuple[Actions, ...] = module.ACTIONS
        self.observed = sum(field.size for field in self.fields)
        self.actions = sum(kind.size for kind in self.kinds)
        self.raw_actions = RAW if game.open_ended else game.widest


def view_count(game: Game) -> int:
    """How many state copies observing needs: one if the game has secrets to hide."""
    return int(game.secrets)


@cache
def layout_of(game: Game) -> ObservationLayout:
    return ObservationLayout(game)


def _kernel(game: Game, function: Callable[..., Any]) -> Any:
    from souk.kernel.compiler import cpu_entry

    return cpu_entry(game, function)


def prepare(game: Game) -> None:
    """Compile or load all kernels that stepping a game uses."""
    start = game.start(game.players[-1])
    slots = Slots(start, 1)
    slots.begin(0)
    actions = slots.room_for_actions()
    slots.sample(actions)
    slots.first_refused(actions)
    slots.step(actions, renew=True)
    slots.observe_as(0)
    slots.resume()


class Slots:
    """Many games of one table in CPU arrays; actions must be legal.

    Raw actions, which are indices into the list of moves, are for single games only.
    """

    def __init__(self, start: Position, size: int, *, raw: bool = False, threads: int = 1) -> None:
        game, players, numbers = start.game, start.players, layout_of(start.game)
        self.game, self.players, self.options = game, players, start.options
        self.size, self.raw = size, raw
        self.blank = game.blank(players, start.options)
        self.states = np.zeros(size, game.dtype)
        self.slots = np.zeros(size, stepping.SLOT)
        self.observations = np.zeros((size, numbers.observed), np.int16)
        self.masks = np.zeros((size, numbers.raw_actions if raw else numbers.actions), np.uint8)
        self.rewards = np.zeros((size, players), np.float32)
        self.ended = np.zeros(size, np.uint8)
        self.scores = np.zeros((size, players), np.int32)
        chunk = max(_CHUNK, -(-size // (4 * threads)))
        self.parts = [slice(begin, begin + chunk) for begin in range(0, size, chunk)]
        self.views = [np.zeros(view_count(game), game.dtype) for _ in self.parts]
        self.scratches = [
            np.zeros(1, stepping.scratch_type(game.widest, numbers.raw_actions)) for _ in self.parts
        ]
        for scratch in self.scratches:
            scratch["raw"] = raw
        self.pool = ThreadPoolExecutor(threads) if threads > 1 and len(self.parts) > 1 else None

    def begin(self, seed: int) -> None:
        kernel = _kernel(self.game, stepping.begin_range)

        def begin(k: int) -> None:
            part, scratch = self.parts[k], self.scratches[k]
            scratch["seed"] = seed
            games = self.blank, self.states[part], self.views[k], self.slots[part]
            kernel(*games, scratch, np.uint64(part.start), self._seen(part))

        self._share_out(begin)

    def step(self, actions: Array, *, renew: bool) -> None:
        """Take an action in every slot; with `renew`, replace finished games by new ones."""
        kernel, every = _kernel(self.game, stepping.step_range), self.size if renew else 0

        def step(k: int) -> None:
            part, scratch = self.parts[k], self.scratches[k]
            scratch["every"] = every
            games = self.blank, self.states[part], self.views[k], self.slots[part]
            kernel(*games, scratch, actions[part], self._seen(part), self._results(part))

        self._share_out(step)

    def sample(self, actions: Array) -> None:
        kernel = _kernel(self.game, stepping.sample_range)
        self._share_out(
            lambda k: kernel(
                self.slots[self.parts[k]], self.masks[self.parts[k]], actions[self.parts[k]]
            )
        )

    def first_refused(self, actions: Array) -> int:
        return int(_kernel(self.game, stepping.first_refused)(actions, self.masks))

    def room_for_actions(self) -> Array:
        return np.zeros(self.size, np.int32)

    def actions_from(self, actions: Any) -> Array:
        """The caller's actions as an array of the right form; raise ValueError otherwise."""
        try:
            array = np.asarray(actions)
        # raised by PyTorch for tensors on a GPU
        except (TypeError, RuntimeError) as error:
            raise ValueError(f"actions: must be an array on the CPU here ({error})") from None
        if array.shape != (self.size,) or array.dtype.kind not in "iu":
            given = f"{array.dtype} of shape {array.shape}"
            raise ValueError(
                f"actions: must be {self.size} whole numbers, one for each game, not {given}"
            )
        return array.astype(np.int32, copy=False)

    def shared(self, name: str) -> Array:
        """One of the arrays, in the form callers get."""
        return self.shared_array(getattr(self, name))

    def shared_array(self, array: Array) -> Array:
        return array

    def seats(self) -> Array:
        return np.ascontiguousarray(self.slots["seat"])

    def observe_as(self, seat: int) -> Array:
        """The observation of the first slot for any seat."""
        observed = np.zeros_like(self.observations[:1])
        _kernel(self.game, stepping.look_at)(self.states, self.views[0], self.slots, seat, observed)
        row: Array = observed[0]
        return row

    def resume(self) -> None:
        """Continue games whose states were changed from outside."""
        seen = self.observations, self.masks
        _kernel(self.game, stepping.resume_range)(
            self.states, self.views[0], self.slots, self.scratches[0], seen
        )

    def position(self, slot: int) -> Position:
        """A copy of the position of one slot."""
        return Position(self.game, self.options, self.states[slot : slot + 1])

    def put(self, slot: int, position: Position) -> None:
        """Set the position of one slot; `resume` then continues it."""
        self.states[slot] = position.array[0]

    def move_of(self, action: int) -> int:
        """The move a raw action makes."""
        return int(self.scratches[0]["codes"][0, action])

    def _seen(self, part: slice) -> tuple[Array, Array]:
        return self.observations[part], self.masks[part]

    def _results(self, part: slice) -> tuple[Array, Array, Array]:
        return self.rewards[part], self.ended[part], self.scores[part]

    def _share_out(self, work: Callable[[int], None]) -> None:
        if self.pool is None:
            for k in range(len(self.parts)):
                work(k)
        else:
            list(self.pool.map(work, range(len(self.parts))))


def cores() -> int:
    return os.cpu_count() or 1
