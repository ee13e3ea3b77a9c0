"""Random games on a GPU: one game per thread, from the same rules. Imported only when a GPU is asked for."""

from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.core.playouts import final_standing, whole_game
from souk.core.state import RecordArray

if TYPE_CHECKING:
    from souk.core.batches import Results
    from souk.core.game import Game

_THREADS = 128  # in a block
_AT_ONCE = 1 << 22  # games in one launch: enough to fill any GPU, few enough for its memory


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
def _kernel(game: "Game") -> Any:
    """The kernel for one game. A thread's record lies in its local memory, which the GPU interleaves between threads:
    on an H200 that is 2.6 times as fast as records one after the other in global memory."""
    from numba import from_dtype, int32

    from souk.core.compiling import target

    cuda, device = numba_cuda(), target("cuda").workshop(game)
    play, rank = device.compiled(whole_game), device.compiled(final_standing)
    record_type, widest = from_dtype(game.dtype), game.widest

    @cuda.jit
    def kernel(blank, states, seed, first, scores, winners, lengths):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(lengths):
            record = cuda.local.array(1, record_type)
            out = cuda.local.array(widest, int32)
            weights = cuda.local.array(widest, int32)
            record[0] = blank[0]
            lengths[i] = play(record[0], seed, first + np.uint64(i), out, weights)
            winners[i] = rank(record[0], scores[i])
            if i < len(states):
                states[i] = record[0]

    return kernel


def play_games(
    game: "Game", blank: RecordArray, results: "Results", states: RecordArray, seed: int, first: int
) -> None:
    """Play the games that `results` has room for; keep the final records of as many as `states` has room for."""
    cuda, kernel = numba_cuda(), _kernel(game)
    on_gpu = cuda.to_device(blank)
    for begin in range(0, len(results.lengths), _AT_ONCE):
        part = results.part(begin, begin + _AT_ONCE)
        kept = states[begin : begin + len(part.lengths)]
        arrays = [cuda.device_array_like(array) for array in (kept, part.scores, part.winners, part.lengths)]
        blocks = -(-len(part.lengths) // _THREADS)
        kernel[blocks, _THREADS](on_gpu, arrays[0], np.uint64(seed), np.uint64(first + begin), *arrays[1:])
        for array, device_array in zip((kept, part.scores, part.winners, part.lengths), arrays, strict=True):
            if len(array):
                device_array.copy_to_host(array)
