"""Measures the bots: figures of docs/research/strength.md and docs/research/nets.md.

    python -m bench.strength.strength [PART ...] [--games NAME ...] [--players N ...]
        [--bots NAME ...] [--processes N] [--minutes M] [--share S] [--folder DIR]

Each part writes a file; rows not measured this time are kept. Matches stop after `--minutes` and
continue when run again on the same commit. `--share` scales everything else.
"""

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import to_builtins

import souk
from bench.support.provenance import commit, journals_parser, read_figures, write_figures
from souk.games import names
from souk.lab.tournament import Tournament, check_tournament
from souk.lab.tournament.standings import standings
from souk.lab.workers import Processes, Workers

SECONDS = 0.05  # per move
GAMES = 400  # at least
MOST_GAMES = 6000  # if the interval still includes an even share
MORE = 200  # games at a time beyond the minimum
STEPS = 5  # in which all matches reach the minimum, so that an early end leaves them level
WITHOUT_NET = "vizier:net=none"
LADDER = (
    ("trader", "apprentice"),
    ("merchant", "trader"),
    (WITHOUT_NET, "merchant"),
    ("vizier", "merchant"),
)
SLOW_GAMES, SLOW_SECONDS = 100, 1.0
UCT_GAMES, UCT_SECONDS = 120, 0.02  # few and short: all seats search
OPENSPIEL_GAMES, OPENSPIEL_SECONDS = 200, 0.1
POSITIONS = 200
THINKING_SECONDS = 0.5
ENDGAMES = 10

Row = dict[str, Any]
Rows = list[Row]
Pair = tuple[str, int, str, str]


def fewest_and_most(name: str) -> tuple[int, int]:
    """The numbers of players that are measured; no solitaire."""
    players = souk.game(name).players
    return max(2, players[0]), players[-1]


@dataclass
class Arena:
    """What to measure, and where matches are kept to continue them."""

    folder: Path
    workers: Workers
    end: float
    share: float
    games: list[str]
    players: list[int]  # all if empty
    bots: list[str]  # first bots of matches; all if empty

    def scaled(self, usual: int) -> int:
        return max(2, round(self.share * usual))

    def matches(self, pairs: Iterable[Pair], least: int, seconds: float) -> Rows:
        """Play at least `least` games per match, and more until an even share is excluded."""
        wanted = [pair for pair in pairs if self._wants(pair)]
        matches = [self._open(*pair, seconds) for pair in wanted]
        step = max(1, least // STEPS)
        for games in (*range(step, least, step), *range(least, MOST_GAMES + 1, MORE)):
            for match in matches:
                if len(match) < least or self._is_undecided(match):
                    self._play(match, games)
        rows = [_row(match) for match in matches]
        for row in rows:
            show(row)
        return [row for row in rows if row["games"]]

    def _wants(self, pair: Pair) -> bool:
        _, players, first, _ = pair
        return players in (self.players or [players]) and first in (self.bots or [first])

    def _open(self, game: str, players: int, better: str, other: str, seconds: float) -> Tournament:
        table = check_tournament(game, [better, other], players=players, seed=1, seconds=seconds)
        name = "-".join((game, str(players), better, other, f"{seconds:g}"))
        return Tournament(table, self.folder / name.replace(":", ","))

    def _is_undecided(self, match: Tournament) -> bool:
        rows = standings(match.results, match.table.bots)
        first = next(row for row in rows if row.name == match.table.bots[0])
        return first.share.low <= first.even <= first.share.high

    def _play(self, match: Tournament, games: int) -> None:
        """Play up to `games` games in small batches, to stop soon after the end of time."""
        at = len(match) // match.table.players
        deals = -(-games // match.table.players)
        while at < deals and time.time() < self.end:
            following = min(deals, at + self.workers.parallelism)
            match.play(range(following), self.workers)
            at = following


def _row(match: Tournament) -> Row:
    rows = {row.name: row for row in standings(match.results, match.table.bots)}
    first, second = (rows[name] for name in match.table.bots)
    return {
        "game": match.table.game,
        "players": match.table.players,
        "better": first.name,
        "other": second.name,
        "seconds": match.table.seconds,
        "games": len(match),
        "share": first.share.value,
        "low": first.share.low,
        "high": first.share.high,
        "even": first.even,
        "ms": [1000 * first.move_seconds, 1000 * second.move_seconds],
    } | _by_seating(match)


def _by_seating(match: Tournament) -> Row:
    """The first bot's share when seated alternately and otherwise: the next player matters."""
    alternate, bots = match.results.by_turns, match.table.bots
    if alternate.all() or not alternate.any():
        return {}
    figures: Row = {}
    for name, games in (("turns", alternate), ("beside", ~alternate)):
        rows = standings(match.results.only(games), bots)
        first = next(row for row in rows if row.name == bots[0])
        figures[name] = [first.games, first.share.value, first.share.low, first.share.high]
    return figures


def show(row: Row) -> None:
    print(
        f"{row['game']}, {row['players']} players, {row['games']} games: "
        f"{row['better']} beats {row['other']} with {row['share']:.1%} "
        f"({row['low']:.1%} to {row['high']:.1%}, even {row['even']:.1%}); "
        f"{row['ms'][0]:.0f} and {row['ms'][1]:.0f} ms a move",
        flush=True,
    )


# ---------------------------------------------------------------- parts


def pairs_of(arena: Arena, better: str, other: str) -> list[Pair]:
    return [
        (game, players, better, other) for game in arena.games for players in fewest_and_most(game)
    ]


def levels(arena: Arena) -> Rows:
    pairs = [pair for bots in LADDER for pair in pairs_of(arena, *bots)]
    return arena.matches(pairs, arena.scaled(GAMES), SECONDS)


def nets(arena: Arena) -> Rows:
    pairs = pairs_of(arena, "vizier", WITHOUT_NET)
    return arena.matches(pairs, arena.scaled(GAMES), SECONDS)


def nets_slow(arena: Arena) -> Rows:
    pairs = pairs_of(arena, "vizier", WITHOUT_NET)
    return arena.matches(pairs, arena.scaled(SLOW_GAMES), SLOW_SECONDS)


def uct(arena: Arena) -> Rows:
    return arena.matches(pairs_of(arena, "vizier", "uct"), UCT_GAMES, UCT_SECONDS)


def openspiel(arena: Arena) -> Rows:
    from bench.strength import openspiel_match as match

    games, processes = arena.scaled(OPENSPIEL_GAMES), arena.workers.parallelism
    played = [game for game in match.GAMES if game in arena.games]
    return [match.play_match(game, games, OPENSPIEL_SECONDS, processes) for game in played]


def exploitability(arena: Arena) -> Rows:
    from bench.strength.exploitability import measure

    paces = [
        seconds
        for seconds in (SECONDS, SLOW_SECONDS)
        if not arena.bots or f"vizier:seconds={seconds:g}" in arena.bots
    ]
    return measure(paces, arena.scaled(POSITIONS), arena.workers.parallelism)


def secret_choices(arena: Arena) -> Rows:
    from bench.strength.secret_choices import BOTS, measure

    return measure(arena.workers, arena.scaled(GAMES), arena.bots or BOTS)


def thinking(arena: Arena) -> Rows:
    from bench.strength.thinking import measure

    return measure(arena.share * THINKING_SECONDS, arena.games)


def endgames(arena: Arena) -> Rows:
    from bench.strength.endgames import measure

    return measure(arena.workers, arena.scaled(ENDGAMES))


class Part(NamedTuple):
    """A measurement, and what its n counts."""

    measure: Callable[[Arena], Rows]
    of: str = "games"
    file: str = ""  # if shared with another part


PARTS = {
    "levels": Part(levels),
    "nets": Part(nets),
    "nets-slow": Part(nets_slow, file="nets"),
    "uct": Part(uct),
    "openspiel": Part(openspiel),
    "exploitability": Part(exploitability, "positions"),
    "secret-choices": Part(secret_choices),
    "thinking": Part(thinking, "positions"),
    "endgames": Part(endgames),
}
ON_ONE_CORE = ("thinking",)
KEY = ("game", "players", "better", "other", "seats", "seconds", "bot")


def merge_rows(file: Path, rows: Rows) -> Rows:
    """New rows merged into those of a file; kept rows get their own pedigree."""

    def key(row: Row) -> tuple[Any, ...]:
        return tuple(row.get(name) for name in KEY)

    if not file.is_file():
        return rows
    pedigree, figures = read_figures(file)
    own = {"pedigree": to_builtins(pedigree)}
    merged = {key(row): own | row for row in figures["rows"]} | {key(row): row for row in rows}
    return list(merged.values())


def main() -> None:
    parser = journals_parser(__doc__, PARTS, "strength", names())
    parser.add_argument("--players", metavar="N", nargs="+", type=int, default=[])
    parser.add_argument("--bots", metavar="NAME", nargs="+", default=[], help="first bots only")
    args = parser.parse_args()
    for game in args.games:
        souk.bots.prepare(souk.game(game))
    with Processes(args.processes) as workers:
        for name in args.parts or PARTS:
            part, end = PARTS[name], time.time() + 60 * args.minutes
            selection = args.share, args.games, args.players, args.bots
            rows = part.measure(Arena(args.journals / commit(), workers, end, *selection))
            if n := sum(row[part.of] for row in rows):
                file = args.folder / f"{part.file or name}.json"
                cores = 1 if name in ON_ONE_CORE else workers.parallelism
                figures = {"rows": merge_rows(file, rows)}
                write_figures(file, figures, n=n, of=part.of, cores=cores)


if __name__ == "__main__":
    main()
