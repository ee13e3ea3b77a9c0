"""The arrays in which many games are stepped through on the CPU, and the compiled kernels that do it."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import Any

import numpy as np

from souk.core.furniture import Options
from souk.core.game import Game
from souk.core.numbers import Actions, Field
from souk.core.position import Position
from souk.kernel.state import Array
from souk.lab.environments import stepping

RAW = 4096  # moves of one seat in a raw space of actions, at most: a haggle has more where somebody holds a great many gems
_CHUNK = 1024  # slots a thread takes at a time, at least


class NumberSizes:
    """How a game is put into numbers: its own declaration, with the sizes that follow from it."""

    def __init__(self, game: Game) -> None:
        module = game.numbers
        if module is None:
            raise ValueError(f"game: {game.title} has no numbers.py, which says what a program sees and may do")
        self.fields: tuple[Field, ...] = module.FIELDS
        self.kinds: tuple[Actions, ...] = module.ACTIONS
        self.observed = sum(field.size for field in self.fields)
        self.actions = sum(kind.size for kind in self.kinds)
        self.raw_actions = RAW if game.open_ended else game.widest


def views(game: Game) -> int:
    """How many copies of a state it takes to look at it: one where there are secrets to be taken out."""
    return int(game.secrets)


@cache
def numbers_of(game: Game) -> NumberSizes:
    return NumberSizes(game)


def _kernel(game: Game, function: Callable[..., Any]) -> Any:
    from souk.kernel.compiling import cpu_entry

    return cpu_entry(game, function)


def prepare(game: Game) -> None:
    """Compile all that a game is stepped through with, or load what has been compiled before."""
    start = game.start(game.players[-1])
    slots = Slots(game, start.players, start.options, 1)
    slots.begin(0)
    actions = slots.room_for_actions()
    slots.sample(actions)
    slots.first_refused(actions)
    slots.step(actions, renew=True)
    slots.observe_as(0)
    slots.go_on()


class Slots:
    """Many games of one table, in arrays on the CPU. Actions are taken for granted to be allowed. Raw ones, each of which is a move by its
    place in the list of moves, are for one game alone."""

    def __init__(
        self, game: Game, players: int, options: Options, size: int, *, raw: bool = False, threads: int = 1
    ) -> None:
        numbers = numbers_of(game)
        self.game, self.players, self.options, self.size, self.raw = game, players, options, size, raw
        self.blank = game.blank(players, options)
        self.states = np.zeros(size, game.dtype)
        self.slots = np.zeros(size, stepping.SLOT)
        self.observations = np.zeros((size, numbers.observed), np.int16)
        self.masks = np.zeros((size, numbers.raw_actions if raw else numbers.actions), np.uint8)
        self.rewards = np.zeros((size, players), np.float32)
        self.ended = np.zeros(size, np.uint8)
        self.scores = np.zeros((size, players), np.int32)
        chunk = max(_CHUNK, -(-size // (4 * threads)))
        self.parts = [slice(begin, begin + chunk) for begin in range(0, size, chunk)]
        self.views = [np.zeros(views(game), game.dtype) for _ in self.parts]
        self.pads = [np.zeros(1, stepping.pad_type(game.widest, numbers.raw_actions)) for _ in self.parts]
        for pad in self.pads:
            pad["raw"] = raw
        self.pool = ThreadPoolExecutor(threads) if threads > 1 and len(self.parts) > 1 else None

    def begin(self, seed: int) -> None:
        kernel = _kernel(self.game, stepping.begin_range)

        def begin(k: int) -> None:
            part, pad = self.parts[k], self.pads[k]
            pad["seed"] = seed
            games = self.blank, self.states[part], self.views[k], self.slots[part]
            kernel(*games, pad, np.uint64(part.start), self._seen(part))

        self._share_out(begin)

    def step(self, actions: Array, *, renew: bool) -> None:
        """An action in every slot. Games that end give way to the next ones, if they are to be renewed."""
        kernel, every = _kernel(self.game, stepping.step_range), self.size if renew else 0

        def step(k: int) -> None:
            part, pad = self.parts[k], self.pads[k]
            pad["every"] = every
            games = self.blank, self.states[part], self.views[k], self.slots[part]
            kernel(*games, pad, actions[part], self._seen(part), self._brought(part))

        self._share_out(step)

    def sample(self, actions: Array) -> None:
        kernel = _kernel(self.game, stepping.sample_range)
        self._share_out(lambda k: kernel(self.slots[self.parts[k]], self.masks[self.parts[k]], actions[self.parts[k]]))

    def first_refused(self, actions: Array) -> int:
        return int(_kernel(self.game, stepping.first_refused)(actions, self.masks))

    def room_for_actions(self) -> Array:
        return np.zeros(self.size, np.int32)

    def actions_from(self, actions: Any) -> Array:
        """Somebody's actions as an array of the right form; ValueError where they are none."""
        try:
            found = np.asarray(actions)
        except (TypeError, RuntimeError) as error:  # what PyTorch says of a tensor on a GPU
            raise ValueError(f"actions: must be an array on the CPU here ({error})") from None
        if found.shape != (self.size,) or found.dtype.kind not in "iu":
            form = f"{found.dtype} of shape {found.shape}"
            raise ValueError(f"actions: must be {self.size} whole numbers, one for each game, not {form}")
        return found.astype(np.int32, copy=False)

    def shared(self, name: str) -> Array:
        """One of the arrays, for others to read."""
        return self.shared_array(getattr(self, name))

    def shared_array(self, array: Array) -> Array:
        return array

    def seats(self) -> Array:
        return np.ascontiguousarray(self.slots["seat"])

    def observe_as(self, seat: int) -> Array:
        """What any seat sees of the first slot."""
        observed = np.zeros_like(self.observations[:1])
        _kernel(self.game, stepping.look_at)(self.states, self.views[0], self.slots, seat, observed)
        row: Array = observed[0]
        return row

    def go_on(self) -> None:
        """Take up games whose states were changed from outside."""
        seen = self.observations, self.masks
        _kernel(self.game, stepping.go_on_range)(self.states, self.views[0], self.slots, self.pads[0], seen)

    def position(self, slot: int) -> Position:
        """A copy of the position of one slot."""
        return Position(self.game, self.options, self.states[slot : slot + 1])

    def put(self, slot: int, position: Position) -> None:
        """One slot goes on from a position, once `go_on` has taken it up."""
        self.states[slot] = position.array[0]

    def move_of(self, action: int) -> int:
        """The move that a raw action makes."""
        return int(self.pads[0]["codes"][0, action])

    def _seen(self, part: slice) -> tuple[Array, Array]:
        return self.observations[part], self.masks[part]

    def _brought(self, part: slice) -> tuple[Array, Array, Array]:
        return self.rewards[part], self.ended[part], self.scores[part]

    def _share_out(self, work: Callable[[int], None]) -> None:
        if self.pool is None:
            for k in range(len(self.parts)):
                work(k)
        else:
            list(self.pool.map(work, range(len(self.parts))))


def cores() -> int:
    return os.cpu_count() or 1
