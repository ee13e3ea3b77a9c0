"""Random games on a GPU, one game per thread. Imported only when a GPU is requested."""

import warnings
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.kernel.distribution import install_command
from souk.kernel.game_spec import Playable
from souk.kernel.playouts import begin_game, final_scores, is_over, random_event
from souk.kernel.rng import draw, stream_step
from souk.kernel.state import StateArray

if TYPE_CHECKING:
    from souk.kernel.batch_play import Results

_THREADS_PER_BLOCK = 128
# Enough to fill any GPU, few enough that each thread plays several games.
_MAX_BLOCKS = 4096
# Games per launch, whose results must fit in the GPU's memory.
_GAMES_PER_LAUNCH = 1 << 24


class NoGPU(RuntimeError):
    """No usable GPU; the message says why."""


@cache
def numba_cuda() -> Any:
    """Import `numba.cuda`, or raise NoGPU."""
    # Removed in NumPy 2.5, still looked up by numba-cuda 0.30.
    for old, new in (("row_stack", "vstack"), ("in1d", "isin"), ("trapz", "trapezoid")):
        if not hasattr(np, old):
            setattr(np, old, getattr(np, new))
    try:
        from numba import cuda
    except ImportError as error:
        raise NoGPU(f"the GPU needs the package numba-cuda: {install_command('gpu')}") from error
    if not cuda.is_available():
        raise NoGPU("no CUDA GPU was found on this machine")
    return cuda


@cache
def _kernel(game: Playable) -> Any:
    """The kernel for one game.

    Each thread plays one game after another, one event per iteration: after the end of a game it
    starts the next while other threads of its warp continue theirs. The state is in local memory,
    which the GPU interleaves between threads: 2.6 times as fast on an H200 as consecutive states in
    global memory.
    """
    from numba import from_dtype, int32, uint64

    from souk.kernel.compiler import target

    cuda, device = numba_cuda(), target("cuda").for_game(game)
    begin, play_event = device.compiled(begin_game), device.compiled(random_event)
    ended, write_scores = device.compiled(is_over), device.compiled(final_scores)
    number, step_of = device.compiled(draw), device.compiled(stream_step)
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
            play_event(state[0], number(start, step, events), out, weights)
            events += 1
            if ended(state[0]):
                lengths[i] = events
                winners[i] = write_scores(state[0], scores[i])
                if i < len(states):
                    states[i] = state[0]
                i += cuda.gridsize(1)
                events = 0

    return kernel


def play_games(
    game: Playable, blank: StateArray, results: "Results", states: StateArray, seed: int, first: int
) -> None:
    """Play one game per item of `results`; keep as many final states as fit in `states`."""
    cuda, kernel = numba_cuda(), _kernel(game)
    on_gpu = cuda.to_device(blank)
    for begin in range(0, len(results.lengths), _GAMES_PER_LAUNCH):
        part = results.part(begin, begin + _GAMES_PER_LAUNCH)
        kept = states[begin : begin + len(part.lengths)]
        host_arrays: list[Any] = [kept, part.scores, part.winners, part.lengths]
        arrays = [cuda.device_array_like(array) for array in host_arrays]
        blocks = min(_MAX_BLOCKS, -(-len(part.lengths) // _THREADS_PER_BLOCK))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a few games do not fill the GPU
            kernel[blocks, _THREADS_PER_BLOCK](
                on_gpu, arrays[0], np.uint64(seed), np.uint64(first + begin), *arrays[1:]
            )
        for array, device_array in zip(host_arrays, arrays, strict=True):
            if len(array):
                device_array.copy_to_host(array)
