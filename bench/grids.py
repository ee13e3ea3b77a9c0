"""Tables and headed parts of a page, as Markdown has them."""

from collections.abc import Iterable, Sequence


def grid(headings: Sequence[str], rows: Iterable[Sequence[str]]) -> list[str]:
    """A table, with an empty line after it."""
    body = [f"| {' | '.join(row)} |" for row in rows]
    return [f"| {' | '.join(headings)} |", "|" + "---|" * len(headings), *body, ""]


def block(title: str, *lines: list[str]) -> list[str]:
    """A part of a page under a title of its own."""
    return [f"### {title}", "", *(each for some in lines for each in some)]
