"""Batched games on a GPU: as `batch_cpu`, one thread per game, state in local memory."""

import warnings
from functools import cache
from typing import Any

import numpy as np

from souk.core.game import Game
from souk.core.position import Position
from souk.kernel.cuda import numba_cuda
from souk.lab.environments import step_kernels as stepping
from souk.lab.environments.batch_cpu import layout_of, view_count

# per block, limited by shared memory
_THREADS = 64


class GpuArray:
    """An array in GPU memory.

    `torch.from_dlpack`, `jax.dlpack.from_dlpack` and users of CUDA's array interface take it
    without a copy; `numpy.asarray` copies it.
    """

    def __init__(self, array: Any) -> None:
        self._array = array
        self.shape, self.dtype = array.shape, array.dtype
        self.__cuda_array_interface__ = array.__cuda_array_interface__

    def __dlpack__(self, **wanted: Any) -> object:
        # the consumer may use another stream
        numba_cuda().default_stream().synchronize()
        return self._view().__dlpack__(**wanted | {"stream": None})

    def __dlpack_device__(self) -> tuple[int, int]:
        device: tuple[int, int] = self._view().__dlpack_device__()
        return device

    def _view(self) -> Any:
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView(self._array, stream_ptr=-1)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("NumPy cannot use a GPU array without a copy")
        array: np.ndarray[Any, Any] = self._array.copy_to_host()
        return array if dtype is None else array.astype(dtype)

    def __len__(self) -> int:
        return int(self.shape[0])


class _Kernels:
    """The CUDA kernels of one game, compiled from the same rules as on the CPU."""

    def __init__(self, game: Game) -> None:
        from souk.kernel.compiler import target

        cuda = numba_cuda()
        random_action = target("cuda").for_game(game).compiled(stepping.random_action)

        @cuda.jit
        def sample(slots, masks, actions):  # type: ignore[no-untyped-def]
            i = cuda.grid(1)
            if i < len(slots):
                actions[i] = random_action(slots[i], masks[i])

        @cuda.jit
        def check(actions, masks, refused):  # type: ignore[no-untyped-def]
            i = cuda.grid(1)
            if i < len(actions):
                action = actions[i]
                if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                    cuda.atomic.min(refused, 0, i)

        self.step, self.sample, self.check = _step(game), sample, check


def _step(game: Game) -> Any:
    """The step kernel: one legal action per slot; without actions, every slot begins a game.

    Observations and masks are staged in shared memory and written by all threads of a block
    together: coalesced writes, many times less traffic than one row per thread. Staged rows have an
    odd number of words, which avoids bank conflicts.
    """
    from numba import from_dtype, int16, uint8, uint64

    from souk.kernel.compiler import target

    cuda, compiled, numbers = numba_cuda(), target("cuda").for_game(game).compiled, layout_of(game)
    renew, show = compiled(stepping.renew), compiled(stepping.show)
    step_one = compiled(stepping.step_one)
    state_type, scratch_type = map(from_dtype, (game.dtype, stepping.scratch_type(game.widest, 1)))
    has_secrets, row = view_count(game) > 0, 2 * ((numbers.observed + 1) // 2 | 1)
    columns, write_out = numbers.actions, _write_out(numbers.observed, numbers.actions)

    @cuda.jit
    def step(blank, states, slots, seed, every, actions, seen, results):  # type: ignore[no-untyped-def]
        state, copy = cuda.local.array(1, state_type), cuda.local.array(1, state_type)
        scratch = cuda.local.array(1, scratch_type)
        staged = cuda.shared.array((_THREADS, row), int16)
        allowed = cuda.shared.array((_THREADS, columns), uint8)
        changed = cuda.shared.array(_THREADS, uint8)
        rewards, ended, scores = results
        i, t, masks = cuda.grid(1), cuda.threadIdx.x, seen[1]
        view = copy if has_secrets else copy[:0]
        scratch[0].seed, scratch[0].every, scratch[0].raw = seed, every, 0
        changed[t] = 0
        if i < len(slots):
            ended[i] = 0
            if len(actions) == 0:
                changed[t] = 1
                renew(blank, state, 0, slots[i], uint64(i), scratch[0])
            elif 0 <= actions[i] < masks.shape[1] and masks[i, actions[i]] != 0:
                changed[t] = 1
                state[0] = states[i]
                ended[i] = step_one(
                    blank, state, 0, slots[i], actions[i], scratch[0], rewards[i], scores[i]
                )
            if changed[t]:
                show(state, 0, view, slots[i], scratch[0], staged[t], allowed[t])
                states[i] = state[0]
        write_out(i - t, staged, allowed, changed, seen)

    return step


def _write_out(observed: int, columns: int) -> Any:
    """The device function that copies a block's staged rows to the arrays, from row `first`."""
    cuda = numba_cuda()

    @cuda.jit(device=True)
    def write_out(first, staged, allowed, changed, seen):  # type: ignore[no-untyped-def]
        observations, masks = seen
        cuda.syncthreads()
        rows = min(_THREADS, observations.shape[0] - first)
        for k in range(cuda.threadIdx.x, rows * observed, _THREADS):
            if changed[k // observed]:
                observations[first + k // observed, k % observed] = staged[
                    k // observed, k % observed
                ]
        for k in range(cuda.threadIdx.x, rows * columns, _THREADS):
            if changed[k // columns]:
                masks[first + k // columns, k % columns] = allowed[k // columns, k % columns]

    return write_out


@cache
def _kernels(game: Game) -> _Kernels:
    return _Kernels(game)


class CudaSlots:
    """Many games of one table in GPU memory. Illegal actions are ignored."""

    def __init__(self, start: Position, size: int) -> None:
        game, players = start.game, start.players
        cuda, numbers = numba_cuda(), layout_of(game)
        self.game, self.players, self.options, self.size = game, players, start.options, size
        self.kernels = _kernels(game)
        self.blank = cuda.to_device(game.blank(players, start.options))
        self.states = cuda.device_array(size, game.dtype)
        self.slots = cuda.to_device(np.zeros(size, stepping.SLOT))
        self.observations = cuda.to_device(np.zeros((size, numbers.observed), np.int16))
        self.masks = cuda.to_device(np.zeros((size, numbers.actions), np.uint8))
        self.rewards = cuda.to_device(np.zeros((size, players), np.float32))
        self.ended = cuda.to_device(np.zeros(size, np.uint8))
        self.scores = cuda.to_device(np.zeros((size, players), np.int32))
        self.seed, self._no_actions = 0, cuda.device_array(0, np.int32)

    def begin(self, seed: int) -> None:
        self.seed = seed
        self.step(self._no_actions, renew=True)

    def step(self, actions: Any, *, renew: bool) -> None:
        seeds = np.uint64(self.seed), np.uint64(self.size if renew else 0)
        seen, results = (self.observations, self.masks), (self.rewards, self.ended, self.scores)
        self._launch(
            self.kernels.step, self.blank, self.states, self.slots, *seeds, actions, seen, results
        )

    def sample(self, actions: Any) -> None:
        self._launch(self.kernels.sample, self.slots, self.masks, actions)

    def first_refused(self, actions: Any) -> int:
        refused = numba_cuda().to_device(np.array([self.size], np.int64))
        self._launch(self.kernels.check, actions, self.masks, refused)
        first = int(refused.copy_to_host()[0])
        return first if first < self.size else -1

    def room_for_actions(self) -> Any:
        return numba_cuda().to_device(np.zeros(self.size, np.int32))

    def actions_from(self, actions: Any) -> Any:
        """The caller's actions on the GPU, copied only if necessary.

        Raises ValueError if they have another form.
        """
        cuda = numba_cuda()
        array = (
            cuda.as_cuda_array(actions)
            if hasattr(actions, "__cuda_array_interface__")
            else np.asarray(actions)
        )
        if array.shape != (self.size,) or array.dtype.kind not in "iu":
            given = f"{array.dtype} of shape {array.shape}"
            raise ValueError(
                f"actions: must be {self.size} whole numbers, one for each game, not {given}"
            )
        return cuda.to_device(array) if isinstance(array, np.ndarray) else array

    def shared(self, name: str) -> GpuArray:
        return self.shared_array(getattr(self, name))

    def shared_array(self, array: Any) -> GpuArray:
        return GpuArray(array)

    def seats(self) -> np.ndarray[Any, Any]:
        slots: np.ndarray[Any, Any] = self.slots.copy_to_host()["seat"]
        return slots

    def position(self, slot: int) -> Position:
        return Position(self.game, self.options, self.states[slot : slot + 1].copy_to_host())

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        with warnings.catch_warnings():
            # low GPU occupancy with few games
            warnings.simplefilter("ignore")
            kernel[-(-self.size // _THREADS), _THREADS](*arguments)
