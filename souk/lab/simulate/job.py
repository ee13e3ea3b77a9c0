"""Which random games are to be played, and by whom: what simulations and censuses have in common."""

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, TypeVar

from souk.core.fields import brief
from souk.core.position import Position
from souk.games import game as find_game
from souk.kernel.batches import cpu_kernel
from souk.lab.checks import check_whole
from souk.lab.table_spec import TableSpec, table_spec

if TYPE_CHECKING:
    from souk.lab.workers import Workers

MOST_GAMES = 1_000_000_000
TARGETS = ("cpu", "cuda", "python")
HERE = "here"

Listener = Callable[[int], None]  # told how many more games have been played
Answer = TypeVar("Answer", covariant=True)


def _unheard(_: int) -> None:
    pass


@dataclass(frozen=True)
class Order:
    """Which games are to be played, and where."""

    table: TableSpec
    games: int
    threads: int | None  # None: one for each core
    target: str
    on: "str | Workers"
    address: str | None  # of a Ray cluster


def check_order(
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
) -> Order:
    """An order that can be carried out; ValueError names what cannot. The arguments are those of `souk.simulate`."""
    start = find_game(game).start(players, **options)
    check_whole("games", games, 1, MOST_GAMES)
    check_whole("threads", threads if threads is not None else 1, 1, 1024)
    if target not in TARGETS:
        raise ValueError(f'target: must be "cpu", "cuda" or "python", not {brief(target)}')
    if on != HERE or address is not None:
        from souk.lab.workers import check_place

        check_place(on, address)
    return Order(table_spec(start, seed=seed), int(games), threads, target, on, address)


# ---------------------------------------------------------------- carrying it out


@dataclass(frozen=True)
class Part:
    """Games number `first` and following of a table: what is played at a time."""

    table: TableSpec
    target: str
    first: int
    games: int
    threads: int | None = 1

    @property
    def start(self) -> Position:
        return self.table.start()


class PartWork(Protocol[Answer]):
    """What is to be done with a part: the answer, and the seconds it took to play, compiling not counted."""

    def __call__(self, part: Part, report: Listener = ..., /) -> tuple[Answer, float]: ...


def parts(order: Order, size: int, threads: int | None = 1) -> Iterator[Part]:
    """All games in parts of at most so many."""
    for first in range(0, order.games, size):
        yield Part(order.table, order.target, first, min(size, order.games - first), threads)


def prepare(part: Part) -> None:
    """Compile the rules, or load what has been compiled before, on a machine that has the same as the one that asks."""
    game = part.table.found_here()
    if part.target == "cpu":
        cpu_kernel(game)


def carry_out(
    order: Order, work: PartWork[Answer], size: int, report: Listener = _unheard
) -> Iterator[tuple[Part, Answer, float]]:
    """All games of an order, at most so many at a time: each part with its answer and the seconds it took. Here they are played one
    after the other, on many threads; elsewhere in whatever order workers get done."""
    if order.on == HERE:
        for part in parts(order, size, order.threads):
            answer, seconds = work(part, report)
            yield part, answer, seconds
        return
    with _workers(order) as workers:
        size = min(size, -(-order.games // (4 * workers.at_once)))  # small enough that several go to each worker
        since = time.perf_counter()
        for part, (answer, _) in workers.each(work, parts(order, size), prepare=prepare, gpu=order.target == "cuda"):
            report(part.games)
            now = time.perf_counter()
            yield part, answer, now - since
            since = now


@contextmanager
def _workers(order: Order) -> "Iterator[Workers]":
    """Those who are meant: open ones as they are, or a cluster for the time of the block."""
    from souk.lab.cluster import Cluster
    from souk.lab.workers import Workers

    if isinstance(order.on, Workers):
        yield order.on
        return
    with Cluster(order.address, order.threads) as cluster:
        yield cluster
