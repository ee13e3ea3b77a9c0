"""The tables of docs/strength.md and docs/minds.md, from what bench/strength.py measured."""

from collections import Counter
from pathlib import Path
from typing import Any

from grids import Rows, filled, grid
from ladder import Rung, ladders
from msgspec import convert
from pedigree import Pedigree, read_figures
from strength_plots import impatient, ladder_links, patience_links

import souk


def _game(row: dict[str, Any]) -> list[str]:
    return [souk.game(row["game"]).title, str(row["players"])]


def matches(rows: Rows) -> list[str]:
    """Matches of two bots, by game and number of players."""
    rows = sorted(rows, key=lambda row: (souk.game(row["game"]).title, row["players"]))
    headings = "game | players | bots | games | share of wins | 95 % interval | even | ms for a move | ms taken"
    bots = "{title} | {players} | **{better}** – {other} | {games:,} | "
    won = "{share:.1%} | {low:.1%} – {high:.1%} | {even:.1%} | {milliseconds:g} | {ms[0]:.1f} / {ms[1]:.1f}"
    return filled([row | {"milliseconds": 1000 * row["seconds"]} for row in rows], headings, bots + won)


def by_order(rows: Rows) -> list[str]:
    """The matches in which both sat by turns in some games and not in others."""
    told = [row for row in rows if "turns" in row]
    if not told:
        return []
    headings = "game | players | ms for a move | by turns: games | share of wins | 95 % interval | otherwise: games | share of wins | 95 % interval"
    cells = (
        "{title} | {players} | {milliseconds:g} | {turns[0]:,} | {turns[1]:.1%} | {turns[2]:.1%} – {turns[3]:.1%} | "
    )
    cells += "{beside[0]:,} | {beside[1]:.1%} | {beside[2]:.1%} – {beside[3]:.1%}"
    return [
        "The same by who sat where. By turns everybody's next is of the other kind; otherwise some play before their own.",
        "",
        *filled([row | {"milliseconds": 1000 * row["seconds"]} for row in told], headings, cells),
    ]


def pedigrees(newest: Pedigree, rows: Rows) -> list[str]:
    """Where rows come from: the newest run, or for those that were kept from before theirs."""
    found = Counter(str(convert(row["pedigree"], Pedigree) if "pedigree" in row else newest) for row in rows)
    if len(found) == 1:
        return [f"{each}." for each in found]
    return [f"* {number} rows: {each}." for each, number in found.items()]


def minds(docs: Path) -> list[str]:
    """The vizier with its mind against the one without."""
    newest, found = read_figures(docs / "strength" / "minds.json")
    rows = sorted(found["rows"], key=lambda row: (row["seconds"], row["game"], row["players"]))
    return [*matches(rows), *by_order(rows), *pedigrees(newest, rows)]


def patience(docs: Path) -> list[str]:
    """Fewer and more playouts than usual, without luck."""
    newest, rows = read_figures(docs / "strength" / "patience.json")[0], impatient(docs)
    return [*patience_links(docs), "", *luckless(rows), *pedigrees(newest, rows)]


def ladder(docs: Path) -> list[str]:
    """All ladders: drawn, and as figures beside each other, the strongest bots first."""
    columns = {
        (game, players): found
        for game, by_players in ladders(docs / "strength").items()
        for players, found in by_players.items()
    }
    bots = {bot for found in columns.values() for bot in found}
    headings = ["bot", *(f"{souk.game(game).title}, {players}" for game, players in columns)]
    rows = ([str(bot), *(_rung(found.get(bot)) for found in columns.values())] for bot in sorted(bots, reverse=True))
    return [*ladder_links(docs), "", *grid(headings, rows)[:-1]]


def _rung(rung: Rung | None) -> str:
    return f"{rung.height:+.0f} ({rung.low:.0f} to {rung.high:.0f})" if rung else ""


ORDERS = {"any": "in any order", "turns": "by turns", "sides": "side by side"}


def luckless(rows: Rows) -> list[str]:
    """Matches of searches with so many playouts, or of bots with so much time, without luck."""
    headings = "game | players | one side | the other | they sit | games | share of wins, without luck | 95 % interval | with luck"
    cells = "{title} | {players} | {one} | {two} | {order} | {games:,} | {without_luck[0]:.1%} | "
    cells += (
        "{without_luck[1]:.1%} – {without_luck[2]:.1%} | {with_luck[0]:.1%} ({with_luck[1]:.1%} – {with_luck[2]:.1%})"
    )
    told = [
        row | {"order": ORDERS[row["seats"]], "one": _side(row, "better"), "two": _side(row, "other")} for row in rows
    ]
    return filled(told, headings, cells)


def _side(row: dict[str, Any], which: str) -> str:
    """A side of a match; of bots with the time for a move, where their names do not say it."""
    name = str(row[which])
    return name if "seconds" not in row or ":seconds=" in name else f"{name}, {1000 * row['seconds']:g} ms"


def openspiel(rows: Rows) -> list[str]:
    headings = "game | games | won | share | 95 % interval | seconds a move | OpenSpiel's | its simulations a move"
    won = "{title}, 2 players | {games} | {won:g} | {share:.1%} | {interval[0]:.1%} – {interval[1]:.1%} | "
    took = "{seconds:.3f} | {openspiel_seconds:.3f} | {openspiel_simulations:,.0f}"
    return filled(rows, headings, won + took)


def secret(rows: Rows) -> list[str]:
    gained = "an opponent gains | 95th percentile | most | above 5 % | "
    headings = "vizier | positions | " + gained + "the vizier loses | gained against even choices"
    gains = "{mean:.2%} ± {half:.2%} | {p95:.2%} | {most:.2%} | {above} | "
    cells = "{bot} | {positions} | " + gains + "{loss:.2%} ± {loss_half:.2%} | {even_mean:.2%}"
    return filled(rows, headings, cells)


def choices(rows: Rows) -> list[str]:
    shares = "{rounds:,} | {lost[0]:.1%} ({lost[1]:.1%} – {lost[2]:.1%}) | {haggle[0]:.1%} ({haggle[1]:.1%} – {haggle[2]:.1%}) | {alike:.1%}"
    headings = "game | four alike | games | rounds | an action is lost | a haggle happens | all choose the same"
    beside = "games | gems chosen by the others | where they notice | an action is then lost | a haggle happens"
    return [
        *filled(rows, headings, "{title} | {bot} | {games:,} | " + shares),
        *filled(
            rows,
            "game | beside one who always chooses gems | " + beside,
            "{title} | {bot} | {beside[games]:,} | {beside[untold]:.1%} | {beside[gems]:.1%} | {beside[lost]:.1%} | {beside[haggle]:.1%}",
        ),
    ]


def thinking(rows: Rows) -> list[str]:
    return _playouts(rows) + _time_kept(rows)


def _playouts(rows: Rows) -> list[str]:
    whole = "whole games: playouts/s in search | bare | share"
    own = "own horizon: in search | events in a playout | bare, as many events | share | bare, to the horizon alone"
    more = [
        row | {"whole_share": row["whole"][0] / row["whole"][1], "own_share": row["own"][0] / row["own"][1]}
        for row in rows
    ]
    cells = "{title} | {players} | {whole[0]:,.0f} | {whole[1]:,.0f} | {whole_share:.0%} | "
    cells += "{own[0]:,.0f} | {events:.1f} | {own[1]:,.0f} | {own_share:.0%} | {to_horizon:,.0f}"
    return filled(more, f"game | players | {whole} | {own}", cells)


def _time_kept(rows: Rows) -> list[str]:
    late = ["over 50 ms", "over 200 ms", "over 1 s"]
    ticks = ["late ticks, thinking", "longest", "late ticks, idle", "longest"]
    return grid(
        ["game", "players", *late, "lock held", *ticks],
        (
            [
                *_game(row),
                *(f"{row['late_ms'][budget]:+.1f} ms" for budget in ("0.05", "0.2", "1.0")),
                f"{row['hold_ms']:.1f} ms",
                *_ticks(*row["ticks"]["thinking"]),
                *_ticks(*row["ticks"]["idle"]),
            ]
            for row in rows
        ),
    )


def _ticks(late: float, ticks: float, longest: float) -> tuple[str, str]:
    return f"{late:.0f} of {ticks:,.0f}", f"{longest:.1f} ms"


def endings(rows: Rows) -> list[str]:
    return grid(
        ["players", "games", *(f"{budget} s" for budget in rows[0]["turns"])],
        ([str(row["players"]), str(row["games"]), *_turns(row)] for row in rows),
    )


def _turns(row: dict[str, Any]) -> list[str]:
    """By time for a move: the least, and the median where that is more."""
    usual = row.get("usual", row["turns"])
    return [f"{least} ({usual[time]})" if usual[time] > least else str(least) for time, least in row["turns"].items()]


TABLES = {
    "levels": matches,
    "uct": matches,
    "luckless": luckless,
    "openspiel": openspiel,
    "secret": secret,
    "choices": choices,
    "thinking": thinking,
    "endings": endings,
}
OF_SEVERAL_FILES = {"minds": minds, "patience": patience, "ladder": ladder}  # or of a part of one
