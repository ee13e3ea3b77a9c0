"""Measures simulation on a local Ray cluster: one and two workers beside one and two threads.

    python -m bench.speed.ray [ROUNDS] [GAMES] [GAME] [--json FILE]

The threads show how two cores of this machine scale. Needs pip install '.[ray]'.
"""

import statistics
import time
from typing import Any

import souk
from bench.support.provenance import figures_parser, write_figures
from souk.games import game as find_game
from souk.lab.ray_cluster import Cluster


def measure(name: str, games: int, rounds: int) -> tuple[float, dict[str, list[float]]]:
    """Seconds to start Ray, and of each round by place."""
    players, begin = find_game(name).players[-1], time.perf_counter()
    with Cluster(workers=2) as two:
        started = time.perf_counter() - begin
        single = Cluster(workers=1)  # of the same cluster
        places: dict[str, dict[str, Any]] = {
            "one thread here": {"threads": 1},
            "two threads here": {"threads": 2},
            "one Ray worker": {"on": single},
            "two Ray workers": {"on": two},
        }
        for place in places.values():
            souk.simulate(name, players, games, 1, **place)  # warm up
        took: dict[str, list[float]] = {label: [] for label in places}
        for _ in range(rounds):
            for label, place in places.items():
                begin = time.perf_counter()
                souk.simulate(name, players, games, 1, **place)
                took[label].append(time.perf_counter() - begin)
    return started, took


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("rounds", nargs="?", type=int, default=7)
    parser.add_argument("games", nargs="?", type=int, default=16 * 32_768)
    parser.add_argument("game", nargs="?", default="suleika")
    args = parser.parse_args()
    started, took = measure(args.game, args.games, args.rounds)
    medians = [statistics.median(seconds) for seconds in took.values()]
    for (label, seconds), middle in zip(took.items(), medians, strict=True):
        every = ", ".join(f"{second:.2f}" for second in seconds)
        print(f"{label}: {middle:.2f} s, {args.games / middle:,.0f} games/s ({every})")
    best = [min(seconds) for seconds in took.values()]
    times = {}
    for what, one_way, two_ways in (("threads", 0, 1), ("Ray workers", 2, 3)):
        times[what], of_best = medians[one_way] / medians[two_ways], best[one_way] / best[two_ways]
        print(f"two {what}: {times[what]:.2f} times one (medians), {of_best:.2f} (best rounds)")
    if args.json:
        figures = {"start_seconds": started, "times": times, "games": args.games, "seconds": took}
        write_figures(args.json, figures, n=args.rounds, of="rounds", cores=2)


if __name__ == "__main__":
    main()
