"""Plays and summarises random games on a GPU; only the counts are copied back.

Imported only if a GPU is requested.
"""

import time
import warnings
from functools import cache
from typing import Any

import numpy as np

from souk.core.game import Game
from souk.core.position import Position
from souk.kernel.cuda import numba_cuda
from souk.kernel.playouts import begin_game, final_scores, is_over, random_event
from souk.kernel.rng import draw, stream_step
from souk.lab.simulate.summary import LENGTHS, SCORES, Summary

# per block
_THREADS = 128
# Upper limit: fills any GPU, yet each thread plays many games.
_BLOCKS = 4096
# longer than any game
_NEVER = np.iinfo(np.int64).max


@cache
def _kernel(game: Game) -> Any:
    """The kernel of one game; it plays as in souk.kernel.cuda, which explains the structure.

    Each thread keeps sums and adds them up at its end; score and length bins are counted in global
    memory.
    """
    from numba import from_dtype, int32, int64, uint64

    from souk.kernel.compiler import target

    cuda, compiled = numba_cuda(), target("cuda").for_game(game).compiled
    begin, go_on, ended = compiled(begin_game), compiled(random_event), compiled(is_over)
    rank, number, step_of = compiled(final_scores), compiled(draw), compiled(stream_step)
    state_type, widest, seats = from_dtype(game.dtype), game.widest, game.players[-1]
    clear, count_game, add_up = _counters()

    @cuda.jit
    def kernel(blank, seed, first, games, winners, scores, lengths, score_sums, event_sums):  # type: ignore[no-untyped-def]
        state = cuda.local.array(1, state_type)
        out = cuda.local.array(widest, int32)
        weights = cuda.local.array(widest, int32)
        final = cuda.local.array(seats, int32)
        own_scores = cuda.local.array((2, seats), int64)
        own_events = cuda.local.array(4, int64)
        clear(own_scores, own_events)
        events = int64(0)
        start = uint64(0)
        step = uint64(0)
        i = int64(cuda.grid(1))
        while i < games:
            if events == 0:
                state[0] = blank[0]
                start = begin(state[0], seed, first + uint64(i))
                step = step_of(start)
            go_on(state[0], number(start, step, events), out, weights)
            events += 1
            if ended(state[0]):
                cuda.atomic.add(winners, int64(rank(state[0], final)), 1)
                count_game(final, events, scores, lengths, own_scores, own_events)
                i += cuda.gridsize(1)
                events = int64(0)
        add_up(own_scores, own_events, score_sums, event_sums)

    return kernel


@cache
def _counters() -> tuple[Any, Any, Any]:
    """Device functions for a thread's sums: clear them, count a game, add them to the totals."""
    from numba import int64

    cuda = numba_cuda()
    lowest, more_scores, more_lengths, never = SCORES.start, len(SCORES), len(LENGTHS), int(_NEVER)

    @cuda.jit(device=True)
    def clear(own_scores, own_events):  # type: ignore[no-untyped-def]
        for seat in range(own_scores.shape[1]):
            own_scores[0, seat] = 0
            own_scores[1, seat] = 0
        own_events[0], own_events[1], own_events[2], own_events[3] = 0, 0, never, 0

    @cuda.jit(device=True)
    def count_game(final, events, scores, lengths, own_scores, own_events):  # type: ignore[no-untyped-def]
        cuda.atomic.add(lengths, min(events, int64(more_lengths)), 1)
        for seat in range(len(scores)):
            score = int64(final[seat])
            bin_index = min(max(score - lowest, int64(-1)), int64(more_scores)) + 1
            cuda.atomic.add(scores, (seat, bin_index), 1)
            own_scores[0, seat] += score
            own_scores[1, seat] += score * score
        own_events[0] += events
        own_events[1] += events * events
        own_events[2] = min(own_events[2], events)
        own_events[3] = max(own_events[3], events)

    @cuda.jit(device=True)
    def add_up(own_scores, own_events, score_sums, event_sums):  # type: ignore[no-untyped-def]
        for seat in range(score_sums.shape[1]):
            cuda.atomic.add(score_sums, (0, seat), own_scores[0, seat])
            cuda.atomic.add(score_sums, (1, seat), own_scores[1, seat])
        cuda.atomic.add(event_sums, 0, own_events[0])
        cuda.atomic.add(event_sums, 1, own_events[1])
        cuda.atomic.min(event_sums, 2, own_events[2])
        cuda.atomic.max(event_sums, 3, own_events[3])

    return clear, count_game, add_up


def count_games(start: Position, games: int, seed: int, first: int) -> Summary:
    """Summarise the games from number `first` of a seed, in one launch."""
    _compile(start.game)
    return _launch(start, games, seed, first)


@cache
def _compile(game: Game) -> None:
    """Compile the kernel before timing starts."""
    _launch(game.start(game.players[-1]), 1, 0, 0)


def _launch(start: Position, games: int, seed: int, first: int) -> Summary:
    cuda, kernel, players = numba_cuda(), _kernel(start.game), start.players
    begin = time.perf_counter()
    shapes: list[Any] = [1 << players, (players, len(SCORES) + 2), len(LENGTHS) + 1, (2, players)]
    counts = [np.zeros(shape, np.int64) for shape in shapes]
    # events, their squares, shortest and longest game
    counts.append(np.array([0, 0, _NEVER, 0], np.int64))
    blank = cuda.to_device(start.game.blank(players, start.options))
    on_gpu = [cuda.to_device(array) for array in counts]
    blocks = min(_BLOCKS, -(-games // _THREADS))
    with warnings.catch_warnings():
        # low GPU occupancy with few games
        warnings.simplefilter("ignore")
        kernel[blocks, _THREADS](blank, np.uint64(seed), np.uint64(first), np.int64(games), *on_gpu)
    winners, scores, lengths, score_sums, event_sums = (array.copy_to_host() for array in on_gpu)
    seconds = time.perf_counter() - begin
    sums = *score_sums, *map(int, event_sums)
    return Summary(start.game.name, players, games, seconds, winners, scores, lengths, *sums)
