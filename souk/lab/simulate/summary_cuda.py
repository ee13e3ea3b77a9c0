"""A census on a GPU: the games are played and counted there, and only the counts come back. Imported only when a GPU is asked for."""

import time
import warnings
from functools import cache
from typing import Any

import numpy as np

from souk.core.game import Game
from souk.core.position import Position
from souk.kernel.chance import draw, stream_step
from souk.kernel.cuda import numba_cuda
from souk.kernel.playouts import begin_game, final_standing, is_over, random_event
from souk.lab.simulate.census import LENGTHS, SCORES, Census

_THREADS = 128  # in a block
_BLOCKS = 4096  # at most: enough to fill any GPU, few enough that each thread plays many games
_NEVER = np.iinfo(np.int64).max  # longer than any game


@cache
def _kernel(game: Game) -> Any:
    """The kernel for one game: played as in souk.kernel.cuda, which says why. Sums are kept by each thread and added up at its
    end; games are counted by score and length in the GPU's memory at once."""
    from numba import from_dtype, int32, int64, uint64

    from souk.kernel.compiling import target

    cuda, device = numba_cuda(), target("cuda").workshop(game)
    begin, go_on, ended = device.compiled(begin_game), device.compiled(random_event), device.compiled(is_over)
    rank, number, step_of = device.compiled(final_standing), device.compiled(draw), device.compiled(stream_step)
    state_type, widest, seats = from_dtype(game.dtype), game.widest, game.players[-1]
    clear, note, add_up = _tallying()

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
                note(final, events, scores, lengths, own_scores, own_events)
                i += cuda.gridsize(1)
                events = int64(0)
        add_up(own_scores, own_events, score_sums, event_sums)

    return kernel


@cache
def _tallying() -> tuple[Any, Any, Any]:
    """What a thread does with the sums of its own games: clear them, note a game, and add them to those of all."""
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
    def note(final, events, scores, lengths, own_scores, own_events):  # type: ignore[no-untyped-def]
        cuda.atomic.add(lengths, min(events, int64(more_lengths)), 1)
        for seat in range(len(scores)):
            score = int64(final[seat])
            place = min(max(score - lowest, int64(-1)), int64(more_scores)) + 1
            cuda.atomic.add(scores, (seat, place), 1)
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

    return clear, note, add_up


def count_games(start: Position, games: int, seed: int, first: int) -> Census:
    """The census of games number `first` and following of a seed, all in one launch."""
    _compiled(start.game)
    return _launch(start, games, seed, first)


@cache
def _compiled(game: Game) -> None:
    """Compile the kernel, so that nobody's seconds have that in them."""
    _launch(game.start(game.players[-1]), 1, 0, 0)


def _launch(start: Position, games: int, seed: int, first: int) -> Census:
    cuda, kernel, players = numba_cuda(), _kernel(start.game), start.players
    begin = time.perf_counter()
    shapes: list[Any] = [1 << players, (players, len(SCORES) + 2), len(LENGTHS) + 1, (2, players)]
    counts = [np.zeros(shape, np.int64) for shape in shapes]
    counts.append(np.array([0, 0, _NEVER, 0], np.int64))  # events, their squares, the shortest and the longest game
    blank = cuda.to_device(start.game.blank(players, start.options))
    on_gpu = [cuda.to_device(array) for array in counts]
    blocks = min(_BLOCKS, -(-games // _THREADS))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that few games do not fill the GPU
        kernel[blocks, _THREADS](blank, np.uint64(seed), np.uint64(first), np.int64(games), *on_gpu)
    winners, scores, lengths, score_sums, event_sums = (array.copy_to_host() for array in on_gpu)
    seconds = time.perf_counter() - begin
    sums = *score_sums, *map(int, event_sums)
    return Census(start.game.name, players, games, seconds, winners, scores, lengths, *sums)
