"""Random games on a GPU: one game per thread, from the same rules. Imported only when a GPU is asked for."""

import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.kernel.chance import draw, stream_step
from souk.kernel.playable import Playable
from souk.kernel.playouts import begin_game, final_standing, is_over, random_event
from souk.kernel.state import StateArray

if TYPE_CHECKING:
    from souk.kernel.batches import Results

_THREADS = 128  # in a block
_BLOCKS = 4096  # at most: enough to fill any GPU, few enough that each thread plays several games
_AT_ONCE = 1 << 24  # games in one launch, whose results must fit the GPU's memory


class NoGPU(RuntimeError):
    """There is no GPU that can be used, and why."""


@cache
def numba_cuda() -> Any:
    """The package `numba.cuda`, or NoGPU."""
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):  # names that NumPy 2.5 dropped and numba-cuda 0.30 still looks up
            setattr(np, old, getattr(np, new))
    try:
        from numba import cuda
    except ImportError as error:
        raise NoGPU("the GPU needs the package numba-cuda: pip install souk[gpu]") from error
    if not cuda.is_available():
        raise NoGPU("no CUDA GPU was found on this machine")
    return cuda


@cache
def _kernel(game: Playable) -> Any:
    """The kernel for one game. Each thread plays one game after another, event by event: a thread whose game has ended goes on
    with its next one while the others of its warp are still in theirs. A thread's state lies in its local memory, which the
    GPU interleaves between threads: on an H200 that is 2.6 times as fast as states one after the other in global memory."""
    from numba import from_dtype, int32, uint64

    from souk.kernel.compiling import target

    cuda, device = numba_cuda(), target("cuda").workshop(game)
    begin, go_on, ended = device.compiled(begin_game), device.compiled(random_event), device.compiled(is_over)
    rank, number, step_of = device.compiled(final_standing), device.compiled(draw), device.compiled(stream_step)
    state_type, widest = from_dtype(game.dtype), game.widest

    @cuda.jit
    def kernel(blank, states, seed, first, scores, winners, lengths):  # type: ignore[no-untyped-def]
        state = cuda.local.array(1, state_type)
        out = cuda.local.array(widest, int32)
        weights = cuda.local.array(widest, int32)
        i = cuda.grid(1)
        events = 0
        start = uint64(0)
        step = uint64(0)
        while i < len(lengths):
            if events == 0:
                state[0] = blank[0]
                start = begin(state[0], seed, first + uint64(i))
                step = step_of(start)
            go_on(state[0], number(start, step, events), out, weights)
            events += 1
            if ended(state[0]):
                lengths[i] = events
                winners[i] = rank(state[0], scores[i])
                if i < len(states):
                    states[i] = state[0]
                i += cuda.gridsize(1)
                events = 0

    return kernel


def play_games(
    game: Playable, blank: StateArray, results: "Results", states: StateArray, seed: int, first: int
) -> None:
    """Play the games that `results` has room for; keep the final states of as many as `states` has room for."""
    cuda, kernel = numba_cuda(), _kernel(game)
    on_gpu = cuda.to_device(blank)
    for begin in range(0, len(results.lengths), _AT_ONCE):
        part = results.part(begin, begin + _AT_ONCE)
        kept = states[begin : begin + len(part.lengths)]
        wanted: list[Any] = [kept, part.scores, part.winners, part.lengths]
        arrays = [cuda.device_array_like(array) for array in wanted]
        blocks = min(_BLOCKS, -(-len(part.lengths) // _THREADS))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that few games do not fill the GPU
            kernel[blocks, _THREADS](on_gpu, arrays[0], np.uint64(seed), np.uint64(first + begin), *arrays[1:])
        for array, device_array in zip(wanted, arrays, strict=True):
            if len(array):
                device_array.copy_to_host(array)
