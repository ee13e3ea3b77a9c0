"""Measures the games themselves: figures of docs/research/findings.md.

    python -m bench.findings.findings [PART ...] [--processes N] [--share S] [--folder DIR]
                                      [--nets GAME ...]

Each part writes a file. `--share 0.01` plays a hundredth of the games.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from typing import Any

import souk
from bench.findings import nets
from bench.support.provenance import parts_parser, write_figures
from souk.games import names
from souk.games.bazaar import report as bazaar
from souk.lab.report import measure
from souk.lab.report.plan import ReportPlan, check_plan
from souk.lab.table_spec import TableSpec
from souk.lab.tournament import check_tournament
from souk.lab.tournament import play_tournament as play
from souk.lab.tournament.html import command
from souk.lab.tournament.schedule import deals_for
from souk.lab.tournament.standings import standings
from souk.lab.workers import Processes, Workers

TRADER = "trader:lapses=0"  # so that only its habits differ
VIZIER = "vizier:seconds=0.02"
GAMES = {"random": 400, "merchant": 1000, VIZIER: 160}  # per number of players
PLAYERS = {"suleika": "2,3,4", "basari": "3,4", "basari-cards": "3,4,5", "bazaar": "1,2,3,4,6"}
SKILL_TABLES = {"suleika": (2, 4), "basari": (3, 4), "basari-cards": (3, 5), "bazaar": (2, 6)}
SIMULATED = 1_000_000
MATCH = 1200  # games
SECONDS = 0.05  # per move of a match
SEED = 1

Figures = dict[str, Any]


@dataclass
class Bench:
    """Workers, the share of the usual games, and games whose nets are asked."""

    workers: Workers
    share: float
    nets: list[str]

    def scaled(self, usual: int) -> int:
        return max(4, round(self.share * usual))

    def reports(self, game: str, players: str, bots: dict[str, int]) -> Figures:
        """Reports by bot and number of players, with the commands that repeat them."""
        simulated = self.scaled(SIMULATED)
        plans = [
            check_plan(game, players, bot, games=self.scaled(n), simulated=simulated, seed=SEED)
            for bot, n in bots.items()
        ]
        measured = [
            self._report(plan, table)
            for plan in plans
            for tables in plan.tables.values()
            for table in tables
        ]
        return {"measured": measured, "commands": [" ".join(plan.command) for plan in plans]}

    def _report(self, plan: ReportPlan, table: TableSpec) -> Figures:
        begin = time.time()
        report = measure(table, plan.games_of(table), plan.simulated, self.workers)
        seconds = time.time() - begin
        print(f"{table.game}, {table.players} players, {table.bot}: {seconds:.0f} s", flush=True)
        return report.to_json()

    def match(self, game: str, players: int, one: str, other: str) -> Figures:
        bots = [one, other]
        table = check_tournament(game, bots, players=players, seed=SEED, seconds=SECONDS)
        games = players * len(deals_for(self.scaled(MATCH), players))
        settings: Figures = {"games": games, "seed": SEED, "seconds": SECONDS}
        match = play(game, bots, players=players, processes=self.workers, **settings)
        row = next(row for row in standings(match.results, table.bots) if row.name == one)
        print(f"{game}, {players} players: {one} {row.share.value:.1%} against {other}", flush=True)
        return {
            "game": game,
            "players": players,
            "one": one,
            "other": other,
            "games": len(match),
            "share": list(row.share[:3]),
            "command": command(table, games),
        }


# ---------------------------------------------------------------- parts


def reports_of(bench: Bench, game: str) -> Figures:
    return bench.reports(game, PLAYERS[game], GAMES)


def traders(bench: Bench) -> Figures:
    """Buying fast with chips left over: traders among themselves and against merchants."""
    figures = bench.reports("bazaar", "2,4,6", {TRADER: GAMES["merchant"]})
    matches = [bench.match("bazaar", players, TRADER, "merchant") for players in (2, 4, 6)]
    return figures | {"matches": matches}


def skill(bench: Bench) -> Figures:
    """Merchants against random play."""
    tables = [(game, players) for game, counts in SKILL_TABLES.items() for players in counts]
    return {"matches": [bench.match(*table, "merchant", "random") for table in tables]}


def puzzle(bench: Bench) -> Figures:
    """Optimal play of every solitaire puzzle of Bazaar."""
    pairs = bazaar.pairs()[: max(1, round(min(1.0, bench.share) * len(bazaar.pairs())))]
    pars = zip(pairs, bench.workers.in_order(bazaar.pars, pairs), strict=True)
    command = "souk report bazaar --players 1 --play random"
    return {"pars": [[rates, by_ware] for rates, by_ware in pars], "command": command}


def net_questions(bench: Bench) -> Figures:
    """Evaluations of positions that differ in one thing."""
    games = bench.scaled(nets.GAMES)
    tables = sum(len(nets.PLAYERS[game]) for game in bench.nets)
    asked = nets.all_figures(bench.workers, games, bench.nets)
    return {"asked": asked, "games": games * tables}


PARTS: dict[str, Callable[[Bench], Figures]] = {
    **{name: partial(reports_of, game=name) for name in names()},
    "traders": traders,
    "skill": skill,
    "puzzle": puzzle,
    "net-questions": net_questions,
}


# ---------------------------------------------------------------- command line


def compile_bots() -> None:
    """Compile the bots of all games, in one process per game."""
    code = "import souk, sys; souk.bots.prepare(souk.game(sys.argv[1])); "
    code += "souk.simulate(sys.argv[1], players=3, games=1)"
    with ThreadPoolExecutor() as pool:
        commands = [[sys.executable, "-c", code, name] for name in names()]
        list(pool.map(partial(subprocess.run, check=True), commands))
    souk.solve(rates=(1, 2), ware="WWWRR")


def count_cases(figures: Figures) -> int:
    """The games or puzzles behind the figures."""
    cases: int = sum(report["outcome"]["games"] for report in figures.get("measured", ()))
    cases += sum(match["games"] for match in figures.get("matches", ()))
    cases += figures.get("games", 0)
    return cases + sum(len(by_ware) for _, by_ware in figures.get("pars", ()))


def main() -> None:
    parser = parts_parser(__doc__, PARTS, "findings")
    parser.add_argument(
        "--nets", metavar="GAME", nargs="+", choices=names(), default=list(nets.PLAYERS)
    )
    args = parser.parse_args()
    compile_bots()
    with Processes(args.processes) as workers:
        bench = Bench(workers, args.share, args.nets)
        for part in args.parts or PARTS:
            figures, cores = PARTS[part](bench), workers.parallelism
            of = "puzzles" if part == "puzzle" else "games"
            file, n = args.folder / f"{part}.json", count_cases(figures)
            write_figures(file, figures, n=n, of=of, cores=cores, indent=None)


if __name__ == "__main__":
    main()
