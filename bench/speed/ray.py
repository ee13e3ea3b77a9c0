"""Simulation on a Ray cluster of this machine: one worker and two in turn, and one thread and two beside them, in the same run.

    pip install souk[ray]; python bench/on_ray.py [ROUNDS] [GAMES] [GAME] [--json FILE]

A worker takes 32,768 games at a time, a third of a second of Suleika. The threads tell what the machine has to give just now.
(Not called ray.py: Python would take it for Ray.)
"""

import statistics
import time
from typing import Any

from pedigree import settings, write_figures

import souk
from souk.games import game as find_game
from souk.lab.cluster import Cluster


def measure(name: str, games: int, rounds: int) -> tuple[float, dict[str, list[float]]]:
    """The seconds that starting Ray takes, and those of every round by who plays."""
    players, begin = find_game(name).players[-1], time.perf_counter()
    with Cluster(workers=2) as two:
        started = time.perf_counter() - begin
        single = Cluster(workers=1)  # of the same cluster: never more than one part is out
        places: dict[str, dict[str, Any]] = {
            "one thread here": {"threads": 1},
            "two threads here": {"threads": 2},
            "one Ray worker": {"on": single},
            "two Ray workers": {"on": two},
        }
        for place in places.values():
            souk.simulate(name, players, games, 1, **place)  # starts the workers and loads the kernel
        took: dict[str, list[float]] = {label: [] for label in places}
        for _ in range(rounds):
            for label, place in places.items():
                begin = time.perf_counter()
                souk.simulate(name, players, games, 1, **place)
                took[label].append(time.perf_counter() - begin)
    return started, took


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=7)
    parser.add_argument("games", nargs="?", type=int, default=16 * 32_768)
    parser.add_argument("game", nargs="?", default="suleika")
    given = parser.parse_args()
    started, took = measure(given.game, given.games, given.rounds)
    medians = [statistics.median(seconds) for seconds in took.values()]
    for (label, seconds), middle in zip(took.items(), medians, strict=True):
        every = ", ".join(f"{each:.2f}" for each in seconds)
        print(f"{label}: {middle:.2f} s, {given.games / middle:,.0f} games/s ({every})")
    best = [min(seconds) for seconds in took.values()]
    times = {}
    for what, one_way, two_ways in (("threads", 0, 1), ("Ray workers", 2, 3)):
        times[what], of_best = medians[one_way] / medians[two_ways], best[one_way] / best[two_ways]
        print(f"two {what} are {times[what]:.2f} times one by medians, {of_best:.2f} by the best of each")
    if given.json:
        figures = {"start_seconds": started, "times": times, "games": given.games, "seconds": took}
        write_figures(given.json, figures, n=given.rounds, of="rounds", cores=2)


if __name__ == "__main__":
    main()
