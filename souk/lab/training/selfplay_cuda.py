"""Self-play on a GPU: a thread per table, with the same kernels as on cores.

Imported only if a GPU is requested.
"""

import random
import warnings
from collections.abc import Iterable, Iterator
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from souk.core.game import Game
from souk.games import game as find_game
from souk.kernel.cuda import numba_cuda
from souk.lab.training.selfplay import Samples, SelfPlayTask, Side, kernel_arguments, play_task
from souk.lab.training.selfplay_kernels import START, STATES, play_games, sample_type
from souk.lab.training.settings import SelfPlaySettings

# per block
_THREADS = 64
# maximum number of tables
_TABLES = 1 << 16
# Distinct openings; further tables repeat them with other dice.
_OPENINGS = 256
# games per table and launch
_GAMES_PER_TABLE = 2
# games played on a core to estimate positions per game
_SAMPLE_GAMES = 8
# Share of the GPU's total memory, not of what is free: the same seed must give the same games.
_MEMORY_SHARE = 0.4


class Openings(NamedTuple):
    """The openings of the tables, one row each, and what they have in common."""

    states: Samples
    lookup: Samples
    workspace: Samples
    nets: Samples
    plan: Samples
    # this and the following: of one table
    nodes: Samples
    edges: Samples
    sample: np.dtype[np.void]
    result: np.dtype[np.void]


@cache
def _kernels(game: Game) -> tuple[Any, Any]:
    """Two kernels with a thread per table: one sets it up, the other plays its games.

    All writable data is in global memory, table by table.
    """
    from souk.kernel.compiler import target

    cuda = numba_cuda()
    play_all = target("cuda").for_game(game).compiled(play_games)
    start = START

    @cuda.jit
    def lay_out(openings, workspace, plan, states, workspaces, plans):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(plans):
            states[i][start] = openings[i % len(openings)]
            workspaces[i][0] = workspace[0]
            plans[i][0] = plan[0]
            plans[i][0].first += i * plan[0].games

    @cuda.jit
    def play(lookup, nets, states, workspaces, nodes, edges, plans, samples, results):  # type: ignore[no-untyped-def]
        i = cuda.grid(1)
        if i < len(plans):
            own = lookup[i % len(lookup)]
            play_all(
                states[i],
                workspaces[i],
                nodes[i],
                edges[i],
                own,
                nets,
                plans[i],
                samples[i],
                results[i],
            )

    return lay_out, play


def openings_of(
    game: str, players: int, side: Side, settings: SelfPlaySettings, seed: int, launch: int
) -> Openings:
    """The openings of a launch."""
    tasks = (
        SelfPlayTask(
            game, players, seed, number, _GAMES_PER_TABLE, (side,), (0,) * players, settings
        )
        for number in range(launch * _OPENINGS, (launch + 1) * _OPENINGS)
    )
    arguments = [kernel_arguments(task)[1] for task in tasks]
    _, workspace, nodes, edges, _, nets, plan, _, results = arguments[0]
    sample = sample_type(find_game(game).net_features.MOST_SEEN, players)
    plan["seed"] = random.Random(f"{seed} {launch}").getrandbits(63)
    tables, lookup = (np.stack([args[part] for args in arguments]) for part in (0, 4))
    return Openings(
        tables[:, START], lookup, workspace, nets, plan, nodes, edges, sample, results.dtype
    )


def _sample_capacity(
    game: str, players: int, side: Side, settings: SelfPlaySettings, seed: int
) -> int:
    """Sample capacity per table: the longest sample game times the games, plus one in reserve."""
    samples, _ = play_task(
        SelfPlayTask(game, players, seed, 0, _SAMPLE_GAMES, (side,), (0,) * players, settings)
    )
    longest = int(np.unique(samples["game"], return_counts=True)[1].max()) if len(samples) else 0
    return (_GAMES_PER_TABLE + 1) * max(longest, 1)


class _TableMemory:
    """GPU memory for as many tables as fit."""

    def __init__(self, openings: Openings, room: int) -> None:
        self.cuda = numba_cuda()
        table_bytes = (
            STATES * openings.states.dtype.itemsize
            + openings.workspace.nbytes
            + openings.nodes.nbytes
            + openings.edges.nbytes
        )
        table_bytes += (
            openings.plan.nbytes
            + room * openings.sample.itemsize
            + _GAMES_PER_TABLE * openings.result.itemsize
        )
        budget = int(self.cuda.current_context().get_memory_info().total * _MEMORY_SHARE)
        self.tables = max(_THREADS, min(_TABLES, budget // table_bytes))
        parts = [
            (STATES, openings.states.dtype),
            (1, openings.workspace.dtype),
            (len(openings.nodes), openings.nodes.dtype),
        ]
        parts += [
            (len(openings.edges), openings.edges.dtype),
            (1, openings.plan.dtype),
            (room, openings.sample),
            (_GAMES_PER_TABLE, openings.result),
        ]
        self.arrays = [
            self.cuda.device_array((self.tables, length), dtype) for length, dtype in parts
        ]

    def play(self, game: Game, openings: Openings, number: int) -> Samples:
        """Play launch `number` of a round; return the kept positions."""
        openings.plan["first"] = number * self.tables * _GAMES_PER_TABLE
        host_arrays = (
            openings.states,
            openings.workspace,
            openings.plan,
            openings.lookup,
            openings.nets,
        )
        begin, workspace, plan, lookup, nets = (
            self.cuda.to_device(np.ascontiguousarray(array)) for array in host_arrays
        )
        states, workspaces, nodes, edges, plans, samples, results = self.arrays
        lay_out, play = (kernel[-(-self.tables // _THREADS), _THREADS] for kernel in _kernels(game))
        with warnings.catch_warnings():
            # low GPU occupancy with few tables
            warnings.simplefilter("ignore")
            lay_out(begin, workspace, plan, states, workspaces, plans)
            play(lookup, nets, states, workspaces, nodes, edges, plans, samples, results)
        kept = plans.copy_to_host()["kept"]
        all_samples = samples.copy_to_host()
        kept_samples: Samples = all_samples[np.arange(all_samples.shape[1]) < kept]
        return kept_samples


def selfplay_on_gpu(
    game: str,
    players: int,
    side: Side,
    settings: SelfPlaySettings,
    seed: int,
    launches: Iterable[int],
) -> Iterator[Samples]:
    """Yield the positions of some launches, in order; reproducible on the same GPU."""
    memory: _TableMemory | None = None
    for number, launch in enumerate(launches):
        openings = openings_of(game, players, side, settings, seed, launch)
        memory = memory or _TableMemory(
            openings, _sample_capacity(game, players, side, settings, seed)
        )
        yield memory.play(find_game(game), openings, number)
