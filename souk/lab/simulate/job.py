"""Jobs of random games: validation, and processing in chunks here or by workers."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from souk.core.json_fields import brief
from souk.core.position import Position
from souk.games import game as find_game
from souk.kernel.batch_play import cpu_kernel
from souk.lab.table_spec import TableSpec, table_spec
from souk.lab.validation import check_whole

if TYPE_CHECKING:
    from souk.lab.workers import Workers

MOST_GAMES = 1_000_000_000
TARGETS = ("cpu", "cuda", "python")
HERE = "here"

# called with the number of games played since the last call
OnProgress = Callable[[int], None]
Answer = TypeVar("Answer", covariant=True)


def _ignore(_: int) -> None:
    pass


@dataclass(frozen=True)
class SimulationJob:
    """Which games to play, and where."""

    table: TableSpec
    games: int
    # None: one per core
    threads: int | None
    target: str
    on: "str | Workers"
    # of a Ray cluster
    address: str | None


def check_simulation(
    game: str,
    players: int | None,
    games: int,
    seed: int,
    threads: int | None,
    *,
    target: str = "cpu",
    on: "str | Workers" = HERE,
    address: str | None = None,
    **options: Any,
) -> SimulationJob:
    """A valid job; ValueError names an invalid argument.

    The arguments are those of `souk.simulate`.
    """
    start = find_game(game).start(players, **options)
    check_whole("games", games, 1, MOST_GAMES)
    check_whole("threads", threads if threads is not None else 1, 1, 1024)
    if target not in TARGETS:
        raise ValueError(f'target: must be "cpu", "cuda" or "python", not {brief(target)}')
    if on != HERE or address is not None:
        from souk.lab.workers import check_location

        check_location(on, address)
    return SimulationJob(table_spec(start, seed=seed), int(games), threads, target, on, address)


# ---------------------------------------------------------------- processing


@dataclass(frozen=True)
class Chunk:
    """A range of a table's games, from number `first`."""

    table: TableSpec
    target: str
    first: int
    games: int
    threads: int | None = 1

    @property
    def start(self) -> Position:
        return self.table.start()


class ChunkFunction(Protocol[Answer]):
    """Processes a chunk; returns the result and the playing time without compiling."""

    def __call__(self, chunk: Chunk, report: OnProgress = ..., /) -> tuple[Answer, float]: ...


def chunks(job: SimulationJob, size: int, threads: int | None = 1) -> Iterator[Chunk]:
    """Split a job into chunks of at most `size` games."""
    for first in range(0, job.games, size):
        yield Chunk(job.table, job.target, first, min(size, job.games - first), threads)


def prepare(chunk: Chunk) -> None:
    """Compile or load the rules on a worker machine, which must have the same version."""
    game = chunk.table.local_game()
    if chunk.target == "cpu":
        cpu_kernel(game)


def run_job(
    job: SimulationJob, function: ChunkFunction[Answer], size: int, report: OnProgress = _ignore
) -> Iterator[tuple[Chunk, Answer, float]]:
    """Process a job in chunks and yield each chunk with its result and its playing time.

    Local chunks run one after another on many threads; workers' chunks arrive in any order.
    """
    if job.on == HERE:
        for chunk in chunks(job, size, job.threads):
            result, seconds = function(chunk, report)
            yield chunk, result, seconds
        return
    with _workers(job) as workers:
        # several chunks per worker
        size = min(size, -(-job.games // (4 * workers.parallelism)))
        since = time.perf_counter()
        for chunk, (result, _) in workers.as_completed(
            function, chunks(job, size), prepare=prepare, gpu=job.target == "cuda"
        ):
            report(chunk.games)
            now = time.perf_counter()
            yield chunk, result, now - since
            since = now


@contextmanager
def _workers(job: SimulationJob) -> "Iterator[Workers]":
    """The workers of a job: open ones as they are, or a cluster for the block."""
    from souk.lab.ray_cluster import Cluster
    from souk.lab.workers import Workers

    if isinstance(job.on, Workers):
        yield job.on
        return
    with Cluster(job.address, job.threads) as cluster:
        yield cluster
