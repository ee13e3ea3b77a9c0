"""Many games at once for programs that learn: everybody's observation, the allowed actions, and one action in every game at a time.

    batch = souk.lab.Batch("suleika", players=4, size=65536, device="cpu")
    while training:
        actions = policy(batch.observe(), batch.mask())
        rewards, ended = batch.step(actions)

Dice and cards are drawn by the batch itself. A game that ends is followed by a new one in the same step. What is given back are the
batch's own arrays, which the next step overwrites; they speak DLPack, so PyTorch and JAX take them without a copy. The same seed and
actions give the same games on every device.
"""

from typing import Any

import numpy as np

from souk.core.fields import brief
from souk.core.numbers import Actions, Field, places
from souk.core.position import Position
from souk.games import game as find_game
from souk.lab.checks import check_seed, check_whole
from souk.lab.environments.slots import Slots, cores, numbers_of

DEVICES = ("cpu", "cuda")
MOST_SLOTS = 1 << 26


class Batch:
    """Many games of one table, each waiting for the action of one seat. Sizes and meanings: `fields` and `kinds`."""

    def __init__(
        self,
        game: str,
        players: int | None = None,
        size: int = 4096,
        device: str = "cpu",
        *,
        seed: int = 0,
        threads: int | None = None,
        check: bool = True,
        **options: Any,
    ) -> None:
        found = find_game(game)
        start = found.start(players, **options)
        check_whole("size", size, 1, MOST_SLOTS)
        check_whole("threads", 1 if threads is None else threads, 1, 1024)
        if device not in DEVICES:
            raise ValueError(f'device: must be "cpu" or "cuda", not {brief(device)}')
        self.game, self.players, self.size, self.device, self.check = found, start.players, size, device, check
        self.options = start.options
        self._slots: Any
        if device == "cuda":
            from souk.lab.environments.slots_cuda import CudaSlots

            self._slots = CudaSlots(found, start.players, start.options, size)
        else:
            self._slots = Slots(found, start.players, start.options, size, threads=threads or cores())
        self._sampled = self._slots.room_for_actions()
        self.reset(seed)

    @property
    def fields(self) -> tuple[Field, ...]:
        """What the numbers of an observation mean, one field after the other."""
        return numbers_of(self.game).fields

    @property
    def places(self) -> dict[str, slice]:
        """Where each field's numbers are in an observation."""
        return places(self.fields)

    @property
    def kinds(self) -> tuple[Actions, ...]:
        """What the actions are, one kind after the other."""
        return numbers_of(self.game).kinds

    @property
    def actions(self) -> int:
        """How many actions there are, allowed or not."""
        count: int = numbers_of(self.game).actions
        return count

    def reset(self, seed: int = 0) -> Any:
        """Begin every game anew. Returns the observations."""
        check_seed(seed)
        self._slots.begin(seed)
        return self.observe()

    def observe(self) -> Any:
        """What the seat that is to move sees, in every game: whole numbers of 16 bits (games × numbers)."""
        return self._slots.shared("observations")

    def mask(self) -> Any:
        """Which actions that seat may take: 0 or 1 (games × actions)."""
        return self._slots.shared("masks")

    def seats(self) -> Any:
        """The seat that is to move, in every game."""
        return self._slots.seats()

    def scores(self) -> Any:
        """The final scores of the last game that ended in each slot (games × seats)."""
        return self._slots.shared("scores")

    def sample(self) -> Any:
        """An allowed action for every game, all of them equally likely: what random play is made of."""
        self._slots.sample(self._sampled)
        return self._slots.shared_array(self._sampled)

    def step(self, actions: Any) -> tuple[Any, Any]:
        """One action in every game. Returns the rewards of all seats (games × seats: nothing until a game ends; then 1 for a win alone,
        and the others share the loss), and in which games the last action ended a game: those have begun anew.

        An action that is not allowed raises ValueError and changes nothing. On a GPU asking costs a little time: with `check=False`
        nobody asks, and a game stays as it is when its action is not allowed."""
        taken = self._slots.actions_from(actions)
        if self.check and (refused := self._slots.first_refused(taken)) >= 0:
            seat, action = int(np.asarray(self.seats())[refused]), int(taken[refused])
            raise ValueError(
                f"actions: {action} is not allowed in game {refused}, where seat {seat} is to move (see mask())"
            )
        self._slots.step(taken, renew=True)
        return self._slots.shared("rewards"), self._slots.shared("ended")

    def position(self, slot: int) -> Position:
        """The position of one game, to read or to draw. Changing it changes nothing here."""
        check_whole("slot", slot, 0, self.size - 1)
        found: Position = self._slots.position(slot)
        return found.copy()
