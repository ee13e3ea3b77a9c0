"""Measures solving all puzzles of solitaire Bazaar on one core.

    python -m bench.speed.solitaire [PAIRS] [--json FILE]

45 pairs of rate cards (or the first PAIRS) with 45 wares.
"""

import time
from itertools import combinations, islice
from statistics import mean as mean_of

import souk
from bench.support.provenance import figures_parser, write_figures


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("pairs", nargs="?", type=int)
    args = parser.parse_args()
    drawn = souk.game("bazaar").start(players=1, rates=(1, 2))
    wares = list(drawn.chances())
    souk.solve(rates=(1, 2), ware=wares[0])  # compiles
    begin, actions = time.perf_counter(), {}
    for rates in islice(combinations(range(1, 11), 2), args.pairs):
        for ware in wares:
            actions[rates, ware] = souk.solve(rates=rates, ware=ware).actions
    seconds = time.perf_counter() - begin
    mean, least, most = mean_of(actions.values()), min(actions.values()), max(actions.values())
    print(f"{len(actions):,} puzzles in {seconds:.1f} s")
    print(f"{mean:.2f} actions on average, from {least:.2f} to {most:.2f}")
    if args.json:
        figures = {"seconds": seconds, "actions": {"mean": mean, "least": least, "most": most}}
        write_figures(args.json, figures, n=len(actions), of="puzzles")


if __name__ == "__main__":
    main()
