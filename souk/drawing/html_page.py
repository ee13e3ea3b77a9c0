"""Self-contained HTML pages (no script, light and dark) for tournaments, reports and analyses."""

import re
from collections.abc import Iterable, Sequence
from html import escape
from pathlib import Path

from souk.drawing import palette
from souk.drawing.plots import chip, marks

Cell = tuple[str, str]  # class and content


def whole_page(
    title: str, head: str, body: str, foot: str, language: str = "en", shapes: str = ""
) -> str:
    """A complete HTML page.

    `title` and `foot` are plain text; `head` (below the title) and `body` are HTML; `shapes` is
    extra CSS.
    """
    shapes = Path(__file__).with_suffix(".css").read_text(encoding="utf-8") + shapes
    style = (
        palette.style(sorted(set(re.findall(r"var\(--([\w-]+)\)", shapes)) & palette.BY_DAY.keys()))
        + shapes
    )
    return f"""<!doctype html>
<html lang="{language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{escape(title)}</title>
<style>
{style}</style>
</head>
<body>
{marks()}
{_lanterns()}
<header>
<h1>{escape(title)}</h1>
{head}
</header>
<main>
{body}
</main>
<footer>{escape(foot)}</footer>
</body>
</html>
"""


# ---------------------------------------------------------------- elements, from HTML


def fact_list(facts: Iterable[str]) -> str:
    return '<ul class="facts">' + "".join(f"<li>{fact}</li>" for fact in facts) + "</ul>"


def card(title: str, note: str, content: str) -> str:
    return f'<section class="card"><h2>{title}</h2><p>{note}</p>{content}</section>'


def badge(number: int) -> str:
    """The chip of an item compared, for use in text."""
    return f'<svg viewBox="-9 -9 18 18" aria-hidden="true">{chip(number)}</svg>'


def results_table(headings: Sequence[str], rows: Iterable[Sequence[Cell]], note: str) -> str:
    """A table with a note below; its first column names the rows, which may end early."""
    heads = "".join(
        f'<th scope="col"{" class=who" * (k == 0)}>{head}</th>' for k, head in enumerate(headings)
    )
    body = "\n".join(f"<tr>{_cells(headings, cells)}</tr>" for cells in rows)
    return (
        f"<table><thead><tr>{heads}</tr></thead>\n<tbody>\n{body}\n</tbody></table>\n<p>{note}</p>"
    )


def _cells(headings: Sequence[str], cells: Sequence[Cell]) -> str:
    return "".join(
        f'<td class="{css}" data-label="{head}"><span>{content}</span></td>'
        for head, (css, content) in zip(headings, cells, strict=False)
    )


# ---------------------------------------------------------------- decoration


def _lanterns() -> str:
    """A string of lanterns across the top."""
    parts = []
    for i in range(16):
        x = 150 * i - 600
        parts.append(f'<path d="M{x} 4Q{x + 75} 44 {x + 150} 4"/>')
        parts.append(f'<circle cx="{x + 75}" cy="42" r="26"/><path d="M{x + 75} 24V31"/>')
        parts.append(
            f'<path class="flame" d="M{x + 69} 31H{x + 81}L{x + 84} 42'
            f'Q{x + 82} 50 {x + 75} 54Q{x + 68} 50 {x + 66} 42Z"/>'
        )
    inside = "".join(parts)
    view = 'viewBox="0 0 1200 74" preserveAspectRatio="xMidYMin slice"'
    return f'<svg class="lanterns" {view} aria-hidden="true">{inside}</svg>'
