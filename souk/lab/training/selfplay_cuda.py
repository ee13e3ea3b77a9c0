"""Games to learn from, played on a GPU: a thread for each table, by the kernels that play them on cores. Imported only when a GPU is asked for."""

import random
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from souk.core.game import Game
from souk.games import game as find_game
from souk.kernel.cuda import numba_cuda
from souk.lab.training.kernels import START, STATES, play_games, sample_type
from souk.lab.training.selfplay import Manner, Samples, Side, Stint, laid_out, played

_THREADS = 64  # in a block
_TABLES = 1 << 16  # at once, at most
_OPENINGS = 256  # tables that differ; all others begin like one of these, with other dice
_GAMES = 2  # that are played at a table in one go
_TRIED = 8  # games that are played on a core first, to see how many positions a game has
_SHARE = 0.4  # of the GPU's memory: not of what is free just now, for the same seed is to give the same games


class Openings(NamedTuple):
    """How tables begin, one row for each, and what is the same at all of them."""

    states: Samples
    lore: Samples
    desk: Samples
    minds: Samples
    plan: Samples
    nodes: Samples  # of one table, as are the following
    edges: Samples
    sample: np.dtype[np.void]
    result: np.dtype[np.void]


@cache
def _kernels(game: Game) -> tuple[Any, Any]:
    """Two kernels, with a thread for each table: one lays it out, the other plays its games. Everything that is written to lies in the GPU's memory, table by table."""
    from souk.kernel.compiling import target

    cuda = numba_cuda()
    play_all = target("cuda").workshop(game).compiled(play_games)
    start = START

    @cuda.jit
    def lay_out(openings, desk, plan, states, desks, plans):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(plans):
            states[i][start] = openings[i % len(openings)]
            desks[i][0] = desk[0]
            plans[i][0] = plan[0]
            plans[i][0].first += i * plan[0].games

    @cuda.jit
    def play(lore, minds, states, desks, nodes, edges, plans, samples, results):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(plans):
            own = lore[i % len(lore)]
            play_all(states[i], desks[i], nodes[i], edges[i], own, minds, plans[i], samples[i], results[i])

    return lay_out, play


def openings_of(game: str, players: int, side: Side, manner: Manner, seed: int, launch: int) -> Openings:
    """The tables of a launch."""
    stints = (
        Stint(game, players, seed, number, _GAMES, (side,), (0,) * players, manner)
        for number in range(launch * _OPENINGS, (launch + 1) * _OPENINGS)
    )
    laid = [laid_out(stint)[1] for stint in stints]
    _, desk, nodes, edges, _, minds, plan, _, results = laid[0]
    sample = sample_type(find_game(game).mind.MOST_SEEN, players)
    plan["seed"] = random.Random(f"{seed} {launch}").getrandbits(63)
    tables, lore = (np.stack([each[part] for each in laid]) for part in (0, 4))
    return Openings(tables[:, START], lore, desk, minds, plan, nodes, edges, sample, results.dtype)


def _room(game: str, players: int, side: Side, manner: Manner, seed: int) -> int:
    """For how many positions there is to be room at a table: each game may have as many as the longest of a few, and there is as much to spare."""
    samples, _ = played(Stint(game, players, seed, 0, _TRIED, (side,), (0,) * players, manner))
    longest = int(np.unique(samples["game"], return_counts=True)[1].max()) if len(samples) else 0
    return (_GAMES + 1) * max(longest, 1)


class _Hall:
    """The GPU's memory for as many tables as fit into it."""

    def __init__(self, like: Openings, room: int) -> None:
        self.cuda = numba_cuda()
        each = STATES * like.states.dtype.itemsize + like.desk.nbytes + like.nodes.nbytes + like.edges.nbytes
        each += like.plan.nbytes + room * like.sample.itemsize + _GAMES * like.result.itemsize
        room_for = int(self.cuda.current_context().get_memory_info().total * _SHARE)
        self.many = max(_THREADS, min(_TABLES, room_for // each))
        parts = [(STATES, like.states.dtype), (1, like.desk.dtype), (len(like.nodes), like.nodes.dtype)]
        parts += [(len(like.edges), like.edges.dtype), (1, like.plan.dtype), (room, like.sample), (_GAMES, like.result)]
        self.arrays = [self.cuda.device_array((self.many, length), dtype) for length, dtype in parts]

    def played(self, game: Game, openings: Openings, number: int) -> Samples:
        """The positions that were kept of all games of a launch, which is number so many of its round."""
        openings.plan["first"] = number * self.many * _GAMES
        told = openings.states, openings.desk, openings.plan, openings.lore, openings.minds
        begin, desk, plan, lore, minds = (self.cuda.to_device(np.ascontiguousarray(array)) for array in told)
        states, desks, nodes, edges, plans, samples, results = self.arrays
        lay_out, play = (kernel[-(-self.many // _THREADS), _THREADS] for kernel in _kernels(game))
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that few tables do not fill the GPU
            lay_out(begin, desk, plan, states, desks, plans)
            play(lore, minds, states, desks, nodes, edges, plans, samples, results)
        kept = plans.copy_to_host()["kept"]
        found = samples.copy_to_host()
        of_games: Samples = found[np.arange(found.shape[1]) < kept]
        return of_games


def learned_on_gpu(
    game: str, players: int, side: Side, manner: Manner, seed: int, launches: Iterable[int]
) -> Iterator[Samples]:
    """The positions of some launches, in their order. The same launches give the same positions on the same GPU."""
    hall: _Hall | None = None
    for number, launch in enumerate(launches):
        openings = openings_of(game, players, side, manner, seed, launch)
        hall = hall or _Hall(openings, _room(game, players, side, manner, seed))
        yield hall.played(find_game(game), openings, number)
