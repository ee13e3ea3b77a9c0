"""What thinking longer is worth: searches of few and of many playouts against the usual ones, with luck taken out as in bench/without_luck.py.

    python bench/patience.py [GAME ...] [--playouts N ...] [--games N] [--minutes M] [--processes N] [--seed S] [--json FILE]

The smallest number of players of each game. A vizier makes about the usual playouts in 50 ms for a move, and twenty times as many in a second. The minutes are for each row; rows
that are not measured stay as the file has them.
"""

from pedigree import settings, write_figures
from strength import counts, with_kept
from without_luck import Journal, Match

from souk.games import names
from souk.lab.workers import Processes

USUAL = 10_000
OTHERS = 2_500, 40_000, 200_000


def main() -> None:
    parser = settings(__doc__)
    parser.add_argument("names", metavar="GAME", nargs="*", choices=[*names(), []])
    parser.add_argument("--playouts", type=int, nargs="+", default=OTHERS)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--processes", type=int)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    rows = []
    with Processes(given.processes) as workers:
        for game in given.names or names():
            for many in given.playouts:
                match = Match(game, counts(game)[0], f"playouts={many}", f"playouts={USUAL}")
                print(f"{game}, {match.players} players, {match.one} against {match.other}", flush=True)
                journal = Journal(match, given.seed)
                match.play(workers, given.games, given.minutes, given.seed, journal)
                rows.append(match.row(journal.found))
                if given.json:  # after every row: so much is kept, should the time be over
                    n = sum(row["games"] for row in rows)
                    kept = {"rows": with_kept(given.json, rows)}
                    write_figures(given.json, kept, n=n, of="games", cores=workers.at_once)


if __name__ == "__main__":
    main()
