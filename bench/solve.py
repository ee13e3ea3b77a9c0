"""Every puzzle of Bazaar alone, solved on one core: 45 pairs of rate cards and 45 wares.

python bench/solve.py [PAIRS] [--json FILE]        (the first so many pairs alone)
"""

import time
from itertools import combinations, islice

from pedigree import settings, write_figures

import souk


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("pairs", nargs="?", type=int)
    given = parser.parse_args()
    drawn = souk.game("bazaar").start(players=1, rates=(1, 2))
    wares = list(drawn.chances())
    souk.solve(rates=(1, 2), ware=wares[0])  # compiles
    begin, found = time.perf_counter(), {}
    for rates in islice(combinations(range(1, 11), 2), given.pairs):
        for ware in wares:
            found[rates, ware] = souk.solve(rates=rates, ware=ware).actions
    took = time.perf_counter() - begin
    (easy, least), (hard, most) = (pick(found.items(), key=lambda item: item[1]) for pick in (min, max))
    mean = sum(found.values()) / len(found)
    print(f"{len(found):,} puzzles in {took:.1f} s; {mean:.2f} actions on average,")
    print(f"from {least:.2f} ({easy[1]} with rates {easy[0]}) to {most:.2f} ({hard[1]} with rates {hard[0]})")
    if given.json:
        figures = {"seconds": took, "actions": {"mean": mean, "least": least, "most": most}}
        write_figures(given.json, figures, n=len(found), of="puzzles")


if __name__ == "__main__":
    main()
