"""The tables of docs/strength.md, from what bench/strength.py measured."""

from typing import Any

from grids import grid

import souk

Rows = list[dict[str, Any]]


def _game(row: dict[str, Any]) -> list[str]:
    return [souk.game(row["game"]).title, str(row["players"])]


def matches(rows: Rows) -> list[str]:
    heads = ["game", "players", "bots", "games", "share of wins", "95 % interval", "even", "ms for a move", "ms taken"]
    return grid(
        heads,
        (
            [
                *_game(row),
                f"**{row['better']}** – {row['other']}",
                f"{row['games']:,}",
                f"{row['share']:.1%}",
                f"{row['low']:.1%} – {row['high']:.1%}",
                f"{row['even']:.1%}",
                f"{1000 * row['seconds']:g}",
                f"{row['ms'][0]:.1f} / {row['ms'][1]:.1f}",
            ]
            for row in rows
        ),
    )


def openspiel(rows: Rows) -> list[str]:
    heads = [
        "game",
        "games",
        "won",
        "share",
        "95 % interval",
        "seconds a move",
        "OpenSpiel's",
        "its simulations a move",
    ]
    return grid(
        heads,
        (
            [
                f"{souk.game(row['game']).title}, 2 players",
                str(row["games"]),
                f"{row['won']:g}",
                f"{row['share']:.1%}",
                f"{row['interval'][0]:.1%} – {row['interval'][1]:.1%}",
                f"{row['seconds']:.3f}",
                f"{row['openspiel_seconds']:.3f}",
                f"{row['openspiel_simulations']:,.0f}",
            ]
            for row in rows
        ),
    )


def secret(rows: Rows) -> list[str]:
    gained = ["an opponent gains", "95th percentile", "most", "above 5 %"]
    heads = ["vizier", "positions", *gained, "the vizier loses", "gained against even choices"]
    return grid(
        heads,
        (
            [
                row["bot"],
                str(row["positions"]),
                f"{row['mean']:.2%} ± {row['half']:.2%}",
                f"{row['p95']:.2%}",
                f"{row['most']:.2%}",
                str(row["above"]),
                f"{row['loss']:.2%} ± {row['loss_half']:.2%}",
                f"{row['even_mean']:.2%}",
            ]
            for row in rows
        ),
    )


def thinking(rows: Rows) -> list[str]:
    return _playouts(rows) + _time_kept(rows)


def _playouts(rows: Rows) -> list[str]:
    whole = ["whole games: playouts/s in search", "bare", "share"]
    own = [
        "own horizon: in search",
        "events in a playout",
        "bare, as many events",
        "share",
        "bare, to the horizon alone",
    ]
    return grid(
        ["game", "players", *whole, *own],
        (
            [
                *_game(row),
                f"{row['whole'][0]:,.0f}",
                f"{row['whole'][1]:,.0f}",
                f"{row['whole'][0] / row['whole'][1]:.0%}",
                f"{row['own'][0]:,.0f}",
                f"{row['events']:.1f}",
                f"{row['own'][1]:,.0f}",
                f"{row['own'][0] / row['own'][1]:.0%}",
                f"{row['to_horizon']:,.0f}",
            ]
            for row in rows
        ),
    )


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
        ([str(row["players"]), str(row["games"]), *map(str, row["turns"].values())] for row in rows),
    )


TABLES = {
    "levels": matches,
    "uct": matches,
    "openspiel": openspiel,
    "secret": secret,
    "thinking": thinking,
    "endings": endings,
}
