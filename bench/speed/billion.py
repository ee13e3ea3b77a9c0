"""A billion random games of Suleika for four, summarised on a GPU; a smaller census compared with the CPU's before.

    pip install souk[gpu]; python bench/billion.py [GAMES] [GAMES TO COMPARE] [GAME] [--json FILE]

Seconds are those of playing and counting; compiling is told apart. Ends with 1 where a count differs from the CPU's.
"""

import sys
import time
from dataclasses import fields

import numpy as np
from pedigree import settings, write_figures
from rich.console import Console

from souk.cli.simulations import show_summary
from souk.games import game as find_game
from souk.lab.simulate.census import Census, census


def differences(one: Census, other: Census) -> list[str]:
    counted = [each.name for each in fields(Census) if each.name != "seconds"]
    return [name for name in counted if not np.array_equal(getattr(one, name), getattr(other, name))]


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("games", nargs="?", type=int, default=1_000_000_000)
    parser.add_argument("compared", nargs="?", type=int, default=100_000)
    parser.add_argument("game", nargs="?", default="suleika")
    given = parser.parse_args()
    games, compared, name = given.games, given.compared, given.game
    players = find_game(name).players[-1]
    begin = time.perf_counter()
    on_gpu = census(name, players, compared, 1, target="cuda")
    print(f"Compiled and {compared:,} games counted in {time.perf_counter() - begin:.1f} s", flush=True)
    wrong = differences(on_gpu, census(name, players, compared, 1))
    print(f"Different from the CPU: {', '.join(wrong) or 'nothing'}", flush=True)
    begin = time.perf_counter()
    found = census(name, players, games, 1, target="cuda")
    took = time.perf_counter() - begin
    show_summary(Console(highlight=False, width=120), found)
    print(f"{games:,} games in {took:.1f} s: {games / took / 1e6:.1f} million a second")
    if given.json:
        figures = {"game": name, "players": players, "seconds": took, "compared": compared, "different": wrong}
        write_figures(given.json, figures, n=games, of="games", gpu=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
