"""Batched environments: many games advance together, one action each per step.

    batch = souk.lab.Batch("suleika", players=4, size=65536, device="cpu")
    while training:
        actions = policy(batch.observe(), batch.mask())
        rewards, ended = batch.step(actions)

Dice and cards are drawn by the batch, and a game that ends is replaced by a new one in the same
step. Returned arrays belong to the batch and are overwritten by the next step; they support DLPack,
so PyTorch and JAX use them without a copy. The same seed and actions give the same games on every
device.
"""

from typing import Any

import numpy as np

from souk.core.json_fields import brief
from souk.core.observation_spec import Actions, Field, places
from souk.core.position import Position
from souk.games import game as find_game
from souk.lab.environments.batch_cpu import Slots, cores, layout_of
from souk.lab.validation import check_seed, check_whole

DEVICES = ("cpu", "cuda")
MOST_SLOTS = 1 << 26


class Batch:
    """Many games of one table, each waiting for one seat's action.

    `fields` and `kinds` describe observations and actions.
    """

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
        rules = find_game(game)
        start = rules.start(players, **options)
        check_whole("size", size, 1, MOST_SLOTS)
        check_whole("threads", 1 if threads is None else threads, 1, 1024)
        if device not in DEVICES:
            raise ValueError(f'device: must be "cpu" or "cuda", not {brief(device)}')
        self.game, self.players = rules, start.players
        self.size, self.device, self.check = size, device, check
        self.options = start.options
        self._slots: Any
        if device == "cuda":
            from souk.lab.environments.batch_cuda import CudaSlots

            self._slots = CudaSlots(start, size)
        else:
            self._slots = Slots(start, size, threads=threads or cores())
        self._sampled = self._slots.room_for_actions()
        self.reset(seed)

    @property
    def fields(self) -> tuple[Field, ...]:
        """The fields of an observation, in order."""
        return layout_of(self.game).fields

    @property
    def places(self) -> dict[str, slice]:
        """The slice of each field in an observation."""
        return places(self.fields)

    @property
    def kinds(self) -> tuple[Actions, ...]:
        """The kinds of actions, in order."""
        return layout_of(self.game).kinds

    @property
    def actions(self) -> int:
        """The size of the action space."""
        count: int = layout_of(self.game).actions
        return count

    def reset(self, seed: int = 0) -> Any:
        """Restart every game; return the observations."""
        check_seed(seed)
        self._slots.begin(seed)
        return self.observe()

    def observe(self) -> Any:
        """Observations of the seats to move: an int16 array (games × numbers)."""
        return self._slots.shared("observations")

    def mask(self) -> Any:
        """Legal actions of the seats to move: 0 or 1 (games × actions)."""
        return self._slots.shared("masks")

    def seats(self) -> Any:
        """The seat to move in every game."""
        return self._slots.seats()

    def scores(self) -> Any:
        """Final scores of the last finished game in each slot (games × seats)."""
        return self._slots.shared("scores")

    def sample(self) -> Any:
        """A uniformly random legal action for every game."""
        self._slots.sample(self._sampled)
        return self._slots.shared_array(self._sampled)

    def step(self, actions: Any) -> tuple[Any, Any]:
        """Take one action in every game; return rewards and which games ended.

        Rewards (games × seats) are 0 until a game ends; then 1 for a sole win, and the others share
        the loss. Games that ended have been restarted.

        An illegal action raises ValueError and changes nothing. With `check=False` this is not
        checked, which saves a little time on a GPU; a game then ignores an illegal action.
        """
        taken = self._slots.actions_from(actions)
        if self.check and (refused := self._slots.first_refused(taken)) >= 0:
            seat, action = int(np.asarray(self.seats())[refused]), int(taken[refused])
            raise ValueError(
                f"actions: {action} is illegal in game {refused}, "
                f"where seat {seat} is to move (see mask())"
            )
        self._slots.step(taken, renew=True)
        return self._slots.shared("rewards"), self._slots.shared("ended")

    def position(self, slot: int) -> Position:
        """A copy of the position of one game."""
        check_whole("slot", slot, 0, self.size - 1)
        position: Position = self._slots.position(slot)
        return position.copy()
