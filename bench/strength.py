"""How strong the bots are: every figure of docs/strength.md, which this program writes.

    python bench/strength.py [PART ...] [--processes N] [--minutes M] [--folder DIR]

Parts: levels, uct, openspiel (needs `pip install souk[lab]`), secret, thinking, endings; all of them if none is named. Each part keeps what
it found in a JSON file of the folder (docs/strength by default) and docs/strength.md is written anew from all that are there. With --minutes the matches
of a part stop when that time is over; run it again and they go on where they were.
"""

import argparse
import json
import os
import platform
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import souk
from souk.games import names
from souk.lab.tournament import Tournament, check_tournament
from souk.lab.tournament.standings import standings
from souk.lab.workers import Processes, Workers

SECONDS = 0.05  # a move, of the levels that search
GAMES = 400  # at least
MOST_GAMES = 6000  # if the interval does not decide before
MORE = 200  # games at a time
LADDER = (("trader", "apprentice"), ("merchant", "trader"), ("vizier", "merchant"))
UCT_GAMES = 120
OPENSPIEL_GAMES, OPENSPIEL_SECONDS = 200, 0.1

Rows = list[dict[str, Any]]


def counts(name: str) -> tuple[int, int]:
    """The smallest and the largest number of players (one alone has nobody to beat)."""
    players = souk.game(name).players
    return max(2, players[0]), players[-1]


class Arena:
    """Matches of two bots, played until their interval decides, kept in a folder so that they can go on."""

    def __init__(self, folder: Path, workers: Workers, end: float) -> None:
        self.folder, self.workers, self.end = folder, workers, end

    def matches(self, pairs: Iterable[tuple[str, int, str, str]], least: int = GAMES) -> Rows:
        """Matches of one bot against another: at least so many games of each, and more until the whole interval is on one side of even.
        All go ahead together, so that an early end leaves them about equally far."""
        found = [self._opened(*pair) for pair in pairs]
        for wanted in (least // 4, least, *range(least + MORE, MOST_GAMES + 1, MORE)):
            for each in found:
                if len(each) < least or self._undecided(each):
                    self._play(each, wanted)
        for each in found:
            print(_told(_row(each)), flush=True)
        return [_row(each) for each in found if len(each)]

    def _opened(self, game: str, players: int, better: str, other: str) -> Tournament:
        table = check_tournament(game, [better, other], players=players, seed=1, seconds=SECONDS)
        return Tournament(table, self.folder / "-".join((game, str(players), better, other)))

    def _undecided(self, found: Tournament) -> bool:
        share = standings(found.results, found.table.bots)
        first = next(row for row in share if row.name == found.table.bots[0])
        return first.share.low <= first.even <= first.share.high

    def _play(self, found: Tournament, games: int) -> None:
        """Up to so many games, a few at a time, so that the end is not far when the time is over."""
        at = len(found) // found.table.players
        deals = -(-games // found.table.players)
        while at < deals and time.time() < self.end:
            following = min(deals, at + 2 * (os.cpu_count() or 1))
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
        "games": len(found),
        "share": first.share.value,
        "low": first.share.low,
        "high": first.share.high,
        "even": first.even,
        "ms": [1000 * first.move_seconds, 1000 * second.move_seconds],
    }


def _told(row: dict[str, Any]) -> str:
    return (
        f"{row['game']}, {row['players']} players, {row['games']} games: {row['better']} beats {row['other']} with "
        f"{row['share']:.1%} ({row['low']:.1%} to {row['high']:.1%}, even {row['even']:.1%}); "
        f"{row['ms'][0]:.0f} and {row['ms'][1]:.0f} ms a move"
    )


# ---------------------------------------------------------------- the parts


def levels(arena: Arena) -> Rows:
    return arena.matches(
        (game, players, better, other) for better, other in LADDER for game in names() for players in counts(game)
    )


def uct(arena: Arena) -> Rows:
    pairs = [(game, players, "vizier", "uct") for game in names() for players in counts(game)]
    # Suleika is decided by a larger sample, which is affordable with less time for both.
    pairs += [("suleika", players, "vizier:seconds=0.01", "uct:seconds=0.01") for players in counts("suleika")]
    return arena.matches(pairs, UCT_GAMES)


def openspiel(_arena: Arena) -> Rows:
    from openspiel_match import openspiel_match

    return [openspiel_match(game, OPENSPIEL_GAMES, OPENSPIEL_SECONDS) for game in ("suleika", "bazaar")]


def secret(_arena: Arena) -> Rows:
    from secret import exploitability

    return exploitability((SECONDS, 1.0))


def thinking(_arena: Arena) -> Rows:
    from thinking import measure

    return measure()


def endings(_arena: Arena) -> Rows:
    from endings import how_far_back

    return how_far_back()


PARTS: dict[str, Callable[[Arena], Rows]] = {
    "levels": levels,
    "uct": uct,
    "openspiel": openspiel,
    "secret": secret,
    "thinking": thinking,
    "endings": endings,
}


# ---------------------------------------------------------------- the page


def _table(headings: str, rows: Iterable[str]) -> list[str]:
    columns = headings.count("|") + 1
    return [f"| {headings} |", "|" + "---|" * columns, *(f"| {row} |" for row in rows), ""]


def _elsewhere(row: dict[str, Any]) -> str:
    """Where a match was played, if not where the others of its table were."""
    return f" (on {row['machine']})" if "machine" in row else ""


def _matches(rows: Rows) -> list[str]:
    return _table(
        "game | players | bots | games | share of wins | 95 % interval | even | ms a move",
        (
            f"{souk.game(row['game']).title} | {row['players']} | **{row['better']}** – {row['other']} | {row['games']:,} | "
            f"{row['share']:.1%} | {row['low']:.1%} – {row['high']:.1%} | {row['even']:.1%} | "
            f"{row['ms'][0]:.1f} / {row['ms'][1]:.1f}{_elsewhere(row)}"
            for row in rows
        ),
    )


def _openspiel_table(rows: Rows) -> list[str]:
    return _table(
        "game | games | won | share | 95 % interval | seconds a move | OpenSpiel's | its simulations a move",
        (
            f"{souk.game(row['game']).title}, 2 players | {row['games']} | {row['won']:g} | {row['share']:.1%} | "
            f"{row['interval'][0]:.1%} – {row['interval'][1]:.1%} | {row['seconds']:.3f} | "
            f"{row['openspiel_seconds']:.3f} | {row['openspiel_simulations']:,.0f}"
            for row in rows
        ),
    )


def _secret_table(rows: Rows) -> list[str]:
    return _table(
        "vizier | positions | an opponent gains | 95th percentile | most | above 5 % | the vizier loses | gained against even choices",
        (
            f"{row['bot']} | {row['positions']} | {row['mean']:.2%} ± {row['half']:.2%} | {row['p95']:.2%} | "
            f"{row['most']:.2%} | {row['above']} | {row['loss']:.2%} ± {row['loss_half']:.2%} | {row['even_mean']:.2%}"
            for row in rows
        ),
    )


def _thinking_table(rows: Rows) -> list[str]:
    speed = _table(
        "game | players | whole games: playouts/s in search | bare | share | own horizon: in search | events in a playout | "
        "bare, as many events | share | bare, to the horizon alone",
        (
            f"{souk.game(row['game']).title} | {row['players']} | {_rates(*row['whole'])} | {row['own'][0]:,.0f} | {row['events']:.1f} | "
            f"{row['own'][1]:,.0f} | {row['own'][0] / row['own'][1]:.0%} | {row['to_horizon']:,.0f}"
            for row in rows
        ),
    )
    time_kept = _table(
        "game | players | over 50 ms | over 200 ms | over 1 s | lock held | late ticks, thinking | longest | late ticks, idle | longest",
        (
            f"{souk.game(row['game']).title} | {row['players']} | "
            + " | ".join(f"{row['late_ms'][budget]:+.1f} ms" for budget in ("0.05", "0.2", "1.0"))
            + f" | {row['hold_ms']:.1f} ms | {_ticks(row['ticks']['thinking'])} | {_ticks(row['ticks']['idle'])}"
            for row in rows
        ),
    )
    return speed + time_kept


def _rates(search: float, bare: float) -> str:
    return f"{search:,.0f} | {bare:,.0f} | {search / bare:.0%}"


def _ticks(found: list[float]) -> str:
    late, ticks, longest = found
    return f"{late:.0f} of {ticks:,.0f} | {longest:.1f} ms"


def _endings_table(rows: Rows) -> list[str]:
    return _table(
        "players | " + " | ".join(f"{budget} s" for budget in rows[0]["turns"]),
        (f"{row['players']} | " + " | ".join(f"{turns}" for turns in row["turns"].values()) for row in rows),
    )


SECTIONS: dict[str, tuple[str, str, Callable[[Rows], list[str]]]] = {
    "levels": (
        "Each level against the one below",
        "Two bots at a table: they hold equally many seats over the whole match, every line-up is played once in each rotation with the same "
        "dice, and the interval is over deals. Merchant and vizier think for 50 ms. At least 400 games, and more until the whole interval lies on one "
        "side of an even share.",
        _matches,
    ),
    "uct": (
        "The vizier against plain UCT",
        "`uct` is our own compiled search without insight: random playouts to the end of the game, all legal moves. The same time for both, so that "
        "only ideas differ.",
        _matches,
    ),
    "openspiel": (
        "The vizier against OpenSpiel's MCTS",
        "OpenSpiel's MCTS bot (Python, random rollouts, with its solver) plays the same rules through `souk.lab.openspiel`, with the same time for a "
        "move. A shared win counts half.",
        _openspiel_table,
    ),
    "secret": (
        "Secret choices in Basari",
        "How much win chance an opponent gains who knows the vizier's mixed strategy and answers best, over what the vizier expects of that "
        "opponent; and how much the vizier loses by it. What a combination of choices is worth is judged by three searches of 64,000 playouts from the position after it, of which the later half "
        "counts (one search of 4,000 for combinations that come up in fewer than one in twenty); being the largest of several noisy differences the figures err on the high side. Three and four players in turn.",
        _secret_table,
    ),
    "thinking": (
        "Thinking",
        "On one core, in the middle of a game; playouts by the second of processor time. *Bare*: playouts by the same policy from the same position, without a tree; first to the end of the game. "
        "At the vizier's own short horizon they make *as many events* (moves, dice and cards) as the search's playouts make on average through the tree and beyond "
        "it, and are then judged likewise. *To the horizon alone* they make none of the tree's moves, in Suleika often no move at all: that rate says how fast positions are judged, "
        "and is no yardstick for a search. *Over*: how much longer than asked the slowest of three moves took. *Lock held*: the longest stretch of processor "
        "time in which the thinking thread can keep Python's lock, and with it an event loop, waiting (clearing the tree is counted in, though it runs without the lock). "
        "*Late ticks*: a task in an asyncio event loop ticks every millisecond; how many ticks came more than 5 ms late, and the longest, while the vizier thought for six times a "
        "second in a thread, and in as many idle seconds between. A shared machine stands still now and then with no bot at work; only the difference of the two tells.",
        _thinking_table,
    ),
    "endings": (
        "Suleika's exact endings",
        "How many turns before the end the vizier begins to play exactly, the whole of every die and rug looked at, with so many seconds a move; "
        "counted in games between greedy bots, as the least over ten games.",
        _endings_table,
    ),
}


def write_page(folder: Path, page: Path) -> None:
    lines = [
        "# How strong the bots are",
        "",
        "Written by `bench/strength.py`; each table says what it was measured on. *Share of wins* is the share of games won by the first of two bots, a win "
        "shared by several counted in parts.",
        "",
    ]
    for part, (title, about, table) in SECTIONS.items():
        file = folder / f"{part}.json"
        if file.is_file():
            kept = json.loads(file.read_text())
            lines += [f"## {title}", "", about, "", *table(kept["rows"])]
            lines += [f"`python bench/strength.py {part}` on {kept['machine']}, {kept['date']}.", ""]
    page.write_text("\n".join(lines))


def _machine() -> str:
    return f"{os.cpu_count()} cores ({platform.machine()}), Python {platform.python_version()}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("parts", metavar="PART", nargs="*", choices=[*PARTS, []], help=", ".join(PARTS))
    parser.add_argument("--processes", type=int)
    parser.add_argument("--minutes", type=float, default=1e6)
    parser.add_argument("--folder", type=Path, default=Path("docs/strength"))
    parser.add_argument(
        "--journals", type=Path, default=Path("strength-matches"), help="where matches are kept to go on with"
    )
    parser.add_argument("--page", type=Path, default=Path("docs/strength.md"))
    given = parser.parse_args()
    given.folder.mkdir(parents=True, exist_ok=True)
    given.journals.mkdir(parents=True, exist_ok=True)
    for name in names():
        souk.bots.prepare(souk.game(name))
    with Processes(given.processes) as workers:
        for part in given.parts or PARTS:
            arena = Arena(given.journals, workers, time.time() + 60 * given.minutes)
            rows = PARTS[part](arena)
            kept = {"machine": _machine(), "date": time.strftime("%Y-%m-%d"), "rows": rows}
            (given.folder / f"{part}.json").write_text(json.dumps(kept, indent=1) + "\n")
    write_page(given.folder, given.page)


if __name__ == "__main__":
    main()
