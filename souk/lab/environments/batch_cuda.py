"""The same as `slots`, on a GPU: one thread for each game, its state in the thread's local memory while it is worked on."""

import warnings
from functools import cache
from typing import Any

import numpy as np

from souk.core.furniture import Options
from souk.core.game import Game
from souk.core.position import Position
from souk.kernel.cuda import numba_cuda
from souk.lab.environments import stepping
from souk.lab.environments.slots import numbers_of, views

_THREADS = 64  # in a block: what they share must fit its memory


class OnGPU:
    """An array that lies on the GPU. `torch.from_dlpack`, `jax.dlpack.from_dlpack` and whatever knows CUDA's array interface take it
    without a copy; `numpy.asarray` copies it."""

    def __init__(self, array: Any) -> None:
        self._array = array
        self.shape, self.dtype = array.shape, array.dtype
        self.__cuda_array_interface__ = array.__cuda_array_interface__

    def __dlpack__(self, **wanted: Any) -> object:
        numba_cuda().default_stream().synchronize()  # whoever takes it may work in a stream of their own
        return self._view().__dlpack__(**wanted | {"stream": None})

    def __dlpack_device__(self) -> tuple[int, int]:
        found: tuple[int, int] = self._view().__dlpack_device__()
        return found

    def _view(self) -> Any:
        from cuda.core.utils import StridedMemoryView

        return StridedMemoryView(self._array, stream_ptr=-1)

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray[Any, Any]:
        if copy is False:
            raise ValueError("an array on a GPU cannot be seen by NumPy without a copy")
        found: np.ndarray[Any, Any] = self._array.copy_to_host()
        return found if dtype is None else found.astype(dtype)

    def __len__(self) -> int:
        return int(self.shape[0])


class _Kernels:
    """The kernels of one game, made from the same rules as those of the CPU."""

    def __init__(self, game: Game) -> None:
        from souk.kernel.compiling import target

        cuda, random_action = numba_cuda(), target("cuda").workshop(game).compiled(stepping.random_action)

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
    """The kernel that steps: an allowed action in every slot; without any actions the slots' games begin.

    What a seat sees and may do is first written to memory that the threads of a block share, and from there to the arrays by all threads
    together, one number beside the other: written by each thread to a row of its own it would be many times the traffic."""
    from numba import from_dtype, int16, uint8, uint64

    from souk.kernel.compiling import target

    cuda, device, numbers = numba_cuda(), target("cuda").workshop(game), numbers_of(game)
    renew, step_one, show = (device.compiled(each) for each in (stepping.renew, stepping.step_one, stepping.show))
    state_type, secret = from_dtype(game.dtype), views(game) > 0
    pad_type = from_dtype(stepping.pad_type(game.widest, 1))
    words = (numbers.observed + 1) // 2 | 1  # an odd number: threads side by side then write to different banks
    row, columns, write_out = 2 * words, numbers.actions, _write_out(numbers.observed, numbers.actions)

    @cuda.jit
    def step(blank, states, slots, seed, every, actions, seen, brought):  # type: ignore[no-untyped-def]
        state, copy = cuda.local.array(1, state_type), cuda.local.array(1, state_type)
        pad = cuda.local.array(1, pad_type)
        staged = cuda.shared.array((_THREADS, row), int16)
        allowed = cuda.shared.array((_THREADS, columns), uint8)
        changed = cuda.shared.array(_THREADS, uint8)
        rewards, ended, scores = brought
        i, t, masks = cuda.grid(1), cuda.threadIdx.x, seen[1]
        view = copy if secret else copy[:0]
        pad[0].seed, pad[0].every, pad[0].raw = seed, every, 0
        changed[t] = 0
        if i < len(slots):
            ended[i] = 0
            if len(actions) == 0:
                changed[t] = 1
                renew(blank, state, 0, slots[i], uint64(i), pad[0])
            elif 0 <= actions[i] < masks.shape[1] and masks[i, actions[i]] != 0:
                changed[t] = 1
                state[0] = states[i]
                ended[i] = step_one(blank, state, 0, slots[i], actions[i], pad[0], rewards[i], scores[i])
            if changed[t]:
                show(state, 0, view, slots[i], pad[0], staged[t], allowed[t])
                states[i] = state[0]
        write_out(i - t, staged, allowed, changed, seen)

    return step


def _write_out(observed: int, columns: int) -> Any:
    """How the threads of a block write what they have staged to the arrays, from the row `first` on."""
    cuda = numba_cuda()

    @cuda.jit(device=True)
    def write_out(first, staged, allowed, changed, seen):  # type: ignore[no-untyped-def]
        observations, masks = seen
        cuda.syncthreads()
        rows = min(_THREADS, observations.shape[0] - first)
        for k in range(cuda.threadIdx.x, rows * observed, _THREADS):
            if changed[k // observed]:
                observations[first + k // observed, k % observed] = staged[k // observed, k % observed]
        for k in range(cuda.threadIdx.x, rows * columns, _THREADS):
            if changed[k // columns]:
                masks[first + k // columns, k % columns] = allowed[k // columns, k % columns]

    return write_out


@cache
def _kernels(game: Game) -> _Kernels:
    return _Kernels(game)


class CudaSlots:
    """Many games of one table, in arrays on the GPU. An action that is not allowed leaves its game as it is."""

    def __init__(self, game: Game, players: int, options: Options, size: int) -> None:
        cuda, numbers = numba_cuda(), numbers_of(game)
        self.game, self.players, self.options, self.size = game, players, options, size
        self.kernels = _kernels(game)
        self.blank = cuda.to_device(game.blank(players, options))
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
        order = np.uint64(self.seed), np.uint64(self.size if renew else 0)
        seen, brought = (self.observations, self.masks), (self.rewards, self.ended, self.scores)
        self._launch(self.kernels.step, self.blank, self.states, self.slots, *order, actions, seen, brought)

    def sample(self, actions: Any) -> None:
        self._launch(self.kernels.sample, self.slots, self.masks, actions)

    def first_refused(self, actions: Any) -> int:
        refused = numba_cuda().to_device(np.array([self.size], np.int64))
        self._launch(self.kernels.check, actions, self.masks, refused)
        found = int(refused.copy_to_host()[0])
        return found if found < self.size else -1

    def room_for_actions(self) -> Any:
        return numba_cuda().to_device(np.zeros(self.size, np.int32))

    def actions_from(self, actions: Any) -> Any:
        """Somebody's actions on the GPU: taken as they are where they lie there, else copied; ValueError where they are none."""
        cuda = numba_cuda()
        found = cuda.as_cuda_array(actions) if hasattr(actions, "__cuda_array_interface__") else np.asarray(actions)
        if found.shape != (self.size,) or found.dtype.kind not in "iu":
            form = f"{found.dtype} of shape {found.shape}"
            raise ValueError(f"actions: must be {self.size} whole numbers, one for each game, not {form}")
        return cuda.to_device(found) if isinstance(found, np.ndarray) else found

    def shared(self, name: str) -> OnGPU:
        return self.shared_array(getattr(self, name))

    def shared_array(self, array: Any) -> OnGPU:
        return OnGPU(array)

    def seats(self) -> np.ndarray[Any, Any]:
        found: np.ndarray[Any, Any] = self.slots.copy_to_host()["seat"]
        return found

    def position(self, slot: int) -> Position:
        return Position(self.game, self.options, self.states[slot : slot + 1].copy_to_host())

    def _launch(self, kernel: Any, *arguments: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that few games do not fill the GPU
            kernel[-(-self.size // _THREADS), _THREADS](*arguments)
