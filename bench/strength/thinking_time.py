"""Measures what more playouts win against the usual number, with luck removed.

    python -m bench.strength.thinking_time [GAME ...] [--playouts N ...] [--games N] [--minutes M]
                                           [--processes N] [--seed S] [--json FILE]

With each game's smallest number of players. `--minutes` applies to each row.
"""

from bench.strength.strength import fewest_and_most, merge_rows
from bench.strength.without_luck import Journal, Match
from bench.support.provenance import figures_parser, write_figures
from souk.games import names
from souk.lab.workers import Processes

USUAL = 10_000  # about 50 ms of a vizier
OTHERS = 2_500, 40_000, 200_000


def main() -> None:
    parser = figures_parser(__doc__)
    parser.add_argument("names", metavar="GAME", nargs="*", choices=[*names(), []])
    parser.add_argument("--playouts", type=int, nargs="+", default=OTHERS)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    rows = []
    with Processes(args.processes) as workers:
        for game in args.names or names():
            players, _ = fewest_and_most(game)
            for playouts in args.playouts:
                match = Match(game, players, f"playouts={playouts}", f"playouts={USUAL}")
                print(f"{game}, {players} players, {match.one} against {match.other}", flush=True)
                journal = Journal(match, args.seed)
                match.play(workers, args.games, args.minutes, args.seed, journal)
                rows.append(match.row(journal.results))
                if args.json:  # after every row, in case of an interruption
                    n = sum(row["games"] for row in rows)
                    figures = {"rows": merge_rows(args.json, rows)}
                    write_figures(args.json, figures, n=n, of="games", cores=workers.parallelism)


if __name__ == "__main__":
    main()
