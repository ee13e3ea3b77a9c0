"""Compares interpreted with compiled rules, byte for byte, in random games of every variant.

    python -m bench.speed.cpu_vs_interpreter [GAMES] [--processes N] [--json FILE]

10,000 games of each variant take about ten minutes on two cores.
"""

import os
import sys
from concurrent.futures import ProcessPoolExecutor
from itertools import repeat
from typing import Any

import numpy as np

from bench.support.provenance import figures_parser, write_figures
from souk.games import game
from souk.kernel.batch_play import play_games
from tests.support.random_games import VARIANTS

SEED = 20260101


def first_difference(variant: tuple[str, int, dict[str, Any]], games: int) -> int | None:
    """The number of the first game that differs, or None."""
    name, players, options = variant
    found = game(name)
    chosen = found.start(players, **options).options
    interpreted, slow, _ = play_games(
        found, players, chosen, games, SEED, target="python", keep=True
    )
    compiled, fast, _ = play_games(
        found, players, chosen, games, SEED, target="cpu", threads=1, keep=True
    )
    for number in range(games):
        same = (
            slow[number].tobytes() == fast[number].tobytes()
            and interpreted.lengths[number] == compiled.lengths[number]
        )
        if not same or not np.array_equal(interpreted.scores[number], compiled.scores[number]):
            return number
    return None


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("games", nargs="?", type=int, default=10_000)
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    args = parser.parse_args()
    games, failures = args.games, 0
    with ProcessPoolExecutor(args.processes) as pool:
        for variant, found in zip(
            VARIANTS, pool.map(first_difference, VARIANTS, repeat(games)), strict=True
        ):
            verdict = (
                f"{games:,} games the same"
                if found is None
                else f"game {found} of seed {SEED} differs"
            )
            print(*variant, verdict, flush=True)
            failures += found is not None
    if args.json:
        figures = {"variants": len(VARIANTS), "games_of_each": games, "different": failures}
        write_figures(args.json, figures, n=games * len(VARIANTS), of="games", cores=args.processes)
    sys.exit(failures)


if __name__ == "__main__":
    main()
