"""Many games of random play, and what came of them."""

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from souk.core.fields import shown
from souk.core.game import Game
from souk.core.position import Position
from souk.games import game as find_game
from souk.kernel.batches import Results, cpu_kernel, play_games
from souk.lab.checks import check_seed, check_whole
from souk.lab.on_ray import Cluster, Table, check_place, cluster_for, compiling_alone

MOST_GAMES = 1_000_000_000
_PART = {"cpu": 1 << 15, "cuda": 1 << 22, "python": 1 << 8}  # games a Ray worker takes at a time: about half a second
Told = Callable[[int], None]


@dataclass(frozen=True)
class Simulation:
    """What came of many games. `scores` and `winners` have a row for each game and a column for each seat."""

    game: str
    players: int
    games: int
    seconds: float  # playing only, without compiling
    scores: np.ndarray[Any, np.dtype[np.int32]]
    winners: np.ndarray[Any, np.dtype[np.bool_]]
    lengths: np.ndarray[Any, np.dtype[np.int32]]  # events in each game

    @cached_property
    def events(self) -> int:
        """Moves and chance outcomes of all games together."""
        return int(self.lengths.sum(dtype=np.int64))


def simulate(
    game: str,
    players: int | None = None,
    games: int = 100_000,
    seed: int = 0,
    threads: int | None = None,
    *,
    target: str = "cpu",
    on: str | Cluster = "here",
    address: str | None = None,
    report: Told = lambda _: None,
    **options: Any,
) -> Simulation:
    """Play many games with random moves, compiled. The same seed gives the same arrays, whatever the number of threads
    (None: one for each core), whatever the target ("cpu", "cuda" or "python"), and whether they are played here or on the
    workers of a Ray cluster (on="ray", see souk.lab.on_ray; `threads` are workers then)."""
    order = check_order(game, players, games, seed, threads, target, on, address, options)
    if on == "here":
        table = order.start.game, order.start.players, order.start.options
        results, _, seconds = play_games(*table, games, seed, target=target, threads=threads, report=report)
    else:
        results, seconds = _on_ray(order, report)
    players = order.start.players
    won = (results.winners[:, None] >> np.arange(players)) & 1 == 1
    return Simulation(order.start.game.name, players, games, seconds, results.scores, won, results.lengths)


@dataclass(frozen=True)
class Order:
    """Which games are to be simulated, and where."""

    start: Position
    games: int
    seed: int
    threads: int | None
    target: str
    on: str | Cluster
    address: str | None


def check_order(
    game: str,
    players: int | None,
    games: int,
    seed: int,
    threads: int | None,
    target: str,
    on: str | Cluster,
    address: str | None,
    options: Mapping[str, Any],
) -> Order:
    """An order that can be carried out; ValueError names what cannot."""
    start = find_game(game).start(players, **options)
    check_whole("games", games, 1, MOST_GAMES)
    check_seed(seed)
    check_whole("threads", threads if threads is not None else 1, 1, 1024)
    if target not in ("cpu", "cuda", "python"):
        raise ValueError(f'target: must be "cpu", "cuda" or "python", not {shown(target)}')
    check_place(on, address)
    return Order(start, int(games), int(seed), threads, target, on, address)


# ---------------------------------------------------------------- on many machines


@dataclass(frozen=True)
class Part:
    """Games number `first` and following of a seed: what a worker is handed."""

    table: Table
    target: str
    seed: int
    first: int
    games: int

    def prepare(self) -> Game:
        """The game, compiled once on each machine, however many workers it has."""
        game = self.table.found_here()
        if self.target == "cpu":
            with compiling_alone():
                cpu_kernel(game)
        return game


def parts(order: Order, most: int, workers: int) -> Iterator[Part]:
    """All games in parts of at most so many, small enough that several go to each worker."""
    table, size = Table.of(order.start), min(most, -(-order.games // (4 * workers)))
    for first in range(0, order.games, size):
        yield Part(table, order.target, order.seed, first, min(size, order.games - first))


def _play(part: Part) -> Results:
    """What a worker does with its part, on one core or with one GPU."""
    game, table = part.prepare(), part.table
    results, _, _ = play_games(
        game, table.players, table.options, part.games, part.seed, target=part.target, threads=1, first=part.first
    )
    return results


def _on_ray(order: Order, report: Told) -> tuple[Results, float]:
    results = Results.room_for(order.games, order.start.players)
    with cluster_for(order.on, order.address, order.threads) as cluster:
        begin = time.perf_counter()
        every = parts(order, _PART[order.target], cluster.workers)
        for part, played in cluster.each(_play, every, gpu=order.target == "cuda"):
            place = results.part(part.first, part.first + part.games)
            place.scores[:], place.winners[:], place.lengths[:] = played.scores, played.winners, played.lengths
            report(part.games)
        return results, time.perf_counter() - begin
