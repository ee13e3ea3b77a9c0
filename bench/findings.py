"""What we found about the four games: every figure of docs/findings.md.

    python bench/findings.py [PART ...] [--processes N] [--share S] [--folder DIR] [--minds GAME ...]

Parts: suleika, basari, basari-cards, bazaar, traders, skill, puzzle, lessons; all of them if none is named. Each part keeps what it measured in a
JSON file of the folder (docs/findings by default), and `python bench/pages.py` writes the page from them. With `--share 0.01` only a hundredth of the
games is played, and with `--minds suleika` only the minds of Suleika are asked for lessons, to see that everything runs.
"""

import argparse
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from subprocess import run
from sys import executable
from typing import Any

import findings_minds
from pedigree import DOCS, place, write_figures

import souk
from souk.games import names
from souk.games.bazaar import report as bazaar
from souk.lab.report import measure
from souk.lab.report.outline import Outline, check_outline
from souk.lab.tournament import check_tournament
from souk.lab.tournament import play_tournament as play
from souk.lab.tournament.page import command
from souk.lab.tournament.schedule import deals_for
from souk.lab.tournament.standings import standings
from souk.lab.workers import Processes, Workers

CAREFUL = "trader:lapses=0"  # in whom habits are all that differs
VIZIER = "vizier:seconds=0.02"
GAMES = {"random": 400, "merchant": 1000, VIZIER: 160}  # looked at, of each kind of play and number of players
PLAYERS = {"suleika": "2,3,4", "basari": "3,4", "basari-cards": "3,4,5", "bazaar": "1,2,3,4,6"}
SIMULATED = 1_000_000
MATCH = 1200  # games of a tournament
SEED = 1

Kept = dict[str, Any]


class Bench:
    """How much is played, and by whom."""

    def __init__(self, workers: Workers, share: float, minds: list[str]) -> None:
        self.workers, self.share, self.minds = workers, share, minds

    def games(self, usual: int) -> int:
        return max(4, round(self.share * usual))

    def orders(self, game: str, players: str, plays: dict[str, int]) -> list[Outline]:
        return [
            check_outline(game, players, bot, games=self.games(n), simulated=self.games(SIMULATED), seed=SEED)
            for bot, n in plays.items()
        ]

    def measured(self, orders: list[Outline]) -> Kept:
        """All tables of some orders, with the commands that measure them again."""
        found = []
        for order in orders:
            for tables in order.tables.values():
                for table in tables:
                    begin = time.time()
                    each = measure(table, order.games_of(table), order.simulated, self.workers)
                    found.append(each.to_json())
                    print(
                        f"{table.game}, {table.players} players, {table.bot}: {time.time() - begin:.0f} s", flush=True
                    )
        return {"measured": found, "commands": [" ".join(order.command) for order in orders]}


# ---------------------------------------------------------------- the parts


def games_of(game: str) -> Callable[[Bench], Kept]:
    return lambda bench: bench.measured(bench.orders(game, PLAYERS[game], GAMES))


def traders(bench: Bench) -> Kept:
    """Whether it pays to buy fast with chips left over: those who do, among themselves and against those who wait."""
    kept = bench.measured(bench.orders("bazaar", "2,4,6", {CAREFUL: GAMES["merchant"]}))
    return kept | {"matches": [match(bench, "bazaar", players, CAREFUL, "merchant") for players in (2, 4, 6)]}


def skill(bench: Bench) -> Kept:
    """How far thinking carries: merchants against random play."""
    tables = [("suleika", 2), ("suleika", 4), ("basari", 3), ("basari", 4), ("basari-cards", 3), ("basari-cards", 5)]
    tables += [("bazaar", 2), ("bazaar", 6)]
    return {"matches": [match(bench, game, players, "merchant", "random") for game, players in tables]}


def match(bench: Bench, game: str, players: int, one: str, other: str) -> Kept:
    table = check_tournament(game, [one, other], players=players, seed=SEED, seconds=0.05)
    games = players * len(deals_for(bench.games(MATCH), players))
    found = play(game, [one, other], players=players, games=games, seed=SEED, seconds=0.05, processes=bench.workers)
    row = next(each for each in standings(found.results, table.bots) if each.name == one)
    print(f"{game}, {players} players: {one} {row.share.value:.1%} against {other}", flush=True)
    return {
        "game": game,
        "players": players,
        "one": one,
        "other": other,
        "games": len(found),
        "share": list(row.share[:3]),
        "command": command(table, games),
    }


def puzzle(bench: Bench) -> Kept:
    """Par of every puzzle of Bazaar alone."""
    pairs = bazaar.pairs()[: max(1, round(min(1.0, bench.share) * len(bazaar.pairs())))]
    found = bench.workers.in_order(bazaar.pars, pairs)
    return {
        "pars": [[rates, pars] for rates, pars in zip(pairs, found, strict=True)],
        "command": "souk report bazaar --players 1 --play random",
    }


def lessons(bench: Bench) -> Kept:
    """What the minds think of positions that differ in one thing."""
    games = bench.games(findings_minds.GAMES)
    tables = sum(len(findings_minds.PLAYERS[game]) for game in bench.minds)
    return {"asked": findings_minds.all_figures(bench.workers, games, bench.minds), "games": games * tables}


PARTS: dict[str, Callable[[Bench], Kept]] = {name: games_of(name) for name in names()} | {
    "traders": traders,
    "skill": skill,
    "puzzle": puzzle,
    "lessons": lessons,
}


# ---------------------------------------------------------------- running them


def _prepare() -> None:
    """Compile the bots of all games, each on a core of its own."""
    code = "import souk, sys; souk.bots.prepare(souk.game(sys.argv[1])); souk.simulate(sys.argv[1], players=3, games=1)"
    with ThreadPoolExecutor() as pool:
        list(pool.map(lambda name: run([executable, "-c", code, name], check=True), names()))
    souk.solve(rates=(1, 2), ware="WWWRR")


def _games_in(kept: Kept) -> int:
    """How many games, or puzzles, figures were taken from."""
    tables: int = sum(each["outcome"]["games"] for each in kept.get("measured", ()))
    played: int = sum(match["games"] for match in kept.get("matches", ()))
    asked_about: int = kept.get("games", 0)
    return tables + played + asked_about + sum(len(pars) for _, pars in kept.get("pars", ()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", metavar="PART", nargs="*", choices=[*PARTS, []], help=", ".join(PARTS))
    parser.add_argument("--processes", type=int)
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--folder", type=place, default=DOCS / "findings")
    parser.add_argument("--minds", metavar="GAME", nargs="+", choices=names(), default=list(findings_minds.PLAYERS))
    given = parser.parse_args()
    _prepare()
    with Processes(given.processes) as workers:
        bench = Bench(workers, given.share, given.minds)
        for part in given.parts or PARTS:
            kept = PARTS[part](bench)
            of = "puzzles" if part == "puzzle" else "games"
            file = given.folder / f"{part}.json"
            write_figures(file, kept, n=_games_in(kept), of=of, cores=workers.at_once, indent=None)


if __name__ == "__main__":
    main()
