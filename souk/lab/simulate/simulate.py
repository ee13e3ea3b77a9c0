"""Many games of random play, kept game by game."""

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from souk.kernel.batches import Results, play_games
from souk.lab.simulate.order import HERE, Listener, Part, carry_out, check_order

if TYPE_CHECKING:
    from souk.lab.workers import Workers

_PART = {"cpu": 1 << 15, "cuda": 1 << 22, "python": 1 << 8}  # games a worker takes at a time: about half a second


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
    on: "str | Workers" = HERE,
    address: str | None = None,
    report: Listener = lambda _: None,
    **options: Any,
) -> Simulation:
    """Play many games with random moves, compiled. The same seed gives the same arrays, whatever the number of threads
    (None: one for each core), whatever the target ("cpu", "cuda" or "python"), and whether they are played here or on the
    workers of a Ray cluster (on="ray", see souk.lab.cluster; `threads` are workers then)."""
    order = check_order(game, players, games, seed, threads, target=target, on=on, address=address, **options)
    table, size = order.table, order.games if on == HERE else _PART[target]
    found, seconds = Results.room_for(0 if on == HERE else order.games, table.players), 0.0
    for part, played, took in carry_out(order, play_part, size, report):
        if part.games == order.games:
            found = played
        else:
            place = found.part(part.first, part.first + part.games)
            place.scores[:], place.winners[:], place.lengths[:] = played.scores, played.winners, played.lengths
        seconds += took
    won = (found.winners[:, None] >> np.arange(table.players)) & 1 == 1
    return Simulation(table.game, table.players, games, seconds, found.scores, won, found.lengths)


def play_part(part: Part, report: Listener = lambda _: None) -> tuple[Results, float]:
    """Some games, and the seconds they took."""
    start, seed = part.start, part.table.seed
    results, _, seconds = play_games(
        start.game,
        start.players,
        start.options,
        part.games,
        seed,
        target=part.target,
        threads=part.threads,
        first=part.first,
        report=report,
    )
    return results, seconds
