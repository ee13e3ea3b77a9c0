"""The tables of docs/study.md, from what bench/study.py measured."""

from collections.abc import Callable
from typing import Any

from grids import grid

import souk

Rows = list[dict[str, Any]]


def _title(row: dict[str, Any]) -> str:
    return souk.game(row["game"]).title


def exact_sums(rows: Rows) -> list[str]:
    headings = ["game", "games", "seats", "playouts a decision", "largest gap"]
    return grid(
        headings,
        (
            [_title(row), str(row["games"]), str(row["seats"]), str(row["playouts"]), f"{row['gap']:.1e}"]
            for row in rows
        ),
    )


def fairness(rows: Rows) -> list[str]:
    headings = ["game", "players", "bots", "games", "mean luck by seat, with 95 % intervals"]
    headings += ["luck of a seat, standard deviation", "variance of results without luck, of that with it"]
    return grid(
        headings,
        (
            [
                _title(row),
                str(row["players"]),
                row["bot"],
                str(row["games"]),
                "; ".join(f"{luck:+.1%} ± {half:.1%}" for luck, half in zip(row["luck"], row["half"], strict=True)),
                f"{row['spread']:.1%}",
                f"{row['variance']:.1%}",
            ]
            for row in rows
        ),
    )


def errors(rows: Rows) -> list[str]:
    headings = ["game", "players", "games", "the vizier lost the smallest share of its stakes in", "95 % interval"]
    headings += [
        "share of stakes lost: vizier",
        "apprentice",
        "the smallest loss a decision in",
        "loss a decision: vizier",
        "apprentice",
    ]
    headings += ["the vizier won"]
    return grid(
        headings,
        (
            [
                _title(row),
                str(row["players"]),
                str(row["games"]),
                f"{row['of_stake']['seen'] / row['games']:.1%}",
                f"{row['of_stake']['low']:.1%} – {row['of_stake']['high']:.1%}",
                *(f"{row['of_stake'][who]:.0%}" for who in ("vizier", "apprentice")),
                f"{row['a_decision']['seen'] / row['games']:.1%}",
                *(f"{row['a_decision'][who]:.2%}" for who in ("vizier", "apprentice")),
                f"{row['won']:.0%}",
            ]
            for row in rows
        ),
    )


def two_seeds(rows: Rows) -> list[str]:
    headings = ["game", "games", "playouts a decision", "called blunders", "by both", "at least a mistake by the other"]
    return grid(
        headings,
        (
            [
                _title(row),
                str(row["games"]),
                str(row["playouts"]),
                str(row["called"]),
                _share(row["agreed"], row["called"]),
                _share(row["nearly"], row["called"]),
            ]
            for row in rows
        ),
    )


def _share(part: int, of: int) -> str:
    return f"{part / of:.1%}" if of else "–"


def depths(rows: Rows) -> list[str]:
    headings = [
        "game",
        "decisions",
        "playouts",
        "mean difference of the loss",
        "bias",
        "within two standard errors",
        "correlation",
    ]
    return grid(
        headings,
        (
            [
                _title(row),
                str(row["decisions"]),
                str(row["playouts"]),
                f"{row['difference']:.2%}",
                f"{row['bias']:+.2%}",
                f"{row['within']:.0%}",
                f"{row['together']:.2f}",
            ]
            for row in rows
        ),
    )


def times(rows: Rows) -> list[str]:
    headings = ["game", "players", "events", "processes", "seconds", "at most"]
    return grid(
        headings,
        (
            [
                _title(row),
                str(row["players"]),
                f"{row['events']:.0f}",
                str(row["processes"]),
                f"{row['seconds']:.1f}",
                f"{row['most']:.1f}",
            ]
            for row in rows
        ),
    )


TABLES: dict[str, Callable[[Rows], list[str]]] = {
    "sum": exact_sums,
    "fair": fairness,
    "errors": errors,
    "seeds": two_seeds,
    "depth": depths,
    "time": times,
}
