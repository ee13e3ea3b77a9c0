"""Plays and summarises a billion random games of Suleika with four on a GPU.

    python -m bench.speed.billion [GAMES] [COMPARED] [GAME] [--json FILE]

Seconds exclude compiling. A smaller census is compared with the CPU's first; exits with 1 if they
differ. Needs pip install '.[gpu]'.
"""

import sys
import time
from dataclasses import fields

import numpy as np
from rich.console import Console

from bench.support.provenance import figures_parser, write_figures
from souk.cli.simulate import show_summary
from souk.games import game as find_game
from souk.lab.simulate.summary import Summary, census


def differences(one: Summary, other: Summary) -> list[str]:
    counted = [each.name for each in fields(Summary) if each.name != "seconds"]
    return [
        name for name in counted if not np.array_equal(getattr(one, name), getattr(other, name))
    ]


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("games", nargs="?", type=int, default=1_000_000_000)
    parser.add_argument("compared", nargs="?", type=int, default=100_000)
    parser.add_argument("game", nargs="?", default="suleika")
    args = parser.parse_args()
    games, compared, name = args.games, args.compared, args.game
    players = find_game(name).players[-1]
    begin = time.perf_counter()
    on_gpu = census(name, players, compared, 1, target="cuda")
    print(
        f"Compiled and {compared:,} games counted in {time.perf_counter() - begin:.1f} s",
        flush=True,
    )
    wrong = differences(on_gpu, census(name, players, compared, 1))
    print(f"Different from the CPU: {', '.join(wrong) or 'nothing'}", flush=True)
    begin = time.perf_counter()
    found = census(name, players, games, 1, target="cuda")
    took = time.perf_counter() - begin
    show_summary(Console(highlight=False, width=120), found)
    print(f"{games:,} games in {took:.1f} s: {games / took / 1e6:.1f} million a second")
    if args.json:
        figures = {"game": name, "players": players, "seconds": took}
        figures |= {"compared": compared, "different": wrong}
        write_figures(args.json, figures, n=games, of="games", gpu=True)
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
