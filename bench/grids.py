"""Tables and headed parts of a page, as Markdown has them."""

from collections.abc import Iterable, Sequence
from typing import Any

import souk

Rows = list[dict[str, Any]]


def grid(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table, with an empty line after it."""
    body = [f"| {' | '.join(row)} |" for row in rows]
    return [f"| {' | '.join(headings)} |", "|" + "---|" * len(headings), *body, ""]


def filled(rows: Rows, headings: str, cells: str) -> list[str]:
    """A table: its headings, and how a row is written under them, both with | between the columns. `{title}` is that of the row's game."""
    named = (row | {"title": souk.game(row["game"]).title} if "game" in row else row for row in rows)
    return grid(headings.split(" | "), (cells.format(**row).split(" | ") for row in named))


def block(title: str, *lines: list[str]) -> list[str]:
    """A part of a page under a title of its own."""
    return [f"### {title}", "", *(each for some in lines for each in some)]
