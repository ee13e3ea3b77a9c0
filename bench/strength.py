"""How strong the bots are: every figure of docs/strength.md.

    python bench/strength.py [PART ...] [--games NAME ...] [--players N ...] [--bots NAME ...] [--processes N] [--minutes M] [--share S] [--folder DIR]

Parts: levels, minds and minds-slow (both in minds.json), uct, openspiel (needs `pip install souk[lab]`), secret, choices, thinking, endings; all of them
if none is named. Each part keeps what it found in a JSON file of the folder (docs/strength by default), and `python bench/pages.py` writes the pages and
draws the ladder from them. With --minutes the matches of a part stop when that time is over; run it again on the same commit and they go on where they were.
With `--share 0.1` a tenth of the usual games are played, positions looked at and seconds thought where nothing is decided by a match. With `--games basari`
only that game's matches are played, with `--players 4` only those of four, with `--bots vizier` only those whose first bot that is (and secret choices of these alone). Whatever is not measured stays as it was kept, each row with the
pedigree it had.
"""

import argparse
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import to_builtins
from pedigree import DOCS, commit, place, read_figures, write_figures

import souk
from souk.games import names
from souk.lab.tournament import Tournament, check_tournament
from souk.lab.tournament.standings import standings
from souk.lab.workers import Processes, Workers

SECONDS = 0.05  # a move, of the levels that search
GAMES = 400  # at least
MOST_GAMES = 6000  # if the interval does not decide before
MORE = 200  # games at a time
STEPS = 5  # in which all matches get as far as they must: of so many games each that all cores are busy
MINDLESS = "vizier:mind=none"
LADDER = (("trader", "apprentice"), ("merchant", "trader"), (MINDLESS, "merchant"), ("vizier", "merchant"))
SLOW_GAMES, SLOW_SECONDS = 100, 1.0
UCT_GAMES, UCT_SECONDS = 120, 0.02  # all seats think, so games are dear
OPENSPIEL_GAMES, OPENSPIEL_SECONDS = 200, 0.1
POSITIONS = 200
THINKING_SECONDS = 0.5
ENDINGS = 10  # games

Rows = list[dict[str, Any]]
Pair = tuple[str, int, str, str]


def counts(name: str) -> tuple[int, int]:
    """The smallest and the largest number of players (one alone has nobody to beat)."""
    players = souk.game(name).players
    return max(2, players[0]), players[-1]


class Only(NamedTuple):
    """Which matches are played: by the number of players and by the first bot; all where none is named."""

    players: list[int]
    bots: list[str]

    def has(self, pair: Pair) -> bool:
        return all(not named or each in named for named, each in ((self.players, pair[1]), (self.bots, pair[2])))


class Arena:
    """Matches of two bots, played until their interval decides, kept in a folder so that they can go on; and how much else is measured."""

    def __init__(
        self, folder: Path, workers: Workers, end: float, share: float, games: list[str], only: "Only"
    ) -> None:
        self.folder, self.workers, self.end, self.share = folder, workers, end, share
        self.games, self.only = games, only

    def some(self, usual: int) -> int:
        """The share of a usual number that is wanted."""
        return max(2, round(self.share * usual))

    def matches(self, pairs: Iterable[Pair], least: int, seconds: float) -> Rows:
        """Matches of one bot against another: at least so many games of each, and more until the whole interval is on one side of even.
        All go ahead together, so that an early end leaves them about equally far."""
        found = [self._opened(*pair, seconds) for pair in pairs if self.only.has(pair)]
        steps = max(1, least // STEPS)
        for wanted in (*range(steps, least, steps), *range(least, MOST_GAMES + 1, MORE)):
            for each in found:
                if len(each) < least or self._undecided(each):
                    self._play(each, wanted)
        for each in found:
            print(_told(_row(each)), flush=True)
        return [_row(each) for each in found if len(each)]

    def _opened(self, game: str, players: int, better: str, other: str, seconds: float) -> Tournament:
        table = check_tournament(game, [better, other], players=players, seed=1, seconds=seconds)
        name = "-".join((game, str(players), better, other, f"{seconds:g}")).replace(
            ":", ","
        )  # as folders may be called
        return Tournament(table, self.folder / name)

    def _undecided(self, found: Tournament) -> bool:
        share = standings(found.results, found.table.bots)
        first = next(row for row in share if row.name == found.table.bots[0])
        return first.share.low <= first.even <= first.share.high

    def _play(self, found: Tournament, games: int) -> None:
        """Up to so many games, a few at a time, so that the end is not far when the time is over."""
        at = len(found) // found.table.players
        deals = -(-games // found.table.players)
        while at < deals and time.time() < self.end:
            following = min(deals, at + self.workers.at_once)
            found.play(range(following), self.workers)
            at = following


def _row(found: Tournament) -> dict[str, Any]:
    rows = {row.name: row for row in standings(found.results, found.table.bots)}
    first, second = (rows[name] for name in found.table.bots)
    return {
        "game": found.table.game,
        "players": found.table.players,
        "better": first.name,
        "other": second.name,
        "seconds": found.table.seconds,
        "games": len(found),
        "share": first.share.value,
        "low": first.share.low,
        "high": first.share.high,
        "even": first.even,
        "ms": [1000 * first.move_seconds, 1000 * second.move_seconds],
    } | _by_order(found)


def _by_order(found: Tournament) -> dict[str, Any]:
    """Where both may sit by turns or not, the share of the first in either kind of games: it matters who comes next, oneself or the other."""
    turns, bots = found.results.by_turns, found.table.bots
    if turns.all() or not turns.any():
        return {}
    parts = {"turns": standings(found.results.only(turns), bots), "beside": standings(found.results.only(~turns), bots)}
    firsts = {name: next(row for row in rows if row.name == bots[0]) for name, rows in parts.items()}
    return {name: [row.games, row.share.value, row.share.low, row.share.high] for name, row in firsts.items()}


def _told(row: dict[str, Any]) -> str:
    return (
        f"{row['game']}, {row['players']} players, {row['games']} games: {row['better']} beats {row['other']} with "
        f"{row['share']:.1%} ({row['low']:.1%} to {row['high']:.1%}, even {row['even']:.1%}); "
        f"{row['ms'][0]:.0f} and {row['ms'][1]:.0f} ms a move"
    )


# ---------------------------------------------------------------- the parts


def levels(arena: Arena) -> Rows:
    pairs = [(game, players, *rungs) for rungs in LADDER for game in arena.games for players in counts(game)]
    return arena.matches(pairs, arena.some(GAMES), SECONDS)


def minds(arena: Arena) -> Rows:
    return _with_and_without(arena, GAMES, SECONDS)


def minds_slow(arena: Arena) -> Rows:
    return _with_and_without(arena, SLOW_GAMES, SLOW_SECONDS)


def _with_and_without(arena: Arena, games: int, seconds: float) -> Rows:
    """The vizier with its mind against the one without."""
    pairs = [(game, players, "vizier", MINDLESS) for game in arena.games for players in counts(game)]
    return arena.matches(pairs, arena.some(games), seconds)


def uct(arena: Arena) -> Rows:
    pairs = [(game, players, "vizier", "uct") for game in arena.games for players in counts(game)]
    return arena.matches(pairs, UCT_GAMES, UCT_SECONDS)


def openspiel(arena: Arena) -> Rows:
    from openspiel_match import GAMES as PLAYED
    from openspiel_match import openspiel_match

    games, processes = arena.some(OPENSPIEL_GAMES), arena.workers.at_once
    return [openspiel_match(game, games, OPENSPIEL_SECONDS, processes) for game in PLAYED]


def secret(arena: Arena) -> Rows:
    from secret import exploitability

    named = arena.only.bots
    paces = [seconds for seconds in (SECONDS, SLOW_SECONDS) if not named or f"vizier:seconds={seconds:g}" in named]
    return exploitability(paces, arena.some(POSITIONS), arena.workers.at_once)


def choices(arena: Arena) -> Rows:
    from choices import GAMES as SITTINGS
    from choices import measure

    return measure(arena.workers, arena.some(SITTINGS))


def thinking(arena: Arena) -> Rows:
    from thinking import measure

    return measure(arena.share * THINKING_SECONDS)


def endings(arena: Arena) -> Rows:
    from endings import how_far_back

    return how_far_back(arena.workers, arena.some(ENDINGS))


class Part(NamedTuple):
    """What is measured, and what its n counts."""

    measure: Callable[[Arena], Rows]
    of: str
    on_all_cores: bool = True
    file: str = ""  # of another part, which holds the rows of this one too


PARTS = {
    "levels": Part(levels, "games"),
    "minds": Part(minds, "games"),
    "minds-slow": Part(minds_slow, "games", file="minds"),
    "uct": Part(uct, "games"),
    "openspiel": Part(openspiel, "games"),
    "secret": Part(secret, "positions"),
    "choices": Part(choices, "games"),
    "thinking": Part(thinking, "positions", on_all_cores=False),
    "endings": Part(endings, "games"),
}


def _key(row: dict[str, Any]) -> tuple[Any, ...]:
    """What a row is about: another one about the same takes its place."""
    return tuple(row.get(name) for name in ("game", "players", "better", "other", "seats", "seconds", "bot"))


def with_kept(file: Path, rows: Rows) -> Rows:
    """Rows measured now in their places among those that a file holds, which say where they come from."""
    if not file.is_file():
        return rows
    pedigree, figures = read_figures(file)
    own = {"pedigree": to_builtins(pedigree)}
    return list(({_key(row): own | row for row in figures["rows"]} | {_key(row): row for row in rows}).values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", metavar="PART", nargs="*", choices=[*PARTS, []], help=", ".join(PARTS))
    parser.add_argument("--games", metavar="NAME", nargs="+", default=names(), choices=names())
    parser.add_argument("--players", metavar="N", nargs="+", type=int, default=[])
    parser.add_argument(
        "--bots", metavar="NAME", nargs="+", default=[], help="the first of a match, as the tables have it"
    )
    parser.add_argument("--processes", type=int)
    parser.add_argument("--minutes", type=float, default=1e6, help="for the matches of a part")
    parser.add_argument("--share", type=float, default=1.0)
    parser.add_argument("--folder", type=place, default=DOCS / "strength")
    parser.add_argument(
        "--journals", type=Path, default=Path("strength-matches"), help="where matches are kept to go on with"
    )
    given = parser.parse_args()
    for name in names():
        souk.bots.prepare(souk.game(name))
    with Processes(given.processes) as workers:
        for name in given.parts or PARTS:
            part, end = PARTS[name], time.time() + 60 * given.minutes
            journals, only = given.journals / commit(), Only(given.players, given.bots)
            rows = part.measure(Arena(journals, workers, end, given.share, given.games, only))
            n, cores = sum(row[part.of] for row in rows), workers.at_once if part.on_all_cores else 1
            if n:
                file = given.folder / f"{part.file or name}.json"
                write_figures(file, {"rows": with_kept(file, rows)}, n=n, of=part.of, cores=cores)


if __name__ == "__main__":
    main()
