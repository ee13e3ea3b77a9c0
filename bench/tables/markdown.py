"""Markdown tables and number formats for their cells."""

from collections.abc import Iterable, Sequence
from typing import Any

import souk

Row = dict[str, Any]
Rows = list[Row]


def grid(headings: str | Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table and an empty line. Headings may be one text, separated by ` | `."""
    heads = headings.split(" | ") if isinstance(headings, str) else headings
    body = [f"| {' | '.join(row)} |" for row in rows]
    return [f"| {' | '.join(heads)} |", "|" + "---|" * len(heads), *body, ""]


def filled(rows: Rows, headings: str, cells: str) -> list[str]:
    """A table whose rows fill in the format `cells`. `{title}` is the title of the row's game."""
    titled = (row | {"title": title(row["game"])} if "game" in row else row for row in rows)
    return grid(headings, (cells.format(**row).split(" | ") for row in titled))


def title(game: str) -> str:
    return souk.game(game).title


def percent(share: float, low: float, high: float, suffix: str = "") -> str:
    """A share with its interval, in percent without the sign."""
    return f"{100 * share:.1f} ({100 * low:.1f}–{100 * high:.1f}{suffix})"


def large(number: float) -> str:
    """A number in millions or billions, to three digits."""
    unit, name = (1e9, "billion") if number >= 1e9 else (1e6, "million")
    scaled = number / unit
    return f"{scaled:.1f} {name}" if scaled < 100 else f"{scaled:,.0f} {name}"
